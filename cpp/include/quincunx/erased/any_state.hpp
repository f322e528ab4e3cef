// AnyGame and AnyState: the games behind one face; the only virtual calls of the library, made once a call from
// outside.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quincunx/base/options.hpp"
#include "quincunx/games/state.hpp"
#include "quincunx/search/cancel.hpp"
#include "quincunx/search/perft.hpp"

namespace quincunx {

class AnyBatch;
class AnyGame;
class AnyState;
class Searcher;
class Tree;

/// Room for the legal actions of any state of any game.
using AnyActionList = FixedList<Action, 8192>;

/// A counted reference to a state.
class StateRef {
public:
    StateRef() = default;
    explicit StateRef(const AnyState* state);  // shares: the state's count goes up
    StateRef(const StateRef& other);
    StateRef(StateRef&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    StateRef& operator=(StateRef other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~StateRef();
    const AnyState* operator->() const { return state_; }
    const AnyState& operator*() const { return *state_; }
    const AnyState* get() const { return state_; }
    explicit operator bool() const { return state_ != nullptr; }

private:
    friend class AnyState;
    const AnyState* state_ = nullptr;
};

/// One of the symmetries of a game, see games/symmetry.hpp.
struct SymmetryInfo {
    std::string name;
    bool exchanges_colours, exchanges_shapes;
    int inverse;  // the number of the symmetry that leads back
};

/// Which of the equivalent positions stands for all.
struct CanonicalInfo {
    std::uint64_t hash;  // equal for equivalent positions, the same in every process
    int symmetry;        // that leads there
};

/// A game with its parameters. Made by `load_game`; lives as long as any of its states.
class AnyGame : public std::enable_shared_from_this<AnyGame> {
public:
    AnyGame(std::string name, std::vector<OptionEntry> parameters)
        : name_(std::move(name)), parameters_(std::move(parameters)) {}
    AnyGame(const AnyGame&) = delete;
    AnyGame& operator=(const AnyGame&) = delete;
    virtual ~AnyGame() = default;

    const std::string& name() const { return name_; }
    const std::vector<OptionEntry>& parameters() const { return parameters_; }
    bool same_as(const AnyGame& other) const;

    virtual int num_distinct_actions() const = 0;
    virtual int max_game_length() const = 0;
    virtual const std::vector<int>& observation_shape() const = 0;
    virtual std::string action_to_string(Action action) const = 0;
    virtual Action string_to_action(std::string_view text) const = 0;
    virtual StateRef initial() const = 0;
    virtual StateRef parse(std::string_view position) const = 0;
    /// Many games side by side; throws ParameterError if there is no room for them, or a game is over at its start.
    virtual std::unique_ptr<AnyBatch> new_batch(int rows, std::uint64_t seed, int threads, Cancel& cancel) const = 0;

    /// The symmetries that the rules respect, by number; the first is the identity.
    virtual int num_symmetries() const = 0;
    virtual SymmetryInfo symmetry(int number) const = 0;
    virtual Action image(Action action, int symmetry) const = 0;
    /// Carries observations along, any number one after the other.
    virtual void image(std::span<const float> observations, std::span<float> images, int symmetry) const = 0;

    /// Throws IllegalActionError or ParameterError unless 0 ≤ id < num_distinct_actions().
    Action checked_id(std::int64_t id) const;

private:
    std::string name_;
    std::vector<OptionEntry> parameters_;
};

using GameRef = std::shared_ptr<const AnyGame>;

/// A state in a game, never changed once made: a child is a new state that keeps its parent, so that taking back and
/// copying cost nothing, copies share their past, and repetitions are found by looking back.
class AnyState {
public:
    AnyState(const AnyState&) = delete;
    AnyState& operator=(const AnyState&) = delete;

    const AnyGame& game() const { return *game_; }
    /// None at the start or at the position read.
    const StateRef& parent() const { return parent_; }
    /// The action that led from the parent here.
    Action last_action() const { return last_action_; }
    /// The number of actions since the start or the position read.
    int move_number() const { return move_number_; }
    std::vector<Action> history() const;

    virtual Outcome outcome() const = 0;
    virtual int current_player() const = 0;
    virtual bool in_turn() const = 0;
    /// Writes the legal actions, ascending, none when the game is over.
    virtual void legal_actions(AnyActionList& out) const = 0;
    /// Writes a mask of num_distinct_actions() bytes, 1 for the legal actions, none when the game is over.
    virtual void legal_mask(std::span<std::uint8_t> mask) const = 0;
    virtual bool is_legal(Action action) const = 0;
    /// Nothing if the action is legal, else one sentence.
    virtual std::optional<std::string> explain(Action action) const = 0;
    /// The state after a legal action; throws IllegalActionError and changes nothing otherwise.
    StateRef child(Action action) const { return successor(action, StateRef(this)); }
    /// The same; `self` is a reference to this state that the child takes over, which spares counting. It stays what it
    /// is if the action is refused.
    virtual StateRef successor(Action action, StateRef&& self) const = 0;
    virtual std::string position() const = 0;
    /// How a finished game ended, in one sentence.
    virtual std::string ending() const = 0;
    virtual std::uint64_t hash() const = 0;
    /// Same game, same position, same outcome; the plies before are not compared.
    virtual bool equals(const AnyState& other) const = 0;
    /// Writes the observation of a player, observation_shape().
    virtual void observe(int player, std::span<float> planes) const = 0;
    /// Whether a symmetry applies: the colours can be exchanged only where the rules treat them alike.
    virtual bool has_image(int symmetry) const = 0;
    /// The state carried along, with the plies before as far as the symmetry applies to them; throws ParameterError.
    virtual StateRef image(int symmetry) const = 0;
    virtual CanonicalInfo canonical() const = 0;
    virtual std::uint64_t perft(int depth, Unit unit, int threads, int hash_mb, Cancel& cancel) const = 0;
    virtual int playouts(std::uint64_t seed, std::uint64_t first, int threads, int max_plies, Cancel& cancel,
                         std::span<float> returns, std::span<std::int32_t> lengths) const = 0;
    /// What a tree search plays its simulations with; the game must be running. See AnySearch.
    virtual std::unique_ptr<Searcher> new_searcher(Tree& tree) const = 0;

    bool is_terminal() const { return outcome() != Outcome::running; }
    /// Nothing if the text (an action, or the actions of one turn) is legal now, else one sentence.
    std::optional<std::string> explain(std::string_view text) const;
    /// Every complete turn with the state it leads to, in the order of action ids.
    std::vector<std::pair<std::string, StateRef>> turns() const;
    /// The state after one complete turn as text; throws ActionTextError or IllegalActionError.
    StateRef child_by_turn(std::string_view text) const;

protected:
    explicit AnyState(const AnyGame& game) : game_(&game), keeps_game_(game.shared_from_this()) {}
    AnyState(StateRef&& parent, Action action)
        : game_(parent->game_),
          parent_(std::move(parent)),
          last_action_(action),
          move_number_(parent_->move_number_ + 1) {}
    virtual ~AnyState() = default;
    /// Takes over the one reference that a newly made state starts with.
    static StateRef adopt(const AnyState* state) {
        StateRef ref;
        ref.state_ = state;
        return ref;
    }

private:
    friend class StateRef;
    void acquire() const { references_.fetch_add(1, std::memory_order_relaxed); }
    static void release(const AnyState* state);
    /// The texts of the first and, if there is one, the second action of a turn.
    std::pair<std::string_view, std::optional<std::string_view>> actions_of(std::string_view text) const;

    const AnyGame* game_;
    GameRef keeps_game_;  // only in the first state of a line: the others reach it through their parents
    mutable StateRef parent_;
    Action last_action_ = -1;
    int move_number_ = 0;
    mutable std::atomic<std::uint32_t> references_{1};
};

inline StateRef::StateRef(const AnyState* state) : state_(state) { state_->acquire(); }
inline StateRef::StateRef(const StateRef& other) : state_(other.state_) {
    if (state_) state_->acquire();
}
inline StateRef::~StateRef() {
    if (state_) AnyState::release(state_);
}

/// The registry: every game by name.
struct GameInfo {
    std::string name;    // as in load_game
    std::string title;   // as a person reads it
    std::string credit;  // who made it
};
const std::vector<GameInfo>& registered_games();
/// Throws ParameterError for an unknown game or an unknown or bad parameter.
GameRef load_game(const std::string& name, const GivenOptions& parameters);

}  // namespace quincunx
