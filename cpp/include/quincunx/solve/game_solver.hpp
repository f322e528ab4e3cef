// GameSolver: solves a position of any game, given what a small class says of the game.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "quincunx/base/error.hpp"
#include "quincunx/solve/picture.hpp"
#include "quincunx/solve/proof_table.hpp"
#include "quincunx/solve/retrograde.hpp"
#include "quincunx/solve/solver.hpp"
#include "quincunx/solve/win_search.hpp"

namespace quincunx {

/// What a solver asks of a game. Play is by the letter: without limits on plies and repetitions.
template <class R>
concept SolvableRules = State<typename R::State> &&
                        requires(const R rules, const typename R::State& state, typename R::State& next, int player) {
                            /// Packs pictures of states.
                            rules.code;
                            /// States with equal pictures have the same value for the player to move.
                            { rules.picture(state) } -> std::same_as<typename R::Seen>;
                            /// How the game ends, also if it has not yet but that is certain.
                            { rules.outcome(state) } -> std::same_as<Outcome>;
                            /// How good a state looks for a player: what looks best is searched first.
                            { rules.promise(state, player) } -> std::same_as<int>;
                            /// May put another state in the place of one: with the same value, and all its actions
                            /// legal in that one too.
                            rules.simplify(next);
                            /// Whether play can go on for ever. Then the state of a picture is asked for, as
                            /// `rules.state(picture)`, and as `rules.checked_state(picture)`, which is nothing if that
                            /// is not the picture of a state.
                            { R::cyclic } -> std::convertible_to<bool>;
                            /// Whether a game may end without a winner, or never.
                            { R::draws } -> std::convertible_to<bool>;
                            /// Whether plies to the end can be counted: equal pictures are equally far from it.
                            { R::exact_distances } -> std::convertible_to<bool>;
                        };

template <SolvableRules Rules>
class GameSolver final : public Solver {
public:
    using State = typename Rules::State;

    GameSolver(Rules rules, const State& root, std::size_t memory_mb)
        : rules_(std::move(rules)),
          start_(root),
          root_(simplified(root)),
          bytes_(memory_mb << 20),
          table_(bytes_ - list_bytes(), rules_.code.words()),
          search_(rules_, table_, progress_),
          index_(rules_.code.words()) {}

    Solution run(std::optional<double> seconds, Cancel& cancel, const SolveWatch::Report& report) override {
        SolveWatch watch(seconds, cancel, report);
        try {
            find_value(watch);
            find_line(watch);
        } catch (const SolveWatch::TimeOver&) {
        }
        return so_far();
    }

    Solution so_far() const override {
        Solution solution;
        solution.low = low_;
        solution.high = high_;
        solution.distance = distance_;
        solution.line = line_;
        solution.out_of_memory = out_of_memory_;
        solution.by_holding = by_holding_;
        solution.progress = progress_;
        return solution;
    }

    void save(const Write& write) const override {
        put(write, progress_.nodes);
        put(write, static_cast<std::uint64_t>(progress_.depth));
        put(write, table_.saved_bytes());
        table_.save(write);
        if constexpr (Rules::cyclic) {
            put_block(write, index_.words());
            put_block(write, graph_.starts());
            put_block(write, graph_.all_moves());
        }
    }

    void load(std::string_view saved, Cancel& cancel) override {
        const auto look = [&] {
            if (cancel.poll()) throw Cancelled();
        };
        progress_.nodes = take(saved);
        const auto depth = take(saved);
        if (depth > max_depth + 1) misfit();
        progress_.depth = static_cast<int>(depth);
        table_.load(take_block(saved), look);
        if constexpr (Rules::cyclic) {
            const auto words = take_block(saved), starts = take_block(saved), moves = take_block(saved);
            if (words.size() + starts.size() + moves.size() > list_bytes()) {
                throw ParameterError("the checkpoint needs more memory than there may be");
            }
            index_.assign(words, look);
            const bool fits = graph_.assign(items(starts, std::uint64_t{0}), items(moves, PositionGraph::Move::end(0)),
                                            index_.size());
            if (!fits || !all_listed_are_sound(look)) misfit();
            progress_.positions = index_.size();
        }
        if (!saved.empty()) misfit();
    }

private:
    /// Looking for wins of so many plies ends nowhere near it.
    static constexpr int max_depth = 200;
    /// Searched for short wins before all positions are listed.
    static constexpr std::uint64_t first_nodes = 300'000;
    static constexpr auto no_end = std::numeric_limits<std::uint64_t>::max();
    static constexpr int no_distance = std::numeric_limits<int>::max();

