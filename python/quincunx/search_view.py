"""What a search has found, for people and for programs: actions in order, a table, JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from quincunx import _core
from quincunx.turns import turns_of

if TYPE_CHECKING:
    from rich.console import Group

__all__ = ["Line", "as_dict", "best_lines", "renderable", "verdict"]


@dataclass(frozen=True)
class Line:
    """An action at the root of a search."""

    action: str
    visits: int
    share: float
    """Of all visits."""
    value: float | None
    """The expected result for the player to move, from -1 to 1; None before the first visit."""
    proven: float | None
    """The result that is certain, 1, 0 or -1; None if none is."""


def best_lines(
    state: _core.State, result: _core.SearchResult, top: int | None = None
) -> list[Line]:
    """Return the legal actions from the best one on, the rest by visits; at most `top` of them."""
    total = max(1, int(result.visits.sum()))
    best = result.best_action
    actions = sorted(
        state.legal_actions(), key=lambda action: (action != best, -int(result.visits[action]))
    )
    lines = []
    for action in actions[:top]:
        visits, value = int(result.visits[action]), float(result.values[action])
        proven = result.proven_actions.get(action)
        if proven is not None:
            value = float(proven)
        known = math.isfinite(value) and (visits > 0 or proven is not None)
        text = state.action_to_string(action)
        lines.append(Line(text, visits, visits / total, value if known else None, proven))
    return lines


def variation(state: _core.State, result: _core.SearchResult) -> list[str]:
    """Return the turns that the search expects, the best action first."""
    turns = turns_of(state, result.principal_variation)
    return [text.removesuffix(" ...") for text, _ in turns]


def verdict(value: float | None, proven: float | None = None) -> str:
    """Return a value in words: "a proven win", "+0.31"."""
    if proven is not None:
        return "a proven " + ("win" if proven > 0 else "loss" if proven < 0 else "draw")
    return "?" if value is None or not math.isfinite(value) else f"{value:+.2f}"


def as_dict(
    state: _core.State, result: _core.SearchResult, top: int | None = None
) -> dict[str, Any]:
    """Return what was found in terms of JSON."""
    return {
        "current_player": state.current_player(),
        "best_action": state.action_to_string(result.best_action),
        "value": result.value if math.isfinite(result.value) else None,
        "proven": result.proven,
        "simulations": result.simulations,
        "seconds": round(result.seconds, 6),
        "principal_variation": variation(state, result),
        "actions": [
            {
                "action": line.action,
                "visits": line.visits,
                "value": line.value,
                "proven": line.proven,
            }
            for line in best_lines(state, result, top)
        ],
    }


def renderable(state: _core.State, result: _core.SearchResult, top: int) -> Group:
    """Return a table of at most `top` actions and lines about it, for rich, which may overwrite
    an older one.
    """
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table("action", box=None, pad_edge=False)
    for title in ("visits", "share", "value"):
        table.add_column(title, justify="right")
    lines = best_lines(state, result)
    for line in lines[:top]:
        table.add_row(
            line.action, f"{line.visits:,}", f"{line.share:.1%}", verdict(line.value, line.proven)
        )
    rate = result.simulations / max(result.seconds, 1e-9)
    head = (
        f"player {state.current_player()} to move: {verdict(result.value, result.proven)},"
        f" {result.simulations:,} simulations in {result.seconds:.1f} s ({rate:,.0f}/s)"
    )
    expected = Text(f"expected: {', '.join(variation(state, result))}")
    cut = [Text(f"{top:,} of {len(lines):,} actions")] if len(lines) > top else []
    return Group(Text(head), expected, table, *cut)
