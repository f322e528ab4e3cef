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
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quincunx/boards/point_map.hpp"

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

    /// The permutations of the points that keep lines and neighbours: 6 of the drawing, 168 of the plane.
    template <Adjacency Reading>
    static constexpr int num_symmetries = Reading == Adjacency::drawn ? 6 : 168;
    template <Adjacency Reading>
    static std::vector<PointMap> symmetries() {
        std::vector<PointMap> maps;
        std::array<int, points> images{0, 1, 2, 3, 4, 5, 6};
        const auto image = [&](Points set) {
            Points out = 0;
            for (int point = 0; point < points; ++point) out |= (set >> point & 1) << images[point];
            return out;
        };
        const auto keeps = [&] {
            for (Points line : line_sets) {
                if (std::find(line_sets.begin(), line_sets.end(), image(line)) == line_sets.end()) return false;
            }
            for (int point = 0; point < points; ++point) {
                if (image(neighbours<Reading>[point]) != neighbours<Reading>[images[point]]) return false;
            }
            return true;
        };
        do {
            if (!keeps()) continue;
            PointMap& map = maps.emplace_back();
            for (int to : images) {
                map.name += name(to);
                map.point.push_back(static_cast<std::int16_t>(to));
            }
            map.name = maps.size() == 1 ? "identity" : "1234567 to " + map.name;
        } while (std::next_permutation(images.begin(), images.end()));
        return maps;
    }

    static std::string name(int point) { return std::to_string(point + 1); }

    static constexpr std::optional<int> parse(std::string_view text) {
        if (text.size() != 1 || text[0] < '1' || text[0] > '7') return std::nullopt;
        return text[0] - '1';
    }
};

}  // namespace quincunx
