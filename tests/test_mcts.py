"""Tree search: seeds, proofs against exhaustive search, evaluators, budgets, bad input."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import quincunx
from quincunx import MCTS


def start(name, position=None, **parameters):
    return quincunx.load_game(name, **parameters).new_initial_state(position)


def found(result):
    """Everything that a seed fixes."""
    return (
        result.best_action,
        result.visits.tolist(),
        result.values.tobytes(),
        result.proven,
        result.proven_actions,
        result.principal_variation,
        result.simulations,
        result.nodes,
    )


def play_randomly(state, plies, rng):
    for _ in range(plies):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def play_on(state, plies, rng):
    """Play randomly, but end the game only where every action does."""
    for _ in range(plies):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        quiet = [action for action in actions if not state.child(action).is_terminal()]
        state.apply_action(rng.choice(quiet or actions))
    return state


def exhaustive(state, memo):
    """Value of a state for player 0 with best play, by looking at everything.

    Positions are kept with their ply, because all games here may be cut off at some ply.
    """
    if state.is_terminal():
        return state.returns()[0]
    key = (state.position(), state.move_number())
    if key not in memo:
        best = max if state.current_player() == 0 else min
        memo[key] = best(exhaustive(state.child(a), memo) for a in state.legal_actions())
    return memo[key]


def check_claims(state, result, memo):
    """Assert that all that a search calls certain is so, and that it plays accordingly."""
    sign = 1 if state.current_player() == 0 else -1
    truth = {a: sign * exhaustive(state.child(a), memo) for a in state.legal_actions()}
    for action, value in result.proven_actions.items():
        assert value == truth[action], state.position()
        assert result.values[action] == value
    if result.proven is not None:
        assert result.proven == max(truth.values()), state.position()
        assert truth[result.best_action] == result.proven
        assert result.value == result.proven


# ---- what a result says


def test_result_of_a_search(case):
    state = case.core().new_initial_state()
    size = case.core().num_distinct_actions()
    legal = state.legal_actions_mask()
    n = 20 if case.slow else 60
    result = MCTS(n, seed=1).search(state)
    assert type(result.best_action) is int
    assert legal[result.best_action]
    assert result.visits.dtype == np.int64
    assert result.visits.shape == (size,)
    assert result.values.dtype == np.float32
    assert result.values.shape == (size,)
    assert not result.visits[~legal].any()
    assert np.isnan(result.values[~legal]).all()
    known = result.visits > 0
    known[list(result.proven_actions)] = True
    assert (np.isnan(result.values) == ~known).all()
    assert (np.abs(result.values[known]) <= 1).all()
    assert result.player == state.current_player()
    assert -1 <= result.value <= 1
    assert result.value == pytest.approx(float(result.values[result.best_action]))
    assert result.principal_variation[0] == result.best_action
    assert type(result.principal_variation[0]) is int
    if result.proven is None:
        assert result.visits.sum() == result.simulations == n
        assert result.visits[result.best_action] == result.visits.max()
    assert result.nodes > legal.sum()
    assert not result.memory_full
    assert result.seconds >= 0
    line = state.clone()
    for action in result.principal_variation:
        line.apply_action(action)
    assert state.action_to_string(result.best_action) in repr(result)


def test_states_are_left_alone(case):
    state = case.core().new_initial_state()
    before = (state.position(), state.history())
    action = MCTS(10).step(state)
    assert action in state.legal_actions()
    assert (state.position(), state.history()) == before


def test_best_action_is_the_lowest_of_equals():
    def evaluator(observations, legal):
        return legal, np.zeros(len(observations))

    state = start("unmergo", size=3)
    search = MCTS(19, evaluator=evaluator, batch_size=1)
    result = search.search(state)
    assert result.visits.max() == result.visits[state.legal_actions()].min() == 1
    assert result.best_action == min(state.legal_actions())
    # One more goes to the lowest.
    assert MCTS(20, evaluator=evaluator, batch_size=1).search(state).visits[0] == 2


# ---- reproducible


def test_seed_fixes_the_result(case):
    state = case.core().new_initial_state()
    n = 20 if case.slow else 150
    assert found(MCTS(n, seed=7).search(state)) == found(MCTS(n, seed=7).search(state.clone()))


def test_seeds_differ():
    state = start("unmergo")
    assert len({MCTS(200, seed=seed).search(state).visits.tobytes() for seed in range(10)}) == 10


def test_a_search_in_parts_is_the_same_search():
    # The simulations of a tree are numbered through, whatever calls they are asked for in.
    state = start("meigo", size="5x5")
    search = MCTS(100, seed=3)
    for _ in range(3):
        last = search.search(state)
    whole = MCTS(300, seed=3).search(state)
    assert last.visits.tolist() == whole.visits.tolist()
    assert last.values.tobytes() == whole.values.tobytes()
    assert (last.simulations, whole.simulations) == (100, 300)


def test_reset_and_other_games_begin_anew():
    state, other = start("impedio", size=4), start("unane", size="4x4")
    search = MCTS(200, seed=5)
    first = found(search.search(state))
    search.search(state)
    search.reset()
    assert found(search.search(state)) == first
    search.search(other)
    assert found(search.search(state)) == first


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize("name", quincunx.registered_names())
def test_threads(name, threads):
    state = start(name)
    result = MCTS(500, threads=threads, seed=2).search(state)
    assert result.simulations == result.visits.sum() == 500
    assert result.best_action in state.legal_actions()
    assert (np.abs(result.values[result.visits > 0]) <= 1).all()
    # About as many positions as one thread finds: what is under way does not count as a visit.
    assert result.nodes < 2 * MCTS(500, seed=2).search(state).nodes + 5000


def test_threads_prove_the_same():
    state, memo = start("unmergo", size=2), {}
    truth = exhaustive(state, memo)
    for threads in (1, 2, 4):
        result = MCTS(10**7, threads=threads, seed=threads).search(state)
        assert result.proven == truth
        check_claims(state, result, memo)


# ---- proofs, against exhaustive search


def late_positions(name, plies, count, **parameters):
    """Running positions after so many random plies, the same ones every time."""
    rng = random.Random(f"{name} {plies} {parameters}")
    states = []
    while len(states) < count:
        state = play_randomly(start(name, **parameters), plies, rng)
        if not state.is_terminal():
            states.append(state)
    return states


LATE = [
    ("fano330", 7, 6, {"max_plies": 13, "repetition": 0}),
    ("fano330", 14, 8, {"max_plies": 20, "repetition": 0}),
    ("fano330", 14, 6, {"max_plies": 20, "repetition": 0, "adjacency": "plane"}),
    ("unmergo", 0, 1, {"size": 2}),
    ("unmergo", 3, 4, {"size": 2}),
    ("unane", 0, 1, {"size": "2x3"}),
    ("unane", 5, 5, {"size": "4x3"}),
    ("unane", 8, 5, {"size": "4x4"}),
    ("meigo", 0, 1, {"size": "2x2", "max_plies": 10}),
    ("meigo", 0, 1, {"size": "2x2", "max_plies": 8, "auction": True}),
    ("meigo", 3, 3, {"size": "3x2", "max_plies": 11, "prison_black": 1}),
    ("impedio", 0, 1, {"size": 2}),
    ("impedio", 3, 4, {"size": 3, "max_plies": 6, "repetition": 0}),
]


@pytest.mark.parametrize(("name", "plies", "count", "parameters"), LATE)
def test_proofs_are_true(name, plies, count, parameters):
    memo = {}
    for state in late_positions(name, plies, count, **parameters):
        for simulations in (3, 30, 300, 30_000):
            check_claims(state, MCTS(simulations, seed=simulations).search(state), memo)
        result = MCTS(10**6, seed=1).search(state)
        assert result.proven is not None, state.position()
        assert result.simulations < 10**6


def test_proofs_with_an_evaluator_are_true():
    def evaluator(observations, legal):
        return legal, np.full(len(observations), 0.25)

    memo = {}
    for state in late_positions("unane", 8, 3, size="4x4"):
        for batch_size in (1, 7):
            result = MCTS(4000, evaluator=evaluator, batch_size=batch_size).search(state)
            check_claims(state, result, memo)
            assert result.proven is not None


def test_a_repetition_on_the_way_is_a_proven_draw():
    # Whatever happens next completes a third occurrence or is decided by the game: compared with
    # exhaustive search that follows the whole line of play, not only the position.
    def whole_line(state):
        if state.is_terminal():
            return state.returns()[0]
        best = max if state.current_player() == 0 else min
        return best(whole_line(state.child(a)) for a in state.legal_actions())

    rng = random.Random(4)
    for _ in range(5):
        state = start("fano330", repetition=2, max_plies=12)
        play_randomly(state, 9, rng)
        if state.is_terminal():
            continue
        result = MCTS(10**6).search(state)
        assert result.proven == (1 if state.current_player() == 0 else -1) * whole_line(state)


def test_a_proven_win_is_never_lost():
    rng = random.Random(11)
    wins = 0
    for game in range(60):
        state = play_on(start("fano330"), 8 + game % 7, rng)
        if state.is_terminal():
            continue
        search = MCTS(3000, seed=game)
        player = state.current_player()
        if search.search(state).proven != 1:
            continue
        wins += 1
        plies = 0
        while not state.is_terminal():
            if state.current_player() == player:
                result = search.search(state)
                assert result.proven == 1
                state.apply_action(result.best_action)
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            plies += 1
        assert state.returns()[player] == 1
    assert wins >= 10


def test_a_proven_loss_is_avoided_if_it_can_be():
    memo = {}
    for state in late_positions("fano330", 13, 10, max_plies=19, repetition=0):
        sign = 1 if state.current_player() == 0 else -1
        truth = {a: sign * exhaustive(state.child(a), memo) for a in state.legal_actions()}
        for simulations in (1, 5, 50):
            result = MCTS(simulations).search(state)
            losing = {a for a, value in result.proven_actions.items() if value == -1}
            if result.proven != -1:
                assert result.best_action not in losing
            else:
                assert set(truth.values()) == {-1}


def test_a_search_ends_with_the_proof():
    state = start("unmergo", size=2)
    search = MCTS(10**9)
    first = search.search(state)
    assert first.proven is not None
    again = search.search(state)
    assert again.simulations == 0
    assert (again.proven, again.best_action) == (first.proven, first.best_action)


# ---- who is to move


def test_the_same_player_may_move_twice():
    # In Unmergo White places and then moves a stone: both values are White's.
    rng = random.Random(2)
    memo = {}
    checked = 0
    while checked < 6:
        state = play_randomly(start("unmergo", size=2), 4, rng)
        if state.is_terminal() or not state.position().endswith("move"):
            continue
        checked += 1
        result = MCTS(10**6).search(state)
        assert result.player == state.current_player()
        assert result.proven == (1 if result.player == 0 else -1) * exhaustive(state, memo)


def test_a_swap_exchanges_colours_not_persons():
    state = start("unane", size="2x3")
    memo = {}
    for action in state.legal_actions():
        after = state.child(action)
        if after.is_terminal():
            continue
        swap = after.string_to_action("swap")
        assert swap in after.legal_actions()
        result = MCTS(10**6).search(after)
        check_claims(after, result, memo)
        assert result.player == 1
        swapped = MCTS(10**6).search(after.child(swap))
        assert swapped.player == 0
        assert swapped.proven == exhaustive(after.child(swap), memo)


def test_persons_in_the_auction():
    state = start("meigo", size="2x2", auction=True, max_plies=8)
    memo = {}
    for k in range(5):
        chosen = state.child(state.string_to_action(f"prison {k}"))
        assert MCTS(10**6).search(chosen).proven == -exhaustive(chosen, memo)


# ---- the tree between moves


def test_the_tree_is_kept_along_a_game():
    rng = random.Random(9)
    for name, parameters in [("unmergo", {"size": 3}), ("unane", {}), ("meigo", {"size": "5x5"})]:
        state = start(name, **parameters)
        search = MCTS(300, seed=1)
        kept = 0
        while not state.is_terminal():
            result = search.search(state)
            assert result.best_action in state.legal_actions()
            assert not result.visits[~state.legal_actions_mask()].any()
            if result.proven is None:
                assert result.visits.sum() >= result.simulations == 300
            kept += int(result.visits.sum()) - result.simulations
            state.apply_action(result.best_action)
            # The opponent answers sometimes as expected, sometimes not.
            if not state.is_terminal() and rng.random() < 0.7:
                state.apply_action(rng.choice(state.legal_actions()))
        assert kept > 0


def test_the_tree_is_kept_for_a_copy_and_for_the_same_moves_played_anew():
    first = start("unmergo", size=4)
    search = MCTS(500, seed=1)
    best = search.search(first).best_action
    clone = first.clone()
    clone.apply_action(best)
    kept = int(search.search(clone).visits.sum())
    assert kept > 500
    search.reset()
    search.search(first)
    anew = quincunx.load_game("unmergo", size=4).new_initial_state()
    anew.apply_action(best)
    assert search.search(anew).visits.sum() == kept


def test_another_line_starts_afresh():
    state = start("unmergo", size=4)
    a, b = state.legal_actions()[:2]
    search = MCTS(200, seed=1)
    search.search(state.child(a))
    for other in (
        state.child(b),  # another first move
        state,  # before what was searched
        start("unmergo", state.child(a).position(), size=4),  # the same position, another line
        start("unmergo", size=5),  # another game
    ):
        assert search.search(other).visits.sum() == 200


def test_a_state_that_moves_on_is_followed():
    state = start("impedio")
    search = MCTS(400, seed=2)
    state.apply_action(search.step(state))
    assert search.search(state).visits.sum() > 400


# ---- evaluators


def recording(calls, value=0.0):
    def evaluator(observations, legal):
        calls.append((observations, legal))
        return np.ones(legal.shape, np.float32), np.full(len(observations), value, np.float32)

    return evaluator


@pytest.mark.parametrize("batch_size", [1, 4, 16])
def test_what_an_evaluator_is_given(case, batch_size):
    game = case.core()
    state = game.new_initial_state()
    calls = []
    n = 40
    search = MCTS(n, evaluator=recording(calls), batch_size=batch_size)
    result = search.search(state)
    assert result.proven is not None or result.visits.sum() == n
    assert result.best_action in state.legal_actions()
    for observations, legal in calls:
        assert 1 <= len(observations) == len(legal) <= batch_size
        assert observations.dtype == np.float32
        assert observations.shape[1:] == tuple(game.observation_tensor_shape())
        assert legal.dtype == np.bool_
        assert legal.shape[1:] == (game.num_distinct_actions(),)
        assert legal.any(axis=1).all()
    # The root comes first, alone.
    assert len(calls[0][0]) == 1
    assert (calls[0][0][0] == state.observation_tensor()).all()
    assert (calls[0][1][0] == state.legal_actions_mask()).all()
    if batch_size > 1 and state.legal_actions_mask().sum() > 40:
        assert max(len(observations) for observations, _ in calls) == batch_size


def test_priors_say_where_to_look():
    state = start("unmergo")
    wanted = state.string_to_action("e5")

    def evaluator(observations, legal):
        priors = np.full(legal.shape, 0.001)
        priors[:, wanted] = 1
        return priors, np.zeros(len(observations))

    result = MCTS(100, evaluator=evaluator).search(state)
    assert result.best_action == wanted
    assert result.visits[wanted] > 50


def test_values_are_for_the_player_to_move():
    # Whoever is to move is said to be lost: a move that hands the turn over is good, so in Unmergo
    # the players would rather not have a second action in their turn.
    def evaluator(observations, legal):
        return legal, np.full(len(observations), -0.5)

    placing = start("unmergo", size=3)
    assert MCTS(30, evaluator=evaluator).search(placing).values[0] == pytest.approx(0.5)
    placing.apply_action(0)
    second = MCTS(30, evaluator=evaluator).search(placing).values
    placing.apply_action(9)  # now the same player moves a stone
    assert placing.current_player() == 1
    assert second[9] <= 0.0


def test_illegal_actions_get_no_share():
    state = start("fano330")

    def evaluator(observations, legal):
        return np.where(legal, 0.0, 5.0), np.zeros(len(observations))

    result = MCTS(56, evaluator=evaluator, batch_size=1).search(state)
    # No prior is left for the legal ones, so they share equally.
    assert set(result.visits[state.legal_actions()].tolist()) == {4}


def test_what_evaluators_may_return():
    state = start("unmergo", size=3)
    expected = found(MCTS(50, evaluator=recording([]), batch_size=8).search(state))

    def lists(observations, legal):
        return [np.ones(legal.shape).tolist(), [0] * len(observations)]

    def doubles(observations, legal):
        return np.ones(legal.shape[::-1], np.float64).T, np.zeros(2 * len(observations))[::2]

    for evaluator in (lists, doubles):
        assert found(MCTS(50, evaluator=evaluator, batch_size=8).search(state)) == expected


BAD_ANSWERS = {
    "nothing": lambda o, m: None,
    "one thing": lambda o, m: m,
    "three things": lambda o, m: (m, m, m),
    "swapped": lambda o, m: (np.zeros(len(o)), np.ones(m.shape)),
    "priors too short": lambda o, m: (np.ones((len(o), 3)), np.zeros(len(o))),
    "priors flat": lambda o, m: (np.ones(m.size), np.zeros(len(o))),
    "values too many": lambda o, m: (np.ones(m.shape), np.zeros(len(o) + 1)),
    "values in a column": lambda o, m: (np.ones(m.shape), np.zeros((len(o), 1))),
    "a number": lambda o, m: (np.ones(m.shape), 0.0),
    "text": lambda o, m: (np.ones(m.shape), ["high"] * len(o)),
    "a prior that is not a number": lambda o, m: (np.full(m.shape, np.nan), np.zeros(len(o))),
    "an endless prior": lambda o, m: (np.full(m.shape, np.inf), np.zeros(len(o))),
    "a negative prior": lambda o, m: (np.full(m.shape, -1.0), np.zeros(len(o))),
    "a value that is not a number": lambda o, m: (np.ones(m.shape), np.full(len(o), np.nan)),
    "a value too large": lambda o, m: (np.ones(m.shape), np.full(len(o), 1.5)),
}


@pytest.mark.parametrize("fault", BAD_ANSWERS)
def test_bad_answers_of_an_evaluator(fault):
    state = start("unmergo", size=4)
    healthy = recording([])
    calls = 0

    def evaluator(observations, legal):
        nonlocal calls
        calls += 1
        return (BAD_ANSWERS[fault] if calls == 4 else healthy)(observations, legal)

    search = MCTS(100, evaluator=evaluator)
    with pytest.raises(ValueError, match="evaluator"):
        search.search(state)
    assert calls == 4
    # Nothing of the failed batch is left behind: the tree goes on as if it had not been.
    total = int(search.search(state).visits.sum())
    assert 100 < total < 200
    assert found(search.search(state))[0] in state.legal_actions()


class Fault(Exception):
    pass


def test_an_exception_of_an_evaluator_reaches_the_caller():
    state = start("meigo", size="5x5")
    fail = True
    calls = []
    healthy = recording(calls, 0.1)

    def evaluator(observations, legal):
        if fail and len(calls) == 3:
            raise Fault("no more")
        return healthy(observations, legal)

    search = MCTS(100, evaluator=evaluator, batch_size=8)
    with pytest.raises(Fault, match="no more"):
        search.search(state)
    fail = False
    result = search.search(state)
    assert result.simulations == 100
    assert result.visits.sum() > 100
    assert (np.abs(result.values[result.visits > 0]) <= 0.1 + 1e-6).all()


def test_an_evaluator_may_use_the_library_but_not_its_own_search():
    state = start("unmergo", size=3)

    def evaluator(observations, legal):
        quincunx.playouts(state, 2)
        MCTS(5).search(state)
        with pytest.raises(RuntimeError, match="searching already"):
            search.search(state)
        with pytest.raises(RuntimeError, match="searching already"):
            search.reset()
        return legal, np.zeros(len(observations))

    search = MCTS(40, evaluator=evaluator)
    assert search.search(state).visits.sum() == 40


def test_the_named_evaluator():
    state = start("unane", size="4x4")
    named = MCTS(50, evaluator="playout")
    assert named.evaluator == "playout"
    assert found(named.search(state)) == found(MCTS(50, evaluator=None).search(state))
    with pytest.raises(ValueError, match="'playout' or a callable"):
        MCTS(evaluator="network")
    with pytest.raises(TypeError, match="'playout' or a callable"):
        MCTS(evaluator=3)


# ---- budgets, progress, memory


def test_budgets():
    state = start("unmergo")
    assert MCTS().search(state).simulations == 1000
    assert MCTS(7).search(state).simulations == 7
    assert MCTS(simulations=1).search(state).visits.sum() == 1
    timed = MCTS(seconds=0.2).search(state)
    assert timed.simulations >= 1
    assert 0.15 < timed.seconds < 2
    assert MCTS(seconds=1e-9).search(state).simulations >= 1
    first = MCTS(50, seconds=30).search(state)
    assert first.simulations == 50
    assert first.seconds < 10
    assert MCTS(10**9, 0.1).search(state).seconds < 2


def test_progress():
    state = start("unmergo")
    seen = []
    result = MCTS(seconds=1.0).search(state, on_progress=seen.append)
    assert 1 <= len(seen) <= 8
    counts = [r.simulations for r in seen]
    assert counts == sorted(counts)
    assert counts[-1] <= result.simulations
    assert all(r.visits.sum() <= result.visits.sum() for r in seen)
    assert all(r.best_action in state.legal_actions() for r in seen)


def test_progress_can_stop_the_search():
    state = start("meigo")
    for threads in (1, 2):
        result = MCTS(seconds=60, threads=threads).search(state, lambda so_far: False)
        assert result.seconds < 5
        assert result.visits.sum() == result.simulations > 0


def test_an_exception_in_progress_stops_the_search():
    def complain(so_far):
        raise Fault("enough")

    for options in ({}, {"threads": 2}, {"evaluator": recording([])}):
        search = MCTS(seconds=60, **options)
        began = time.monotonic()
        with pytest.raises(Fault, match="enough"):
            search.search(start("unmergo"), complain)
        assert time.monotonic() - began < 5
    search = MCTS(20)
    assert search.search(start("unmergo"), complain).simulations == 20


@pytest.mark.parametrize("options", [{}, {"evaluator": "ones"}])
def test_a_full_tree_goes_on(options):
    if options:
        options = {"evaluator": recording([])}
    state = start("impedio", size=6)
    search = MCTS(3000, memory_mb=1, **options)
    for _ in range(3):
        result = search.search(state)
        assert result.simulations == 3000
        assert result.nodes <= 2**20 // 32 // 2
        assert result.best_action in state.legal_actions()
        state.apply_action(result.best_action)
    assert MCTS(60_000, memory_mb=1).search(start("unane")).memory_full


# ---- Ctrl-C and threads of Python

INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
import quincunx

def evaluator(observations, legal):
    return legal, np.zeros(len(observations))

state = quincunx.load_game(sys.argv[1]).new_initial_state()
options = eval(sys.argv[2])
search = quincunx.MCTS(seconds=100, **options)
threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    search.search(state)
except KeyboardInterrupt:
    waited = time.monotonic() - began - 0.4
    again = quincunx.MCTS(5, **options).search(state)
    print("stopped" if waited < 1 and again.simulations == 5 else f"late: {waited}")
"""


