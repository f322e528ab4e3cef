// A Solver for a state of any game.
#pragma once

#include <cstddef>
#include <memory>

#include "quincunx/erased/any_state.hpp"
#include "quincunx/solve/solver.hpp"

namespace quincunx {

/// Throws ParameterError if the game is over or none searches it, and std::bad_alloc. The state must live as long as
/// the solver does.
std::unique_ptr<Solver> new_solver(const AnyState& state, std::size_t memory_mb);

}  // namespace quincunx
