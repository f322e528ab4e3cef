"""Batches: every row is a game as State plays it, whatever happens in the others."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import quincunx
from cases import CASES, FEW_STACKS
from quincunx import Batch

VIEWS = ["observations", "legal_actions_mask", "current_players", "rewards", "dones"]


def load(name: str = "unmergo", **parameters):
    return quincunx.load_game(name, **parameters)


def seen(batch: Batch) -> list[np.ndarray]:
    """Return copies of all that a batch shows."""
    return [getattr(batch, view).copy() for view in VIEWS]


def unchanged(batch: Batch, before: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(seen(batch), before, strict=True))


def check_row(batch: Batch, row: int, state) -> None:
    """Assert that a row shows a state."""
    assert not state.is_terminal()
    assert np.array_equal(batch.observations[row], state.observation_tensor())
    assert np.array_equal(batch.legal_actions_mask[row], state.legal_actions_mask())
    assert batch.current_players[row] == state.current_player()


def test_shapes_and_types(case):
    game = case.core()
    batch = Batch(game, 3)
    shape = tuple(game.observation_tensor_shape())
    assert batch.observations.shape == (3, *shape)
    assert batch.observations.dtype == np.float32
    assert batch.legal_actions_mask.shape == (3, game.num_distinct_actions())
    assert batch.legal_actions_mask.dtype == np.bool_
    assert batch.current_players.shape == batch.dones.shape == (3,)
    assert batch.current_players.dtype == np.int32
    assert batch.dones.dtype == np.bool_
    assert batch.rewards.shape == (3, 2)
    assert batch.rewards.dtype == np.float32
    assert not batch.rewards.any()
    assert not batch.dones.any()
    assert (len(batch), batch.seed, batch.threads) == (3, 0, 1)
    assert batch.game == game
    for row in range(3):
        check_row(batch, row, game.new_initial_state())


@pytest.mark.parametrize("threads", [1, 3])
def test_rows_are_games_as_states_play_them(case, threads):
    """Random games side by side with states, over ends and new starts."""
    game = case.core()
    n, plies = (2, 30) if case.slow else (5, 160)
    rng = case.random("batch")
    batch = Batch(game, n, threads=threads)
    states = [game.new_initial_state() for _ in range(n)]
    for _ in range(plies):
        actions = [rng.choice(state.legal_actions()) for state in states]
        batch.step(actions)
        for row, (state, action) in enumerate(zip(states, actions, strict=True)):
            state.apply_action(action)
            assert batch.dones[row] == state.is_terminal()
            assert batch.rewards[row].tolist() == state.returns()
            if state.is_terminal():
                states[row] = state = game.new_initial_state()
            check_row(batch, row, state)
    for row, state in enumerate(states):
        assert batch.states[row] == state
        assert batch.states[row].history() == state.history()


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("impedio", {"setup": FEW_STACKS, "repetition": 2}),
        ("meigo", {"size": "4x3", "repetition": 2}),
        ("meigo", {"size": "4x4", "max_plies": 10}),
        ("fano330", {"repetition": 0, "max_plies": 12}),
    ],
)
def test_repetitions_and_caps_hold(game, parameters):
    """Draws that depend on the plies before, in the first games of a row and in later ones."""
    loaded = load(game, **parameters)
    n = 20
    batch = Batch(loaded, n, seed=3)
    states = [loaded.new_initial_state() for _ in range(n)]
    draws = [0] * n
    for _ in range(400):
        actions = batch.random_actions()
        batch.step(actions)
        for row, action in enumerate(actions.tolist()):
            states[row].apply_action(action)
            assert batch.dones[row] == states[row].is_terminal()
            assert batch.rewards[row].tolist() == states[row].returns()
            if states[row].is_terminal():
                draws[row] += states[row].returns() == [0, 0]
                states[row] = loaded.new_initial_state()
    assert max(draws) > 1


def test_a_game_that_ends_starts_again_in_the_same_step():
    game = load("unmergo", size=2)
    batch = Batch(game, 4, seed=1)
    start = game.new_initial_state()
    ended = False
    for _ in range(200):
        batch.step(batch.random_actions())
        for row in np.flatnonzero(batch.dones):
            assert batch.states[row] == start
            assert batch.states[row].history() == []
            check_row(batch, row, start)
            assert sorted(batch.rewards[row]) in ([-1, 1], [0, 0])
            ended = True
        for row in np.flatnonzero(~batch.dones):
            assert not batch.rewards[row].any()
            assert batch.states[row] != start
    assert ended


def test_states_have_their_past():
    game = load("impedio", size=3)
    batch = Batch(game, 3, seed=2)
    for _ in range(7):
        batch.step(batch.random_actions())
    state = batch.states[1]
    assert state.move_number() == 7
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert again == state
    state.undo()
    state.apply_action(state.legal_actions()[0])
    # A copy: the row does not move with it.
    assert batch.states[1].move_number() == 7
    assert batch.states[1] == again
    assert len(batch.states) == 3
    assert batch.states[-1] == batch.states[2]
    assert len(list(batch.states)) == 3
    assert batch.states[np.int64(1)] == again
    for index in (3, -4, 10**6):
        with pytest.raises(IndexError, match="0 to 2"):
            batch.states[index]
    for index in (None, "0", 1.0, True, slice(2)):
        with pytest.raises(TypeError):
            batch.states[index]
    with pytest.raises(ValueError, match="range"):
        batch.states[10**30]


# ---- random actions


def test_random_actions_are_legal_and_depend_on_the_seed(case):
    game = case.core()
    n = 8
    one, same = Batch(game, n, seed=5), Batch(game, n, 5, 3)
    other = Batch(game, n, seed=6)
    differ = False
    for _ in range(10 if case.slow else 40):
        actions = one.random_actions()
        assert actions.dtype == np.int64
        assert actions.shape == (n,)
        assert one.legal_actions_mask[np.arange(n), actions].all()
        assert np.array_equal(same.random_actions(), actions)
        others = other.random_actions()
        differ |= not np.array_equal(others, actions)
        one.step(actions)
        same.step(actions)
        other.step(others)
        assert unchanged(same, seen(one))
    assert differ or game.num_distinct_actions() < 25


def test_random_games_are_those_of_playouts(case):
    """Row i plays game i of the seed."""
    n = 3 if case.slow else 12
    games = quincunx.playouts(case.core().new_initial_state(), n, seed=9, max_plies=3000)
    batch = Batch(case.core(), n, seed=9)
    lengths = np.zeros(n, dtype=np.int32)
    returns = np.zeros((n, 2), dtype=np.float32)
    playing = np.ones(n, dtype=bool)
    while playing.any() and lengths.max() < 3000:
        batch.step(batch.random_actions())
        lengths += playing
        ended = playing & batch.dones
        returns[ended] = batch.rewards[ended]
        playing &= ~batch.dones
    assert np.array_equal(lengths, games.lengths)
    assert np.array_equal(returns, games.returns)


def test_random_actions_are_uniform():
    batch = Batch(load("fano330"), 1, seed=4)
    counts = np.zeros(63, dtype=int)
    draws = 14 * 400
    for _ in range(draws):
        counts[batch.random_actions()[0]] += 1
    assert (counts > 0).tolist() == batch.legal_actions_mask[0].tolist()
    expected = draws / 14
    chi_square = ((counts[:14] - expected) ** 2 / expected).sum()
    assert chi_square < 34.5  # 13 degrees of freedom: one in a thousand


# ---- reset


def test_reset_of_some_rows_and_of_all():
    game = load("meigo", size="3x3")
    batch = Batch(game, 5, seed=1)
    while not batch.dones[[0, 3]].any():
        batch.step(batch.random_actions())
    before = seen(batch)
    histories = [state.history() for state in batch.states]
    batch.reset([3, 0])
    for row in range(5):
        if row in (0, 3):
            check_row(batch, row, game.new_initial_state())
            assert batch.states[row].history() == []
            assert not batch.dones[row]
            assert not batch.rewards[row].any()
        else:
            now = [getattr(batch, view)[row] for view in VIEWS]
            assert all(np.array_equal(a, b[row]) for a, b in zip(now, before, strict=True))
            assert batch.states[row].history() == histories[row]
    batch.reset(np.array([], dtype=np.int64))
    batch.reset([])
    batch.reset(np.array([1, 1], dtype=np.uint8))
    batch.reset()
    for row in range(5):
        check_row(batch, row, game.new_initial_state())
    assert not batch.dones.any()
    assert not batch.rewards.any()


def test_reset_goes_on_with_the_random_numbers():
    batch = Batch(load(), 4, seed=7)
    first = batch.random_actions()
    batch.reset()
    assert not np.array_equal(batch.random_actions(), first)


# ---- the arrays


def test_views_are_the_same_memory_for_ever():
    batch = Batch(load(), 6)
    views = {view: getattr(batch, view) for view in VIEWS}
    addresses = {view: array.ctypes.data for view, array in views.items()}
    before = seen(batch)
    batch.step(batch.random_actions())
    for view in VIEWS:
        assert getattr(batch, view) is views[view]
        assert views[view].ctypes.data == addresses[view]
    assert not unchanged(batch, before)


def test_views_outlive_the_batch():
    batch = Batch(load("unane"), 100)
    batch.step(batch.random_actions())
    views = [getattr(batch, view) for view in VIEWS]
    states = batch.states
    expected = seen(batch)
    del batch
    gc.collect()
    litter = [np.full(10**6, 7.0) for _ in range(10)]
    assert all(np.array_equal(a, b) for a, b in zip(views, expected, strict=True))
    assert states[3].move_number() == 1
    assert len(litter) == 10


def test_a_batch_goes_when_nothing_refers_to_it():
    class Watched(Batch):
        pass

    batch = Watched(load("fano330"), 3)
    gone = weakref.ref(batch)
    observations = batch.observations
    del batch
    gc.collect()
    assert gone() is None
    assert observations.shape == (3, 14, 7)


def test_views_go_to_other_libraries_without_a_copy():
    batch = Batch(load(), 5)
    for view in VIEWS:
        array = getattr(batch, view)
        other = np.from_dlpack(array)
        assert other.ctypes.data == array.ctypes.data
        assert array.__dlpack_device__()[0] == 1  # CPU
        assert array.flags.c_contiguous
        assert array.flags.aligned
        assert array.ctypes.data % 64 == 0
    observations = np.from_dlpack(batch.observations)
    before = observations.copy()
    batch.step(batch.random_actions())
    assert not np.array_equal(observations, before)
    assert np.array_equal(observations, batch.observations)
    del batch
    gc.collect()
    assert np.isfinite(observations).all()


def test_what_is_written_to_the_arrays_changes_no_game():
    game = load("unmergo", size=3)
    batch, clean = Batch(game, 4, seed=1), Batch(game, 4, seed=1)
    batch.legal_actions_mask[:] = True
    batch.observations[:] = 7
    batch.current_players[:] = 9
    illegal = game.string_to_action("pass")
    with pytest.raises(quincunx.IllegalActionError):
        batch.step([illegal] * 4)
    for one in (batch, clean):
        one.step(one.random_actions())
    assert unchanged(batch, seen(clean))


# ---- bad input


def test_an_illegal_action_names_its_row_and_changes_nothing(case):
    game = case.core()
    n = 3 if case.slow else 600
    for threads in (1, 2):
        batch = Batch(game, n, seed=1, threads=threads)
        for _ in range(3):
            batch.step(batch.random_actions())
        actions = np.argmax(batch.legal_actions_mask, axis=1)
        rows = [1, n - 1]
        actions[rows] = [np.argmin(batch.legal_actions_mask[row]) for row in rows]
        if batch.legal_actions_mask[1].all():
            continue
        state = batch.states[1]
        before, histories = seen(batch), [batch.states[row].history() for row in (0, 1, 2)]
        with pytest.raises(quincunx.IllegalActionError, match="in row 1: ") as caught:
            batch.step(actions)
        error = caught.value
        assert error.row == 1
        assert error.position == state.position()
        assert error.action == state.action_to_string(int(actions[1]))
        assert "\n" not in str(error)
        assert unchanged(batch, before)
        assert [batch.states[row].history() for row in (0, 1, 2)] == histories
        batch.step(np.argmax(batch.legal_actions_mask, axis=1))


def test_errors_of_states_have_no_row():
    with pytest.raises(quincunx.IllegalActionError) as caught:
        load().new_initial_state().apply_turn("pass")
    assert caught.value.row is None


@pytest.mark.parametrize("wrong", [-1, 429, 2**31, 2**63 - 1, -(2**63)])
def test_an_action_out_of_range_names_its_row(wrong):
    batch = Batch(load(), 3)
    before = seen(batch)
    with pytest.raises(quincunx.ParameterError, match=rf"row 2: action {wrong} is out of range"):
        batch.step([0, 1, wrong])
    assert unchanged(batch, before)


def test_actions_of_the_wrong_form():
    batch = Batch(load(), 3)
    before = seen(batch)
    for wrong in (
        [0, 1],
        [0, 1, 2, 3],
        [],
        [[0, 1, 2]],
        np.zeros((3, 1), dtype=int),
        0,
        np.int64(1),
    ):
        with pytest.raises(ValueError, match=r"actions must"):
            batch.step(wrong)
    for wrong in (
        [0.0, 1.0, 2.0],
        [True, False, True],
        [None, 1, 2],
        ["a1", "a2", "a3"],
        [10**30, 0, 0],
        np.array([1, 2, 3], dtype=object),
        np.array([1, 2, 3], dtype="M8[s]"),
        [1j, 2, 3],
        [[0], [1, 2]],
    ):
        with pytest.raises(TypeError, match="actions must be"):
            batch.step(wrong)
    with pytest.raises(ValueError, match="row 0: action"):
        batch.step(np.array([2**64 - 1, 0, 0], dtype=np.uint64))
    with pytest.raises(TypeError):
        batch.step()
    assert unchanged(batch, before)


def test_actions_of_every_integer_type():
    for dtype in (np.int8, np.uint8, np.int16, np.int32, np.uint32, np.int64, np.uint64, ">i4"):
        batch = Batch(load(), 3)
        batch.step(np.array([4, 5, 6], dtype=dtype))
        assert [state.history() for state in batch.states] == [[4], [5], [6]]
    batch.reset()
    batch.step(np.arange(12)[::4])  # not contiguous
    batch.reset()
    batch.step((1, 2, 3))
    assert [state.history() for state in batch.states] == [[1], [2], [3]]


def test_rows_to_reset_of_the_wrong_form():
    batch = Batch(load(), 3, seed=1)
    batch.step(batch.random_actions())
    before = seen(batch)
    for wrong in ([3], [-1], [0, 2**40], [[0]], 1, np.array([2**64 - 1], dtype=np.uint64)):
        with pytest.raises(ValueError, match="indices must"):
            batch.reset(wrong)
    for wrong in ([0.0], ["0"], [True, False], [None], object()):
        with pytest.raises((TypeError, ValueError), match="indices must"):
            batch.reset(wrong)
    assert unchanged(batch, before)


def test_rows_to_reset_as_bools():
    batch = Batch(load(), 3)
    batch.step([4, 5, 6])
    batch.reset([True, False, True])
    assert [state.history() for state in batch.states] == [[], [5], []]
    batch.reset(batch.dones)  # none
    assert [state.history() for state in batch.states] == [[], [5], []]
    batch.reset(batch.current_players == 1)
    assert [state.history() for state in batch.states] == [[], [], []]


def test_rows_remember_their_games_however_long():
    """Lengths differ: rows that start anew every few steps beside games of hundreds of plies."""
    batch = Batch(load("meigo", size="5x5", max_plies=300), 5, seed=2)
    histories = [[] for _ in batch.states]
    often = np.array([False, True, False, True, False])
    for number in range(700):
        actions = batch.random_actions()
        batch.step(actions)
        for row, action in enumerate(actions):
            histories[row] = [] if batch.dones[row] else [*histories[row], action]
        if number % 7 == 0:
            batch.reset(often)
            histories[1] = histories[3] = []
        if number % 50 == 49:
            assert [state.history() for state in batch.states] == histories


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        ({"n": 0}, ValueError, "n must be from 1 to 10000000, not 0"),
        ({"n": -1}, ValueError, "n must be"),
        ({"n": 10**7 + 1}, ValueError, "n must be"),
        ({"n": 10**30}, ValueError, "n is out of range"),
        ({"n": 2.0}, TypeError, "n must be an integer"),
        ({"n": True}, TypeError, "n must be an integer"),
        ({"n": None}, TypeError, "n must be an integer"),
        ({"n": 2, "seed": -1}, ValueError, "seed"),
        ({"n": 2, "seed": 2**64}, ValueError, "seed"),
        ({"n": 2, "seed": "x"}, TypeError, "seed"),
        ({"n": 2, "threads": 0}, ValueError, "threads"),
        ({"n": 2, "threads": 257}, ValueError, "threads"),
        ({"n": 2, "threads": 1.5}, TypeError, "threads"),
        ({"n": 2, "colour": 1}, TypeError, "incompatible"),
        ({}, TypeError, "incompatible"),
    ],
)
def test_bad_arguments(arguments, kind, said):
    with pytest.raises(kind, match=said):
        Batch(load(), **arguments)
    with pytest.raises(TypeError):
        Batch("unmergo", 3)
    with pytest.raises(TypeError):
        Batch(load().new_initial_state(), 3)


def test_what_does_not_fit_into_memory_is_refused():
    # 19x19 boards: 25 kilobytes a row.
    with pytest.raises(ValueError, match=r"n is too large: 10000000 rows of meigo take \d+.\d GB"):
        Batch(load("meigo", size="19x19"), 10**7)


def test_a_game_that_is_over_at_its_start_is_refused():
    position = "w1,./.,.,./.,b1 w"
    game = load("impedio", size=2, setup=position)
    assert game.new_initial_state().is_terminal()
    with pytest.raises(ValueError, match="over at its start"):
        Batch(game, 2)


def test_objects_that_were_never_made():
    bare = Batch.__new__(Batch)
    members = ["__len__", "__repr__", "random_actions", "reset"]
    for call in [*(getattr(bare, name) for name in members), lambda: bare.step([0])]:
        with pytest.raises(TypeError, match=r"Batch.__init__ was not called"):
            call()
    for view in [*VIEWS, "states", "game", "seed", "threads"]:
        with pytest.raises(TypeError, match=r"Batch.__init__ was not called"):
            getattr(bare, view)
    with pytest.raises(TypeError):
        type(Batch(load(), 1).states)()


def test_batches_are_neither_copied_nor_pickled():
    batch = Batch(load(), 2)
    for call in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            call(batch)


def test_repr_and_subclass():
    class Mine(Batch):
        def both(self):
            self.step(self.random_actions())
            return self

    assert repr(Batch(load(), 7)) == "<Batch of 7 games of unmergo>"
    assert Mine(load(), 7).both().states[6].move_number() == 1


# ---- threads and signals


def test_threads_change_nothing():
    game = load("meigo", size="5x4")
    batches = [Batch(game, 700, seed=3, threads=threads) for threads in (1, 2, 7)]
    for _ in range(30):
        for batch in batches:
            batch.step(batch.random_actions())
    for batch in batches[1:]:
        assert unchanged(batch, seen(batches[0]))


def test_one_call_at_a_time():
    """Many threads at one batch: calls are refused or done, and every row stays a game."""
    game = load("unmergo", size=3)
    n = 3000
    batch = Batch(game, n, seed=1)
    refused: list[str] = []
    done = [0] * 4
    others: list[BaseException] = []
    first = np.flatnonzero(game.new_initial_state().legal_actions_mask())[0]

    def work(number: int) -> None:
        for _ in range(60):
            try:
                if number == 0:
                    batch.step(batch.random_actions())
                elif number == 1:
                    batch.reset()
                elif number == 2:
                    batch.step(np.full(n, first))
                else:
                    batch.states[n - 1].position()
                done[number] += 1
            except RuntimeError as error:
                refused.append(str(error))
            except quincunx.IllegalActionError:
                done[number] += 1  # the games have moved on
            except BaseException as error:
                others.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not others
    assert sum(done) > 0
    assert sum(done) + len(refused) == 240
    assert all("stepped already" in text for text in refused)
    for row in range(0, n, 97):
        check_row(batch, row, batch.states[row])


def test_rows_to_reset_may_change_while_they_are_read():
    """`dones` is the batch's own memory, which another thread's step writes to."""
    batch = Batch(load("fano330", max_plies=1), 50_000)
    actions = batch.random_actions()
    asked = threading.Event()
    others = []

    def step():
        while not asked.is_set():
            # All games end and begin, so that `dones` is all False, then all True.
            for call in (batch.reset, lambda: batch.step(actions)):
                try:
                    call()
                except RuntimeError as error:
                    others.append(str(error))

    stepper = threading.Thread(target=step)
    stepper.start()
    try:
        for _ in range(300):
            try:
                batch.reset(batch.dones)
            except RuntimeError as error:
                others.append(str(error))
    finally:
        asked.set()
        stepper.join()
    assert all("stepped already" in text for text in others)
    batch.reset()


INTERRUPTED = """
import os, signal, sys, threading, time
import numpy as np
import quincunx

