// Meigo on a square grid: Go with stones that lie marked or unmarked and prisoners that are spent to hold; the last
// player able to play or hold wins. Source: the rule sheet of Meigo by Luis Bolaños Mures.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

/// What a game of Meigo may have beside the size of its board.
struct MeigoOptions {
    int prison_black = 0;         // black stones in the prison at the start: each is a hold for White
    std::vector<int> handicap{};  // the cells of the black stones that are Black's first turn; none: he places one
    bool auction = false;         // player 0 chooses prison_black, player 1 the colour; not with the two above
    bool friendly_reach = false;  // marked enemy stones block the path to a stone
    int repetition = 0;           // the occurrence of a position that is a draw; 0: none
    int max_plies = -1;           // the length that is a draw; 0: none, −1: 20 a cell
};

template <class Board>
class Meigo {
public:
    using Set = typename Board::Set;
    static constexpr int max_cells = Board::max_cells;
    /// `hold` beside a play on every cell but one (the board is never empty then), or `prison 0` … `prison w·h`.
    static constexpr int max_legal_actions = max_cells + 1;
    static constexpr int most_prisoners = 1'000'000;  // of a colour, in a position string

    // The rules know no direction, and but for the beginning are the same for both colours. Kinds of piece here:
    // colour, and 2 more if marked.
    static constexpr int max_point_maps = 8, exchanges = 2, piece_kinds = 4;

    class Rules {
    public:
        Rules(int width, int height, const MeigoOptions& options = {})
            : board_(width, height),
              prison_black(options.prison_black),
              handicap(options.handicap),
              auction(options.auction),
              friendly_reach(options.friendly_reach),
              repetition(options.repetition),
              max_plies(options.max_plies < 0 ? 20 * width * height : options.max_plies) {}

        const auto& grid() const { return board_.grid(); }

        // Action ids: play = cell, then `hold`; with the auction also `prison k`, k = 0 … cells, `black` and `white`.
        Action hold() const { return grid().cells(); }
        Action prison(int k) const { return grid().cells() + 1 + k; }
        Action black() const { return 2 * grid().cells() + 2; }
        Action white() const { return 2 * grid().cells() + 3; }

        int num_distinct_actions() const { return auction ? white() + 1 : hold() + 1; }
        /// A plain ko can go on for ever, so there is no bound but the one that is set.
        int max_game_length() const { return max_plies; }
        /// Planes of height×width at (row, column): own unmarked, own marked, enemy unmarked, enemy marked stones;
        /// then planes of one value: own stones in the prison / cells, enemy stones in the prison / cells, 1 if the
        /// last stone was placed unmarked, 1 if marked, 1 if Black's first turn is still to come, 1 if White's is,
        /// 1 if Black is to move, 1 if the observer has Black, 1 if the number of prisoners is to be chosen, 1 if the
        /// colour is. Until the colours are chosen the observer is taken to have the colour he would have without it.
        std::vector<int> observation_shape() const { return {14, grid().height(), grid().width()}; }

        std::string action_to_string(Action action) const {
            if (action < hold()) return grid().name(action);
            if (action == hold()) return "hold";
            if (action == black()) return "black";
            if (action == white()) return "white";
            return "prison " + std::to_string(action - prison(0));
        }

        Action string_to_action(std::string_view text) const {
            constexpr std::string_view choose_prison = "prison ";
            if (text == "hold") return hold();
            if (const auto cell = grid().parse(text)) return *cell;
            if (auction) {
                if (text == "black") return black();
                if (text == "white") return white();
                if (text.substr(0, choose_prison.size()) == choose_prison) {
                    if (const auto k = parse_number(text.substr(choose_prison.size()), grid().cells()))
                        return prison(*k);
                }
            }
            throw ActionTextError(quoted(text) + " is not an action of Meigo: a play is " + grid().names() +
                                  " (no column is named i), or 'hold'" +
                                  (auction ? ", and the auction has 'prison 0' to 'prison " +
                                                 std::to_string(grid().cells()) + "', 'black' and 'white'"
                                           : ""));
        }

        std::vector<PointMap> point_maps() const { return grid().symmetries(); }
        Action image(Action action, const Symmetry& symmetry) const {
            return action < hold() ? symmetry.points.point[static_cast<std::size_t>(action)] : action;
        }
        PlaneImage plane_image(int plane, Exchange exchange) const {
            return {plane, (exchange & of_colours) && (plane == 10 || plane == 11)};
        }
        int place_in_plane(int cell) const { return cell; }

    private:
        Board board_;

    public:
        const int prison_black;
        const std::vector<int> handicap;
        const bool auction, friendly_reach;
        const int repetition, max_plies;
    };

    enum class Last : std::uint8_t { none, unmarked, marked };
    enum class First : std::uint8_t { none, white, both };
    enum class Auction : std::uint8_t { over, prison, colour };

