// Ūnane on a rectangular grid: the full board empties by captures and removals; one single group wins.
// Source: the rule sheet of Ūnane, Mark Steere.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quincunx/base/bits.hpp"
#include "quincunx/base/expand.hpp"
#include "quincunx/base/hash.hpp"
#include "quincunx/base/text.hpp"
#include "quincunx/boards/grid.hpp"
#include "quincunx/games/state.hpp"
#include "quincunx/games/symmetry.hpp"

namespace quincunx {

/// `Board` is FixedGrid or AnyGrid.
template <class Board>
class Unane {
public:
    using Set = typename Board::Set;

    // With a capture counted at the lower or left one of its two cells and a removal at its own, there are at most two
    // a cell, and `swap`.
    static constexpr int max_legal_actions = 2 * Board::max_cells + 1;

    // The rules know no direction, and but for the swap are the same for both colours.
    static constexpr int max_point_maps = 8, exchanges = 2, piece_kinds = 2;

    struct Rules {
        Rules(int width, int height, bool with_pie) : board(width, height), pie(with_pie) {
            for (int cell = 0; cell < grid().cells(); ++cell) {
                for (int d = 0; d < 4; ++d) {
                    if (const int to = grid().neighbour(cell)[d]; to >= 0) {
                        effect[4 * cell + d] = {Set::of(cell), Set::of(to)};
                    }
                }
                effect[first_remove() + cell] = {Set::of(cell), Set{}};
            }
        }

        Board board;
        bool pie;
        /// What each action but the swap does: a stone of the mover leaves `from` and, unless it is removed, takes the
        /// place of the enemy stone on `to`. As sets, so that captures and removals need no branch.
        struct Effect {
            Set from, to;
        };
        std::array<Effect, 5 * Board::max_cells> effect{};

        const auto& grid() const { return board.grid(); }

        // Action ids, A cells: capture = 4·cell + direction, remove = 4·A + cell, swap = 5·A.
        Action first_remove() const { return 4 * grid().cells(); }
        Action swap() const { return 5 * grid().cells(); }

        int num_distinct_actions() const { return 5 * grid().cells() + 1; }
        /// Every ply but the swap takes one stone off, and with three stones left somebody has one group.
        int max_game_length() const { return grid().cells() - 3 + (pie ? 1 : 0); }
        /// Planes of height × width at (row from the bottom, column): stones of the colour that the player has now,
        /// stones of the other; all ones if Black is to move, if `swap` is available, if the players have swapped,
        /// if the player has Black.
        std::vector<int> observation_shape() const { return {6, grid().height(), grid().width()}; }

        std::string action_to_string(Action action) const {
            if (action == swap()) return "swap";
            if (action >= first_remove()) return "-" + grid().name(action - first_remove());
            const int from = action / 4, to = grid().neighbour(from)[action % 4];
            // Ids of captures off the board exist, so they have a text, but none that reads back.
            return grid().name(from) + "x" + (to < 0 ? std::string("off") : grid().name(to));
        }

        Action string_to_action(std::string_view text) const {
            if (text == "swap") return swap();
            if (text.starts_with('-')) {
                if (const auto cell = grid().parse(text.substr(1))) return first_remove() + *cell;
            }
            const auto parts = split(text, 'x');  // no column has this letter: the last possible one is 'p'
            if (parts.size() == 2) {
                const auto from = grid().parse(parts[0]), to = grid().parse(parts[1]);
                if (from && to) {
                    for (int d = 0; d < 4; ++d) {
                        if (grid().neighbour(*from)[d] == *to) return 4 * *from + d;
                    }
                    throw ActionTextError(quoted(text) + " is not a capture on an orthogonally adjacent point");
                }
            }
            throw ActionTextError(quoted(text) + " is not an action of Ūnane: a capture such as 'a1xa2', a removal " +
                                  "such as '-a1', each point being " + grid().names() + ", or 'swap'");
        }

        std::vector<PointMap> point_maps() const { return grid().symmetries(); }
        Action image(Action action, const Symmetry& symmetry) const {
            const auto& [name, point, direction] = symmetry.points;
            if (action == swap()) return action;
            if (action >= first_remove()) {
                return first_remove() + point[static_cast<std::size_t>(action - first_remove())];
            }
            return 4 * point[static_cast<std::size_t>(action / 4)] + direction[static_cast<std::size_t>(action % 4)];
        }
        PlaneImage plane_image(int plane, Exchange exchange) const {
            return {plane, (exchange & of_colours) && (plane == 2 || plane == 5)};
        }
        int place_in_plane(int cell) const { return cell; }
    };