    /// Where play can go on for ever, the list of all positions may need most of the memory.
    std::size_t list_bytes() const { return Rules::cyclic ? bytes_ - bytes_ / 4 : 0; }

    State simplified(State state) const {
        rules_.simplify(state);
        return state;
    }
    State after(State state, Action action) const {
        state.apply(action);
        return simplified(state);
    }

    int mover() const { return root_.current_player(); }

    // ---- the value

    void find_value(SolveWatch& watch) {
        if (low_ == high_) return;
        if (const Outcome outcome = rules_.outcome(root_); outcome != Outcome::running) {
            settle(player_return(outcome, mover()));
        } else if constexpr (Rules::cyclic) {
            // Once the listing has begun, that has been tried.
            if (index_.size() == 0 && find_short_win(watch, first_nodes)) return;
            if (list_positions(watch)) return analyse(watch);
            out_of_memory_ = true;
            // Longer wins may be found yet, but without a bound on time that would be a search without an end.
            if (watch.has_end()) find_short_win(watch, no_end);
        } else {
            const int player = mover();
            if (search_.wins(root_, player, search_.no_bound, watch)) return settle(1);
            high_ = Rules::draws ? 0 : -1;
            if (low_ == high_) return;
            if (search_.wins(root_, 1 - player, search_.no_bound, watch)) return settle(-1);
            settle(0);
        }
    }

    void settle(int value) { low_ = high_ = value; }

    /// Looks for a win of either side, within more and more plies; true if there is one. Gives up when so many nodes
    /// are searched, over all runs.
    bool find_short_win(SolveWatch& watch, std::uint64_t most_nodes) {
        watch.most_nodes = most_nodes;
        try {
            for (int& depth = progress_.depth = std::max(1, progress_.depth); depth <= max_depth; ++depth) {
                for (const int player : {mover(), 1 - mover()}) {
                    if (!search_.wins(root_, player, depth, watch)) continue;
                    settle(player == mover() ? 1 : -1);
                    if (Rules::exact_distances) distance_ = depth;
                    return true;
                }
            }
        } catch (const SolveWatch::NodesOver&) {
        }
        watch.most_nodes = no_end;
        return false;
    }

    /// Whether what a file has listed are running positions, the one to solve first.
    bool all_listed_are_sound(const std::function<void()>& look) const {
        std::vector<std::uint64_t> key(static_cast<std::size_t>(rules_.code.words()));
        if (index_.size() > 0) {
            rules_.code.pack(rules_.picture(root_), key.data());
            if (index_.find(key.data()) != 0) return false;
        }
        for (std::uint32_t i = 0; i < index_.size(); ++i) {
            look();
            const auto state = rules_.checked_state(rules_.code.unpack(index_[i]));
            if (!state || rules_.outcome(*state) != Outcome::running) return false;
            rules_.code.pack(rules_.picture(*state), key.data());
            if (!std::equal(key.begin(), key.end(), index_[i])) return false;
        }
        return true;
    }

