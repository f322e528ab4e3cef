// Fano330-R-Morris on the Fano plane: place eight pieces, then move them; who completes a line of a kind loses.
// Source: the rules of Fano330-R-Morris, Masahiro Nakajima.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quincunx/base/bits.hpp"
#include "quincunx/base/expand.hpp"
#include "quincunx/base/hash.hpp"
#include "quincunx/base/select.hpp"
#include "quincunx/base/text.hpp"
#include "quincunx/boards/fano.hpp"
#include "quincunx/games/state.hpp"
#include "quincunx/games/symmetry.hpp"

namespace quincunx {

template <Adjacency Reading>
class Fano330 {
public:
    using Points = Fano::Points;

    // Action ids: coin = point, ring = 7 + point, move = 14 + 7·from + to. All fit in one word, as a set of actions.
    static constexpr Action first_ring = 7, first_move = 14, num_actions = 63;
    // Four pieces on four points, each with six others to go to; or two kinds to place on seven points.
    static constexpr int max_legal_actions = 24;

    // The rules treat coins and rings alike, and the colours but for silver's placing first. Kinds of piece here:
    // colour + 2·shape, and 4 more if covered.
    static constexpr int max_point_maps = Fano::num_symmetries<Reading>, exchanges = 4, piece_kinds = 8;

    struct Rules {
        Rules(int at_occurrence, int at_ply) : repetition(at_occurrence), max_plies(at_ply) {}

        int repetition;  // the occurrence of a position that makes a draw, 0: none
        int max_plies;   // the ply that makes a draw, 0: none

        int num_distinct_actions() const { return num_actions; }
        int max_game_length() const { return max_plies; }
        /// Planes of 7 points. Topmost pieces: own coins, own rings, enemy coins, enemy rings; covered pieces likewise;
        /// half the number of pieces in hand, likewise; all ones if silver is to move, all ones if the observer is
        /// silver.
        std::vector<int> observation_shape() const { return {14, Fano::points}; }

        std::string action_to_string(Action action) const {
            if (action < first_ring) return "c" + Fano::name(action);
            if (action < first_move) return "r" + Fano::name(action - first_ring);
            return Fano::name((action - first_move) / 7) + "-" + Fano::name((action - first_move) % 7);
        }

        Action string_to_action(std::string_view text) const {
            if (text.size() == 2) {
                const auto point = Fano::parse(text.substr(1));
                if (point && text[0] == 'c') return *point;
                if (point && text[0] == 'r') return first_ring + *point;
            }
            if (text.size() == 3 && text[1] == '-') {
                const auto from = Fano::parse(text.substr(0, 1)), to = Fano::parse(text.substr(2));
                if (from && to) return first_move + 7 * *from + *to;
            }
            throw ActionTextError(quoted(text) + " is not an action of Fano330-R-Morris: a coin is placed by such as " +
                                  "'c3', a ring by 'r3', a piece moved by '3-4', with points from 1 to 7");
        }

        std::vector<PointMap> point_maps() const { return Fano::symmetries<Reading>(); }
        Action image(Action action, const Symmetry& symmetry) const {
            const auto to = [&](int point) { return symmetry.points.point[static_cast<std::size_t>(point)]; };
            if (action < first_move) {
                const bool ring = (action >= first_ring) != ((symmetry.exchange & of_shapes) != 0);
                return (ring ? first_ring : 0) + to(action % 7);
            }
            return first_move + 7 * to((action - first_move) / 7) + to((action - first_move) % 7);
        }
        PlaneImage plane_image(int plane, Exchange exchange) const {
            // Coins and rings take turns in the planes of pieces.
            if (plane < 12) return {(exchange & of_shapes) ? plane ^ 1 : plane, false};
            return {plane, (exchange & of_colours) != 0};
        }
        int place_in_plane(int point) const { return point; }
    };

    static Fano330 initial(const Rules& rules) {
        Fano330 state(rules);
        state.begin_turn();
        return state;
    }

    static Fano330 parse(const Rules& rules, std::string_view text) {
        const auto fields = position_fields(text, {"points", "player"});
        const auto stacks = split(fields[0], '/');
        if (stacks.size() != Fano::points) {
            throw PositionError("the field 'points' must have 7 points separated by '/', not " +
                                std::to_string(stacks.size()));
        }
        Fano330 state(rules);
        for (int point = 0; point < Fano::points; ++point) state.parse_stack(point, stacks[point]);
        if (fields[1] != "0" && fields[1] != "1") bad_field("player", fields[1], "'0' (silver) or '1' (copper)");
        state.player_ = fields[1] == "1";
        for (int kind = 0; kind < kinds; ++kind) {
            if (state.in_hand(kind) < 0) {
                throw PositionError("the field 'points' has more than two " + kind_name(kind) + "s");
            }
        }
        const int silver = state.in_hand(0) + state.in_hand(1), copper = state.in_hand(2) + state.in_hand(3);
        state.placements_ = static_cast<std::uint8_t>(silver + copper);
        if (state.placing() && copper - silver != state.player_) {
            throw PositionError("the field 'player' is '" + std::string(fields[1]) + "', but with " +
                                std::to_string(silver) + " silver and " + std::to_string(copper) +
                                " copper pieces in hand it is not that player's turn");
        }
        state.begin_turn();
        return state;
    }