    static Unane initial(const Rules& rules) {
        Unane state(rules);
        const auto& grid = state.grid();
        for (int cell = 0; cell < grid.cells(); ++cell) {
            const bool black = (cell % grid.width() + cell / grid.width()) % 2 == 0;
            (black ? state.own_ : state.enemy_).set(cell);
        }
        if (rules.pie) state.pie_ = Pie::coming;
        return state;
    }

    static Unane parse(const Rules& rules, std::string_view text) {
        const auto fields = position_fields(text, {"rows", "player", "pie", "swapped"});
        Unane state(rules);
        const auto& grid = state.grid();
        const auto rows = board_rows(fields[0], grid.height(), [&](int) { return grid.width(); });
        Set black{}, white{};
        for (int cell = 0; cell < grid.cells(); ++cell) {
            const char c = rows[cell / grid.width()][cell % grid.width()];
            if (c == 'x') {
                black.set(cell);
            } else if (c == 'o') {
                white.set(cell);
            } else if (c != '.') {
                bad_field("rows", std::string_view(&c, 1), "of the characters 'x' (Black), 'o' (White) and '.'");
            }
        }
        if (fields[1] != "x" && fields[1] != "o") bad_field("player", fields[1], "'x' or 'o'");
        state.white_to_move_ = fields[1] == "o";
        state.own_ = state.white_to_move_ ? white : black;
        state.enemy_ = state.white_to_move_ ? black : white;
        state.pie_ = state.parse_pie(fields[2], fields[3]);
        state.look_for_winner();
        if (state.outcome_ == Outcome::running && (black.none() || white.none())) {
            throw PositionError(std::string("the field 'rows' has no stone of ") + (black.none() ? "Black" : "White") +
                                " while " + (black.none() ? "White" : "Black") + " has not exactly one group");
        }
        if (state.outcome_ != Outcome::running && state.pie_ == Pie::available) {
            throw PositionError("the field 'pie' is 'p', but the game is over");
        }
        return state;
    }

    std::string position() const {
        std::string text;
        for (int row = grid().height() - 1; row >= 0; --row) {
            for (int column = 0; column < grid().width(); ++column) {
                const int cell = row * grid().width() + column;
                text += stones(black).test(cell) ? 'x' : stones(white).test(cell) ? 'o' : '.';
            }
            text += row > 0 ? '/' : ' ';
        }
        text += white_to_move_ ? "o" : "x";
        text += pie_ == Pie::available ? " p" : " -";
        return text + (pie_ == Pie::swapped ? " s" : " -");
    }

    Outcome outcome() const { return outcome_; }
    int current_player() const { return person(white_to_move_); }
    bool in_turn() const { return false; }
    /// 0 is Black.
    int colour_to_move() const { return white_to_move_; }
    bool may_swap() const { return pie_ == Pie::available; }
    /// Whether there will be a swap after this ply, unless it ends the game.
    bool swap_is_coming() const { return pie_ == Pie::coming; }

    void legal_actions(ActionList<Unane>& list) const {
        const auto able = this->able();
        (own_ & ~able[removal]).each([&](int from) {
            for (int d = 0; d < 4; ++d) {
                if (able[d].test(from)) list.push_back(4 * from + d);
            }
        });
        able[removal].each([&](int cell) { list.push_back(rules_->first_remove() + cell); });
        if (pie_ == Pie::available) list.push_back(rules_->swap());
    }

    int count_legal_actions() const {
        int count = pie_ == Pie::available;
        for (const auto& stones : able()) count += stones.count();
        return count;
    }

    bool is_legal(Action action) const {
        if (action == rules_->swap()) return pie_ == Pie::available;
        if (action >= rules_->first_remove()) {
            const int cell = action - rules_->first_remove();
            return own_.test(cell) && (grid().neighbours(cell) & enemy_).none();
        }
        const int from = action / 4, to = grid().neighbour(from)[action % 4];
        return to >= 0 && own_.test(from) && enemy_.test(to);
    }

    Action random_action(Rng& rng) const {
        const auto able = this->able();
        std::array<int, 5> first;  // the ordinal number of the first action of each kind
        int count = 0;
        for (int kind = 0; kind < 5; ++kind) {
            first[kind] = count;
            count += able[kind].count();
        }
        const int k = rng.below(count + (pie_ == Pie::available));
        if (k == count) [[unlikely]]
            return rules_->swap();
        // Counted rather than searched for: which kind it is cannot be predicted, so a branch would be slow.
        int kind = 0;
        for (int next = 1; next < 5; ++next) kind += k >= first[next];
        const int cell = able[kind].select(k - first[kind]);
        return kind == removal ? rules_->first_remove() + cell : 4 * cell + kind;
    }

