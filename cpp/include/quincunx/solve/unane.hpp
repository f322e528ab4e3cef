// What a solver has to know of Unane: every ply but the swap takes a stone off, so games end, and somebody wins.
#pragma once

#include "quincunx/games/unane.hpp"
#include "quincunx/solve/picture.hpp"

namespace quincunx {

template <class Board>
class UnaneSolving {
public:
    using State = Unane<Board>;
    static constexpr int words = Board::words;
    using Seen = Picture<words>;
    static constexpr bool cyclic = false, draws = false, exact_distances = false;

    explicit UnaneSolving(const typename State::Rules& rules)
        : code(rules.grid().cells(), 2, 2, rules.point_maps()), rules_(&rules) {}

    const PictureCode<words> code;

    /// The stones of the mover and of the other. Colours matter only as long as there may be a swap: then the board is
    /// full, and Black to move, or all but full.
    Seen picture(const State& state) const {
        Seen seen;
        const int mover = state.colour_to_move();
        state.each_piece([&](int colour, int cell, std::uint64_t) { seen.sets[colour == mover ? 0 : 1].set(cell); });
        seen.rest = state.may_swap() ? 1 : state.swap_is_coming() ? 2 : 0;
        return seen;
    }
    static Outcome outcome(const State& state) { return state.outcome(); }
    static void simplify(State&) {}

    /// The fewer groups of one's own, the better, and the more of the other's.
    int promise(const State& state, int player) const {
        const auto seen = picture(state);
        const int mine = state.current_player() == player ? 0 : 1;
        return groups(seen.sets[1 - mine]) - groups(seen.sets[mine]);
    }

private:
    int groups(typename State::Set stones) const {
        int count = 0;
        for (; stones.any(); ++count) {
            auto group = State::Set::of(stones.lowest());
            for (;;) {
                const auto grown = group | (rules_->grid().adjacent(group) & stones);
                if (grown == group) break;
                group = grown;
            }
            stones &= ~group;
        }
        return count;
    }

    const typename State::Rules* rules_;
};

}  // namespace quincunx
