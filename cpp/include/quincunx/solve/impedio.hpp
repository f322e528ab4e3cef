// What a solver has to know of Impedio: play can go on for ever.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "quincunx/games/impedio.hpp"
#include "quincunx/solve/picture.hpp"

namespace quincunx {

template <int N>
class ImpedioSolving {
public:
    using State = Impedio<N>;
    using Board = HexHex<N>;
    static constexpr int words = words_for(Board::cells);
    using Seen = Picture<words>;
    static constexpr bool cyclic = true, draws = true, exact_distances = true;

    /// For all positions that can follow a state: the pieces of each side stay as many.
    explicit ImpedioSolving(const State& root)
        : pieces_(pieces_of(root)),
          heights_(std::bit_width(std::max(pieces_[0], pieces_[1]))),
          code(Board::cells, 2 + heights_, 0, Board::symmetries()) {}

private:
    std::array<unsigned, 2> pieces_;  // of each side
    int heights_;                     // the bits of the height of a stack

    static std::array<unsigned, 2> pieces_of(const State& state) {
        std::array<unsigned, 2> pieces{};
        state.each_piece([&](int owner, int, std::uint64_t height) {
            pieces[static_cast<std::size_t>(owner)] += static_cast<unsigned>(height);
        });
        return pieces;
    }

public:
    const PictureCode<words> code;

    /// The stacks of the mover and of the other, then one set for each bit of the heights.
    Seen picture(const State& state) const {
        Seen seen;
        const int mover = state.current_player();
        state.each_piece([&](int owner, int cell, std::uint64_t height) {
            seen.sets[owner == mover ? 0 : 1].set(cell);
            for (std::size_t bit = 2; height != 0; ++bit, height >>= 1) {
                if (height & 1) seen.sets[bit].set(cell);
            }
        });
        return seen;
    }
    /// With White to move, without limits on plies and repetitions.
    State state(const Seen& seen) const {
        typename State::Stacks stacks;
        for (int owner = 0; owner < 2; ++owner) {
            seen.sets[static_cast<std::size_t>(owner)].each([&](int cell) {
                int height = 0;
                for (int bit = 0; bit < heights_; ++bit) {
                    height |= int{seen.sets[static_cast<std::size_t>(2 + bit)].test(cell)} << bit;
                }
                stacks.put(owner, cell, height);
            });
        }
        return State::without_limits(stacks);
    }
    std::optional<State> checked_state(const Seen& seen) const {
        if ((seen.sets[0] & seen.sets[1]).any()) return std::nullopt;
        auto tall = typename Board::Set{};
        for (std::size_t bit = 2; bit < most_sets; ++bit) tall |= seen.sets[bit];
        if (tall != (seen.sets[0] | seen.sets[1])) return std::nullopt;
        try {
            const State found = state(seen);
            const auto [first, second] = pieces_of(found);
            // Either side may be the mover.
            const bool same = std::array{first, second} == pieces_ || std::array{second, first} == pieces_;
            return same ? std::optional(found) : std::nullopt;
        } catch (const PositionError&) {
            return std::nullopt;
        }
    }
    static Outcome outcome(const State& state) { return state.outcome(); }
    static void simplify(State&) {}

    /// The more cells are occupied, the better.
    int promise(const State& state, int player) const {
        const auto seen = picture(state);
        const int mine = state.current_player() == player ? 0 : 1;
        return seen.sets[mine].count() - seen.sets[1 - mine].count();
    }
};

}  // namespace quincunx
