// Marks for what must be inlined: compilers stop at some size of a file, and the games are large ones.
#pragma once

#if defined(__GNUC__)
/// This function, wherever it is called.
#define QUINCUNX_INLINE __attribute__((always_inline))
/// All that this function calls.
#define QUINCUNX_FLATTEN __attribute__((flatten))
#else
#define QUINCUNX_INLINE
#define QUINCUNX_FLATTEN
#endif
