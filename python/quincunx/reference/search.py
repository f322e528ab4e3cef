"""Perft: counting the action sequences of the rules (docs/games/index.md)."""

from __future__ import annotations

from typing import Any

from .base import State, as_index

UNITS = ("ply", "turn")


def perft(state: State[Any], depth: int, unit: str = "ply") -> int:
    """Count the action sequences of exactly `depth` plies, or completed turns; depth 0 is 1.

    A game that ends sooner contributes nothing. From the middle of a turn, finishing that turn
    is turn 1. ValueError for a negative depth or an unknown unit.
    """
    return _count(state.clone(), _checked_depth(depth, unit), unit)


def divide(state: State[Any], depth: int, unit: str = "ply") -> dict[str, int]:
    """Return the share of `perft(state, depth, unit)` of each first action, or first turn.

    The keys are texts in the order of the action ids. At depth 0 there is no first action: the
    result is empty.
    """
    depth = _checked_depth(depth, unit)
    shares: dict[str, int] = {}
    if depth == 0:
        return shares
    if unit == "turn":
        for turn in state.turns():
            then = state.clone()
            then.apply_turn(turn)
            shares[turn] = _count(then, depth - 1, unit)
        return shares
    for action in state.legal_actions():
        shares[state.action_to_string(action)] = _count(state.child(action), depth - 1, unit)
    return shares


def _checked_depth(depth: int, unit: str) -> int:
    if unit not in UNITS:
        raise ValueError(f"unit must be one of {', '.join(UNITS)}, not {unit!r}")
    number = as_index(depth, "depth")
    if number < 0:
        raise ValueError(f"depth must be 0 or more, not {number}")
    return number


def _count(state: State[Any], depth: int, unit: str) -> int:
    """Count by playing every action on `state` itself and taking it back."""
    if depth == 0:
        return 1
    actions = state.legal_actions()
    if depth == 1 and unit == "ply":
        return len(actions)
    total = 0
    for action in actions:
        state.apply_action(action)
        completed = unit == "ply" or not state.mid_turn()
        total += _count(state, depth - 1 if completed else depth, unit)
        state.undo()
    return total
