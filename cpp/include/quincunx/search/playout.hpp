// Playouts: uniformly random games.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "quincunx/search/parallel.hpp"
#include "quincunx/search/trail.hpp"

namespace quincunx {

/// Plays uniformly random actions until the game ends or `max_plies` are played (0: no limit); returns how many were.
template <State S>
int playout(S& state, Trail<S>& trail, Rng& rng, int max_plies) {
    int plies = 0;
    while (state.outcome() == Outcome::running && (max_plies == 0 || plies < max_plies)) {
        trail.advance(state, state.random_action(rng));
        ++plies;
    }
    return plies;
}

/// Game i draws from stream first + i of the seed, so neither threads nor a division into calls changes anything.
/// `returns` holds two numbers a game (players 0 and 1), `lengths` one; gives how many games met `max_plies`.
template <State S>
int playouts(const S& root, const Trail<S>& root_trail, std::uint64_t seed, std::uint64_t first, int threads,
             int max_plies, Cancel& cancel, std::span<float> returns, std::span<std::int32_t> lengths) {
    // Games are handed out in blocks: few enough to share fairly, large enough that handing out costs nothing.
    constexpr int block = 64;
    const int games = static_cast<int>(lengths.size());
    std::atomic<int> unfinished{0};
    parallel_for((games + block - 1) / block, threads, cancel, [&](int index, int thread) {
        Trail<S> trail = root_trail;
        int cut = 0;
        for (int i = index * block; i < std::min(games, (index + 1) * block); ++i) {
            S state = root;
            Rng rng(seed, first + static_cast<std::uint64_t>(i));
            int plies = 0;
            // A game without a bound is played in stretches, so that a request to stop is heard.
            do {
                const int stretch = max_plies == 0 ? 10'000 : std::min(10'000, max_plies - plies);
                plies += playout(state, trail, rng, stretch);
                if (thread == 0 ? cancel.poll() : cancel.requested()) return;
            } while (state.outcome() == Outcome::running && (max_plies == 0 || plies < max_plies));
            lengths[i] = plies;
            returns[2 * i] = static_cast<float>(player_return(state.outcome(), 0));
            returns[2 * i + 1] = static_cast<float>(player_return(state.outcome(), 1));
            cut += state.outcome() == Outcome::running;
        }
        unfinished.fetch_add(cut, std::memory_order_relaxed);
    });
    return unfinished;
}

}  // namespace quincunx
