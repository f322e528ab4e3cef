// Runs numbered jobs on several threads; the calling thread is one of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "quincunx/search/cancel.hpp"

namespace quincunx {

/// Calls `job(index, thread)` once for every index below `count`, in any order. Threads are numbered from 0, the
/// calling thread, which alone may poll for a request to stop. Throws what a job threw, or Cancelled.
template <class Job>
void parallel_for(int count, int threads, Cancel& cancel, const Job& job) {
    std::atomic<int> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&](int thread) {
        try {
            for (int i; !cancel.requested() && (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
                job(i, thread);
                if (thread == 0) cancel.poll();
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            cancel.request();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (int t = 1; t < std::min(threads, count); ++t) helpers.emplace_back(work, t);
        work(0);
        // The caller may run out of jobs while a helper still works on a long one.
        for (auto& helper : helpers) helper.join();
    }
    if (failure) std::rethrow_exception(failure);
    if (cancel.requested()) throw Cancelled();
}

}  // namespace quincunx
