// Impedio on HexHex(N): a stack leaves behind as many pieces as the rest of it moves cells; connect opposite sides.
// Source: the rule sheet of Impedio (2026).
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
#include "quincunx/boards/hexhex.hpp"
#include "quincunx/games/state.hpp"
#include "quincunx/games/symmetry.hpp"

namespace quincunx {

template <int N>
class Impedio {
public:
    using Board = HexHex<N>;
    using Set = typename Board::Set;
    static constexpr int cells = Board::cells;
    static constexpr int most_pieces = 255;  // a side
    /// One for any two cells of a line, each way; the lines of the three directions are as long as the rows.
    static constexpr int max_legal_actions = [] {
        int count = 0;
        for (int r = 0; r < Board::rows; ++r) count += 3 * Board::row_length(r) * (Board::row_length(r) - 1);
        return count;
    }();

    // Opposite sides stay opposite, and sides that are not adjacent stay so; the rules are the same for both colours.
    static constexpr int max_point_maps = 12, exchanges = 2, piece_kinds = 2;

    /// Everything a position string shows.
    struct Stacks {
        std::array<Set, 2> occupied{};             // by White and by Black
        std::array<std::uint8_t, cells> height{};  // 0 where there is no stack
        std::uint8_t player = white;               // to move

        void put(int owner, int cell, int pieces) {
            occupied[owner].set(cell);
            height[cell] = static_cast<std::uint8_t>(pieces);
        }
        friend bool operator==(const Stacks&, const Stacks&) = default;
    };

    class Rules {
    public:
        /// `setup` is "corners", "ring" (N = 5 only) or a position string; throws ParameterError.
        /// The occurrence of a position that is a draw, and the number of plies that is; 0: none is.
        explicit Rules(const std::string& setup = "corners", int repetition_limit = 3, int ply_limit = 1000)
            : repetition(repetition_limit), max_plies(ply_limit), start(read_setup(setup)) {
            if (repetition == 1) {
                throw ParameterError("impedio: repetition must be 0 (off) or at least 2, not '1'");
            }
        }

        int num_distinct_actions() const { return cells * slots; }
        /// Play can go in circles, so there is no bound but the one that is set.
        int max_game_length() const { return max_plies; }
        /// Planes of (2N−1)×(2N−1) at (row, column−1): own stacks, enemy stacks, own heights / 16, enemy heights / 16
        /// (exact: 16 is a power of two), cells of the board, all ones if White is to move,
        /// all ones if the observer has White.
        std::vector<int> observation_shape() const { return {7, Board::rows, Board::rows}; }

        std::string action_to_string(Action action) const {
            const Move move(action);
            // Ids of moves off the board exist, so they have a text, but none that reads back.
            return Board::name(move.from) + "-" + (move.to == off ? std::string("off") : Board::name(move.to));
        }

        Action string_to_action(std::string_view text) const {
            const auto parts = split(text, '-');
            if (parts.size() == 2) {
                const auto from = Board::parse(parts[0]), to = Board::parse(parts[1]);
                if (from && to) {
                    const Action action = action_between[*from][*to];
                    if (action >= 0) return action;
                    throw ActionTextError(quoted(text) + " is not a move: the two cells are not on one straight line");
                }
            }
            throw ActionTextError(quoted(text) + " is not an action of Impedio: a move is two cells on one straight " +
                                  "line such as 'a1-a2', each " + Board::names());
        }

        std::vector<PointMap> point_maps() const { return Board::symmetries(); }
        Action image(Action action, const Symmetry& symmetry) const {
            const Move move(action);
            const int from = symmetry.points.point[static_cast<std::size_t>(move.from)];
            const int direction = symmetry.points.direction[static_cast<std::size_t>(move.direction)];
            return from * slots + direction * Board::max_distance + move.distance - 1;
        }
        PlaneImage plane_image(int plane, Exchange exchange) const {
            return {plane, (exchange & of_colours) && plane >= 5};
        }
        int place_in_plane(int cell) const { return Board::place_in_plane(cell); }

        const int repetition, max_plies;
        const Stacks start;
    };

    static Impedio initial(const Rules& rules) { return Impedio(rules, rules.start); }

