// PointMap: a symmetry of a board, as a permutation of its points and of its directions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quincunx/base/bits.hpp"

namespace quincunx {

struct PointMap {
    std::string name;
    std::vector<std::int16_t> point;     // the image of each point
    std::vector<std::int8_t> direction;  // the image of each direction; empty where a board has none
};

/// The name of a turn, counter-clockwise, of the board or of its mirror image.
inline std::string turn_name(bool mirrored, int degrees) {
    if (degrees == 0) return mirrored ? "mirrored" : "identity";
    return (mirrored ? "mirrored and turned " : "turned ") + std::to_string(degrees);
}

template <int Words>
Bits<Words> image(const Bits<Words>& set, const PointMap& map) {
    Bits<Words> out;
    set.each([&](int cell) { out.set(map.point[static_cast<std::size_t>(cell)]); });
    return out;
}

}  // namespace quincunx
