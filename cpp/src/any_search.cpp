#include "quincunx/erased/any_search.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace quincunx {

// ---- what matches chose; see docs/search.md

namespace {

struct Chosen {
    std::string_view game;
    TreeSettings settings;
};

constexpr Chosen chosen[] = {
    {"fano330", {.c = 0.8f, .first_play = 1, .look_ahead = true}},
    {"impedio", {.c = 0.1f, .first_play = 1, .rave = 100}},
    {"meigo", {.c = 0.1f, .first_play = 1, .rave = 1000, .sensible = true}},
    {"unane", {.c = 0.5f, .first_play = 1, .look_ahead = true, .decisive = 10}},
    {"unmergo", {.c = 0.1f, .first_play = 1, .rave = 1000}},
};

/// With an evaluator.
constexpr float puct_c = 1.5f;

TreeSettings settings_for(const std::string& game, const SearchSettings& given, bool priors) {
    TreeSettings settings{.c = 0.5f, .first_play = 1};
    for (const auto& entry : chosen) {
        if (entry.game == game) settings = entry.settings;
    }
    if (priors) settings = {.priors = true, .c = puct_c};
    if (given.c) settings.c = static_cast<float>(*given.c);
    if (given.first_play) settings.first_play = static_cast<float>(*given.first_play);
    if (given.rave) settings.rave = static_cast<float>(*given.rave);
    if (given.look_ahead) settings.look_ahead = *given.look_ahead;
    if (given.decisive) settings.decisive = *given.decisive;
    if (given.sensible) settings.sensible = *given.sensible;
    return settings;
}

}  // namespace

// ---- SearchRun and LeafBatch

namespace {

constexpr auto report_every = std::chrono::milliseconds(200);
/// Seconds beyond which a clock would overflow.
constexpr double for_ever = 1e9;

}  // namespace

SearchRun::SearchRun(const Tree& tree, const SearchBudget& budget, std::uint64_t seed, std::uint64_t first_number,
                     Cancel& cancel, std::function<bool(const SearchRun&)> progress)
    : tree_(tree),
      limit_(budget.simulations.value_or(std::numeric_limits<std::int64_t>::max())),
      seed_(seed),
      first_number_(first_number),
      cancel_(cancel),
      progress_(std::move(progress)),
      end_(start_ + std::chrono::duration_cast<Clock::duration>(
                        std::chrono::duration<double>(std::min(budget.seconds.value_or(for_ever), for_ever)))),
      next_report_(start_ + report_every) {}

bool SearchRun::next(bool caller, Rng& rng) {
    if (caller) look_around();
    if (stopped_.load(std::memory_order_relaxed) || cancel_.requested()) return false;
    if (tree_.proven(Tree::root) != Outcome::running) return false;
    const auto number = begun_.fetch_add(1, std::memory_order_relaxed);
    if (number >= limit_) {
        begun_.fetch_sub(1, std::memory_order_relaxed);
        return false;
    }
    rng = Rng(seed_, first_number_ + static_cast<std::uint64_t>(number));
    return true;
}

void SearchRun::look_around() {
    if (cancel_.poll()) return stop();
    // Reading the clock takes as long as a move or two; an evaluator is slower anyway.
    if (--calls_to_clock_ > 0) return;
    calls_to_clock_ = tree_.settings.priors ? 1 : 8;
    if (count() == 0) return;  // one simulation there is in any case
    const auto now = Clock::now();
    if (now >= end_) {
        stop();
    } else if (progress_ && now >= next_report_) {
        next_report_ = now + report_every;
        if (!progress_(*this)) stop();
    }
}

LeafBatch::LeafBatch(int most_leaves, const std::vector<int>& shape, int actions)
    : capacity(most_leaves),
      observation_shape(shape),
      observation_size(std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>())),
      num_actions(actions),
      observations(static_cast<std::size_t>(most_leaves) * static_cast<std::size_t>(observation_size)),
      masks(static_cast<std::size_t>(most_leaves) * static_cast<std::size_t>(actions)),
      priors(masks.size()),
      values(static_cast<std::size_t>(most_leaves)) {
    leaves.reserve(static_cast<std::size_t>(most_leaves));
}

