// The symmetries of a game: what it says of them (Symmetric), and all that follows from that (Symmetries).
//
// A symmetry takes points to points and may exchange the two colours, and with them the players. It acts on positions,
// wherever the game started: what is legal in a position is legal, carried along, in its image, and ends alike.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quincunx/base/hash.hpp"
#include "quincunx/boards/point_map.hpp"
#include "quincunx/games/state.hpp"

namespace quincunx {

/// What is exchanged beside the points. Exchanges follow each other as the exclusive or of their bits.
using Exchange = unsigned;
inline constexpr Exchange of_colours = 1;
inline constexpr Exchange of_shapes = 2;  // coins and rings of Fano330

struct Symmetry {
    const PointMap& points;
    Exchange exchange;
};

/// Where a plane of an observation goes; complemented, a number x in it becomes 1 − x.
struct PlaneImage {
    int plane;
    bool complemented;
};

constexpr Outcome exchanged(Outcome outcome, Exchange exchange) {
    if ((exchange & of_colours) == 0) return outcome;
    return outcome == Outcome::win_0 ? Outcome::win_1 : outcome == Outcome::win_1 ? Outcome::win_0 : outcome;
}

/// What a game says of its symmetries: one of its point maps with one of the exchanges 0 … exchanges−1.
template <class S>
concept Symmetric =
    State<S> && requires(const S position, const typename S::Rules& rules, const Symmetry& symmetry, Exchange exchange,
                         Action action, int number, void (*visit)(int kind, int point, std::uint64_t count)) {
        /// No board of this type has more point maps.
        { S::max_point_maps } -> std::convertible_to<int>;
        /// A power of two.
        { S::exchanges } -> std::convertible_to<int>;
        /// How many kinds of piece there are; an exchange turns kind k into k ^ exchange.
        { S::piece_kinds } -> std::convertible_to<int>;
        /// The symmetries of the board that the rules respect, a group, the identity first.
        { rules.point_maps() } -> std::same_as<std::vector<PointMap>>;
        /// The image of any action id, legal or not: a permutation of the ids.
        { rules.image(action, symmetry) } -> std::same_as<Action>;
        /// The image of a plane of the observation.
        { rules.plane_image(number, exchange) } -> std::same_as<PlaneImage>;
        /// Where a point lies within a plane of the observation.
        { rules.place_in_plane(number) } -> std::same_as<int>;

        /// Whether the rules know the position with that exchanged. If they do, they know what can follow, and the
        /// image answers alike.
        { position.allows(exchange) } -> std::same_as<bool>;
        /// The position carried along, its ply and outcome as they are; only what it allows.
        { position.image(symmetry) } -> std::same_as<S>;
        /// Calls visit(kind, point, count) for all that lies on points.
        position.each_piece(visit);
        /// A hash of all else that the position string shows, with that exchanged.
        { position.key_beside_pieces(exchange) } -> std::same_as<std::uint64_t>;
    };

/// The symmetries of a game by number, the identity first: map i with exchange e has the number e · maps + i.
template <Symmetric S>
class Symmetries {
public:
    explicit Symmetries(const typename S::Rules& rules) : rules_(rules), maps_(rules.point_maps()) {
        keys_.resize(maps_.front().point.size());
        for (std::size_t point = 0; point < keys_.size(); ++point) {
            // Where the board has fewer maps than its type allows they come again, which changes no minimum.
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const auto to = static_cast<std::uint64_t>(maps_[lane % maps_.size()].point[point]);
                keys_[point][lane] = mix(mix(to + 1)) | 1;
            }
        }
    }

    int size() const { return S::exchanges * point_maps(); }
    Symmetry operator[](int number) const {
        return {maps_[static_cast<std::size_t>(number % point_maps())], exchange_of(number)};
    }
    Exchange exchange_of(int number) const { return static_cast<Exchange>(number / point_maps()); }

    std::string name(int number) const {
        const auto [points, exchange] = (*this)[number];
        std::string text = number % point_maps() == 0 && exchange != 0 ? "" : points.name;
        const auto add = [&](const char* what) { text += (text.empty() ? "" : ", ") + std::string(what); };
        if (exchange & of_colours) add("colours exchanged");
        if (exchange & of_shapes) add("coins and rings exchanged");
        return text;
    }

