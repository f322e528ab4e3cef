// Solver: what a search for the exact value of a position promises, whatever the game.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "quincunx/games/state.hpp"
#include "quincunx/search/cancel.hpp"

namespace quincunx {

/// How far a solver has come.
struct SolveProgress {
    std::uint64_t nodes = 0;      // positions searched or listed, over all runs
    std::uint64_t positions = 0;  // listed: all that can follow
    int depth = 0;                // plies up to which wins are being looked for; 0: no bound
};

/// What is certain of a position, for the player to move, with play by the letter of the rules.
struct Solution {
    int low = -1, high = 1;       // bounds on the value; equal if it is known
    std::optional<int> distance;  // plies to the end, the winner hurrying and the loser delaying, where that is known
    std::vector<Action> line;     // actions of best play for both sides, as far as they are known
    bool out_of_memory = false;   // the end came by the bound on memory, not by that on time
    bool by_holding = false;      // the line ends where one side wins by nothing but holds (Meigo)
    SolveProgress progress;
};

/// Watches over a search: whether it may go on, and that somebody hears of it.
class SolveWatch {
public:
    /// Thrown when the time is over, or so many nodes are searched as `most_nodes` says.
    class TimeOver {};
    class NodesOver {};
    using Report = std::function<void(const SolveProgress&)>;

    SolveWatch(std::optional<double> seconds, Cancel& cancel, Report report);

    bool has_end() const { return end_.has_value(); }

    std::uint64_t most_nodes = std::numeric_limits<std::uint64_t>::max();

    /// To be called once a node: throws TimeOver, NodesOver, Cancelled, or what the report throws.
    void look(const SolveProgress& progress) {
        if (--calls_left_ <= 0) look_now(progress);
    }

private:
    using Clock = std::chrono::steady_clock;
    void look_now(const SolveProgress& progress);

    Cancel& cancel_;
    Report report_;
    std::optional<Clock::time_point> end_;
    Clock::time_point next_report_;
    int calls_left_ = 0;
};

/// Takes the next piece of what is written.
using Write = std::function<void(std::string_view)>;

class Solver {
public:
    virtual ~Solver() = default;
    /// Searches until the value is known or the time or the memory is used up. May be called again to go on; also
    /// after an exception, which leaves all that is known. Throws Cancelled and what a report throws.
    virtual Solution run(std::optional<double> seconds, Cancel& cancel, const SolveWatch::Report& report) = 0;
    /// What is known until now; may be called from within a report.
    virtual Solution so_far() const = 0;
    /// Writes what is worth keeping of that, piece by piece, so that it takes no memory; may be called from within a
    /// report. Throws what `write` throws.
    virtual void save(const Write& write) const = 0;
    /// Takes over what was saved of the same position and game. Throws ParameterError if it does not fit, and
    /// Cancelled; then it is to be used no more.
    virtual void load(std::string_view saved, Cancel& cancel) = 0;
};

}  // namespace quincunx
