"""Whoever chooses actions: the protocol `Player`, the players of this package, and their names.

A player is any object with `step(state) -> action`, OpenSpiel's verb, so that OpenSpiel's Python
bots and agents of your own fit as they are. `restart()` and `inform_action(state, player, action)`
are called if an object has them: the first before a game, the second when somebody else has chosen
an action, before it is played.
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from quincunx import _core

if TYPE_CHECKING:
    from quincunx.tablebase import Tablebase

__all__ = [
    "HumanPlayer",
    "MCTSPlayer",
    "PerfectPlayer",
    "Player",
    "RandomPlayer",
    "check_plays",
    "choose",
    "derive_seed",
    "inform",
    "name_of",
    "player_from_name",
    "restart",
]


@runtime_checkable
class Player(Protocol):
    """Whoever chooses actions. An attribute `name`, if there is one, stands in records."""

    def step(self, state: _core.State, /) -> int:
        """Return the action to play in a running game; the state must be left as it is."""


def name_of(player: Player) -> str:
    """Return the name of a player for records and tables."""
    name = getattr(player, "name", None)
    return name if isinstance(name, str) and name else type(player).__name__


def check_plays(player: Player, game: _core.Game) -> None:
    """Refuse a player of this package who cannot play a game, before the first move.

    Raises ValueError.
    """
    if isinstance(player, PerfectPlayer) and game.name != "fano330":
        raise ValueError(f"the player 'perfect' plays fano330 alone, not {game.name}")


def restart(player: Player) -> None:
    """Tell a player that a new game begins, if it wants to know."""
    method = _method(player, "restart")
    if callable(method):
        method()


def choose(player: Player, state: _core.State) -> int:
    """Return what a player plays in `state`. It gets a copy, which it may play on."""
    return player.step(state.clone())


def inform(player: Player, state: _core.State, actor: int, action: int) -> None:
    """Tell a player what `actor` is about to play in `state`, if it wants to know."""
    method = _method(player, "inform_action")
    if callable(method):
        method(state.clone(), actor, action)


def _method(player: Player, name: str) -> Any:
    """Return a method of a player, or None. What a bot in Python has from `pyspiel.Bot` does not
    count: that does nothing, and takes no states but OpenSpiel's own.
    """
    owner = next((kind for kind in type(player).__mro__ if name in vars(kind)), None)
    foreign = owner is not None and owner.__module__ == "pyspiel"
    return None if foreign else getattr(player, name, None)


def derive_seed(seed: int, *path: object) -> int:
    """Return a 64-bit seed that depends on `seed` and on every part of `path`, on all machines.

    Seeds derived from neighbouring seeds, or along neighbouring paths, have nothing in common.
    """
    text = "/".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


class RandomPlayer:
    """Plays every legal action with the same probability."""

    def __init__(self, seed: int = 0) -> None:
        """Make a player who plays the same games for the same seed."""
        self.name = "random"
        self._seed = seed
        self._random = random.Random(seed)

    def step(self, state: _core.State, /) -> int:
        """Return a random legal action."""
        return self._random.choice(state.legal_actions())

    def restart(self) -> None:
        """Begin a new game; the random numbers go on."""


class MCTSPlayer:
    """Plays what a tree search finds best; the tree is kept between the moves of a game."""

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        *,
        seed: int = 0,
        threads: int = 1,
        name: str | None = None,
        **options: Any,
    ) -> None:
        """Make a player with a budget for each action: `simulations`, or `seconds`, or both.

        `options` go to `quincunx.MCTS` as they are. On one thread and with a budget of simulations
        alone the same seed means the same games.
        Raises ValueError or TypeError for what `quincunx.MCTS` refuses.
        """
        self._search = _core.MCTS(
            simulations=simulations, seconds=seconds, seed=seed, threads=threads, **options
        )
        self.name = name or f"mcts:{_budget_text(simulations, seconds)}"

    def step(self, state: _core.State, /) -> int:
        """Search and return the best action."""
        return self._search.step(state)

    def search(
        self,
        state: _core.State,
        on_progress: Callable[[_core.SearchResult], object] | None = None,
    ) -> _core.SearchResult:
        """Search and return all that was found."""
        return self._search.search(state, on_progress=on_progress)

    def restart(self) -> None:
        """Forget the tree: a new game begins."""
        self._search.reset()


class PerfectPlayer:
    """Plays a solved game, by its tablebase: the best actions, any of them alike."""

    name = "perfect"

    def __init__(self, seed: int = 0) -> None:
        """Make a player who plays the same games for the same seed."""
        self._random = random.Random(seed)
        self._table: Tablebase | None = None

    def step(self, state: _core.State, /) -> int:
        """Return one of the best actions. Raises ValueError for a game without tablebase."""
        from quincunx.tablebase import Tablebase

        game = state.get_game()
        check_plays(self, game)
        adjacency = str(game.parameters["adjacency"])
        if self._table is None or self._table.adjacency != adjacency:
            self._table = Tablebase(game.name, adjacency=adjacency)
        return self._random.choice(self._table.probe(state).best_actions)

    def __getstate__(self) -> dict[str, Any]:
        """Leave the table out of copies, which open it by themselves."""
        return {**self.__dict__, "_table": None}


class HumanPlayer:
    """A person at the terminal, asked for every action with `input`.

    `quincunx play` reads persons in a way of its own, with commands.
    """

    name = "human"

    def step(self, state: _core.State, /) -> int:
        """Ask until a legal action comes; say what is wrong with an illegal one."""
        while True:
            text = input(f"player {state.current_player()}: ").strip()
            problem = state.explain(text)
            if problem is None:
                return state.string_to_action(text)
            print(problem)


_FORMS = (
    "'random', 'human', 'perfect', or 'mcts:' and a budget for each move: simulations ('mcts:2000')"
    " or a time ('mcts:1s', 'mcts:500ms')"
)
_BUDGET = re.compile(
    r"(?P<simulations>[0-9]{1,9})|(?P<time>[0-9]{1,7}(?:\.[0-9]{1,6})?)(?P<unit>ms|s)"
)


def player_from_name(name: str, seed: int = 0, threads: int = 1) -> Player:
    """Return the player that a name denotes.

    `random`, `human`, `perfect` (fano330, by its tablebase), `mcts:2000` (simulations a move),
    `mcts:1s` and `mcts:500ms` (time a move).
    Options of `quincunx.MCTS` may follow after commas: `mcts:1s,c=0.8`. `threads` is how many
    threads a search uses.
    Raises ValueError for any other name.
    """
    if name == "random":
        return RandomPlayer(seed)
    if name == "human":
        return HumanPlayer()
    if name == "perfect":
        return PerfectPlayer(seed)
    kind, colon, rest = name.partition(":")
    if kind != "mcts" or not colon:
        raise ValueError(f"there is no player {name!r}: a player is {_FORMS}")
    budget, *options = rest.split(",")
    try:
        simulations, seconds = _read_budget(budget)
        given: dict[str, Any] = dict(_read_option(option) for option in options)
        if len(given) < len(options):
            raise ValueError("an option is given twice")
        given = {"seed": seed, "threads": threads, **given}
        return MCTSPlayer(simulations, seconds, name=name, **given)
    except (TypeError, ValueError) as error:
        raise ValueError(f"player {name!r}: {error}") from error


# Of `quincunx.MCTS`, what can be said in a name.
_OPTIONS = ("batch_size", "c", "first_play", "look_ahead", "memory_mb", "rave", "seed", "threads")


def _read_budget(text: str) -> tuple[int | None, float | None]:
    found = _BUDGET.fullmatch(text)
    if found is None:
        raise ValueError(
            f"the budget {text!r} is not simulations ('2000') or a time ('1s', '500ms')"
        )
    if found["simulations"] is not None:
        if int(found["simulations"]) == 0:
            raise ValueError("the budget must be more than nothing")
        return int(found["simulations"]), None
    seconds = float(found["time"]) / (1000 if found["unit"] == "ms" else 1)
    if seconds == 0:
        raise ValueError("the budget must be more than nothing")
    return None, seconds


def _read_option(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not (equals and value) or name not in _OPTIONS:
        raise ValueError(f"{text!r} is not name=value with one of {', '.join(_OPTIONS)}")
    if value in ("true", "false"):
        return name, value == "true"
    for kind in (int, float):
        try:
            number = kind(value)
        except ValueError:
            continue
        if math.isfinite(number):
            return name, number
    return name, value


def _budget_text(simulations: int | None, seconds: float | None) -> str:
    parts = [] if simulations is None else [str(simulations)]
    if seconds is not None:
        parts.append(f"{seconds:g}s")
    return ",".join(parts)