    static Impedio parse(const Rules& rules, std::string_view text) { return Impedio(rules, read(text)); }

    /// A position of play without limits on plies and repetitions; the player to move must not be connected.
    static Impedio without_limits(const Stacks& stacks) { return Impedio(0, 0, stacks); }
    Impedio without_limits() const { return without_limits(stacks_); }

    std::string position() const {
        std::string text;
        for (int row = Board::rows - 1; row >= 0; --row) {
            for (int i = 0; i < Board::row_length(row); ++i) {
                const int cell = Board::row_start[row] + i;
                if (i > 0) text += ',';
                if (stacks_.height[cell] == 0) {
                    text += '.';
                } else {
                    text += stacks_.occupied[white].test(cell) ? 'w' : 'b';
                    text += std::to_string(stacks_.height[cell]);
                }
            }
            text += row > 0 ? '/' : ' ';
        }
        return text + (stacks_.player == white ? 'w' : 'b');
    }

    Outcome outcome() const { return outcome_; }
    int current_player() const { return stacks_.player; }
    bool in_turn() const { return false; }

    /// How a finished game ended, in one sentence.
    std::string ending() const {
        if (outcome_ == Outcome::running) return "the game is not over";
        if (outcome_ == Outcome::draw) {
            if (ply_ != max_plies_) return "the position occurred " + std::to_string(repetition_) + " times: a draw";
            return std::to_string(ply_) + (ply_ == 1 ? " ply was" : " plies were") + " played: a draw";
        }
        const int winner = outcome_ == Outcome::win_0 ? white : black;
        const auto sides = connection(winner);
        if (sides.empty()) {
            return std::string(colour(1 - winner)) + " has no legal move, so " + colour(winner) + " wins";
        }
        return std::string(colour(winner)) + " connects the sides " + sides;
    }

    void legal_actions(ActionList<Impedio>& list) const {
        tall_[stacks_.player].each([&](int from) {
            const int farthest = std::min(stacks_.height[from] - 1, Board::max_distance);
            for (int direction = 0; direction < 6; ++direction) {
                const Action first = from * slots + direction * Board::max_distance;
                for (Action action = first; action < first + farthest && targets[action] != off; ++action) {
                    if (!enemy().test(targets[action])) list.push_back(action);
                }
            }
        });
    }

    int count_legal_actions() const { return total_[stacks_.player]; }

    bool is_legal(Action action) const {
        const Move move(action);
        return own().test(move.from) && move.distance < stacks_.height[move.from] && move.to != off &&
               !enemy().test(move.to);
    }

    Action random_action(Rng& rng) const {
        int k = rng.below(total_[stacks_.player]);
        for (Set rest = tall_[stacks_.player];;) {
            const int from = rest.pop();
            if (k < moves_[from]) {
                const Set to = reach(from, stacks_.height[from]) & ~enemy();
                return action_between[from][to.select(k)];
            }
            k -= moves_[from];
        }
    }

    std::string explain(Action action) const {
        const Move move(action);
        const auto from = Board::name(move.from);
        const int height = stacks_.height[move.from];
        if (height == 0) return from + " is empty: there is no stack to move";
        if (!own().test(move.from)) return from + " is not your stack";
        if (height == 1) return from + " holds a single piece, and one has to stay behind";
        if (move.distance >= height) {
            return from + " holds " + std::to_string(height) + " pieces, so it can move at most " +
                   cells_text(height - 1);
        }
        if (move.to == off) {
            return "a move of " + cells_text(move.distance) + " from " + from + " in the direction " +
                   Board::direction_names[move.direction] + " leads off the board";
        }
        return "the stack of " + std::to_string(height) + " on " + from + " moving " + cells_text(move.distance) +
               " lands on " + Board::name(move.to) + ", where " + colour(1 - stacks_.player) + " has a stack";
    }