    /// Everything a position string shows; the sets are of cells.
    struct Whole {
        std::array<Set, 2> stones{}, marked{};  // by colour, Black's first
        std::array<std::int32_t, 2> prison{};
        int colour = 0;  // to move
        Last last_stone = Last::none;
        First first_turns = First::none;
        Auction auction = Auction::over;
        bool swapped = false;
    };
    Whole whole() const {
        Whole all{.prison = prison_,
                  .colour = colour_,
                  .last_stone = last_stone_,
                  .first_turns = first_turns_,
                  .auction = auction_,
                  .swapped = swapped_};
        for (int colour : {black, white}) {
            stones_[colour].each([&](int point) { all.stones[colour].set(cell_of(point)); });
            marked_[colour].each([&](int point) { all.marked[colour].set(cell_of(point)); });
        }
        return all;
    }
    /// The position as if read from its position string, which must not be refused.
    static Meigo of(const Rules& rules, const Whole& all) {
        Meigo state(rules);
        for (int colour : {black, white}) {
            all.stones[colour].each(
                [&](int cell) { state.put(state.point_of(cell), colour, all.marked[colour].test(cell)); });
        }
        state.prison_ = all.prison;
        state.colour_ = static_cast<std::uint8_t>(all.colour);
        state.last_stone_ = all.last_stone;
        state.first_turns_ = all.first_turns;
        state.auction_ = all.auction;
        state.swapped_ = all.swapped;
        state.rebuild();
        state.find_ordinary();
        state.look_for_end();
        return state;
    }
    /// Takes equally many stones of both colours out of the prison, all of one of them. That changes who can force a
    /// win for neither, see docs/solved.md.
    void cancel_prisoners() {
        const auto both = std::min(prison_[black], prison_[white]);
        for (auto& count : prison_) count -= both;
        if (both > 0 && outcome_ == Outcome::running) look_for_end();
    }

    static Meigo initial(const Rules& rules) {
        Meigo state(rules);
        state.prison_[black] = rules.prison_black;
        state.first_turns_ = First::both;
        if (rules.auction) state.auction_ = Auction::prison;
        if (!rules.handicap.empty()) {
            for (int cell : rules.handicap) state.put(state.point_of(cell), black, false);
            state.last_stone_ = Last::unmarked;
            state.first_turns_ = First::white;
            state.colour_ = white;
        }
        state.rebuild();
        state.find_ordinary();
        return state;  // never over: at least two points are empty
    }

    static Meigo parse(const Rules& rules, std::string_view text) {
        const auto fields = rules.auction
                                ? position_fields(text, {"rows", "player", "black in prison", "white in prison",
                                                         "last stone", "first turns", "auction"})
                                : position_fields(text, {"rows", "player", "black in prison", "white in prison",
                                                         "last stone", "first turns"});
        Meigo state(rules);
        state.read_rows(fields[0]);
        if (fields[1] != "x" && fields[1] != "o") bad_field("player", fields[1], "'x' or 'o'");
        state.colour_ = fields[1] == "x" ? black : white;
        for (int colour : {black, white}) {
            const auto number = parse_number(fields[2 + colour], most_prisoners);
            if (!number) {
                bad_field(colour == black ? "black in prison" : "white in prison", fields[2 + colour],
                          "a number from 0 to " + std::to_string(most_prisoners));
            }
            state.prison_[colour] = *number;
        }
        state.read_last_stone(fields[4]);
        state.read_first_turns(fields[5]);
        if (rules.auction) state.read_auction(fields[6]);
        state.rebuild();
        state.find_ordinary();
        state.look_for_end();
        return state;
    }

    std::string position() const {
        std::string text;
        for (int row = grid().height() - 1; row >= 0; --row) {
            for (int column = 0; column < grid().width(); ++column) {
                const int point = row * stride() + column;
                text += stones_[black].test(point)   ? (marked_[black].test(point) ? 'X' : 'x')
                        : stones_[white].test(point) ? (marked_[white].test(point) ? 'O' : 'o')
                                                     : '.';
            }
            text += row > 0 ? '/' : ' ';
        }
        text += colour_ == black ? "x " : "o ";
        text += std::to_string(prison_[black]) + " " + std::to_string(prison_[white]);
        text += last_stone_ == Last::none ? " -" : last_stone_ == Last::marked ? " m" : " u";
        text += first_turns_ == First::none ? " -" : first_turns_ == First::white ? " o" : " xo";
        if (rules_->auction) {
            text += auction_ == Auction::prison ? " k" : auction_ == Auction::colour ? " c" : swapped_ ? " s" : " -";
        }
        return text;
    }

    Outcome outcome() const { return outcome_; }
    int current_player() const {
        if (auction_ != Auction::over) return auction_ == Auction::prison ? 0 : 1;
        return person(colour_);
    }
    bool in_turn() const { return false; }

    void legal_actions(ActionList<Meigo>& list) const {
        if (auction_ == Auction::prison) {
            for (int k = 0; k <= grid().cells(); ++k) list.push_back(rules_->prison(k));
        } else if (auction_ == Auction::colour) {
            list.push_back(rules_->black());
            list.push_back(rules_->white());
        } else {
            plays().each([&](int point) { list.push_back(cell_of(point)); });
            if (can_hold()) list.push_back(rules_->hold());
        }
    }

    int count_legal_actions() const {
        if (auction_ != Auction::over) return auction_ == Auction::prison ? grid().cells() + 1 : 2;
        return plays().count() + can_hold();
    }

    bool is_legal(Action action) const {
        if (auction_ == Auction::prison) return action >= rules_->prison(0) && action < rules_->black();
        if (auction_ == Auction::colour) return action >= rules_->black();
        if (action < rules_->hold()) return empty_.test(point_of(action)) && can_play(point_of(action));
        return action == rules_->hold() && can_hold();
    }

    Action random_action(Rng& rng) const {
        if (auction_ != Auction::over) [[unlikely]] {
            return auction_ == Auction::prison ? rules_->prison(rng.below(grid().cells() + 1))
                                               : rules_->black() + rng.below(2);
        }
        return draw(empty_, rng);
    }

    // ---- for the playouts of a search, see docs/search.md

    /// A random action that spares one's own eyes: points beside nothing but own stones. -1 if there is nothing else.
    Action sensible_action(Rng& rng) const {
        if (auction_ != Auction::over) return random_action(rng);
        return draw(empty_ & beside(empty_ | stones_[enemy()]), rng);
    }

