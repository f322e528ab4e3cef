// AnySearch: Monte Carlo tree search behind one face, for the states of any game.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "quincunx/erased/any_state.hpp"
#include "quincunx/search/cancel.hpp"
#include "quincunx/search/mcts.hpp"

namespace quincunx {

struct SearchSettings {
    std::uint64_t seed = 0;
    int threads = 1;
    int batch_size = 16;  // with an evaluator
    std::size_t memory_mb = 1024;
    // Where nothing is given, the values that won matches, which differ from game to game.
    std::optional<double> c, first_play, rave;
    std::optional<bool> look_ahead, sensible;
    std::optional<int> decisive;
};

/// What a search says. Values are those of `player`: +1 a certain win, −1 a certain loss.
struct SearchResult {
    int player;  // to move at the root
    Action best_action;
    std::vector<std::int64_t> visits;  // by action id
    std::vector<float> values;         // by action id: the mean, exact if proven; NaN if unknown or illegal
    double value;                      // of the best action
    std::optional<int> proven;         // the result that is certain
    std::vector<std::pair<Action, int>> proven_actions;
    std::vector<Action> principal_variation;  // begins with the best action
    std::int64_t simulations;                 // of this search
    double seconds;                           // of this search
    std::uint32_t nodes;                      // in the tree
    bool memory_full;                         // the tree has no room for more of them
};

/// Fills in priors (any non-negative numbers; those of illegal actions are not used) and values of a batch.
using BatchEvaluator = std::function<void(LeafBatch& batch)>;
/// Told of the result so far, a few times a second; false ends the search.
using SearchProgress = std::function<bool(const SearchResult& so_far)>;

class AnySearch {
public:
    /// With an evaluator the search is PUCT, else UCT with playouts.
    explicit AnySearch(const SearchSettings& settings, BatchEvaluator evaluator = {});

    /// Searches from a running state; throws ParameterError if the game is over. What is known of it from the last
    /// search of the same game is kept, if the state continues the line of play to the state searched last. One
    /// search at a time: throws std::logic_error. Throws Cancelled and what the evaluator or `progress` throws, the
    /// tree being as good as before.
    SearchResult search(const StateRef& state, const SearchBudget& budget, Cancel& cancel,
                        const SearchProgress& progress = {});
    /// Forgets the tree; the next search is as that of a new object.
    void reset();

    const SearchSettings& settings() const { return settings_; }

private:
    class Busy;

    void take_position(const StateRef& state);
    void play(SearchRun& run);
    void evaluate(SearchRun& run, const Cancel& cancel);
    void evaluate_batch(LeafBatch& batch);
    SearchResult result(const SearchRun& run) const;

    SearchSettings settings_;
    BatchEvaluator evaluator_;
    std::unique_ptr<Tree> tree_;
    StateRef root_;                  // the state of the root of the tree
    std::uint64_t simulations_ = 0;  // in this tree: the number of the next one
    std::atomic<bool> busy_{false};
};

}  // namespace quincunx
