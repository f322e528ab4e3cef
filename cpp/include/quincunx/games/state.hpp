// What a game promises: perft, playouts, search, solvers and the bindings are written against this alone.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "quincunx/base/error.hpp"
#include "quincunx/base/fixed_list.hpp"
#include "quincunx/base/rng.hpp"

namespace quincunx {

/// An action id as in the rules: 0 … num_distinct_actions()−1.
using Action = std::int32_t;

enum class Outcome : std::uint8_t { running, win_0, win_1, draw };

constexpr Outcome win_for(int player) { return player == 0 ? Outcome::win_0 : Outcome::win_1; }

/// +1 for a win of `player`, −1 for a loss, 0 for a draw or a game still running.
constexpr int player_return(Outcome outcome, int player) {
    if (outcome == Outcome::win_0) return player == 0 ? 1 : -1;
    if (outcome == Outcome::win_1) return player == 0 ? -1 : 1;
    return 0;
}

template <class S>
using ActionList = FixedList<Action, S::max_legal_actions>;

/// The parameters of a game, fixed for all its states; a state may keep a pointer to them.
template <class R>
concept GameRules = requires(const R rules, Action action, std::string_view text) {
    { rules.num_distinct_actions() } -> std::same_as<int>;
    /// The most plies a game can have; 0 where no bound is known and none is set.
    { rules.max_game_length() } -> std::same_as<int>;
    /// The shape of `State::observe`.
    { rules.observation_shape() } -> std::same_as<std::vector<int>>;
    /// The text of any action id below num_distinct_actions(), legal now or not.
    { rules.action_to_string(action) } -> std::same_as<std::string>;
    /// The id that a text denotes; throws ActionTextError if it denotes none.
    { rules.string_to_action(text) } -> std::same_as<Action>;
};

/// A position with what the rules need beside it (but for a repetition history: see Repeating): a flat value.
template <class S>
concept State = std::is_trivially_copyable_v<S> && GameRules<typename S::Rules> &&
                requires(S state, const S position, const typename S::Rules& rules, Action action, Rng& rng,
                         ActionList<S>& list, std::string_view text, std::span<float> planes, int player) {
                    /// No position of any size of this type has more legal actions.
                    { S::max_legal_actions } -> std::convertible_to<int>;
                    { S::initial(rules) } -> std::same_as<S>;
                    /// Reads a position string; throws PositionError.
                    { S::parse(rules, text) } -> std::same_as<S>;
                    { position.position() } -> std::same_as<std::string>;

                    /// `running` until the game is over.
                    { position.outcome() } -> std::same_as<Outcome>;
                    /// The person (0 or 1) to choose next; only while the game is running.
                    { position.current_player() } -> std::same_as<int>;
                    /// True while the current player has begun a turn and not finished it.
                    { position.in_turn() } -> std::same_as<bool>;

                    // The following hold while the game is running; a running game has at least one legal action.
                    /// Appends the legal actions in ascending order.
                    position.legal_actions(list);
                    { position.count_legal_actions() } -> std::same_as<int>;
                    /// For an id in 0 … num_distinct_actions()−1.
                    { position.is_legal(action) } -> std::same_as<bool>;
                    /// A legal action, each with exactly the same probability.
                    { position.random_action(rng) } -> std::same_as<Action>;
                    /// One sentence naming the rule that an illegal action breaks, and where.
                    { position.explain(action) } -> std::same_as<std::string>;
                    /// Plays a legal action; anything else is undefined: the caller has checked.
                    state.apply(action);

                    /// How a finished game ended, in one sentence.
                    { position.ending() } -> std::same_as<std::string>;
                    /// Equal for equal positions, the same in every process.
                    { position.hash() } -> std::same_as<std::uint64_t>;
                    /// Everything the position string shows, and the outcome.
                    { position == position } -> std::same_as<bool>;
                    /// Writes the observation of `player` (0 or 1), every number of observation_shape().
                    position.observe(player, planes);
                };

/// A game in which it takes time to find the legal actions. What was found serves a mask, a draw and tests.
template <class S>
concept Finding = State<S> && requires(const S position, const typename S::Found& found, Action action, Rng& rng,
                                       std::span<std::uint8_t> mask) {
    { position.find_legal() } -> std::same_as<typename S::Found>;
    position.write_legal_mask(found, mask);
    { position.is_legal(found, action) } -> std::same_as<bool>;
    { position.random_action(found, rng) } -> std::same_as<Action>;
};

/// Writes whether each action id is legal, as bytes 1 and 0, while the game is running. A game may have a quicker way
/// than to list the actions.
template <State S>
void write_legal_mask(const S& position, std::span<std::uint8_t> mask) {
    if constexpr (Finding<S>) {
        position.write_legal_mask(position.find_legal(), mask);
    } else if constexpr (requires { position.write_legal_mask(mask); }) {
        position.write_legal_mask(mask);
    } else {
        std::fill(mask.begin(), mask.end(), std::uint8_t{0});
        ActionList<S> list;
        position.legal_actions(list);
        for (Action action : list) mask[static_cast<std::size_t>(action)] = 1;
    }
}

/// A game that knows better playouts than uniformly random ones.
template <class S>
concept Sensible = State<S> && requires(const S position, Rng& rng) {
    /// A random action that is not plainly bad; −1 if all are: the player to move seems to have lost.
    { position.sensible_action(rng) } -> std::same_as<Action>;
    /// The plies after which a playout is judged, and not played on.
    { position.plies_to_judge() } -> std::same_as<int>;
    /// Who seems to win.
    { position.judge() } -> std::same_as<Outcome>;
};

/// A game with a rule about repeated positions, which depends on the plies before. See Trail.
template <class S>
concept Repeating = State<S> && requires(S state, const S position) {
    /// The occurrence of a position that ends the game in a draw; 0 if repetition is allowed.
    { position.repetition_limit() } -> std::same_as<int>;
    /// What the rule compares.
    { position.repetition_key() } -> std::same_as<std::uint64_t>;
    /// Plies since the start or the position read.
    { position.ply() } -> std::same_as<int>;
    /// No position before the last so many plies can occur again; at most ply().
    { position.reversible_plies() } -> std::same_as<int>;
    /// Makes this running position a draw.
    state.end_by_repetition();
};

}  // namespace quincunx
