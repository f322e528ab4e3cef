// What a solver has to know of Unmergo: every turn but a pass adds a stone, so games end.
#pragma once

#include "quincunx/games/unmergo.hpp"
#include "quincunx/solve/picture.hpp"

namespace quincunx {

template <int N>
class UnmergoSolving {
public:
    using State = Unmergo<N>;
    using Board = HexHex<N>;
    static constexpr int words = words_for(Board::cells);
    using Seen = Picture<words>;
    static constexpr bool cyclic = false, draws = true, exact_distances = false;

    explicit UnmergoSolving(const typename State::Rules& rules) : code(Board::cells, 2, 1, rules.point_maps()) {}

    const PictureCode<words> code;

    /// The stones of the mover and of the other, and whether an enemy stone is to be moved.
    static Seen picture(const State& state) {
        Seen seen;
        const int mover = state.current_player();
        state.each_piece([&](int player, int cell, std::uint64_t) { seen.sets[player == mover ? 0 : 1].set(cell); });
        seen.rest = state.in_turn();
        return seen;
    }
    static Outcome outcome(const State& state) { return state.outcome(); }
    static void simplify(State&) {}

    /// The more groups, the better, and the more empty cells apart from them, where new groups can be.
    static int promise(const State& state, int player) {
        const auto seen = picture(state);
        const auto empty = Board::all & ~(seen.sets[0] | seen.sets[1]);
        const auto worth = [&](typename Board::Set stones) {
            const int apart = (empty & ~Board::adjacent(stones)).count();
            int groups = 0;
            for (; stones.any(); ++groups) stones &= ~Board::group(stones.lowest(), stones);
            return 4 * groups + 3 * apart;
        };
        const int mine = state.current_player() == player ? 0 : 1;
        return worth(seen.sets[mine]) - worth(seen.sets[1 - mine]);
    }
};

}  // namespace quincunx
