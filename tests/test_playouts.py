"""Uniformly random games: reproducible, complete, and as random as promised.

That each action has the same probability is tested action by action in the C++ tests; here it
shows in the results of whole games, whose exact distribution small games allow to compute.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import quincunx
from cases import sample


def results(playouts):
    return (playouts.returns.tolist(), playouts.lengths.tolist(), playouts.unfinished)


def test_shapes_and_types(case):
    n = 7
    played = quincunx.playouts(case.core().new_initial_state(), n, seed=3, max_plies=3000)
    assert played.returns.dtype == np.float32
    assert played.returns.shape == (n, 2)
    assert played.lengths.dtype == np.int32
    assert played.lengths.shape == (n,)
    assert isinstance(played.unfinished, int)
    assert len(played) == n
    assert set(played.returns.flatten().tolist()) <= {-1.0, 0.0, 1.0}
    assert (played.returns.sum(axis=1) == 0).all()
    assert (played.lengths >= 1).all()


def test_lengths_stay_within_the_length_of_a_game(case):
    game = case.core()
    played = quincunx.playouts(game.new_initial_state(), 40, seed=4, max_plies=20_000)
    if game.max_game_length():
        assert played.lengths.max() <= game.max_game_length()
        assert played.unfinished == 0


def test_threads_change_nothing(case):
    state = case.core().new_initial_state()
    n = 70 if case.slow else 300
    one = quincunx.playouts(state, n, seed=5, max_plies=2000)
    for threads in (2, 3, 8):
        assert results(quincunx.playouts(state, n, 5, threads, 2000)) == results(one)


def test_fewer_games_are_the_first_ones(case):
    state = case.core().new_initial_state()
    many = quincunx.playouts(state, 100, seed=6, max_plies=500)
    few = quincunx.playouts(state, 10, seed=6, max_plies=500)
    assert few.returns.tolist() == many.returns[:10].tolist()
    assert few.lengths.tolist() == many.lengths[:10].tolist()


def test_a_run_may_be_split_into_calls(case):
    state = case.core().new_initial_state()
    whole = quincunx.playouts(state, 50, seed=6, max_plies=500)
    parts = [
        quincunx.playouts(state, n, seed=6, max_plies=500, first=first)
        for first, n in ((0, 20), (20, 0), (20, 30))
    ]
    assert np.concatenate([part.returns for part in parts]).tolist() == whole.returns.tolist()
    assert np.concatenate([part.lengths for part in parts]).tolist() == whole.lengths.tolist()
    assert sum(part.unfinished for part in parts) == whole.unfinished


def test_seeds_make_different_games():
    state = quincunx.load_game("unmergo").new_initial_state()
    lengths = {tuple(quincunx.playouts(state, 20, seed=seed).lengths) for seed in range(20)}
    assert len(lengths) == 20
    assert results(quincunx.playouts(state, 20)) == results(quincunx.playouts(state, 20, seed=0))


def test_neighbouring_seeds_share_no_games():
    state = quincunx.load_game("meigo").new_initial_state()
    one = quincunx.playouts(state, 50, seed=1).lengths.tolist()
    other = quincunx.playouts(state, 50, seed=2).lengths.tolist()
    assert one[1:] != other[:-1]
    assert one[:-1] != other[1:]


def test_no_games_at_all():
    played = quincunx.playouts(quincunx.load_game("unane").new_initial_state(), 0)
    assert played.returns.shape == (0, 2)
    assert played.lengths.shape == (0,)
    assert played.unfinished == 0


def test_max_plies_cuts_games_off(case):
    state = case.core().new_initial_state()
    whole = quincunx.playouts(state, 30, seed=8, max_plies=4000)
    for limit in (1, 5, 40):
        cut = quincunx.playouts(state, 30, seed=8, max_plies=limit)
        assert cut.lengths.tolist() == np.minimum(whole.lengths, limit).tolist()
        # A game that ends with the last ply allowed has ended.
        assert cut.unfinished == int((whole.lengths > limit).sum())
        finished = whole.lengths <= limit
        assert cut.returns[finished].tolist() == whole.returns[finished].tolist()
        assert not cut.returns[~finished].any()


def test_playouts_from_any_state_leave_it_alone(case):
    for number, state in enumerate(sample(case)[:10]):
        before = (state.position(), state.history())
        played = quincunx.playouts(state, 5, seed=number, max_plies=2000)
        assert (state.position(), state.history()) == before
        if state.is_terminal():
            assert played.lengths.tolist() == [0] * 5
            assert played.returns.tolist() == [state.returns()] * 5
            assert played.unfinished == 0
        else:
            assert (played.lengths >= 1).all()


def test_results_are_independent_of_the_calls_after():
    state = quincunx.load_game("unmergo", size=3).new_initial_state()
    first = quincunx.playouts(state, 50, seed=1)
    kept = first.returns.copy()
    returns = first.returns
    del first
    quincunx.playouts(state, 50, seed=2)
    assert (returns == kept).all()


def test_playouts_remember_the_plies_before():
    """One ply before the second occurrence, a game that plays this ply is over."""
    game = quincunx.load_game("meigo", size="6x6", repetition=2, max_plies=0)
    state = game.new_initial_state("....../.xo.../xo.o../.xo.../....../...... x 0 0 u -")
    state.apply_action(state.string_to_action("c4"))  # b4 brings the board back
    fresh = game.new_initial_state(state.position())
    with_past = quincunx.playouts(state, 3000, seed=1, max_plies=1)
    without = quincunx.playouts(fresh, 3000, seed=1, max_plies=1)
    ended = 3000 - with_past.unfinished
    assert without.unfinished == 3000
    expected = 3000 / len(state.legal_actions())
    assert abs(ended - expected) < 6 * math.sqrt(expected)


def exact(state, seen: dict) -> Counter:
    """Return the probability of each return of player 0 under uniformly random play."""
    if state.is_terminal():
        return Counter({state.returns()[0]: 1.0})
    key = (state.position(), state.move_number())
    if key not in seen:
        total: Counter = Counter()
        actions = state.legal_actions()
        for action in actions:
            for value, share in exact(state.child(action), seen).items():
                total[value] += share / len(actions)
        seen[key] = total
    return seen[key]


@pytest.mark.parametrize(
    ("name", "parameters", "position"),
    [
        ("unane", {"size": "2x3"}, None),
        ("unane", {"size": "4x2", "pie": False}, None),
        ("unane", {"size": "4x4"}, "oxo./xoxx/..ox/...o o - s"),
        ("unmergo", {"size": 2}, "ox/.../.. w place"),
        ("unmergo", {"size": 3}, "o.o/xxoo/oxxox/.oxx/x.o b move"),
        ("unmergo", {"size": 3}, ".xo/x.xx/o.ooo/oox./xxo b place"),
        ("impedio", {"size": 3, "repetition": 0, "max_plies": 3}, None),
        ("fano330", {"repetition": 0, "max_plies": 4}, "s/C/sS/Sc/c/C/. 1"),
        ("fano330", {"adjacency": "plane", "repetition": 0, "max_plies": 4}, "./cC/././sc/Ss/CS 1"),
        ("meigo", {"size": "2x2", "max_plies": 9}, None),
        ("meigo", {"size": "3x2", "max_plies": 8, "prison_black": 1}, None),
        ("meigo", {"size": "2x2", "max_plies": 8, "auction": True}, None),
        ("meigo", {"size": "5x5", "max_plies": 4}, "xx.xx/xoooo/xooX./oooo./ooX.. o 7 1 m -"),
    ],
)
def test_results_have_the_distribution_of_uniformly_random_play(name, parameters, position):
    state = quincunx.load_game(name, **parameters).new_initial_state(position)
    expected = exact(state, {})
    assert math.isclose(sum(expected.values()), 1)
    n = 40_000
    found = Counter(quincunx.playouts(state, n, seed=20).returns[:, 0].tolist())
    assert set(found) <= set(expected)
    for value, share in expected.items():
        spread = math.sqrt(n * share * (1 - share))
        assert abs(found[value] - n * share) <= 5 * spread + 1e-6, (value, share)


# ---- Ctrl-C

INTERRUPTED = """
import signal, threading, time
import quincunx