    /// After so many plies a playout is judged instead of played on: then the board is settled for the most part.
    int plies_to_judge() const { return grid().cells(); }

    /// A guess at the winner, who has more turns left in empty regions and in the prison: the player to move runs out
    /// first if both have as many.
    Outcome judge() const {
        const auto turns = [&](int colour) {
            const Set open = flood(empty_ & beside(stones_[1 - colour]), empty_);
            return (empty_ & ~open).count() + prison_[1 - colour];
        };
        return win_for(person(turns(colour_) > turns(enemy()) ? colour_ : enemy()));
    }

    std::string explain(Action action) const {
        if (auction_ == Auction::prison) {
            return "player 0 first chooses how many black stones begin in the prison, with 'prison 0' to 'prison " +
                   std::to_string(grid().cells()) + "'";
        }
        if (auction_ == Auction::colour) return "player 1 now chooses a colour, with 'black' or 'white'";
        if (action > rules_->hold()) return "the auction is over: the prison and the colours are chosen";
        if (action == rules_->hold()) {
            return first_turns_ != First::none
                       ? std::string("the first turn of ") + name_of(colour_) +
                             " is to place a stone: it cannot be a hold"
                       : "hold needs an enemy stone in the prison: there is no " + adjective(enemy()) + " one";
        }
        const auto name = grid().name(action);
        if (!empty_.test(point_of(action))) return name + " is occupied";
        const Play play = play_at(point_of(action));
        if (play.liberties.none()) {
            const int stones = play.chain.count();
            return name + " is suicide: the new " +
                   (stones == 1 ? std::string("stone") : "chain of " + std::to_string(stones) + " stones") +
                   " would have no liberty";
        }
        const Set forbidden = play.captured & marked_[enemy()];
        return name + " would place a marked stone and capture the marked stone" + (forbidden.several() ? "s" : "") +
               " at " + names(forbidden) + ", which is not allowed just after a marked stone was placed";
    }

    /// What a legal action would do, in one sentence: how the stone would lie, which stones flip, which are captured.
    std::string preview(Action action) const {
        if (action > rules_->hold()) return rules_->action_to_string(action) + " is a choice of the auction";
        if (action == rules_->hold()) return "hold takes a " + adjective(enemy()) + " stone out of the prison";
        const auto name = grid().name(action);
        if (first_turns_ != First::none) return name + " would be unmarked: a first turn changes no other stone";
        const Play play = play_at(point_of(action));
        std::string text = name + (play.marked ? " would be marked" : " would be unmarked");
        if (play.flipped.any()) text += ", unmark " + names(play.flipped);
        if (play.captured.any()) text += ", capture " + names(play.captured);
        return text;
    }

    void apply(Action action) {
        ++ply_;
        if (auction_ != Auction::over) [[unlikely]] {
            bid(action);
        } else {
            if (action == rules_->hold()) {
                hold();
            } else if (ordinary_) {
                play(point_of(action));
            } else {
                play_by_definition(point_of(action));
            }
            if (!can_hold() && !can_play_somewhere()) outcome_ = win_for(person(enemy()));
        }
        if (ply_ == rules_->max_plies && outcome_ == Outcome::running) outcome_ = Outcome::draw;
    }

    std::string ending() const {
        if (outcome_ == Outcome::running) return "the game is not over";
        if (outcome_ == Outcome::draw) {
            return ply_ == rules_->max_plies
                       ? std::to_string(ply_) + " plies were played: a draw"
                       : "the position occurred " + std::to_string(rules_->repetition) + " times: a draw";
        }
        return std::string(name_of(colour_)) + " can neither play nor hold, so " + name_of(enemy()) + " wins";
    }

    std::uint64_t hash() const {
        std::uint64_t h = repetition_key();
        for (int prisoners : prison_) h = hash_combine(h, static_cast<std::uint64_t>(prisoners));
        return hash_combine(h, static_cast<std::uint64_t>(first_turns_) << 1 | swapped_);
    }

    friend bool operator==(const Meigo& a, const Meigo& b) {
        return a.stones_ == b.stones_ && a.marked_ == b.marked_ && a.colour_ == b.colour_ && a.prison_ == b.prison_ &&
               a.last_stone_ == b.last_stone_ && a.first_turns_ == b.first_turns_ && a.auction_ == b.auction_ &&
               a.swapped_ == b.swapped_ && a.outcome_ == b.outcome_;
    }

    int repetition_limit() const { return rules_->repetition; }
    /// Board, marks, colour to move and how the last stone was placed; the stages of the auction differ.
    std::uint64_t repetition_key() const {
        std::uint64_t h =
            static_cast<std::uint64_t>(colour_ | static_cast<int>(last_stone_) << 1 | static_cast<int>(auction_) << 3);
        for (int colour : {black, white}) h = hash_combine(hash_combine(h, stones_[colour]), marked_[colour]);
        return h;
    }
    int ply() const { return ply_; }
    /// Nothing in Meigo is for ever.
    int reversible_plies() const { return ply_; }
    void end_by_repetition() { outcome_ = Outcome::draw; }

    void observe(int player, std::span<float> planes) const {
        const int area = grid().cells();
        const int own = person(player), enemy = 1 - own;  // the colours of the observer and of the other
        float* out = planes.data();
        for (int colour : {own, enemy}) {
            out = expand(without_walls(stones_[colour] & ~marked_[colour]), area, out);
            out = expand(without_walls(marked_[colour]), area, out);
        }
        const auto fill = [&](float value) { out = repeat(value, area, out); };
        fill(static_cast<float>(prison_[own]) / static_cast<float>(area));
        fill(static_cast<float>(prison_[enemy]) / static_cast<float>(area));
        fill(last_stone_ == Last::unmarked);
        fill(last_stone_ == Last::marked);
        fill(first_turns_ == First::both);
        fill(first_turns_ != First::none);
        fill(colour_ == black);
        fill(own == black);
        fill(auction_ == Auction::prison);
        fill(auction_ == Auction::colour);
    }

