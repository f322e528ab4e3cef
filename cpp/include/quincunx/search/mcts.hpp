// Mcts: plays the simulations of a Monte Carlo tree search from one state into a Tree.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "quincunx/search/playout.hpp"
#include "quincunx/search/tree.hpp"

namespace quincunx {

/// When to stop: whichever comes first.
struct SearchBudget {
    std::optional<std::int64_t> simulations;
    std::optional<double> seconds;
};

/// Hands out the simulations of one search to its threads until the budget is spent, the root is proven or the search
/// is cancelled.
class SearchRun {
public:
    using Clock = std::chrono::steady_clock;

    /// `first_number` is that of the first simulation: each draws from its own stream of the seed.
    SearchRun(const Tree& tree, const SearchBudget& budget, std::uint64_t seed, std::uint64_t first_number,
              Cancel& cancel, std::function<bool(const SearchRun&)> progress);

    /// The next simulation may begin. `caller` is true on the thread that began the search, which alone asks whether to
    /// stop and reports progress. There is always one.
    bool next(bool caller, Rng& rng);
    /// Stops all threads.
    void stop() { stopped_.store(true, std::memory_order_relaxed); }
    /// The simulation begun last did not take place.
    void take_back() { begun_.fetch_sub(1, std::memory_order_relaxed); }
    /// How many simulations were begun.
    std::int64_t count() const {
        return std::min(limit_, begun_.load(std::memory_order_relaxed));  // threads may find the budget spent just now
    }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    void look_around();

    const Tree& tree_;
    std::int64_t limit_;
    std::uint64_t seed_, first_number_;
    Cancel& cancel_;
    std::function<bool(const SearchRun&)> progress_;
    Clock::time_point start_ = Clock::now(), end_, next_report_;
    int calls_to_clock_ = 1;
    std::atomic<std::int64_t> begun_{0};
    std::atomic<bool> stopped_{false};
};

/// Leaves that wait for an evaluator, with what it is shown and what it says.
struct LeafBatch {
    struct Leaf {
        Path path;
        int player;
    };
    LeafBatch(int capacity, const std::vector<int>& observation_shape, int num_actions);

    int capacity;
    std::vector<int> observation_shape;
    int observation_size, num_actions;
    std::vector<Leaf> leaves;
    std::vector<float> observations;  // capacity × observation_size
    std::vector<std::uint8_t> masks;  // capacity × num_actions: 1 where legal
    std::vector<float> priors;        // capacity × num_actions
    std::vector<float> values;        // capacity: for the player to move
};

/// What a search asks of a game.
class Searcher {
public:
    virtual ~Searcher() = default;
    /// Plays simulations until the run stops; several threads may, each with a Searcher of its own.
    virtual void run(SearchRun& run, bool caller) = 0;
    enum class Found { leaf, end, waiting };
    /// Goes down to a leaf and adds it to the batch; or to an end of the game or a proven node, whose result it adds to
    /// the tree; or to a leaf that is in the batch already, which changes nothing.
    virtual Found collect(LeafBatch& batch) = 0;
};

template <State S>
class Mcts final : public Searcher {
public:
    Mcts(Tree& tree, const S& root, Trail<S> trail, int num_actions)
        : tree_(tree), root_(root), trail_(std::move(trail)), num_actions_(static_cast<std::size_t>(num_actions)) {}

    void run(SearchRun& run, bool caller) override {
        Rng rng(0);
        if (tree_.settings.rave != 0) {
            while (run.next(caller, rng)) simulate<true>(rng);
        } else {
            while (run.next(caller, rng)) simulate<false>(rng);
        }
    }

    Found collect(LeafBatch& batch) override {
        S state = root_;
        bool proved = false;
        for (NodeIndex at = begin(); tree_.proven(at) == Outcome::running; at = step(state, true, proved)) {
            if (tree_.is_expanded(at)) continue;
            if (!tree_.begin_expansion(at)) {
                tree_.remove_virtual_losses(path_);
                return Found::waiting;
            }
            add_leaf(batch, state);
            return Found::leaf;
        }
        tree_.back_up(path_, result_of(tree_.proven(path_.back().node)), proved, true);
        return Found::end;
    }

private:
    /// A game that does not end is given up as a draw, so that a request to stop is heard.
    static constexpr int longest_playout = 100'000;

    static std::int64_t result_of(Outcome outcome) { return player_return(outcome, 0) * value_one; }

    NodeIndex begin() {
        path_.clear();
        path_.push_back({Tree::root});
        return Tree::root;
    }

    /// Goes on to a child of the last node, which is expanded; `proved` becomes true if its result is news.
    NodeIndex step(S& state, bool with_loss, bool& proved) {
        const NodeIndex child = tree_.select(path_.back());
        if (with_loss) tree_.add_virtual_loss(path_.back().node, child);
        path_.push_back({child});
        trail_.advance(state, tree_[child].action);
        if (state.outcome() != Outcome::running && tree_.proven(child) == Outcome::running) {
            tree_.prove(child, state.outcome(), 0);
            proved = true;
        }
        return child;
    }

