"""Matches: many games between two players, `match(game, a, b, games=100)`.

Players alternate who begins. Games 1 and 2 have the same random opening, with the players changed,
games 3 and 4 another one, and so on: also players without any randomness of their own do not repeat
a game. Every game depends on the seed of the match and on its number alone, so that the result does
not depend on the number of processes, nor on interruptions.
"""

from __future__ import annotations

import random
import re
from bisect import insort
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias, TypeGuard

from quincunx import _core
from quincunx.intervals import elo_difference, wilson
from quincunx.players import (
    HumanPlayer,
    Player,
    check_plays,
    choose,
    derive_seed,
    inform,
    name_of,
    player_from_name,
    restart,
)
from quincunx.records import FIRST_LINE, RESULTS, Record, RecordError, read, result_of
from quincunx.tasks import run_tasks
from quincunx.turns import in_turn

__all__ = ["Contestant", "MatchResult", "match", "play_game", "random_opening"]

Contestant: TypeAlias = str | Player | Callable[[int], Player]
"""A name for `player_from_name`; or a function from a seed to a player, which is called for every
game; or a player. With several processes functions must be picklable, and a player will not do.
The attribute `name` of a function, if there is one, goes before that of the players it makes.
"""


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, or of the part of it that has been played, as A sees it."""

    names: tuple[str, str]
    """The names of A and B."""
    records: tuple[Record, ...] = field(repr=False)
    """The games in order; `round` is the number of the game, from 1."""
    left_out: int = field(default=0, compare=False)
    """How many games its file holds beyond those asked for."""

    def __str__(self) -> str:
        """Return the players and the wins, draws and losses of the first."""
        return f"{' against '.join(self.names)}: {self.wins}-{self.draws}-{self.losses}"

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.records)

    @cached_property
    def _counts(self) -> Counter[tuple[bool, str]]:
        return Counter((_a_begins(record.round or 1), record.result) for record in self.records)

    @property
    def as_first(self) -> tuple[int, int, int]:
        """Wins, draws and losses of A in the games that A began."""
        wins, draws, losses = (self._counts[True, text] for text in ("1-0", "1/2-1/2", "0-1"))
        return wins, draws, losses

    @property
    def as_second(self) -> tuple[int, int, int]:
        """Wins, draws and losses of A in the games that B began."""
        wins, draws, losses = (self._counts[False, text] for text in ("0-1", "1/2-1/2", "1-0"))
        return wins, draws, losses

    @property
    def wins(self) -> int:
        """How many games A has won."""
        return self.as_first[0] + self.as_second[0]

    @property
    def draws(self) -> int:
        """How many games were drawn."""
        return self.as_first[1] + self.as_second[1]

    @property
    def losses(self) -> int:
        """How many games A has lost."""
        return self.as_first[2] + self.as_second[2]

    @property
    def score(self) -> float:
        """What A scored of a game, on average; 0.5 before the first."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the score."""
        return wilson(self.wins + self.draws / 2, self.games)

    @property
    def elo(self) -> float:
        """By how many Elo points A is stronger: infinite if A won, or lost, everything."""
        return elo_difference(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95% interval of the Elo difference."""
        low, high = self.interval
        return elo_difference(low), elo_difference(high)

    @property
    def mean_length(self) -> float:
        """The mean number of turns of a game; 0 without games."""
        turns = sum(len(record.turns) for record in self.records)
        return turns / self.games if self.games else 0.0


def match(
    game: _core.Game | str,
    a: Contestant,
    b: Contestant,
    games: int = 100,
    *,
    seed: int = 0,
    openings: int = 4,
    position: str | None = None,
    max_plies: int = 0,
    threads: int = 1,
    processes: int = 1,
    path: str | Path | None = None,
    resume: bool = False,
    on_progress: Callable[[MatchResult], object] | None = None,
) -> MatchResult:
    """Play a match of A against B and return its result. A begins games 1, 3, 5, …

    `openings` is how many random plies begin each game (in Unmergo the last turn is completed);
    `position` where games start; a game is a draw after `max_plies` (0: never); `threads` is how
    many threads a search of a player given by name uses. Games are added to the file `path` as they
    end. With `resume`, the games that are there already are not played again; what a kill has left
    of a record half written is cut off. `on_progress` is called after every game, and once before.

    Raises ValueError for players, games or files that do not fit, OSError for a file that cannot
    be written. What a player raises comes out as it is. Ctrl-C leaves the games done in the file.
    """
    opened = _core.load_game(game) if isinstance(game, str) else game
    if games < 1 or processes < 1:
        raise ValueError("games and processes must be 1 or more")
    if openings < 0 or max_plies < 0:
        raise ValueError("openings and max_plies must be 0 or more")
    if opened.new_initial_state(position).is_terminal():
        raise ValueError("the game is over in this position: there is nothing to play")
    names = contestant_name(a, opened, threads), contestant_name(b, opened, threads)
    if processes > 1 and any(map(_is_player, (a, b))):
        raise ValueError("with several processes a player is a name or a function from a seed")
    plan = _Plan(opened, (a, b), names, seed, openings, position, max_plies, threads)
    file = None if path is None else _MatchFile(Path(path))
    there = file.open(plan, resume) if file is not None else {}
    records = [there[number] for number in sorted(there) if number <= games]
    missing = [number for number in range(1, games + 1) if number not in there]
    left_out = len(there) - len(records)
    if on_progress:
        on_progress(MatchResult(names, tuple(records), left_out))
    with closing(run_tasks(plan.play, missing, max(1, min(processes, len(missing))))) as played:
        for _, record in played:
            if file is not None:
                file.add(record)
            insort(records, record, key=lambda record: record.round or 0)
            if on_progress:
                on_progress(MatchResult(names, tuple(records), left_out))
    return MatchResult(names, tuple(records), left_out)


def play_game(
    state: _core.State, players: tuple[Player, Player], *, max_plies: int = 0
) -> _core.State:
    """Let two players, 0 and 1, play a game from a state on, and return its last state.

    The game is left after `max_plies` in all (0: never). Raises ValueError if a player chooses an
    illegal action, and whatever the players raise.
    """
    state = state.clone()
    while not state.is_terminal() and not (max_plies and state.move_number() >= max_plies):
        actor = state.current_player()
        action = choose(players[actor], state)
        inform(players[1 - actor], state, actor, action)
        try:
            state.apply_action(action)
        except (ValueError, TypeError) as error:
            who = f"player {actor} ({name_of(players[actor])})"
            raise ValueError(f"{who} chose an action that cannot be: {error}") from error
    return state


def random_opening(state: _core.State, plies: int, seed: int) -> _core.State:
    """Return a state `plies` random plies on, in which the game is not over.

    A turn begun is completed. If the game is over so soon again and again, it is fewer plies.
    """
    for attempt in range(_ATTEMPTS):
        rng = random.Random(derive_seed(seed, attempt))
        opening = state.clone()
        wanted = max(0, plies - attempt * plies // (_ATTEMPTS - 1))
        for ply in range(wanted + _LONGEST_TURN):
            if opening.is_terminal() or (ply >= wanted and not in_turn(opening)):
                break
            opening.apply_action(rng.choice(opening.legal_actions()))
        if not opening.is_terminal():
            return opening
    return state.clone()


_ATTEMPTS = 21
_LONGEST_TURN = 2


# ---- one game


def _a_begins(number: int) -> bool:
    """Return whether A begins a game, whose numbers begin with 1."""
    return number % 2 == 1


@dataclass(frozen=True)
class _Plan:
    """All that the games of a match depend on; goes to the worker processes."""

    game: _core.Game
    contestants: tuple[Contestant, Contestant]
    names: tuple[str, str]
    seed: int
    openings: int
    position: str | None
    max_plies: int
    threads: int

    @property
    def event(self) -> str:
        """What stands in every record, and must be the same to go on with a match."""
        cut = f", at most {self.max_plies} plies" if self.max_plies else ""
        return (
            f"match of {self.names[0]} and {self.names[1]}, seed {self.seed},"
            f" {self.openings} random plies{cut}"
        )

    def play(self, number: int) -> Record:
        """Play game `number`, from 1 on."""
        start = self.game.new_initial_state(self.position)
        opening = random_opening(
            start, self.openings, derive_seed(self.seed, "opening", (number - 1) // 2)
        )
        a, b = (
            make_player(contestant, derive_seed(self.seed, side, number), self.threads)
            for contestant, side in zip(self.contestants, "ab", strict=True)
        )
        first = _a_begins(number)
        final = play_game(opening, (a, b) if first else (b, a), max_plies=self.max_plies)
        over = final.is_terminal()
        return Record.of(
            final,
            players=self.names if first else (self.names[1], self.names[0]),
            result=result_of(final) if over else "1/2-1/2",
            reason=None if over else "adjudication",
            event=self.event,
            round=number,
        )


def make_player(contestant: Contestant, seed: int, threads: int = 1) -> Player:
    """Return the player for a new game. Raises ValueError for what makes none."""
    if isinstance(contestant, str):
        return player_from_name(contestant, seed, threads)
    if _is_player(contestant):
        restart(contestant)
        return contestant
    player = contestant(seed) if callable(contestant) else contestant
    if not _is_player(player):
        raise ValueError(f"{player!r} is not a player: it has no method step")
    return player


def _is_player(candidate: object) -> TypeGuard[Player]:
    # A class of players has the method too, but it is a function that makes players.
    return not isinstance(candidate, type) and isinstance(candidate, Player)


def contestant_name(contestant: Contestant, game: _core.Game, threads: int) -> str:
    """Return the name of a player; refuse what is none, or cannot play the game."""
    player = make_player(contestant, 0, threads)
    if isinstance(player, HumanPlayer):
        raise ValueError("a person cannot play a match: `quincunx play` is for persons")
    check_plays(player, game)
    # Of a class `name` is the default of its players: theirs is the one that counts.
    given = None if isinstance(contestant, type) else getattr(contestant, "name", None)
    return given if isinstance(given, str) and given else name_of(player)


# ---- the file

# The line at the end of a record.
_END = re.compile(rb"^(?:%s)\n" % "|".join(map(re.escape, RESULTS)).encode(), re.MULTILINE)


class _MatchFile:
    """The records of a match in a file, added as the games end, in whatever order they do."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self, plan: _Plan, resume: bool) -> dict[int, Record]:
        """Return the games that are in the file, by number. Raises ValueError, OSError."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            data = b""
        if data and not resume:
            raise ValueError(f"{self._path} exists: resume the match in it, or name another file")
        # Whatever comes after the last record that is complete was being written when a kill came.
        end = max((match.end() for match in _END.finditer(data)), default=0)
        rest = data[end:].lstrip(b"\n")
        first = f"{FIRST_LINE}\n".encode()
        if not (rest.startswith(first) or first.startswith(rest)):
            raise ValueError(f"{self._path} is not a file of records: it is left as it is")
        done: dict[int, Record] = {}
        try:
            records = read(data[:end].decode("utf-8"))
        except UnicodeDecodeError as error:
            raise ValueError(f"{self._path} is not in UTF-8: it is left as it is") from error
        except RecordError as error:
            raise RecordError(error.line, error.reason, str(self._path)) from error
        for record in records:
            self._check(plan, record)
            number = record.round or 0
            if number in done:
                raise ValueError(f"{self._path} holds game {number} twice")
            done[number] = record
        # Also tells now, not after the first game, if the file cannot be written.
        with self._path.open("ab") as file:
            file.truncate(end)
        self._empty = end == 0
        return done

    def _check(self, plan: _Plan, record: Record) -> None:
        """Refuse a record of another match."""
        number = record.round or 0
        start = plan.game.new_initial_state(plan.position).position()
        if (
            record.event != plan.event
            or record.game != plan.game
            or record.initial_state().position() != start
            or record.players != (plan.names if _a_begins(number) else plan.names[::-1])
            or number == 0
        ):
            there = f"{record.event or 'no match'}, round {record.round}, {record.game}"
            began = record.initial_state().position()
            raise ValueError(
                f"{self._path} holds games of another match: {there}, from {began};"
                f" this is {plan.event}, {plan.game}, from {start}"
            )

    def add(self, record: Record) -> None:
        """Add a record, in one go."""
        text = str(record) if self._empty else f"\n{record}"
        with self._path.open("ab") as file:
            file.write(text.encode("utf-8"))
        self._empty = False
