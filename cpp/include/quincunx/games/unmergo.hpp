// Unmergo on HexHex(N): place without joining your own groups, then push an enemy stone about; most groups wins.
// Source: the rule sheet of Unmergo (2026).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quincunx/base/bits.hpp"
#include "quincunx/base/expand.hpp"
#include "quincunx/base/hash.hpp"
#include "quincunx/base/text.hpp"
#include "quincunx/boards/hexhex.hpp"
#include "quincunx/games/state.hpp"
#include "quincunx/games/symmetry.hpp"

namespace quincunx {

template <int N>
class Unmergo {
public:
    using Board = HexHex<N>;
    using Set = typename Board::Set;
    static constexpr int cells = Board::cells;

    // Action ids: place = cell, move = cells + 6·cell + direction, end = 7·cells, pass = 7·cells + 1.
    static constexpr Action first_move = cells;
    static constexpr Action end = 7 * cells;
    static constexpr Action pass = 7 * cells + 1;
    static_assert(cells < Set::capacity,
                  "the last bit stands for every cell off the board: never empty, never a stone");
    // A placement per cell, or a move per direction and empty cell and `end`.
    static constexpr int max_legal_actions = 6 * cells + 1;

    // The rules know no direction, and are the same for both colours.
    static constexpr int max_point_maps = 12, exchanges = 2, piece_kinds = 2;

    struct Rules {
        int num_distinct_actions() const { return 7 * cells + 2; }
        /// Every turn but a pass adds a stone, and no two passes follow each other.
        int max_game_length() const { return 3 * cells; }
        /// Planes of (2N−1)×(2N−1) at (row, column−1): own stones, enemy stones, cells of the board,
        /// all ones if White is to move, all ones in the move phase, all ones if the observer has White.
        std::vector<int> observation_shape() const { return {6, Board::rows, Board::rows}; }

        std::string action_to_string(Action action) const {
            if (action < first_move) return Board::name(action);
            if (action == end) return "end";
            if (action == pass) return "pass";
            const int from = (action - first_move) / 6, direction = (action - first_move) % 6;
            const int to = Board::neighbour[from][direction];
            // Ids of moves off the board exist, so they have a text, but none that reads back.
            return Board::name(from) + "-" + (to < 0 ? std::string("off") : Board::name(to));
        }

        Action string_to_action(std::string_view text) const {
            if (text == "end") return end;
            if (text == "pass") return pass;
            if (const auto cell = Board::parse(text)) return *cell;
            const auto parts = split(text, '-');
            if (parts.size() == 2) {
                const auto from = Board::parse(parts[0]), to = Board::parse(parts[1]);
                if (from && to) {
                    for (int d = 0; d < 6; ++d) {
                        if (Board::neighbour[*from][d] == *to) return first_move + 6 * *from + d;
                    }
                    throw ActionTextError(quoted(text) + " is not a move to an adjacent cell");
                }
            }
            throw ActionTextError(quoted(text) + " is not an action of Unmergo: a placement is " + Board::names() +
                                  ", a stone move such as 'a1-a2', or 'end' or 'pass'");
        }

        std::vector<PointMap> point_maps() const { return Board::symmetries(); }
        Action image(Action action, const Symmetry& symmetry) const {
            const auto& [name, point, direction] = symmetry.points;
            if (action < first_move) return point[static_cast<std::size_t>(action)];
            if (action >= end) return action;
            const int from = (action - first_move) / 6, along = (action - first_move) % 6;
            return first_move + 6 * point[static_cast<std::size_t>(from)] + direction[static_cast<std::size_t>(along)];
        }
        PlaneImage plane_image(int plane, Exchange exchange) const {
            return {plane, (exchange & of_colours) && (plane == 3 || plane == 5)};
        }
        int place_in_plane(int cell) const { return Board::place_in_plane(cell); }
    };

    static Unmergo initial(const Rules&) {
        Unmergo state;
        state.begin_turn();
        return state;
    }

    static Unmergo parse(const Rules&, std::string_view text) {
        const auto fields = position_fields(text, {"rows", "player", "phase"});
        const auto rows = board_rows(fields[0], Board::rows, Board::row_length);
        Unmergo state;
        for (int cell = 0; cell < cells; ++cell) {
            const auto [row, column] = Board::coordinates[cell];
            const char c = rows[row][column - Board::first_column(row)];
            if (c == 'o') {
                state.stones_[white].set(cell);
            } else if (c == 'x') {
                state.stones_[black].set(cell);
            } else if (c != '.') {
                bad_field("rows", std::string_view(&c, 1), "of the characters 'x' (Black), 'o' (White) and '.'");
            }
        }
        if (fields[1] != "w" && fields[1] != "b") bad_field("player", fields[1], "'w' or 'b'");
        if (fields[2] != "place" && fields[2] != "move") bad_field("phase", fields[2], "'place' or 'move'");
        state.player_ = fields[1] == "w" ? white : black;
        if (fields[2] == "place") {
            state.begin_turn();
        } else {
            state.moving_ = true;
            if (state.own().none())
                throw PositionError("the field 'phase' is 'move', but the player to move has no stone");
            if (!state.enemy_can_be_moved()) {
                throw PositionError("the field 'phase' is 'move', but no enemy stone has an empty cell beside it");
            }
        }
        return state;
    }