    std::string explain(Action action) const {
        if (action == rules_->swap()) {
            if (!rules_->pie) return "this game is played without the pie rule, so there is no swap";
            if (pie_ == Pie::swapped) return "the players have swapped already";
            return "swap is possible only right after Black's first move";
        }
        const bool remove = action >= rules_->first_remove();
        const int from = remove ? action - rules_->first_remove() : action / 4;
        const auto name = grid().name(from);
        if (enemy_.test(from)) return "the stone on " + name + " is not yours";
        if (!own_.test(from)) return name + " is empty: there is no stone to " + (remove ? "remove" : "capture with");
        if (remove) {
            const Set enemies = grid().neighbours(from) & enemy_;
            return "the stone on " + name + " has an enemy stone beside it, on " + grid().name(enemies.lowest()) +
                   ", so it may capture but not be removed";
        }
        const int to = grid().neighbour(from)[action % 4];
        if (to < 0) return name + " has no point on that side";
        return grid().name(to) + (own_.test(to) ? " holds a stone of yours: only an enemy stone is captured"
                                                : " is empty: there is no enemy stone to capture");
    }

    /// One sentence on how a finished game ended.
    std::string ending() const {
        const bool both = has_one_group(own_) && has_one_group(enemy_);
        const bool white_wins = has_one_group(enemy_) != white_to_move_;
        const auto winner = std::string(white_wins ? "White" : "Black");
        return both ? "both colours have exactly one group, so " + winner + ", who moved last, wins"
                    : winner + " has exactly one group and wins";
    }

    void apply(Action action) {
        if (pie_ == Pie::coming || pie_ == Pie::available) [[unlikely]] {
            apply_with_pie(action);
        } else {
            move(action);
        }
    }

    std::uint64_t hash() const { return hash_combine(hash_combine(2 * pie_shown() + white_to_move_, own_), enemy_); }

    friend bool operator==(const Unane& a, const Unane& b) {
        return a.own_ == b.own_ && a.enemy_ == b.enemy_ && a.white_to_move_ == b.white_to_move_ && a.pie_ == b.pie_ &&
               a.outcome_ == b.outcome_;
    }

    void observe(int player, std::span<float> planes) const {
        const int area = grid().cells();
        const bool mover = player == current_player();
        float* out = planes.data();
        out = expand(mover ? own_ : enemy_, area, out);
        out = expand(mover ? enemy_ : own_, area, out);
        for (bool holds : {!white_to_move_, pie_ == Pie::available, pie_ == Pie::swapped, player == person(black)}) {
            out = repeat(holds ? 1.0f : 0.0f, area, out);
        }
    }

    void write_legal_mask(std::span<std::uint8_t> mask) const {
        const auto [east, north, west, south, removable] = able();
        const int cells = grid().cells();
        std::uint8_t* out = expand_interleaved(std::array{east, north, west, south}, cells, mask.data());
        out = expand(removable, cells, out);
        *out = pie_ == Pie::available;
    }

    /// With the pie rule the colours are not alike until the swap has been made or passed by.
    bool allows(Exchange exchange) const {
        const bool alike = pie_ != Pie::available && !(rules_->pie && (own_ | enemy_) == grid().all());
        return (exchange & of_colours) == 0 || alike;
    }
    Unane image(const Symmetry& symmetry) const {
        Unane state = *this;
        state.own_ = quincunx::image(own_, symmetry.points);
        state.enemy_ = quincunx::image(enemy_, symmetry.points);
        state.white_to_move_ = white_to_move_ != ((symmetry.exchange & of_colours) != 0);
        state.outcome_ = exchanged(outcome_, symmetry.exchange);
        return state;
    }
    template <class Visit>
    void each_piece(Visit&& visit) const {
        for (bool colour : {black, white}) stones(colour).each([&](int cell) { visit(int{colour}, cell, 1); });
    }
    std::uint64_t key_beside_pieces(Exchange exchange) const {
        return mix(2 * pie_shown() + (white_to_move_ ^ (exchange & of_colours)));
    }

private:
    static constexpr bool black = false, white = true;

    /// `coming`: Black is to move on a full board, so the swap will be available after that.
    enum class Pie : std::uint8_t { none, coming, available, swapped };

