// What every game promises (games/state.hpp), checked along random games: one line a game, size and set of rules.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "quincunx/games/symmetry.hpp"
#include "quincunx/search/perft.hpp"
#include "quincunx/search/playout.hpp"
#include "quincunx/search/trail.hpp"
#include "statistics.hpp"

namespace quincunx::test {

/// How much of a game is checked; positions are read besides the ones met in play.
struct Extent {
    int plies = 1500;
    std::vector<std::string> positions{};
};

template <Symmetric S>
class Contract {
public:
    using Rules = typename S::Rules;

    Contract(std::string name, const Rules& rules, const Extent& extent)
        : name_(std::move(name)), rules_(rules), extent_(extent), symmetries_(rules), rng_(2026, hash_of(name_)) {}

    void run() {
        check_rules();
        check_symmetries();
        for (const auto& text : extent_.positions) {
            const S state = S::parse(rules_, text);
            CHECK(state.position() == text, where(state));
            check(state, true);
            if (running(state)) {
                check_uniform(state, 100);
                play(state);
            }
        }
        check_perft(S::initial(rules_));
        while (plies_ < extent_.plies) play(S::initial(rules_));
        CHECK(games_ > 0, name_);
    }

private:
    static bool running(const S& state) { return state.outcome() == Outcome::running; }

    static std::uint64_t hash_of(const std::string& text) {
        std::uint64_t hash = 0;
        for (char c : text) hash = hash_combine(hash, static_cast<std::uint64_t>(c));
        return hash;
    }

    std::string where(const S& state) const { return name_ + ": " + state.position(); }

    void check_rules() {
        CHECK(rules_.num_distinct_actions() > 0 && rules_.max_game_length() >= 0, name_);
        for (int size : rules_.observation_shape()) CHECK(size > 0, name_);
        check_texts();
        const S start = S::initial(rules_);
        CHECK(running(start), name_);
        CHECK(start.current_player() == 0 || start.current_player() == 1, name_);
    }

    /// Every id has a text of its own that reads back, but for moves off the board, which have no text that does.
    void check_texts() {
        std::vector<std::string> texts;
        for (Action id = 0; id < rules_.num_distinct_actions(); ++id) {
            const auto text = rules_.action_to_string(id);
            CHECK(!text.empty(), name_);
            if (text.size() > 3 && text.ends_with("off")) {
                CHECK_THROWS(ActionTextError, rules_.string_to_action(text));
                continue;
            }
            texts.push_back(text);
            try {
                CHECK(rules_.string_to_action(text) == id, name_ + ": " + text);
            } catch (const ActionTextError& error) {
                CHECK(false, name_ + ": " + text + ": " + error.what());
            }
        }
        std::sort(texts.begin(), texts.end());
        CHECK(std::adjacent_find(texts.begin(), texts.end()) == texts.end(), name_);
        for (int i = 0; i < 300; ++i) {
            const auto text = mutated(texts[below(texts.size())]);
            try {
                const Action id = rules_.string_to_action(text);
                CHECK(0 <= id && id < rules_.num_distinct_actions(), name_ + ": " + text);
                auto printed = rules_.action_to_string(id), given = text;
                for (auto* s : {&printed, &given}) {
                    for (char& c : *s) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
                }
                CHECK(printed == given, name_ + ": " + text);
            } catch (const ActionTextError& error) {
                CHECK(error.what()[0] != 0, name_);
            }
        }
    }

    /// One random game, checked at every ply.
    void play(S state) {
        Trail<S> trail(state);
        ++games_;
        int length = 0;
        for (; running(state); ++length, ++plies_) {
            const bool chosen = rng_.below(std::max(2, extent_.plies / 12)) == 0;
            check(state, rules_.num_distinct_actions() <= 400 || rng_.below(rules_.num_distinct_actions()) < 200);
            if (chosen) check_uniform(state, 25);
            if (chosen || rng_.below(8) == 0) check_mutations(state);
            if (chosen || rng_.below(8) == 0) check_images(state);
            const Action action = state.random_action(rng_);
            const S before = state;
            trail.advance(state, action);
            CHECK(!(state == before), where(before));
            CHECK(state.position() != before.position(), where(before));
            // Whoever is in the middle of a turn goes on.
            if (running(state) && state.in_turn())
                CHECK(state.current_player() == before.current_player(), where(state));
            if (length > 100'000) {
                CHECK(false, name_ + ": a game without an end");
                return;
            }
        }
        if (rules_.max_game_length() > 0) CHECK(length <= rules_.max_game_length(), where(state));
        check(state, false);
        check_mutations(state);
        check_images(state);
    }