// ---- AnySearch

class AnySearch::Busy {
public:
    explicit Busy(AnySearch& search) : search_(search) {
        if (search_.busy_.exchange(true)) throw std::logic_error("this MCTS object is searching already");
    }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { search_.busy_ = false; }

private:
    AnySearch& search_;
};

AnySearch::AnySearch(const SearchSettings& settings, BatchEvaluator evaluator)
    : settings_(settings), evaluator_(std::move(evaluator)) {}

void AnySearch::reset() {
    const Busy busy(*this);
    root_ = {};
}

SearchResult AnySearch::search(const StateRef& state, const SearchBudget& budget, Cancel& cancel,
                               const SearchProgress& progress) {
    const Busy busy(*this);
    if (state->is_terminal()) throw ParameterError("the game is over: there is no action to search for");
    take_position(state);
    std::function<bool(const SearchRun&)> report;
    if (progress) report = [&](const SearchRun& so_far) { return progress(result(so_far)); };
    SearchRun run(*tree_, budget, settings_.seed, simulations_, cancel, std::move(report));
    try {
        evaluator_ ? evaluate(run, cancel) : play(run);
    } catch (...) {
        simulations_ += static_cast<std::uint64_t>(run.count());
        throw;
    }
    simulations_ += static_cast<std::uint64_t>(run.count());
    if (cancel.requested()) throw Cancelled();
    return result(run);
}

namespace {

/// The actions that lead from a state to a later one of the same line of play, if it is one.
std::optional<std::vector<Action>> line_between(const AnyState& from, const AnyState& to) {
    if (!from.game().same_as(to.game()) || to.move_number() < from.move_number()) return std::nullopt;
    std::vector<Action> line(static_cast<std::size_t>(to.move_number() - from.move_number()));
    const AnyState* at = &to;
    for (auto action = line.rbegin(); action != line.rend(); ++action, at = at->parent().get()) {
        *action = at->last_action();
    }
    // Copies share their past, but a state may have been made anew: then the start and all actions must be the same.
    for (const AnyState* other = &from; at != other; at = at->parent().get(), other = other->parent().get()) {
        if (!at->parent() || !other->parent()) {
            if (at->parent() || other->parent() || !at->equals(*other)) return std::nullopt;
            break;
        }
        if (at->last_action() != other->last_action()) return std::nullopt;
    }
    return line;
}

}  // namespace

void AnySearch::take_position(const StateRef& state) {
    if (!tree_) tree_ = std::make_unique<Tree>(settings_.memory_mb << 20);
    tree_->shared = false;
    const auto line = root_ ? line_between(*root_, *state) : std::nullopt;
    root_ = {};  // in case of an exception: the tree is of no state
    if (!line || !tree_->keep_below(*line)) {
        tree_->settings = settings_for(state->game().name(), settings_, evaluator_ != nullptr);
        tree_->start_afresh();
        simulations_ = 0;
    }
    root_ = state;
}

void AnySearch::play(SearchRun& run) {
    tree_->shared = settings_.threads > 1;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&](bool caller) {
        try {
            root_->new_searcher(*tree_)->run(run, caller);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            run.stop();
        }
    };
    {
        std::vector<std::jthread> helpers;
        for (int t = 1; t < settings_.threads; ++t) helpers.emplace_back(work, false);
        work(true);
    }
    if (failure) std::rethrow_exception(failure);
}

void AnySearch::evaluate(SearchRun& run, const Cancel& cancel) {
    const auto& game = root_->game();
    LeafBatch batch(settings_.batch_size, game.observation_shape(), game.num_distinct_actions());
    const auto searcher = root_->new_searcher(*tree_);
    try {
        if (!tree_->is_expanded(Tree::root)) {
            searcher->collect(batch);
            evaluate_batch(batch);
        }
        Rng rng(0);
        for (bool more = true; more;) {
            while (static_cast<int>(batch.leaves.size()) < batch.capacity && (more = run.next(true, rng))) {
                if (searcher->collect(batch) == Searcher::Found::waiting) {
                    run.take_back();
                    break;
                }
            }
            if (cancel.requested()) throw Cancelled();
            if (!batch.leaves.empty()) evaluate_batch(batch);
        }
    } catch (...) {
        for (const auto& leaf : batch.leaves) {
            tree_->remove_virtual_losses(leaf.path);
            tree_->give_up_expansion(leaf.path.back().node);
        }
        throw;
    }
}