state = quincunx.load_game("unmergo", size=8).new_initial_state()
moment = []

def interrupt():
    moment.append(time.monotonic())
    signal.raise_signal(signal.SIGINT)

timer = threading.Timer(0.3, interrupt)
timer.start()
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic() - moment[0])
else:
    print("not interrupted")
# The process goes on as before.
assert quincunx.perft(state, 1) == 169
"""


@pytest.mark.parametrize(
    "call",
    [
        "quincunx.perft(state, 20)",
        "quincunx.perft(state, 20, threads=2)",
        'quincunx.perft(state, 9, unit="turn")',
        "quincunx.divide(state, 20)",
        "quincunx.playouts(state, 3_000_000)",
        "quincunx.playouts(state, 3_000_000, threads=2)",
    ],
)
def test_ctrl_c_is_answered_within_a_second(call):
    root = str(Path(quincunx.__file__).resolve().parents[1])
    result = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.format(call=call)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() != "not interrupted"
    # A fraction of a second, but a crowded machine may add to it.
    assert float(result.stdout) < 3


def test_games_without_a_bound_can_be_cut():
    """With repetition and max_plies off a game may never end; the call's own limit holds."""
    game = quincunx.load_game("fano330", repetition=0, max_plies=0)
    assert game.max_game_length() == 0
    played = quincunx.playouts(game.new_initial_state(), 200, seed=1, max_plies=50)
    assert played.lengths.max() <= 50
    assert played.unfinished == int((played.lengths == 50).sum() - finished_at(played, 50))


def finished_at(played, limit):
    """Return how many games ended with a result at exactly the limit."""
    return int(((played.lengths == limit) & played.returns.any(axis=1)).sum())
