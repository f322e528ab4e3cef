#include "quincunx/solve/meigo.hpp"
#include "solvers.hpp"

namespace quincunx {

std::unique_ptr<Solver> new_meigo_solver(const AnyState& state, std::size_t memory_mb) {
    constexpr auto letters = Columns::skip_i;
    const auto make = [&]<class Board>(const Meigo<Board>& root, const auto& rules) -> std::unique_ptr<Solver> {
        MeigoSolving<Board> solving(rules);
        const auto start = solving.unlimited(root);
        return std::make_unique<GameSolver<MeigoSolving<Board>>>(std::move(solving), start, memory_mb);
    };
    return solver_by_type<Meigo<FixedGrid<9, 9, letters>>, Meigo<FixedGrid<19, 19, letters>>,
                          Meigo<AnyGrid<1, letters>>, Meigo<AnyGrid<2, letters>>, Meigo<AnyGrid<4, letters>>,
                          Meigo<AnyGrid<6, letters>>>(state, make);
}

}  // namespace quincunx
