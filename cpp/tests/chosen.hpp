// Games of every kind, with rules and sizes that differ inside, for tests that go through load_game.
#pragma once

#include <vector>

#include "quincunx/erased/any_state.hpp"

namespace quincunx::test {

struct Chosen {
    const char* name;
    GivenOptions parameters;
};

inline const std::vector<Chosen> small_games{{"fano330", {{"repetition", "2"}}},
                                             {"impedio", {{"size", "3"}, {"repetition", "2"}}},
                                             {"meigo", {{"size", "4x3"}, {"repetition", "3"}}},
                                             {"meigo", {{"size", "3x2"}, {"auction", "true"}}},
                                             {"unane", {{"size", "5x4"}}},
                                             {"unmergo", {{"size", "3"}}}};

/// Too many actions to look at everything that follows from each.
inline const std::vector<Chosen> large_games{{"impedio", {{"size", "7"}, {"max_plies", "20"}}},
                                             {"meigo", {{"size", "9x9"}, {"max_plies", "50"}}},
                                             {"unane", {{"size", "5x14"}}},
                                             {"unmergo", {{"size", "5"}}},
                                             {"unmergo", {{"size", "7"}}}};

}  // namespace quincunx::test
