// A state with the plies before it as text: what a position string alone does not tell.
#pragma once

#include <string>
#include <string_view>

#include "quincunx/erased/any_state.hpp"

namespace quincunx {

/// The first state of the line of play that led here: the start, or the position read.
const AnyState& first_of_line(const AnyState& state);

/// The position that play began from and, a line each, the ids of the actions since.
std::string serialize(const AnyState& state);

/// The state again. Throws PositionError for the first line, ParameterError or IllegalActionError for another.
StateRef deserialize(const AnyGame& game, std::string_view text);

}  // namespace quincunx
