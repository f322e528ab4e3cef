// Compiled without fused multiply-add (see CMakeLists.txt): a seed means the same tree on every platform.
#include "quincunx/search/tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <utility>

namespace quincunx {

namespace {

constexpr float unit = 1.0f / static_cast<float>(value_one);
constexpr float sign_for(int player) { return player == 0 ? 1.0f : -1.0f; }

constexpr int log_bits = 12;
const std::array<float, 1 << log_bits> small_logs = [] {
    std::array<float, 1 << log_bits> table{};
    for (std::size_t n = 1; n < table.size(); ++n) table[n] = static_cast<float>(std::log(static_cast<double>(n)));
    return table;
}();

/// The natural logarithm of n ≥ 1, exact enough: of the leading bits and the length.
float log_of(std::uint32_t n) {
    const int shift = std::max(0, static_cast<int>(std::bit_width(n)) - log_bits);
    return small_logs[n >> shift] + static_cast<float>(shift) * 0.6931472f;
}

const std::array<float, 1024> small_inverse_roots = [] {
    std::array<float, 1024> table{};
    for (std::size_t n = 1; n < table.size(); ++n) table[n] = 1.0f / std::sqrt(static_cast<float>(n));
    return table;
}();

float inverse_root(std::uint32_t n) {
    return n < small_inverse_roots.size() ? small_inverse_roots[n] : 1.0f / std::sqrt(static_cast<float>(n));
}

std::uint32_t visits_of(const Node& node) { return node.visits.load(std::memory_order_relaxed); }
float value_of(const Node& node) { return static_cast<float>(node.value.load(std::memory_order_relaxed)); }

void copy_node(Node& to, const Node& from) {
    to.value.store(from.value.load(std::memory_order_relaxed), std::memory_order_relaxed);
    to.visits.store(visits_of(from), std::memory_order_relaxed);
    to.first_child = from.first_child;
    to.words.store(from.words.load(std::memory_order_relaxed), std::memory_order_relaxed);
    to.action = from.action;
    to.children = from.children;
    to.proof.store(from.proof.load(std::memory_order_relaxed), std::memory_order_relaxed);
    to.stage.store(from.stage.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

}  // namespace

// ---- memory

Tree::Tree(std::size_t bytes)
    : capacity_(static_cast<std::uint32_t>(
          std::min<std::size_t>(bytes / 2 / sizeof(Node), std::numeric_limits<std::uint32_t>::max()))),
      arena_(new_arena()),
      nodes_(static_cast<Node*>(arena_.get())) {
    start_afresh();
}

Tree::Arena Tree::new_arena() const {
    Arena arena(std::calloc(capacity_, sizeof(Node)));
    if (!arena) throw std::bad_alloc();
    return arena;
}

void Tree::start_afresh() {
    new (&nodes_[root]) Node();
    used_.store(1, std::memory_order_relaxed);
    full_.store(false, std::memory_order_relaxed);
}

bool Tree::keep_below(std::span<const Action> line) {
    NodeIndex top = root;
    for (const Action action : line) {
        if (!is_expanded(top)) return false;
        const auto below = children(top);
        const auto at = std::lower_bound(below.begin(), below.end(), action,
                                         [](const Node& node, Action id) { return node.action < id; });
        if (at == below.end() || at->action != action) return false;
        top = nodes_[top].first_child + static_cast<NodeIndex>(at - below.begin());
    }
    if (top == root) return true;
    if (!other_) other_ = new_arena();
    // Nodes are copied in the order in which their parents were, so the copy is its own queue.
    Node* const to = static_cast<Node*>(other_.get());
    copy_node(*new (&to[root]) Node(), nodes_[top]);
    std::uint32_t used = 1;
    for (NodeIndex i = 0; i < used; ++i) {
        const NodeIndex first = to[i].first_child;
        if (to[i].children == 0) continue;
        to[i].first_child = used;
        for (NodeIndex child = first; child < first + to[i].children; ++child) {
            copy_node(*new (&to[used++]) Node(), nodes_[child]);
        }
    }
    std::swap(arena_, other_);
    nodes_ = to;
    used_.store(used, std::memory_order_relaxed);
    full_.store(false, std::memory_order_relaxed);
    return true;
}

bool Tree::wants_children(NodeIndex i) const {
    if (i == root) return true;
    // The fuller the memory, the more visits it takes, so that the rest goes to where the search is.
    const std::uint64_t eighths = std::uint64_t{8} * size() / capacity_;
    const std::uint32_t needed = eighths < 4 ? 1 : eighths < 6 ? 4 : eighths < 7 ? 16 : 64;
    // The visit that is under way is counted already, as a virtual loss, if threads share the tree.
    return visits_of(nodes_[i]) >= needed + shared;
}

bool Tree::begin_expansion(NodeIndex i) {
    std::uint8_t expected = leaf;
    return nodes_[i].stage.compare_exchange_strong(expected, busy, std::memory_order_acquire);
}

NodeIndex Tree::expand(NodeIndex i, int player, std::span<const Action> actions, std::uint32_t random,
                       std::span<const float> priors) {
    const auto count = static_cast<std::uint32_t>(actions.size());
    NodeIndex first = size();
    do {
        if (capacity_ - first < count) {
            full_.store(true, std::memory_order_relaxed);
            give_up_expansion(i);
            return none;
        }
    } while (!used_.compare_exchange_weak(first, first + count, std::memory_order_relaxed));
    for (std::uint32_t k = 0; k < count; ++k) {
        Node& child = *new (&nodes_[first + k]) Node();
        child.action = static_cast<std::uint16_t>(actions[k]);
        if (!priors.empty()) child.words.store(std::bit_cast<std::uint32_t>(priors[k]), std::memory_order_relaxed);
    }
    Node& node = nodes_[i];
    node.first_child = first;
    node.children = static_cast<std::uint16_t>(count);
    if (!settings.priors && settings.rave == 0) {
        // Children are first tried from a random one on, with a step that meets them all.
        const std::uint32_t start = (random & 0xffff) % count;
        std::uint32_t step = (random >> 16) % count;
        while (std::gcd(step, count) != 1) ++step;
        node.words.store(start | step << 16, std::memory_order_relaxed);
    }
    node.stage.store(static_cast<std::uint8_t>(to_move_0 + player), std::memory_order_release);
    return first;
}

// ---- proofs

void Tree::prove(NodeIndex i, Outcome outcome, int plies_to_end) {
    constexpr int longest = (1 << 14) - 1;
    nodes_[i].proof.store(static_cast<std::uint16_t>(static_cast<int>(outcome) | std::min(plies_to_end, longest) << 2),
                          std::memory_order_relaxed);
}

bool Tree::prove_by_children(NodeIndex i) {
    if (proven(i) != Outcome::running) return true;
    const Outcome win = win_for(player(i));
    bool all = true, draw = false;
    int quickest = std::numeric_limits<int>::max(), longest = 0;
    for (const Node& child : children(i)) {
        const Outcome result = proven(child);
        if (result == win) {
            quickest = std::min(quickest, distance(child));
        } else if (result == Outcome::running) {
            all = false;
        } else {
            draw |= result == Outcome::draw;
            longest = std::max(longest, distance(child));
        }
    }
    if (quickest < std::numeric_limits<int>::max()) {
        prove(i, win, quickest + 1);
    } else if (all) {
        prove(i, draw ? Outcome::draw : win_for(1 - player(i)), longest + 1);
    } else {
        return false;
    }
    return true;
}

// ---- the way down

NodeIndex Tree::select(Step& step) {
    const NodeIndex i = step.node;
    const Choice choice = settings.priors      ? choose_with_priors(i)
                          : settings.rave != 0 ? choose_with_amaf(i)
                                               : choose_in_order(i);
    if (choice.open != none && choice.certain == none) [[likely]]
        return choice.open;
    if (choice.open != none && proven(choice.certain) == Outcome::draw) {
        step.draw_in_hand = choice.score <= 0;
        return choice.open;
    }
    // All children are proven, or one is won: threads may have proved the last two at once, each unaware of the other.
    prove_by_children(i);
    return choice.certain != none ? choice.certain : best_child(i);
}

Tree::Choice Tree::choose_in_order(NodeIndex i) {
    Node& node = nodes_[i];
    const Outcome loss = win_for(1 - player(i));
    const float to_mean = sign_for(player(i)) * unit;
    const std::uint32_t count = node.children;
    const std::uint32_t order = first_word(node.words.load(std::memory_order_relaxed));
    const std::uint32_t start = order & 0xffff, step = order >> 16;
    const float bonus = settings.c * settings.c * log_of(std::max(1u, visits_of(node)));
    for (;;) {
        const std::uint32_t tried = std::min(count, second_word(node.words.load(std::memory_order_relaxed)));
        Choice choice;
        for (std::uint32_t k = 0, at = start; k < tried; ++k) {
            const NodeIndex c = node.first_child + at;
            const Node& child = nodes_[c];
            at += step;
            if (at >= count) at -= count;
            if (proven(child) != Outcome::running) [[unlikely]] {
                note_proof(choice.certain, c, loss);
                continue;
            }
            const float inverse = 1.0f / static_cast<float>(std::max(1u, visits_of(child)));
            const float score = value_of(child) * to_mean * inverse + std::sqrt(bonus * inverse);
            if (score > choice.score || (score == choice.score && c < choice.open)) {
                choice.score = score;
                choice.open = c;
            }
        }
        if (tried == count || choice.score >= settings.first_play) return choice;
        const std::uint32_t k = second_word(node.words.fetch_add(second_one, std::memory_order_relaxed));
        if (k >= count) continue;  // another thread was quicker
        const auto next = static_cast<std::uint32_t>((start + std::uint64_t{k} * step) % count);
        if (proven(node.first_child + next) != Outcome::running) continue;
        return {settings.first_play, node.first_child + next, none};
    }
}

Tree::Choice Tree::choose_with_amaf(NodeIndex i) const {
    const Node& node = nodes_[i];
    const Outcome loss = win_for(1 - player(i));
    const float sign = sign_for(player(i)), to_mean = sign * unit;
    const float bonus = settings.c * std::sqrt(log_of(std::max(1u, visits_of(node))));
    const float per_rave = 1.0f / settings.rave;
    Choice choice;
    const NodeIndex end = node.first_child + node.children;
    for (NodeIndex c = node.first_child; c < end; ++c) {
        const Node& child = nodes_[c];
        if (proven(child) != Outcome::running) [[unlikely]] {
            note_proof(choice.certain, c, loss);
            continue;
        }
        // With n visits of its own and m of the other kind, the mean of the latter has the weight
        // m / (m + n + m·n / rave): all of it at first, and never more than `rave` visits are worth.
        const std::uint64_t words = child.words.load(std::memory_order_relaxed);
        const auto others = static_cast<std::int32_t>(second_word(words));
        const auto m = static_cast<float>(others);
        const auto other_sum = static_cast<float>(static_cast<std::int32_t>(first_word(words)) - others);
        const std::uint32_t n = visits_of(child);
        const float own_weight = 1.0f + m * per_rave, whole = m + static_cast<float>(n) * own_weight;
        float score = settings.first_play;
        if (whole != 0) {
            score = (sign * other_sum + to_mean * own_weight * value_of(child)) / whole + bonus * inverse_root(n + 1);
        }
        if (score > choice.score) {
            choice.score = score;
            choice.open = c;
        }
    }
    return choice;
}

Tree::Choice Tree::choose_with_priors(NodeIndex i) const {
    const Node& node = nodes_[i];
    const Outcome loss = win_for(1 - player(i));
    const float to_mean = sign_for(player(i)) * unit;
    const auto visits = static_cast<float>(std::max(1u, visits_of(node)));
    const float unvisited = value_of(node) * to_mean / visits;  // expected to be as good as the node itself
    const float bonus = settings.c * std::sqrt(visits);
    Choice choice;
    for (NodeIndex c = node.first_child; c < node.first_child + node.children; ++c) {
        const Node& child = nodes_[c];
        if (proven(child) != Outcome::running) [[unlikely]] {
            note_proof(choice.certain, c, loss);
            continue;
        }
        const auto n = static_cast<float>(visits_of(child));
        const auto prior = std::bit_cast<float>(first_word(child.words.load(std::memory_order_relaxed)));
        const float score = (n == 0 ? unvisited : value_of(child) * to_mean / n) + bonus * prior / (n + 1);
        if (score > choice.score) {
            choice.score = score;
            choice.open = c;
        }
    }
    return choice;
}

void Tree::note_proof(NodeIndex& certain, NodeIndex child, Outcome loss) const {
    const Outcome result = proven(child);
    if (result == loss || (certain != none && result == Outcome::draw)) return;
    certain = child;
}

void Tree::add_virtual_loss(NodeIndex parent, NodeIndex child) {
    add(nodes_[child].visits, 1u);
    add(nodes_[child].value, player(parent) == 0 ? -value_one : value_one);
}

void Tree::remove_virtual_losses(const Path& path) {
    for (std::size_t k = 1; k < path.size(); ++k) {
        add(nodes_[path[k].node].visits, -1);
        add(nodes_[path[k].node].value, player(path[k - 1].node) == 0 ? value_one : -value_one);
    }
}

// ---- the way up

void Tree::back_up(const Path& path, std::int64_t value, bool proved, bool had_losses) {
    for (std::size_t k = path.size(); k-- > 0;) {
        const auto [i, draw_in_hand] = path[k];
        proved = proved && prove_by_children(i);  // the last one is proven as it is
        if (draw_in_hand) value = 0;
        if (k == 0 || !had_losses) {
            add(nodes_[i].visits, 1u);
            add(nodes_[i].value, value);
        } else {
            add(nodes_[i].value, value + (player(path[k - 1].node) == 0 ? value_one : -value_one));
        }
    }
}

// ---- what came of it

double Tree::mean(NodeIndex i, int player) const {
    const Outcome result = proven(i);
    if (result != Outcome::running) return player_return(result, player);
    const auto visits = visits_of(nodes_[i]);
    if (visits == 0) return std::numeric_limits<double>::quiet_NaN();
    return (player == 0 ? 1 : -1) * static_cast<double>(nodes_[i].value.load(std::memory_order_relaxed)) /
           static_cast<double>(value_one) / visits;
}

NodeIndex Tree::best_child(NodeIndex i) const {
    const int who = player(i);
    // Wins, then what is open or drawn, then losses.
    const auto rank = [&](NodeIndex c) {
        const Outcome result = proven(c);
        return result == win_for(who) ? 2 : result == win_for(1 - who) ? 0 : 1;
    };
    const auto is_better = [&](NodeIndex a, NodeIndex b) {
        const int kind = rank(a);
        if (kind != rank(b)) return kind > rank(b);
        const int plies_a = distance(nodes_[a]), plies_b = distance(nodes_[b]);
        if (kind != 1 && plies_a != plies_b) return (plies_a < plies_b) == (kind == 2);
        if (visits_of(nodes_[a]) != visits_of(nodes_[b])) return visits_of(nodes_[a]) > visits_of(nodes_[b]);
        return mean(a, who) > mean(b, who);
    };
    const NodeIndex first = nodes_[i].first_child, end = first + nodes_[i].children;
    NodeIndex best = first, draw = none;
    for (NodeIndex c = first; c < end; ++c) {
        if (is_better(c, best)) best = c;
        if (proven(c) == Outcome::draw && (draw == none || is_better(c, draw))) draw = c;
    }
    const bool open = proven(best) == Outcome::running;
    return open && draw != none && !(mean(best, who) >= 0) ? draw : best;
}

}  // namespace quincunx
