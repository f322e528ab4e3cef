#include "quincunx/games/unmergo.hpp"

#include "games.hpp"
#include "quincunx/erased/model.hpp"

namespace quincunx {

GameRef make_unmergo(Options& options) {
    const int size = options.integer("size", 2, 8, 5, "cells a side of the hexagonal board");
    options.finish();
    return with_hexhex_size(
        size, [&](auto n) -> GameRef { return std::make_shared<GameModel<Unmergo<n>>>("unmergo", options); });
}

}  // namespace quincunx
