// Sets of cells written out, a number for each cell: bytes for masks, floats for observations.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

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

#if defined(__x86_64__) && defined(__GNUC__)

/// Asked when the program runs, so that one build serves all processors.
inline const bool has_avx2 = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
}();

[[gnu::target("avx2")]] inline void repeat_in_eights(float number, int eights, float* out) {
    const __m256 several = _mm256_set1_ps(number);
    for (; eights > 0; --eights, out += 8) _mm256_storeu_ps(out, several);
}

/// Eight numbers, one for each bit that `to_sign` moves to the place of the sign: spread over all others, and made 1 or
/// 0.
[[gnu::target("avx2"), gnu::always_inline]] inline void expand_eight(__m256i bits, __m256i to_sign, float* out) {
    const __m256i spread = _mm256_srai_epi32(_mm256_sllv_epi32(bits, to_sign), 31);
    _mm256_storeu_ps(out, _mm256_and_ps(_mm256_castsi256_ps(spread), _mm256_set1_ps(1)));
}

[[gnu::target("avx2")]] inline void expand_in_eights(const std::uint64_t* words, int eights, float* out) {
    const __m256i byte_0 = _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24);
    const __m256i byte_1 = _mm256_setr_epi32(23, 22, 21, 20, 19, 18, 17, 16);
    const __m256i byte_2 = _mm256_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8);
    const __m256i byte_3 = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
    const auto* bytes = reinterpret_cast<const unsigned char*>(words);
    for (; eights >= 4; eights -= 4, bytes += 4, out += 32) {
        int four_bytes;
        std::memcpy(&four_bytes, bytes, 4);
        const __m256i bits = _mm256_set1_epi32(four_bytes);
        expand_eight(bits, byte_0, out);
        expand_eight(bits, byte_1, out + 8);
        expand_eight(bits, byte_2, out + 16);
        expand_eight(bits, byte_3, out + 24);
    }
    for (; eights > 0; --eights, ++bytes, out += 8) expand_eight(_mm256_set1_epi32(*bytes), byte_0, out);
}

/// 64 bits as bytes.
[[gnu::target("avx2"), gnu::always_inline]] inline void expand_word(std::uint64_t bits, std::uint8_t* out) {
    const __m256i which = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    const __m256i bytes = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    for (int half = 0; half < 2; ++half, bits >>= 32, out += 32) {
        const __m256i repeated = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), bytes);
        const __m256i ones = _mm256_min_epu8(_mm256_and_si256(repeated, which), _mm256_set1_epi8(1));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), ones);
    }
}

inline const bool has_avx2_and_fast_pdep = has_avx2 && has_fast_pdep;

/// As many cells as fill a word with their bits are interleaved at once.
template <std::size_t Sets, int Words>
[[gnu::target("avx2,bmi2")]] void interleave_words(const std::array<Bits<Words>, Sets>& sets, int cells,
                                                   std::uint8_t* out) {
    constexpr int at_once = 64 / Sets;
    std::uint64_t places = 0;
    for (int i = 0; i < at_once; ++i) places |= std::uint64_t{1} << i * Sets;
    for (int cell = 0; cell < cells; cell += at_once, out += at_once * Sets) {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < Sets; ++i) bits |= _pdep_u64(sets[i].window(cell), places << i);
        if (cell + at_once < cells) {
            expand_word(bits, out);
            continue;
        }
        int rest = (cells - cell) * static_cast<int>(Sets);
        for (; rest >= static_cast<int>(Sets); rest -= 8, bits >>= 8, out += 8) {
            std::memcpy(out, expansions<std::uint8_t>[bits & 0xff].data(), 8);
        }
        for (; rest > 0; --rest, bits >>= 1) *out++ = bits & 1;
    }
}

#else

inline constexpr bool has_avx2 = false;
inline constexpr bool has_avx2_and_fast_pdep = false;
inline void repeat_in_eights(float, int, float*) {}
inline void expand_in_eights(const std::uint64_t*, int, float*) {}
template <std::size_t Sets, int Words>
void interleave_words(const std::array<Bits<Words>, Sets>&, int, std::uint8_t*) {}

#endif

/// Writes a number `count` times; returns the end of what it wrote.
template <class T>
T* repeat(T number, int count, T* out) {
    if constexpr (std::is_same_v<T, float>) {
        if (has_avx2) {
            repeat_in_eights(number, count / 8, out);
            return std::fill_n(out + count / 8 * 8, count % 8, number);
        }
    }
    return std::fill_n(out, count, number);
}

/// Writes 1 for the members and 0 for the others of the cells 0 … count−1; returns the end of what it wrote.
template <class T, int Words>
T* expand(const Bits<Words>& set, int count, T* out) {
    int cell = 0;
    if constexpr (std::is_same_v<T, float>) {
        if (has_avx2) {
            expand_in_eights(set.word.data(), count / 8, out);
            cell = count / 8 * 8;
        }
    }
    const auto expand_eight = [&](int first) {
        std::memcpy(out + first, expansions<T>[set.slice(first, 8)].data(), 8 * sizeof(T));
    };
    for (; cell + 8 <= count; cell += 8) expand_eight(cell);
    if (count >= 8) {
        expand_eight(count - 8);  // some of them for the second time
    } else {
        for (; cell < count; ++cell) out[cell] = static_cast<T>(set.test(cell));
    }
    return out + count;
}

/// Eight cells at a time: a byte for each set, turned into a byte for each cell.
template <std::size_t Sets, int Words>
void interleave_eights(const std::array<Bits<Words>, Sets>& sets, int cells, std::uint8_t* out) {
    for (int cell = 0; cell < cells; cell += 8) {
        const int count = std::min(8, cells - cell);
        std::uint64_t square = 0;
        for (std::size_t i = 0; i < Sets; ++i) square |= sets[i].slice(cell, count) << 8 * i;
        const auto exchange = [&square](int distance, std::uint64_t which) {
            const std::uint64_t differ = (square ^ square >> distance) & which;
            square ^= differ ^ differ << distance;
        };
        exchange(7, 0x00aa00aa00aa00aa);
        exchange(14, 0x0000cccc0000cccc);
        exchange(28, 0x00000000f0f0f0f0);
        for (int i = 0; i < count; ++i, out += Sets) {
            std::memcpy(out, expansions<std::uint8_t>[square >> 8 * i & 0xff].data(), 8);
        }
    }
}

/// Writes, cell by cell, which of several sets a cell is in, a byte each; returns the end. Up to 8 − Sets bytes beyond
/// it may be written over.
template <std::size_t Sets, int Words>
std::uint8_t* expand_interleaved(const std::array<Bits<Words>, Sets>& sets, int cells, std::uint8_t* out) {
    static_assert(2 <= Sets && Sets <= 8);
    if (has_avx2_and_fast_pdep) {
        interleave_words(sets, cells, out);
    } else {
        interleave_eights(sets, cells, out);
    }
    return out + static_cast<std::size_t>(cells) * Sets;
}

}  // namespace quincunx
