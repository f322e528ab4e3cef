"""`Observer`: OpenSpiel's way of observing states, for `open_spiel.python.observation`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from quincunx import _core

__all__ = ["Observer", "make_py_observer"]


class Observer:
    """Makes observations of one kind. `tensor` is a flat float32 array and `dict` has a view of it
    in the shape of the game; `set_from` changes both. They are None and empty for what is private:
    all there is in these games is public.
    """

    def __init__(
        self, game: _core.Game, *, public: bool = True, perfect_recall: bool = False
    ) -> None:
        """Observe states of the game: its position, and as text with `perfect_recall` its past."""
        self._public = public
        self._perfect_recall = perfect_recall
        self.tensor: npt.NDArray[np.float32] | None = None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if public:
            self.tensor = np.zeros(game.observation_tensor_size(), np.float32)
            self.dict["observation"] = self.tensor.reshape(game.observation_tensor_shape())

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player sees into `tensor`."""
        if self._public:
            self.dict["observation"][:] = _core_state(state).observation_tensor(player)

    def string_from(self, state: Any, player: int) -> str:
        """Return what a player sees as text."""
        if not self._public:
            return ""
        if self._perfect_recall:
            return _core_state(state).information_state_string(player)
        return _core_state(state).observation_string(player)


def _core_state(state: Any) -> _core.State:
    # States of games registered with OpenSpiel hold one of ours.
    return state if isinstance(state, _core.State) else state.core


def make_py_observer(game: _core.Game, kind: Any = None, parameters: Any = None) -> Observer:
    """Return an observer; `kind` is OpenSpiel's `IIGObservationType`, by default the public
    observation without its past. There are no parameters.
    """
    if not hasattr(kind, "perfect_recall"):  # OpenSpiel may leave it out
        return Observer(game)
    return Observer(game, public=kind.public_info, perfect_recall=kind.perfect_recall)
