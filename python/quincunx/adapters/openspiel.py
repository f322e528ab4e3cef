"""The five games inside OpenSpiel, for what is written in C++ there; and bots of either side.

OpenSpiel's Python code runs on our games and states as they are; its C++ code on its own alone.
After `register()` the games are there as `pyspiel.load_game("quincunx_meigo", {"size": "9x9"})`,
every call passing through Python. OpenSpiel is an extra: `pip install 'quincunx[openspiel]'`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pyspiel

from quincunx import _core, players
from quincunx.game_type import GameType
from quincunx.observer import Observer
from quincunx.text import option_text

__all__ = ["BotPlayer", "PlayerBot", "core_state", "openspiel_game", "register"]

_PREFIX = "quincunx_"

# OpenSpiel fills in the defaults of parameters that are not given. Meigo's bound on the plies
# depends on the size: this stands for "not given".
_DEPENDENT = {("meigo", "max_plies"): -1}

# What OpenSpiel is told where a game may go on for ever.
_NO_BOUND = 2**31 - 1


def register() -> None:
    """Register the five games with OpenSpiel, as `quincunx_unmergo` and so on, if they are not yet.

    Parameters are those of `quincunx.load_game`, of the types of their defaults. OpenSpiel parts
    parameters by commas, so that lists of points, and position strings of Impedio, are written
    with semicolons: `quincunx_meigo(handicap=d4;f6)`. A dict may have commas.
    """
    known = set(pyspiel.registered_names())
    for name in _core.registered_names():
        if _PREFIX + name not in known:
            kind = _openspiel_type(_core.load_game(name).get_type())
            # OpenSpiel lets go of it after the interpreter has ended, which only a class survives.
            maker = type(f"OpenSpiel_{name}", (OpenSpielGame,), {"game_name": name, "kind": kind})
            pyspiel.register_game(kind, maker)


def openspiel_game(game: _core.Game) -> Any:
    """Return OpenSpiel's game (`pyspiel.Game`) for one of ours; the games are registered first."""
    register()
    parameters = {name: _coded(value) for name, value in game.parameters.items()}
    return pyspiel.load_game(_PREFIX + game.name, parameters)


def core_state(state: Any) -> _core.State:
    """Return our state in a state of a registered game, itself; and our own states as they are.

    It is to be read: played on, the two would differ. Raises TypeError for any other object.
    """
    if isinstance(state, _core.State):
        return state
    if isinstance(state, OpenSpielState):
        return state.core
    raise TypeError(f"a state must be one of quincunx's games, not {type(state).__name__}")


def _load(text: str) -> Any:
    register()
    return pyspiel.load_game(text)


def _coded(value: object) -> bool | int | str:
    """Return the value of a parameter as OpenSpiel holds it."""
    return value if isinstance(value, (bool, int)) else option_text(value).replace(",", ";")


def _decoded(value: object) -> object:
    return value.replace(";", ",") if isinstance(value, str) else value


def _openspiel_type(ours: GameType) -> Any:
    defaults = {
        name: _DEPENDENT.get((ours.short_name, name), _coded(value))
        for name, value in ours.parameter_specification.items()
    }
    theirs = pyspiel.GameType
    return theirs(
        short_name=_PREFIX + ours.short_name,
        long_name=ours.long_name,
        dynamics=theirs.Dynamics.SEQUENTIAL,
        chance_mode=theirs.ChanceMode.DETERMINISTIC,
        information=theirs.Information.PERFECT_INFORMATION,
        utility=theirs.Utility.ZERO_SUM,
        reward_model=theirs.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )


# ---- the trampoline: what OpenSpiel calls