    /// The position with a repetition key, which must be that of one; as if read from its position string.
    static Fano330 from_key(const Rules& rules, std::uint64_t key) {
        Fano330 state(rules);
        state.topmost_ = static_cast<Lanes>(key) & (one_each * Fano::all);
        state.covered_ = static_cast<Lanes>(key >> 32);
        state.player_ = key >> Fano::points & 1;
        state.placements_ =
            static_cast<std::uint8_t>(2 * kinds - std::popcount(state.topmost_) - std::popcount(state.covered_));
        state.begin_turn();
        return state;
    }

    std::string position() const {
        std::string text;
        for (int point = 0; point < Fano::points; ++point) {
            const int top = kind_at(topmost_, point), below = kind_at(covered_, point);
            if (below >= 0) text += letters[below];
            text += top >= 0 ? letters[top] : '.';
            text += point + 1 < Fano::points ? '/' : ' ';
        }
        return text + (player_ == silver ? '0' : '1');
    }

    Outcome outcome() const { return outcome_; }
    int current_player() const { return player_; }
    bool in_turn() const { return false; }

    void legal_actions(ActionList<Fano330>& list) const {
        for (auto rest = legal_; rest != 0; rest &= rest - 1) list.push_back(std::countr_zero(rest));
    }
    int count_legal_actions() const { return std::popcount(legal_); }
    bool is_legal(Action action) const { return legal_ >> action & 1; }
    Action random_action(Rng& rng) const { return select_bit(legal_, rng.below(std::popcount(legal_))); }

    std::string explain(Action action) const {
        const bool move = action >= first_move;
        int kind = 2 * player_ + (action >= first_ring);
        int to = action % 7;
        if (move) {
            if (placing()) return "pieces are moved only when all eight are placed";
            const int from = (action - first_move) / 7;
            kind = kind_at(topmost_, from);
            if (kind < 0) return "there is no piece on " + Fano::name(from);
            if (kind / 2 != player_) {
                const int below = kind_at(covered_, from);
                return "the topmost piece on " + Fano::name(from) + ", a " + kind_name(kind) + ", is not yours" +
                       (below >= 0 && below / 2 == player_ ? ", and your " + kind_name(below) + " under it cannot move"
                                                           : "");
            }
            if (from == to) return "a piece moves to another point than its own";
            if ((Fano::neighbours<Reading>[from] >> to & 1) == 0) {
                return Fano::name(to) + " is not next to " + Fano::name(from) + " along a drawn line";
            }
        } else {
            if (!placing()) return "all eight pieces are placed, so one of your topmost pieces has to move";
            if (in_hand(kind) == 0) return "you have no " + kind_name(kind) + " left in hand";
        }
        if (two_high() >> to & 1) return Fano::name(to) + " has two pieces already, and no stack is higher";
        return "a " + kind_name(kind) + " may not lie on the " + kind_name(kind) + " on " + Fano::name(to) +
               ": it is the same colour and shape";
    }

    /// One sentence on how a finished game ended.
    std::string ending() const {
        const auto previous = std::string(colours[1 - player_]), next = std::string(colours[player_]);
        for (int alike = 0; alike < 4; ++alike) {
            for (Points points : Fano::line_sets) {
                if ((points & ~visible(alike)) != 0) continue;
                std::string name;
                for (int point = 0; point < Fano::points; ++point) {
                    if (points >> point & 1) name += (name.empty() ? "" : "-") + Fano::name(point);
                }
                return "the line " + name + " shows three " + std::string(alikes[alike]) + ", so " + previous +
                       ", who completed it, loses";
            }
        }
        if (legal_ == 0) return next + " has no legal move and loses";
        if (rules_->max_plies > 0 && ply_ >= rules_->max_plies) {
            return "nobody has lost in " + std::to_string(rules_->max_plies) + " plies, so the game is a draw";
        }
        return "this position has occurred " + std::to_string(rules_->repetition) + " times, so the game is a draw";
    }

