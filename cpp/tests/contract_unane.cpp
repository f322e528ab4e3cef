#include "contract.hpp"
#include "quincunx/games/unane.hpp"

using namespace quincunx;
using namespace quincunx::test;

// Arguments of the rules: width, height, pie.
TEST(unane) {
    contract<Unane<AnyGrid<1>>>("unane 2x2", {2, 2, true}, {500});
    contract<Unane<AnyGrid<1>>>("unane 2x3", {2, 3, true}, {1000});
    contract<Unane<AnyGrid<1>>>("unane 3x2 without pie", {3, 2, false}, {1000});
    contract<Unane<AnyGrid<1>>>("unane 4x4", {4, 4, true}, {3000, {"oxo./xoxx/oxox/xoxo o - s"}});
    contract<Unane<AnyGrid<1>>>("unane 7x8", {7, 8, true}, {3000});
    contract<Unane<AnyGrid<2>>>("unane 16x7", {16, 7, true});
    contract<Unane<AnyGrid<4>>>("unane 16x16", {16, 16, true});
    contract<Unane<AnyGrid<4>>>("unane 13x16 without pie", {13, 16, false});
    contract<Unane<FixedGrid<8, 8>>>(
        "unane 8x8", {8, 8, true},
        {3000,
         {"oxoxoxox/xoxoxoxo/oxoxoxox/xoxoxoxo/oxoxoxox/xoxo.oxo/oxoxxxox/xoxoxoxo o p -",
          "....x.../.....x.o/..o....x/......../......../......../.x...xxx/.....x.. x - -"}});
}

TEST(unane_plays_the_same_on_every_type_of_board) {
    same_games<Unane<FixedGrid<8, 8>>, Unane<AnyGrid<1>>>("unane 8x8", {8, 8, true}, {8, 8, true}, 20);
    same_games<Unane<AnyGrid<1>>, Unane<AnyGrid<4>>>("unane 7x6", {7, 6, true}, {7, 6, true}, 20);
}
