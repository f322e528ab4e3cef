#include "quincunx/games/impedio.hpp"

#include "games.hpp"
#include "quincunx/erased/model.hpp"

namespace quincunx {

GameRef make_impedio(Options& options) {
    const int size = options.integer("size", 2, 8, 5, "cells a side of the hexagonal board");
    const auto setup = options.text("setup", "corners", "corners, ring (size 5 only) or a position string",
                                    "the starting position; neither preset is the designer's");
    const int repetition = options.integer("repetition", 0, 1'000'000, 3,
                                           "the occurrence of a position that is a draw; 0: none, and not 1");
    const int max_plies =
        options.integer("max_plies", 0, 1'000'000, 1000, "the number of plies that is a draw; 0: none");
    options.finish();
    return with_hexhex_size(size, [&](auto n) -> GameRef {
        return std::make_shared<GameModel<Impedio<n>>>("impedio", options, setup, repetition, max_plies);
    });
}

}  // namespace quincunx
