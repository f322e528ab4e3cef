"""The pure-Python reference: the rules of the five games written to be read beside docs/games.

It shares nothing with the C++ core, which is checked against it ply by ply, and has the same
names (observation tensors excepted). It is slow on purpose: sets and dictionaries of cell names.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .base import Game, State, check_names
from .search import divide, perft

__all__ = ["Game", "State", "divide", "load_game", "perft", "registered_names"]

# Game -> its class, in the module of the game's name. Modules are imported when first asked for.
_GAMES = {
    "fano330": "Fano330",
    "impedio": "Impedio",
    "meigo": "Meigo",
    "unane": "Unane",
    "unmergo": "Unmergo",
}


def registered_names() -> list[str]:
    """Return the names of the games, sorted."""
    return sorted(_GAMES)


def load_game(name: str, **parameters: object) -> Game[Any]:
    """Return a game; ValueError for an unknown game or parameter or an impossible value."""
    if not isinstance(name, str):
        raise TypeError(f"the name of a game must be a str, not {type(name).__name__}")
    if name not in _GAMES:
        raise ValueError(f"there is no game {name!r}; the games are {', '.join(_GAMES)}")
    kind = getattr(import_module(f"{__name__}.{name}"), _GAMES[name])
    check_names(name, parameters, kind.parameter_names)
    game: Game[Any] = kind(**parameters)
    return game