@pytest.mark.parametrize("options", ["{}", "{'threads': 2}", "{'evaluator': evaluator}"])
def test_ctrl_c(options):
    path = os.pathsep.join([str(Path(quincunx.__file__).parents[1]), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, "meigo", options],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.stdout == "stopped\n", done.stderr


def test_other_threads_run_meanwhile_and_may_not_use_the_same_search():
    state = start("unmergo")
    search = MCTS(seconds=1.0)
    results = []
    searching = threading.Event()

    def work():
        results.append(search.search(state, lambda so_far: searching.set()))

    thread = threading.Thread(target=work)
    thread.start()
    assert searching.wait(30)
    ticks = 0
    refusals = []
    while thread.is_alive():
        ticks += 1
        try:
            search.step(state)
        except RuntimeError as error:
            refusals.append(str(error))
        thread.join(0.01)
    assert len(results) == 1
    assert ticks > 3
    assert refusals
    assert all("searching already" in refusal for refusal in refusals)


# ---- bad input


def test_a_finished_game_is_refused(case):
    state = play_randomly(case.core().new_initial_state(), 10**6, case.random("finished"))
    search = MCTS(10)
    for call in (search.search, search.step):
        with pytest.raises(ValueError, match="the game is over"):
            call(state)


@pytest.mark.parametrize(
    "bad",
    [
        {"simulations": 0},
        {"simulations": -1},
        {"simulations": 10**13},
        {"simulations": 10**30},
        {"seconds": 0},
        {"seconds": -1.0},
        {"seconds": math.inf},
        {"seconds": math.nan},
        {"c": -0.1},
        {"c": math.nan},
        {"c": math.inf},
        {"seed": -1},
        {"seed": 2**64},
        {"threads": 0},
        {"threads": 10**4},
        {"batch_size": 0},
        {"memory_mb": 0},
        {"memory_mb": 10**9},
        {"rave": -1.0},
        {"first_play": math.nan},
        {"threads": 2, "evaluator": max},
        {"rave": 100.0, "evaluator": max},
        {"sensible": True, "evaluator": max},
    ],
)
def test_values_out_of_range(bad):
    with pytest.raises(ValueError, match=next(iter(bad))) as caught:
        MCTS(**bad)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "bad",
    [
        {"simulations": 3.0},
        {"simulations": "3"},
        {"simulations": True},
        {"seconds": "1"},
        {"seconds": True},
        {"c": "1"},
        {"c": [1]},
        {"seed": None},
        {"seed": 1.5},
        {"threads": None},
        {"batch_size": 2.0},
        {"memory_mb": "64"},
        {"rave": "x"},
        {"look_ahead": 1},
        {"sensible": 1},
    ],
)
def test_values_of_the_wrong_type(bad):
    with pytest.raises(TypeError, match=next(iter(bad))):
        MCTS(**bad)


