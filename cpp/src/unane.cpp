#include "quincunx/games/unane.hpp"

#include "games.hpp"
#include "quincunx/erased/model.hpp"

namespace quincunx {

GameRef make_unane(Options& options) {
    const auto [width, height] = options.grid_size("size", 2, 16, 8, "width and height of the board");
    const bool pie = options.flag("pie", true, "whether White may swap colours on the first turn");
    options.finish();
    if (width * height % 2 != 0) {
        options.refuse("size", std::to_string(width) + "x" + std::to_string(height),
                       "width x height, each from 2 to 16, with an even number of points");
    }
    const auto make = [&, w = width, h = height]<class Board>(std::type_identity<Board>) -> GameRef {
        return std::make_shared<GameModel<Unane<Board>>>("unane", options, w, h, pie);
    };
    if (width == 8 && height == 8) return make(std::type_identity<FixedGrid<8, 8>>{});
    switch (words_for(width * height)) {
        case 1:
            return make(std::type_identity<AnyGrid<1>>{});
        case 2:
            return make(std::type_identity<AnyGrid<2>>{});
        default:
            return make(std::type_identity<AnyGrid<4>>{});
    }
}

}  // namespace quincunx