    void write_legal_mask(std::span<std::uint8_t> mask) const {
        const bool playing = auction_ == Auction::over;
        std::uint8_t* out = expand(playing ? without_walls(plays()) : Set{}, grid().cells(), mask.data());
        *out++ = playing && can_hold();
        if (!rules_->auction) return;
        out = std::fill_n(out, grid().cells() + 1, std::uint8_t{auction_ == Auction::prison});
        std::fill_n(out, 2, std::uint8_t{auction_ == Auction::colour});
    }

    /// Once both first turns are over, and with them the auction, the colours are alike.
    bool allows(Exchange exchange) const { return (exchange & of_colours) == 0 || first_turns_ == First::none; }
    Meigo image(const Symmetry& symmetry) const {
        Meigo state(*rules_);
        const int exchange = symmetry.exchange & of_colours;
        each_piece([&](int kind, int cell, std::uint64_t) {
            const int to = symmetry.points.point[static_cast<std::size_t>(cell)];
            state.put(point_of(to), (kind & 1) ^ exchange, kind >= 2);
        });
        for (int colour : {black, white}) state.prison_[colour ^ exchange] = prison_[colour];
        state.ply_ = ply_;
        state.colour_ = static_cast<std::uint8_t>(colour_ ^ exchange);
        state.last_stone_ = last_stone_;
        state.first_turns_ = first_turns_;
        state.auction_ = auction_;
        state.swapped_ = swapped_;
        state.outcome_ = exchanged(outcome_, symmetry.exchange);
        state.rebuild();
        state.find_ordinary();
        return state;
    }
    template <class Visit>
    void each_piece(Visit&& visit) const {
        for (int colour : {black, white}) {
            marked_[colour].each([&](int point) { visit(colour + 2, cell_of(point), 1); });
            (stones_[colour] & ~marked_[colour]).each([&](int point) { visit(colour, cell_of(point), 1); });
        }
    }
    std::uint64_t key_beside_pieces(Exchange exchange) const {
        const int first = exchange & of_colours;
        const int rest = (colour_ ^ first) | static_cast<int>(last_stone_) << 1 | static_cast<int>(auction_) << 3 |
                         static_cast<int>(first_turns_) << 5 | int{swapped_} << 7;
        const auto key = mix(static_cast<std::uint64_t>(rest));
        return hash_combine(hash_combine(key, static_cast<std::uint64_t>(prison_[first])),
                            static_cast<std::uint64_t>(prison_[1 - first]));
    }

    /// Whether all that is kept beside the stones is what they say: for tests.
    bool consistent() const {
        Meigo fresh = *this;
        fresh.rebuild();
        fresh.find_ordinary();
        if (fresh.empty_ != empty_ || fresh.ordinary_ != ordinary_) return false;
        for (int colour : {black, white}) {
            if (first_turns_ != First::none || (colour != colour_ && (plays_known_ >> colour & 1) == 0)) continue;
            fresh.colour_ = static_cast<std::uint8_t>(colour);
            Set allowed = empty_;
            bool same = true;
            empty_.each([&](int point) {
                const Play play = fresh.play_at(point);
                if (!fresh.is_allowed(play)) allowed.reset(point);
                same = same && fresh.can_play(point) == allowed.test(point);
                same = same && fresh.would_be_marked(point, fresh.kinds_beside(slot_of(point))) == play.marked;
            });
            if (!same || (colour == colour_ ? plays() : plays_[colour]) != allowed) return false;
        }
        for (Index slot = 0; slot < slots; ++slot) {
            if (fresh.at_[slot] != at_[slot] || (head_[slot] == 0) != (at_[slot] == vacant || at_[slot] == 0))
                return false;
            if (head_[slot] == 0) continue;
            if (fresh.liberties_[fresh.head_[slot]] != liberties_[head_[slot]]) return false;
            const auto ring = [slot](const Meigo& state) {
                Set stones{};
                for (Index s = slot; !stones.test(state.point_at(s)); s = state.next_[s]) stones.set(state.point_at(s));
                return stones;
            };
            if (ring(fresh) != ring(*this) || head_[next_[slot]] != head_[slot]) return false;
        }
        return at_[0] == 0 && head_[0] == 0;
    }

private:
    static constexpr int black = 0, white = 1;
    static constexpr int most_tries = 6;  // of a random action, before the legal ones are listed
    explicit Meigo(const Rules& rules) : rules_(&rules) {}

    const auto& grid() const { return rules_->grid(); }
    static const char* name_of(int colour) { return colour == black ? "Black" : "White"; }
    static std::string adjective(int colour) { return colour == black ? "black" : "white"; }
    std::string names(const Set& points) const {
        std::string text;
        points.each([&](int point) { text += (text.empty() ? "" : ", ") + grid().name(cell_of(point)); });
        return text;
    }
    /// The loss of a player who can neither play nor hold.
    void look_for_end() {
        if (auction_ == Auction::over && !can_hold() && !can_play_somewhere()) outcome_ = win_for(person(enemy()));
    }
    /// The person who has a colour, and the colour that a person has: the same exchange.
    int person(int colour) const { return swapped_ ? 1 - colour : colour; }
    int enemy() const { return colour_ ^ 1; }
    /// Asked more than once a ply, with an answer that no branch predictor knows: without branches.
    bool can_hold() const { return (int{first_turns_ == First::none} & int{prison_[enemy()] > 0}) != 0; }