    /// Lists all positions that can follow, with their moves; false if there is no room for them.
    bool list_positions(SolveWatch& watch) {
        if constexpr (Rules::cyclic) {
            std::vector<std::uint64_t> key(static_cast<std::size_t>(rules_.code.words()));
            std::vector<PositionGraph::Move> moves;
            rules_.code.pack(rules_.picture(root_), key.data());
            index_.add(key.data());
            while (graph_.size() < index_.size()) {
                watch.look(progress_);
                if (index_.bytes_to_go_on() + graph_.bytes_to_go_on() > list_bytes() ||
                    index_.size() >= PositionGraph::most_positions) {
                    return false;
                }
                const State state = rules_.state(rules_.code.unpack(index_[graph_.size()]));
                moves.clear();
                ActionList<State> actions;
                state.legal_actions(actions);
                for (const Action action : actions) {
                    const State next = after(state, action);
                    const bool same = next.current_player() == state.current_player();
                    if (const Outcome outcome = rules_.outcome(next); outcome != Outcome::running) {
                        moves.push_back(PositionGraph::Move::end(player_return(outcome, state.current_player())));
                    } else {
                        rules_.code.pack(rules_.picture(next), key.data());
                        moves.push_back(PositionGraph::Move::to(index_.add(key.data()), same));
                    }
                }
                graph_.add(moves);
                progress_.positions = index_.size();
                ++progress_.nodes;
            }
        }
        return true;
    }

    void analyse(SolveWatch& watch) {
        verdicts_ = retrograde(graph_, [&] { watch.look(progress_); });
        const auto& verdict = verdicts_.front();
        settle(verdict.value);
        if (Rules::exact_distances && verdict.value != 0) distance_ = verdict.distance;
    }

    // ---- a line

    void find_line(SolveWatch& watch) {
        if (low_ != high_ || (low_ == 0 && Rules::cyclic)) return;  // what goes on for ever has no last ply
        watch.most_nodes = no_end;
        State state = root_;
        // Whose win it is, if it is one; and within how many plies, where they are bounded.
        const std::optional<int> winner = low_ == 0 ? std::nullopt : std::optional(low_ > 0 ? mover() : 1 - mover());
        int plies = Rules::cyclic ? progress_.depth : search_.no_bound;
        line_.clear();
        int distance = no_distance;
        while (rules_.outcome(state) == Outcome::running) {
            const auto action =
                !verdicts_.empty() ? listed_action(state, distance) : searched_action(state, winner, plies, watch);
            if (!action) return;
            line_.push_back(*action);
            state = after(state, *action);
        }
        State end = start_;
        for (const Action action : line_) end.apply(action);
        by_holding_ = end.outcome() == Outcome::running;
    }

    struct Move {
        Action action;
        State next;
    };
    std::vector<Move> moves_of(const State& state) const {
        std::vector<Move> moves;
        ActionList<State> actions;
        state.legal_actions(actions);
        for (const Action action : actions) {
            moves.push_back({action, after(state, action)});
        }
        return moves;
    }

    /// The best action by the list of all positions: the winner hurries, the loser delays. `distance` becomes that of
    /// the position it leads to. There is one that leads nearer to the end, unless the list came from a file that lies.
    std::optional<Action> listed_action(const State& state, int& distance) const {
        const int player = state.current_player();
        std::pair<int, int> best_merit;
        std::optional<Action> best;
        int nearest = no_distance;
        for (const auto& [action, next] : moves_of(state)) {
            const auto verdict = verdict_on(next);
            if (!verdict) return std::nullopt;
            const int value = next.current_player() == player ? verdict->value : -verdict->value;
            const std::pair merit(value, value > 0 ? -verdict->distance : int{verdict->distance});
            if (!best || merit > best_merit) best = action, best_merit = merit, nearest = verdict->distance;
        }
        if (nearest >= distance) return std::nullopt;
        distance = nearest;
        return best;
    }

    /// For the player to move, or who would be; nothing if the position is not listed.
    std::optional<Verdict> verdict_on(const State& state) const {
        if (const Outcome outcome = rules_.outcome(state); outcome != Outcome::running) {
            return Verdict{static_cast<std::int8_t>(player_return(outcome, state.current_player())), 0};
        }
        std::vector<std::uint64_t> key(static_cast<std::size_t>(rules_.code.words()));
        rules_.code.pack(rules_.picture(state), key.data());
        const auto number = index_.find(key.data());
        return number < verdicts_.size() ? std::optional(verdicts_[number]) : std::nullopt;
    }