class OpenSpielGame(pyspiel.Game):
    """A game as OpenSpiel knows it; `pyspiel.load_game` makes one of a subclass for each game."""

    game_name: ClassVar[str]
    kind: ClassVar[Any]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        """Load the game; raises ValueError for a parameter that `quincunx.load_game` refuses."""
        given = {
            name: _coded(value)
            for name, value in (parameters or {}).items()
            if value != _DEPENDENT.get((self.game_name, name))
        }
        decoded = {name: _decoded(value) for name, value in given.items()}
        game = self.core = _core.load_game(self.game_name, **decoded)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_distinct_actions(),
            max_chance_outcomes=0,
            num_players=game.num_players(),
            min_utility=game.min_utility(),
            max_utility=game.max_utility(),
            utility_sum=game.utility_sum(),
            max_game_length=game.max_game_length() or _NO_BOUND,
        )
        super().__init__(self.kind, info, given)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name and parameters."""
        return _load, (str(self),)

    def new_initial_state(self, position: str | None = None) -> OpenSpielState:
        """Return the start of a game, or the position read from a position string."""
        return OpenSpielState(self, position)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Observer:
        """Return what makes observations, of whichever kind."""
        return self.core.make_py_observer(kind, parameters)


class OpenSpielState(pyspiel.State):
    """A state as OpenSpiel knows it. It cannot be undone: OpenSpiel keeps a history of its own."""

    def __init__(self, game: OpenSpielGame, position: str | None = None) -> None:
        """Begin at the start or at the position; raises ValueError for a bad position string."""
        super().__init__(game)
        self.core = game.core.new_initial_state(position)

    def current_player(self) -> int:
        """Return who is to choose: 0 or 1, or -4 when the game is over."""
        return self.core.current_player()

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.core.is_terminal()

    def returns(self) -> list[float]:
        """Return +1.0, -1.0 or 0.0 a player."""
        return self.core.returns()

    def _legal_actions(self, player: int) -> list[int]:
        return self.core.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.core.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.core.action_to_string(action)

    def string_to_action(self, *arguments: Any) -> int:
        """Return the id of an action text; a player may stand before it."""
        return self.core.string_to_action(*arguments)

    def __str__(self) -> str:
        """Return the drawing of the board."""
        return str(self.core)


# ---- players and bots


class PlayerBot(pyspiel.Bot):
    """A player of this package as an OpenSpiel bot, for states of registered games and for ours."""

    def __init__(self, player: players.Player) -> None:
        """Lend the moves of a player: of `quincunx.players`, or anything with `step(state)`."""
        super().__init__()
        self.player = player

    def step(self, state: Any) -> int:
        """Return the action that the player chooses."""
        return int(players.choose(self.player, core_state(state)))

    def restart(self) -> None:
        """Tell the player that a new game begins."""
        players.restart(self.player)

    def restart_at(self, state: Any) -> None:
        """Tell the player that a new game begins, at whatever state."""
        players.restart(self.player)

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Tell the player what another one is about to play."""
        players.inform(self.player, core_state(state), player_id, action)


class BotPlayer:
    """An OpenSpiel bot as a player of this package: it is shown states of the registered game.

    Bots written in Python need none of this to be players, and are faster without.
    """

    def __init__(self, bot: Any, name: str | None = None) -> None:
        """Lend the moves of a bot: `pyspiel.MCTSBot`, say, made for `openspiel_game(game)`."""
        self.bot = bot
        self.name = name or type(bot).__name__

    def step(self, state: _core.State, /) -> int:
        """Return the action that the bot chooses."""
        theirs = _openspiel_state(state)
        if isinstance(self.bot, pyspiel.MCTSBot):
            # Its `step` lets go of the interpreter's lock, which cloning a game in Python needs:
            # OpenSpiel 2.0.2 crashes. The search alone keeps it.
            return int(self.bot.mcts_search(theirs).best_child().action)
        return int(self.bot.step(theirs))

    def restart(self) -> None:
        """Tell the bot that a new game begins."""
        self.bot.restart()

    def inform_action(self, state: _core.State, player: int, action: int) -> None:
        """Tell the bot what another one is about to play."""
        self.bot.inform_action(_openspiel_state(state), player, action)


def _openspiel_state(state: _core.State) -> Any:
    """Return OpenSpiel's state for one of ours, with the same past."""
    first = state.serialize().partition("\n")[0]
    theirs = openspiel_game(state.get_game()).new_initial_state(first)
    for action in state.history():
        theirs.apply_action(action)
    return theirs
