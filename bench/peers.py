"""What the comparisons with other libraries share: slices of processor time, and workers to ask.

A comparison is a script that starts itself again as a worker of either side, in the environment of
that side: `script.py --serve SIDE REQUEST`. Nothing of either package is imported here.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import IO, Any

SLICE = 0.5  # seconds of processor time


def rate(work: Callable[[], float]) -> float:
    """Units of work per second of processor time, over one slice."""
    units, start = 0.0, time.process_time()
    while (elapsed := time.process_time() - start) < SLICE:
        units += work()
    return units / elapsed


def random_game(state: Any, choose: Callable[[], float]) -> int:
    """One random game in Python; gives its length."""
    plies = 0
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(choose() * len(actions))])
        plies += 1
    return plies


def serve(slice_rate: Callable[[], float]) -> None:
    """Worker process: a line in asks for a slice, a line out gives its rate."""
    print("ready", flush=True)
    for _ in sys.stdin:
        print(slice_rate(), flush=True)


class Worker:
    """The parent's end of a worker process."""

    def __init__(self, python: str, script: str, side: str, request: dict[str, Any]) -> None:
        self.process = subprocess.Popen(
            [python, script, "--serve", side, json.dumps(request)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()

    def slice(self) -> float:
        self._pipe(self.process.stdin).write("slice\n")
        self._pipe(self.process.stdin).flush()
        return float(self._read())

    def close(self) -> None:
        self._pipe(self.process.stdin).close()
        self.process.wait()

    def _read(self) -> str:
        line = self._pipe(self.process.stdout).readline()
        if not line:
            raise SystemExit("a worker process ended early")
        return line

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe


def alternate(ours: Worker, theirs: Worker, slices: int) -> tuple[list[float], list[float]]:
    """Rates of both sides, asked in turn after one slice each to get warm; ends the workers."""
    ours.slice()
    theirs.slice()
    pairs = [(ours.slice(), theirs.slice()) for _ in range(slices)]
    ours.close()
    theirs.close()
    return [a for a, _ in pairs], [b for _, b in pairs]


def table_head(unit: str) -> str:
    return f"{'ours':34}{'theirs':22}{'M ' + unit + ' best (median)':>42}{'ratio':>8}{'asked':>7}"


def table_row(
    game: str,
    parameters: dict[str, Any],
    theirs: str,
    rates: tuple[list[float], list[float]],
    asked: float,
) -> str:
    """A line of figures in millions a second, with the ratio of the best."""
    ours, other = ([rate / 1e6 for rate in side] for side in rates)
    name = " ".join([game, *(f"{key}={value}" for key, value in parameters.items())])
    speeds = f"{max(ours):8.2f} ({median(ours):6.2f})  :{max(other):8.3f} ({median(other):6.3f})"
    return f"{name:34}{theirs:22}{speeds:>42}{max(ours) / max(other):8.1f}{asked:7.0f}"