    void apply(Action action) {
        const Move move(action);
        const int player = stacks_.player, opponent = 1 - player;
        const int landing = stacks_.height[move.to];
        const int carried = stacks_.height[move.from] - move.distance;
        key_ += static_cast<std::uint64_t>(carried) * (piece_key[player][move.to] - piece_key[player][move.from]);
        tall_[player].reset_if(move.distance == 1, move.from);
        tall_[player].set_if(landing + carried > 1, move.to);
        const int more_moves =
            set_height(player, move.from, move.distance) + set_height(player, move.to, landing + carried);
        total_[player] += static_cast<std::int16_t>(more_moves);
        stacks_.player = static_cast<std::uint8_t>(opponent);
        ++ply_;
        bool connected = false;
        if (landing == 0) {
            last_new_cell_ = ply_;
            connected = occupy(player, move.to);
            bar(opponent, move.to);
        }
        if (connected || total_[opponent] == 0) {
            outcome_ = win_for(player);
        } else if (ply_ == max_plies_) {
            outcome_ = Outcome::draw;
        }
    }

    std::uint64_t hash() const { return mix(repetition_key()); }

    friend bool operator==(const Impedio& a, const Impedio& b) {
        return a.stacks_ == b.stacks_ && a.outcome_ == b.outcome_;
    }

    int repetition_limit() const { return repetition_; }
    std::uint64_t repetition_key() const { return key_ + static_cast<std::uint64_t>(stacks_.player); }
    int ply() const { return ply_; }
    /// A cell once occupied stays so for ever: nothing before the last move onto an empty cell comes back.
    int reversible_plies() const { return ply_ - last_new_cell_; }
    void end_by_repetition() { outcome_ = Outcome::draw; }

    void observe(int player, std::span<float> planes) const {
        constexpr int area = Board::plane_size;
        static constexpr auto board = Board::in_plane(Board::all);
        float* out = planes.data();
        for (int owner : {player, 1 - player}) out = expand(Board::in_plane(stacks_.occupied[owner]), area, out);
        repeat(0.0f, 2 * area, out);
        for (int owner : {player, 1 - player}) {
            stacks_.occupied[owner].each(
                [&](int cell) { out[Board::place_in_plane(cell)] = static_cast<float>(stacks_.height[cell]) / 16; });
            out += area;
        }
        out = expand(board, area, out);
        for (bool holds : {stacks_.player == white, player == white}) out = repeat(holds ? 1.0f : 0.0f, area, out);
    }

    bool allows(Exchange) const { return true; }
    Impedio image(const Symmetry& symmetry) const {
        const int exchange = symmetry.exchange & of_colours;
        Stacks stacks;
        each_piece([&](int owner, int cell, std::uint64_t pieces) {
            stacks.put(owner ^ exchange, symmetry.points.point[static_cast<std::size_t>(cell)],
                       static_cast<int>(pieces));
        });
        stacks.player = static_cast<std::uint8_t>(stacks_.player ^ exchange);
        Impedio state(repetition_, max_plies_, stacks);
        state.ply_ = ply_;
        state.last_new_cell_ = last_new_cell_;
        state.outcome_ = exchanged(outcome_, symmetry.exchange);
        return state;
    }
    template <class Visit>
    void each_piece(Visit&& visit) const {
        for (int owner : {white, black}) {
            stacks_.occupied[owner].each([&](int cell) { visit(owner, cell, stacks_.height[cell]); });
        }
    }
    std::uint64_t key_beside_pieces(Exchange exchange) const { return mix(stacks_.player ^ (exchange & of_colours)); }

private:
    static constexpr int white = 0, black = 1;
    static const char* colour(int player) { return player == white ? "White" : "Black"; }
    static std::string cells_text(int count) { return std::to_string(count) + (count == 1 ? " cell" : " cells"); }

    // ---- geometry

    static constexpr int slots = 6 * Board::max_distance;  // action ids a cell
    static constexpr int off = 255;                        // no cell
    static_assert(cells < off);

    struct Move {
        explicit constexpr Move(Action action) : Move(static_cast<unsigned>(action)) {}  // unsigned divides faster
        explicit constexpr Move(unsigned action)
            : from(static_cast<int>(action / slots)),
              direction(static_cast<int>(action % slots / Board::max_distance)),
              distance(static_cast<int>(action % Board::max_distance + 1)),
              to(targets[action]) {}
        int from, direction, distance, to;
    };
    static_assert(slots % Board::max_distance == 0);