batch = quincunx.Batch(quincunx.load_game("unmergo", size=2), 600_000)
actions = batch.random_actions()
whole = []
for _ in range(3):
    began = time.monotonic()
    batch.step(actions)
    whole.append(time.monotonic() - began)
    actions = batch.random_actions()
cut_short = 0
for share in (0.3, 0.5, 0.2, 0.4, 0.6, 0.1) * 5:
    sent = []
    def interrupt():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(share * min(whole), interrupt)
    timer.start()
    try:
        try:
            batch.step(actions)
        finally:
            timer.join()
    except KeyboardInterrupt:
        assert time.monotonic() - sent[0] < 1
    try:
        actions = batch.random_actions()
    except RuntimeError as error:
        assert "cut short" in str(error) and "reset" in str(error), error
        states = batch.states
        for call in (lambda: batch.step(actions), lambda: batch.reset([0]), lambda: states[0]):
            try:
                call()
            except RuntimeError:
                continue
            raise AssertionError
        cut_short += 1
        batch.reset()
        assert batch.states[0].history() == batch.states[599_999].history() == []
        actions = batch.random_actions()
    if cut_short:
        break
print("cut short" if cut_short else "never cut short")
"""


def test_ctrl_c():
    """A step of many rows is cut short by Ctrl-C, and the batch says so until it is reset."""
    path = os.pathsep.join([str(Path(quincunx.__file__).parents[1]), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.stdout == "cut short\n", done.stderr


def test_other_threads_run_meanwhile():
    batch = Batch(load(), 200_000)
    actions = batch.random_actions()
    stepping = threading.Event()
    ticks = 0

    def work() -> None:
        stepping.set()
        for _ in range(3):
            batch.step(actions)
            batch.reset()

    thread = threading.Thread(target=work)
    thread.start()
    assert stepping.wait(30)
    while thread.is_alive():
        ticks += 1
        thread.join(0.001)
    assert ticks > 3


def test_cases_cover_every_game():
    assert {case.game for case in CASES} == set(quincunx.registered_names())
