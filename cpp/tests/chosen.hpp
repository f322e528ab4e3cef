// Games of every kind, and sizes and rules that differ inside, for tests that go through load_game.
#pragma once

#include <vector>

#include "quincunx/erased/any_state.hpp"

namespace quincunx::test {

struct Chosen {
    const char* name;
    GivenOptions parameters;
};

inline const std::vector<Chosen> chosen{{"fano330", {{"repetition", "2"}}},
                                        {"impedio", {{"size", "3"}, {"repetition", "2"}}},
                                        {"impedio", {{"size", "7"}, {"max_plies", "20"}}},
                                        {"meigo", {{"size", "4x3"}, {"repetition", "2"}}},
                                        {"meigo", {{"size", "3x2"}, {"auction", "true"}}},
                                        {"meigo", {{"size", "9x9"}, {"max_plies", "50"}}},
                                        {"unane", {{"size", "2x2"}}},
                                        {"unane", {{"size", "5x14"}}},
                                        {"unmergo", {{"size", "2"}}},
                                        {"unmergo", {{"size", "5"}}},
                                        {"unmergo", {{"size", "7"}}}};

}  // namespace quincunx::test
