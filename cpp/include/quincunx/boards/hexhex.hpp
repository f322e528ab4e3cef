// HexHex<N>: the hexagonal board with N cells a side; every table is made at compile time.
//
// Rows are letters from the bottom up, numbers are the diagonals; cells are numbered row by row from a1, which for
// N = 2 looks so:
//      c2 c3         5 6
//     b1 b2 b3      2 3 4
//      a1 a2         0 1
//
// Directions in the order of the rules: E, NE, NW, W, SW, SE: going round, so that two
// neighbours of a cell in successive directions are neighbours of each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quincunx/base/bits.hpp"
#include "quincunx/base/inline.hpp"
#include "quincunx/base/text.hpp"
#include "quincunx/boards/point_map.hpp"

namespace quincunx {

template <int N>
struct HexHex {
    static_assert(2 <= N && N <= 8);

    static constexpr int side = N;
    static constexpr int rows = 2 * N - 1;
    static constexpr int cells = 3 * N * N - 3 * N + 1;
    static constexpr int directions = 6;
    /// The longest straight line has 2N−1 cells, so a move along it covers at most 2N−2.
    static constexpr int max_distance = 2 * N - 2;
    using Set = Bits<words_for(cells)>;

    static constexpr std::array<int, 6> row_step{0, 1, 1, 0, -1, -1};
    static constexpr std::array<int, 6> column_step{1, 1, 0, -1, -1, 0};

    static constexpr std::array<const char*, 6> direction_names{"E", "NE", "NW", "W", "SW", "SE"};

    static constexpr int opposite(int direction) { return (direction + 3) % 6; }
    static constexpr int row_length(int row) { return row < N ? N + row : 3 * N - 2 - row; }
    /// The lowest column number of a row (columns count from 1).
    static constexpr int first_column(int row) { return row < N ? 1 : row - N + 2; }

    static constexpr std::array<int, rows + 1> row_start = [] {
        std::array<int, rows + 1> start{};
        for (int r = 0; r < rows; ++r) start[r + 1] = start[r] + row_length(r);
        return start;
    }();

    /// The cell at a row (from 0) and column (from 1), or −1 off the board.
    static constexpr int cell_at(int row, int column) {
        if (row < 0 || row >= rows) return -1;
        const int offset = column - first_column(row);
        return offset < 0 || offset >= row_length(row) ? -1 : row_start[row] + offset;
    }

    struct Coordinates {
        int row, column;
    };
    static constexpr std::array<Coordinates, cells> coordinates = [] {
        std::array<Coordinates, cells> all{};
        for (int r = 0, cell = 0; r < rows; ++r) {
            for (int i = 0; i < row_length(r); ++i) all[cell++] = {r, first_column(r) + i};
        }
        return all;
    }();

    /// neighbour[cell][direction], −1 off the board.
    static constexpr std::array<std::array<std::int16_t, 6>, cells> neighbour = [] {
        std::array<std::array<std::int16_t, 6>, cells> table{};
        for (int cell = 0; cell < cells; ++cell) {
            for (int d = 0; d < 6; ++d) {
                table[cell][d] = static_cast<std::int16_t>(
                    cell_at(coordinates[cell].row + row_step[d], coordinates[cell].column + column_step[d]));
            }
        }
        return table;
    }();

    /// The same, with a number no cell has for what is off the board.
    static constexpr std::array<std::array<std::uint8_t, 6>, cells> neighbour_or_none = [] {
        static_assert(cells < Set::capacity);
        std::array<std::array<std::uint8_t, 6>, cells> table{};
        for (int cell = 0; cell < cells; ++cell) {
            for (int d = 0; d < 6; ++d) {
                const int to = neighbour[cell][d];
                table[cell][d] = static_cast<std::uint8_t>(to < 0 ? Set::capacity - 1 : to);
            }
        }
        return table;
    }();

    static constexpr std::array<Set, cells> neighbours = [] {
        std::array<Set, cells> table{};
        for (int cell = 0; cell < cells; ++cell) {
            for (int to : neighbour[cell]) {
                if (to >= 0) table[cell].set(to);
            }
        }
        return table;
    }();

    static constexpr Set all = Set::first(cells);

    /// The rhombus around the board, as observations show it: the cell at a row and column is at [row][column − 1].
    static constexpr int plane_size = rows * rows;
    static constexpr int place_in_plane(int cell) {
        return coordinates[cell].row * rows + coordinates[cell].column - 1;
    }
    /// Adds a set of cells to a set of places in several planes, one after the other.
    template <int Plane, int Words>
    static constexpr void add_plane(const Set& set, Bits<Words>& planes) {
        [&]<int... Row>(std::integer_sequence<int, Row...>) {  // with all distances known when compiled
            (planes.add_slice(Plane * plane_size + place_in_plane(row_start[Row]), row_length(Row),
                              set.slice(row_start[Row], row_length(Row))),
             ...);
        }(std::make_integer_sequence<int, rows>());
    }
    /// A set of cells as a set of places.
    static constexpr auto in_plane(const Set& set) {
        Bits<words_for(plane_size)> places;
        add_plane<0>(set, places);
        return places;
    }

