#include <algorithm>

#include "check.hpp"
#include "quincunx/erased/fano_table.hpp"
#include "quincunx/solve/fano_positions.hpp"

using namespace quincunx;

namespace {

using Move = PositionGraph::Move;

PositionGraph graph_of(std::vector<std::vector<Move>> moves) {
    PositionGraph graph;
    for (auto& list : moves) graph.add(list);
    return graph;
}

/// Every value of a table follows from those of the successors.
template <Adjacency Reading>
void check_table(const char* name) {
    Cancel cancel;
    const auto data = solve_fano330(Reading, cancel);
    const FanoTable table(Reading, data.keys, data.results);
    const auto game = load_game("fano330", {{"adjacency", name}, {"repetition", "0"}, {"max_plies", "0"}});
    const typename Fano330<Reading>::Rules rules(0, 0);
    AnyActionList actions;
    for (const auto key : data.keys) {
        const auto state = game->parse(Fano330<Reading>::from_key(rules, key).position());
        const auto [verdict, best] = table.probe(*state);
        Verdict expected{-1, 0};
        std::vector<Action> expected_best;
        state->legal_actions(actions);
        for (const Action action : actions) {
            const auto next = state->child(action);
            auto [value, distance] = table.probe(*next).verdict;
            if (next->current_player() != state->current_player()) value = static_cast<std::int8_t>(-value);
            const Verdict reached{value, value == 0 ? 0 : distance + 1};
            const bool better = expected_best.empty() || reached.value > expected.value ||
                                (reached.value == expected.value &&
                                 reached.distance * reached.value < expected.distance * reached.value);
            if (better) expected_best.clear(), expected = reached;
            if (reached == expected) expected_best.push_back(action);
        }
        CHECK(verdict == expected && best == expected_best, state->position());
    }
}

}  // namespace

TEST(retrograde_of_small_graphs) {
    const auto look = [] {};
    // 0 may win at once or go on; 1 can only lose; 2 can go round for ever, 3 wins but later.
    const auto graph = graph_of({{Move::end(1), Move::to(1, false)},
                                 {Move::to(0, false), Move::end(-1)},
                                 {Move::to(2, false), Move::to(0, false)},
                                 {Move::to(1, false), Move::to(2, false)}});
    const auto verdicts = retrograde(graph, look);
    CHECK(verdicts == (std::vector<Verdict>{{1, 1}, {-1, 2}, {0, 0}, {1, 3}}));
    // Whoever moves twice in a row keeps the value; a draw is no loss; moves given twice count once.
    const auto again = graph_of({{Move::to(1, true), Move::to(1, true)},
                                 {Move::end(-1), Move::end(-1)},
                                 {Move::end(0), Move::end(-1)},
                                 {Move::to(1, false), Move::end(0)}});
    CHECK(retrograde(again, look) == (std::vector<Verdict>{{-1, 2}, {-1, 1}, {0, 0}, {1, 2}}));
    CHECK(again.moves() == 6);
    CHECK(retrograde(PositionGraph(), look).empty());
}

TEST(retrograde_can_be_stopped) {
    Cancel cancel;
    cancel.request();
    CHECK_THROWS(Cancelled, retrograde(graph_of({{Move::end(1)}}), [] { throw Cancelled(); }));
    CHECK_THROWS(Cancelled, solve_fano330(Adjacency::drawn, cancel));
}

TEST(fano_table) {
    check_table<Adjacency::drawn>("drawn");
    check_table<Adjacency::plane>("plane");
}