    template <bool WithAmaf>
    void simulate(Rng& rng) {
        const bool shared = tree_.shared;
        S state = root_;
        bool proved = false;
        for (NodeIndex at = begin(); tree_.proven(at) == Outcome::running;) {
            if (!tree_.is_expanded(at)) {
                if (!tree_.wants_children(at) || !expand(at, state, rng)) {
                    if (at != Tree::root || tree_.is_full()) break;
                    std::this_thread::yield();  // another thread is at it: every simulation visits a child
                    continue;
                }
                if (tree_.settings.look_ahead && look_ahead(at, state)) {
                    proved = true;
                    break;
                }
            }
            at = step(state, shared, proved);
        }
        Outcome outcome = tree_.proven(path_.back().node);
        if constexpr (WithAmaf) begin_marks();
        if (outcome == Outcome::running) {
            if (WithAmaf || tree_.settings.decisive != 0) {
                play_out<WithAmaf>(state, rng);
            } else {
                playout(state, trail_, rng, longest_playout);
            }
            outcome = state.outcome();
        }
        if constexpr (WithAmaf) add_amaf(player_return(outcome, 0));
        tree_.back_up(path_, result_of(outcome), proved, shared);
    }

    bool expand(NodeIndex at, const S& state, Rng& rng) {
        if (!tree_.begin_expansion(at)) return false;
        ActionList<S> actions;
        state.legal_actions(actions);
        const auto random = static_cast<std::uint32_t>(rng.next() >> 32);
        return tree_.expand(at, state.current_player(), {actions.begin(), actions.end()}, random) != Tree::none;
    }

    /// Plays every action of a newly expanded node to see which end the game; true if that settles the node.
    bool look_ahead(NodeIndex at, const S& state) {
        bool found = false;
        const NodeIndex first = tree_[at].first_child, end = first + tree_[at].children;
        for (NodeIndex child = first; child < end; ++child) {
            S after = state;
            trail_.advance(after, tree_[child].action);
            if (after.outcome() == Outcome::running) continue;
            tree_.prove(child, after.outcome(), 0);
            found = true;
            if (after.outcome() == win_for(state.current_player())) break;
        }
        return found && tree_.prove_by_children(at);
    }

    /// A random game that may mark its actions and, where there are few, play one that wins at once.
    template <bool WithAmaf>
    void play_out(S& state, Rng& rng) {
        const int decisive = tree_.settings.decisive;
        for (int plies = 0; state.outcome() == Outcome::running && plies < longest_playout; ++plies) {
            Action action = -1;
            if (decisive != 0 && state.count_legal_actions() <= decisive) action = winning_action(state);
            if (action < 0) action = state.random_action(rng);
            if constexpr (WithAmaf) {
                marks_[static_cast<std::size_t>(state.current_player())][static_cast<std::size_t>(action)] = mark_;
            }
            trail_.advance(state, action);
        }
    }

    /// The lowest action that wins at once; −1 if there is none.
    Action winning_action(const S& state) {
        ActionList<S> actions;
        state.legal_actions(actions);
        for (const Action action : actions) {
            S after = state;
            trail_.advance(after, action);
            if (after.outcome() == win_for(state.current_player())) return action;
        }
        return -1;
    }

    // ---- all moves as first: which actions each player chose in the simulation, from the end upwards

    void begin_marks() {
        if (marks_[0].empty()) {
            for (auto& marks : marks_) marks.assign(num_actions_, 0);
        }
        if (++mark_ == 0) {  // after 2³² simulations
            for (auto& marks : marks_) std::fill(marks.begin(), marks.end(), 0u);
            mark_ = 1;
        }
    }

    void add_amaf(int result) {
        const std::uint32_t mark = mark_;
        for (std::size_t k = path_.size(); k-- > 0;) {
            const auto [at, draw_in_hand] = path_[k];
            if (!tree_.is_expanded(at)) continue;
            if (draw_in_hand) result = 0;
            std::uint32_t* const marks = marks_[static_cast<std::size_t>(tree_.player(at))].data();
            if (k + 1 < path_.size()) marks[tree_[path_[k + 1].node].action] = mark;
            for (Node& child : tree_.children(at)) tree_.add_amaf(child, marks[child.action] == mark, result);
        }
    }

    // ---- leaves for an evaluator

    void add_leaf(LeafBatch& batch, const S& state) {
        const auto row = batch.leaves.size();
        const auto actions = static_cast<std::size_t>(batch.num_actions);
        const auto planes = static_cast<std::size_t>(batch.observation_size);
        const int player = state.current_player();
        const std::span<float> observation(batch.observations.data() + row * planes, planes);
        state.observe(player, observation);
        write_legal_mask(state, {batch.masks.data() + row * actions, actions});
        batch.leaves.push_back({path_, player});
    }

    Tree& tree_;
    const S root_;
    Trail<S> trail_;  // going back needs no undo: deeper plies are written over
    const std::size_t num_actions_;
    Path path_;
    std::array<std::vector<std::uint32_t>, 2> marks_;  // by player and action: the last simulation with it
    std::uint32_t mark_ = 0;
};

}  // namespace quincunx
