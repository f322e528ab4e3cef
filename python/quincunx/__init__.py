"""quincunx: a fast, trustworthy engine for five modern abstract board games.

`load_game` gives a `Game`, `Game.new_initial_state` a `State`; the names follow OpenSpiel. The same
rules in plain Python are in `quincunx.reference`.
"""

from typing import Any

from quincunx._core import (
    BUILD_TYPE,
    MCTS,
    ActionTextError,
    Batch,
    Game,
    IllegalActionError,
    ParameterError,
    Playouts,
    PositionError,
    SearchResult,
    State,
    Symmetry,
    divide,
    load_game,
    perft,
    playouts,
    registered_names,
)
from quincunx.game_type import GameType, game_type
from quincunx.text import draw

__all__ = [
    "BUILD_TYPE",
    "MCTS",
    "ActionTextError",
    "Batch",
    "Game",
    "GameType",
    "IllegalActionError",
    "ParameterError",
    "Playouts",
    "PositionError",
    "SearchResult",
    "State",
    "Symmetry",
    "divide",
    "load_game",
    "perft",
    "playouts",
    "registered_names",
]


def __getattr__(name: str) -> Any:
    """Import `quincunx.reference` when it is first asked for: most users never do."""
    if name == "reference":
        from importlib import import_module

        return import_module("quincunx.reference")
    raise AttributeError(f"module 'quincunx' has no attribute {name!r}")


# The parts of the classes that are written in Python.
Game.get_type = game_type  # type: ignore[assignment,method-assign]
State.__str__ = draw  # type: ignore[assignment,method-assign]
