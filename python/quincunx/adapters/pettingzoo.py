"""The five games as PettingZoo environments: `env("unane", size="8x7")`.

Two agents, `player_0` and `player_1`, in the AEC interface: whoever is to move acts, in Unmergo the
same agent twice in a row. Observations are dicts as those of PettingZoo's classic games, of
`observation` and `action_mask`. An extra: `pip install 'quincunx[pettingzoo]'`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from quincunx import _core
from quincunx.adapters.rendering import RENDER_MODES, checked_mode, render
from quincunx.adapters.spaces import (
    Actions,
    checked_illegal,
    load,
    mask_of,
    mask_space,
    observation_space,
)

__all__ = ["env", "raw_env"]

# What `reset` makes.
_OF_A_GAME = frozenset(
    ["agents", "agent_selection", "core", "infos", "rewards", "terminations", "truncations"]
)


def env(game: str | _core.Game, *, render_mode: str | None = None, **parameters: object) -> raw_env:
    """Return an environment in which an illegal action loses at once: reward -1, and 0 for the
    other agent, as in PettingZoo's classic games. Else it is that of `raw_env`.
    """
    return raw_env(game, render_mode=render_mode, illegal="lose", **parameters)


class raw_env(AECEnv):
    """The environment in which an illegal action raises ValueError and changes nothing.

    The observation is `State.observation_tensor` of the agent, the mask int8. Rewards are given at
    the end: 1 for a win, -1 for a loss, 0 for a draw. `core` is the state of the game, to be read.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "quincunx_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: str | _core.Game,
        *,
        render_mode: str | None = None,
        illegal: str = "raise",
        **parameters: object,
    ) -> None:
        """Make an environment of a game, or of the name and parameters that `load_game` takes.

        `render_mode` is `ansi` (`render` returns the drawing), `rgb_array` (uint8, shape (height,
        width, 3)), `human` (the drawing is printed to the terminal after every step) or None.
        Raises ValueError for what `load_game` refuses and for a mode that there is not.
        """
        super().__init__()
        self.game = load(game, parameters)
        self.render_mode = checked_mode(render_mode)
        self._illegal = checked_illegal(illegal)
        self.metadata = {**type(self).metadata, "name": f"quincunx_{self.game.name}_v0"}  # type: ignore[misc]
        self.possible_agents = ["player_0", "player_1"]
        self._players = {agent: player for player, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: Actions(self.game) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                observation=observation_space(self.game), action_mask=mask_space(self.game)
            )
            for agent in self.possible_agents
        }

    def __getattr__(self, name: str) -> Any:
        """Say that what `reset` makes is not there before."""
        if name in _OF_A_GAME:
            raise AttributeError(f"{name!r} is there after reset()")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations: a dict of two boxes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions: all action ids of the game."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. Nothing is random but what the agents do; there are no options."""
        self.core = self.game.new_initial_state()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.core.current_player()]
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Play an action id for the agent to move; None for an agent whose game is over.

        Raises ValueError, nothing changed, for an id out of range and, unless it loses, for an
        illegal action.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        try:
            self.core.apply_action(action)
        except _core.IllegalActionError:
            if self._illegal == "raise":
                raise
            self._end(agent, {agent: -1.0})
        else:
            if self.core.is_terminal():
                self._end(agent, dict(zip(self.agents, self.core.returns(), strict=True)))
            else:
                self.agent_selection = self.possible_agents[self.core.current_player()]
        if self.render_mode == "human":
            self.render()

    def _end(self, agent: str, rewards: dict[str, float]) -> None:
        self.rewards.update(rewards)
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[1 - self._players[agent]]

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return what an agent sees, new arrays; its mask is all 0 if it is not to move."""
        player = self._players[agent]
        return {
            "observation": self.core.observation_tensor(player),
            "action_mask": mask_of(self.core, player),
        }

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the drawing or a picture, or print the drawing, as the mode says."""
        return render(self.core, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is no window."""
