// BatchModel: makes an AnyBatch from a type that models State.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "quincunx/base/inline.hpp"
#include "quincunx/base/prefetch.hpp"
#include "quincunx/erased/any_batch.hpp"
#include "quincunx/search/trail.hpp"

namespace quincunx {

/// What a row remembers of its legal actions, from their mask to the next action.
template <State S>
struct LegalActions {
    void write_mask(const S& state, std::span<std::uint8_t> mask) { write_legal_mask(state, mask); }
    bool has(const S& state, Action action) const { return state.is_legal(action); }
    Action draw(const S& state, Rng& rng) const { return state.random_action(rng); }
};

template <Finding S>
struct LegalActions<S> {
    void write_mask(const S& state, std::span<std::uint8_t> mask) {
        found = state.find_legal();
        state.write_legal_mask(found, mask);
    }
    bool has(const S& state, Action action) const { return state.is_legal(found, action); }
    Action draw(const S& state, Rng& rng) const { return state.random_action(found, rng); }

    typename S::Found found;
};

template <State S>
class BatchModel final : public AnyBatch {
public:
    /// `start` must be running.
    BatchModel(GameRef game, const S& start, int rows, std::uint64_t seed, int threads, Cancel& cancel)
        : AnyBatch(std::move(game), rows, seed, threads, sizeof(Row)), start_(start) {
        games_.reserve(static_cast<std::size_t>(rows));
        for (int row = 0; row < rows; ++row) {
            games_.push_back({start, {}, Trail<S>(start)});
            if (row % 4096 == 0 && cancel.poll()) throw Cancelled();
        }
        show_rows(cancel);
    }

private:
    static constexpr int ahead = 2;

    struct Row {
        S state;
        LegalActions<S> legal;
        Trail<S> trail;  // of the games of the row in turn, which have the same start
    };

    int first_illegal(const std::int64_t* actions, int first, int last) const override {
        const std::int64_t count = game().num_distinct_actions();
        for (int row = first; row < last; ++row) {
            const auto& [state, legal, trail] = at(row);
            const std::int64_t action = actions[row];
            if (action < 0 || action >= count || !legal.has(state, static_cast<Action>(action))) return row;
        }
        return last;
    }

    void step_rows(const std::int64_t* actions, int first, int last) override {
        for (int row = first; row < last; ++row) {
            auto& [state, legal, trail] = at(row);
            trail.advance(state, static_cast<Action>(actions[row]));
            set_result(row, state.outcome());
            if (state.outcome() != Outcome::running) start(row);
        }
        show(first, last);
    }

    void start_rows(int first, int last) override {
        for (int row = first; row < last; ++row) {
            start(row);
            set_result(row, Outcome::running);
        }
        show(first, last);
    }

    void draw_rows(std::int64_t* actions, int first, int last) override {
        for (int row = first; row < last; ++row) actions[row] = at(row).legal.draw(at(row).state, rng(row));
    }

    void start(int row) {
        at(row).state = start_;
        begin(row);
    }

    /// The memory of a later row is asked for: else most of the time is spent waiting for it. While an observation is
    /// on its way there, legal actions are looked for.
    QUINCUNX_FLATTEN void show(int first, int last) {
        for (int row = first; row < last; ++row) {
            if (row + ahead < last) {
                prefetch(observation(row + ahead));
                prefetch(mask(row + ahead));
            }
            auto& [state, legal, trail] = at(row);
            players()[row] = state.current_player();
            state.observe(state.current_player(), observation(row));
            legal.write_mask(state, mask(row));
        }
    }

    Row& at(int row) { return games_[static_cast<std::size_t>(row)]; }
    const Row& at(int row) const { return games_[static_cast<std::size_t>(row)]; }

    const S start_;
    std::vector<Row> games_;
};

}  // namespace quincunx
