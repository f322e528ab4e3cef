// Tables of the three boards: every size, every cell, by definition.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "quincunx/base/rng.hpp"
#include "quincunx/boards/fano.hpp"
#include "quincunx/boards/grid.hpp"
#include "quincunx/boards/hexhex.hpp"

using namespace quincunx;
using namespace quincunx::test;

namespace {

template <class Set>
Set random_set(const Set& all, Rng& rng) {
    Set set;
    const int sparse = rng.below(3);
    for (auto& w : set.word)
        w = sparse == 0 ? rng.next() & rng.next() & rng.next() : sparse == 1 ? rng.next() : ~std::uint64_t{0};
    return set & all;
}

/// What leads from each member one step in a direction, walked cell by cell.
template <class Set, class Neighbour>
Set walked(const Set& set, int direction, Neighbour neighbour) {
    Set result;
    set.each([&](int cell) {
        const int to = neighbour(cell)[static_cast<std::size_t>(direction)];
        if (to >= 0) result.set(to);
    });
    return result;
}

/// `neighbour` is symmetric, agrees with the sets, and shifting a set equals walking it.
template <class Set, int Directions, class Board, class Neighbour>
void check_neighbours(const Board& board, const Set& all, int cells, Neighbour neighbour, Rng& rng,
                      const std::string& name) {
    for (int cell = 0; cell < cells; ++cell) {
        Set around;
        for (int d = 0; d < Directions; ++d) {
            const int to = neighbour(cell)[static_cast<std::size_t>(d)];
            if (to < 0) continue;
            CHECK(to < cells && to != cell && !around.test(to), name);
            around.set(to);
            CHECK(neighbour(to)[static_cast<std::size_t>(Board::opposite(d))] == cell, name);
        }
        CHECK(board.adjacent(Set::of(cell)) == around, name);
    }
    for (int round = 0; round < 20; ++round) {
        const Set set = random_set(all, rng);
        Set adjacent;
        [&]<std::size_t... D>(std::index_sequence<D...>) {
            (
                [&] {
                    const Set expected = walked(set, static_cast<int>(D), neighbour);
                    CHECK(board.template shifted<static_cast<int>(D)>(set) == expected,
                          name + " direction " + std::to_string(D));
                    adjacent |= expected;
                }(),
                ...);
        }(std::make_index_sequence<Directions>{});
        CHECK(board.adjacent(set) == adjacent, name);
        if constexpr (requires { board.adjacent_to_few(set); }) CHECK(board.adjacent_to_few(set) == adjacent, name);
    }
}

/// Names are distinct and read back; what is no name does not.
template <class Board>
void check_names(const Board& board, int cells, const std::string& name) {
    std::set<std::string> names;
    for (int cell = 0; cell < cells; ++cell) {
        const auto text = board.name(cell);
        names.insert(text);
        CHECK(board.parse(text) == cell, name + " " + text);
        CHECK(!board.parse(text + " ") && !board.parse(" " + text) && !board.parse(text + "x"), name + " " + text);
        CHECK(!board.parse(std::string(1, text[0]) + "0" + text.substr(1)), name + " " + text);
    }
    CHECK(static_cast<int>(names.size()) == cells, name);
    for (const char* text : {"", "a", "1", "a0", "a00", "a-1", "a+1", "zz", "`1", "{1", "a99", "1a", "aa1", "a1a",
                             "\xc3\xa9"
                             "1"}) {
        CHECK(!board.parse(text), name + " " + text);
    }
}

/// The maps are a group of permutations, the identity first; on boards with directions neighbours go to neighbours.
template <class Neighbour>
void check_symmetries(const std::vector<PointMap>& maps, std::size_t order, std::size_t points, Neighbour neighbour,
                      const std::string& name) {
    std::set<std::vector<std::int16_t>> all;
    std::set<std::string> names;
    for (const auto& map : maps) {
        all.insert(map.point);
        names.insert(map.name);
        CHECK(std::set<std::int16_t>(map.point.begin(), map.point.end()).size() == points, name + " " + map.name);
        CHECK(map.point.size() == points, name + " " + map.name);
        for (std::size_t d = 0; d < map.direction.size(); ++d) {
            for (std::size_t cell = 0; cell < points; ++cell) {
                const int to = neighbour(static_cast<int>(cell))[d];
                const int there = neighbour(map.point[cell])[static_cast<std::size_t>(map.direction[d])];
                CHECK(there == (to < 0 ? -1 : map.point[static_cast<std::size_t>(to)]), name + " " + map.name);
            }
        }
    }
    CHECK(maps.size() == order && all.size() == order && names.size() == order, name);
    CHECK(maps.front().name == "identity" && std::is_sorted(maps.front().point.begin(), maps.front().point.end()));
    for (const auto& one : maps) {
        for (const auto& other : maps) {
            auto both = one.point;
            for (auto& point : both) point = other.point[static_cast<std::size_t>(point)];
            CHECK(all.count(both) == 1, name + " " + one.name + " " + other.name);
        }
    }
}

template <int N>
void check_hexhex(Rng& rng) {
    using Board = HexHex<N>;
    const Board board;
    const auto name = "HexHex<" + std::to_string(N) + ">";
    CHECK(Board::cells == 3 * N * N - 3 * N + 1 && Board::all.count() == Board::cells, name);
    int cell = 0;
    // The rows and columns of the rules, cell by cell.
    for (int r = 0; r < 2 * N - 1; ++r) {
        const int low = r < N ? 1 : r - N + 2, high = r < N ? N + r : 2 * N - 1;
        for (int c = low; c <= high; ++c, ++cell) {
            CHECK(Board::coordinates[cell].row == r && Board::coordinates[cell].column == c, name);
            CHECK(Board::cell_at(r, c) == cell, name);
            CHECK(Board::name(cell) == static_cast<char>('a' + r) + std::to_string(c), name);
            const std::array<std::pair<int, int>, 6> steps{{{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}}};
            for (int d = 0; d < 6; ++d) {
                CHECK(Board::neighbour[cell][d] == Board::cell_at(r + steps[d].first, c + steps[d].second), name);
            }
            CHECK(Board::sides[0].test(cell) == (r == 0), name);
            CHECK(Board::sides[1].test(cell) == (r < N && c == r + N), name);
            CHECK(Board::sides[2].test(cell) == (r >= N - 1 && c == 2 * N - 1), name);
            CHECK(Board::sides[3].test(cell) == (r == 2 * N - 2), name);
            CHECK(Board::sides[4].test(cell) == (r >= N - 1 && c == r - N + 2), name);
            CHECK(Board::sides[5].test(cell) == (r < N && c == 1), name);
        }
        CHECK(Board::cell_at(r, low - 1) == -1 && Board::cell_at(r, high + 1) == -1, name);
    }
    CHECK(cell == Board::cells, name);
    CHECK(Board::cell_at(-1, 1) == -1 && Board::cell_at(2 * N - 1, N) == -1, name);
    typename Board::Set rim;
    for (int side = 0; side < 6; ++side) {
        CHECK(Board::sides[side].count() == N, name);
        const auto corner = Board::sides[side] & Board::sides[(side + 1) % 6];
        CHECK(corner.count() == 1 && (Board::sides[side] & Board::sides[(side + 3) % 6]).none(), name);
        rim |= Board::sides[side];
    }
    for (int i = 0; i < Board::cells; ++i) {
        CHECK(rim.test(i) == (Board::neighbours[i].count() < 6), name);
        CHECK(Board::neighbours[i] == board.adjacent(Board::Set::of(i)), name);
        const auto some = random_set(Board::all, rng);
        CHECK(Board::in_plane(some).test(Board::place_in_plane(i)) == some.test(i), name);
        CHECK(Board::in_plane(some).count() == some.count(), name);
        if (some.test(i)) {
            const auto [group, beside] = Board::group_and_beside(i, some);
            CHECK(group == Board::group(i, some) && beside == board.adjacent(group), name);
        }
        // Neighbours in successive directions are neighbours of each other.
        for (int d = 0; d < 6; ++d) {
            const int a = Board::neighbour[i][d], b = Board::neighbour[i][(d + 1) % 6];
            if (a >= 0 && b >= 0) CHECK(Board::neighbours[a].test(b), name);
        }
    }
    check_neighbours<typename Board::Set, 6>(
        board, Board::all, Board::cells, [](int i) -> const auto& { return Board::neighbour[i]; }, rng, name);
    check_names(board, Board::cells, name);
    check_symmetries(
        Board::symmetries(), 12, Board::cells, [](int i) -> const auto& { return Board::neighbour[i]; }, name);
}

template <int Words>
void check_grid(const Grid<Words>& grid, int width, int height, Columns columns, Rng& rng) {
    const auto name = std::to_string(width) + "x" + std::to_string(height) + " in " + std::to_string(Words) + " words";
    CHECK(grid.width() == width && grid.height() == height && grid.cells() == width * height, name);
    CHECK(grid.all() == Bits<Words>::first(width * height), name);
    const std::string letters = columns == Columns::skip_i ? "abcdefghjklmnopqrstuvwxyz" : "abcdefghijklmnopqrstuvwxyz";
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const int cell = row * width + column;
            CHECK(grid.name(cell) == letters[static_cast<std::size_t>(column)] + std::to_string(row + 1), name);
            CHECK(grid.neighbour(cell)[0] == (column + 1 < width ? cell + 1 : -1), name);
            CHECK(grid.neighbour(cell)[1] == (row + 1 < height ? cell + width : -1), name);
            CHECK(grid.neighbour(cell)[2] == (column > 0 ? cell - 1 : -1), name);
            CHECK(grid.neighbour(cell)[3] == (row > 0 ? cell - width : -1), name);
            CHECK(grid.neighbours(cell) == grid.adjacent(Bits<Words>::of(cell)), name);
            auto capital = grid.name(cell);
            capital[0] = static_cast<char>(capital[0] - 'a' + 'A');
            // Go software writes vertices in capitals.
            CHECK(grid.parse(capital) == (columns == Columns::skip_i ? std::optional(cell) : std::nullopt), name);
        }
    }
    if (columns == Columns::skip_i) CHECK(!grid.parse("i1") && !grid.parse("I1"), name);
    CHECK(!grid.parse(std::string(1, letters[static_cast<std::size_t>(width)]) + "1"), name);
    CHECK(!grid.parse("a" + std::to_string(height + 1)), name);
    check_neighbours<Bits<Words>, 4>(
        grid, grid.all(), grid.cells(), [&](int i) -> const auto& { return grid.neighbour(i); }, rng, name);
    check_names(grid, grid.cells(), name);
    check_symmetries(
        grid.symmetries(), width == height ? 8 : 4, static_cast<std::size_t>(grid.cells()),
        [&](int i) -> const auto& { return grid.neighbour(i); }, name);
}

}  // namespace