    /// Sides in the order S, SE, NE, N, NW, SW (counter-clockwise from the bottom); side s is opposite side s+3.
    static constexpr std::array<Set, 6> sides = [] {
        std::array<Set, 6> table{};
        for (int cell = 0; cell < cells; ++cell) {
            const auto [r, c] = coordinates[cell];
            if (r == 0) table[0].set(cell);
            if (r < N && c == N + r) table[1].set(cell);
            if (r >= N - 1 && c == 2 * N - 1) table[2].set(cell);
            if (r == rows - 1) table[3].set(cell);
            if (r >= N - 1 && c == r - N + 2) table[4].set(cell);
            if (r < N && c == 1) table[5].set(cell);
        }
        return table;
    }();

    static constexpr std::array<const char*, 6> side_names{"S", "SE", "NE", "N", "NW", "SW"};

    /// All members moved one cell in a direction; what leaves the board is dropped.
    template <int Direction>
    QUINCUNX_INLINE static constexpr Set shifted(const Set& set) {
        constexpr auto& steps = shift_steps<Direction>;
        Set out{};
        [&]<std::size_t... I>(std::index_sequence<I...>) QUINCUNX_INLINE {
            ((out |= step<Direction, steps[I].distance>(set & steps[I].from)), ...);
        }(std::make_index_sequence<steps.size()>{});
        return out;
    }

    /// All cells adjacent to a member (members adjacent to other members included).
    static constexpr Set adjacent(const Set& set) {
        return shifted<0>(set) | shifted<1>(set) | shifted<2>(set) | shifted<3>(set) | shifted<4>(set) |
               shifted<5>(set);
    }

    /// The same cell by cell: faster for few.
    static constexpr Set adjacent_to_few(const Set& set) {
        Set beside{};
        set.each([&](int cell) { beside |= neighbours[cell]; });
        return beside;
    }

    /// The members of `within` connected with a member of it; may stop early once it holds all of `enough`, if given.
    /// Cell by cell, for groups are small: growing the whole set at once takes longer.
    static constexpr Set group(int cell, const Set& within, const Set& enough = all) {
        Set group = Set::of(cell), pending = group;
        while (pending.any() && (enough & ~group).any()) {
            const Set fresh = neighbours[pending.pop()] & within & ~group;
            group |= fresh;
            pending |= fresh;
        }
        return group;
    }

    /// The six turns of the board, then those of its mirror image, in which left and right are exchanged.
    static std::vector<PointMap> symmetries() {
        std::vector<PointMap> maps;
        for (bool mirrored : {false, true}) {
            for (int turns = 0; turns < 6; ++turns) {
                PointMap& map = maps.emplace_back();
                map.name = turn_name(mirrored, 60 * turns);
                for (const auto [row, column] : coordinates) {
                    // Counted from the centre.
                    int up = row - (N - 1), along = column - N;
                    if (mirrored) along = up - along;
                    for (int i = 0; i < turns; ++i) up = std::exchange(along, along - up);
                    map.point.push_back(static_cast<std::int16_t>(cell_at(up + N - 1, along + N)));
                }
                for (int d = 0; d < directions; ++d) {
                    map.direction.push_back(static_cast<std::int8_t>(((mirrored ? 9 - d : d) + turns) % 6));
                }
            }
        }
        return maps;
    }

    struct GroupAndBeside {
        Set group, beside;  // the cells adjacent to the group, members of it included
    };
    static constexpr GroupAndBeside group_and_beside(int cell, const Set& within) {
        GroupAndBeside found{Set::of(cell), {}};
        for (Set pending = found.group; pending.any();) {
            const Set around = neighbours[pending.pop()], fresh = around & within & ~found.group;
            found.beside |= around;
            found.group |= fresh;
            pending |= fresh;
        }
        return found;
    }

    static std::string name(int cell) {
        return static_cast<char>('a' + coordinates[cell].row) + std::to_string(coordinates[cell].column);
    }

    static std::optional<int> parse(std::string_view text) {
        if (text.size() < 2) return std::nullopt;
        const auto column = parse_number(text.substr(1), rows);
        const int cell = column ? cell_at(text[0] - 'a', *column) : -1;
        return cell < 0 ? std::nullopt : std::optional(cell);
    }

    /// What a cell name may be, for messages.
    static std::string names() { return "a cell from " + name(0) + " to " + name(cells - 1); }

private:
    // The distance in cell numbers of one step differs from row to row; rows that share it are shifted together.
    struct ShiftStep {
        int distance = 0;
        Set from{};
    };
    static constexpr int steps_at_most = rows;
    static constexpr auto collect_steps(int direction) {
        std::pair<std::array<ShiftStep, steps_at_most>, std::size_t> result{};
        auto& [steps, count] = result;
        for (int cell = 0; cell < cells; ++cell) {
            const int to = neighbour[cell][direction];
            if (to < 0) continue;
            const int distance = to > cell ? to - cell : cell - to;
            std::size_t i = 0;
            while (i < count && steps[i].distance != distance) ++i;
            if (i == count) steps[count++] = {distance, Set{}};
            steps[i].from.set(cell);
        }
        return result;
    }
    template <int Direction>
    static constexpr auto shift_steps = [] {
        constexpr auto collected = collect_steps(Direction);
        std::array<ShiftStep, collected.second> steps{};
        for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = collected.first[i];
        return steps;
    }();
    template <int Direction, int Distance>
    static constexpr Set step(const Set& set) {
        if constexpr (Direction < 3) {  // E, NE and NW lead to higher cell numbers
            return set << Distance;
        } else {
            return set >> Distance;
        }
    }
};

}  // namespace quincunx
