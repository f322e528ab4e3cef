#include "contract.hpp"
#include "quincunx/games/impedio.hpp"

using namespace quincunx;
using namespace quincunx::test;

// Arguments of the rules: setup, repetition, max_plies.
TEST(impedio) {
    contract<Impedio<2>>("impedio 2", Impedio<2>::Rules("corners"), {300});
    contract<Impedio<3>>("impedio 3", Impedio<3>::Rules("corners"),
                         {2000, {"w1,b2,b6/w2,.,.,./b6,.,.,w5,w1/.,w3,b2,b1/w6,.,b1 w"}});
    contract<Impedio<4>>("impedio 4", Impedio<4>::Rules("corners"));
    // Many landings are on enemy stacks: most draws among the cells in reach are refused.
    contract<Impedio<5>>(
        "impedio 5", Impedio<5>::Rules("corners"),
        {2000,
         {"w1,b1,b2,b3,b1/w1,w1,b1,w1,w1,w1/w1,.,b1,w1,w1,b1,w1/w1,w1,w1,.,.,.,w1,w1/b1,w1,.,b1,.,.,w1,b2,w1/"
          "b2,w1,w1,b1,w1,w1,b1,b1/b1,w1,w1,.,w1,b2,b1/b2,b1,b1,.,b1,b1/w1,w1,w2,w1,b1 b",
          "w1,b1,b2,b2,b1/w2,b3,.,.,.,w4/w3,.,.,.,b1,w2,w1/w1,.,w1,.,.,.,.,w2/b1,w1,.,.,.,.,.,.,w1/"
          "b2,.,.,w1,.,b2,.,b2/b1,w1,.,.,.,.,b3/b6,.,.,.,.,b2/w1,w2,w3,w3,b1 b"}});
    contract<Impedio<5>>("impedio ring", Impedio<5>::Rules("ring"));
    contract<Impedio<5>>("impedio two stacks, repetition 2",
                         Impedio<5>::Rules(".,.,.,b1,b3/.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./"
                                           ".,.,.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./w3,w1,.,.,. w",
                                           2, 1000));
    contract<Impedio<3>>("impedio 3 without repetition", Impedio<3>::Rules("corners", 0, 40));
    contract<Impedio<6>>("impedio 6", Impedio<6>::Rules("corners"), {600});
    contract<Impedio<7>>("impedio 7", Impedio<7>::Rules("corners"), {600});
    contract<Impedio<8>>("impedio 8", Impedio<8>::Rules("corners"), {600});
}
