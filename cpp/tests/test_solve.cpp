#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "quincunx/base/rng.hpp"
#include "quincunx/boards/grid.hpp"
#include "quincunx/boards/hexhex.hpp"
#include "quincunx/erased/any_solver.hpp"
#include "quincunx/solve/picture.hpp"
#include "quincunx/solve/proof_table.hpp"

using namespace quincunx;

namespace {

StateRef start(const std::string& game, const GivenOptions& options) { return load_game(game, options)->initial(); }

Solution solve(const StateRef& state, std::size_t memory_mb = 16, std::optional<double> seconds = std::nullopt) {
    Cancel cancel;
    return new_solver(*state, memory_mb)->run(seconds, cancel, {});
}

/// What something saves.
std::string bytes_of(const auto& saving) {
    std::string bytes;
    saving.save([&](std::string_view piece) { bytes += piece; });
    return bytes;
}

template <int Words>
void check_pictures(const std::vector<PointMap>& maps, int cells, int sets, int rest_bits, const std::string& name) {
    const PictureCode<Words> code(cells, sets, rest_bits, maps);
    const auto words = static_cast<std::size_t>(code.words());
    CHECK(code.words() == (sets * cells + rest_bits + 63) / 64, name);
    Rng rng(7, 1);
    for (int i = 0; i < 100; ++i) {
        Picture<Words> picture;
        for (int set = 0; set < sets; ++set) {
            for (int cell = 0; cell < cells; ++cell) {
                if (rng.below(3) == 0) picture.sets[static_cast<std::size_t>(set)].set(cell);
            }
        }
        if (rest_bits > 0) picture.rest = rng.next() >> (64 - rest_bits);
        std::vector<std::uint64_t> packed(words), other(words);
        code.pack(picture, packed.data());
        const auto back = code.unpack(packed.data());
        CHECK(back.rest == picture.rest, name);
        bool is_image = false;
        for (const auto& map : maps) {
            Picture<Words> turned{.rest = picture.rest};
            bool same = true;
            for (std::size_t set = 0; set < most_sets; ++set) {
                turned.sets[set] = image(picture.sets[set], map);
                same = same && turned.sets[set] == back.sets[set];
            }
            is_image = is_image || same;
            code.pack(turned, other.data());
            CHECK(other == packed, name);
        }
        CHECK(is_image, name);
        // A picture that is no image has other words.
        const int cell = rng.below(cells);
        picture.sets[0].test(cell) ? picture.sets[0].reset(cell) : picture.sets[0].set(cell);
        code.pack(picture, other.data());
        CHECK(other != packed, name);
    }
}

}  // namespace

TEST(pictures) {
    check_pictures<1>(HexHex<2>::symmetries(), HexHex<2>::cells, 2, 1, "HexHex<2>");
    check_pictures<1>(HexHex<3>::symmetries(), HexHex<3>::cells, 7, 0, "HexHex<3>");
    check_pictures<3>(HexHex<8>::symmetries(), HexHex<8>::cells, 10, 0, "HexHex<8>");
    check_pictures<1>(Grid<1>(4, 3).symmetries(), 12, 3, 18, "4x3");
    check_pictures<1>(Grid<1>(8, 8).symmetries(), 64, 2, 2, "8x8");
    check_pictures<6>(Grid<6>(19, 19).symmetries(), 361, 3, 18, "19x19");
}

TEST(proof_table) {
    ProofTable table(1 << 10, 2);
    const std::uint64_t key[] = {5, 6}, other[] = {5, 7};
    CHECK(!table.find(key));
    table.store(key, 0, true, 9, 100);
    table.store(key, 0, true, 7, 10);
    table.store(key, 1, false, 4, 10);
    table.store(key, 1, false, 3, 10);
    const auto* entry = table.find(key);
    CHECK(entry && entry->wins[0] == 7 && entry->fails[0] == 0 && entry->wins[1] == 0 && entry->fails[1] == 5);
    CHECK(entry && entry->work == 8);
    CHECK(!table.find(other));
    // When it is full, what took much work stays.
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const std::uint64_t many[] = {i, ~i};
        table.store(many, 0, true, 1, 0);
    }
    CHECK(table.find(key));
    ProofTable copy(1 << 10, 2);
    const auto saved = bytes_of(table);
    CHECK(saved.size() == table.saved_bytes());
    copy.load(saved, [] {});
    CHECK(copy.find(key) && copy.find(key)->wins[0] == 7);
    CHECK_THROWS(ParameterError, copy.load("12345", [] {}));
}

