#include "quincunx/solve/impedio.hpp"
#include "solvers.hpp"

namespace quincunx {

std::unique_ptr<Solver> new_impedio_solver(const AnyState& state, std::size_t memory_mb) {
    const auto make = [&]<int N>(const Impedio<N>& root, const auto&) -> std::unique_ptr<Solver> {
        return std::make_unique<GameSolver<ImpedioSolving<N>>>(ImpedioSolving<N>(root), root.without_limits(),
                                                               memory_mb);
    };
    return solver_by_type<Impedio<2>, Impedio<3>, Impedio<4>, Impedio<5>, Impedio<6>, Impedio<7>, Impedio<8>>(state,
                                                                                                              make);
}

}  // namespace quincunx
