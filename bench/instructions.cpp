// A program for valgrind to count: random games or perft of one game, at fixed seeds, on one thread.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "quincunx/erased/any_state.hpp"

int main(int argc, char** argv) {
    using namespace quincunx;
    if (argc < 4) {
        std::cerr << "usage: instructions GAME [name=value ...] (playouts | perft) NUMBER\n";
        return 2;
    }
    const std::string mode = argv[argc - 2];
    const int number = std::atoi(argv[argc - 1]);
    GivenOptions options;
    for (int i = 2; i < argc - 2; ++i) {
        const std::string option = argv[i];
        const auto equals = option.find('=');
        options[option.substr(0, equals)] = option.substr(equals + 1);
    }
    const auto start = load_game(argv[1], options)->initial();
    Cancel cancel;
    std::uint64_t work = 0;
    if (mode == "perft") {
        work = start->perft(number, Unit::ply, 1, 0, cancel);
    } else {
        std::vector<float> returns(2 * static_cast<std::size_t>(number));
        std::vector<std::int32_t> lengths(static_cast<std::size_t>(number));
        start->playouts(2026, 0, 1, 0, cancel, returns, lengths);
        for (const auto length : lengths) work += static_cast<std::uint64_t>(length);
    }
    std::cout << work << '\n';
}
