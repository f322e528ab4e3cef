#include "quincunx/erased/any_state.hpp"

#include <algorithm>

namespace quincunx {

bool AnyGame::same_as(const AnyGame& other) const {
    if (this == &other) return true;
    return name_ == other.name_ &&
           std::equal(parameters_.begin(), parameters_.end(), other.parameters_.begin(), other.parameters_.end(),
                      [](const OptionEntry& a, const OptionEntry& b) { return a.value == b.value; });
}

Action AnyGame::checked_id(std::int64_t id) const {
    if (id < 0 || id >= num_distinct_actions()) {
        throw ParameterError("action " + std::to_string(id) + " is out of range: " + name_ + " has the actions 0 to " +
                             std::to_string(num_distinct_actions() - 1));
    }
    return static_cast<Action>(id);
}

std::vector<Action> AnyState::history() const {
    std::vector<Action> actions(static_cast<std::size_t>(move_number_));
    const auto* state = this;
    for (auto at = actions.rbegin(); at != actions.rend(); ++at, state = state->parent_.get()) {
        *at = state->last_action_;
    }
    return actions;
}

void AnyState::release(const AnyState* state) {
    // A loop, not recursion: a line of play may be a million plies long.
    while (state && state->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        const auto* parent = std::exchange(state->parent_.state_, nullptr);
        delete state;
        state = parent;
    }
}

namespace {

// In the text of a turn, declining the second action is written by leaving it out.
constexpr std::string_view declined = "end";

}  // namespace

std::optional<std::string> AnyState::explain(std::string_view text) const {
    try {
        if (const auto [first, second] = actions_of(text); !second) {
            return explain(game().string_to_action(first));
        }
        child_by_turn(text);
        return std::nullopt;
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<std::pair<std::string, StateRef>> AnyState::turns() const {
    std::vector<std::pair<std::string, StateRef>> result;
    AnyActionList actions, seconds;
    legal_actions(actions);
    for (Action action : actions) {
        auto after = child(action);
        const auto text = game().action_to_string(action);
        if (!after->in_turn() || after->is_terminal()) {
            result.emplace_back(text, std::move(after));
            continue;
        }
        after->legal_actions(seconds);
        for (Action second : seconds) {
            const auto name = game().action_to_string(second);
            result.emplace_back(name == declined ? text : text + " " + name, after->child(second));
        }
    }
    return result;
}

StateRef AnyState::child_by_turn(std::string_view text) const {
    const auto [first, second] = actions_of(text);
    auto state = child(game().string_to_action(first));
    if (!second) {
        return state->in_turn() && !state->is_terminal() ? state->child(game().string_to_action(declined)) : state;
    }
    if (in_turn() || !state->in_turn() || *second == declined) {
        throw ActionTextError(quoted(text) +
                              (*second == declined ? " is written without 'end'" : " has more actions than the turn"));
    }
    return state->child(game().string_to_action(*second));
}

std::pair<std::string_view, std::optional<std::string_view>> AnyState::actions_of(std::string_view text) const {
    const auto space = text.find(' ');
    if (space == std::string_view::npos) return {text, std::nullopt};
    try {
        game().string_to_action(text);  // the name of an action may have a space in it, as Meigo's 'prison 2'
        return {text, std::nullopt};
    } catch (const ActionTextError&) {
        return {text.substr(0, space), text.substr(space + 1)};
    }
}

}  // namespace quincunx
