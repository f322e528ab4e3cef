// Pictures: positions as sets of cells, seen by the player to move; and their packing into words, alike for all that
// are symmetric. Equal words mean equal values: nothing is hashed away.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "quincunx/base/bits.hpp"
#include "quincunx/boards/point_map.hpp"

namespace quincunx {

inline constexpr int most_sets = 10;

template <int Words>
struct Picture {
    std::array<Bits<Words>, most_sets> sets{};  // how many count is up to the game
    std::uint64_t rest = 0;                     // all else that matters
};

template <int Words>
class PictureCode {
public:
    /// For `sets` sets of `cells` cells and a rest of at most `rest_bits` bits, symmetric by `maps`.
    PictureCode(int cells, int sets, int rest_bits, const std::vector<PointMap>& maps)
        : cells_(cells), sets_(sets), rest_bits_(rest_bits), images_(maps.size()) {
        for (std::size_t map = 0; map < maps.size(); ++map) {
            images_[map].resize(static_cast<std::size_t>((cells + 7) / 8));
            for (int cell = 0; cell < cells; ++cell) {
                auto& table = images_[map][static_cast<std::size_t>(cell / 8)];
                const auto bit = std::size_t{1} << cell % 8;
                const auto image = Bits<Words>::of(maps[map].point[static_cast<std::size_t>(cell)]);
                for (std::size_t byte = 0; byte < 256; ++byte) {
                    if (byte & bit) table[byte] |= image;
                }
            }
        }
    }

    /// How many words a packed picture has.
    int words() const { return (sets_ * cells_ + rest_bits_ + 63) / 64; }

    /// Writes the least packing of all symmetric pictures.
    void pack(const Picture<Words>& picture, std::uint64_t* out) const {
        const auto count = static_cast<std::size_t>(words());
        std::array<std::uint64_t, most_sets * Words + 1> packed;
        for (std::size_t map = 0; map < images_.size(); ++map) {
            Packer packer{packed.data()};
            for (int i = 0; i < sets_; ++i) {
                packer.add(image(picture.sets[static_cast<std::size_t>(i)], map), cells_);
            }
            packer.add(picture.rest, rest_bits_);
            packer.finish();
            if (map == 0 || std::lexicographical_compare(packed.data(), packed.data() + count, out, out + count)) {
                std::copy_n(packed.data(), count, out);
            }
        }
    }

    /// The picture that a packing stands for.
    Picture<Words> unpack(const std::uint64_t* in) const {
        Picture<Words> picture;
        int at = 0;
        const auto take = [&](int bits) {
            const int word = at / 64, shift = at % 64;
            std::uint64_t value = in[word] >> shift;
            if (shift + bits > 64) value |= in[word + 1] << (64 - shift);
            at += bits;
            return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
        };
        for (int i = 0; i < sets_; ++i) {
            for (int word = 0; word < Words && 64 * word < cells_; ++word) {
                picture.sets[static_cast<std::size_t>(i)].word[word] = take(std::min(64, cells_ - 64 * word));
            }
        }
        if (rest_bits_ > 0) picture.rest = take(rest_bits_);
        return picture;
    }

private:
    /// Writes bits one after the other.
    struct Packer {
        std::uint64_t* out;
        std::uint64_t current = 0;
        int filled = 0;

        void add(std::uint64_t value, int bits) {
            if (bits == 0) return;
            current |= value << filled;
            if (filled + bits >= 64) {
                *out++ = current;
                current = filled == 0 ? 0 : value >> (64 - filled);
                filled -= 64;
            }
            filled += bits;
        }
        void add(const Bits<Words>& set, int cells) {
            for (int word = 0; word < Words && 64 * word < cells; ++word) {
                add(set.word[word], std::min(64, cells - 64 * word));
            }
        }
        void finish() {
            if (filled > 0) *out = current;
        }
    };

    Bits<Words> image(const Bits<Words>& set, std::size_t map) const {
        Bits<Words> out{};
        const auto& tables = images_[map];
        for (std::size_t i = 0; i < tables.size(); ++i) out |= tables[i][set.word[i / 8] >> 8 * (i % 8) & 255];
        return out;
    }

    int cells_, sets_, rest_bits_;
    // By map and byte of the set: the image of its eight cells.
    std::vector<std::vector<std::array<Bits<Words>, 256>>> images_;
};

}  // namespace quincunx