    void check(const S& state, bool every_id) {
        if constexpr (requires { state.consistent(); }) CHECK(state.consistent(), where(state));
        check_reread(state);
        check_observation(state);
        if (!running(state)) {
            CHECK(!state.ending().empty(), where(state));
            return;
        }
        const int player = state.current_player();
        CHECK(player == 0 || player == 1, where(state));
        ActionList<S> list;
        state.legal_actions(list);
        CHECK(list.size() > 0 && list.size() <= S::max_legal_actions, where(state));
        CHECK(list.size() == state.count_legal_actions(), where(state));
        CHECK(std::is_sorted(list.begin(), list.end(), std::less_equal<>()), where(state));
        CHECK(list[0] >= 0 && list[list.size() - 1] < rules_.num_distinct_actions(), where(state));
        for (int i = 0; i < 3; ++i) {
            const Action action = state.random_action(rng_);
            CHECK(std::binary_search(list.begin(), list.end(), action), where(state) + " " + std::to_string(action));
        }
        if (!every_id) {
            for (Action action : list)
                CHECK(state.is_legal(action), where(state) + " " + rules_.action_to_string(action));
            return;
        }
        // With room behind it, where nothing may be written: in a batch the next row lies there.
        const auto ids = static_cast<std::size_t>(rules_.num_distinct_actions());
        std::vector<std::uint8_t> mask(ids + 64, 7);
        write_legal_mask(state, std::span(mask).first(ids));
        CHECK(std::all_of(mask.begin() + rules_.num_distinct_actions(), mask.end(), [](int x) { return x == 7; }),
              where(state));
        const auto* next = list.begin();
        for (Action id = 0; id < rules_.num_distinct_actions(); ++id) {
            const bool listed = next != list.end() && *next == id;
            next += listed;
            CHECK(state.is_legal(id) == listed, where(state) + " " + rules_.action_to_string(id));
            CHECK(mask[static_cast<std::size_t>(id)] == listed, where(state) + " " + rules_.action_to_string(id));
            if (listed) continue;
            const auto reason = state.explain(id);
            CHECK(!reason.empty() && reason.find('\n') == std::string::npos,
                  where(state) + " " + rules_.action_to_string(id));
        }
        if constexpr (Finding<S>) {
            const auto found = state.find_legal();
            for (Action id = 0; id < rules_.num_distinct_actions(); ++id) {
                CHECK(state.is_legal(found, id) == state.is_legal(id), where(state) + " " + std::to_string(id));
            }
            Rng same = rng_;
            CHECK(state.random_action(found, same) == state.random_action(rng_), where(state));
        }
    }

    /// The position string reads back as an equal state, unless the end came from the plies before.
    void check_reread(const S& state) {
        const auto text = state.position();
        const S again = S::parse(rules_, text);
        CHECK(again.position() == text, where(state));
        // These games are drawn by repetition or by number of plies and by nothing else.
        if (Repeating<S> && state.outcome() == Outcome::draw) return;
        CHECK(again == state && state == again, where(state));
        CHECK(again.hash() == state.hash(), where(state));
        CHECK(again.outcome() == state.outcome(), where(state));
        CHECK(again.in_turn() == state.in_turn(), where(state));
        if (!running(state)) return;
        CHECK(again.current_player() == state.current_player(), where(state));
        // What a state keeps beside its position has to be what a reader of the position makes.
        ActionList<S> kept, made;
        state.legal_actions(kept);
        again.legal_actions(made);
        CHECK(std::equal(kept.begin(), kept.end(), made.begin(), made.end()), where(state));
        CHECK(again.count_legal_actions() == kept.size(), where(state));
    }

    void check_observation(const S& state) {
        const auto shape = rules_.observation_shape();
        const auto size = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
        for (int player : {0, 1}) {
            std::vector<float> memory(static_cast<std::size_t>(size) + 16, std::nanf(""));
            const auto planes = std::span(memory).first(static_cast<std::size_t>(size));
            state.observe(player, planes);
            CHECK(std::all_of(planes.begin(), planes.end(), [](float x) { return std::isfinite(x); }), where(state));
            CHECK(std::any_of(planes.begin(), planes.end(), [](float x) { return x != 0; }), where(state));
            CHECK(std::all_of(planes.end(), std::span(memory).end(), [](float x) { return std::isnan(x); }),
                  where(state));
        }
    }

