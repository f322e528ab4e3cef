// Cancel: how a long call is stopped from outside, for one or many threads.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <utility>

namespace quincunx {

/// Thrown out of a long call that was asked to stop.
class Cancelled {};

class Cancel {
public:
    /// `asked` is called from time to time, on the calling thread only; true stops the work.
    explicit Cancel(std::function<bool()> asked = {}) : asked_(std::move(asked)) {}

    /// For any thread: cheap.
    bool requested() const { return requested_.load(std::memory_order_relaxed); }
    void request() { requested_.store(true, std::memory_order_relaxed); }

    /// For the calling thread: asks at most every 20 ms.
    bool poll() {
        if (asked_ && --countdown_ <= 0) {
            countdown_ = calls_between_clocks;
            const auto now = Clock::now();
            if (now >= next_) {
                next_ = now + std::chrono::milliseconds(20);
                if (asked_()) request();
            }
        }
        return requested();
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr int calls_between_clocks = 16;
    std::atomic<bool> requested_{false};
    std::function<bool()> asked_;
    int countdown_ = calls_between_clocks;
    Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(20);
};

}  // namespace quincunx
