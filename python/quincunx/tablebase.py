"""Tablebases: games solved once and for all, in a file that is mapped into memory.

`Tablebase("fano330")` opens the table of the cache folder, and makes it first if it is not there.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quincunx import _core
from quincunx.sealed import read_sealed, write_sealed

__all__ = ["Probe", "Tablebase", "cache_folder"]

# The body of a file is the keys (8 bytes each, little-endian, ascending), then the results (2 bytes
# each) in the same order.
MAGIC = b"\x89quincunx table\n"
VERSION = 1
READINGS = ("drawn", "plane")


@dataclass(frozen=True)
class Probe:
    """What is certain of a state.

    `value` is 1, 0 or -1 for the player to move; `distance` the plies to the end, the winner
    hurrying and the loser delaying, None for a draw; `best_actions` the ids of the actions that
    keep both, ascending, none when the game is over.
    """

    value: int
    distance: int | None
    best_actions: list[int]


class Tablebase:
    """The value and the distance to the end of every position of a solved game.

    The values are those of unlimited play, in which what nobody can force to an end is a draw:
    they depend on the position alone. A game with a limit on plies or on repetitions can end as a
    draw before a win is carried out; see docs/solved.md.
    """

    def __init__(
        self, game: str, *, adjacency: str = "drawn", path: str | os.PathLike[str] | None = None
    ) -> None:
        """Open the table of a game; `fano330` is the one that has tables.

        Without `path` it is that of the cache folder, made if it is missing or damaged; where it
        cannot be written it is kept in memory. A file given by `path` is opened as it is.
        Raises ValueError for a game without table, and for a file that is damaged or of another
        game, version or adjacency; OSError for a file that cannot be read.
        """
        self._check(game, adjacency)
        self.game, self.adjacency = game, adjacency
        if path is not None:
            self._open(Path(path))
            return
        file = _file_of(adjacency)
        with suppress(ValueError, OSError):
            self._open(file)
            return
        header, body = _solve(adjacency)
        try:
            _write(file, header, body)
            self._open(file)
        except OSError:
            self._take(header, body, None)

    @staticmethod
    def _check(game: object, adjacency: object) -> None:
        for value, what in ((game, "game"), (adjacency, "adjacency")):
            if not isinstance(value, str):
                raise TypeError(f"{what} must be a str, not {type(value).__name__}")
        if game != "fano330":
            raise ValueError(f"there is no tablebase of {game!r}: only 'fano330' has tables")
        if adjacency not in READINGS:
            raise ValueError(f"adjacency must be 'drawn' or 'plane', not {adjacency!r}")

    @classmethod
    def build(
        cls, game: str, *, adjacency: str = "drawn", path: str | os.PathLike[str] | None = None
    ) -> Tablebase:
        """Solve the game anew, write the file (that of the cache folder without `path`), open it.

        The file appears as a whole or not at all, also if several processes write it.
        Raises ValueError for a game without table, OSError if the file cannot be written.
        """
        cls._check(game, adjacency)
        file = _file_of(adjacency) if path is None else Path(path)
        _write(file, *_solve(adjacency))
        return cls(game, adjacency=adjacency, path=file)

    @classmethod
    def present(cls, state: _core.State) -> Tablebase | None:
        """Return the table of the game of a state if the cache folder has it, else None."""
        game = state.get_game()
        if game.name != "fano330":
            return None
        adjacency = str(game.parameters["adjacency"])
        with suppress(ValueError, OSError):
            return cls(game.name, adjacency=adjacency, path=_file_of(adjacency))
        return None

    def _open(self, path: Path) -> None:
        header, body = read_sealed(path, MAGIC, VERSION, "a tablebase")
        game, parameters = header.get("game"), header.get("parameters")
        if game != self.game or parameters != {"adjacency": self.adjacency}:
            raise ValueError(
                f"{path} is the tablebase of {str(game)[:40]} with {str(parameters)[:60]}, not of"
                f" {self.game} with adjacency {self.adjacency!r}"
            )
        entries, positions = header.get("entries"), header.get("positions")
        if not (isinstance(entries, int) and isinstance(positions, int)) or not (
            len(body) == 10 * entries <= 10 * positions
        ):
            raise ValueError(f"{path} is damaged: its header does not fit")
        self._take(header, body, path)

    def _take(self, header: dict[str, Any], body: bytes | memoryview, path: Path | None) -> None:
        entries: int = header["entries"]
        keys = np.frombuffer(body, "<u8", entries).astype(np.uint64, copy=False)
        results = np.frombuffer(body, "<u2", entries, 8 * entries).astype(np.uint16, copy=False)
        self._table = _core._fano_table(self.adjacency, keys, results)
        #: The file; None if the table is in memory alone.
        self.path = path
        #: How many positions the file holds: the running ones, symmetric ones once.
        self.entries = entries
        #: How many positions that answers for, the finished ones included.
        self.positions: int = header["positions"]

    def probe(self, state: _core.State) -> Probe:
        """Return what is certain of a state.

        A finished game has its result, at distance 0, and no actions. The plies before do not
        matter, nor do the limits of the game on plies and repetitions.
        Raises ValueError for a state of another game or adjacency, TypeError for anything else.
        """
        return Probe(*self._table.probe(state))

    def line(self, state: _core.State) -> list[int]:
        """Return the actions of best play to the end, the lowest id among equals; [] of a draw."""
        state = state.clone()
        actions: list[int] = []
        found = self.probe(state)
        # As long as that at most, also by a table that lies.
        for _ in range(found.distance or 0):
            if not found.best_actions or state.is_terminal():
                break
            actions.append(found.best_actions[0])
            state.apply_action(actions[-1])
            found = self.probe(state)
        return actions

    def __repr__(self) -> str:
        """Return how it was made."""
        return f"Tablebase({self.game!r}, adjacency={self.adjacency!r})"


def cache_folder() -> Path:
    """Return the folder of files that can be made again: the variable QUINCUNX_CACHE names it.

    Without that it is the folder `quincunx` where the system keeps the caches of a user.
    """
    chosen = os.environ.get("QUINCUNX_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.path.expanduser(base)) / "quincunx"


def _file_of(adjacency: str) -> Path:
    return cache_folder() / f"fano330-{adjacency}.table"


def _write(file: Path, header: dict[str, Any], body: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_sealed(file, MAGIC, header, lambda write: write(body))


def _solve(adjacency: str) -> tuple[dict[str, Any], bytes]:
    keys, results, positions = _core._solve_fano330(adjacency)
    body = keys.astype("<u8").tobytes() + results.astype("<u2").tobytes()
    header: dict[str, Any] = {
        "version": VERSION,
        "game": "fano330",
        "parameters": {"adjacency": adjacency},
        "entries": len(keys),
        "positions": positions,
    }
    return header, body
