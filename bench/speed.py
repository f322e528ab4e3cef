"""The speed of this build: a table, or ratios against the reference or against another build.

    python bench/speed.py                          plies/s of playouts, nodes/s of perft, all games
    python bench/speed.py --reference              the core against the pure-Python reference
    python bench/speed.py --against OTHER/python   this build against the one in another environment
    python bench/speed.py --threads 2              perft on two threads against one, by the clock

Ratios come from one run, the sides alternated, the best of several slices of processor time each.
A debug or sanitizer build is refused: its figures would mean nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from typing import Any

# Game, parameters, a perft depth that takes well under a second.
RUNS: list[tuple[str, dict[str, Any], int]] = [
    ("fano330", {}, 8),
    ("impedio", {"size": 5}, 4),
    ("meigo", {"size": "9x9"}, 4),
    ("meigo", {"size": "19x19"}, 2),
    ("unane", {"size": "8x8"}, 4),
    ("unmergo", {"size": 5}, 5),
]


def core_rates(
    name: str, parameters: dict[str, Any], depth: int, seconds: float
) -> dict[str, float]:
    """Plies and nodes per second of processor time, over one slice each."""
    import quincunx

    start = quincunx.load_game(name, **parameters).new_initial_state()
    plies, seed, began = 0, 0, time.process_time()
    while (elapsed := time.process_time() - began) < seconds:
        plies += int(quincunx.playouts(start, 100, seed=seed).lengths.sum())
        seed += 1
    rates = {"plies": plies / elapsed}
    nodes, began = 0, time.process_time()
    while (elapsed := time.process_time() - began) < seconds:
        nodes += quincunx.perft(start, depth)
    return rates | {"nodes": nodes / elapsed}


def reference_rates(name: str, parameters: dict[str, Any], seconds: float) -> dict[str, float]:
    """The same figures of the reference, perft at depth 2."""
    from quincunx import reference

    start = reference.load_game(name, **parameters).new_initial_state()
    rng = random.Random(1)
    plies, began, state = 0, time.process_time(), start.clone()
    while (elapsed := time.process_time() - began) < seconds:
        if state.is_terminal():
            state = start.clone()
        state.apply_action(rng.choice(state.legal_actions()))
        plies += 1
    rates = {"plies": plies / elapsed}
    began = time.process_time()
    nodes = reference.perft(start, 2)
    return rates | {"nodes": nodes / (time.process_time() - began)}


def worker_rates(
    python: str, run: tuple[str, dict[str, Any], int], seconds: float
) -> dict[str, float]:
    """`core_rates` in a process of the given interpreter."""
    request = json.dumps([*run, seconds])
    answer = subprocess.run(
        [python, __file__, "--serve", request], check=True, capture_output=True, text=True
    )
    rates: dict[str, float] = json.loads(answer.stdout)
    return rates


def thread_seconds(name: str, parameters: dict[str, Any], threads: int) -> tuple[float, float]:
    """Seconds that perft takes on one thread and on several, at a depth where it takes a while."""
    import quincunx

    start = quincunx.load_game(name, **parameters).new_initial_state()

    def seconds(depth: int, threads: int) -> float:
        began = time.perf_counter()
        quincunx.perft(start, depth, threads=threads)
        return time.perf_counter() - began

    depth = next(depth for depth in range(1, 100) if seconds(depth, 1) > 0.3)
    return seconds(depth, 1), seconds(depth, threads)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reference", action="store_true", help="compare with the reference")
    parser.add_argument("--against", metavar="PYTHON", help="compare with another environment")
    parser.add_argument("--threads", type=int, help="compare perft on so many threads with one")
    parser.add_argument("--slices", type=int, default=5, help="slices a side (default 5)")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        name, parameters, depth, seconds = json.loads(arguments.serve)
        print(json.dumps(core_rates(name, parameters, depth, seconds)))
        return

    import quincunx

    if quincunx.BUILD_TYPE != "Release":
        raise SystemExit(
            f"this is a {quincunx.BUILD_TYPE} build; speeds are measured on Release builds"
        )
    for run in RUNS:
        label = " ".join([run[0], *(f"{k}={v}" for k, v in run[1].items())])
        if arguments.threads:
            pairs = [thread_seconds(*run[:2], arguments.threads) for _ in range(arguments.slices)]
            one, several = (min(times) for times in zip(*pairs, strict=True))
            print(f"{label:22}{one:8.3f} s, {several:8.3f} s   ratio {one / several:5.2f}")
            continue
        ours, theirs = [], []
        for _ in range(arguments.slices):
            ours.append(worker_rates(sys.executable, run, 0.5))
            if arguments.against:
                theirs.append(worker_rates(arguments.against, run, 0.5))
            elif arguments.reference:
                theirs.append(reference_rates(run[0], run[1], 0.5))
        for figure in ("plies", "nodes"):
            best = max(rates[figure] for rates in ours)
            line = f"{label:22}{best / 1e6:10.2f} M {figure}/s"
            if theirs:
                other = max(rates[figure] for rates in theirs)
                line += f"  : {other / 1e6:10.4f}   ratio {best / other:9.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