def test_calls_of_the_wrong_form():
    state = start("unmergo", size=3)
    with pytest.raises(TypeError):
        MCTS(10, 1.0, 0.5)  # the rest is by name only
    with pytest.raises(TypeError):
        MCTS(10).search(None)
    with pytest.raises(TypeError):
        MCTS(10).step("a1")
    with pytest.raises(TypeError, match="on_progress"):
        MCTS(10).search(state, on_progress=3)
    with pytest.raises(TypeError, match="__init__"):
        MCTS.__new__(MCTS).search(state)
    with pytest.raises(TypeError):
        quincunx.SearchResult()


def test_numbers_of_other_kinds():
    state = start("unmergo", size=3)
    search = MCTS(np.int64(5), seconds=np.float32(50), c=1, seed=np.uint64(2**64 - 1))
    assert search.search(state).simulations == 5
    assert search.seed == 2**64 - 1


def test_attributes():
    search = MCTS(20, 1.5, c=0.5, seed=3, threads=2, batch_size=4, memory_mb=8)
    assert (search.simulations, search.seconds, search.c) == (20, 1.5, 0.5)
    assert (search.seed, search.threads, search.batch_size, search.memory_mb) == (3, 2, 4, 8)
    assert repr(search) == "MCTS(simulations=20, seconds=1.5, c=0.5, seed=3, threads=2)"
    assert (MCTS().simulations, MCTS().seconds, MCTS().c) == (1000, None, None)
    assert (MCTS(seconds=2).simulations, MCTS(seconds=2).seconds) == (None, 2.0)


