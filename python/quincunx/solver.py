"""Exact values of positions: `solve`, and `Solver`, which can be stopped and go on.

Play is by the letter of the rules: limits on plies and repetitions play no part. See
docs/solved.md for what the values mean and how they are found.
"""

from __future__ import annotations

import math
import operator
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsFloat, SupportsIndex

from quincunx import _core
from quincunx.sealed import read_sealed, write_sealed

if TYPE_CHECKING:
    from quincunx.tablebase import Tablebase

__all__ = ["Progress", "Solution", "Solver", "solve"]

MAGIC = b"\x89quincunx solve\n"
VERSION = 1

# How often a checkpoint is written while a solver runs, in seconds.
CHECKPOINT_EVERY = 60.0


@dataclass(frozen=True)
class Progress:
    """How far a solver is: all counts are over all its runs, before a checkpoint too."""

    nodes: int
    """Positions searched or listed."""
    positions: int
    """Of those that can follow, how many are listed; 0 before that begins."""
    depth: int
    """Plies within which wins are looked for; 0 without a bound."""
    seconds: float

    def __str__(self) -> str:
        """Return one line to show while the search runs."""
        words = [f"{self.nodes:,} nodes"]
        if self.positions:
            words.append(f"{self.positions:,} positions")
        elif self.depth:
            words.append(f"wins within {_plies(self.depth)}")
        return ", ".join([*words, f"{self.nodes / max(self.seconds, 1e-9):,.0f}/s"])


@dataclass(frozen=True)
class Solution:
    """What is certain of a position."""

    player: int
    """The player to move, 0 or 1; of a finished game 0."""
    low: int
    """The least that this player can be sure of: 1 a win, 0 a draw, -1 nothing."""
    high: int
    """The most that this player can hope for."""
    distance: int | None
    """The plies to the end, the winner hurrying and the loser delaying; None if not known."""
    best_actions: list[int]
    """Action ids that keep value and distance: all of fano330, else one, or none if not known."""
    line: list[int]
    """Action ids of best play by both sides, as far as it was found."""
    nodes: int
    positions: int
    seconds: float
    reason: str
    """One sentence: the value and why it is certain, or what is known and why not more is."""

    @property
    def proven(self) -> bool:
        """Whether the value is known."""
        return self.low == self.high

    @property
    def value(self) -> int | None:
        """The value for the player to move: 1 a win, -1 a loss, 0 if nobody can force a win.

        None if it is not known.
        """
        return self.low if self.proven else None