    int inverse(int number) const {
        const auto& points = maps_[static_cast<std::size_t>(number % point_maps())].point;
        for (int other = number - number % point_maps();; ++other) {
            const auto& back = (*this)[other].points.point;
            bool undone = true;
            for (std::size_t i = 0; i < points.size(); ++i) {
                undone = undone && back[static_cast<std::size_t>(points[i])] == static_cast<int>(i);
            }
            if (undone) return other;
        }
    }

    bool applies_to(const S& state, int number) const { return state.allows(exchange_of(number)); }
    S image(const S& state, int number) const { return state.image((*this)[number]); }
    Action image(Action action, int number) const { return rules_.image(action, (*this)[number]); }

    /// Carries whole observations along, one after the other.
    void image(std::span<const float> observations, std::span<float> images, int number) const {
        struct Source {
            std::size_t place;
            float offset, factor;
        };
        const auto shape = rules_.observation_shape();
        const auto planes = static_cast<std::size_t>(shape.front());
        const auto area =
            static_cast<std::size_t>(std::accumulate(shape.begin() + 1, shape.end(), 1, std::multiplies<>()));
        const auto [points, exchange] = (*this)[number];
        std::vector<Source> sources(planes * area);
        for (std::size_t plane = 0; plane < planes; ++plane) {
            const auto [to, complemented] = rules_.plane_image(static_cast<int>(plane), exchange);
            auto* const row = sources.data() + static_cast<std::size_t>(to) * area;
            const float offset = complemented ? 1.0f : 0.0f, factor = complemented ? -1.0f : 1.0f;
            for (std::size_t i = 0; i < area; ++i) row[i] = {plane * area + i, offset, factor};  // off the board
            for (std::size_t p = 0; p < points.point.size(); ++p) {
                const auto from = static_cast<std::size_t>(rules_.place_in_plane(static_cast<int>(p)));
                row[rules_.place_in_plane(points.point[p])].place = plane * area + from;
            }
        }
        for (std::size_t at = 0; at < observations.size(); at += sources.size()) {
            for (std::size_t i = 0; i < sources.size(); ++i) {
                images[at + i] = sources[i].offset + sources[i].factor * observations[at + sources[i].place];
            }
        }
    }

    /// The key is equal for a position and all its images, and the symmetry leads to one and the same of them. That
    /// different positions have the same key is as unlikely as with any hash of 64 bits.
    struct Canonical {
        std::uint64_t key;
        int symmetry;
    };
    Canonical canonical(const S& state) const {
        // For each kind of piece, the sums of the keys of the points to which each map takes those pieces.
        std::array<std::array<std::uint64_t, lanes>, kinds> sums{};
        state.each_piece([&](int kind, int point, std::uint64_t count) {
            auto& sum = sums[static_cast<std::size_t>(kind)];
            const auto& keys = keys_[static_cast<std::size_t>(point)];
            for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += count * keys[lane];
        });
        Canonical best{std::numeric_limits<std::uint64_t>::max(), 0};
        for (Exchange exchange = 0; exchange < S::exchanges; ++exchange) {
            if (!state.allows(exchange)) continue;
            std::array<std::uint64_t, lanes> totals;
            totals.fill(state.key_beside_pieces(exchange));
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                for (std::size_t lane = 0; lane < lanes; ++lane) {
                    totals[lane] += kind_factor(kind ^ exchange) * sums[kind][lane];
                }
            }
            const auto least = std::min_element(totals.begin(), totals.end());
            if (*least < best.key) {
                best = {*least, static_cast<int>(exchange) * point_maps() + static_cast<int>(least - totals.begin())};
            }
        }
        return {mix(best.key), best.symmetry};
    }

private:
    static constexpr auto lanes = static_cast<std::size_t>(S::max_point_maps);
    static constexpr auto kinds = static_cast<std::size_t>(S::piece_kinds);

    static constexpr std::uint64_t kind_factor(std::size_t kind) { return mix(~std::uint64_t{kind}) | 1; }
    int point_maps() const { return static_cast<int>(maps_.size()); }

    const typename S::Rules& rules_;
    std::vector<PointMap> maps_;
    std::vector<std::array<std::uint64_t, lanes>> keys_;  // by point
};

}  // namespace quincunx
