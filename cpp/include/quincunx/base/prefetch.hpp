// Asks for memory that will be written soon, where the compiler knows how.
#pragma once

#include <cstddef>
#include <span>

namespace quincunx {

template <class T>
void prefetch([[maybe_unused]] std::span<T> memory) {
#if defined(__GNUC__)
    for (std::size_t i = 0; i < memory.size(); i += 64 / sizeof(T)) __builtin_prefetch(&memory[i], 1);
#endif
}

}  // namespace quincunx