void AnySearch::evaluate_batch(LeafBatch& batch) {
    evaluator_(batch);
    const auto actions = static_cast<std::size_t>(batch.num_actions);
    // All is looked at before anything is changed.
    for (std::size_t row = 0; row < batch.leaves.size(); ++row) {
        for (std::size_t a = row * actions; a < (row + 1) * actions; ++a) {
            if (batch.masks[a] && !(batch.priors[a] >= 0 && std::isfinite(batch.priors[a]))) {
                throw ParameterError("the evaluator gave " + std::to_string(batch.priors[a]) +
                                     " as a prior of a legal action: priors are finite and not negative");
            }
        }
        if (!(std::abs(batch.values[row]) <= 1.001f)) {
            throw ParameterError("the evaluator gave the value " + std::to_string(batch.values[row]) +
                                 ": values are from -1 to 1");
        }
    }
    std::vector<Action> legal;
    std::vector<float> priors;
    for (std::size_t row = 0; row < batch.leaves.size(); ++row) {
        legal.clear();
        priors.clear();
        double sum = 0;
        for (std::size_t a = 0; a < actions; ++a) {
            if (!batch.masks[row * actions + a]) continue;
            legal.push_back(static_cast<Action>(a));
            priors.push_back(batch.priors[row * actions + a]);
            sum += priors.back();
        }
        for (auto& prior : priors) {
            prior = sum > 0 ? static_cast<float>(prior / sum) : 1.0f / static_cast<float>(priors.size());
        }
        const auto& leaf = batch.leaves[row];
        tree_->expand(leaf.path.back().node, leaf.player, legal, 0, priors);
        const double value = std::clamp<double>(batch.values[row], -1, 1) * static_cast<double>(value_one);
        tree_->back_up(leaf.path, std::llround(leaf.player == 0 ? value : -value), false, true);
    }
    batch.leaves.clear();
}

SearchResult AnySearch::result(const SearchRun& run) const {
    const Tree& tree = *tree_;
    SearchResult result{};
    const auto actions = static_cast<std::size_t>(root_->game().num_distinct_actions());
    result.player = root_->current_player();
    result.visits.assign(actions, 0);
    result.values.assign(actions, std::numeric_limits<float>::quiet_NaN());
    const NodeIndex first = tree[Tree::root].first_child;
    for (NodeIndex child = first; child < first + tree[Tree::root].children; ++child) {
        const Action action = tree[child].action;
        const Outcome proven = tree.proven(child);
        result.visits[static_cast<std::size_t>(action)] = tree[child].visits.load(std::memory_order_relaxed);
        result.values[static_cast<std::size_t>(action)] = static_cast<float>(tree.mean(child, result.player));
        if (proven != Outcome::running)
            result.proven_actions.emplace_back(action, player_return(proven, result.player));
    }
    for (NodeIndex at = Tree::root; tree.is_expanded(at);) {
        at = tree.best_child(at);
        const bool visited = !std::isnan(tree.mean(at, 0));
        // The first is best even without a visit, where all others are lost; nothing is known of its value then.
        const bool is_first = result.principal_variation.empty();
        if (!visited && !is_first) break;
        if (visited && is_first) result.value = tree.mean(at, result.player);
        result.principal_variation.push_back(tree[at].action);
    }
    result.best_action = result.principal_variation.front();
    const Outcome proven = tree.proven(Tree::root);
    if (proven != Outcome::running) result.proven = player_return(proven, result.player);
    result.simulations = run.count();
    result.seconds = run.seconds();
    result.nodes = tree.size();
    result.memory_full = tree.is_full();
    return result;
}

}  // namespace quincunx
