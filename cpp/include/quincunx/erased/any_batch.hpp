// AnyBatch: many games of one kind side by side, all stepped by one call, behind one face.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "quincunx/base/rng.hpp"
#include "quincunx/erased/action_log.hpp"
#include "quincunx/erased/any_state.hpp"
#include "quincunx/search/cancel.hpp"

namespace quincunx {

/// Memory that is at first of any content, aligned as vector instructions and other libraries like it. A large one asks
/// the system for large pages: a step goes through all of it.
class Memory {
public:
    /// Throws std::bad_alloc.
    explicit Memory(std::size_t bytes);
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    ~Memory() { ::operator delete(data_, alignment_); }
    void* data() const { return data_; }

private:
    std::align_val_t alignment_;
    void* data_;
};

template <class T>
class Buffer {
public:
    explicit Buffer(std::size_t size) : memory_(size * sizeof(T)) {}
    T* data() const { return static_cast<T*>(memory_.data()); }

private:
    Memory memory_;
};

/// A row is a game. One that ends starts again at once, so that every row always has a player to move.
///
/// One call at a time: throws std::logic_error for a second one meanwhile, and, if a step or reset was cut short so
/// that some rows have made it and some have not, for all calls but a reset of all rows.
class AnyBatch {
public:
    AnyBatch(const AnyBatch&) = delete;
    AnyBatch& operator=(const AnyBatch&) = delete;
    virtual ~AnyBatch() = default;

    const AnyGame& game() const { return *game_; }
    int rows() const { return rows_; }
    std::uint64_t seed() const { return seed_; }
    int threads() const { return threads_; }

    // What is seen of the rows, one after the other; a step writes all of it anew.
    /// What the player to move sees: observation_shape() a row.
    float* observations() const { return observations_.data(); }
    /// num_distinct_actions() bytes a row, 1 for a legal action.
    std::uint8_t* masks() const { return masks_.data(); }
    std::int32_t* players() const { return players_.data(); }
    /// What the last step earned, two numbers a row, for players 0 and 1.
    float* rewards() const { return rewards_.data(); }
    /// Whether the last step ended the game of the row, a byte each.
    std::uint8_t* dones() const { return dones_.data(); }

    /// Plays an action in every row. Throws IllegalActionError for the first row with an illegal one, ParameterError
    /// for the first with an id out of range; no row changes then.
    void step(std::span<const std::int64_t> actions, Cancel& cancel);
    /// Starts all games again, or those of some rows, in range; no rewards, nothing done.
    void reset(Cancel& cancel);
    void reset(std::span<const int> rows, Cancel& cancel);
    /// Draws a legal action for every row, each with the same probability. Row i draws as game i of `playouts` with
    /// the same seed does.
    void random_actions(std::span<std::int64_t> actions, Cancel& cancel);
    /// The state of a row with its past.
    StateRef state(int row) const;

protected:
    AnyBatch(GameRef game, int rows, std::uint64_t seed, int threads, std::size_t bytes_a_row);

    /// Call it at the end of a constructor.
    void show_rows(Cancel& cancel);

    // For the rows first … last−1.
    /// The first row whose action is illegal; last if there is none.
    virtual int first_illegal(const std::int64_t* actions, int first, int last) const = 0;
    virtual void step_rows(const std::int64_t* actions, int first, int last) = 0;
    virtual void start_rows(int first, int last) = 0;
    virtual void draw_rows(std::int64_t* actions, int first, int last) = 0;

    std::span<float> observation(int row) const {
        return {observations() + static_cast<std::size_t>(row) * observation_size_, observation_size_};
    }
    std::span<std::uint8_t> mask(int row) const {
        return {masks() + static_cast<std::size_t>(row) * num_actions_, num_actions_};
    }
    void set_result(int row, Outcome outcome) const {
        const auto i = static_cast<std::size_t>(row);
        rewards()[2 * i] = static_cast<float>(player_return(outcome, 0));
        rewards()[2 * i + 1] = static_cast<float>(player_return(outcome, 1));
        dones()[i] = outcome != Outcome::running;
    }
    /// Call it for every row that starts.
    void begin(int row) { log_.begin(row); }
    Rng& rng(int row) { return rngs_[static_cast<std::size_t>(row)]; }

private:
    class Busy;

    template <class Work>
    void for_blocks(Cancel& cancel, const Work& work);
    template <class Work>
    void change_rows(Cancel& cancel, const Work& work);
    [[noreturn]] void refuse(int row, std::int64_t action) const;
    StateRef state_of(int row) const;

    const GameRef game_;
    const int rows_;
    const std::uint64_t seed_;
    const int threads_;
    const std::size_t observation_size_, num_actions_;
    const Buffer<float> observations_;
    const Buffer<std::uint8_t> masks_;
    const Buffer<std::int32_t> players_;
    const Buffer<float> rewards_;
    const Buffer<std::uint8_t> dones_;
    ActionLog log_;
    std::vector<Rng> rngs_;
    bool cut_short_ = false;
    mutable std::atomic<bool> busy_{false};
};

}  // namespace quincunx