    explicit Unane(const Rules& rules) : rules_(&rules) {}

    /// What the position string tells of the pie rule.
    std::uint64_t pie_shown() const { return static_cast<std::uint64_t>(pie_ == Pie::coming ? Pie::none : pie_); }

    const auto& grid() const { return rules_->grid(); }
    const Set& stones(bool colour) const { return colour == white_to_move_ ? own_ : enemy_; }
    /// The person who has a colour.
    int person(bool colour) const { return colour != (pie_ == Pie::swapped); }

    static constexpr int removal = 4;  // the kind of action beside the captures in directions 0 … 3
    /// The mover's stones that can capture towards E, N, W and S, and those that can be removed.
    std::array<Set, 5> able() const {
        // The stones beside whose eastern side an enemy stands are found by shifting the enemies west, and so on.
        const auto& board = grid();
        const Set east = own_ & board.template shifted<2>(enemy_), north = own_ & board.template shifted<3>(enemy_);
        const Set west = own_ & board.template shifted<0>(enemy_), south = own_ & board.template shifted<1>(enemy_);
        return {east, north, west, south, own_ & ~(east | north | west | south)};
    }

    void move(Action action) {
        const auto& [from, to] = rules_->effect[action];
        own_ = (own_ & ~from) | to;
        enemy_ &= ~to;
        std::swap(own_, enemy_);
        white_to_move_ = !white_to_move_;
        look_for_winner();
    }

    void apply_with_pie(Action action) {
        if (action == rules_->swap()) {
            pie_ = Pie::swapped;  // the persons change colours; the colour to move stays
            return;
        }
        const bool first = pie_ == Pie::coming;
        move(action);
        pie_ = first && outcome_ == Outcome::running ? Pie::available : Pie::none;
    }

    /// Exactly one group wins; if both colours have it, the player not to move wins, who moved last.
    void look_for_winner() {
        if (surely_several_groups(own_) && surely_several_groups(enemy_)) [[likely]]
            return;
        if (has_one_group(enemy_)) {
            outcome_ = win_for(person(!white_to_move_));
        } else if (has_one_group(own_)) {
            outcome_ = win_for(person(white_to_move_));
        }
    }

    /// n stones with p adjacent pairs form at least n − p groups, for a pair joins at most two. In random games this
    /// decides every ply but the last.
    bool surely_several_groups(const Set& stones) const {
        const auto& board = grid();
        const Set across = stones & board.template shifted<2>(stones), up = stones & board.template shifted<3>(stones);
        return (stones & ~across).count() - up.count() > 1;
    }

    bool has_one_group(const Set& stones) const {
        if (stones.none()) return false;
        Set group = Set::of(stones.lowest());
        for (;;) {
            const Set grown = group | (grid().adjacent(group) & stones);
            if (grown == group) return group == stones;
            group = grown;
        }
    }

    /// Reads the last two fields, for the stones and the colour to move already read.
    Pie parse_pie(std::string_view pie, std::string_view swapped) const {
        if (pie != "p" && pie != "-") bad_field("pie", pie, "'p' or '-'");
        if (swapped != "s" && swapped != "-") bad_field("swapped", swapped, "'s' or '-'");
        const int empty = grid().cells() - (own_ | enemy_).count();
        if (pie == "p") {
            const std::string problem = !rules_->pie      ? "the game is played without the pie rule"
                                        : !white_to_move_ ? "only White, 'o', may swap"
                                        : swapped == "s"  ? "the players have swapped already"
                                        : empty != 1      ? "exactly one point must be empty after Black's first move"
                                                          : "";
            if (!problem.empty()) throw PositionError("the field 'pie' is 'p', but " + problem);
            return Pie::available;
        }
        if (swapped == "s") {
            const std::string problem = !rules_->pie ? "the game is played without the pie rule"
                                        : empty == 0 ? "the board is full, so nobody has moved"
                                                     : "";
            if (!problem.empty()) throw PositionError("the field 'swapped' is 's', but " + problem);
            return Pie::swapped;
        }
        return rules_->pie && empty == 0 && !white_to_move_ ? Pie::coming : Pie::none;
    }

    const Rules* rules_;
    Set own_{}, enemy_{};  // of the colour to move and of the other
    bool white_to_move_ = black;
    Pie pie_ = Pie::none;
    Outcome outcome_ = Outcome::running;
};

static_assert(Symmetric<Unane<FixedGrid<8, 8>>>);

}  // namespace quincunx
