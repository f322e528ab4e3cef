"""`GameType`: what OpenSpiel's `game.get_type()` tells of a game, under the same field names.

The members of its enums equal OpenSpiel's members of the same name, which OpenSpiel's algorithms
compare them with. OpenSpiel's own `==` knows nothing of it: ours is to stand on the left.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from quincunx import _core

__all__ = ["GameType", "game_type"]


class _Kind(enum.Enum):
    """An enum whose members equal those of OpenSpiel's enum in the same place."""

    def __eq__(self, other: object) -> bool:
        kind = type(other)
        if kind.__module__ != "pyspiel":
            return self is other
        return kind.__qualname__ == type(self).__qualname__ and str(other) == str(self)

    def __hash__(self) -> int:
        return hash(self.value)  # OpenSpiel has the same numbers


@dataclass(frozen=True)
class GameType:
    """The kind of a game. Fields and enum members have OpenSpiel's names; all five games are
    alike but for the names and the parameters.
    """

    class Dynamics(_Kind):
        """How the players act."""

        SIMULTANEOUS = 0
        SEQUENTIAL = 1
        MEAN_FIELD = 2

    class ChanceMode(_Kind):
        """Whether there is chance, and how it is given."""

        DETERMINISTIC = 0
        EXPLICIT_STOCHASTIC = 1
        SAMPLED_STOCHASTIC = 2

    class Information(_Kind):
        """What the players know."""

        ONE_SHOT = 0
        PERFECT_INFORMATION = 1
        IMPERFECT_INFORMATION = 2

    class Utility(_Kind):
        """How the returns of the players belong together."""

        ZERO_SUM = 0
        CONSTANT_SUM = 1
        GENERAL_SUM = 2
        IDENTICAL = 3

    class RewardModel(_Kind):
        """When rewards are given."""

        REWARDS = 0
        TERMINAL = 1

    short_name: str
    """The name for `load_game`."""
    long_name: str
    """The name as a person reads it."""
    dynamics: Dynamics = Dynamics.SEQUENTIAL
    chance_mode: ChanceMode = ChanceMode.DETERMINISTIC
    information: Information = Information.PERFECT_INFORMATION
    utility: Utility = Utility.ZERO_SUM
    reward_model: RewardModel = RewardModel.TERMINAL
    max_num_players: int = 2
    min_num_players: int = 2
    provides_information_state_string: bool = True
    provides_information_state_tensor: bool = True
    provides_observation_string: bool = True
    provides_observation_tensor: bool = True
    provides_factored_observation_string: bool = False
    default_loadable: bool = True
    """Whether `load_game(short_name)` works without parameters."""
    parameter_specification: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Every parameter of the game with its default value."""


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def game_type(game: _Named) -> GameType:
    """Return the type of a game: the same whatever its parameters are."""
    for name, title, _, parameters in _core._game_infos():
        if name == game.name:
            defaults = {parameter: default for parameter, default, _, _ in parameters}
            return GameType(name, title, parameter_specification=defaults)
    raise ValueError(f"there is no game {game.name!r}")
