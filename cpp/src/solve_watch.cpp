#include <algorithm>
#include <utility>

#include "quincunx/solve/solver.hpp"

namespace quincunx {

namespace {

constexpr auto report_every = std::chrono::milliseconds(200);
constexpr int calls_between_looks = 64;
/// Seconds beyond which a clock would overflow.
constexpr double for_ever = 1e9;

}  // namespace

SolveWatch::SolveWatch(std::optional<double> seconds, Cancel& cancel, Report report)
    : cancel_(cancel), report_(std::move(report)), next_report_(Clock::now() + report_every) {
    if (!seconds) return;
    end_ = Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(*seconds, for_ever)));
}

void SolveWatch::look_now(const SolveProgress& progress) {
    calls_left_ = calls_between_looks;
    if (cancel_.poll()) throw Cancelled();
    if (progress.nodes > most_nodes) throw NodesOver();
    const auto now = Clock::now();
    if (end_ && now >= *end_) throw TimeOver();
    if (report_ && now >= next_report_) {
        report_(progress);
        next_report_ = Clock::now() + report_every;
    }
}

}  // namespace quincunx
