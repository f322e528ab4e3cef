"""Random playouts of quincunx beside OpenSpiel's C++ rollouts, in one run.

OpenSpiel lives in an environment of its own, so that neither package sees the other:

    python3 -m venv /tmp/openspiel && /tmp/openspiel/bin/pip install open_spiel==2.0.2
    python bench/compare_peers.py --openspiel /tmp/openspiel/bin/python

Both sides are asked in turn for slices of about half a second of processor time, one thread each.
A row gives the best slice and the median of either, and the ratio of the best: machines with
neighbours swing by half from one ten-second run to the next; the best slice is what holds still.

OpenSpiel's rollouts are reached from Python only through its search: an MCTSBot of one simulation
makes exactly one evaluation, of N rollouts from the root. Their rate times the mean length of a
playout, measured with the same uniform choice from Python, gives plies per second.

With `--loop` the same is measured for a playout written in Python: legal_actions, a choice,
apply_action.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from typing import Any

from peers import Worker, alternate, random_game, rate, serve, table_head, table_row

# (ours, parameters, theirs, the ratio asked for)
PAIRS: list[tuple[str, dict[str, Any], str, float]] = [
    ("unmergo", {"size": 5}, "hex(board_size=9)", 10),
    ("impedio", {"size": 5}, "amazons", 5),
    ("unane", {"size": "8x8"}, "breakthrough", 25),
    ("fano330", {}, "tic_tac_toe", 4),
    ("meigo", {"size": "9x9"}, "go(board_size=9)", 8),
    ("meigo", {"size": "19x19"}, "go(board_size=19)", 8),
]
LOOP_PAIRS: list[tuple[str, dict[str, Any], str, float]] = [
    ("unmergo", {"size": 5}, "hex(board_size=9)", 3),
    ("impedio", {"size": 5}, "amazons", 3),
    ("unane", {"size": "8x8"}, "breakthrough", 3),
    ("fano330", {}, "tic_tac_toe", 3),
    ("meigo", {"size": "9x9"}, "go(board_size=9)", 3),
]


def our_worker(game: str, parameters: dict[str, Any], loop: bool) -> Callable[[], float]:
    import quincunx

    start = quincunx.load_game(game, **parameters).new_initial_state()
    if loop:
        choose = random.Random(1).random
        return lambda: rate(lambda: random_game(start.clone(), choose))
    seed = 0

    def some_playouts() -> float:
        nonlocal seed
        seed += 1
        return float(quincunx.playouts(start, 256, seed=seed).lengths.sum())

    return lambda: rate(some_playouts)


def their_worker(game_string: str, loop: bool) -> Callable[[], float]:
    import pyspiel  # type: ignore[import-not-found]

    game = pyspiel.load_game(game_string)
    choose = random.Random(1).random
    if loop:
        return lambda: rate(lambda: random_game(game.new_initial_state(), choose))
    games = 2000 if game_string == "tic_tac_toe" else 400
    length = sum(random_game(game.new_initial_state(), choose) for _ in range(games)) / games
    rollouts = 256
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, 1, False)
    root = game.new_initial_state()

    def one_simulation() -> float:
        bot.mcts_search(root)
        return rollouts * length

    return lambda: rate(one_simulation)


def compare(openspiel: str, slices: int, loop: bool) -> None:
    """Prints a row a pair of games."""
    print(table_head("steps/s" if loop else "plies/s"))
    for game, parameters, theirs, asked in LOOP_PAIRS if loop else PAIRS:
        request = {"game": game, "parameters": parameters, "loop": loop}
        ours = Worker(sys.executable, __file__, "ours", request)
        other = Worker(openspiel, __file__, "theirs", {"game": theirs, "loop": loop})
        print(table_row(game, parameters, theirs, alternate(ours, other, slices), asked))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--openspiel", metavar="PYTHON", help="the interpreter that has open_spiel")
    parser.add_argument("--slices", type=int, default=10, help="slices of each side (default 10)")
    parser.add_argument("--loop", action="store_true", help="playouts written in Python")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        side, request = arguments.serve[0], json.loads(arguments.serve[1])
        if side == "ours":
            serve(our_worker(request["game"], request["parameters"], request["loop"]))
        else:
            serve(their_worker(request["game"], request["loop"]))
    elif not arguments.openspiel:
        parser.error("--openspiel is needed; see --help")
    else:
        compare(arguments.openspiel, arguments.slices, arguments.loop)


if __name__ == "__main__":
    main()
