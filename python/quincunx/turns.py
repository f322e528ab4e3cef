"""Complete turns: all that one player does before the other plays.

In four games a turn is one action. In Unmergo it is a placement and a stone move, written
`e5 d4-e4`, or a placement alone, `e5`, where the move was declined or impossible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from quincunx import _core

__all__ = ["actions_in", "in_turn", "start_of", "turns_of"]


def in_turn(state: _core.State) -> bool:
    """Return whether the player to move has begun a turn and not finished it."""
    return state.get_game().name == "unmergo" and state.position().endswith(" move")


def start_of(state: _core.State) -> _core.State:
    """Return the state that the plies of `state.history()` began with."""
    start = state.clone()
    for _ in range(state.move_number()):
        start.undo()
    return start


def turns_of(start: _core.State, actions: Iterable[int]) -> Iterator[tuple[str, _core.State]]:
    """Play actions and yield each turn as text, with the state after it.

    The state is the same object every time: clone it to keep it. A last turn that is not finished
    ends in ` ...`.
    """
    state = start.clone()
    declined = state.string_to_action("end") if state.get_game().name == "unmergo" else -1
    words: list[str] = []
    for action in actions:
        if action != declined or not words:
            words.append(state.action_to_string(action))
        state.apply_action(action)
        if not in_turn(state):
            yield " ".join(words), state
            words = []
    if words:
        yield " ".join([*words, "..."]), state


def actions_in(text: str) -> Sequence[str]:
    """Split a line into the texts of actions; commas and spaces separate them."""
    # `prison 3` is the one action with a space in it.
    found = re.findall(r"prison[ \t]+[0-9]+|[^\s,]+", text, re.IGNORECASE)
    return [re.sub(r"[ \t]+", " ", word) for word in found]
