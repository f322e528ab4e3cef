"""Tree search of quincunx beside OpenSpiel's C++ MCTSBot with random rollouts, in one run.

OpenSpiel lives in an environment of its own, so that neither package sees the other:

    python3 -m venv /tmp/openspiel && /tmp/openspiel/bin/pip install open_spiel==2.0.2
    python bench/compare_search.py --openspiel /tmp/openspiel/bin/python

Either side searches from the start of its game again and again, 10,000 simulations each time with
a tree of its own, on one thread; sides are asked in turn for at least half a second of processor
time. The games differ in length, so what is compared is simulations times the mean length of a
uniformly random game from the start, in millions of plies a second: best slice and median of either
side, and the ratio of the best. Playouts are uniformly random on both sides (`sensible=False`:
those of Meigo would be shorter); all else that a plain `MCTS` does (proofs, all-moves-as-first
values) is included.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from typing import Any

from peers import Worker, alternate, random_game, rate, serve, table_head, table_row

SIMULATIONS = 10_000

# (ours, parameters, theirs, the ratio asked for)
PAIRS: list[tuple[str, dict[str, Any], str, float]] = [
    ("unmergo", {"size": 5}, "hex(board_size=9)", 8),
    ("meigo", {"size": "9x9"}, "go(board_size=9)", 8),
]


def our_worker(game: str, parameters: dict[str, Any], simulations: int) -> Callable[[], float]:
    import quincunx

    start = quincunx.load_game(game, **parameters).new_initial_state()
    length = float(quincunx.playouts(start, 2000, seed=1).lengths.mean())
    search = quincunx.MCTS(simulations, seed=1, sensible=False)

    def one_search() -> float:
        search.reset()
        return search.search(start).simulations * length

    return lambda: rate(one_search)


def their_worker(game_string: str, simulations: int) -> Callable[[], float]:
    import pyspiel  # type: ignore[import-not-found]

    game = pyspiel.load_game(game_string)
    choose = random.Random(1).random
    games = 400
    length = sum(random_game(game.new_initial_state(), choose) for _ in range(games)) / games
    # One rollout for each simulation, c = 2, 1000 MB, with its solver, seed 1, silent.
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, True, 1, False)
    root = game.new_initial_state()

    def one_search() -> float:
        bot.mcts_search(root)
        return simulations * length

    return lambda: rate(one_search)


def compare(openspiel: str, slices: int, simulations: int) -> None:
    """Prints a row a pair of games."""
    print(table_head("plies/s"))
    for game, parameters, theirs, asked in PAIRS:
        request = {"game": game, "parameters": parameters, "simulations": simulations}
        ours = Worker(sys.executable, __file__, "ours", request)
        other = Worker(openspiel, __file__, "theirs", {**request, "game": theirs})
        print(table_row(game, parameters, theirs, alternate(ours, other, slices), asked))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--openspiel", metavar="PYTHON", help="the interpreter that has open_spiel")
    parser.add_argument("--slices", type=int, default=10, help="slices of each side (default 10)")
    parser.add_argument(
        "--simulations",
        type=int,
        default=SIMULATIONS,
        help="simulations of a search (default 10000)",
    )
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        side, request = arguments.serve[0], json.loads(arguments.serve[1])
        if side == "ours":
            serve(our_worker(request["game"], request["parameters"], request["simulations"]))
        else:
            serve(their_worker(request["game"], request["simulations"]))
    elif not arguments.openspiel:
        parser.error("--openspiel is needed; see --help")
    else:
        compare(arguments.openspiel, arguments.slices, arguments.simulations)


if __name__ == "__main__":
    main()