TEST(hexhex_of_every_size) {
    Rng rng(31);
    check_hexhex<2>(rng);
    check_hexhex<3>(rng);
    check_hexhex<4>(rng);
    check_hexhex<5>(rng);
    check_hexhex<6>(rng);
    check_hexhex<7>(rng);
    check_hexhex<8>(rng);
    CHECK(HexHex<5>::parse("e5") == 30);
    std::string around;
    for (int to : HexHex<5>::neighbour[30]) around += HexHex<5>::name(to) + " ";
    CHECK(around == "e6 f6 f5 e4 d4 d5 ", around);  // the example of the rules
}

TEST(grids_of_every_size) {
    Rng rng(32);
    for (int width = 2; width <= 19; ++width) {
        for (int height = 2; height <= 19; ++height) {
            const auto columns = (width + height) % 2 == 0 ? Columns::skip_i : Columns::plain;
            switch (words_for(width * height)) {
                case 1:
                    check_grid(Grid<1>(width, height, columns), width, height, columns, rng);
                    break;
                case 2:
                    check_grid(Grid<2>(width, height, columns), width, height, columns, rng);
                    break;
                case 3:
                case 4:
                    check_grid(Grid<4>(width, height, columns), width, height, columns, rng);
                    break;
                default:
                    check_grid(Grid<6>(width, height, columns), width, height, columns, rng);
            }
        }
    }
    check_grid(FixedGrid<8, 8>::grid(), 8, 8, Columns::plain, rng);
    check_grid(FixedGrid<9, 9, Columns::skip_i>::grid(), 9, 9, Columns::skip_i, rng);
    check_grid(FixedGrid<19, 19, Columns::skip_i>::grid(), 19, 19, Columns::skip_i, rng);
    // More words than needed change nothing.
    check_grid(Grid<6>(3, 2, Columns::plain), 3, 2, Columns::plain, rng);
}