    // ---- layout: every row has one point more than the board has columns, which is always a wall

    /// The numbers of neighbours differ by 1 and by the stride, and a shift of a set by these never meets an edge:
    /// what it moves off the board falls on walls. No less words than without walls are needed at 9×9 and 19×19.
    int stride() const { return grid().width() + 1; }
    int point_of(int cell) const {
        return cell + static_cast<int>(static_cast<unsigned>(cell) / static_cast<unsigned>(grid().width()));
    }
    int cell_of(int point) const {
        return point - static_cast<int>(static_cast<unsigned>(point) / static_cast<unsigned>(stride()));
    }

    /// The points beside those of a set, walls and members included.
    template <class Part>
    Part beside(const Part& set) const {
        return set << 1 | set >> 1 | set << stride() | set >> stride();
    }

    /// A set of points as a set of cells.
    Set without_walls(const Set& points) const {
        const int width = grid().width();
        Set cells{};
        for (int row = 0; row < grid().height(); ++row) {
            cells.add_slice(row * width, width, points.slice(row * stride(), width));
        }
        return cells;
    }

    Set all_points() const {
        Set all{};
        for (int cell = 0; cell < grid().cells(); ++cell) all.set(point_of(cell));
        return all;
    }

    /// What is kept for each point is in arrays with a row of walls below and one above; slot 0 is one of those.
    static constexpr std::size_t slots = [] {
        if constexpr (requires { Board::width; }) {
            return (Board::width + 1) * (Board::height + 2) + 1;
        } else {
            return 64 * Board::words + 2 * 20 + 1;
        }
    }();
    using Index = std::size_t;  // of a slot: a number of the width of an address saves many conversions
    Index row() const { return static_cast<Index>(stride()); }  // the way from a slot to the one above
    Index slot_of(int point) const { return static_cast<Index>(point) + row(); }
    int point_at(Index slot) const { return static_cast<int>(slot - row()); }
    using Slot = std::conditional_t<(slots <= 256), std::uint8_t, std::uint16_t>;
    /// No chain has more pseudo-liberties than the grid has edges, which are fewer than two a cell.
    using Count = std::conditional_t<(max_cells <= 128), std::uint8_t, std::uint16_t>;

    /// What a slot holds, one bit for each kind, so that the kinds around a cell are a disjunction; 0 off the board.
    using Kinds = std::uint8_t;
    static constexpr Kinds vacant = 1;
    static constexpr Kinds unmarked_of(int colour) { return static_cast<Kinds>(2 << colour); }
    static constexpr Kinds marked_of(int colour) { return static_cast<Kinds>(8 << colour); }
    static constexpr Kinds stone_of(int colour) { return static_cast<Kinds>(10 << colour); }

    // A chain is a ring of slots (next_) that share a head, which is one of them. Its liberties are pseudo-liberties:
    // pairs of one of its stones and an empty point beside that, so that a liberty counts once for each stone at it.

    std::array<Index, 4> slots_beside(Index slot) const { return {slot + 1, slot + row(), slot - 1, slot - row()}; }
    Kinds kinds_beside(Index slot) const {
        return at_[slot + 1] | at_[slot + row()] | at_[slot - 1] | at_[slot - row()];
    }

    void put(int point, int colour, bool marked) {
        empty_.reset(point);
        stones_[colour].set(point);
        if (marked) marked_[colour].set(point);
        at_[slot_of(point)] = marked ? marked_of(colour) : unmarked_of(colour);
    }

    // ---- reach and marking

    /// The points that a path to a stone can step on.
    Set passable() const { return empty_ | marked_[colour_] | (rules_->friendly_reach ? Set{} : marked_[enemy()]); }

    Set flood(Set seeds, const Set& within) const {
        for (;;) {
            const Set grown = seeds | (beside(seeds) & within);
            if (grown == seeds) return seeds;
            seeds = grown;
        }
    }

    /// Whether a play with these kinds around it makes the marked friends it reaches flip.
    bool flips(Kinds around) const { return (around & marked_of(colour_)) && (around & unmarked_of(colour_)); }

    /// The marked friends that an empty point reaches.
    Set marked_friends_of(int point) const { return flood(Set::of(point), passable()) & marked_[colour_]; }

    /// How a stone on an empty point would lie, with these kinds around it.
    bool would_be_marked(int point, Kinds around) const {
        // A marked friend beside the point is reached, unless it flips, and then all those reached do.
        if (around & marked_of(colour_)) return !flips(around);
        const bool friend_beside = (around & unmarked_of(colour_)) != 0;
        const Kinds open = vacant | (rules_->friendly_reach ? Kinds{0} : marked_of(enemy()));
        if ((around & open) == 0) return !friend_beside;  // no path leads from the point to anywhere
        const bool some_marked = marked_[colour_].any();
        if (friend_beside && !some_marked) return false;
        // The first friend met settles the matter, or the first marked one if there are any.
        const Set& target = some_marked ? marked_[colour_] : stones_[colour_];
        const auto verdict = [&](Met met) { return met == Met::target ? some_marked : met == Met::nothing; };
        const Set passable = this->passable();
        if constexpr (Board::words > 3) {
            // Most searches end close to the point: three words around it will do, while no path leaves them.
            const int first = std::clamp(point / 64 - 1, 0, Board::words - 3);
            const auto part = [first](const Set& set) {
                return Bits<3>{{set.word[first], set.word[first + 1], set.word[first + 2]}};
            };
            Bits<3> border{};
            if (first > 0) border |= Bits<3>{{(std::uint64_t{1} << stride()) - 1, 0, 0}};
            if (first + 3 < Board::words) border |= Bits<3>{{0, 0, ~(~std::uint64_t{0} >> stride())}};
            const Met met =
                search(Bits<3>::of(point - 64 * first), part(passable), part(target), part(stones_[colour_]), border);
            if (met != Met::border) return verdict(met);
        }
        return verdict(search(Set::of(point), passable, target, stones_[colour_], Set{}));
    }

