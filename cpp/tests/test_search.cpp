// Perft, playouts and threads, apart from any one game's rules.
#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "quincunx/games/unmergo.hpp"
#include "quincunx/search/parallel.hpp"
#include "quincunx/search/perft.hpp"
#include "quincunx/search/playout.hpp"

using namespace quincunx;
using namespace quincunx::test;

TEST(parallel_for_runs_every_job_once) {
    for (int threads : {1, 2, 5, 40}) {
        for (int count : {0, 1, 3, 100}) {
            std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
            Cancel cancel;
            parallel_for(count, threads, cancel, [&](int i, int) { ++runs[static_cast<std::size_t>(i)]; });
            for (auto& n : runs) CHECK(n == 1);
        }
    }
}

TEST(parallel_for_hands_on_what_a_job_throws) {
    for (int threads : {1, 3}) {
        Cancel cancel;
        CHECK_THROWS(std::out_of_range, parallel_for(50, threads, cancel, [](int i, int) {
                         if (i == 7) throw std::out_of_range("job 7");
                     }));
    }
}

TEST(cancelled_calls_throw) {
    const Unmergo<8>::Rules rules;
    const auto start = Unmergo<8>::initial(rules);
    const Trail<Unmergo<8>> trail(start);
    for (int threads : {1, 3}) {
        // Both would take days.
        Cancel of_perft([] { return true; });
        CHECK_THROWS(Cancelled, perft(start, trail, 20, Unit::ply, threads, 0, of_perft));
        std::vector<float> returns(2 * 10'000'000);
        std::vector<std::int32_t> lengths(10'000'000);
        Cancel of_playouts([] { return true; });
        CHECK_THROWS(Cancelled, playouts(start, trail, 0, 0, threads, 0, of_playouts, returns, lengths));
    }
}

TEST(playouts_are_the_same_on_any_number_of_threads) {
    const Unmergo<3>::Rules rules;
    const auto start = Unmergo<3>::initial(rules);
    const Trail<Unmergo<3>> trail(start);
    constexpr int games = 500;
    std::vector<std::vector<float>> returns;
    std::vector<std::vector<std::int32_t>> lengths;
    for (int threads : {1, 2, 3, 8}) {
        returns.emplace_back(2 * games);
        lengths.emplace_back(games);
        Cancel cancel;
        CHECK(playouts(start, trail, 9, 0, threads, 0, cancel, returns.back(), lengths.back()) == 0);
        CHECK(returns.back() == returns.front() && lengths.back() == lengths.front());
    }
    // A part of the games, by their numbers.
    std::vector<float> some_returns(2 * 100);
    std::vector<std::int32_t> some_lengths(100);
    Cancel cancel;
    playouts(start, trail, 9, 150, 2, 0, cancel, some_returns, some_lengths);
    CHECK(std::equal(some_lengths.begin(), some_lengths.end(), lengths.front().begin() + 150));
    CHECK(std::equal(some_returns.begin(), some_returns.end(), returns.front().begin() + 300));
}
