#include "quincunx/erased/any_solver.hpp"

#include <string_view>

#include "solvers.hpp"

namespace quincunx {

namespace {

struct Maker {
    std::string_view game;
    std::unique_ptr<Solver> (*make)(const AnyState&, std::size_t);
};

constexpr Maker makers[] = {
    {"impedio", new_impedio_solver},
    {"meigo", new_meigo_solver},
    {"unane", new_unane_solver},
    {"unmergo", new_unmergo_solver},
};

}  // namespace

std::unique_ptr<Solver> new_solver(const AnyState& state, std::size_t memory_mb) {
    if (state.is_terminal()) throw ParameterError("the game is over: there is nothing to solve");
    for (const auto& [game, make] : makers) {
        if (state.game().name() == game) return make(state, memory_mb);
    }
    throw ParameterError("there is no solver of " + state.game().name() + " by search");
}

}  // namespace quincunx
