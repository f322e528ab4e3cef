// AnyGame and AnyState: one face for all games.
#include <string>
#include <vector>

#include "check.hpp"
#include "chosen.hpp"
#include "quincunx/base/rng.hpp"
#include "quincunx/erased/any_state.hpp"
#include "quincunx/erased/serialize.hpp"

using namespace quincunx;
using namespace quincunx::test;

namespace {

std::vector<Action> legal(const StateRef& state) {
    AnyActionList actions;
    state->legal_actions(actions);
    return {actions.begin(), actions.end()};
}

}  // namespace

TEST(every_game_is_registered_and_loads) {
    CHECK(registered_games().size() == 5);
    for (const auto& info : registered_games()) {
        const auto game = load_game(info.name, {});
        CHECK(game->name() == info.name && game->same_as(*load_game(info.name, {})), info.name);
        CHECK(!game->initial()->is_terminal(), info.name);
    }
    CHECK_THROWS(ParameterError, load_game("chess", {}));
    CHECK_THROWS(ParameterError, load_game("", {}));
    CHECK_THROWS(ParameterError, load_game("unmergo", {{"colour", "red"}}));
    CHECK_THROWS(ParameterError, load_game("unmergo", {{"size", "9"}}));
}

TEST(any_state_agrees_with_itself_along_random_games) {
    Rng rng(77);
    for (const auto& [name, parameters] : small_games) {
        const auto game = load_game(name, parameters);
        for (int round = 0; round < 20; ++round) {
            auto state = game->initial();
            std::vector<Action> played;
            std::vector<StateRef> line{state};
            while (!state->is_terminal()) {
                const auto actions = legal(state);
                std::vector<std::uint8_t> mask(static_cast<std::size_t>(game->num_distinct_actions()));
                state->legal_mask(mask);
                std::size_t next = 0;
                for (Action id = 0; id < game->num_distinct_actions(); ++id) {
                    const bool listed = next < actions.size() && actions[next] == id;
                    next += listed;
                    CHECK(mask[static_cast<std::size_t>(id)] == listed && state->is_legal(id) == listed,
                          state->position());
                    CHECK(!state->explain(id) == listed, state->position());
                    if (listed) {
                        CHECK(!state->explain(game->action_to_string(id)),
                              state->position() + " " + game->action_to_string(id));
                    } else {
                        CHECK_THROWS(IllegalActionError, state->child(id));
                    }
                }
                for (const auto& [text, after] : state->turns()) {
                    CHECK(state->child_by_turn(text)->equals(*after), state->position() + " " + text);
                    CHECK(!state->explain(text), state->position() + " " + text);
                }
                const auto action = actions[static_cast<std::size_t>(rng.below(static_cast<int>(actions.size())))];
                const auto child = state->child(action);
                CHECK(child->parent().get() == state.get() && child->last_action() == action);
                state = child;
                played.push_back(action);
                line.push_back(state);
                CHECK(state->history() == played && state->move_number() == static_cast<int>(played.size()));
            }
            CHECK(legal(state).empty() && state->explain(Action{0}) && !state->ending().empty());
            CHECK_THROWS(IllegalActionError, state->child(0));
            // The states before are what they were.
            auto again = game->initial();
            for (std::size_t i = 0; i < line.size(); ++i) {
                CHECK(again->equals(*line[i]) && again->hash() == line[i]->hash(), line[i]->position());
                if (i < played.size()) again = again->child(played[i]);
            }
        }
    }
}

TEST(serialized_states_read_back_with_their_past) {
    Rng rng(78);
    for (const auto& [name, parameters] : small_games) {
        const auto game = load_game(name, parameters);
        for (int round = 0; round < 5; ++round) {
            auto state = game->initial();
            while (!state->is_terminal()) {
                const auto actions = legal(state);
                state = state->child(actions[static_cast<std::size_t>(rng.below(static_cast<int>(actions.size())))]);
                if (rng.below(8) != 0 && !state->is_terminal()) continue;
                const auto again = deserialize(*game, serialize(*state));
                CHECK(again->equals(*state) && again->history() == state->history(), state->position());
                CHECK(first_of_line(*again).equals(*game->initial()) && serialize(*again) == serialize(*state));
            }
        }
    }
    const auto game = load_game("unmergo", {{"size", "3"}});
    const auto start = game->initial()->position();
    CHECK(deserialize(*game, start)->equals(*game->initial()));
    CHECK(deserialize(*game, start + "\n0\n")->move_number() == 1);
    for (const char* bad : {"\n\n", "\nx", "\n-1", "\n00", "\n0 ", "\n0\n\n", "\n1000000", "\n99999999999999999999"}) {
        CHECK_THROWS(ParameterError, deserialize(*game, start + bad));
    }
    CHECK_THROWS(IllegalActionError, deserialize(*game, start + "\n0\n0"));
    CHECK_THROWS(PositionError, deserialize(*game, ""));
}

TEST(states_of_different_games_differ) {
    const auto one = load_game("unmergo", {{"size", "3"}}), other = load_game("unmergo", {{"size", "4"}});
    const auto twin = load_game("unmergo", {{"size", "3"}});
    CHECK(one->same_as(*twin) && !one->same_as(*other));
    CHECK(one->initial()->equals(*twin->initial()));
    CHECK(!one->initial()->equals(*other->initial()));
}

TEST(a_state_outlives_the_handle_of_its_game) {
    StateRef state;
    {
        const auto game = load_game("meigo", {{"size", "5x4"}});
        state = game->initial()->child(7);
    }
    CHECK(state->child(3)->position().size() > 20 && state->game().name() == "meigo");
}

// A very long line of play must not be freed by recursion: two stones are retaken for ever, with holds between.
TEST(a_long_line_of_play_is_freed) {
    const auto game = load_game("meigo", {{"size", "6x6"}, {"max_plies", "0"}});
    auto state = game->parse("....../.xo.../xo.o../.xo.../....../...... x 0 0 u -");
    const auto start = state->position();
    for (int round = 0; round < 12'500; ++round) {
        for (const char* text : {"c4", "b4", "hold", "hold"}) state = state->child(game->string_to_action(text));
    }
    CHECK(state->move_number() == 50'000 && !state->is_terminal());
    // All but the marks and the last stone are as at the start.
    CHECK(state->position().size() == start.size());
    state = game->initial();
}

TEST(ids_out_of_range_are_refused) {
    const auto game = load_game("unmergo", {});
    CHECK(game->checked_id(0) == 0 && game->checked_id(game->num_distinct_actions() - 1) >= 0);
    for (std::int64_t id : {std::int64_t{-1}, std::int64_t{game->num_distinct_actions()}, std::int64_t{1} << 40,
                            -(std::int64_t{1} << 40)}) {
        CHECK_THROWS(ParameterError, game->checked_id(id));
    }
}