    void apply(Action action) {
        if (action < first_move) {
            // A lane is one bit wider than the ids of a shape. No branch: the shape cannot be predicted.
            const int bit = action + (action >= first_ring);
            put(Lanes{1} << (16 * player_ + bit), bit % 8);
        } else {
            const int from = (action - first_move) / 7, to = (action - first_move) % 7;
            put(take(from) << to, to);
        }
        player_ = 1 - player_;
        ++ply_;
        begin_turn();
        if (ply_ == rules_->max_plies && outcome_ == Outcome::running) outcome_ = Outcome::draw;
    }

    // The repetition rule: a placement is never undone, so only the plies of the movement count.
    int repetition_limit() const { return rules_->repetition; }
    /// The position itself: four sets of seven points, topmost and covered, and the player in the bit left over.
    std::uint64_t repetition_key() const {
        return std::uint64_t{covered_} << 32 | topmost_ | std::uint64_t{player_} << Fano::points;
    }
    int ply() const { return ply_; }
    int reversible_plies() const { return std::max(0, ply_ - placements_); }
    void end_by_repetition() { outcome_ = Outcome::draw; }

    std::uint64_t hash() const { return mix(repetition_key()); }

    friend bool operator==(const Fano330& a, const Fano330& b) {
        return a.repetition_key() == b.repetition_key() && a.outcome_ == b.outcome_;
    }

    void observe(int player, std::span<float> planes) const {
        for (int i = 0; i < kinds; ++i) {
            const int kind = 2 * (i / 2 == 0 ? player : 1 - player) + i % 2;
            for (int point = 0; point < Fano::points; ++point) {
                planes[7 * i + point] = static_cast<float>(lane(topmost_, kind) >> point & 1);
                planes[7 * (4 + i) + point] = static_cast<float>(lane(covered_, kind) >> point & 1);
                planes[7 * (8 + i) + point] = static_cast<float>(in_hand(kind)) / 2;
            }
        }
        std::fill_n(planes.begin() + 7 * 12, Fano::points, player_ == silver ? 1.0f : 0.0f);
        std::fill_n(planes.begin() + 7 * 13, Fano::points, player == silver ? 1.0f : 0.0f);
    }

    void write_legal_mask(std::span<std::uint8_t> mask) const { expand(Bits<1>{{legal_}}, num_actions, mask.data()); }

    /// In the placement the number of pieces in hand tells whose turn it is, and silver begins.
    bool allows(Exchange exchange) const { return (exchange & of_colours) == 0 || !placing(); }
    Fano330 image(const Symmetry& symmetry) const {
        Fano330 state = *this;
        state.topmost_ = state.covered_ = 0;
        each_piece([&](int kind, int point, std::uint64_t) {
            const int to = symmetry.points.point[static_cast<std::size_t>(point)];
            const unsigned image = static_cast<unsigned>(kind) ^ symmetry.exchange;
            const unsigned lane = 2 * (image & of_colours) + (image >> 1 & 1);
            (kind < 4 ? state.topmost_ : state.covered_) |= Lanes{1} << (8 * lane + static_cast<unsigned>(to));
        });
        state.player_ = static_cast<std::uint8_t>(player_ ^ (symmetry.exchange & of_colours));
        state.legal_ = state.find_legal();
        state.outcome_ = exchanged(outcome_, symmetry.exchange);
        return state;
    }
    template <class Visit>
    void each_piece(Visit&& visit) const {
        for (int level = 0; level < 2; ++level) {
            for (Lanes rest = level == 0 ? topmost_ : covered_; rest != 0; rest &= rest - 1) {
                const int bit = std::countr_zero(rest), kind = bit / 8;
                visit(4 * level + 2 * (kind % 2) + kind / 2, bit % 8, 1);
            }
        }
    }
    std::uint64_t key_beside_pieces(Exchange exchange) const { return mix(player_ ^ (exchange & of_colours)); }

private:
    static constexpr int silver = 0;
    // A kind of piece is 2·player + shape.
    static constexpr int kinds = 4;
    static constexpr std::string_view letters = "SsCc";
    static constexpr std::array<std::string_view, 2> colours{"silver", "copper"};
    static constexpr std::array<std::string_view, 4> alikes{"silver pieces", "copper pieces", "coins", "rings"};
    static std::string kind_name(int kind) {
        return std::string(colours[kind / 2]) + (kind % 2 == 0 ? " coin" : " ring");
    }

    /// Four sets of points, one a kind, in the four bytes of a word.
    using Lanes = std::uint32_t;
    static constexpr Lanes one_each = 0x01010101;
    static constexpr Points lane(Lanes lanes, int kind) { return lanes >> 8 * kind & Fano::all; }
    static constexpr Points union_of(Lanes lanes) {
        lanes |= lanes >> 16;
        return (lanes | lanes >> 8) & Fano::all;
    }
    static int kind_at(Lanes lanes, int point) {
        const Lanes here = lanes & one_each << point;
        return here == 0 ? -1 : std::countr_zero(here) / 8;
    }

