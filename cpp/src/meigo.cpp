#include "quincunx/games/meigo.hpp"

#include <algorithm>

#include "games.hpp"
#include "quincunx/erased/model.hpp"

namespace quincunx {

namespace {

constexpr auto letters = Columns::skip_i;

/// Reads the list of handicap points; its normal form is in lower case.
std::vector<int> read_handicap(Options& options, const Grid<6>& grid) {
    const auto allowed = "a list of different points such as 'd4,f6', at most " + std::to_string(grid.cells() - 2) +
                         " of them, each " + grid.names() + " (no column is named i)";
    std::vector<int> cells;
    std::vector<std::string> names;
    const auto given = options.list("handicap", allowed, "the black stones that are Black's first turn");
    for (const auto& name : given) {
        const auto cell = grid.parse(name);
        if (!cell) options.refuse("handicap", name, allowed);
        if (std::find(cells.begin(), cells.end(), *cell) != cells.end()) {
            options.refuse("handicap", name + " twice", allowed);
        }
        cells.push_back(*cell);
        names.push_back(grid.name(*cell));
    }
    if (static_cast<int>(cells.size()) > grid.cells() - 2) {
        options.refuse("handicap", std::to_string(cells.size()) + " points", allowed);
    }
    options.normalise("handicap", names);
    return cells;
}

template <class Board>
GameRef make(const Options& options, int width, int height, const MeigoOptions& chosen) {
    return std::make_shared<GameModel<Meigo<Board>>>("meigo", options, width, height, chosen);
}

}  // namespace

GameRef make_meigo(Options& options) {
    const auto [width, height] = options.grid_size("size", 2, 19, 9, "width and height of the board");
    const int cells = width * height;
    MeigoOptions chosen;
    chosen.prison_black = options.integer("prison_black", 0, 1000, 0,
                                          "black stones in the prison at the start: each is a hold for White");
    chosen.handicap = read_handicap(options, Grid<6>(width, height, letters));
    chosen.auction = options.flag(
        "auction", false, "player 0 chooses prison_black, player 1 the colour; without prison_black and handicap");
    chosen.friendly_reach =
        options.choice("reach", {"any", "friendly"}, "the marked stones that a path may step on") != "any";
    chosen.repetition = options.integer("repetition", 0, 1'000'000, 0,
                                        "the occurrence of a position that is a draw; 0: none, and not 1");
    chosen.max_plies =
        options.integer("max_plies", 0, 1'000'000, 20 * cells, "the number of plies that is a draw; 0: none");
    options.finish();
    if (chosen.repetition == 1) {
        throw ParameterError("meigo: repetition must be 0 (off) or at least 2, not 1: every position occurs once");
    }
    if (chosen.auction && (chosen.prison_black != 0 || !chosen.handicap.empty())) {
        throw ParameterError("meigo: auction does not go together with prison_black or handicap: the players choose");
    }
    if (width == 9 && height == 9) return make<FixedGrid<9, 9, letters>>(options, width, height, chosen);
    if (width == 19 && height == 19) return make<FixedGrid<19, 19, letters>>(options, width, height, chosen);
    switch (words_for((width + 1) * height)) {  // see the layout in Meigo
        case 1:
            return make<AnyGrid<1, letters>>(options, width, height, chosen);
        case 2:
            return make<AnyGrid<2, letters>>(options, width, height, chosen);
        case 3:
        case 4:
            return make<AnyGrid<4, letters>>(options, width, height, chosen);
        default:
            return make<AnyGrid<6, letters>>(options, width, height, chosen);
    }
}

}  // namespace quincunx
