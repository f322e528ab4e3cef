// Retrograde analysis: the value of every position of a game, from the ends backwards. It knows nothing of any game.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace quincunx {

/// What is certain of a position, for the player to move: 1 a win, −1 a loss, 0 a draw or that nobody can force an end.
struct Verdict {
    std::int8_t value = 0;
    /// The plies to the end, the winner hurrying and the loser delaying; of a draw, 0.
    std::int32_t distance = 0;

    friend bool operator==(const Verdict&, const Verdict&) = default;
};

/// Running positions by number, and where the moves from each lead. Nothing is assumed about who moves next.
class PositionGraph {
public:
    using Index = std::uint32_t;
    static constexpr Index most_positions = (Index{1} << 31) - 4;

    /// Where a move leads: to a running position, or to an end of the game.
    class Move {
    public:
        /// `same_player`: who moves there is who made the move.
        static Move to(Index position, bool same_player) { return Move(position << 1 | Index{same_player}); }
        /// The result (1, 0, −1) for who makes the move.
        static Move end(int result) { return Move(first_end + static_cast<Index>(result + 1)); }

        bool is_end() const { return word_ >= first_end; }
        int result() const { return static_cast<int>(word_ - first_end) - 1; }
        Index position() const { return word_ >> 1; }
        bool same_player() const { return word_ & 1; }
        friend auto operator<=>(const Move&, const Move&) = default;

    private:
        friend class PositionGraph;
        explicit Move(Index word) : word_(word) {}
        static constexpr Index first_end = std::numeric_limits<Index>::max() - 2;
        Index word_;
    };

    /// Gives the next position its moves, of which there is at least one; the same one twice counts once. `moves` is
    /// left sorted.
    void add(std::vector<Move>& moves);

    Index size() const { return static_cast<Index>(first_.size() - 1); }
    std::size_t moves() const { return moves_.size(); }
    std::span<const Move> moves_of(Index position) const {
        return {moves_.data() + first_[position], static_cast<std::size_t>(first_[position + 1] - first_[position])};
    }

    /// A bound on the memory that adding a position takes, and analysing the graph then.
    std::size_t bytes_to_go_on() const;

    // All as it is kept: where the moves of each position begin, and the moves.
    std::span<const std::uint64_t> starts() const { return first_; }
    std::span<const Move> all_moves() const { return moves_; }
    /// Takes that over, as it was of a graph with moves to so many positions; false if it cannot be.
    bool assign(std::vector<std::uint64_t> starts, std::vector<Move> moves, Index positions);

private:
    std::vector<std::uint64_t> first_{0};
    std::vector<Move> moves_;
};

/// The verdict on every position; the positions that moves lead to must all be there. `look` is called again and again,
/// and may throw to stop.
std::vector<Verdict> retrograde(const PositionGraph& graph, const std::function<void()>& look);

/// The bytes that a vector takes while it gets one more element.
template <class T>
std::size_t bytes_to_grow(const std::vector<T>& vector) {
    return vector.capacity() * sizeof(T) * (vector.size() < vector.capacity() ? 1 : 3);
}

}  // namespace quincunx
