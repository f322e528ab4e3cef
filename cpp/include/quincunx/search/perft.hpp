// Perft: counts the action sequences of a given depth, by plies or by completed turns.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "quincunx/search/parallel.hpp"
#include "quincunx/search/trail.hpp"

namespace quincunx {

enum class Unit { ply, turn };

/// One thread's count below a node.
template <State S>
class Perft {
public:
    Perft(Unit unit, Cancel& cancel, bool caller) : unit_(unit), cancel_(cancel), caller_(caller) {}

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

private:
    Unit unit_;
    Cancel& cancel_;
    bool caller_;
};

template <State S>
std::uint64_t perft(const S& root, const Trail<S>& root_trail, int depth, Unit unit, int threads, Cancel& cancel) {
    struct Job {
        S state;
        Trail<S> trail;
        int depth;
    };
    // The tree is cut into jobs a few plies down, many more than threads, so that they finish together.
    std::vector<Job> jobs{{root, root_trail, depth}};
    const std::size_t enough = threads > 1 ? 64 * static_cast<std::size_t>(threads) : 1;
    std::uint64_t nodes = 0;
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
    std::vector<std::uint64_t> counts(jobs.size());
    parallel_for(static_cast<int>(jobs.size()), threads, cancel, [&](int i, bool caller) {
        counts[i] = Perft<S>(unit, cancel, caller).count(jobs[i].state, jobs[i].trail, jobs[i].depth);
    });
    for (auto count : counts) nodes += count;
    return nodes;
}

}  // namespace quincunx
