"""quincunx: a fast, trustworthy engine for five modern abstract board games.

`load_game` gives a `Game`, `Game.new_initial_state` a `State`; the names follow OpenSpiel. The same
rules in plain Python are in `quincunx.reference`.
"""

from quincunx._core import (
    BUILD_TYPE,
    MCTS,
    ActionTextError,
    Game,
    IllegalActionError,
    ParameterError,
    Playouts,
    PositionError,
    SearchResult,
    State,
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
    "Game",
    "GameType",
    "IllegalActionError",
    "ParameterError",
    "Playouts",
    "PositionError",
    "SearchResult",
    "State",
    "divide",
    "load_game",
    "perft",
    "playouts",
    "registered_names",
]

# The parts of the classes that are written in Python.
Game.get_type = game_type  # type: ignore[assignment,method-assign]
State.__str__ = draw  # type: ignore[assignment,method-assign]
