#include <cctype>
#include <set>
#include <sstream>

#include "contract.hpp"
#include "quincunx/games/meigo.hpp"

using namespace quincunx;
using namespace quincunx::test;

namespace {

template <int Words>
using Any = Meigo<AnyGrid<Words, Columns::skip_i>>;
template <int Size>
using Fixed = Meigo<FixedGrid<Size, Size, Columns::skip_i>>;

/// A board read from a position string, by rank and column from the lower left; beyond the edge there is '#'.
struct Diagram {
    std::vector<std::string> ranks{""};
    char mover;

    explicit Diagram(const std::string& position) : mover(position[position.find(' ') + 1]) {
        for (const char c : position.substr(0, position.find(' '))) {
            if (c == '/') {
                ranks.insert(ranks.begin(), "");
            } else {
                ranks.front() += c;
            }
        }
    }
    char at(int rank, int column) const {
        const int height = static_cast<int>(ranks.size()), width = static_cast<int>(ranks[0].size());
        if (rank < 0 || rank >= height || column < 0 || column >= width) return '#';
        return static_cast<char>(std::tolower(ranks[static_cast<std::size_t>(rank)][static_cast<std::size_t>(column)]));
    }
    std::string around(int rank, int column) const {
        return {at(rank + 1, column), at(rank - 1, column), at(rank, column + 1), at(rank, column - 1)};
    }
    bool is_own_eye(Action cell) const {
        const int width = static_cast<int>(ranks[0].size());
        const auto beside = around(cell / width, cell % width);
        return beside.find_first_not_of(std::string{mover, '#'}) == std::string::npos;
    }
    /// The empty points that a colour alone reaches, from stone to stone over empty ones; by repeated passes.
    int territory(char colour) const {
        const char other = colour == 'x' ? 'o' : 'x';
        const int height = static_cast<int>(ranks.size()), width = static_cast<int>(ranks[0].size());
        std::set<std::pair<int, int>> open;
        for (bool grown = true; grown;) {
            grown = false;
            for (int rank = 0; rank < height; ++rank) {
                for (int column = 0; column < width; ++column) {
                    if (at(rank, column) != '.' || open.contains({rank, column})) continue;
                    const bool reached = around(rank, column).find(other) != std::string::npos ||
                                         open.contains({rank + 1, column}) || open.contains({rank - 1, column}) ||
                                         open.contains({rank, column + 1}) || open.contains({rank, column - 1});
                    if (reached) open.insert({rank, column}), grown = true;
                }
            }
        }
        int empty = 0;
        for (const auto& rank : ranks) empty += static_cast<int>(std::count(rank.begin(), rank.end(), '.'));
        return empty - static_cast<int>(open.size());
    }
};

/// Sensible actions of all positions of random games, and who is judged to win, against diagrams.
template <class S>
void check_sensible(const typename S::Rules& rules, int games) {
    Rng rng(7);
    int spared = 0;
    for (int game = 0; game < games; ++game) {
        S state = S::initial(rules);
        for (; state.outcome() == Outcome::running; state.apply(state.random_action(rng))) {
            const auto where = state.position();
            const Diagram diagram(where);
            CHECK(state.plies_to_judge() == rules.grid().cells(), where);

            std::vector<Action> expected;
            ActionList<S> legal;
            state.legal_actions(legal);
            for (const Action action : legal) {
                if (action >= rules.hold() || !diagram.is_own_eye(action)) expected.push_back(action);
            }
            spared += static_cast<int>(expected.size()) < legal.size();
            if (expected.empty()) {
                CHECK(state.sensible_action(rng) == -1, where);
            } else {
                std::vector<int> counts(expected.size());
                for (std::size_t i = 0; i < 30 * expected.size(); ++i) {
                    const auto at = std::lower_bound(expected.begin(), expected.end(), state.sensible_action(rng));
                    if (at == expected.end()) {
                        CHECK(false, where);
                        return;
                    }
                    ++counts[static_cast<std::size_t>(at - expected.begin())];
                }
                CHECK(excess(counts) < 5, where);
            }

            std::istringstream fields(where);
            std::string board, colour;
            int black_prisoners = 0, white_prisoners = 0;
            fields >> board >> colour >> black_prisoners >> white_prisoners;
            const int black_turns = diagram.territory('x') + white_prisoners;
            const int white_turns = diagram.territory('o') + black_prisoners;
            const int lead = diagram.mover == 'x' ? black_turns - white_turns : white_turns - black_turns;
            const int mover = state.current_player();
            CHECK(state.judge() == win_for(lead > 0 ? mover : 1 - mover), where);
        }
    }
    CHECK(spared > 0, "no game had an eye");
}

}  // namespace

