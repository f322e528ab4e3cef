// Model: makes an AnyGame and its AnyStates from a type that models State.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quincunx/erased/any_state.hpp"
#include "quincunx/erased/batch_model.hpp"
#include "quincunx/games/symmetry.hpp"
#include "quincunx/search/mcts.hpp"
#include "quincunx/search/perft.hpp"
#include "quincunx/search/playout.hpp"
#include "quincunx/search/trail.hpp"

namespace quincunx {

template <Symmetric S>
class GameModel;

template <Symmetric S>
class StateModel final : public AnyState {
public:
    Outcome outcome() const override { return state_.outcome(); }
    int current_player() const override { return state_.current_player(); }
    bool in_turn() const override { return state_.in_turn(); }

    void legal_actions(AnyActionList& out) const override {
        static_assert(S::max_legal_actions <= AnyActionList::capacity);
        out.clear();
        if (is_terminal()) return;
        ActionList<S> list;
        state_.legal_actions(list);
        out.append([&](Action* to) { return std::copy(list.begin(), list.end(), to); });
    }
    void legal_mask(std::span<std::uint8_t> mask) const override {
        if (is_terminal()) {
            std::fill(mask.begin(), mask.end(), std::uint8_t{0});
        } else {
            write_legal_mask(state_, mask);
        }
    }
    bool is_legal(Action action) const override {
        return state_.outcome() == Outcome::running && state_.is_legal(action);
    }
    std::optional<std::string> explain(Action action) const override {
        if (is_terminal()) return "the game is over";
        if (state_.is_legal(action)) return std::nullopt;
        return state_.explain(action);
    }
    StateRef successor(Action action, StateRef&& self) const override {
        if (!is_legal(action)) {
            throw IllegalActionError(game().action_to_string(action), position(), *explain(action));
        }
        return adopt(new StateModel(*this, std::move(self), action));
    }

    std::string position() const override { return state_.position(); }
    std::string ending() const override { return state_.ending(); }
    std::uint64_t hash() const override { return state_.hash(); }
    bool equals(const AnyState& other) const override {
        return &other == this ||
               (game().same_as(other.game()) && state_ == static_cast<const StateModel&>(other).state_);
    }
    void observe(int player, std::span<float> planes) const override { state_.observe(player, planes); }

    bool has_image(int symmetry) const override { return symmetries().applies_to(state_, symmetry); }
    StateRef image(int symmetry) const override {
        if (!has_image(symmetry)) {
            throw ParameterError(quoted(symmetries().name(symmetry)) +
                                 " does not apply to this position: the rules tell the colours apart here");
        }
        const StateModel* start = this;
        std::vector<Action> actions;
        while (start->previous() && start->previous()->has_image(symmetry)) {
            actions.push_back(start->last_action());
            start = start->previous();
        }
        // Read, so that it is what a pickle of it reads.
        StateRef image = game().parse(symmetries().image(start->state_, symmetry).position());
        for (auto action = actions.rbegin(); action != actions.rend(); ++action) {
            image = image->child(symmetries().image(*action, symmetry));
        }
        return image;
    }
    CanonicalInfo canonical() const override {
        const auto [key, symmetry] = symmetries().canonical(state_);
        return {key, symmetry};
    }

    std::uint64_t perft(int depth, Unit unit, int threads, int hash_mb, Cancel& cancel) const override {
        return quincunx::perft(state_, trail(), depth, unit, threads, hash_mb, cancel);
    }
    int playouts(std::uint64_t seed, std::uint64_t first, int threads, int max_plies, Cancel& cancel,
                 std::span<float> returns, std::span<std::int32_t> lengths) const override {
        return quincunx::playouts(state_, trail(), seed, first, threads, max_plies, cancel, returns, lengths);
    }

    std::unique_ptr<Searcher> new_searcher(Tree& tree) const override {
        return std::make_unique<Mcts<S>>(tree, state_, trail(), game().num_distinct_actions());
    }