    /// The cell to which an action leads, or `off`.
    static constexpr auto targets = [] {
        std::array<std::uint8_t, cells * slots> table{};
        for (Action action = 0; action < cells * slots; ++action) {
            const auto [row, column] = Board::coordinates[action / slots];
            const int direction = action % slots / Board::max_distance, distance = action % Board::max_distance + 1;
            const int to = Board::cell_at(row + distance * Board::row_step[direction],
                                          column + distance * Board::column_step[direction]);
            table[action] = static_cast<std::uint8_t>(to < 0 ? off : to);
        }
        return table;
    }();

    /// action_between[from][to], −1 if the two cells are not on one line.
    static constexpr auto action_between = [] {
        std::array<std::array<std::int16_t, cells>, cells> table{};
        for (auto& row : table) row.fill(-1);
        for (Action action = 0; action < cells * slots; ++action) {
            if (targets[action] != off) table[action / slots][targets[action]] = static_cast<std::int16_t>(action);
        }
        return table;
    }();

    /// distance_between[from][to], `off` if the two cells are not on one line.
    static constexpr auto distance_between = [] {
        std::array<std::array<std::uint8_t, cells>, cells> table{};
        for (auto& row : table) row.fill(off);
        for (Action action = 0; action < cells * slots; ++action) {
            if (targets[action] == off) continue;
            table[action / slots][targets[action]] = static_cast<std::uint8_t>(action % Board::max_distance + 1);
        }
        return table;
    }();

    /// Heights from here on move alike.
    static constexpr int full_height = Board::max_distance + 1;

    /// reach_table[cell][height]: the cells on one line with `cell` at a distance below the height.
    static constexpr auto reach_table = [] {
        std::array<std::array<Set, full_height + 1>, cells> table{};
        for (Action action = 0; action < cells * slots; ++action) {
            const int distance = action % Board::max_distance + 1;
            if (targets[action] != off) table[action / slots][distance + 1].set(targets[action]);
        }
        for (auto& row : table) {
            for (int height = 1; height <= full_height; ++height) row[height] |= row[height - 1];
        }
        return table;
    }();
    static const Set& reach(int cell, int height) { return reach_table[cell][std::min(height, full_height)]; }

    // ---- connections

    // Occupied cells stay occupied, so chains only grow and merge: union-find. The cells of a chain form a tree: link_
    // is the next cell on the way to its root, and for the root itself `is_root` with the sides that the chain touches,
    // bit by bit. Union needs no ranks: a new cell hangs on the root of a neighbour, so only mergers deepen a tree.
    static constexpr int is_root = 0b11000000, all_sides = 0b00111111;
    static_assert(cells <= is_root);

    /// The link of a stack by itself, with the sides that its cell lies on; a corner lies on two.
    static constexpr auto sides_of = [] {
        std::array<std::uint8_t, cells> table{};
        table.fill(is_root);
        for (int side = 0; side < 6; ++side) {
            for (int cell = 0; cell < cells; ++cell) {
                if (Board::sides[side].test(cell)) table[cell] |= static_cast<std::uint8_t>(1 << side);
            }
        }
        return table;
    }();

    /// The sets of sides to connect, each enough: three opposite pairs, two triples of pairwise non-adjacent sides.
    static constexpr std::array<std::uint8_t, 5> goals{0b001001, 0b010010, 0b100100, 0b010101, 0b101010};

    static constexpr bool reaches(int sides, int goal) { return (sides & goal) == goal; }

    /// Bit m: whether a chain that touches the set of sides m has won.
    static constexpr std::uint64_t winning = [] {
        std::uint64_t bits = 0;
        for (int sides = 0; sides < 64; ++sides) {
            for (int goal : goals) {
                if (reaches(sides, goal)) bits |= std::uint64_t{1} << sides;
            }
        }
        return bits;
    }();

