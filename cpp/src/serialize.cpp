#include "quincunx/erased/serialize.hpp"

#include "quincunx/base/text.hpp"

namespace quincunx {

const AnyState& first_of_line(const AnyState& state) {
    const auto* first = &state;
    while (first->parent()) first = first->parent().get();
    return *first;
}

std::string serialize(const AnyState& state) {
    auto text = first_of_line(state).position() + "\n";
    for (const Action action : state.history()) text += std::to_string(action) + "\n";
    return text;
}

StateRef deserialize(const AnyGame& game, std::string_view text) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    const auto lines = split(text, '\n');
    auto state = game.parse(lines[0]);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto action = parse_number(lines[i], game.num_distinct_actions() - 1);
        if (!action) {
            throw ParameterError("line " + std::to_string(i + 1) +
                                 " of a serialized state must be an action id from 0 to " +
                                 std::to_string(game.num_distinct_actions() - 1) + ", not " + quoted(lines[i]));
        }
        state = state->child(*action);
    }
    return state;
}

}  // namespace quincunx