// Arguments of the rules: width, height, options.
TEST(meigo) {
    contract<Any<1>>("meigo 2x2", Any<1>::Rules(2, 2), {2000});
    contract<Any<1>>("meigo 3x2", Any<1>::Rules(3, 2, {.prison_black = 2}), {2000});
    contract<Any<1>>("meigo 3x3", Any<1>::Rules(3, 3), {4000, {"xxx/x.x/oxx x 0 0 u -"}});
    // Suicides, captures and plays forbidden by the marks among the empty points.
    contract<Any<1>>("meigo 5x5", Any<1>::Rules(5, 5),
                     {3000,
                      {"xxx../x.X../xxx.X/xxxOO/.xx.X o 0 12 m -", "xx.xx/xoooo/xooX./oooo./ooX.. o 7 1 m -",
                       ".o.o./o.o.o/.o.o./o.o.o/.o.o. x 0 0 u -", ".o.o./o.o.o/.o.o./o.o.o/.o.o. x 0 3 u -"}});
    contract<Any<1>>("meigo 5x4", Any<1>::Rules(5, 4), {3000});
    contract<Any<1>>("meigo 5x4 friendly", Any<1>::Rules(5, 4, {.friendly_reach = true}), {3000});
    contract<Any<1>>("meigo 4x4 repetition 2", Any<1>::Rules(4, 4, {.repetition = 2}), {3000});
    contract<Any<1>>("meigo 3x3 handicap", Any<1>::Rules(3, 3, {.handicap = {0, 4, 8}}), {1500});
    contract<Any<1>>("meigo 4x3 auction", Any<1>::Rules(4, 3, {.auction = true}), {1500});
    contract<Any<1>>("meigo 4x3 max_plies 7", Any<1>::Rules(4, 3, {.max_plies = 7}), {500});
    contract<Any<1>>("meigo 8x6", Any<1>::Rules(8, 6),
                     {1500, {"OXXOXxO./..XOOx../xOxX.xx./xxxxxxx./xO.x.xx./x..Oxxx. x 0 20 m -"}});
    contract<Any<2>>("meigo 7x11", Any<2>::Rules(7, 11));
    contract<Fixed<9>>(
        "meigo 9x9", Fixed<9>::Rules(9, 9),
        {2500,
         {"X..OOX..X/.XXX..O.O/ooOOO...O/oo..oooXX/oooXXOooO/.XoooooX./oXoooooo./oXoooooOO/oXoooooX. x 48 16 m -",
          "OO.XO..OX/OOOXOXO.X/.O...OO.X/OXXX.X..X/XX.O.OXOO/..O.XOOXX/.OOX.X.../..OXOXX.X/XOO.X..O. x 79 77 m -"}});
    contract<Fixed<9>>("meigo 9x9 auction", Fixed<9>::Rules(9, 9, {.auction = true}), {500});
    contract<Any<4>>("meigo 13x13", Any<4>::Rules(13, 13), {900});
    contract<Any<6>>("meigo 19x17", Any<6>::Rules(19, 17), {500});
    contract<Fixed<19>>("meigo 19x19", Fixed<19>::Rules(19, 19), {600});
}

TEST(meigo_plays_the_same_on_every_type_of_board) {
    same_games<Fixed<9>, Any<2>>("meigo 9x9", Fixed<9>::Rules(9, 9), Any<2>::Rules(9, 9), 5);
    same_games<Any<1>, Any<6>>("meigo 5x4", Any<1>::Rules(5, 4), Any<6>::Rules(5, 4), 20);
}

TEST(meigo_playouts_of_a_search) {
    static_assert(Sensible<Any<1>> && Sensible<Fixed<19>>);
    check_sensible<Any<1>>(Any<1>::Rules(3, 3), 150);
    check_sensible<Any<1>>(Any<1>::Rules(5, 4, {.prison_black = 4}), 60);
    check_sensible<Fixed<9>>(Fixed<9>::Rules(9, 9), 6);
    const Any<1>::Rules small(3, 3), auction(4, 3, {.auction = true});
    Rng rng(1);
    const auto eyes_alone = Any<1>::parse(small, ".O./OXx/xxx o 0 2 m -");
    CHECK(eyes_alone.count_legal_actions() > 0 && eyes_alone.sensible_action(rng) == -1, eyes_alone.position());
    const Action bid = Any<1>::initial(auction).sensible_action(rng);
    CHECK(auction.action_to_string(bid).starts_with("prison"), "auction");
}
