"""`GameType`: what OpenSpiel's `game.get_type()` tells of a game, under the same field names."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from quincunx import _core

__all__ = ["GameType", "game_type"]


@dataclass(frozen=True)
class GameType:
    """The kind of a game. Fields and enum members have OpenSpiel's names; all five games are
    alike but for the names and the parameters.
    """

    class Dynamics(enum.Enum):
        """How the players act."""

        SIMULTANEOUS = "simultaneous"
        SEQUENTIAL = "sequential"
        MEAN_FIELD = "mean_field"

    class ChanceMode(enum.Enum):
        """Whether there is chance, and how it is given."""

        DETERMINISTIC = "deterministic"
        EXPLICIT_STOCHASTIC = "explicit_stochastic"
        SAMPLED_STOCHASTIC = "sampled_stochastic"

    class Information(enum.Enum):
        """What the players know."""

        ONE_SHOT = "one_shot"
        PERFECT_INFORMATION = "perfect_information"
        IMPERFECT_INFORMATION = "imperfect_information"

    class Utility(enum.Enum):
        """How the returns of the players belong together."""

        ZERO_SUM = "zero_sum"
        CONSTANT_SUM = "constant_sum"
        GENERAL_SUM = "general_sum"
        IDENTICAL = "identical"

    class RewardModel(enum.Enum):
        """When rewards are given."""

        REWARDS = "rewards"
        TERMINAL = "terminal"

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
    provides_information_state_string: bool = False
    provides_information_state_tensor: bool = False
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
