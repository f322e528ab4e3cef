// One maker a game: reads its parameters and chooses the type that plays it.
#pragma once

#include "quincunx/base/options.hpp"
#include "quincunx/erased/any_state.hpp"

namespace quincunx {

GameRef make_unmergo(Options& options);
GameRef make_unane(Options& options);
GameRef make_impedio(Options& options);
GameRef make_fano330(Options& options);
GameRef make_meigo(Options& options);

/// Calls `use` with the compile-time constant equal to `size`, 2 … 8.
template <class Use>
GameRef with_hexhex_size(int size, Use&& use) {
    switch (size) {
        case 2:
            return use(std::integral_constant<int, 2>{});
        case 3:
            return use(std::integral_constant<int, 3>{});
        case 4:
            return use(std::integral_constant<int, 4>{});
        case 5:
            return use(std::integral_constant<int, 5>{});
        case 6:
            return use(std::integral_constant<int, 6>{});
        case 7:
            return use(std::integral_constant<int, 7>{});
        default:
            return use(std::integral_constant<int, 8>{});
    }
}

}  // namespace quincunx
