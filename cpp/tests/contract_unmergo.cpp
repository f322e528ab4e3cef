#include "contract.hpp"
#include "quincunx/games/unmergo.hpp"

using namespace quincunx;
using namespace quincunx::test;

TEST(unmergo) {
    contract<Unmergo<2>>("unmergo 2", {}, {4000, {"ox/xo./ox w place", "../.../.. w place", "ox/oo./xx b move"}});
    contract<Unmergo<3>>("unmergo 3", {}, {4000, {"xoo/oxoo/xx.oo/.oxx/xxo b place"}});
    contract<Unmergo<4>>("unmergo 4", {});
    // Positions with many empty cells that are forbidden: few of the draws among empty cells are legal.
    contract<Unmergo<5>>("unmergo 5", {},
                         {4000,
                          {"o.o.o/....../o.o.o.o/......../o.o.o.o.o/......../o.o.o.o/....../o.o.o w place",
                           "o.o.o/....../o.o.o.o/......../o.o.x.o.o/......../o.o.o.o/....../o.o.o b place",
                           "o.o.o/.o.o../o.o.o.o/.o.o.o../o.o.o.o.o/.o.o.o../o.o.o.o/.o.o../o.o.o w place",
                           "oooox/xoooxx/oxox..o/oo.xooxx/oxx.oxoxx/oxxxxxoo/xoxxoxo/xooxox/ooxxo w place",
                           "o.o../o.o..x/..o.xo./o..x.x.x/o..xxoox./.x.x..xo/.x....o/x.o..x/o.x.o w place"}});
    contract<Unmergo<6>>("unmergo 6", {});
    contract<Unmergo<7>>("unmergo 7", {});
    contract<Unmergo<8>>("unmergo 8", {});
}
