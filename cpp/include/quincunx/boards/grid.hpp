// Grid: the square board, width × height; columns are letters from the left, rows numbers from the bottom.
//
// One class serves every size: only the number of words is a template parameter. A size in common use is had
// at compile time as FixedGrid<W, H>, whose table is a constant; AnyGrid<Words> holds its table at run time.
// Games take the board as a type with `grid()`, so both read the same.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quincunx/base/bits.hpp"
#include "quincunx/base/text.hpp"
#include "quincunx/boards/point_map.hpp"

namespace quincunx {

/// Unane uses plain letters; Meigo skips `i`, as Go software does, and reads capitals too.
enum class Columns { plain, skip_i };

template <int Words>
class Grid {
public:
    using Set = Bits<Words>;
    static constexpr int max_cells = Words == 6 ? 361 : 64 * Words;
    static constexpr int directions = 4;  // E, N, W, S: the order of the rules
    static constexpr int opposite(int direction) { return (direction + 2) % 4; }

    constexpr Grid(int width, int height, Columns columns = Columns::plain)
        : width_(width), height_(height), columns_(columns), all_(Set::first(width * height)) {
        for (int cell = 0; cell < cells(); ++cell) {
            const int column = cell % width, row = cell / width;
            if (column > 0) not_first_column_.set(cell);
            if (column + 1 < width) not_last_column_.set(cell);
            neighbour_[cell] = {static_cast<std::int16_t>(column + 1 < width ? cell + 1 : -1),
                                static_cast<std::int16_t>(row + 1 < height ? cell + width : -1),
                                static_cast<std::int16_t>(column > 0 ? cell - 1 : -1),
                                static_cast<std::int16_t>(row > 0 ? cell - width : -1)};
            for (int to : neighbour_[cell]) {
                if (to >= 0) neighbours_[cell].set(to);
            }
        }
    }

    constexpr int width() const { return width_; }
    constexpr int height() const { return height_; }
    constexpr int cells() const { return width_ * height_; }
    constexpr const Set& all() const { return all_; }
    /// The four neighbours in the order E, N, W, S; −1 off the board.
    constexpr const std::array<std::int16_t, 4>& neighbour(int cell) const { return neighbour_[cell]; }
    constexpr const Set& neighbours(int cell) const { return neighbours_[cell]; }

    /// All members moved one cell in a direction; what leaves the board is dropped.
    template <int Direction>
    constexpr Set shifted(const Set& set) const {
        if constexpr (Direction == 0) return set << 1 & not_first_column_;
        if constexpr (Direction == 1) return set << width_ & all_;
        if constexpr (Direction == 2) return set >> 1 & not_last_column_;
        if constexpr (Direction == 3) return set >> width_;
    }

    /// All cells adjacent to a member (members adjacent to other members included).
    constexpr Set adjacent(const Set& set) const {
        return shifted<0>(set) | shifted<1>(set) | shifted<2>(set) | shifted<3>(set);
    }

    /// The turns of the board, then those of its mirror image, in which left and right are exchanged: quarter turns
    /// of a square, half turns otherwise.
    std::vector<PointMap> symmetries() const {
        std::vector<PointMap> maps;
        for (bool mirrored : {false, true}) {
            for (int turns = 0; turns < 4; turns += width_ == height_ ? 1 : 2) {
                PointMap& map = maps.emplace_back();
                map.name = turn_name(mirrored, 90 * turns);
                for (int cell = 0; cell < cells(); ++cell) {
                    int column = cell % width_, row = cell / width_;
                    if (mirrored) column = width_ - 1 - column;
                    if (turns >= 2) column = width_ - 1 - column, row = height_ - 1 - row;
                    if (turns % 2 == 1) column = std::exchange(row, column), column = width_ - 1 - column;
                    map.point.push_back(static_cast<std::int16_t>(row * width_ + column));
                }
                for (int d = 0; d < directions; ++d) {
                    map.direction.push_back(static_cast<std::int8_t>(((mirrored ? 6 - d : d) + turns) % 4));
                }
            }
        }
        return maps;
    }

    std::string name(int cell) const {
        char letter = static_cast<char>('a' + cell % width_);
        if (columns_ == Columns::skip_i && letter >= 'i') ++letter;
        return letter + std::to_string(cell / width_ + 1);
    }

    std::optional<int> parse(std::string_view text) const {
        if (text.size() < 2) return std::nullopt;
        char letter = text[0];
        if (columns_ == Columns::skip_i) {
            if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
            if (letter == 'i') return std::nullopt;
            if (letter > 'i') --letter;
        }
        const int column = letter - 'a';
        const auto row = parse_number(text.substr(1), height_);
        if (column < 0 || column >= width_ || !row || *row < 1) return std::nullopt;
        return (*row - 1) * width_ + column;
    }

    /// What a point name may be, for messages.
    std::string names() const { return "a point from " + name(0) + " to " + name(cells() - 1); }

private:
    int width_, height_;
    Columns columns_;
    Set all_, not_first_column_{}, not_last_column_{};
    std::array<std::array<std::int16_t, 4>, max_cells> neighbour_{};
    std::array<Set, max_cells> neighbours_{};
};

template <int Width, int Height, Columns Letters = Columns::plain>
struct FixedGrid {
    static constexpr int width = Width, height = Height;
    static constexpr int words = words_for(Width * Height);
    static constexpr int max_cells = Width * Height;
    using Set = Bits<words>;
    FixedGrid() = default;
    FixedGrid(int, int) {}
    static constexpr const Grid<words>& grid() { return table; }

private:
    static constexpr Grid<words> table{Width, Height, Letters};
};

template <int Words, Columns Letters = Columns::plain>
class AnyGrid {
public:
    static constexpr int words = Words;
    static constexpr int max_cells = Grid<Words>::max_cells;
    using Set = Bits<Words>;
    AnyGrid(int width, int height) : table_(width, height, Letters) {}
    const Grid<Words>& grid() const { return table_; }

private:
    Grid<Words> table_;
};

}  // namespace quincunx
