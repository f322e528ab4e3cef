// Perft: counts the action sequences of a given depth, by plies or by completed turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "quincunx/base/hash.hpp"
#include "quincunx/search/parallel.hpp"
#include "quincunx/search/trail.hpp"

namespace quincunx {

enum class Unit { ply, turn };

/// Counts already made, by position and depth. The whole position is kept and compared, so a count is never mistaken
/// for another; a later count takes the place of an earlier one that falls on the same slot.
template <State S>
class PerftTable {
public:
    explicit PerftTable(std::size_t bytes) : entries_(bytes / sizeof(Entry)) {}

    /// True if counts below this state may be shared by all lines that lead to it.
    bool serves(const S& state) const {
        if (entries_.empty()) return false;
        if constexpr (Repeating<S>) {
            // What may repeat depends on the plies before, unless none of them can be taken back.
            return state.repetition_limit() == 0 || state.reversible_plies() == 0;
        }
        return true;
    }
    const std::uint64_t* find(const S& state, int depth) const {
        const auto& entry = entries_[slot(state, depth)];
        return entry.depth == depth && *entry.state == state ? &entry.nodes : nullptr;
    }
    void keep(const S& state, int depth, std::uint64_t nodes) { entries_[slot(state, depth)] = {state, nodes, depth}; }

private:
    struct Entry {
        std::optional<S> state{};
        std::uint64_t nodes = 0;
        int depth = -1;
    };
    std::size_t slot(const S& state, int depth) const {
        return hash_combine(state.hash(), static_cast<std::uint64_t>(depth)) % entries_.size();
    }
    std::vector<Entry> entries_;
};

/// One thread's count below a node.
template <State S>
class Perft {
public:
    Perft(Unit unit, PerftTable<S>& table, Cancel& cancel, bool caller)
        : unit_(unit), table_(table), cancel_(cancel), caller_(caller) {}

    /// The plies or turns left after playing `action`, which led to `child`.
    static int depth_after(Unit unit, const S& child, int depth) {
        return unit == Unit::turn && child.in_turn() ? depth : depth - 1;
    }

    std::uint64_t count(const S& state, Trail<S>& trail, int depth) {
        if (depth == 0) return 1;
        if (state.outcome() != Outcome::running) return 0;
        // The last ply is counted without being played.
        if (depth == 1 && unit_ == Unit::ply) return static_cast<std::uint64_t>(state.count_legal_actions());
        if (caller_ ? cancel_.poll() : cancel_.requested()) return 0;  // the sum is thrown away
        if (!table_.serves(state)) return count_children(state, trail, depth);
        if (const auto* known = table_.find(state, depth)) return *known;
        const auto nodes = count_children(state, trail, depth);
        if (!cancel_.requested()) table_.keep(state, depth, nodes);
        return nodes;
    }

private:
    std::uint64_t count_children(const S& state, Trail<S>& trail, int depth) {
        ActionList<S> actions;
        state.legal_actions(actions);
        std::uint64_t nodes = 0;
        for (Action action : actions) {
            S child = state;
            trail.advance(child, action);
            nodes += count(child, trail, depth_after(unit_, child, depth));
        }
        return nodes;
    }

    Unit unit_;
    PerftTable<S>& table_;
    Cancel& cancel_;
    bool caller_;
};

template <State S>
std::uint64_t perft(const S& root, const Trail<S>& root_trail, int depth, Unit unit, int threads, int hash_mb,
                    Cancel& cancel) {
    struct Job {
        S state;
        Trail<S> trail;
        int depth;
    };
    // The tree is cut into jobs a few plies down, many more than threads, so that they finish together.
    std::vector<Job> jobs{{root, root_trail, depth}};
    const std::size_t enough = threads > 1 ? 64 * static_cast<std::size_t>(threads) : 1;
    for (bool grown = true; grown && jobs.size() < enough;) {
        grown = false;
        std::vector<Job> next;
        for (auto& job : jobs) {
            if (job.depth <= 2 || job.state.outcome() != Outcome::running) {
                next.push_back(std::move(job));
                continue;
            }
            ActionList<S> actions;
            job.state.legal_actions(actions);
            for (Action action : actions) {
                Job child = job;
                child.trail.advance(child.state, action);
                child.depth = Perft<S>::depth_after(unit, child.state, job.depth);
                next.push_back(std::move(child));
                grown = true;
            }
        }
        jobs = std::move(next);
    }
    // Each thread has a table of its own, so that counting needs no locks.
    const std::size_t share = (static_cast<std::size_t>(hash_mb) << 20) / static_cast<std::size_t>(threads);
    std::vector<PerftTable<S>> tables;
    for (int thread = 0; thread < threads; ++thread) tables.emplace_back(share);
    std::vector<std::uint64_t> counts(jobs.size());
    parallel_for(static_cast<int>(jobs.size()), threads, cancel, [&](int i, int thread) {
        Perft<S> perft(unit, tables[static_cast<std::size_t>(thread)], cancel, thread == 0);
        counts[i] = perft.count(jobs[i].state, jobs[i].trail, jobs[i].depth);
    });
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

}  // namespace quincunx
