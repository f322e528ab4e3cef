// Trail: the line of play behind a state, as far as a repetition rule needs it; how search and playouts advance a
// state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quincunx/games/state.hpp"

namespace quincunx {

/// For games without a repetition rule nothing is kept.
template <State S>
class Trail {
public:
    explicit Trail(const S&) {}
    void advance(S& state, Action action) { state.apply(action); }
};

/// Keys are stored by ply, so going back in a search needs no undo: deeper plies are written over.
template <Repeating S>
class Trail<S> {
public:
    /// A trail that starts at `state`; positions before it are added with `recall`.
    explicit Trail(const S& state)
        : first_ply_(state.ply() - state.reversible_plies()),
          keys_(static_cast<std::size_t>(state.reversible_plies()) + 1) {
        keys_.back() = state.repetition_key();
    }

    /// Notes an earlier position of the same game, if the rule can still need it; false if not.
    bool recall(const S& earlier) {
        if (earlier.ply() < first_ply_) return false;
        keys_[static_cast<std::size_t>(earlier.ply() - first_ply_)] = earlier.repetition_key();
        return true;
    }

    void advance(S& state, Action action) {
        state.apply(action);
        const int limit = state.repetition_limit();
        if (limit == 0) return;
        const auto at = static_cast<std::size_t>(state.ply() - first_ply_);
        if (at >= keys_.size()) keys_.resize(2 * at + 1);
        const auto key = keys_[at] = state.repetition_key();
        if (state.outcome() != Outcome::running) return;
        // The same player is to move every second ply.
        int occurrences = 1;
        for (int back = 2; back <= state.reversible_plies(); back += 2) {
            if (keys_[at - static_cast<std::size_t>(back)] == key && ++occurrences == limit) {
                state.end_by_repetition();
                return;
            }
        }
    }

private:
    int first_ply_;
    std::vector<std::uint64_t> keys_;
};

}  // namespace quincunx
