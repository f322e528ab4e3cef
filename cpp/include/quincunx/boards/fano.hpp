// The Fano plane: seven points and seven lines of three, every two points lying on exactly one line.
//
// As drawn, with the circle through 1, 2 and 4 left out:
//              5
//             / \                                                                   .
//            1   2        and 7 in the centre, between 1 and 3, 2 and 6, 4 and 5
//           /     \                                                                 .
//          6---4---3
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quincunx {

/// Which points are next to each other: those that follow each other along a drawn line, or, by incidence, all.
enum class Adjacency { drawn, plane };

struct Fano {
    static constexpr int points = 7;  // the point called 1 is number 0
    /// A set of points, point i in bit i.
    using Points = std::uint32_t;
    static constexpr Points all = (1u << points) - 1;

    /// Points in the order in which they are drawn; the first is the circle.
    static constexpr std::array<std::array<int, 3>, 7> lines{
        {{0, 1, 3}, {4, 1, 2}, {2, 3, 5}, {5, 0, 4}, {1, 6, 5}, {3, 6, 4}, {0, 6, 2}}};

    static constexpr std::array<Points, 7> line_sets = [] {
        std::array<Points, 7> sets{};
        for (int line = 0; line < 7; ++line) {
            for (int point : lines[line]) sets[line] |= 1u << point;
        }
        return sets;
    }();

    /// Whether a set contains a whole line.
    static constexpr std::array<bool, all + 1> contains_line = [] {
        std::array<bool, all + 1> table{};
        for (Points set = 0; set <= all; ++set) {
            for (Points line : line_sets) table[set] |= (line & ~set) == 0;
        }
        return table;
    }();

    template <Adjacency Reading>
    static constexpr std::array<Points, points> neighbours = [] {
        std::array<Points, points> table{};
        for (int line = 0; line < 7; ++line) {
            const auto [first, middle, last] = lines[line];
            const auto join = [&](int a, int b) {
                table[a] |= 1u << b;
                table[b] |= 1u << a;
            };
            join(first, middle);
            join(middle, last);
            // The circle closes; on a straight line the ends are apart.
            if (line == 0 || Reading == Adjacency::plane) join(first, last);
        }
        return table;
    }();

    using Permutation = std::array<std::uint8_t, points>;

    /// The permutations of the points that keep lines and neighbours, the identity first: 6 as drawn (the turns and
    /// reflections of the triangle), 168 of the plane.
    template <Adjacency Reading>
    static constexpr auto symmetries = [] {
        std::array<Permutation, Reading == Adjacency::drawn ? 6 : 168> found{};
        std::size_t count = 0;
        Permutation image{0, 1, 2, 3, 4, 5, 6};
        do {
            bool keeps = true;
            for (int line = 0; keeps && line < 7; ++line) {
                Points set = 0;
                for (int point : lines[line]) set |= 1u << image[point];
                keeps = contains_line[set];
            }
            for (int point = 0; keeps && Reading == Adjacency::drawn && point < points; ++point) {
                for (int other = 0; other < points; ++other) {
                    keeps = keeps && (neighbours<Reading>[point] >> other & 1) ==
                                         (neighbours<Reading>[image[point]] >> image[other] & 1);
                }
            }
            if (keeps) found.at(count++) = image;
        } while (std::next_permutation(image.begin(), image.end()));
        return found;
    }();

    static std::string name(int point) { return std::to_string(point + 1); }

    static constexpr std::optional<int> parse(std::string_view text) {
        if (text.size() != 1 || text[0] < '1' || text[0] > '7') return std::nullopt;
        return text[0] - '1';
    }
};

}  // namespace quincunx
