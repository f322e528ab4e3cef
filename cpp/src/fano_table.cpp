#include "quincunx/erased/fano_table.hpp"

#include <algorithm>
#include <string>

#include "quincunx/erased/model.hpp"
#include "quincunx/solve/fano_positions.hpp"

namespace quincunx {

namespace {

std::uint16_t packed(Verdict verdict) {
    return static_cast<std::uint16_t>(verdict.distance * 4 + (verdict.value < 0 ? 2 : verdict.value));
}

Verdict unpacked(std::uint16_t result) {
    const int kind = result & 3;
    return {static_cast<std::int8_t>(kind == 2 ? -1 : kind), result >> 2};
}

template <Adjacency Reading>
FanoTableData solve(Cancel& cancel) {
    FanoTableData data;
    data.keys = FanoPositions<Reading>::running(cancel, data.positions);
    const auto verdicts = retrograde(FanoPositions<Reading>::graph(data.keys, cancel), [&] {
        if (cancel.poll()) throw Cancelled();
    });
    data.results.resize(verdicts.size());
    std::transform(verdicts.begin(), verdicts.end(), data.results.begin(), packed);
    return data;
}

std::string text_of(Adjacency reading) { return reading == Adjacency::drawn ? "'drawn'" : "'plane'"; }

}  // namespace

FanoTableData solve_fano330(Adjacency reading, Cancel& cancel) {
    return reading == Adjacency::drawn ? solve<Adjacency::drawn>(cancel) : solve<Adjacency::plane>(cancel);
}

/// For a player, whoever is to move. A draw that a repetition or a number of plies has made is looked up as if play
/// went on.
template <Adjacency Reading>
Verdict FanoTable::verdict(const Fano330<Reading>& position, int player) const {
    if (position.outcome() == Outcome::win_0 || position.outcome() == Outcome::win_1) {
        return {static_cast<std::int8_t>(player_return(position.outcome(), player)), 0};
    }
    const auto found = FanoPositions<Reading>::find(keys_, position);
    if (!found) throw ParameterError("the table has no position " + quoted(position.position()));
    auto verdict = unpacked(results_[*found]);
    if (position.current_player() != player) verdict.value = static_cast<std::int8_t>(-verdict.value);
    return verdict;
}

template <Adjacency Reading>
FanoTable::Answer FanoTable::probe_as(const AnyState& state) const {
    const auto* model = dynamic_cast<const StateModel<Fano330<Reading>>*>(&state);
    if (!model) {
        throw ParameterError("the table is of fano330 with adjacency " + text_of(reading_) + ", the state is of " +
                             (state.game().name() == "fano330" ? "the other reading" : state.game().name()));
    }
    const auto& position = model->value();
    const int player = position.current_player();
    if (position.outcome() == Outcome::draw) return {};
    Answer answer{verdict(position, player)};
    if (position.outcome() != Outcome::running) return answer;
    ActionList<Fano330<Reading>> actions;
    position.legal_actions(actions);
    for (const Action action : actions) {
        auto next = position;
        next.apply(action);
        auto reached = verdict(next, player);
        if (reached.value != 0) ++reached.distance;
        if (reached == answer.verdict) answer.best_actions.push_back(action);
    }
    return answer;
}

FanoTable::Answer FanoTable::probe(const AnyState& state) const {
    return reading_ == Adjacency::drawn ? probe_as<Adjacency::drawn>(state) : probe_as<Adjacency::plane>(state);
}

}  // namespace quincunx