    /// The sides by which a player has won, such as "S and N" or "S, NE and NW"; empty if he is not connected.
    std::string connection(int player) const {
        for (int goal : goals) {
            bool reached = false;
            stacks_.occupied[player].each([&](int cell) { reached = reached || reaches(link_[root(cell)], goal); });
            if (!reached) continue;
            std::string text;
            for (int side = 0, left = std::popcount(static_cast<unsigned>(goal)); side < 6; ++side) {
                if ((goal >> side & 1) == 0) continue;
                text += Board::side_names[side];
                --left;
                text += left > 1 ? ", " : left == 1 ? " and " : "";
            }
            return text;
        }
        return {};
    }

    // ---- setups and position strings

    static Stacks read(std::string_view text) {
        const auto fields = position_fields(text, {"rows", "player"});
        const auto rows = board_rows(fields[0], Board::rows, Board::row_length, ',');
        Stacks stacks;
        std::array<int, 2> pieces{};
        for (int row = 0, cell = 0; row < Board::rows; ++row) {
            for (auto content : split(rows[row], ',')) {
                if (content != ".") {
                    const bool named = !content.empty() && (content[0] == 'w' || content[0] == 'b');
                    const auto number = named ? parse_number(content.substr(1), most_pieces) : std::nullopt;
                    if (!number || *number == 0) {
                        bad_field("rows", content,
                                  "made of '.' and of stacks such as 'w3' or 'b12' of at most " +
                                      std::to_string(most_pieces) + " pieces");
                    }
                    const int owner = content[0] == 'w' ? white : black;
                    stacks.put(owner, cell, *number);
                    pieces[owner] += *number;
                }
                ++cell;
            }
        }
        for (int player : {white, black}) {
            // A piece always stays behind, so nobody's stacks ever vanish.
            if (pieces[player] == 0) {
                throw PositionError(std::string("the field 'rows' has no stack of ") + colour(player));
            }
            if (pieces[player] > most_pieces) {
                throw PositionError(std::string("the field 'rows' has ") + std::to_string(pieces[player]) +
                                    " pieces of " + colour(player) + ", but a side has at most " +
                                    std::to_string(most_pieces));
            }
        }
        if (fields[1] != "w" && fields[1] != "b") bad_field("player", fields[1], "'w' or 'b'");
        stacks.player = fields[1] == "w" ? white : black;
        return stacks;
    }

    static Stacks read_setup(const std::string& setup) {
        if (setup == "corners" || setup == "ring") {
            if (setup == "ring" && N != 5) {
                throw ParameterError("impedio: the setup 'ring' is for size 5 only; size " + std::to_string(N) +
                                     " has 'corners' or a position string");
            }
            // Around the rim from a1, counter-clockwise: along each side from its corner to the one before the next.
            Stacks stacks;
            for (int side = 0, cell = 0; side < 6; ++side) {
                for (int i = 0; i < N - 1; ++i) {
                    if (setup == "ring") {
                        stacks.put(side % 2, cell, i + 1);
                    } else if (i == 0) {
                        stacks.put(side % 2, cell, 2 * N);
                    }
                    cell = Board::neighbour[cell][side];
                }
            }
            return stacks;
        }
        // A text without a space is a misspelt preset rather than a position.
        if (setup.find(' ') == std::string::npos) {
            throw ParameterError("impedio: setup must be corners, ring or a position string, not " + quoted(setup));
        }
        try {
            const Stacks stacks = read(setup);
            const Impedio state(0, 0, stacks);
            for (int player : {white, black}) {
                if (const auto sides = state.connection(player); !sides.empty()) {
                    throw PositionError(std::string(colour(player)) + " already connects the sides " + sides);
                }
            }
            return stacks;
        } catch (const PositionError& error) {
            throw ParameterError(std::string("impedio: setup: ") + error.what());
        }
    }

    // ---- the stacks

    Impedio(const Rules& rules, const Stacks& stacks) : Impedio(rules.repetition, rules.max_plies, stacks) {}

