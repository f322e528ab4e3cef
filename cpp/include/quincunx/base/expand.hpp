// Sets of cells written out, a number for each cell: bytes for masks, floats for observations.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "quincunx/base/bits.hpp"

namespace quincunx {

/// expansions<T>[byte][i] is bit i as a number.
template <class T>
inline constexpr auto expansions = [] {
    std::array<std::array<T, 8>, 256> table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
        for (std::size_t i = 0; i < 8; ++i) table[byte][i] = static_cast<T>(byte >> i & 1);
    }
    return table;
}();

/// Writes a number `count` times; returns the end of what it wrote. With large steps, for compilers make small ones.
template <class T>
T* repeat(T number, int count, T* out) {
    std::array<T, 16> several;
    several.fill(number);
    T* const end = out + count;
    for (; end - out >= 16; out += 16) std::memcpy(out, several.data(), sizeof several);
    while (out != end) *out++ = number;
    return end;
}

/// Writes 1 for the members and 0 for the others of the cells 0 … count−1; returns the end of what it wrote.
template <class T, int Words>
T* expand(const Bits<Words>& set, int count, T* out) {
    const auto write = [](std::uint64_t byte, T* to) { std::memcpy(to, expansions<T>[byte].data(), 8 * sizeof(T)); };
    T* const end = out + count;
    for (std::uint64_t word : set.word) {
        if (end - out >= 64) {
            for (int i = 0; i < 8; ++i, word >>= 8, out += 8) write(word & 0xff, out);
            continue;
        }
        for (; end - out >= 8; word >>= 8, out += 8) write(word & 0xff, out);
        for (; out != end; word >>= 1) *out++ = static_cast<T>(word & 1);
        break;
    }
    return end;
}

/// Writes, cell by cell, which of several sets a cell is in, a byte each; returns the end. Up to seven bytes beyond it
/// may be written over.
template <std::size_t Sets, int Words>
std::uint8_t* expand_interleaved(const std::array<Bits<Words>, Sets>& sets, int cells, std::uint8_t* out) {
    static_assert(Sets <= 8);
    for (int first = 0; first < cells; first += 8) {
        // Eight cells: a byte for each set, turned into a byte for each cell.
        std::uint64_t square = 0;
        for (std::size_t i = 0; i < Sets; ++i) {
            square |= (sets[i].word[static_cast<std::size_t>(first >> 6)] >> (first & 63) & 0xff) << 8 * i;
        }
        const auto exchange = [&square](int distance, std::uint64_t which) {
            const std::uint64_t differ = (square ^ square >> distance) & which;
            square ^= differ ^ differ << distance;
        };
        exchange(7, 0x00aa00aa00aa00aa);
        exchange(14, 0x0000cccc0000cccc);
        exchange(28, 0x00000000f0f0f0f0);
        const int count = std::min(8, cells - first);
        for (int i = 0; i < count; ++i, out += Sets) {
            std::memcpy(out, expansions<std::uint8_t>[square >> 8 * i & 0xff].data(), 8);
        }
    }
    return out;
}

}  // namespace quincunx
