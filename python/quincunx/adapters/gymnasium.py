"""The five games as Gymnasium environments: one agent against a player of this package.

`Env("unmergo", opponent="mcts:100")` is the environment itself, `make` the same with Gymnasium's
wrappers; they are registered as `quincunx/unmergo-v0` and so on. An extra:
`pip install 'quincunx[gymnasium]'`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt

from quincunx import _core, players
from quincunx.adapters.rendering import RENDER_MODES, checked_mode, render
from quincunx.adapters.spaces import (
    Actions,
    Mask,
    checked_illegal,
    load,
    mask_of,
    observation_space,
)

__all__ = ["Env", "make"]

_SEATS = ("first", "second", "alternate")

Observation = npt.NDArray[np.float32]


class Env(gymnasium.Env):
    """A game as its agent sees it: the opponent's moves are part of a step.

    Observations are `State.observation_tensor` of the agent; `info["action_mask"]` (int8) has the
    legal actions. The reward is 0 until the end of the game, then 1, -1 or, for a draw, 0; a game
    is never truncated. `core` is the state of the game, to be read, `player` the agent: 0 or 1.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str | _core.Game,
        opponent: str | players.Player = "random",
        *,
        seat: str = "first",
        illegal: str = "raise",
        render_mode: str | None = None,
        **parameters: object,
    ) -> None:
        """Make an environment of a game, or of the name and parameters that `load_game` takes.

        `opponent` is the name of a player ("random", "mcts:200": see `quincunx.players`), who is
        made anew by `reset(seed=…)` with a seed of its own, or a player; a person cannot be one.
        `seat` says whether the agent plays "first", "second" or both in turn ("alternate": the seed
        draws where it begins).
        An `illegal` action is to "raise" ValueError, nothing changed, or to "lose" the game at
        once. Render modes are those of `quincunx.adapters.pettingzoo`.
        Raises ValueError for anything else.
        """
        self.game = load(game, parameters)
        if seat not in _SEATS:
            raise ValueError(f"seat must be one of {', '.join(_SEATS)}, not {seat!r}")
        self._seat, self._illegal = seat, checked_illegal(illegal)
        self.render_mode = checked_mode(render_mode)
        self._opponent_name = opponent if isinstance(opponent, str) else None
        self.opponent = (
            players.player_from_name(opponent) if isinstance(opponent, str) else opponent
        )
        if not isinstance(self.opponent, players.Player):
            kind = type(opponent).__name__
            raise TypeError(f"an opponent must be a name or have a method step, not {kind}")
        if isinstance(self.opponent, players.HumanPlayer):
            raise ValueError("an opponent cannot be a person: `quincunx play` is for persons")
        players.check_plays(self.opponent, self.game)
        self.core = self.game.new_initial_state()
        self.player = 0
        self._running = False
        self.observation_space = observation_space(self.game)
        self.action_space = Actions(self.game, self._mask)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game; with a seed, all that is random afterwards follows from it.

        The opponent moves first where it is to. Should that be the end of the game already, the
        mask is all 0, and the next step, whatever its action, only tells the result.
        """
        fresh = seed is not None or self._np_random is None
        super().reset(seed=seed)
        if fresh:
            # Both are drawn in any case, so that an opponent plays alike in every seat.
            seeds = self.np_random.integers(2**63, size=2)
            self.player = int(seeds[0] % 2)
            if self._opponent_name is not None:
                self.opponent = players.player_from_name(self._opponent_name, int(seeds[1]))
        else:
            self.player = 1 - self.player
        if self._seat != "alternate":
            self.player = _SEATS.index(self._seat)
        players.restart(self.opponent)
        self.core = self.game.new_initial_state()
        self._let_opponent_play()
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action id, and what the opponent answers.

        Raises ValueError, nothing changed, for an id out of range and, unless it loses, for an
        illegal action; also if `reset` is to be called: the game is over, or the opponent failed.
        """
        if not self._running:
            raise ValueError("no game is running: call reset() first")
        reward = 0.0
        if not self.core.is_terminal():
            try:
                after = self.core.child(action)
            except _core.IllegalActionError:
                if self._illegal == "raise":
                    raise
                self._running, reward = False, -1.0
            else:
                players.inform(self.opponent, self.core, self.player, int(action))
                self.core = after
                self._let_opponent_play()
        if self.core.is_terminal():
            self._running, reward = False, self.core.player_return(self.player)
        self._show()
        return self._observation(), reward, not self._running, False, self._info()

    def _let_opponent_play(self) -> None:
        # Should the opponent fail, the agent is not to play on in its place.
        self._running = False
        while not self.core.is_terminal() and self.core.current_player() != self.player:
            action = players.choose(self.opponent, self.core)
            try:
                self.core.apply_action(action)
            except (ValueError, TypeError) as error:
                who = players.name_of(self.opponent)
                raise ValueError(
                    f"the opponent ({who}) chose an action that cannot be: {error}"
                ) from error
        self._running = True

    def _mask(self) -> Mask:
        return mask_of(self.core, self.player)

    def _observation(self) -> Observation:
        return self.core.observation_tensor(self.player)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Let the space of actions of a copy sample from the copy's game."""
        self.__dict__.update(state)
        self.action_space.legal = self._mask

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions, bool: the name by which learners with masks ask for them."""
        return self.core.legal_actions_mask(self.player)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the drawing or a picture, or print the drawing, as the mode says."""
        return render(self.core, self.render_mode)


def make(game: str | _core.Game, opponent: str | players.Player = "random", **options: Any) -> Any:
    """Return the environment with Gymnasium's wrappers; options are those of `Env`."""
    loaded = load(game, {})  # here the error for a game that there is not is ours
    if not isinstance(game, str):
        options = {**loaded.parameters, **options}
    return gymnasium.make(_ID.format(loaded.name), opponent=opponent, **options)


_ID = "quincunx/{}-v0"

for _name in _core.registered_names():
    if _ID.format(_name) not in gymnasium.registry:
        gymnasium.register(_ID.format(_name), f"{__name__}:Env", kwargs={"game": _name})
