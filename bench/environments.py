"""What the adapters cost: steps per second of one environment in a Python loop, beside PettingZoo's
connect_four_v3 in the same run, and plies per second of games registered with OpenSpiel.

    pip install '.[pettingzoo,gymnasium,openspiel]' pygame-ce
    python bench/environments.py

A step of a loop is `last()`, a random choice among the legal actions of the mask and `step()`, with
`reset()` after a game. With `--sample` the choice is `action_space(agent).sample(mask)`, else it is
made by numpy, alike for both. The sides are asked in turn for slices of half a second of processor
time; a row gives the best slice and the median of each.
"""

from __future__ import annotations

import argparse
import os
import random
import warnings
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from peers import random_game, rate

import quincunx

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("unmergo", {}),
    ("impedio", {}),
    ("unane", {}),
    ("fano330", {}),
    ("meigo", {}),
]
ASKED = 3  # times the steps of connect_four_v3


def connect_four() -> Any:
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic import connect_four_v3
    return connect_four_v3.env()


def chooser(sample: bool) -> Callable[[Any, Any], int]:
    if sample:
        return lambda env, mask: env.action_space(env.agent_selection).sample(mask)
    draw = random.Random(1).random

    def choose(env: Any, mask: Any) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[int(draw() * len(legal))])

    return choose


def aec_game(env: Any, choose: Callable[[Any, Any], int]) -> int:
    """One random game in a PettingZoo environment; gives its steps."""
    env.reset()
    steps = 0
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return steps
        env.step(choose(env, observation["action_mask"]))
        steps += 1


def gymnasium_game(env: Any) -> int:
    """One random game in a Gymnasium environment; gives the steps of the agent."""
    _, info = env.reset()
    steps, over = 0, False
    while not over:
        _, _, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
        steps += 1
    return steps


def measure(works: dict[str, Callable[[], float]], slices: int) -> dict[str, list[float]]:
    """Rates of all works, asked in turn after one slice each to get warm."""
    for work in works.values():
        rate(work)
    rates: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(slices):
        for name, work in works.items():
            rates[name].append(rate(work))
    return rates


def environments(slices: int, sample: bool) -> None:
    from quincunx.adapters import gymnasium, pettingzoo

    choose = chooser(sample)
    other = connect_four()
    works: dict[str, Callable[[], float]] = {"connect_four_v3": lambda: aec_game(other, choose)}
    for name, parameters in GAMES:
        aec = pettingzoo.env(name, **parameters)
        works[f"pettingzoo {name}"] = lambda env=aec: aec_game(env, choose)
    for name, parameters in GAMES:
        one = gymnasium.Env(name, **parameters)
        works[f"gymnasium {name}"] = lambda env=one: gymnasium_game(env)
    rates = measure(works, slices)
    base = max(rates["connect_four_v3"])
    print(
        f"{'one environment, in Python':30}{'k steps/s best (median)':>26}{'ratio':>8}{'asked':>7}"
    )
    for name, found in rates.items():
        figures = f"{max(found) / 1e3:.1f} ({median(found) / 1e3:.1f})"
        asked = f"{ASKED:7}" if name.startswith("pettingzoo") else ""
        print(f"{name:30}{figures:>26}{max(found) / base:8.1f}{asked}", flush=True)


def trampoline(slices: int) -> None:
    import pyspiel

    from quincunx.adapters.openspiel import openspiel_game

    print(
        f"{'plies/s, k':14}{'playouts':>10}{'our states':>12}{'registered':>12}{'C++ through':>13}"
    )
    draw = random.Random(1).random
    for name, parameters in GAMES:
        ours = quincunx.load_game(name, **parameters)
        theirs = openspiel_game(ours)
        start, root = ours.new_initial_state(), theirs.new_initial_state()
        length = float(quincunx.playouts(start, 1000).lengths.mean())
        rollouts = 4
        # A search of one simulation is one evaluation: some rollouts from the root.
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
        bot = pyspiel.MCTSBot(theirs, evaluator, 2.0, 1, 100, False, 1, False)
        works: dict[str, Callable[[], float]] = {
            "playouts": lambda s=start: float(quincunx.playouts(s, 64).lengths.sum()),
            "ours": lambda s=start: random_game(s.clone(), draw),
            "registered": lambda s=root: random_game(s.clone(), draw),
            "through": lambda b=bot, s=root, n=rollouts * length: b.mcts_search(s) and n,
        }
        best = [max(found) / 1e3 for found in measure(works, slices).values()]
        print(f"{name:14}{best[0]:10.0f}{best[1]:12.0f}{best[2]:12.0f}{best[3]:13.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--slices", type=int, default=5, help="slices of each (default 5)")
    parser.add_argument("--sample", action="store_true", help="choose with the action space")
    parser.add_argument("--only", choices=["environments", "openspiel"], help="one table alone")
    arguments = parser.parse_args()
    if quincunx.BUILD_TYPE != "Release":
        raise SystemExit(
            f"this is a {quincunx.BUILD_TYPE} build; speeds are measured on Release builds"
        )
    if arguments.only != "openspiel":
        environments(arguments.slices, arguments.sample)
    if arguments.only != "environments":
        trampoline(arguments.slices)


if __name__ == "__main__":
    main()