TEST(key_index) {
    KeyIndex index(2);
    for (int round = 0; round < 2; ++round) {
        for (std::uint32_t i = 0; i < 5000; ++i) {
            const std::uint64_t key[] = {mix(i), i % 7};
            CHECK(index.add(key) == i);
        }
    }
    CHECK(index.size() == 5000);
    const std::uint64_t missing[] = {1, 1};
    CHECK(index.find(missing) == index.size());
    KeyIndex copy(2);
    copy.assign({reinterpret_cast<const char*>(index.words().data()), index.words().size_bytes()}, [] {});
    CHECK(copy.size() == 5000 && copy.find(index[77]) == 77);
}

TEST(solvers) {
    CHECK(solve(start("unmergo", {{"size", "2"}})).high == -1);
    for (const char* size : {"2x2", "3x2", "2x3", "4x2", "4x3"}) {
        CHECK(solve(start("unane", {{"size", size}, {"pie", "false"}})).low == 1, size);
    }
    CHECK(solve(start("unane", {{"size", "4x2"}})).high == -1);
    const auto quick = solve(start("impedio", {{"size", "3"}}));
    CHECK(quick.low == 1 && quick.distance == 5 && quick.line.size() == 5);
    for (const char* prison : {"0", "1", "4"}) {
        const auto found = solve(start("meigo", {{"size", "2x2"}, {"prison_black", prison}}));
        CHECK(found.low == found.high && found.low == (*prison == '0' ? 1 : -1), prison);
    }
    const auto endless = solve(start("meigo", {{"size", "3x2"}}));
    CHECK(endless.low == 0 && endless.high == 0 && endless.line.empty() && endless.progress.positions > 100);
    // Player 1 chooses the colour, and one of the two has won.
    const auto auction = solve(start("meigo", {{"size", "2x2"}, {"auction", "true"}}));
    CHECK(auction.high == -1);
}

TEST(solvers_of_large_boards) {
    for (const char* size : {"2", "4", "5", "6", "7", "8"}) {
        for (const char* game : {"unmergo", "impedio"}) {
            const auto found = solve(start(game, {{"size", size}}), 4, 0.02);
            CHECK(found.progress.nodes > 0, std::string(game) + size);
        }
    }
    for (const char* size : {"8x8", "9x6", "11x10", "16x16"}) {
        CHECK(solve(start("unane", {{"size", size}}), 4, 0.02).low == -1, size);
    }
    for (const char* size : {"5x5", "9x9", "10x9", "13x13", "19x19", "19x18"}) {
        CHECK(solve(start("meigo", {{"size", size}}), 4, 0.02).low == -1, size);
    }
}

TEST(a_solver_can_be_saved_stopped_and_refused) {
    const auto state = start("meigo", {{"size", "3x2"}, {"prison_black", "2"}});
    Cancel cancel;
    const auto whole = new_solver(*state, 16)->run(std::nullopt, cancel, {});
    std::string saved;
    Solution found;
    for (int runs = 0; runs < 1000 && found.low != found.high; ++runs) {
        const auto solver = new_solver(*state, 16);
        if (!saved.empty()) solver->load(saved, cancel);
        found = solver->run(0.002, cancel, {});
        saved = bytes_of(*solver);
    }
    CHECK(found.low == whole.low && found.high == whole.high);
    CHECK(found.progress.positions == whole.progress.positions);
    Rng rng(3, 3);
    for (int i = 0; i < 200; ++i) {
        auto wrong = saved;
        if (i % 3 == 0) wrong.resize(static_cast<std::size_t>(rng.below(static_cast<int>(saved.size()))));
        if (!wrong.empty()) wrong[static_cast<std::size_t>(rng.below(static_cast<int>(wrong.size())))] ^= 0x55;
        try {
            const auto solver = new_solver(*state, 16);
            solver->load(wrong, cancel);
            solver->run(0.01, cancel, {});  // whatever it finds
        } catch (const ParameterError&) {
        }
    }
    Cancel asked;
    asked.request();
    CHECK_THROWS(Cancelled, new_solver(*state, 16)->run(std::nullopt, asked, {}));
    const auto over = load_game("unane", {{"size", "2x2"}})->parse("xx/xo o - -");
    CHECK_THROWS(ParameterError, new_solver(*over, 16));
    CHECK_THROWS(ParameterError, new_solver(*start("fano330", {}), 16));
}