TEST(fano_plane) {
    const auto points = [](const char* text) {
        Fano::Points set = 0;
        for (; *text != 0; ++text) set |= 1u << (*text - '1');
        return set;
    };
    const std::set<Fano::Points> lines{points("124"), points("235"), points("346"), points("156"),
                                       points("267"), points("137"), points("457")};
    CHECK(std::set<Fano::Points>(Fano::line_sets.begin(), Fano::line_sets.end()) == lines);
    const std::set<std::string> drawn{"25", "23", "34", "46", "16", "15", "27", "67",
                                      "47", "57", "17", "37", "12", "24", "14"};
    for (int p = 0; p < 7; ++p) {
        CHECK(Fano::parse(Fano::name(p)) == p && Fano::name(p) == std::to_string(p + 1));
        for (int q = 0; q < 7; ++q) {
            int common = 0;
            for (auto line : lines) common += (line >> p & 1) != 0 && (line >> q & 1) != 0;
            CHECK(common == (p == q ? 3 : 1));
            const auto edge = std::to_string(std::min(p, q) + 1) + std::to_string(std::max(p, q) + 1);
            CHECK((Fano::neighbours<Adjacency::drawn>[p] >> q & 1) == drawn.count(edge), edge);
            CHECK((Fano::neighbours<Adjacency::plane>[p] >> q & 1) == (p != q), edge);
        }
    }
    for (Fano::Points set = 0; set < 128; ++set) {
        bool whole = false;
        for (auto line : lines) whole = whole || (set & line) == line;
        CHECK(Fano::contains_line[set] == whole);
    }
    for (const char* text : {"", "0", "8", "11", " 1", "1 ", "a"}) CHECK(!Fano::parse(text), text);
    const auto none = [](int) { return std::array<int, 0>(); };
    check_symmetries(Fano::symmetries<Adjacency::drawn>(), 6, 7, none, "as drawn");
    check_symmetries(Fano::symmetries<Adjacency::plane>(), 168, 7, none, "the plane");
}