    void check_uniform(const S& state, int draws_each) {
        ActionList<S> list;
        state.legal_actions(list);
        std::vector<int> counts(static_cast<std::size_t>(list.size()));
        for (int i = 0; i < draws_each * list.size(); ++i) {
            const auto* at = std::lower_bound(list.begin(), list.end(), state.random_action(rng_));
            if (at == list.end()) {
                CHECK(false, where(state));
                return;
            }
            ++counts[static_cast<std::size_t>(at - list.begin())];
        }
        CHECK(excess(counts) < 5, where(state) + " excess " + std::to_string(excess(counts)));
        CHECK(*std::min_element(counts.begin(), counts.end()) > 0, where(state));
    }

    /// A damaged position string is refused or prints itself; nothing else can happen.
    void check_mutations(const S& state) {
        for (int i = 0; i < 6; ++i) {
            const auto text = mutated(state.position());
            try {
                const S read = S::parse(rules_, text);
                CHECK(read.position() == text, name_ + ": " + text);
                if (running(read)) {
                    ActionList<S> list;
                    read.legal_actions(list);
                    CHECK(list.size() > 0 && list.size() == read.count_legal_actions(), name_ + ": " + text);
                    S child = read;
                    child.apply(read.random_action(rng_));
                    check_observation(child);
                    CHECK(S::parse(rules_, child.position()).position() == child.position(), name_ + ": " + text);
                }
            } catch (const PositionError& error) {
                CHECK(error.what()[0] != 0, name_);
            }
        }
    }

    /// The symmetries are a group, and act on the ids of actions as one.
    void check_symmetries() {
        const auto ids = [&](int number) {
            std::vector<Action> images;
            for (Action id = 0; id < rules_.num_distinct_actions(); ++id) {
                images.push_back(symmetries_.image(id, number));
            }
            return images;
        };
        const auto identity = ids(0);
        CHECK(std::is_sorted(identity.begin(), identity.end(), std::less_equal<>()), name_);
        for (int round = 0; round < 20; ++round) {
            const int one = rng_.below(symmetries_.size()), other = rng_.below(symmetries_.size());
            const auto first = ids(one), second = ids(other);
            auto both = first;
            for (Action& id : both) id = second[static_cast<std::size_t>(id)];
            bool found = false;
            for (int number = 0; number < symmetries_.size() && !found; ++number) {
                found = symmetries_.exchange_of(number) ==
                            (symmetries_.exchange_of(one) ^ symmetries_.exchange_of(other)) &&
                        ids(number) == both;
            }
            CHECK(found, name_ + ": " + symmetries_.name(one) + " and " + symmetries_.name(other));
            const auto back = ids(symmetries_.inverse(one));
            for (Action id : identity) CHECK(back[static_cast<std::size_t>(first[static_cast<std::size_t>(id)])] == id);
        }
    }

    /// What is legal in a position is legal, carried along, in its images, and leads to the images.
    void check_images(const S& state) {
        const auto canonical = symmetries_.canonical(state);
        const S representative = symmetries_.image(state, canonical.symmetry);
        for (int number : {rng_.below(symmetries_.size()), rng_.below(symmetries_.size()), canonical.symmetry}) {
            if (!symmetries_.applies_to(state, number)) continue;
            const auto context = where(state) + " " + symmetries_.name(number);
            const S image = symmetries_.image(state, number);
            if constexpr (requires { image.consistent(); }) CHECK(image.consistent(), context);
            check_reread(image);
            CHECK(symmetries_.image(image, symmetries_.inverse(number)) == state, context);
            CHECK(image.outcome() == exchanged(state.outcome(), symmetries_.exchange_of(number)), context);
            const auto again = symmetries_.canonical(image);
            CHECK(again.key == canonical.key && symmetries_.image(image, again.symmetry) == representative, context);
            const bool players = (symmetries_.exchange_of(number) & of_colours) != 0;
            check_observation_images(state, image, number, players);
            if (!running(state)) continue;
            CHECK(image.current_player() == (players ? 1 - state.current_player() : state.current_player()), context);
            ActionList<S> here, there;
            state.legal_actions(here);
            image.legal_actions(there);
            for (Action& action : here) action = symmetries_.image(action, number);
            std::sort(here.begin(), here.end());
            CHECK(std::equal(here.begin(), here.end(), there.begin(), there.end()), context);
            S after = state, after_image = image;
            const Action action = state.random_action(rng_);
            after.apply(action);
            after_image.apply(symmetries_.image(action, number));
            CHECK(symmetries_.applies_to(after, number) && symmetries_.image(after, number) == after_image, context);
        }
    }