    /// Floods a region over passable points until it lies beside a target, or meets the border, or grows no more:
    /// then it lies beside some friends or beside nothing of interest.
    enum class Met { target, border, friends, nothing };
    template <class Part>
    Met search(Part region, const Part& passable, const Part& target, const Part& friends, const Part& border) const {
        for (;;) {
            const Part rim = beside(region);
            if ((rim & target).any()) return Met::target;
            const Part fresh = rim & passable & ~region;
            if (fresh.none()) return (rim & friends).any() ? Met::friends : Met::nothing;
            region |= fresh;
            if ((region & border).any()) return Met::border;
        }
    }

    // ---- plays by the definition: for explanations, and for the few plays that are not ordinary

    struct Play {
        bool marked;
        Set flipped, captured, chain, liberties;
    };

    Set without_liberties(const Set& stones, const Set& empty) const {
        return stones & ~flood(stones & beside(empty), stones);
    }

    /// What a play on an empty point would do.
    Play play_at(int point) const {
        const Set stone = Set::of(point), left = empty_ & ~stone;
        const Set &friends = stones_[colour_], &marked = marked_[colour_];
        Play play;
        const bool flips = (beside(stone) & marked).any() && (beside(stone) & friends & ~marked).any();
        play.flipped = flips ? flood(stone, passable()) & marked : Set{};
        const Set reached = beside(flood(stone, passable() & ~play.flipped)) & friends;
        play.marked = (reached & marked & ~play.flipped).any() || reached.none();
        play.captured = without_liberties(stones_[enemy()], left);
        play.chain = flood(stone, stones_[colour_] | stone);
        play.liberties = beside(play.chain) & (left | play.captured);
        return play;
    }

    bool is_allowed(const Play& play) const {
        if (play.liberties.none()) return false;
        return !(last_stone_ == Last::marked && play.marked && (play.captured & marked_[enemy()]).any());
    }

    void play_by_definition(int point) {
        if (first_turns_ != First::none) {
            // By the letter: no capture, and no liberty test either.
            place(point, false);
            last_stone_ = Last::unmarked;
            first_turns_ = colour_ == black ? First::white : First::none;
        } else {
            const Play play = play_at(point);
            const int enemy = this->enemy();
            put(point, colour_, play.marked);
            last_stone_ = play.marked ? Last::marked : Last::unmarked;
            marked_[colour_] &= ~play.flipped;
            stones_[enemy] &= ~play.captured;
            marked_[enemy] &= ~play.captured;
            prison_[enemy] += play.captured.count();
            rebuild();
        }
        find_ordinary();
        board_changed();
        end_turn();
    }

    /// Makes all that is kept beside the sets of stones.
    void rebuild() {
        empty_ = all_points() & ~(stones_[black] | stones_[white]);
        at_ = {};
        head_ = {};
        next_ = {};
        liberties_ = {};
        empty_.each([&](int point) { at_[slot_of(point)] = vacant; });
        for (int colour : {black, white}) {
            stones_[colour].each([&](int point) {
                const Index slot = slot_of(point);
                at_[slot] = marked_[colour].test(point) ? marked_of(colour) : unmarked_of(colour);
                head_[slot] = next_[slot] = static_cast<Slot>(slot);
                for (const Index other : slots_beside(slot)) liberties_[slot] += at_[other] == vacant;
            });
        }
        for (int colour : {black, white}) {
            stones_[colour].each([&](int point) {
                for (const Index other : slots_beside(slot_of(point))) {
                    if (at_[other] & stone_of(colour)) join(slot_of(point), other);
                }
            });
        }
    }

    void find_ordinary() {
        ordinary_ = first_turns_ == First::none && without_liberties(stones_[black], empty_).none() &&
                    without_liberties(stones_[white], empty_).none();
    }

    // ---- plays

    /// For an empty point, on any turn.
    bool can_play(int point) const {
        if (!ordinary_) [[unlikely]]
            return first_turns_ != First::none || is_allowed(play_at(point));
        const Index slot = slot_of(point);
        const Kinds around = kinds_beside(slot);
        // Any enemy stone beside the point may belong to a chain with marked stones elsewhere in it.
        const Kinds capturable = last_stone_ == Last::marked ? stone_of(enemy()) : Kinds{0};
        if ((around & capturable) && captures_marked(slot)) return !would_be_marked(point, around);
        if (around & vacant) return true;
        // No suicide if a friendly chain keeps a liberty or an enemy chain loses its last one.
        const Kinds own = stone_of(colour_);
        for (const Index other : slots_beside(slot)) {
            if (at_[other] != 0 && fills(slot, other) != ((at_[other] & own) != 0)) return true;
        }
        return false;
    }

    /// Whether a stone at an empty slot would take the last liberty of the chain at a slot beside it.
    bool fills(Index slot, Index other) const {
        const Slot head = head_[other];
        const int liberties = liberties_[head];
        // The stone touches the chain at one to four edges, and those are pseudo-liberties.
        if (liberties == 1 || liberties > 4) return liberties == 1;
        return liberties == (head_[slot + 1] == head) + (head_[slot + row()] == head) + (head_[slot - 1] == head) +
                                (head_[slot - row()] == head);
    }