    std::string position() const {
        std::string text;
        for (int row = Board::rows - 1; row >= 0; --row) {
            for (int i = 0; i < Board::row_length(row); ++i) {
                const int cell = Board::row_start[row] + i;
                text += stones_[white].test(cell) ? 'o' : stones_[black].test(cell) ? 'x' : '.';
            }
            text += row > 0 ? '/' : ' ';
        }
        return text + (player_ == white ? 'w' : 'b') + (moving_ ? " move" : " place");
    }

    Outcome outcome() const { return outcome_; }
    int current_player() const { return player_; }
    bool in_turn() const { return moving_; }

    void legal_actions(ActionList<Unmergo>& list) const {
        if (!moving_) {
            const Set places = placements(player_);
            if (places.none()) list.push_back(pass);
            list.append([&](Action* out) {
                places.each([&](int cell) { *out++ = cell; });
                return out;
            });
            return;
        }
        const Set empty = this->empty();
        list.append([&](Action* out) {
            enemy().each([&](int from) {
                for (int d = 0; d < 6; ++d) {
                    // Without a branch, which could not be predicted.
                    *out = first_move + 6 * from + d;
                    out += empty.test(Board::neighbour_or_none[from][d]);
                }
            });
            return out;
        });
        list.push_back(end);
    }

    int count_legal_actions() const {
        if (!moving_) return must_pass_ ? 1 : placements(player_).count();
        int count = 1;  // `end`
        for (const auto& movable : moves()) count += movable.count();
        return count;
    }

    bool is_legal(Action action) const {
        if (action == end) return moving_;
        if (moving_) {
            if (action < first_move || action >= end) return false;
            const int from = (action - first_move) / 6, to = Board::neighbour[from][(action - first_move) % 6];
            return to >= 0 && enemy().test(from) && empty().test(to);
        }
        if (action < first_move) return empty().test(action) && !joins_groups(action, player_);
        return action == pass && must_pass_;
    }

    Action random_action(Rng& rng) const {
        return random_action(rng, [this](int cell) { return !joins_groups(cell, player_); });
    }

    std::string explain(Action action) const {
        if (action == end) return "a turn begins with a placement, so there is no stone move to decline";
        if (action == pass) {
            return moving_ ? "a stone move can be declined with 'end', not with 'pass'"
                           : "passing is allowed only without a legal placement";
        }
        if (action >= first_move) {
            const int from = (action - first_move) / 6, to = Board::neighbour[from][(action - first_move) % 6];
            if (!moving_) return "a turn begins with a placement, a stone move comes after it";
            if (!enemy().test(from)) {
                return Board::name(from) + (own().test(from)
                                                ? " holds a stone of yours: only an enemy stone may be moved"
                                                : " is empty: there is no stone to move");
            }
            return to < 0 ? Board::name(from) + " has no cell on that side"
                          : Board::name(to) + " is occupied: a stone moves to an empty cell";
        }
        const auto name = Board::name(action);
        if (moving_) return "the stone of this turn is placed: move an enemy stone or 'end' the turn";
        if (!empty().test(action)) return name + " is occupied";
        const Set touching = Board::neighbours[action] & own();
        const Set rest = touching & ~Board::group(touching.lowest(), own());
        return name + " would join the groups of " + Board::name(touching.lowest()) + " and " +
               Board::name(rest.lowest());
    }

    void apply(Action action) {
        if (moving_) {
            if (action != end) stones_[1 - player_] ^= from_and_to[action - first_move];
            end_turn();
        } else if (action == pass) {
            end_turn();
        } else {
            stones_[player_].set(action);
            if (enemy_can_be_moved()) {
                moving_ = true;
            } else {
                end_turn();
            }
        }
    }

    std::string ending() const {
        const auto sizes = group_sizes();
        const auto counts = std::to_string(sizes[white].size()) + " groups to " + std::to_string(sizes[black].size());
        if (outcome_ == Outcome::draw) return "White and Black have groups of the same sizes: a draw";
        const auto winner = outcome_ == win_for(white) ? "White" : "Black";
        if (sizes[white].size() != sizes[black].size()) return std::string(winner) + " wins by " + counts;
        return std::string(winner) + " wins by the smaller large groups, with " + counts;
    }

