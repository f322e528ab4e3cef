// Tree: the nodes of a Monte Carlo tree search in one flat array, with the choice of the child to visit, the summing up
// of results and the proofs of wins, losses and draws. It knows nothing of any game.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "quincunx/games/state.hpp"

namespace quincunx {

using NodeIndex = std::uint32_t;

/// Results are summed in whole numbers of 1/value_one, so that a sum is exact and does not depend on the order.
inline constexpr std::int64_t value_one = std::int64_t{1} << 24;

/// How children are chosen and nodes expanded. What each number does, and how the defaults were found: docs/search.md.
struct TreeSettings {
    bool priors = false;      // PUCT with the priors of an evaluator, else UCT with playouts
    float c = 0;              // how much uncertainty attracts
    float first_play = 1;     // UCT: the value of a child without visits, for the player who would choose it
    float rave = 0;           // UCT: the visits that an all-moves-as-first mean is worth; 0: not used
    bool look_ahead = false;  // UCT: a node that is expanded tries all its actions for an end of the game
    int decisive = 0;         // UCT: with at most so many actions a playout takes one that wins at once
    bool sensible = false;    // UCT: playouts as the game knows them, if it does; see games/state.hpp
};

/// One position of the tree. All values are those of person 0, whoever is to move: the same player may move twice.
/// The members without `atomic` are written before `stage` says that they can be read.
struct Node {
    std::atomic<std::int64_t> value{0};  // the sum of results, in units of 1/value_one
    std::atomic<std::uint32_t> visits{0};
    NodeIndex first_child = 0;
    /// Two words, of which each of three ways to search has its own use, from the lower to the upper:
    /// UCT: the order in which children are tried; how many have been.
    /// UCT with AMAF: the sum of 1 + result (for person 0) of the simulations in which the player before chose the
    /// action that leads here, at once or later; how many those were.
    /// PUCT: the bits of the prior; nothing.
    std::atomic<std::uint64_t> words{0};
    std::uint16_t action = 0;  // that leads here
    std::uint16_t children = 0;
    std::atomic<std::uint16_t> proof{0};  // see Tree::prove
    std::atomic<std::uint8_t> stage{0};   // see Tree::Stage
};
static_assert(sizeof(Node) == 32);

/// A node on the way down.
struct Step {
    NodeIndex node;
    /// The player to move has a proven draw here, which looks better than the child that is visited next. Visiting the
    /// draw would teach nothing, so the child is, but the node is worth the draw.
    bool draw_in_hand = false;
};
using Path = std::vector<Step>;

class Tree {
public:
    static constexpr NodeIndex root = 0;
    static constexpr NodeIndex none = 0;  // as a child: nothing leads back to the root

    /// Room for `bytes` of nodes, in two halves: what is kept of a tree is copied from one to the other. The system
    /// gives the memory as it is used. Throws std::bad_alloc.
    explicit Tree(std::size_t bytes);

    TreeSettings settings;
    /// Whether several threads work on the tree; only while none does may it change.
    bool shared = false;

    /// A tree of a root without children.
    void start_afresh();
    /// Makes the node to which a line of actions leads the root and keeps what is below it; false if it is not there.
    bool keep_below(std::span<const Action> line);

    Node& operator[](NodeIndex i) { return nodes_[i]; }
    const Node& operator[](NodeIndex i) const { return nodes_[i]; }
    std::uint32_t size() const { return used_.load(std::memory_order_relaxed); }
    /// Whether a node has gone without children for want of room.
    bool is_full() const { return full_.load(std::memory_order_relaxed); }
    std::span<const Node> children(NodeIndex i) const { return {nodes_ + nodes_[i].first_child, nodes_[i].children}; }
    std::span<Node> children(NodeIndex i) { return {nodes_ + nodes_[i].first_child, nodes_[i].children}; }

