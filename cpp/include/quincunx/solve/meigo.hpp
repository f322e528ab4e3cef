// What a solver has to know of Meigo: play can go on for ever, and the prison can fill without end. Two facts, proved
// in docs/solved.md, leave finitely many positions: who can force a win depends on the difference of the prisoners
// alone, and with enough of them a player wins by holding until the other has no turn left.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "quincunx/games/meigo.hpp"
#include "quincunx/solve/picture.hpp"

namespace quincunx {

template <class Board>
class MeigoSolving {
public:
    using State = Meigo<Board>;
    static constexpr int words = Board::words;
    using Seen = Picture<words>;
    static constexpr bool cyclic = true, draws = true, exact_distances = false;

    explicit MeigoSolving(const typename State::Rules& rules)
        : code(rules.grid().cells(), 3, lead_at + lead_bits, rules.grid().symmetries()),
          rules_(std::make_unique<const typename State::Rules>(
              rules.grid().width(), rules.grid().height(),
              MeigoOptions{.auction = rules.auction, .friendly_reach = rules.friendly_reach, .max_plies = 0})) {}

    const PictureCode<words> code;

    /// The same position in a game without limits on plies and repetitions.
    State unlimited(const State& state) const { return State::of(*rules_, state.whole()); }

    /// The stones of the mover, of the other, and those that are marked.
    Seen picture(const State& state) const {
        const auto all = state.whole();
        Seen seen;
        seen.sets = {all.stones[all.colour], all.stones[1 - all.colour], all.marked[0] | all.marked[1]};
        // Beyond this many a lead in prisoners makes no difference.
        const int enough = 4 * rules_->grid().cells();
        const int lead = std::clamp(all.prison[1 - all.colour] - all.prison[all.colour], -enough, enough);
        seen.rest = static_cast<std::uint64_t>(all.last_stone) | static_cast<std::uint64_t>(all.first_turns) << 2 |
                    static_cast<std::uint64_t>(all.auction) << 4 |
                    static_cast<std::uint64_t>(lead + lead_zero) << lead_at;
        return seen;
    }
    /// With Black to move, unless only White's first turn is to come.
    State state(const Seen& seen) const {
        typename State::Whole all;
        all.last_stone = static_cast<typename State::Last>(seen.rest & 3);
        all.first_turns = static_cast<typename State::First>(seen.rest >> 2 & 3);
        all.auction = static_cast<typename State::Auction>(seen.rest >> 4 & 3);
        all.colour = all.first_turns == State::First::white ? 1 : 0;
        for (std::size_t side = 0; side < 2; ++side) {
            const auto colour = static_cast<std::size_t>(all.colour) ^ side;
            all.stones[colour] = seen.sets[side];
            all.marked[colour] = seen.sets[side] & seen.sets[2];
        }
        const int lead = static_cast<int>(seen.rest >> lead_at) - lead_zero;
        // A player holds with prisoners of the other colour.
        all.prison[1 - all.colour] = std::max(lead, 0);
        all.prison[all.colour] = std::max(-lead, 0);
        return State::of(*rules_, all);
    }

    std::optional<State> checked_state(const Seen& seen) const {
        const bool known = (seen.rest & 3) <= 2 && (seen.rest >> 2 & 3) <= 2 && (seen.rest >> 4 & 3) <= 2;
        if (!known || (seen.sets[0] & seen.sets[1]).any() || (seen.sets[2] & ~(seen.sets[0] | seen.sets[1])).any()) {
            return std::nullopt;
        }
        return state(seen);
    }

    Outcome outcome(const State& state) const {
        if (state.outcome() != Outcome::running) return state.outcome();
        const auto all = state.whole();
        if (all.first_turns != State::First::none) return Outcome::running;
        // Of a player who faces nothing but holds: each play fills an empty point, each capture gives one and a hold.
        const int empty = rules_->grid().cells() - (all.stones[0] | all.stones[1]).count();
        const auto most_turns = [&](int colour) {
            return empty + 2 * all.stones[1 - colour].count() + all.prison[1 - colour];
        };
        const int player = state.current_player(), mover = all.colour, other = 1 - all.colour;
        if (all.prison[other] > most_turns(other)) return win_for(player);
        if (all.prison[mover] >= most_turns(mover)) return win_for(1 - player);
        return Outcome::running;
    }
    static void simplify(State& state) { state.cancel_prisoners(); }

    /// The more prisoners of the other colour, the better.
    static int promise(const State& state, int player) {
        const auto all = state.whole();
        const int mine = state.current_player() == player ? all.colour : 1 - all.colour;
        return all.prison[1 - mine] - all.prison[mine];
    }

private:
    static constexpr int lead_at = 6, lead_bits = 12, lead_zero = 1 << (lead_bits - 1);

    std::unique_ptr<const typename State::Rules> rules_;
};

}  // namespace quincunx
