// AnyBatch: rows are the games that AnyState plays.
#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "chosen.hpp"
#include "quincunx/erased/any_batch.hpp"
#include "quincunx/erased/any_state.hpp"

using namespace quincunx;
using namespace quincunx::test;

namespace {

void check_row(const AnyBatch& batch, int row, const AnyState& state) {
    const auto& shape = batch.game().observation_shape();
    const auto size = static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()));
    const auto actions = static_cast<std::size_t>(batch.game().num_distinct_actions());
    const auto i = static_cast<std::size_t>(row);
    std::vector<float> planes(size);
    std::vector<std::uint8_t> mask(actions);
    state.observe(state.current_player(), planes);
    state.legal_mask(mask);
    CHECK(std::equal(planes.begin(), planes.end(), batch.observations() + i * size), state.position());
    CHECK(std::equal(mask.begin(), mask.end(), batch.masks() + i * actions), state.position());
    CHECK(batch.players()[i] == state.current_player(), state.position());
}

void check_rows(const Chosen& chosen) {
    const auto& [name, parameters] = chosen;
    const auto game = load_game(name, parameters);
    Cancel cancel;
    for (int threads : {1, 3}) {
        constexpr int rows = 300;  // more than one block
        const auto batch = game->new_batch(rows, 5, threads, cancel);
        std::vector<StateRef> states(rows, game->initial());
        std::vector<std::int64_t> actions(rows);
        for (int step = 0; step < 60; ++step) {
            batch->random_actions(actions, cancel);
            batch->step(actions, cancel);
            for (int row = 0; row < rows; row += 7) {
                auto& state = states[static_cast<std::size_t>(row)];
                state = state->child(static_cast<Action>(actions[static_cast<std::size_t>(row)]));
                CHECK((batch->dones()[row] != 0) == state->is_terminal(), state->position());
                for (int player : {0, 1}) {
                    CHECK(
                        static_cast<int>(batch->rewards()[2 * row + player]) == player_return(state->outcome(), player),
                        state->position());
                }
                if (state->is_terminal()) state = game->initial();
                check_row(*batch, row, *state);
            }
        }
        CHECK(batch->state(7)->equals(*states[7]) && batch->state(7)->history() == states[7]->history(), name);
        batch->reset(std::vector<int>{7, rows - 1}, cancel);
        check_row(*batch, 7, *game->initial());
        check_row(*batch, 14, *states[14]);
        batch->reset(cancel);
        check_row(*batch, 14, *game->initial());
    }
}

}  // namespace

TEST(rows_of_a_batch_are_games) {
    for (const auto& chosen : small_games) check_rows(chosen);
    for (const auto& chosen : large_games) check_rows(chosen);
}

TEST(a_batch_refuses_the_first_bad_action_and_changes_nothing) {
    const auto game = load_game("unmergo", {{"size", "3"}});
    Cancel cancel;
    const auto batch = game->new_batch(600, 0, 2, cancel);
    const auto pass = game->string_to_action("pass");
    for (const std::int64_t bad : {std::int64_t{pass}, std::int64_t{-1}, std::int64_t{1} << 40}) {
        std::vector<std::int64_t> actions(600, 4);
        actions[599] = actions[301] = bad;
        bool refused = false;
        try {
            batch->step(actions, cancel);
        } catch (const IllegalActionError& error) {
            refused = bad == pass && error.row == 301;
        } catch (const ParameterError& error) {
            refused = bad != pass && std::string(error.what()).find("row 301") == 0;
        }
        CHECK(refused);
        for (int row : {0, 301, 599}) check_row(*batch, row, *game->initial());
    }
}

TEST(a_batch_cut_short_says_so_until_it_is_reset) {
    const auto game = load_game("unmergo", {{"size", "2"}});
    Cancel none;
    const auto batch = game->new_batch(100'000, 0, 1, none);
    std::vector<std::int64_t> actions(100'000);
    batch->random_actions(actions, none);
    Cancel at_once;
    at_once.request();
    CHECK_THROWS(Cancelled, batch->step(actions, at_once));  // while actions are looked at: nothing has changed
    check_row(*batch, 99'999, *game->initial());
    CHECK_THROWS(Cancelled, batch->reset(at_once));
    CHECK_THROWS(std::logic_error, batch->step(actions, none));
    CHECK_THROWS(std::logic_error, batch->state(0));
    batch->reset(none);
    batch->step(actions, none);
}

TEST(an_action_log_keeps_the_games_that_run) {
    Rng rng(1);
    for (int rows : {1, 7}) {
        ActionLog log(rows);
        std::vector<std::vector<Action>> games(static_cast<std::size_t>(rows));
        std::vector<std::int64_t> actions(games.size());
        for (int step = 0; step < 2000; ++step) {
            for (std::size_t i = 0; i < games.size(); ++i) {
                games[i].push_back(rng.below(1 << 16));
                actions[i] = games[i].back();
            }
            log.add(actions);
            for (int row = 0; row < rows; ++row) {
                auto& game = games[static_cast<std::size_t>(row)];
                CHECK(log.past(row) == game);
                // Each row at its own pace, so that the log grows, and goes round before and after that.
                if (rng.below(20 << row) > 0) continue;
                game.clear();
                log.begin(row);
                CHECK(log.past(row).empty());
            }
        }
    }
}
