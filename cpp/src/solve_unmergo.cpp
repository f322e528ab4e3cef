#include "quincunx/solve/unmergo.hpp"
#include "solvers.hpp"

namespace quincunx {

std::unique_ptr<Solver> new_unmergo_solver(const AnyState& state, std::size_t memory_mb) {
    const auto make = [&]<int N>(const Unmergo<N>& root, const auto& rules) -> std::unique_ptr<Solver> {
        return std::make_unique<GameSolver<UnmergoSolving<N>>>(UnmergoSolving<N>(rules), root, memory_mb);
    };
    return solver_by_type<Unmergo<2>, Unmergo<3>, Unmergo<4>, Unmergo<5>, Unmergo<6>, Unmergo<7>, Unmergo<8>>(state,
                                                                                                              make);
}

}  // namespace quincunx
