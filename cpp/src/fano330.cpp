#include "quincunx/games/fano330.hpp"

#include "games.hpp"
#include "quincunx/erased/model.hpp"

namespace quincunx {

GameRef make_fano330(Options& options) {
    const auto adjacency = options.choice("adjacency", {"drawn", "plane"},
                                          "which points are next to each other: along the drawn lines, or all");
    const int repetition = options.integer("repetition", 0, 1'000'000, 3,
                                           "the occurrence of a position that is a draw; 0: none, and not 1");
    const int max_plies =
        options.integer("max_plies", 0, 1'000'000, 1000, "the number of plies that is a draw; 0: none");
    options.finish();
    if (repetition == 1) options.refuse("repetition", "1", "0 or an integer from 2 to 1000000");
    if (adjacency == "plane") {
        return std::make_shared<GameModel<Fano330<Adjacency::plane>>>("fano330", options, repetition, max_plies);
    }
    return std::make_shared<GameModel<Fano330<Adjacency::drawn>>>("fano330", options, repetition, max_plies);
}

}  // namespace quincunx
