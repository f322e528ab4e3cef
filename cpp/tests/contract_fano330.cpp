#include "contract.hpp"
#include "quincunx/games/fano330.hpp"

using namespace quincunx;
using namespace quincunx::test;

namespace {

using Drawn = Fano330<Adjacency::drawn>;
using Plane = Fano330<Adjacency::plane>;

}  // namespace

// Arguments of the rules: repetition, max_plies.
TEST(fano330) {
    contract<Drawn>("fano330 drawn", {3, 1000},
                    {6000, {"s/C/sS/Sc/c/C/. 1", "cS/Cs/././Sc/./Cs 1", "./Ss/Sc/Cc/C/./s 0"}});
    contract<Plane>("fano330 plane", {3, 1000}, {6000, {"CS/S/./sc/./sC/c 1"}});
    contract<Drawn>("fano330 repetition 2", {2, 1000}, {4000});
    contract<Plane>("fano330 repetition 0", {0, 60}, {4000});
    contract<Drawn>("fano330 max_plies 9", {3, 9}, {1000});
}
