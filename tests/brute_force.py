"""Games solved in plain Python, by the reference, to compare the solvers of the core with.

Positions are those of the reference's `Game`; they are told apart by their position strings.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

# A verdict is the value for the player to move (1, 0, -1) and, unless it is 0, the plies to the
# end, the winner hurrying and the loser delaying.
Verdict = tuple[int, int]


def value_for(game: Any, position: Any) -> int | None:
    """Return the value of a finished game for who would be to move, None of a running one."""
    outcome = game.outcome(position, game.moves(position))
    return None if outcome is None else int(outcome[game.player(position)])


def retrograde(
    game: Any, starts: Iterable[Any], name: Callable[[Any], str] | None = None
) -> dict[str, Verdict]:
    """Return the verdict on every position that can be reached from `starts`.

    Limits on plies and repetitions play no part; `name` may give equal positions, by symmetry say,
    the same name.
    """
    name = name or game.write
    found: dict[str, Verdict] = {}
    # The moves into a position: from where, and whether the same player moves again.
    origins: dict[str, list[tuple[str, bool]]] = {}
    open_moves: dict[str, int] = {}
    settled: deque[str] = deque()
    waiting = list(starts)
    seen = {name(position) for position in waiting}
    while waiting:
        position = waiting.pop()
        here = name(position)
        moves = game.moves(position)
        outcome = game.outcome(position, moves)
        if outcome is not None:
            found[here] = int(outcome[game.player(position)]), 0
            if found[here][0] != 0:
                settled.append(here)
            continue
        open_moves[here] = len(moves)
        for move in moves:
            after = game.after(position, move)
            there = name(after)
            same = game.player(after) == game.player(position)
            origins.setdefault(there, []).append((here, same))
            if there not in seen:
                seen.add(there)
                waiting.append(after)
    while settled:
        there = settled.popleft()
        value, distance = found[there]
        for here, same in origins.get(there, ()):
            if here in found:
                continue
            if (value if same else -value) > 0:
                found[here] = 1, distance + 1
                settled.append(here)
            else:
                open_moves[here] -= 1
                if open_moves[here] == 0:
                    found[here] = -1, distance + 1
                    settled.append(here)
    for here in open_moves:
        found.setdefault(here, (0, 0))
    return found


def wins_within(game: Any, position: Any, player: int, plies: int) -> bool:
    """Return whether a player can force a win in so many plies."""
    moves = game.moves(position)
    outcome = game.outcome(position, moves)
    if outcome is not None or plies == 0:
        return outcome is not None and outcome[player] > 0
    results = (wins_within(game, game.after(position, move), player, plies - 1) for move in moves)
    return any(results) if game.player(position) == player else all(results)
