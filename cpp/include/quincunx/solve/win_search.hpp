// WinSearch: whether a player can force a win, by depth-first search with a transposition table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "quincunx/solve/proof_table.hpp"
#include "quincunx/solve/solver.hpp"

namespace quincunx {

/// The question has two answers, so the first good move settles a node: every bound is a null window. `Rules` is what
/// GameSolver asks for.
template <class Rules>
class WinSearch {
public:
    using State = typename Rules::State;
    /// As many plies as there may be: for games that always end.
    static constexpr int no_bound = ProofTable::no_bound;

    WinSearch(const Rules& rules, ProofTable& table, SolveProgress& progress)
        : rules_(rules), table_(table), progress_(progress), words_(static_cast<std::size_t>(rules.code.words())) {}

    /// Whether `player` can force a win within so many plies, below no_bound. Throws what the watch throws; what is
    /// found until then is in the table.
    bool wins(const State& state, int player, int plies, SolveWatch& watch) {
        watch_ = &watch;
        if (const Outcome outcome = rules_.outcome(state); outcome != Outcome::running) {
            return outcome == win_for(player);
        }
        std::vector<std::uint64_t> key(words_);
        rules_.code.pack(rules_.picture(state), key.data());
        const auto known = look_up(key.data(), role(state, player), plies);
        return known == Known::open ? search(state, key.data(), player, plies, 0) : known == Known::wins;
    }

    /// How much work it was to settle a state, as a logarithm; 0 if that is forgotten.
    int work(const State& state) const {
        std::vector<std::uint64_t> key(words_);
        rules_.code.pack(rules_.picture(state), key.data());
        const auto* entry = table_.find(key.data());
        return entry ? entry->work : 0;
    }

private:
    struct Child {
        State state;
        int promise;
        std::size_t key;  // where it begins among the keys of the frame
    };
    /// What one level of the search needs, kept from node to node; not on the stack, which may be small in a thread.
    struct Frame {
        ActionList<State> actions;
        std::vector<Child> children;
        std::vector<std::uint64_t> keys;
        std::vector<std::uint32_t> order;
    };
    enum class Known { open, wins, fails };

    static int role(const State& state, int player) { return state.current_player() == player ? 0 : 1; }

    Known look_up(const std::uint64_t* key, int role, int plies) const {
        const auto* entry = table_.find(key);
        if (!entry) return Known::open;
        if (entry->wins[role] != 0 && entry->wins[role] <= plies) return Known::wins;
        return entry->fails[role] > plies ? Known::fails : Known::open;
    }

    /// For a running state.
    bool search(const State& state, const std::uint64_t* key, int player, int plies, std::size_t level) {
        watch_->look(progress_);
        const auto before = progress_.nodes++;
        const bool chooses = state.current_player() == player;
        const bool won = plies > 0 && try_moves(state, player, plies, level) == chooses;
        const auto nodes = progress_.nodes - before;
        const int mine = chooses ? 0 : 1;
        table_.store(key, mine, won, plies, nodes);
        // Where somebody has to win, one answer is two.
        if (!Rules::draws && plies == no_bound) table_.store(key, 1 - mine, !won, plies, nodes);
        return won;
    }

    /// Whether a move does what the player to move wants: he wins if he is `player`, else he keeps him from winning.
    bool try_moves(const State& state, int player, int plies, std::size_t level) {
        const int mover = state.current_player();
        const bool chooses = mover == player;
        const int left = plies == no_bound ? no_bound : plies - 1;
        if (frames_.size() <= level) frames_.emplace_back();
        auto& frame = frames_[level];
        frame.children.clear();
        frame.keys.clear();
        frame.actions.clear();
        state.legal_actions(frame.actions);
        for (const Action action : frame.actions) {
            const auto at = frame.keys.size();
            frame.children.push_back({state, 0, at});
            State& next = frame.children.back().state;
            next.apply(action);
            rules_.simplify(next);
            if (const Outcome outcome = rules_.outcome(next); outcome != Outcome::running) {
                if ((outcome == win_for(player)) == chooses) return true;
                frame.children.pop_back();
                continue;
            }
            frame.keys.resize(at + words_);
            rules_.code.pack(rules_.picture(next), frame.keys.data() + at);
            const auto known = look_up(frame.keys.data() + at, role(next, player), left);
            if (known == (chooses ? Known::wins : Known::fails)) return true;
            if (known != Known::open || last_is_there_already(frame)) {
                frame.keys.resize(at);
                frame.children.pop_back();
                continue;
            }
            frame.children.back().promise = rules_.promise(next, mover);
        }
        if (left == 0) return !chooses && !frame.children.empty();
        auto& order = frame.order;
        order.resize(frame.children.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return frame.children[a].promise > frame.children[b].promise;
        });
        for (const auto i : order) {
            // Deeper levels have frames of their own, which may move this one no more: a deque stays where it is.
            const auto& child = frame.children[i];
            const auto* key = frame.keys.data() + child.key;
            // A sibling may have settled it meanwhile.
            const auto known = look_up(key, role(child.state, player), left);
            const bool wins =
                known == Known::open ? search(child.state, key, player, left, level + 1) : known == Known::wins;
            if (wins == chooses) return true;
        }
        return false;
    }

    /// Whether the last child has the key of another one, seen by the same player: where players may exchange colours,
    /// one position can be had by either.
    bool last_is_there_already(const Frame& frame) const {
        const Child& last = frame.children.back();
        const auto* key = frame.keys.data() + last.key;
        return std::any_of(frame.children.begin(), frame.children.end() - 1, [&](const Child& child) {
            return child.state.current_player() == last.state.current_player() &&
                   std::equal(key, key + words_, frame.keys.data() + child.key);
        });
    }

    const Rules& rules_;
    ProofTable& table_;
    SolveProgress& progress_;
    const std::size_t words_;
    SolveWatch* watch_ = nullptr;
    std::deque<Frame> frames_;
};

}  // namespace quincunx
