"""quincunx: a fast, trustworthy engine for five modern abstract board games."""

from quincunx._core import (
    ActionTextError,
    Game,
    IllegalActionError,
    ParameterError,
    Playouts,
    PositionError,
    State,
    divide,
    load_game,
    perft,
    playouts,
    registered_names,
)
