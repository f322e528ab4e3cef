// 64-bit hashes that are the same in every process and on every platform.
#pragma once

#include <cstdint>

#include "quincunx/base/bits.hpp"

namespace quincunx {

/// A bijection that spreads every input bit over the whole word (the finaliser of SplitMix64).
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/// Folds one more word into a hash; order matters.
constexpr std::uint64_t hash_combine(std::uint64_t hash, std::uint64_t word) {
    return mix(hash * 0x9e3779b97f4a7c15 + word + 0x2545f4914f6cdd1d);
}

template <int Words>
constexpr std::uint64_t hash_combine(std::uint64_t hash, const Bits<Words>& bits) {
    for (auto w : bits.word) hash = hash_combine(hash, w);
    return hash;
}

}  // namespace quincunx