    /// An action that keeps the value, by the search; `plies` becomes what is left of it. There is one, unless the
    /// table came from a file that lies.
    std::optional<Action> searched_action(const State& state, std::optional<int> winner, int& plies,
                                          SolveWatch& watch) {
        const int player = state.current_player();
        auto moves = moves_of(state);
        std::stable_sort(moves.begin(), moves.end(), [&](const Move& a, const Move& b) {
            return rules_.promise(a.next, player) > rules_.promise(b.next, player);
        });
        const bool bounded = plies != search_.no_bound;
        if (winner && *winner != player) return longest_defence(moves, *winner, plies, bounded, watch);
        const int left = bounded ? plies - 1 : plies;
        const auto keeps_value = [&](const Move& move) {
            return winner ? search_.wins(move.next, player, left, watch)
                          : !search_.wins(move.next, 1 - player, left, watch);
        };
        // What has been looked at before is settled at once.
        std::stable_partition(moves.begin(), moves.end(), [&](const Move& move) {
            return move.next.outcome() != Outcome::running || search_.work(move.next) > 0;
        });
        plies = left;
        const auto found = std::find_if(moves.begin(), moves.end(), keeps_value);
        return found == moves.end() ? std::nullopt : std::optional(found->action);
    }

    /// The action after which the winner needs most plies, or where they are not counted, needed most work.
    Action longest_defence(const std::vector<Move>& moves, int winner, int& plies, bool bounded, SolveWatch& watch) {
        Action best = moves.front().action;
        int longest = -1;
        for (const auto& [action, next] : moves) {
            int length = 0;
            if (bounded) {
                while (length < plies && !search_.wins(next, winner, length, watch)) ++length;
            } else {
                length = search_.work(next);
            }
            if (length > longest) best = action, longest = length;
        }
        if (bounded) plies = longest;
        return best;
    }

    // ---- bytes

    [[noreturn]] static void misfit() {
        throw ParameterError("the checkpoint does not fit: it is of another position or of another version");
    }
    static void put(const Write& write, std::uint64_t number) {
        write({reinterpret_cast<const char*>(&number), sizeof number});
    }
    template <class T>
    static void put_block(const Write& write, std::span<const T> block) {
        put(write, block.size_bytes());
        write({reinterpret_cast<const char*>(block.data()), block.size_bytes()});
    }
    static std::uint64_t take(std::string_view& saved) {
        std::uint64_t number = 0;
        if (saved.size() < sizeof number) misfit();
        std::memcpy(&number, saved.data(), sizeof number);
        saved.remove_prefix(sizeof number);
        return number;
    }
    static std::string_view take_block(std::string_view& saved) {
        const auto size = take(saved);
        if (size > saved.size()) misfit();
        const auto block = saved.substr(0, static_cast<std::size_t>(size));
        saved.remove_prefix(block.size());
        return block;
    }
    template <class T>
    static std::vector<T> items(std::string_view block, T filling) {
        if (block.size() % sizeof(T) != 0) misfit();
        std::vector<T> all(block.size() / sizeof(T), filling);
        if (!all.empty()) std::memcpy(all.data(), block.data(), block.size());
        return all;
    }

    const Rules rules_;
    const State start_, root_;  // as it was given, and simplified
    const std::size_t bytes_;
    SolveProgress progress_;
    ProofTable table_;
    WinSearch<Rules> search_;
    KeyIndex index_;
    PositionGraph graph_;
    std::vector<Verdict> verdicts_;

    int low_ = -1, high_ = 1;
    std::optional<int> distance_;
    std::vector<Action> line_;
    bool out_of_memory_ = false, by_holding_ = false;
};

}  // namespace quincunx