    /// Throws PositionError if the player to move is connected: he would have won before.
    Impedio(int repetition, int max_plies, const Stacks& stacks) : repetition_(repetition), max_plies_(max_plies) {
        std::array<bool, 2> connected{};
        for (int player : {white, black}) {
            stacks.occupied[player].each([&](int cell) { connected[player] |= occupy(player, cell); });
        }
        for (int player : {white, black}) {
            stacks.occupied[player].each([&](int cell) {
                tall_[player].set_if(stacks.height[cell] > 1, cell);
                total_[player] += static_cast<std::int16_t>(set_height(player, cell, stacks.height[cell]));
                key_ += stacks.height[cell] * piece_key[player][cell];
            });
        }
        stacks_.player = stacks.player;
        if (connected[stacks.player]) {
            throw PositionError(std::string("the field 'player' names ") + colour(stacks.player) +
                                ", but the stacks of that side already connect the sides " + connection(stacks.player));
        }
        if (connected[1 - stacks.player] || total_[stacks.player] == 0) outcome_ = win_for(1 - stacks.player);
    }

    const Set& own() const { return stacks_.occupied[stacks_.player]; }
    const Set& enemy() const { return stacks_.occupied[1 - stacks_.player]; }

    /// Puts a height on a cell of a player and counts the moves of the stack anew; returns how many more they are.
    int set_height(int player, int cell, int height) {
        stacks_.height[cell] = static_cast<std::uint8_t>(height);
        const int before = moves_[cell];
        const int moves = (reach(cell, height) & ~stacks_.occupied[1 - player]).count();
        moves_[cell] = static_cast<std::uint8_t>(moves);
        return moves - before;
    }

    /// Takes a newly occupied cell from the moves of the other player.
    void bar(int player, int cell) {
        const auto& distance_to = distance_between[cell];
        int barred = 0;
        (tall_[player] & reach_table[cell][full_height]).each([&](int from) {
            const bool in_reach = distance_to[from] < stacks_.height[from];
            moves_[from] -= static_cast<std::uint8_t>(in_reach);
            barred += in_reach;
        });
        total_[player] -= static_cast<std::int16_t>(barred);
    }

    /// Makes an empty cell the player's and joins it to the chains beside it; true if the chain wins.
    bool occupy(int player, int cell) {
        Set& stacks = stacks_.occupied[player];
        Set around = Board::neighbours[cell] & stacks;
        stacks.set(cell);
        int sides = sides_of[cell];
        int top = cell;
        if (around.any()) {
            top = root(around.pop());
            sides |= link_[top];
            while (around.any()) {  // neighbours of the same chain change nothing
                const int other = root(around.pop());
                sides |= link_[other];
                link_[other] = static_cast<std::uint8_t>(top);
                link_[top] = static_cast<std::uint8_t>(sides);
            }
            link_[cell] = static_cast<std::uint8_t>(top);
        }
        link_[top] = static_cast<std::uint8_t>(sides);
        return winning >> (sides & all_sides) & 1;
    }

    /// The cell that stands for the chain of an occupied cell.
    int root(int cell) const {
        // Most cells are roots or hang on one, which is told without a branch.
        cell ^= (cell ^ link_[cell]) & -static_cast<int>(link_[cell] < is_root);
        while (link_[cell] < is_root) cell = link_[cell];
        return cell;
    }

    /// A position's key is the sum of one number for each piece, by owner and cell, so that a move changes it by
    /// one product; the numbers are odd, so any number of pieces counts.
    static constexpr auto piece_key = [] {
        std::array<std::array<std::uint64_t, cells>, 2> table{};
        for (int player = 0; player < 2; ++player) {
            for (int cell = 0; cell < cells; ++cell) {
                table[player][cell] = mix(static_cast<std::uint64_t>(2 * cell + player + 1) << 32) | 1;
            }
        }
        return table;
    }();

    Stacks stacks_;
    std::array<Set, 2> tall_{};                // stacks of two or more pieces: those that can move
    std::array<std::uint8_t, cells> moves_{};  // the legal moves of a stack, were its owner to move
    std::array<std::int16_t, 2> total_{};      // their sum for each player
    std::array<std::uint8_t, cells> link_{};   // the chains, see is_root
    Outcome outcome_ = Outcome::running;
    std::uint64_t key_ = 0;
    std::int32_t ply_ = 0, last_new_cell_ = 0;
    std::int32_t repetition_, max_plies_;
};

static_assert(Repeating<Impedio<5>> && Symmetric<Impedio<5>>);
static_assert(sizeof(Impedio<5>) <= 256);

}  // namespace quincunx