    const S& value() const { return state_; }
    const typename S::Rules& rules() const { return static_cast<const GameModel<S>&>(game()).rules(); }

    /// The first state of a line of play.
    static StateRef first(const AnyGame& game, const S& state) { return adopt(new StateModel(game, state)); }

private:
    StateModel(const AnyGame& game, const S& state) : AnyState(game), state_(state) {}
    StateModel(const StateModel& parent, StateRef&& reference, Action action)
        : AnyState(std::move(reference), action), state_(parent.state_) {
        state_.apply(action);
        if constexpr (Repeating<S>) {
            if (state_.repetition_limit() != 0 && state_.outcome() == Outcome::running && has_repeated()) {
                state_.end_by_repetition();
            }
        }
    }

    const Symmetries<S>& symmetries() const { return static_cast<const GameModel<S>&>(game()).symmetries(); }
    const StateModel* previous() const { return static_cast<const StateModel*>(parent().get()); }

    bool has_repeated() const
        requires Repeating<S>
    {
        const auto key = state_.repetition_key();
        int occurrences = 1;
        const StateModel* earlier = this;
        for (int back = 2; back <= state_.reversible_plies(); back += 2) {
            earlier = earlier->previous()->previous();
            if (earlier->state_.repetition_key() == key && ++occurrences == state_.repetition_limit()) return true;
        }
        return false;
    }

    Trail<S> trail() const {
        Trail<S> trail(state_);
        if constexpr (Repeating<S>) {
            for (auto earlier = previous(); earlier && trail.recall(earlier->state_);) earlier = earlier->previous();
        }
        return trail;
    }

    S state_;
};

template <Symmetric S>
class GameModel final : public AnyGame {
public:
    using Rules = typename S::Rules;

    template <class... RulesArguments>
    GameModel(std::string name, const Options& options, RulesArguments&&... arguments)
        : AnyGame(std::move(name), options.entries()),
          rules_(std::forward<RulesArguments>(arguments)...),
          shape_(rules_.observation_shape()) {}

    const Rules& rules() const { return rules_; }
    int num_distinct_actions() const override { return rules_.num_distinct_actions(); }
    int max_game_length() const override { return rules_.max_game_length(); }
    const std::vector<int>& observation_shape() const override { return shape_; }
    std::string action_to_string(Action action) const override { return rules_.action_to_string(action); }
    Action string_to_action(std::string_view text) const override { return rules_.string_to_action(text); }
    StateRef initial() const override { return StateModel<S>::first(*this, S::initial(rules_)); }
    StateRef parse(std::string_view position) const override {
        return StateModel<S>::first(*this, S::parse(rules_, position));
    }

    std::unique_ptr<AnyBatch> new_batch(int rows, std::uint64_t seed, int threads, Cancel& cancel) const override {
        const S start = S::initial(rules_);
        if (start.outcome() != Outcome::running) {
            throw ParameterError("a batch is of games that can be played, and this one is over at its start");
        }
        return std::make_unique<BatchModel<S>>(shared_from_this(), start, rows, seed, threads, cancel);
    }

    int num_symmetries() const override { return symmetries().size(); }
    SymmetryInfo symmetry(int number) const override {
        const Exchange exchange = symmetries().exchange_of(number);
        return {symmetries().name(number), (exchange & of_colours) != 0, (exchange & of_shapes) != 0,
                symmetries().inverse(number)};
    }
    Action image(Action action, int symmetry) const override { return symmetries().image(action, symmetry); }
    void image(std::span<const float> observations, std::span<float> images, int symmetry) const override {
        symmetries().image(observations, images, symmetry);
    }

    /// Made when they are first asked for.
    const Symmetries<S>& symmetries() const {
        std::call_once(symmetries_made_, [this] { symmetries_.emplace(rules_); });
        return *symmetries_;
    }

private:
    Rules rules_;
    std::vector<int> shape_;
    mutable std::once_flag symmetries_made_;
    mutable std::optional<Symmetries<S>> symmetries_;
};

}  // namespace quincunx
