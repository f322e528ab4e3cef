// All positions of Fano330-R-Morris up to symmetry, and the graph of those that are still running.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quincunx/games/fano330.hpp"
#include "quincunx/search/cancel.hpp"
#include "quincunx/solve/retrograde.hpp"

namespace quincunx {

/// The keys of this class are repetition keys of Fano330, which hold the whole position.
template <Adjacency Reading>
class FanoPositions {
public:
    using Game = Fano330<Reading>;

    /// The least key of all positions that are the same but for a symmetry of the board, an exchange of coins and rings
    /// and, once all pieces are placed (before that silver has begun), an exchange of the colours and of who moves.
    static std::uint64_t canonical(std::uint64_t key) {
        const auto lanes = lanes_of(key);
        std::uint64_t least = ~std::uint64_t{0};
        static const Images images = make_images();
        for (const auto& image : images) {
            Lanes turned;
            for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = image[lanes[i]];
            least = std::min(least, least_relabelled(turned, key));
        }
        return least;
    }

    /// The canonical keys of the running positions among all that a position string can give, ascending. `valid` is
    /// how many positions those strings give in all, finished ones included.
    static std::vector<std::uint64_t> running(Cancel& cancel, std::size_t& valid) {
        Enumeration all{cancel};
        all.fill(0, 0, {});
        std::sort(all.keys.begin(), all.keys.end());
        valid = all.valid;
        return std::move(all.keys);
    }

    /// The number of a position among sorted canonical keys, of which it is one if it is running.
    static std::optional<std::size_t> find(std::span<const std::uint64_t> keys, const Game& position) {
        const auto key = canonical(position.repetition_key());
        const auto found = std::lower_bound(keys.begin(), keys.end(), key);
        if (found == keys.end() || *found != key) return std::nullopt;
        return static_cast<std::size_t>(found - keys.begin());
    }

    /// The moves between the running positions, numbered as their keys are.
    static PositionGraph graph(std::span<const std::uint64_t> keys, Cancel& cancel) {
        PositionGraph graph;
        std::vector<PositionGraph::Move> moves;
        for (const auto key : keys) {
            if (cancel.poll()) throw Cancelled();
            const auto position = Game::from_key(rules, key);
            moves.clear();
            ActionList<Game> actions;
            position.legal_actions(actions);
            for (const Action action : actions) {
                auto next = position;
                next.apply(action);
                moves.push_back(
                    next.outcome() == Outcome::running
                        ? PositionGraph::Move::to(static_cast<PositionGraph::Index>(*find(keys, next)),
                                                  next.current_player() == position.current_player())
                        : PositionGraph::Move::end(player_return(next.outcome(), position.current_player())));
            }
            graph.add(moves);
        }
        return graph;
    }

private:
    /// Play has no end but by the rules: a draw is what nobody can prevent from going on for ever.
    inline static const typename Game::Rules rules{0, 0};

    // A key has a set of points for each kind of piece, topmost and covered, in its eight bytes: silver coins, silver
    // rings, copper coins, copper rings; and in the highest bit of the lowest byte the player to move.
    using Lanes = std::array<std::uint8_t, 8>;
    static constexpr std::uint64_t player_bit = std::uint64_t{1} << Fano::points;
    static constexpr std::uint64_t even_bytes = 0x00ff'00ff'00ff'00ff, even_pairs = 0x0000'ffff'0000'ffff;

    static Lanes lanes_of(std::uint64_t key) {
        Lanes lanes;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            lanes[i] = static_cast<std::uint8_t>(key >> 8 * i & Fano::all);
        }
        return lanes;
    }

    /// images[symmetry][set of points].
    using Images = std::array<std::array<std::uint8_t, Fano::all + 1>, Fano::num_symmetries<Reading>>;
    static Images make_images() {
        const auto maps = Fano::symmetries<Reading>();
        Images table{};
        for (std::size_t i = 0; i < table.size(); ++i) {
            for (Fano::Points set = 1; set <= Fano::all; ++set) {
                const auto lowest = static_cast<std::size_t>(std::countr_zero(set));
                table[i][set] = static_cast<std::uint8_t>(table[i][set & (set - 1)] | 1u << maps[i].point[lowest]);
            }
        }
        return table;
    }

    static std::uint64_t least_relabelled(const Lanes& lanes, std::uint64_t key) {
        std::uint64_t word = 0;
        int pieces = 0;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            word |= std::uint64_t{lanes[i]} << 8 * i;
            pieces += std::popcount(lanes[i]);
        }
        const auto shapes_exchanged = [](std::uint64_t w) { return (w & even_bytes) << 8 | (w >> 8 & even_bytes); };
        if (pieces < 8) return std::min(word, shapes_exchanged(word)) | (key & player_bit);
        // The player to move becomes silver.
        if (key & player_bit) word = (word & even_pairs) << 16 | (word >> 16 & even_pairs);
        return std::min(word, shapes_exchanged(word));
    }

    /// Fills the points one after the other with whatever may lie there.
    struct Enumeration {
        Cancel& cancel;
        std::vector<std::uint64_t> keys{};
        std::size_t valid = 0;

        void fill(int point, std::uint64_t key, std::array<int, 4> pieces) {
            if (point == Fano::points) return add(key, pieces);
            if (point == 3 && cancel.poll()) throw Cancelled();
            fill(point + 1, key, pieces);
            for (int top = 0; top < 4; ++top) {
                if (pieces[top] == 2) continue;
                const auto with_top = key | std::uint64_t{1} << (8 * top + point);
                auto left = pieces;
                ++left[top];
                fill(point + 1, with_top, left);
                for (int below = 0; below < 4; ++below) {
                    if (below == top || pieces[below] == 2) continue;
                    auto both = left;
                    ++both[below];
                    fill(point + 1, with_top | std::uint64_t{1} << (32 + 8 * below + point), both);
                }
            }
        }

        void add(std::uint64_t key, const std::array<int, 4>& pieces) {
            const int silver = pieces[0] + pieces[1], copper = pieces[2] + pieces[3];
            for (const int player : {0, 1}) {
                if (silver + copper < 8 && silver - copper != player) continue;
                ++valid;
                const auto whole = key | (player == 1 ? player_bit : 0);
                if (Game::from_key(rules, whole).outcome() == Outcome::running && canonical(whole) == whole) {
                    keys.push_back(whole);
                }
            }
        }
    };
};

}  // namespace quincunx