def test_every_option_has_its_effect():
    state = start("unmergo", size=3)
    plain = MCTS(200).search(state).visits.tolist()
    for options in (
        {"c": 3},
        {"rave": 0},
        {"first_play": 0.1, "rave": 0},
        {"first_play": math.inf},
    ):
        assert MCTS(200, **options).search(state).visits.tolist() != plain
    assert MCTS(200, sensible=True).search(state).visits.tolist() == plain
    state = start("meigo", size="5x5")
    plain = MCTS(200, sensible=False).search(state).visits.tolist()
    assert MCTS(200, sensible=True).search(state).visits.tolist() != plain
    assert MCTS(200).search(state).visits.tolist() != plain


def uniform(observations, legal):
    return legal.astype(np.float32), np.zeros(len(observations))


def test_a_search_of_few_simulations_names_a_legal_action(case):
    """All children that were visited may be lost, so that the best is one that was not."""
    game, draw = quincunx.load_game(case.game, **case.parameters), random.Random(3)
    for _ in range(6):
        state, plies = game.new_initial_state(), []
        while not state.is_terminal() and len(plies) < 150:
            plies.append(draw.choice(state.legal_actions()))
            state.apply_action(plies[-1])
        for back in range(1, min(5, len(plies)) + 1):
            state = game.new_initial_state()
            for action in plies[: len(plies) - back]:
                state.apply_action(action)
            for options in ({}, {"look_ahead": False, "rave": 0}):
                found = MCTS(simulations=back, seed=back, **options).search(state)
                assert found.best_action in state.legal_actions()
                assert found.principal_variation[0] == found.best_action
            found = MCTS(simulations=1, evaluator=uniform).search(state)
            assert found.best_action in state.legal_actions()


@pytest.mark.parametrize(
    ("game", "parameters", "position", "seeds"),
    [
        ("impedio", {"size": 3}, "w6,.,b6/.,.,w4,w1/b3,b1,b1,b3,w1/.,b2,.,./w6,.,b2 w", 40),
        ("meigo", {"size": "2x2"}, "x./.. o 0 0 u o", 40),
        ("fano330", {}, "S/./c/C/sC/./s 0", 40),
    ],
)
def test_a_search_in_which_all_that_was_visited_is_lost(game, parameters, position, seeds):
    state = start(game, position, **parameters)
    for seed in range(seeds):
        found = MCTS(simulations=2, seed=seed, look_ahead=False).search(state)
        assert found.best_action in state.legal_actions()
    found = MCTS(simulations=1, evaluator=uniform).search(state)
    assert found.best_action in state.legal_actions()


class Subclass(quincunx.MCTS):
    def step(self, state):
        return super().step(state)


def test_a_subclass():
    state = start("fano330")
    assert Subclass(50, seed=1).step(state) == MCTS(50, seed=1).step(state)