    void check_observation_images(const S& state, const S& image, int number, bool players) {
        const auto shape = rules_.observation_shape();
        const auto size = std::accumulate(shape.begin(), shape.end(), 1, std::multiplies<>());
        for (int player : {0, 1}) {
            std::vector<float> here(static_cast<std::size_t>(size)), there(here.size()), moved(here.size());
            state.observe(player, here);
            image.observe(players ? 1 - player : player, there);
            symmetries_.image(here, moved, number);
            CHECK(moved == there, where(state) + " " + symmetries_.name(number));
        }
    }

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(rng_.below(static_cast<int>(n))); }

    std::string mutated(std::string text) {
        constexpr std::string_view letters = "xoXO.wbsScCpumk0123456789/-, placemoveend\n\xff";
        for (int edits = 1 + rng_.below(3); edits > 0; --edits) {
            const char letter = rng_.below(30) == 0 ? '\0' : letters[below(letters.size())];
            const auto at = below(text.size() + 1);
            switch (rng_.below(5)) {
                case 0:
                    text.insert(at, 1, letter);
                    break;
                case 1:
                    if (at < text.size()) text.erase(at, 1 + below(2));
                    break;
                case 2:
                    if (at < text.size()) std::swap(text[at], text[below(text.size())]);
                    break;
                case 3:
                    text.insert(at, text.substr(below(text.size() + 1), below(8)));
                    break;
                default:
                    if (at < text.size()) text[at] = letter;
            }
        }
        return text;
    }

    static std::uint64_t count_plainly(const S& state, const Trail<S>& trail, int depth, Unit unit) {
        if (depth == 0) return 1;
        if (!running(state)) return 0;
        ActionList<S> list;
        state.legal_actions(list);
        std::uint64_t nodes = 0;
        for (Action action : list) {
            S child = state;
            Trail<S> after = trail;
            after.advance(child, action);
            nodes += count_plainly(child, after, unit == Unit::turn && child.in_turn() ? depth : depth - 1, unit);
        }
        return nodes;
    }

    /// Perft with its shortcuts, on one thread and on several, counts what playing everything out counts.
    void check_perft(const S& state) {
        const int first = state.count_legal_actions();
        const int depth = first < 16 ? 3 : first < 90 ? 2 : 1;
        const Trail<S> trail(state);
        Cancel cancel;
        for (Unit unit : {Unit::ply, Unit::turn}) {
            for (int d = 0; d <= (unit == Unit::turn ? 1 : depth); ++d) {
                const auto expected = count_plainly(state, trail, d, unit);
                CHECK(perft(state, trail, d, unit, 1, 0, cancel) == expected, name_);
                CHECK(perft(state, trail, d, unit, 3, 0, cancel) == expected, name_);
                CHECK(perft(state, trail, d, unit, 2, 1, cancel) == expected, name_);
            }
        }
    }

    std::string name_;
    const Rules& rules_;
    Extent extent_;
    const Symmetries<S> symmetries_;
    Rng rng_;
    int plies_ = 0, games_ = 0;
};

template <Symmetric S>
void contract(const std::string& name, const typename S::Rules& rules, const Extent& extent = {}) {
    Contract<S>(name, rules, extent).run();
}

/// Two types for one board play the same games.
template <State A, State B>
void same_games(const std::string& name, const typename A::Rules& rules_a, const typename B::Rules& rules_b,
                int games) {
    for (int game = 0; game < games; ++game) {
        A a = A::initial(rules_a);
        B b = B::initial(rules_b);
        Trail<A> trail_a(a);
        Trail<B> trail_b(b);
        Rng rng_a(5, static_cast<std::uint64_t>(game)), rng_b = rng_a;
        bool same = true;
        while (same && a.outcome() == Outcome::running) {
            const Action action = a.random_action(rng_a);
            same = b.outcome() == Outcome::running && action == b.random_action(rng_b);
            if (!same) break;
            trail_a.advance(a, action);
            trail_b.advance(b, action);
            same = a.position() == b.position() && a.outcome() == b.outcome();
        }
        CHECK(same && a.outcome() == b.outcome(), name + ": " + a.position());
    }
}

}  // namespace quincunx::test
