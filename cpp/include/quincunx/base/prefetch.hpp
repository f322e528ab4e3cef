// Asks for memory that will be written soon, where the compiler knows how.
#pragma once

#include <cstddef>
#include <span>

namespace quincunx {

inline void prefetch([[maybe_unused]] std::span<const float> numbers) {
#if defined(__GNUC__)
    constexpr std::size_t line = 64 / sizeof(float);
    for (std::size_t i = 0; i < numbers.size(); i += line) __builtin_prefetch(&numbers[i], 1);
#endif
}

}  // namespace quincunx