    /// Whether a stone at an empty slot would capture a marked stone.
    bool captures_marked(Index slot) const {
        for (const Index other : slots_beside(slot)) {
            if (!(at_[other] & stone_of(enemy())) || !fills(slot, other)) continue;
            Index stone = other;
            do {
                if (at_[stone] & marked_of(enemy())) return true;
                stone = next_[stone];
            } while (stone != other);
        }
        return false;
    }

    /// `hold` or a play on one of some empty points, each legal one with the same probability; -1 if none is legal.
    Action draw(const Set& points, Rng& rng) const {
        const int holds = can_hold();
        if (!plays_known()) {
            // The points and `hold` are a superset of the legal actions; drawing again after a miss keeps it uniform.
            const int count = points.count();
            for (int tries = 0; count + holds > 0 && tries < most_tries; ++tries) {
                const int k = rng.below(count + holds);
                if (k == count) return rules_->hold();
                const int point = points.select(k);
                if (can_play(point)) return cell_of(point);
            }
        }
        const Set plays = points & this->plays();
        const int count = plays.count();
        if (count + holds == 0) return -1;
        const int k = rng.below(count + holds);
        return k == count ? rules_->hold() : cell_of(plays.select(k));
    }

    bool plays_known() const { return plays_known_ >> colour_ & 1; }

    /// All points where the player may play or, on his first turn, place a stone.
    Set plays() const {
        if (first_turns_ != First::none) return empty_;
        if (plays_known()) return plays_[colour_];
        Set once{}, twice{};
        for (const Set& shifted : {empty_ << 1, empty_ >> 1, empty_ << stride(), empty_ >> stride()}) {
            twice |= once & shifted;
            once |= shifted;
        }
        // An empty point beside another is no suicide.
        Set unclear = empty_ & ~once;
        // A stone that a play captures has no empty point beside it but that one.
        if (last_stone_ == Last::marked) unclear |= empty_ & beside(stones_[enemy()] & once & ~twice);
        if (!ordinary_) unclear = empty_;
        Set plays = empty_;
        unclear.each([&](int point) {
            if (!can_play(point)) plays.reset(point);
        });
        return plays;
    }

    bool can_play_somewhere() const {
        if (plays_known()) return plays_[colour_].any();
        for (int i = 0; i < Board::words; ++i) {
            for (auto w = empty_.word[i]; w != 0; w &= w - 1) {
                if (can_play(64 * i + std::countr_zero(w))) return true;
            }
        }
        return false;
    }

    void hold() {
        --prison_[enemy()];
        end_turn();
        // Late in the game the players hold many times in a row, with hardly any play: worth knowing them.
        if (held_ && !plays_known()) {
            plays_[colour_] = plays();
            plays_known_ |= static_cast<std::uint8_t>(1 << colour_);
        }
        held_ = true;
    }

    void play(int point) {
        const Kinds around = kinds_beside(slot_of(point));
        const bool marked = would_be_marked(point, around);
        if (flips(around)) {
            const Set flipped = marked_friends_of(point);
            marked_[colour_] &= ~flipped;
            flipped.each([&](int other) { at_[slot_of(other)] = unmarked_of(colour_); });
        }
        last_stone_ = marked ? Last::marked : Last::unmarked;
        if (place(point, marked)) capture_around(point);
        board_changed();
        end_turn();
    }

