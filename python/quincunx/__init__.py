"""quincunx: a fast, trustworthy engine for five modern abstract board games.

`load_game` gives a `Game`, `Game.new_initial_state` a `State`; the names follow OpenSpiel. The same
rules in plain Python are in `quincunx.reference`.
"""

from typing import TYPE_CHECKING, Any

from quincunx._core import (
    BUILD_TYPE,
    MCTS,
    ActionTextError,
    Batch,
    Game,
    IllegalActionError,
    ParameterError,
    PlayerAction,
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
from quincunx.observer import make_py_observer
from quincunx.svg import repr_svg, to_svg
from quincunx.text import draw

if TYPE_CHECKING:
    from quincunx.solver import Solution, solve
    from quincunx.tablebase import Tablebase

__all__ = [
    "BUILD_TYPE",
    "MCTS",
    "ActionTextError",
    "Batch",
    "Game",
    "GameType",
    "IllegalActionError",
    "ParameterError",
    "PlayerAction",
    "Playouts",
    "PositionError",
    "SearchResult",
    "Solution",
    "State",
    "Symmetry",
    "Tablebase",
    "divide",
    "load_game",
    "perft",
    "playouts",
    "registered_names",
    "solve",
]

# Where what is imported when it is first asked for comes from.
_LATER = {
    "Solution": "quincunx.solver",
    "Tablebase": "quincunx.tablebase",
    "solve": "quincunx.solver",
}


def __getattr__(name: str) -> Any:
    """Import what most users never ask for when it is first asked for."""
    from importlib import import_module

    if name == "reference":
        return import_module("quincunx.reference")
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'quincunx' has no attribute {name!r}")


# The parts of the classes that are written in Python.
Game.get_type = game_type  # type: ignore[assignment,method-assign]
Game.make_py_observer = make_py_observer  # type: ignore[assignment,method-assign]
State.__str__ = draw  # type: ignore[assignment,method-assign]
State.to_string = draw  # type: ignore[assignment,method-assign]
State._repr_svg_ = repr_svg  # type: ignore[assignment,method-assign]
State.to_svg = to_svg  # type: ignore[assignment,method-assign]