    bool is_expanded(NodeIndex i) const { return nodes_[i].stage.load(std::memory_order_acquire) >= to_move_0; }
    /// The player to move at an expanded node.
    int player(NodeIndex i) const { return nodes_[i].stage.load(std::memory_order_relaxed) - to_move_0; }
    /// The result that is certain, or `running`.
    Outcome proven(NodeIndex i) const { return proven(nodes_[i]); }
    static Outcome proven(const Node& node) {
        return static_cast<Outcome>(node.proof.load(std::memory_order_relaxed) & 3);
    }
    /// Of a proven node: plies to the end as far as the proof goes, which for a loss is the longest found.
    static int distance(const Node& node) { return node.proof.load(std::memory_order_relaxed) >> 2; }
    void prove(NodeIndex i, Outcome outcome, int plies_to_end);

    /// Whether a node without children has been visited often enough to get them.
    bool wants_children(NodeIndex i) const;
    /// Reserves the right to give a node its children; false if another has it.
    bool begin_expansion(NodeIndex i);
    /// Gives a node its children, in ascending order of actions, and returns the first. `random` sets the order in
    /// which they are tried; priors, if any, are one for each. Without room the node stays as it is: returns `none`.
    NodeIndex expand(NodeIndex i, int player, std::span<const Action> actions, std::uint32_t random,
                     std::span<const float> priors = {});
    void give_up_expansion(NodeIndex i) { nodes_[i].stage.store(leaf, std::memory_order_relaxed); }

    /// The child to visit next. The step is that of an expanded node.
    NodeIndex select(Step& step);
    /// Makes a child look like a loss for who chose it while its result is not known, so that others go elsewhere.
    void add_virtual_loss(NodeIndex parent, NodeIndex child);
    /// Takes back what add_virtual_loss did below the root of a path.
    void remove_virtual_losses(const Path& path);
    /// Proves the node by its children, if they do.
    bool prove_by_children(NodeIndex i);
    /// Adds a result for person 0 to all nodes of a path from the root; `proved`: its last node has just been proven.
    /// With `had_losses` the nodes below the root bear virtual losses, which this replaces.
    void back_up(const Path& path, std::int64_t value, bool proved, bool had_losses);
    /// Adds a result for person 0 (1, 0, −1) to a child's all-moves-as-first sum if its action was chosen.
    void add_amaf(Node& child, bool chosen, int result) {
        if (shared && !chosen) return;
        // Without a branch, which could not be predicted.
        add(child.words, (second_one + static_cast<std::uint64_t>(1 + result)) & -std::uint64_t{chosen});
    }

    /// The child to play: a proven win, the quickest known; never a proven loss if there is anything else; a proven
    /// draw if the alternative looks worse; else the most visits, then the higher value, then the lowest action. Of
    /// losses the longest. The node must be expanded.
    NodeIndex best_child(NodeIndex i) const;
    /// The mean result of a node for a player; exact if proven; NaN without visits.
    double mean(NodeIndex i, int player) const;

private:
    enum Stage : std::uint8_t { leaf, busy, to_move_0, to_move_1 };

    /// 1 in the upper word.
    static constexpr std::uint64_t second_one = std::uint64_t{1} << 32;
    static std::uint32_t first_word(std::uint64_t words) { return static_cast<std::uint32_t>(words); }
    static std::uint32_t second_word(std::uint64_t words) { return static_cast<std::uint32_t>(words >> 32); }

    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    using Arena = std::unique_ptr<void, Free>;

    template <class T, class U>
    void add(std::atomic<T>& sum, U value) {
        if (shared) {
            sum.fetch_add(static_cast<T>(value), std::memory_order_relaxed);
        } else {
            sum.store(sum.load(std::memory_order_relaxed) + static_cast<T>(value), std::memory_order_relaxed);
        }
    }

    Arena new_arena() const;
    /// The best child by the scores of those without a proof, and one with a proven win or draw.
    struct Choice {
        float score = -std::numeric_limits<float>::infinity();
        NodeIndex open = none, certain = none;
    };
    void note_proof(NodeIndex& certain, NodeIndex child, Outcome loss) const;
    Choice choose_in_order(NodeIndex i);
    Choice choose_with_amaf(NodeIndex i) const;
    Choice choose_with_priors(NodeIndex i) const;

    std::uint32_t capacity_;
    Arena arena_, other_;  // the second is made when it is needed
    Node* nodes_;
    std::atomic<std::uint32_t> used_{0};
    std::atomic<bool> full_{false};
};

}  // namespace quincunx
