#include "quincunx/erased/any_batch.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "quincunx/search/parallel.hpp"

namespace quincunx {

namespace {

/// Few enough rows that a request to stop is heard soon and threads get equal shares, enough that handing out is cheap.
constexpr int block = 256;

constexpr std::size_t large_page = std::size_t{2} << 20;

/// Memory that can be had without swapping, as far as the system tells: Linux does.
std::size_t available_memory() {
    std::size_t available = std::numeric_limits<std::size_t>::max();
    std::ifstream machine("/proc/meminfo");
    for (std::string name; machine >> name;) {
        if (std::size_t kilobytes; name == "MemAvailable:" && machine >> kilobytes) available = 1024 * kilobytes;
    }
    std::ifstream container("/sys/fs/cgroup/memory.max");
    if (std::size_t limit; container >> limit) available = std::min(available, limit);
    return available;
}

std::string gigabytes(std::size_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f GB", static_cast<double>(bytes) / 1e9);
    return text;
}

std::size_t product(const std::vector<int>& shape) {
    return static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>()));
}

/// The number of rows, if there is room for them.
int checked_rows(const AnyGame& game, int rows, std::size_t bytes_a_row) {
    bytes_a_row += product(game.observation_shape()) * sizeof(float) +
                   static_cast<std::size_t>(game.num_distinct_actions()) + sizeof(std::int32_t) + 2 * sizeof(float) +
                   1 + ActionLog::first_capacity * sizeof(std::uint16_t) + sizeof(std::uint64_t) + sizeof(Rng);
    const auto bytes = static_cast<std::size_t>(rows) * bytes_a_row, available = available_memory();
    if (bytes > available) {
        throw ParameterError("n is too large: " + std::to_string(rows) + " rows of " + game.name() + " take " +
                             gigabytes(bytes) + ", and " + gigabytes(available) + " of memory are free");
    }
    return rows;
}

}  // namespace

Memory::Memory(std::size_t bytes) : alignment_(std::align_val_t{64}) {
    // A page is not worth while for less than half of it.
    const bool large = bytes >= large_page / 2;
    if (large) {
        alignment_ = std::align_val_t{large_page};
        bytes = (bytes + large_page - 1) / large_page * large_page;
    }
    data_ = ::operator new(bytes, alignment_);
#if defined(__linux__)
    if (large) madvise(data_, bytes, MADV_HUGEPAGE);  // no harm done if the system has none
#endif
}

class AnyBatch::Busy {
public:
    explicit Busy(const AnyBatch& batch) : batch_(batch) {
        if (batch_.busy_.exchange(true)) throw std::logic_error("this batch is being stepped already");
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { batch_.busy_ = false; }

    void refuse_if_cut_short() const {
        if (batch_.cut_short_) {
            throw std::logic_error("a step of this batch was cut short, so that its rows differ: reset it first");
        }
    }

private:
    const AnyBatch& batch_;
};

AnyBatch::AnyBatch(GameRef game, int rows, std::uint64_t seed, int threads, std::size_t bytes_a_row)
    : game_(std::move(game)),
      rows_(checked_rows(*game_, rows, bytes_a_row)),
      seed_(seed),
      threads_(threads),
      observation_size_(product(game_->observation_shape())),
      num_actions_(static_cast<std::size_t>(game_->num_distinct_actions())),
      observations_(static_cast<std::size_t>(rows) * observation_size_),
      masks_(static_cast<std::size_t>(rows) * num_actions_),
      players_(static_cast<std::size_t>(rows)),
      rewards_(2 * static_cast<std::size_t>(rows)),
      dones_(static_cast<std::size_t>(rows)),
      log_(rows) {
    rngs_.reserve(static_cast<std::size_t>(rows));
    for (int row = 0; row < rows; ++row) rngs_.emplace_back(seed, static_cast<std::uint64_t>(row));
}

template <class Work>
void AnyBatch::for_blocks(Cancel& cancel, const Work& work) {
    parallel_for((rows_ + block - 1) / block, threads_, cancel,
                 [&](int i, int) { work(i * block, std::min(rows_, (i + 1) * block)); });
}

/// For work after which a row is not what it was.
template <class Work>
void AnyBatch::change_rows(Cancel& cancel, const Work& work) {
    cut_short_ = true;
    for_blocks(cancel, work);
    cut_short_ = false;
}

void AnyBatch::refuse(int row, std::int64_t action) const {
    const auto where = "row " + std::to_string(row);
    if (action < 0 || action >= game_->num_distinct_actions()) {
        try {
            game_->checked_id(action);
        } catch (const ParameterError& error) {
            throw ParameterError(where + ": " + error.what());
        }
    }
    const StateRef here = state_of(row);
    const auto id = static_cast<Action>(action);
    throw IllegalActionError(game_->action_to_string(id), here->position(), *here->explain(id), row);
}

void AnyBatch::step(std::span<const std::int64_t> actions, Cancel& cancel) {
    const Busy busy(*this);
    busy.refuse_if_cut_short();
    std::atomic<int> worst{rows_};
    for_blocks(cancel, [&](int first, int last) {
        const int row = first_illegal(actions.data(), first, last);
        if (row == last) return;
        for (int lowest = worst; row < lowest && !worst.compare_exchange_weak(lowest, row);) {
        }
    });
    if (worst < rows_) refuse(worst, actions[static_cast<std::size_t>(worst.load())]);
    log_.add(actions);
    change_rows(cancel, [&](int first, int last) { step_rows(actions.data(), first, last); });
}

void AnyBatch::reset(Cancel& cancel) {
    const Busy busy(*this);
    show_rows(cancel);
}

void AnyBatch::show_rows(Cancel& cancel) {
    change_rows(cancel, [&](int first, int last) { start_rows(first, last); });
}

void AnyBatch::reset(std::span<const int> rows, Cancel& cancel) {
    const Busy busy(*this);
    busy.refuse_if_cut_short();
    cut_short_ = true;
    for (int row : rows) {
        start_rows(row, row + 1);
        if (cancel.poll()) throw Cancelled();
    }
    cut_short_ = false;
}

void AnyBatch::random_actions(std::span<std::int64_t> actions, Cancel& cancel) {
    const Busy busy(*this);
    busy.refuse_if_cut_short();
    for_blocks(cancel, [&](int first, int last) { draw_rows(actions.data(), first, last); });
}

StateRef AnyBatch::state(int row) const {
    const Busy busy(*this);
    busy.refuse_if_cut_short();
    return state_of(row);
}

StateRef AnyBatch::state_of(int row) const {
    StateRef state = game_->initial();
    for (const Action action : log_.past(row)) state = state->child(action);
    return state;
}

}  // namespace quincunx
