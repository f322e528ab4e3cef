#include "quincunx/solve/unane.hpp"
#include "solvers.hpp"

namespace quincunx {

std::unique_ptr<Solver> new_unane_solver(const AnyState& state, std::size_t memory_mb) {
    const auto make = [&]<class Board>(const Unane<Board>& root, const auto& rules) -> std::unique_ptr<Solver> {
        return std::make_unique<GameSolver<UnaneSolving<Board>>>(UnaneSolving<Board>(rules), root, memory_mb);
    };
    return solver_by_type<Unane<FixedGrid<8, 8>>, Unane<AnyGrid<1>>, Unane<AnyGrid<2>>, Unane<AnyGrid<4>>>(state, make);
}

}  // namespace quincunx