    /// Puts a stone on an empty point; true if that takes the last liberty of an enemy chain.
    bool place(int point, bool marked) {
        const int colour = colour_;
        const Kinds own = stone_of(colour), enemy = stone_of(1 - colour);
        put(point, colour, marked);
        // The stone takes the point from the liberties of the chains around. All this is free of branches: which of
        // the four slots hold what is as good as random.
        const Index slot = slot_of(point);
        const auto around = slots_beside(slot);
        int liberties = 0;
        unsigned friends = 0, captures = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const Count left = --liberties_[head_[around[i]]];  // an empty slot has the head 0, which is no chain
            const Kinds kind = at_[around[i]];
            liberties += kind == vacant;
            friends |= unsigned{(kind & own) != 0} << i;
            captures |= unsigned{(kind & enemy) != 0} & unsigned{left == 0};
        }
        if (friends == 0) {
            head_[slot] = next_[slot] = static_cast<Slot>(slot);
            liberties_[slot] = static_cast<Count>(liberties);
        } else {
            const Index first = around[static_cast<unsigned>(std::countr_zero(friends))];
            head_[slot] = head_[first];
            next_[slot] = std::exchange(next_[first], static_cast<Slot>(slot));
            liberties_[head_[first]] = static_cast<Count>(liberties_[head_[first]] + liberties);
            while ((friends &= friends - 1) != 0) join(slot, around[static_cast<unsigned>(std::countr_zero(friends))]);
        }
        return captures != 0;
    }

    /// Joins the chains of two slots, if they are two.
    void join(Index a, Index b) {
        const Index one = head_[a], other = head_[b];
        if (one == other) return;
        // The smaller has less liberties, as a rule; its stones get the other head.
        const bool smaller = liberties_[one] < liberties_[other];
        const Index into = smaller ? other : one, from = smaller ? one : other;
        liberties_[into] = static_cast<Count>(liberties_[into] + liberties_[from]);
        Index slot = from;
        do {
            head_[slot] = static_cast<Slot>(into);
            slot = next_[slot];
        } while (slot != from);
        std::swap(next_[into], next_[from]);
    }

    /// Sends the enemy chains beside a point that have no liberty left to the prison.
    void capture_around(int point) {
        for (const Index other : slots_beside(slot_of(point))) {
            if ((at_[other] & stone_of(enemy())) && liberties_[head_[other]] == 0) capture(other);
        }
    }

    void capture(Index slot) {
        const int enemy = this->enemy();
        Set captured{};
        do {
            captured.set(point_at(slot));
            at_[slot] = vacant;
            head_[slot] = 0;
            for (const Index other : slots_beside(slot)) ++liberties_[head_[other]];
            slot = next_[slot];
        } while (at_[slot] != vacant);
        prison_[enemy] += captured.count();
        stones_[enemy] &= ~captured;
        marked_[enemy] &= ~captured;
        empty_ |= captured;
    }

    void board_changed() {
        held_ = false;
        plays_known_ = 0;
    }

    void end_turn() { colour_ = static_cast<std::uint8_t>(enemy()); }

    void bid(Action action) {
        if (auction_ == Auction::prison) {
            prison_[black] = action - rules_->prison(0);
            auction_ = Auction::colour;
        } else {
            swapped_ = action == rules_->black();
            auction_ = Auction::over;
        }
    }

    // ---- position strings

    void read_rows(std::string_view field) {
        const auto rows = board_rows(field, grid().height(), [this](int) { return grid().width(); });
        for (int cell = 0; cell < grid().cells(); ++cell) {
            const char c = rows[cell / grid().width()][cell % grid().width()];
            if (c == '.') continue;
            if (c != 'x' && c != 'X' && c != 'o' && c != 'O') {
                bad_field("rows", std::string_view(&c, 1),
                          "of the characters 'x' (Black), 'o' (White), 'X' and 'O' (marked) and '.'");
            }
            put(point_of(cell), c == 'x' || c == 'X' ? black : white, c == 'X' || c == 'O');
        }
    }

    void read_last_stone(std::string_view field) {
        const Set stones = stones_[black] | stones_[white], marked = marked_[black] | marked_[white];
        if (field == "-") {
            if (stones.any()) throw PositionError("the field 'last stone' is '-', but there are stones on the board");
            last_stone_ = Last::none;
        } else if (field == "m") {
            if (marked.none())
                throw PositionError("the field 'last stone' is 'm', but no marked stone is on the board");
            last_stone_ = Last::marked;
        } else if (field == "u") {
            if ((stones & ~marked).none()) {
                throw PositionError("the field 'last stone' is 'u', but no unmarked stone is on the board");
            }
            last_stone_ = Last::unmarked;
        } else {
            bad_field("last stone", field, "'m' (marked), 'u' (unmarked) or '-' (none)");
        }
    }

    void read_first_turns(std::string_view field) {
        if (field == "-") {
            first_turns_ = First::none;
        } else if (field == "xo") {
            if ((stones_[black] | stones_[white]).any() || colour_ != black) {
                throw PositionError("the field 'first turns' is 'xo', which needs an empty board and 'x' to move");
            }
            first_turns_ = First::both;
        } else if (field == "o") {
            if (stones_[white].any() || marked_[black].any() || colour_ != white) {
                throw PositionError(
                    "the field 'first turns' is 'o', which needs 'o' to move and only unmarked black "
                    "stones on the board");
            }
            first_turns_ = First::white;
        } else {
            bad_field("first turns", field, "'xo', 'o' or '-' (none to come)");
        }
    }

    void read_auction(std::string_view field) {
        if (field == "k" || field == "c") {
            auction_ = field == "k" ? Auction::prison : Auction::colour;
            const bool impossible = auction_ == Auction::prison ? prison_[black] != 0 : prison_[black] > grid().cells();
            if (first_turns_ != First::both || prison_[white] != 0 || impossible) {
                throw PositionError(
                    "the field 'auction' is " + quoted(field) + ", which needs the start position with " +
                    (auction_ == Auction::prison
                         ? std::string("an empty prison")
                         : "at most " + std::to_string(grid().cells()) + " black stones in the prison"));
            }
        } else if (field == "s" || field == "-") {
            swapped_ = field == "s";
        } else {
            bad_field("auction", field,
                      "'k' (prisoners to be chosen), 'c' (colour to be chosen), 's' (player 0 has "
                      "White) or '-'");
        }
    }

    const Rules* rules_;
    std::array<Set, 2> stones_{}, marked_{};  // by colour, sets of points; the marked ones are stones too
    Set empty_{};
    std::array<Set, 2> plays_{};            // by colour: the legal plays, if they are known
    std::array<std::int32_t, 2> prison_{};  // stones of each colour
    std::int32_t ply_ = 0;
    std::uint8_t colour_ = black;  // to move
    Last last_stone_ = Last::none;
    First first_turns_ = First::none;  // still to come
    Auction auction_ = Auction::over;
    bool swapped_ = false;  // player 0 has White
    /// No auction, no first turn to come, and no chain without liberties, which first turns and positions may leave.
    bool ordinary_ = false;
    bool held_ = false;             // the last action was a hold
    std::uint8_t plays_known_ = 0;  // bit for each colour
    Outcome outcome_ = Outcome::running;
    std::array<Kinds, slots> at_{};
    std::array<Slot, slots> head_{}, next_{};
    std::array<Count, slots> liberties_{};  // of the chain with this head
};

static_assert(State<Meigo<FixedGrid<9, 9, Columns::skip_i>>>);
static_assert(Repeating<Meigo<FixedGrid<9, 9, Columns::skip_i>>>);
static_assert(Symmetric<Meigo<FixedGrid<9, 9, Columns::skip_i>>>);
static_assert(sizeof(Meigo<FixedGrid<19, 19, Columns::skip_i>>) <= 4096);

}  // namespace quincunx
