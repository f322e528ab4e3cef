#include "quincunx/solve/retrograde.hpp"

#include <algorithm>
#include <utility>

namespace quincunx {

void PositionGraph::add(std::vector<Move>& moves) {
    std::sort(moves.begin(), moves.end());
    const auto end = std::unique(moves.begin(), moves.end());
    moves_.insert(moves_.end(), moves.begin(), end);
    first_.push_back(moves_.size());
}

std::size_t PositionGraph::bytes_to_go_on() const {
    constexpr std::size_t analysed = 28;  // bytes for a position, beside its predecessors
    return bytes_to_grow(first_) + bytes_to_grow(moves_) + analysed * first_.size() + sizeof(Move) * moves_.size();
}

bool PositionGraph::assign(std::vector<std::uint64_t> starts, std::vector<Move> moves, Index positions) {
    const bool in_order = !starts.empty() && starts.front() == 0 && starts.back() == moves.size() &&
                          std::is_sorted(starts.begin(), starts.end()) && starts.size() - 1 <= positions;
    const bool all_lead_somewhere = std::all_of(
        moves.begin(), moves.end(), [&](Move move) { return move.is_end() || move.position() < positions; });
    if (!in_order || !all_lead_somewhere) return false;
    first_ = std::move(starts);
    moves_ = std::move(moves);
    return true;
}

namespace {

using Index = PositionGraph::Index;

/// The moves that lead to each position, as the positions they come from.
class Predecessors {
public:
    struct Origin {
        Index position : 31;
        Index same_player : 1;
    };

    Predecessors(const PositionGraph& graph, const std::function<void()>& look)
        : first_(std::size_t{graph.size()} + 1) {
        const auto each = [&](auto&& use) {
            for (Index from = 0; from < graph.size(); ++from) {
                look();
                for (const auto move : graph.moves_of(from)) {
                    if (!move.is_end()) use(from, move);
                }
            }
        };
        each([&](Index, PositionGraph::Move move) { ++first_[move.position()]; });
        std::uint64_t sum = 0;
        for (auto& entry : first_) entry = sum += entry;
        origins_.resize(sum);
        // Filled from behind, which moves each entry from the end of its share to the beginning.
        each([&](Index from, PositionGraph::Move move) {
            origins_[--first_[move.position()]] = {from, move.same_player()};
        });
    }

    std::span<const Origin> of(Index position) const {
        return {origins_.data() + first_[position], static_cast<std::size_t>(first_[position + 1] - first_[position])};
    }

private:
    std::vector<std::uint64_t> first_;
    std::vector<Origin> origins_;
};

}  // namespace

std::vector<Verdict> retrograde(const PositionGraph& graph, const std::function<void()>& look) {
    const Predecessors predecessors(graph, look);
    std::vector<Verdict> verdicts(graph.size());
    // The moves of a position that are not yet known to lose; a move to a draw never will be.
    std::vector<std::uint16_t> open(graph.size());
    // Settled positions in the order of their distance, so that a win is found by its shortest way, a loss by its
    // longest.
    std::vector<Index> settled;
    settled.reserve(graph.size());
    const auto settle = [&](Index position, int value, std::int32_t distance) {
        verdicts[position] = {static_cast<std::int8_t>(value), distance};
        settled.push_back(position);
    };
    for (Index position = 0; position < graph.size(); ++position) {
        const auto moves = graph.moves_of(position);
        open[position] = static_cast<std::uint16_t>(moves.size());
        for (const auto move : moves) {
            if (!move.is_end()) continue;
            if (move.result() > 0) {
                settle(position, 1, 1);
                break;
            }
            open[position] = static_cast<std::uint16_t>(open[position] - (move.result() < 0));
        }
        if (open[position] == 0 && verdicts[position].value == 0) settle(position, -1, 1);
    }
    for (std::size_t next = 0; next < settled.size(); ++next) {
        look();
        const Index position = settled[next];
        const auto [value, distance] = verdicts[position];
        for (const auto origin : predecessors.of(position)) {
            if (verdicts[origin.position].value != 0) continue;
            if ((value > 0) == (origin.same_player != 0)) {
                settle(origin.position, 1, distance + 1);
            } else if (--open[origin.position] == 0) {
                settle(origin.position, -1, distance + 1);
            }
        }
    }
    return verdicts;
}

}  // namespace quincunx
