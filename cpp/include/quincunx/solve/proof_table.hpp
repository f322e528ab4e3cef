// ProofTable: what a search has proven, in a table of fixed size; and KeyIndex: numbers for packed positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "quincunx/solve/solver.hpp"

namespace quincunx {

/// Hashes a packed position.
std::uint64_t hash_words(std::span<const std::uint64_t> words);

/// A transposition table: whole keys are compared, so nothing is taken for something else. When it is full, what took
/// least work gives way.
class ProofTable {
public:
    /// Plies beyond which nothing is counted: a win "within" so many is a win, and if there is none there, there is
    /// none.
    static constexpr int no_bound = 254;

    /// By role, that is for the mover (0) and for the other player (1).
    struct Entry {
        std::uint8_t wins[2] = {0, 0};   // he can force a win within so many plies; 0: not known
        std::uint8_t fails[2] = {0, 0};  // he can force none within one less; 0: not known
        std::uint8_t work = 0;           // one more than the logarithm of the nodes searched; 0: there is nothing here
    };

    /// Throws std::bad_alloc.
    ProofTable(std::size_t bytes, int key_words);

    const Entry* find(const std::uint64_t* key) const;
    /// Notes whether somebody can force a win within so many plies.
    void store(const std::uint64_t* key, int role, bool wins, int plies, std::uint64_t nodes);

    /// How many bytes `save` writes: the entries that took some work.
    std::size_t saved_bytes() const;
    void save(const Write& write) const;
    /// Throws ParameterError for what `save` did not write. `look` is called again and again, and may throw to stop.
    void load(std::string_view saved, const std::function<void()>& look);

private:
    static constexpr std::size_t bucket = 4;
    static constexpr int work_worth_saving = 4;
    static constexpr std::size_t stretch = 64;
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    template <class T>
    using Memory = std::unique_ptr<T[], Free>;

    std::size_t entry_bytes() const { return words_ * sizeof(std::uint64_t) + sizeof(Entry); }
    /// The entry of a key, made if it is not there.
    Entry& entry_of(const std::uint64_t* key);
    std::size_t first_slot(const std::uint64_t* key) const;
    bool is_at(std::size_t slot, const std::uint64_t* key) const;

    /// Calls `visit(slot)` for every entry that is worth saving. Looks only where something was stored: a large table
    /// is mostly memory that the system has not given yet.
    template <class Visit>
    void each_to_save(const Visit& visit) const;

    std::size_t words_, slots_;
    Memory<std::uint64_t> keys_;
    Memory<Entry> entries_;
    std::vector<bool> used_;  // by stretches of slots
};

/// Numbers keys in the order in which they come.
class KeyIndex {
public:
    explicit KeyIndex(int key_words) : words_(static_cast<std::size_t>(key_words)), table_(1024) {}

    /// The number of a key, which is new if it is size() before the call.
    std::uint32_t add(const std::uint64_t* key);
    /// The number of a key; size() if it is not there.
    std::uint32_t find(const std::uint64_t* key) const;
    const std::uint64_t* operator[](std::uint32_t number) const { return keys_.data() + number * words_; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(keys_.size() / words_); }
    /// A bound on the memory that adding a key takes.
    std::size_t bytes_to_go_on() const;

    std::span<const std::uint64_t> words() const { return keys_; }
    /// Takes over the bytes of such words. `look` is called again and again, and may throw to stop.
    void assign(std::string_view bytes, const std::function<void()>& look);

private:
    std::size_t slot(const std::uint64_t* key) const;
    void enlarge();

    std::size_t words_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> table_;  // open addressing: number + 1, 0 where free
};

}  // namespace quincunx
