// FanoTable: the solution of Fano330-R-Morris, made and looked up for the states of either reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quincunx/boards/fano.hpp"
#include "quincunx/erased/any_state.hpp"
#include "quincunx/games/fano330.hpp"
#include "quincunx/search/cancel.hpp"
#include "quincunx/solve/retrograde.hpp"

namespace quincunx {

/// What a table is made of: each running position up to symmetry has a key and, at the same place, a result.
struct FanoTableData {
    std::vector<std::uint64_t> keys;     // ascending
    std::vector<std::uint16_t> results;  // the distance times 4, plus 0 for a draw, 1 for a win, 2 for a loss
    std::size_t positions = 0;           // that the table answers for, without symmetry and with the finished ones
};

/// Solves the game of a reading. Throws Cancelled.
FanoTableData solve_fano330(Adjacency reading, Cancel& cancel);

/// Looks positions up in data kept elsewhere, which has to stay there.
class FanoTable {
public:
    FanoTable(Adjacency reading, std::span<const std::uint64_t> keys, std::span<const std::uint16_t> results)
        : reading_(reading), keys_(keys), results_(results) {}

    struct Answer {
        Verdict verdict;                     // of a finished game: its result, at distance 0
        std::vector<Action> best_actions{};  // those that keep value and distance, ascending
    };
    /// Throws ParameterError for a state of another game or reading, and for data that lack the position.
    Answer probe(const AnyState& state) const;

private:
    template <Adjacency Reading>
    Answer probe_as(const AnyState& state) const;
    template <Adjacency Reading>
    Verdict verdict(const Fano330<Reading>& position, int player) const;

    Adjacency reading_;
    std::span<const std::uint64_t> keys_;
    std::span<const std::uint16_t> results_;
};

}  // namespace quincunx