    std::uint64_t hash() const {
        std::uint64_t h = static_cast<std::uint64_t>(player_ + 2 * moving_);
        for (const auto& stones : stones_) h = hash_combine(h, stones);
        return h;
    }

    friend bool operator==(const Unmergo& a, const Unmergo& b) {
        return a.stones_ == b.stones_ && a.player_ == b.player_ && a.moving_ == b.moving_ && a.outcome_ == b.outcome_;
    }

    void observe(int player, std::span<float> planes) const {
        auto shown = backgrounds[(player_ == white) + 2 * moving_ + 4 * (player == white)];
        Board::template add_plane<0>(stones_[player], shown);
        Board::template add_plane<1>(stones_[1 - player], shown);
        expand(shown, 6 * Board::plane_size, planes.data());
    }

    /// What takes time to find of the legal actions: the placements, none while moving.
    using Found = Set;
    Found find_legal() const { return moving_ || must_pass_ ? Set{} : placements(player_); }
    void write_legal_mask(const Found& found, std::span<std::uint8_t> mask) const {
        std::uint8_t* const out = mask.data();
        if (moving_) {
            std::memset(out, 0, first_move);
            expand_interleaved(moves(), cells, out + first_move);
        } else {
            std::memset(expand(found, cells, out), 0, mask.size() - cells);
        }
        out[end] = moving_;
        out[pass] = must_pass_ && !moving_;
    }
    bool is_legal(const Found& found, Action action) const {
        return moving_ || action >= first_move ? is_legal(action) : found.test(action);
    }
    Action random_action(const Found& found, Rng& rng) const {
        return random_action(rng, [&found](int cell) { return found.test(cell); });
    }

    bool allows(Exchange) const { return true; }
    Unmergo image(const Symmetry& symmetry) const {
        Unmergo state = *this;
        const int exchange = symmetry.exchange & of_colours;
        for (int player : {white, black}) {
            state.stones_[player ^ exchange] = quincunx::image(stones_[player], symmetry.points);
        }
        state.player_ = static_cast<std::uint8_t>(player_ ^ exchange);
        state.outcome_ = exchanged(outcome_, symmetry.exchange);
        return state;
    }
    template <class Visit>
    void each_piece(Visit&& visit) const {
        for (int player : {white, black}) stones_[player].each([&](int cell) { visit(player, cell, 1); });
    }
    std::uint64_t key_beside_pieces(Exchange exchange) const {
        return mix((player_ ^ (exchange & of_colours)) + 2u * moving_);
    }

private:
    static constexpr int white = 0, black = 1;
    using GroupSizes = FixedList<std::int16_t, cells>;

    /// The two cells of a stone move.
    static constexpr std::array<Set, 6 * cells> from_and_to = [] {
        std::array<Set, 6 * cells> table{};
        for (int move = 0; move < 6 * cells; ++move) {
            const int to = Board::neighbour[move / 6][move % 6];
            if (to >= 0) table[move] = Set::of(move / 6) | Set::of(to);
        }
        return table;
    }();

    /// All that an observation shows besides the stones: the board, and which of the last three planes are of ones.
    static constexpr auto backgrounds = [] {
        constexpr int area = Board::plane_size;
        std::array<Bits<words_for(6 * area)>, 8> table{};
        for (unsigned of_ones = 0; of_ones < table.size(); ++of_ones) {
            Board::template add_plane<2>(Board::all, table[of_ones]);
            for (int plane = 0; plane < 3; ++plane) {
                if ((of_ones >> plane & 1) == 0) continue;
                for (int place = 0; place < area; ++place) table[of_ones].set((3 + plane) * area + place);
            }
        }
        return table;
    }();

    const Set& own() const { return stones_[player_]; }
    const Set& enemy() const { return stones_[1 - player_]; }
    Set empty() const { return Board::all & ~(stones_[0] | stones_[1]); }

    /// `can_place` tells for an empty cell.
    template <class CanPlace>
    Action random_action(Rng& rng, const CanPlace& can_place) const {
        if (must_pass_) return pass;
        if (!moving_) {
            // The empty cells are a superset of the placements; drawing again after a miss keeps the choice uniform.
            const Set empty = this->empty();
            const int vacant = empty.count();
            for (;;) {
                const int cell = empty.select(rng.below(vacant));
                if (can_place(cell)) return cell;
            }
        }
        const auto movable = moves();
        std::array<int, 7> before{0};
        int count = 0;
        for (int d = 0; d < 6; ++d) before[d + 1] = count += movable[d].count();
        const int k = rng.below(count + 1);
        if (k == count) return end;
        int direction = 0;  // found without a branch, which could not be predicted
        for (int d = 0; d < 5; ++d) direction += k >= before[d + 1];
        return first_move + 6 * movable[direction].select(k - before[direction]) + direction;
    }

