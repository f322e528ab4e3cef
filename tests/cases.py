"""The games of every general test: smallest, default, largest, oblong, and each switch once.

`CASES` is the list; a test with an argument named `case` runs for each of them (see conftest.py).
Random games here are made from `random.Random` with seeds of text, so they are the same on every
machine and in every process.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import quincunx
from quincunx import reference

# Two lines of play from one stack a side: short games with repetitions.
FEW_STACKS = (
    ".,.,.,b1,b3/.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,./"
    ".,.,.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,./w3,w1,.,.,. w"
)


@dataclass(frozen=True)
class Case:
    """A game with parameters; `slow` marks boards on which the reference takes long."""

    game: str
    parameters: dict[str, Any] = field(hash=False)
    slow: bool = False

    @property
    def id(self) -> str:
        """The name of the case in the output of pytest, and the seed of its random games."""
        given = []
        for name, value in self.parameters.items():
            text = "custom" if name == "setup" and " " in value else str(value)
            given.append(f"{name}={text}".replace(" ", ""))
        return "-".join([self.game, *given])

    def core(self) -> quincunx.Game:
        return _core(self.game, repr(self.parameters))

    def reference(self) -> reference.Game[Any]:
        return _reference(self.game, repr(self.parameters))

    def random(self, purpose: object = "") -> random.Random:
        return random.Random(f"{self.id} {purpose}")


@cache
def _core(name: str, parameters: str) -> quincunx.Game:
    return quincunx.load_game(name, **_evaluated(parameters))


@cache
def _reference(name: str, parameters: str) -> reference.Game[Any]:
    return reference.load_game(name, **_evaluated(parameters))


def _evaluated(parameters: str) -> dict[str, Any]:
    # Parameters as text are hashable; they are literals of this file.
    found: dict[str, Any] = eval(parameters)
    return found


CASES = [
    Case("unmergo", {"size": 2}),
    Case("unmergo", {"size": 3}),
    Case("unmergo", {}),
    Case("unmergo", {"size": 8}, slow=True),
    Case("unane", {"size": "2x2"}),
    Case("unane", {"size": "2x3"}),
    Case("unane", {"size": "3x2", "pie": False}),
    Case("unane", {"size": "4x4"}),
    Case("unane", {"size": "4x4", "pie": False}),
    Case("unane", {}),
    Case("unane", {"size": "7x8"}),
    Case("unane", {"size": "11x6", "pie": False}),
    Case("unane", {"size": "16x16"}, slow=True),
    Case("impedio", {"size": 2}),
    Case("impedio", {"size": 3}),
    Case("impedio", {}),
    Case("impedio", {"setup": "ring"}),
    Case("impedio", {"setup": FEW_STACKS, "repetition": 2}),
    Case("impedio", {"size": 3, "repetition": 0, "max_plies": 30}),
    Case("impedio", {"size": 4, "repetition": 2, "max_plies": 0}),
    Case("impedio", {"size": 8}, slow=True),
    Case("fano330", {}),
    Case("fano330", {"adjacency": "plane"}),
    Case("fano330", {"repetition": 2}),
    Case("fano330", {"repetition": 0, "max_plies": 40}),
    Case("fano330", {"adjacency": "plane", "repetition": 2, "max_plies": 0}),
    Case("fano330", {"max_plies": 9}),
    Case("meigo", {"size": "2x2"}),
    Case("meigo", {"size": "3x3"}),
    Case("meigo", {"size": "5x4"}),
    Case("meigo", {"size": "2x7", "prison_black": 3}),
    Case("meigo", {"size": "4x4", "handicap": ["b2", "d4"]}),
    Case("meigo", {"size": "3x3", "auction": True}),
    Case("meigo", {"size": "5x5", "reach": "friendly"}),
    Case("meigo", {"size": "4x3", "repetition": 2}),
    Case("meigo", {"size": "3x3", "repetition": 3, "auction": True}),
    Case("meigo", {"size": "4x4", "max_plies": 10}),
    Case("meigo", {"size": "3x4", "max_plies": 0}),
    Case("meigo", {}),
    Case("meigo", {"size": "13x13"}, slow=True),
    Case("meigo", {"size": "19x19"}, slow=True),
]

# A game that may go on for ever is left after so many plies.
LONGEST = 2000


def play_random_game(
    game: Any, rng: random.Random, plies: int = LONGEST, position: str | None = None
) -> Iterator[Any]:
    """Play uniformly random actions on one state and yield it at the start and after each.

    The state yielded is always the same object: clone it to keep it.
    """
    state = game.new_initial_state(position)
    yield state
    for _ in range(plies):
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))
        yield state


def random_states(case: Case, count: int, purpose: object = "", game: Any = None) -> list[Any]:
    """Return about `count` states of random games with their history: the start, every stage of
    play, the end; the same ones every time.
    """
    rng = case.random(purpose)
    states: list[Any] = []
    while len(states) < count:
        line = [state.clone() for state in play_random_game(game or case.core(), rng)]
        chosen = {0, len(line) - 1, *(rng.randrange(len(line)) for _ in range(4))}
        states += [line[ply] for ply in sorted(chosen)]
    return states


@cache
def sample(case: Case) -> tuple[Any, ...]:
    """Return the states that the contract is tested on. Do not play on them: clone first."""
    return tuple(random_states(case, 12 if case.slow else 30, "sample"))
