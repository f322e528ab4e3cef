// The position of the k-th set bit of a word: PDEP where the processor has a fast one, else portable.
#pragma once

#include <bit>
#include <cstdint>

namespace quincunx {

/// Portable: counts bits in bytes, finds the byte, then walks at most seven bits. Kept out of line where PDEP may take
/// its place, or compilers work out part of it beforehand in vain.
#if defined(__x86_64__) && defined(__GNUC__)
[[gnu::cold, gnu::noinline]]
#endif
inline int select_bit_portable(std::uint64_t word, int k) {
    constexpr std::uint64_t low_bits = 0x0101010101010101;
    constexpr std::uint64_t high_bits = 0x8080808080808080;
    std::uint64_t sums = word - ((word >> 1) & 0x5555555555555555);
    sums = (sums & 0x3333333333333333) + ((sums >> 2) & 0x3333333333333333);
    sums = (sums + (sums >> 4)) & 0x0f0f0f0f0f0f0f0f;
    sums *= low_bits;  // byte i: how many bits are set in bytes 0 … i
    // A byte of `past` has its high bit set where that sum is at most k.
    const std::uint64_t past = ((static_cast<std::uint64_t>(k) * low_bits | high_bits) - sums) & high_bits;
    const int shift = 8 * std::popcount(past);
    int rest = k - static_cast<int>((sums << 8) >> shift & 0xff);
    std::uint64_t byte = word >> shift & 0xff;
    for (; rest > 0; --rest) byte &= byte - 1;
    return shift + std::countr_zero(byte);
}

#if defined(__x86_64__) && defined(__GNUC__)

/// True if PDEP exists and is not the slow microcoded one of AMD before Zen 3.
inline bool detect_fast_pdep() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("amdfam17h");
}
inline const bool has_fast_pdep = detect_fast_pdep();

inline int select_bit_pdep(std::uint64_t word, int k) {
    // Inline assembly: the instruction is reached only after a check, so the build need not require BMI2.
    std::uint64_t bit;
    __asm__("pdepq %2, %1, %0" : "=r"(bit) : "r"(std::uint64_t{1} << k), "r"(word));
    return std::countr_zero(bit);
}

/// The position of the set bit of `word` that has exactly `k` set bits below it; k < popcount(word).
inline int select_bit(std::uint64_t word, int k) {
    return has_fast_pdep ? select_bit_pdep(word, k) : select_bit_portable(word, k);
}

#else

inline constexpr bool has_fast_pdep = false;
inline int select_bit(std::uint64_t word, int k) { return select_bit_portable(word, k); }

#endif

}  // namespace quincunx