    /// True if the stones of `player` around a cell belong to two or more groups.
    bool joins_groups(int cell, int player) const {
        const Set touching = Board::neighbours[cell] & stones_[player];
        if (!touching.several()) return false;
        return (touching & ~Board::group(touching.lowest(), stones_[player], touching)).any();
    }

    /// By direction: the cells whose neighbour in that direction is a member.
    static std::array<Set, 6> cells_beside(const Set& set) {
        return {Board::template shifted<3>(set), Board::template shifted<4>(set), Board::template shifted<5>(set),
                Board::template shifted<0>(set), Board::template shifted<1>(set), Board::template shifted<2>(set)};
    }

    /// Empty cells whose neighbours of a player form more than one arc of the ring around the cell: only these can
    /// touch two groups, for the stones of one arc are connected.
    Set several_arcs(const std::array<Set, 6>& beside) const {
        Set once{}, twice{};
        for (int d = 0; d < 6; ++d) {
            const Set arc_begins = beside[d] & ~beside[(d + 5) % 6];
            twice |= once & arc_begins;
            once |= arc_begins;
        }
        return twice & empty();
    }

    /// The legal placements of a player.
    Set placements(int player) const {
        const auto beside = cells_beside(stones_[player]);
        const Set unclear = several_arcs(beside), &stones = stones_[player];
        if (unclear.none()) return empty();
        // Two arcs of one group are the ends of a path around the cell: of four stones at least. So a cell that touches
        // a lone stone or a pair, and nearly every other unclear one does, touches another group too.
        Set one{}, more{};
        for (const Set& set : beside) {
            more |= one & set;
            one |= set;
        }
        const Set ends = stones & one & ~more;
        const Set small = (stones & ~one) | (ends & Board::adjacent(ends));
        const Set unsure = unclear & ~Board::adjacent(small);
        Set once{}, twice = unclear & ~unsure;
        for (Set pending = stones & Board::adjacent_to_few(unsure); pending.any();) {
            const auto [group, around] = Board::group_and_beside(pending.lowest(), stones);
            twice |= once & around;
            once |= around;
            pending &= ~group;
        }
        return empty() & ~twice;
    }

    bool has_placement(int player) const {
        // Nearly always some empty cell touches at most one stone of the player, which needs no look at groups.
        for (Set rest = empty(); rest.any();) {
            if (!(Board::neighbours[rest.pop()] & stones_[player]).several()) return true;
        }
        return (empty() & ~several_arcs(cells_beside(stones_[player]))).any() || placements(player).any();
    }

    /// The enemy stones that can be moved, by direction.
    std::array<Set, 6> moves() const {
        auto movable = cells_beside(empty());
        for (Set& stones : movable) stones &= enemy();
        return movable;
    }

    bool enemy_can_be_moved() const {
        // Nearly always there is an empty cell to the right of some enemy stone.
        const Set empty = this->empty();
        if ((Board::template shifted<0>(enemy()) & empty).any()) return true;
        for (Set rest = enemy(); rest.any();) {
            if ((Board::neighbours[rest.pop()] & empty).any()) return true;
        }
        return false;
    }

    void end_turn() {
        player_ = 1 - player_;
        moving_ = false;
        begin_turn();
    }

    /// Finds out whether the player to move can place, and if not, whether the game is over.
    void begin_turn() {
        must_pass_ = !has_placement(player_);
        if (must_pass_ && !has_placement(1 - player_)) outcome_ = score();
    }

    std::array<GroupSizes, 2> group_sizes() const {
        std::array<GroupSizes, 2> sizes;
        for (int player = 0; player < 2; ++player) {
            for (Set rest = stones_[player]; rest.any();) {
                const Set group = Board::group(rest.lowest(), rest);
                rest &= ~group;
                sizes[player].push_back(static_cast<std::int16_t>(group.count()));
            }
        }
        return sizes;
    }

    /// More groups win; then, from the largest down, the first smaller group.
    Outcome score() const {
        auto sizes = group_sizes();
        if (sizes[0].size() != sizes[1].size()) return win_for(sizes[0].size() > sizes[1].size() ? 0 : 1);
        for (auto& list : sizes) std::sort(list.begin(), list.end(), std::greater<>());
        for (int i = 0; i < sizes[0].size(); ++i) {
            if (sizes[0][i] != sizes[1][i]) return win_for(sizes[0][i] < sizes[1][i] ? 0 : 1);
        }
        return Outcome::draw;
    }

    std::array<Set, 2> stones_{};
    std::uint8_t player_ = white;
    bool moving_ = false;
    bool must_pass_ = false;
    Outcome outcome_ = Outcome::running;
};

static_assert(Symmetric<Unmergo<5>>);

}  // namespace quincunx
