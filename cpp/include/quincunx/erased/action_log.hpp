// ActionLog: what has been played in the rows of a batch, as far back as their games go.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "quincunx/games/state.hpp"

namespace quincunx {

/// A ring of steps with an action for every row, so that a step is written as one stream; it holds as many steps as the
/// longest game that still runs, and each row knows where its game begins.
class ActionLog {
public:
    static constexpr std::size_t first_capacity = 16;

    explicit ActionLog(int rows) : begins_(static_cast<std::size_t>(rows)), actions_(first_capacity * begins_.size()) {}

    /// The game of a row begins with the next step.
    void begin(int row) { begins_[static_cast<std::size_t>(row)] = steps_; }

    /// Adds a step; ids fit, as Node in search/tree.hpp knows too. Throws std::bad_alloc, and is as before then.
    void add(std::span<const std::int64_t> actions) {
        if (steps_ - oldest_ == capacity()) {
            oldest_ = *std::min_element(begins_.begin(), begins_.end());
            if (steps_ - oldest_ == capacity()) grow();
        }
        std::transform(actions.begin(), actions.end(), &actions_[place(steps_++, capacity())],
                       [](std::int64_t action) { return static_cast<std::uint16_t>(action); });
    }

    /// The actions of a row since its game began.
    std::vector<Action> past(int row) const {
        const auto i = static_cast<std::size_t>(row);
        std::vector<Action> past;
        for (auto step = begins_[i]; step < steps_; ++step) past.push_back(actions_[place(step, capacity()) + i]);
        return past;
    }

private:
    void grow() {
        std::vector<std::uint16_t> larger(2 * actions_.size());
        for (auto step = oldest_; step < steps_; ++step) {
            std::copy_n(&actions_[place(step, capacity())], begins_.size(), &larger[place(step, 2 * capacity())]);
        }
        actions_ = std::move(larger);
    }
    std::size_t capacity() const { return actions_.size() / begins_.size(); }
    std::size_t place(std::uint64_t step, std::size_t capacity) const {
        return static_cast<std::size_t>(step % capacity) * begins_.size();
    }

    std::vector<std::uint64_t> begins_;
    std::vector<std::uint16_t> actions_;    // step by step, a number a row
    std::uint64_t steps_ = 0, oldest_ = 0;  // all steps so far; the first that is kept
};

}  // namespace quincunx