class Solver:
    """A search for the value of a position; see `solve`."""

    def __init__(
        self,
        state: _core.State,
        *,
        memory_mb: int = 1024,
        checkpoint: str | os.PathLike[str] | None = None,
    ) -> None:
        """Prepare a search; go on from the file `checkpoint` if it exists, else write it.

        Of fano330 the tablebase is opened; a checkpoint of it, or of a finished game, holds nothing
        but the position.
        Raises ValueError for a bad argument or a file that does not fit, OSError for one that
        cannot be read or written, TypeError for what is no state.
        """
        if not isinstance(state, _core.State):
            raise TypeError(f"state must be a State, not {type(state).__name__}")
        memory_mb = _to_megabytes(memory_mb)
        self._state = state.clone()
        self._path = None if checkpoint is None else _to_path(checkpoint)
        self._seconds = 0.0
        self._solver: _core._Solver | None = None
        self._table: Tablebase | None = None
        if not state.is_terminal():
            self._prepare(memory_mb)
        if self._path is None:
            return
        if self._path.exists():
            self._load(self._path)
        else:
            self.save()  # a file that cannot be written is known before the search

    def _prepare(self, memory_mb: int) -> None:
        """Open the tablebase of the game, or make a solver."""
        game = self._state.get_game()
        if game.name == "fano330":
            from quincunx.tablebase import Tablebase

            began = time.monotonic()
            self._table = Tablebase("fano330", adjacency=str(game.parameters["adjacency"]))
            self._seconds = time.monotonic() - began
            return
        try:
            self._solver = _core._new_solver(self._state, memory_mb)
        except MemoryError:
            raise ValueError(f"memory_mb is too large: {memory_mb} MB are not to be had") from None

    def _load(self, path: Path) -> None:
        header, body = read_sealed(path, MAGIC, VERSION, "a checkpoint")
        if header.get("start") != self._start():
            raise ValueError(f"{path} is the checkpoint of another game or position")
        seconds = header.get("seconds")
        if not isinstance(seconds, float) or not 0 <= seconds < math.inf:
            raise ValueError(f"{path} is damaged: its header does not fit")
        if self._solver is not None:
            self._solver.load(body)
        self._seconds = seconds

    def _start(self) -> dict[str, Any]:
        game = self._state.get_game()
        return {
            "game": game.name,
            "parameters": game.parameters,
            "position": self._state.position(),
        }

    def run(
        self,
        seconds: float | None = None,
        on_progress: Callable[[Progress], object] | None = None,
    ) -> Solution:
        """Search until the value is known, or time or memory are used up; may be called again.

        The checkpoint is written every minute, and when the search ends, also by Ctrl-C; the file
        is whole at any moment. `on_progress` is called about every 0.2 seconds.
        Raises ValueError for `seconds` that are negative or not finite, OSError if the checkpoint
        cannot be written, RuntimeError if another thread runs it.
        """
        seconds = None if seconds is None else _to_seconds(seconds)
        if on_progress is not None and not callable(on_progress):
            raise TypeError(f"on_progress must be callable, not {type(on_progress).__name__}")
        if self._solver is None:
            return self.solution()
        began, before = time.monotonic(), self._seconds
        saved = began

        def report(nodes: int, positions: int, depth: int) -> None:
            nonlocal saved
            now = time.monotonic()
            self._seconds = before + now - began
            if on_progress is not None:
                on_progress(Progress(nodes, positions, depth, self._seconds))
            if now - saved > CHECKPOINT_EVERY:
                self.save()
                saved = time.monotonic()

        try:
            self._solver.run(seconds, report)
        finally:
            self._seconds = before + time.monotonic() - began
            self.save()
        return self.solution()

    def save(self) -> None:
        """Write the checkpoint, if there is to be one. Raises OSError if it cannot be written."""
        if self._path is None:
            return
        header = {"version": VERSION, "start": self._start(), "seconds": self._seconds}
        body = (lambda write: None) if self._solver is None else self._solver.save
        write_sealed(self._path, MAGIC, header, body)

    def solution(self) -> Solution:
        """Return what is known until now."""
        if self._state.is_terminal():
            value = int(self._state.player_return(0))
            ending = self._state.ending() or ""
            return Solution(0, value, value, 0, [], [], 0, 0, 0.0, ending)
        if self._table is not None:
            return self._by_table(self._table)
        assert self._solver is not None
        found = self._solver.so_far()
        return Solution(
            player=self._state.current_player(),
            low=found["low"],
            high=found["high"],
            distance=found["distance"],
            best_actions=found["line"][:1],
            line=found["line"],
            nodes=found["nodes"],
            positions=found["positions"],
            seconds=self._seconds,
            reason=self._reason(found),
        )

    def _by_table(self, table: Tablebase) -> Solution:
        found = table.probe(self._state)
        player = self._state.current_player()
        if found.value == 0:
            reason = (
                f"{_NEITHER}: the tablebase has the values of all {table.positions:,} positions"
            )
        else:
            winner = player if found.value > 0 else 1 - player
            reason = f"player {winner} wins in {_plies(found.distance)}, by the tablebase"
        return Solution(
            player=player,
            low=found.value,
            high=found.value,
            distance=found.distance,
            best_actions=found.best_actions,
            line=table.line(self._state),
            nodes=0,
            positions=table.positions,
            seconds=self._seconds,
            reason=reason,
        )

    def _reason(self, found: dict[str, Any]) -> str:
        player = self._state.current_player()
        low, high = found["low"], found["high"]
        if low == high != 0:
            winner = player if low > 0 else 1 - player
            if found["distance"] is not None:
                return f"player {winner} wins in {_plies(found['distance'])}"
            rest = ""
            if found["by_holding"]:
                rest = ", in the end by holding until the other can neither play nor hold"
            return f"player {winner} wins{rest}"
        if low == high:
            if self._state.get_game().name == "unmergo":
                return "with best play the game is a draw"
            return (
                f"{_NEITHER}: play can go on for ever (all {found['positions']:,} positions that"
                " can follow are listed, symmetric ones once)"
            )
        known = {(-1, 0): f"player {player} cannot force a win"}
        text = f"not known: {known.get((low, high), 'nothing is certain yet')}"
        if found["depth"] > 1:
            text += f"; no win of either side within {_plies(found['depth'] - 1)}"
        if found["out_of_memory"]:
            text += f"; {found['positions']:,} positions fill the memory, and more can follow"
        return text


_NEITHER = "neither side can force a win"


def _to_seconds(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise TypeError(f"seconds must be a number, not {type(value).__name__}")
    try:
        seconds = float(value)
    except OverflowError:
        seconds = math.inf
    if not 0 <= seconds < math.inf:
        raise ValueError("seconds must be finite and not negative")
    return seconds


def _to_megabytes(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise TypeError(f"memory_mb must be an integer, not {type(value).__name__}")
    megabytes = operator.index(value)
    if not 1 <= megabytes <= _core._max_solver_mb:
        raise ValueError(f"memory_mb must be from 1 to {_core._max_solver_mb}")
    return megabytes


def _to_path(value: object) -> Path:
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"checkpoint must be a str or a path, not {type(value).__name__}")
    path = Path(value)
    try:
        usable = b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        usable = False
    if not usable:
        raise ValueError(f"checkpoint is not the name of a file: {str(path)!r}")
    return path


def _plies(number: int | None) -> str:
    return "1 ply" if number == 1 else f"{number} plies"


def solve(
    state: _core.State,
    seconds: float | None = None,
    memory_mb: int = 1024,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    on_progress: Callable[[Progress], object] | None = None,
) -> Solution:
    """Search for the value of a position, until it is known or time or memory are used up.

    `checkpoint` is a file that the search goes on from if it exists, and that is written every
    minute and at the end. Of fano330 the tablebase is asked, and made if it is missing.
    Raises ValueError for a bad argument or a file that does not fit, OSError for a file that
    cannot be read or written. Answers Ctrl-C.
    """
    solver = Solver(state, memory_mb=memory_mb, checkpoint=checkpoint)
    return solver.run(seconds, on_progress)