    /// A set of moves has bit 7·from + to. All moves to adjacent points from the members of a set:
    static constexpr std::array<std::uint64_t, Fano::all + 1> moves_from = [] {
        std::array<std::uint64_t, Fano::all + 1> table{};
        for (Points set = 0; set <= Fano::all; ++set) {
            for (int from = 0; from < Fano::points; ++from) {
                if (set >> from & 1) table[set] |= std::uint64_t{Fano::neighbours<Reading>[from]} << 7 * from;
            }
        }
        return table;
    }();
    /// All moves to the members of a set.
    static constexpr std::uint64_t moves_to(Points set) {
        constexpr std::uint64_t every_from = 0x0000'0408'1020'4081;  // the bits 0, 7, 14 … 42
        return every_from * set;
    }

    explicit Fano330(const Rules& rules) : rules_(&rules) {}

    bool placing() const { return ply_ < placements_; }
    /// A kind is never on top of itself, so its two pieces are on two points.
    int in_hand(int kind) const { return 2 - std::popcount(lane(topmost_ | covered_, kind)); }
    Points two_high() const { return union_of(covered_); }

    /// Puts a piece, given as a bit of its lane, on its point.
    void put(Lanes piece, int point) {
        const Lanes here = one_each << point;
        covered_ |= topmost_ & here;
        topmost_ = (topmost_ & ~here) | piece;
    }
    /// Lifts the topmost piece of a point, uncovering what is below; gives its kind as the lowest bit of its lane.
    Lanes take(int point) {
        const Lanes here = one_each << point;
        const Lanes kind = (topmost_ & here) >> point;
        topmost_ = (topmost_ & ~here) | (covered_ & here);
        covered_ &= ~here;
        return kind;
    }

    /// All legal actions as a set; empty if the player to move has none.
    std::uint64_t find_legal() const {
        const Lanes own = topmost_ >> 16 * player_;  // in the two lowest lanes
        const Points coins = lane(own, 0), rings = lane(own, 1);
        const Points room = ~two_high() & Fano::all;
        const Points for_coins = room & ~coins, for_rings = room & ~rings;
        if (placing()) {
            const Lanes placed = (topmost_ | covered_) >> 16 * player_;
            const bool coin_left = std::popcount(lane(placed, 0)) < 2, ring_left = std::popcount(lane(placed, 1)) < 2;
            return (coin_left ? for_coins : 0) | (ring_left ? for_rings << first_ring : 0);
        }
        const auto moves = (moves_from[coins] & moves_to(for_coins)) | (moves_from[rings] & moves_to(for_rings));
        return moves << first_move;
    }

    /// The points that show silver, copper, coins, rings.
    Points visible(int alike) const {
        switch (alike) {
            case 0:
                return lane(topmost_ | topmost_ >> 8, 0);
            case 1:
                return lane(topmost_ | topmost_ >> 8, 2);
            case 2:
                return lane(topmost_ | topmost_ >> 16, 0);
            default:
                return lane(topmost_ | topmost_ >> 16, 1);
        }
    }

    void begin_turn() {
        legal_ = find_legal();
        bool line = false;
        for (int alike = 0; alike < 4; ++alike) line |= Fano::contains_line[visible(alike)];
        if (line) {
            outcome_ = win_for(player_);  // the player not to move has completed it
        } else if (legal_ == 0) {
            outcome_ = win_for(1 - player_);
        }
    }

    static void refuse_stack(int point, std::string_view found, const std::string& expected) {
        throw PositionError("the field 'points' must have " + expected + " on " + Fano::name(point) + ", not " +
                            quoted(found));
    }
    void parse_stack(int point, std::string_view text) {
        if (text == ".") return;
        if (text.empty() || text.size() > 2) refuse_stack(point, text, "'.', one piece or two pieces");
        for (char letter : text) {
            const auto kind = letters.find(letter);
            if (kind == std::string_view::npos) refuse_stack(point, text, "pieces out of 'S', 's', 'C' and 'c'");
            const Lanes piece = Lanes{1} << (8 * static_cast<int>(kind) + point);
            if (topmost_ & piece) refuse_stack(point, text, "two pieces that differ in colour or shape");
            put(piece, point);
        }
    }

    const Rules* rules_;
    std::uint64_t legal_ = 0;  // the set of legal actions
    Lanes topmost_ = 0, covered_ = 0;
    int ply_ = 0;
    std::uint8_t placements_ = 2 * kinds;  // how many pieces were in hand at ply 0
    std::uint8_t player_ = silver;
    Outcome outcome_ = Outcome::running;
};

static_assert(Repeating<Fano330<Adjacency::drawn>> && Symmetric<Fano330<Adjacency::drawn>>);

}  // namespace quincunx
