"""What the environments share: their game, and the spaces of actions and observations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from quincunx import _core

__all__ = ["Actions", "checked_illegal", "load", "mask_of", "mask_space", "observation_space"]

Mask = npt.NDArray[np.int8]


def load(game: str | _core.Game, parameters: Mapping[str, object]) -> _core.Game:
    """Return the game of that name with these parameters, or a game as it is.

    Raises ValueError for what `quincunx.load_game` refuses, and for parameters beside a game.
    """
    if isinstance(game, str):
        return _core.load_game(game, **parameters)
    if parameters:
        raise ValueError(f"a loaded game takes no more parameters, such as {min(parameters)!r}")
    if not isinstance(game, _core.Game):
        raise TypeError(f"a game must be a name or a Game, not {type(game).__name__}")
    return game


def checked_illegal(illegal: str) -> str:
    """Return what an illegal action is to do; raises ValueError for anything else."""
    if illegal not in ("raise", "lose"):
        raise ValueError(f"illegal must be 'raise' or 'lose', not {illegal!r}")
    return illegal


def observation_space(game: _core.Game) -> Any:
    """Return the space of `State.observation_tensor`: float32, the shape of the game, from 0 up."""
    return spaces.Box(0.0, _largest(game), tuple(game.observation_tensor_shape()), np.float32)


def mask_space(game: _core.Game) -> Any:
    """Return the space of masks of the actions: int8, 1 for each legal one."""
    return spaces.Box(0, 1, (game.num_distinct_actions(),), np.int8)


def mask_of(state: _core.State, player: int) -> Mask:
    """Return the mask of a player's legal actions, all 0 if another is to move."""
    return state.legal_actions_mask(player).view(np.int8)


class Actions(spaces.Discrete):
    """The action ids of a game. With a mask, `sample` is quicker than that of gymnasium.

    `legal`, if given, returns a mask for samples without one, so that these are legal too.
    """

    def __init__(self, game: _core.Game, legal: Callable[[], Mask] | None = None) -> None:
        """Make the space of a game's actions."""
        super().__init__(game.num_distinct_actions())
        self.legal = legal

    def __getstate__(self) -> dict[str, Any]:
        """Leave the environment out of copies: vectors of environments send spaces around."""
        return {**self.__dict__, "legal": None}

    def sample(self, mask: Mask | None = None, probability: Any = None) -> Any:
        """Return a random action id, with a mask one that is 1 there; 0 if none is."""
        if mask is None and probability is None and self.legal is not None:
            mask = self.legal()
        fits = isinstance(mask, np.ndarray) and mask.shape == (self.n,) and mask.dtype == np.int8
        if mask is None or probability is not None or not fits:
            return super().sample(mask, probability)  # which says what does not fit
        (legal,) = mask.view(np.bool_).nonzero()
        return legal[self.np_random.integers(legal.size)] if legal.size else self.start


def _largest(game: _core.Game) -> float:
    """Return a number that no plane exceeds in a game from the start."""
    if game.name == "impedio":
        return 16.0  # a sixteenth of a stack of up to 255 pieces
    if game.name == "meigo":
        # Stones in the prison, a share of the points: those there at the start and those placed.
        _, height, width = game.observation_tensor_shape()
        plies, at_the_start = game.max_game_length(), game.parameters["prison_black"]
        assert isinstance(at_the_start, int)
        return 1.0 + (at_the_start + plies) / (height * width) if plies else math.inf
    return 1.0
