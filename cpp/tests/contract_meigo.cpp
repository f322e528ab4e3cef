#include "contract.hpp"
#include "quincunx/games/meigo.hpp"

using namespace quincunx;
using namespace quincunx::test;

namespace {

template <int Words>
using Any = Meigo<AnyGrid<Words, Columns::skip_i>>;
template <int Size>
using Fixed = Meigo<FixedGrid<Size, Size, Columns::skip_i>>;

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
