// Random numbers of our own, so that a seed means the same games on every platform.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "quincunx/base/hash.hpp"

namespace quincunx {

/// xoshiro256** (Blackman and Vigna), seeded from (seed, stream) by SplitMix64: streams do not overlap in practice.
class Rng {
public:
    explicit constexpr Rng(std::uint64_t seed, std::uint64_t stream = 0) {
        std::uint64_t x = hash_combine(mix(seed), stream);
        for (auto& s : state_) s = mix(x += 0x9e3779b97f4a7c15);
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    /// Exactly uniform in 0 … n−1, n ≥ 1 (Lemire's multiplication with rejection).
    constexpr int below(int n) {
        const auto range = static_cast<std::uint32_t>(n);
        std::uint64_t product = (next() >> 32) * range;
        if (static_cast<std::uint32_t>(product) < range) [[unlikely]] {
            const std::uint32_t threshold = -range % range;
            while (static_cast<std::uint32_t>(product) < threshold) product = (next() >> 32) * range;
        }
        return static_cast<int>(product >> 32);
    }

private:
    std::array<std::uint64_t, 4> state_{};
};

}  // namespace quincunx
