// Bits<Words>: a set of cells, cell i in bit i, held in a fixed number of 64-bit words.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "quincunx/base/select.hpp"

namespace quincunx {

template <int Words>
struct Bits {
    static_assert(Words >= 1);
    static constexpr int capacity = 64 * Words;

    std::array<std::uint64_t, Words> word{};

    static constexpr Bits of(int cell) {
        Bits b;
        b.set(cell);
        return b;
    }
    /// The cells 0 … count−1.
    static constexpr Bits first(int count) {
        Bits b;
        for (int i = 0; i < count; ++i) b.set(i);
        return b;
    }

    constexpr bool test(int cell) const { return word[index(cell)] >> (cell & 63) & 1; }
    constexpr void set(int cell) { word[index(cell)] |= std::uint64_t{1} << (cell & 63); }
    constexpr void reset(int cell) { word[index(cell)] &= ~(std::uint64_t{1} << (cell & 63)); }

    /// Adds or removes a cell if a condition holds, without a branch.
    constexpr void set_if(bool condition, int cell) { word[index(cell)] |= std::uint64_t{condition} << (cell & 63); }
    constexpr void reset_if(bool condition, int cell) {
        word[index(cell)] &= ~(std::uint64_t{condition} << (cell & 63));
    }

    constexpr bool any() const {
        std::uint64_t all = 0;
        for (auto w : word) all |= w;
        return all != 0;
    }
    constexpr bool none() const { return !any(); }
    constexpr int count() const {
        int n = 0;
        for (auto w : word) n += std::popcount(w);
        return n;
    }
    /// True if the set has at least two members.
    constexpr bool several() const {
        if constexpr (Words == 1) {
            return (word[0] & (word[0] - 1)) != 0;
        } else {
            return count() > 1;
        }
    }

    /// The lowest member; the set must not be empty.
    constexpr int lowest() const {
        if constexpr (Words == 1) {
            return std::countr_zero(word[0]);
        } else {
            int i = 0;
            while (i + 1 < Words && word[i] == 0) ++i;
            return 64 * i + std::countr_zero(word[i]);
        }
    }
    /// Removes and returns the lowest member; the set must not be empty.
    constexpr int pop() {
        if constexpr (Words == 1) {
            if (word[0] == 0) __builtin_unreachable();  // spares a test where there is no TZCNT
            const int cell = std::countr_zero(word[0]);
            word[0] &= word[0] - 1;
            return cell;
        } else {
            int i = 0;
            while (i + 1 < Words && word[i] == 0) ++i;
            const int cell = 64 * i + std::countr_zero(word[i]);
            word[i] &= word[i] - 1;
            return cell;
        }
    }
    /// The member with exactly `k` lower members; k < count().
    int select(int k) const {
        if constexpr (Words == 1) {
            return select_bit(word[0], k);
        } else {
            // Without branches: where a random member lies is not to be predicted.
            int i = 0, sum = 0, before = 0;
            for (int j = 0; j + 1 < Words; ++j) {
                sum += std::popcount(word[j]);
                const bool past = k >= sum;
                i += past;
                before = past ? sum : before;
            }
            return 64 * i + select_bit(word[i], k - before);
        }
    }

    /// The cells from `cell` on as a word; there are none beyond the capacity.
    constexpr std::uint64_t window(int cell) const {
        const int i = index(cell), shift = cell & 63;
        std::uint64_t bits = word[i] >> shift;
        if constexpr (Words > 1) {
            if (shift > 0 && i + 1 < Words) bits |= word[i + 1] << (64 - shift);
        }
        return bits;
    }
    /// Up to 63 of them.
    constexpr std::uint64_t slice(int cell, int count) const {
        return window(cell) & ((std::uint64_t{1} << count) - 1);
    }
    /// Adds what `slice` gave, from `cell` on.
    constexpr void add_slice(int cell, int count, std::uint64_t bits) {
        const int i = index(cell), shift = cell & 63;
        word[i] |= bits << shift;
        if constexpr (Words > 1) {
            if (shift + count > 64) word[i + 1] |= bits >> (64 - shift);
        }
    }

    /// Calls `visit(cell)` for every member, lowest first.
    template <class Visit>
    constexpr void each(Visit&& visit) const {
        for (int i = 0; i < Words; ++i) {
            for (auto w = word[i]; w != 0; w &= w - 1) visit(64 * i + std::countr_zero(w));
        }
    }

    constexpr Bits& operator|=(const Bits& o) {
        for (int i = 0; i < Words; ++i) word[i] |= o.word[i];
        return *this;
    }
    constexpr Bits& operator&=(const Bits& o) {
        for (int i = 0; i < Words; ++i) word[i] &= o.word[i];
        return *this;
    }
    constexpr Bits& operator^=(const Bits& o) {
        for (int i = 0; i < Words; ++i) word[i] ^= o.word[i];
        return *this;
    }
    constexpr Bits operator~() const {
        Bits b;
        for (int i = 0; i < Words; ++i) b.word[i] = ~word[i];
        return b;
    }
    friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
    friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
    friend constexpr Bits operator^(Bits a, const Bits& b) { return a ^= b; }

    /// Moves every member up by `n` cells, 0 < n < 64; what leaves the top is lost.
    constexpr Bits operator<<(int n) const {
        Bits b;
        for (int i = Words - 1; i > 0; --i) b.word[i] = word[i] << n | word[i - 1] >> (64 - n);
        b.word[0] = word[0] << n;
        return b;
    }
    /// Moves every member down by `n` cells, 0 < n < 64; what leaves the bottom is lost.
    constexpr Bits operator>>(int n) const {
        Bits b;
        for (int i = 0; i + 1 < Words; ++i) b.word[i] = word[i] >> n | word[i + 1] << (64 - n);
        b.word[Words - 1] = word[Words - 1] >> n;
        return b;
    }

    friend constexpr bool operator==(const Bits&, const Bits&) = default;

private:
    /// The word that holds a cell. The compiler has to see that it is the only one, to keep it in a register.
    static constexpr int index(int cell) { return Words == 1 ? 0 : cell >> 6; }
};

constexpr int words_for(int cells) { return (cells + 63) / 64; }

}  // namespace quincunx
