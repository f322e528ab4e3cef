// One maker of solvers a game, and how it finds the type that plays a state.
#pragma once

#include <cstddef>
#include <memory>

#include "quincunx/erased/model.hpp"
#include "quincunx/solve/game_solver.hpp"

namespace quincunx {

std::unique_ptr<Solver> new_unmergo_solver(const AnyState& state, std::size_t memory_mb);
std::unique_ptr<Solver> new_unane_solver(const AnyState& state, std::size_t memory_mb);
std::unique_ptr<Solver> new_impedio_solver(const AnyState& state, std::size_t memory_mb);
std::unique_ptr<Solver> new_meigo_solver(const AnyState& state, std::size_t memory_mb);

/// Calls make(value, rules) if the state is one of type S, else tries the other types.
template <class S, class... Others, class Make>
std::unique_ptr<Solver> solver_by_type(const AnyState& state, const Make& make) {
    if (const auto* model = dynamic_cast<const StateModel<S>*>(&state)) return make(model->value(), model->rules());
    if constexpr (sizeof...(Others) == 0) {
        return nullptr;
    } else {
        return solver_by_type<Others...>(state, make);
    }
}

}  // namespace quincunx
