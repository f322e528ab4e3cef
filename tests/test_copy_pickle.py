"""Copies, pickles, equality and hashes: a state is a value with a past."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import quincunx
from cases import sample

# Each returns a copy that must be indistinguishable and independent.
COPIES = {
    "clone": lambda state: state.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
    "pickle protocol 2": lambda state: pickle.loads(pickle.dumps(state, protocol=2)),
}


@pytest.mark.parametrize("how", COPIES)
def test_copies_keep_everything_and_go_their_own_way(case, how):
    for state in sample(case)[:12]:
        twin = COPIES[how](state)
        assert twin is not state
        assert twin == state
        assert twin.get_game() == state.get_game()
        assert twin.position() == state.position()
        assert twin.history() == state.history()
        assert twin.hash() == state.hash()
        assert twin.legal_actions() == state.legal_actions()
        assert twin.returns() == state.returns()
        if not state.is_terminal():
            twin.apply_action(state.legal_actions()[0])
            assert twin != state
            assert twin.move_number() == state.move_number() + 1
            twin.undo()
        for _ in range(state.move_number()):
            twin.undo()
        assert twin == state.get_game().new_initial_state()
        assert state.move_number() == len(state.history())


# Games in which two stacks, stones or pieces go to and fro: a line of play that comes back.
CYCLES = [
    (
        "meigo",
        {"size": "6x6"},
        "....../.xo.../xo.o../.xo.../....../...... x 0 0 u -",
        ["c4", "b4"],  # the same but for the prison, which does not count
    ),
    (
        "impedio",
        {"size": 3},
        "w1,.,b1/.,.,.,./.,w2,w1,b2,b1/.,.,.,./.,.,. w",
        None,
    ),
    ("fano330", {}, "s/C/sS/Sc/c/C/. 1", None),
]


def find_cycle(game, position: str) -> list[str]:
    """Return the shortest line of play that restores a position, found by breadth first search."""
    frontier = [(game.new_initial_state(position), [])]
    for _ in range(8):
        further = []
        for state, line in frontier:
            for action in state.legal_actions():
                child = state.child(action)
                text = [*line, child.action_to_string(action)]
                if child.position() == position:
                    return text
                if not child.is_terminal():
                    further.append((child, text))
        frontier = further[:4000]
    raise AssertionError("no cycle")


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize(("name", "parameters", "position", "cycle"), CYCLES)
def test_copies_remember_how_often_a_position_occurred(name, parameters, position, cycle, how):
    free = quincunx.load_game(name, **parameters, repetition=0)
    line = cycle or find_cycle(free, position)
    game = quincunx.load_game(name, **parameters, repetition=3)
    state = game.new_initial_state(position)
    for text in (line * 2)[:-1]:
        assert not state.is_terminal()
        state.apply_action(state.string_to_action(text))
    twin = COPIES[how](state)
    for one in (state, twin):
        assert not one.is_terminal()
        one.apply_action(one.string_to_action(line[-1]))
        assert one.position().split(" ")[:2] == position.split(" ")[:2]
        assert one.is_terminal()  # the third occurrence
        assert one.returns() == [0, 0]
    assert twin == state
    # A copy of the finished game is finished, and taking back makes it running again.
    again = COPIES[how](twin)
    assert again.is_terminal()
    assert again == twin
    again.undo()
    assert not again.is_terminal()
    # A state read from the string has no past, so that it goes on.
    fresh = game.new_initial_state(twin.position())
    assert not fresh.is_terminal()
    assert fresh != twin


def test_pickles_of_games_read_back(case):
    game = pickle.loads(pickle.dumps(case.core()))
    assert game == case.core()
    assert hash(game) == hash(case.core())
    assert game.parameters == case.core().parameters
    assert game.new_initial_state() == case.core().new_initial_state()
    for twin in (copy.copy(case.core()), copy.deepcopy(case.core())):
        assert twin == case.core()


def test_pickles_of_a_custom_start_keep_it():
    game = quincunx.load_game("unmergo", size=2)
    state = game.new_initial_state("ox/.xo/.. w place")
    state.apply_action(state.legal_actions()[0])
    twin = pickle.loads(pickle.dumps(state))
    assert twin == state
    twin.undo()
    assert twin.position() == "ox/.xo/.. w place"
    with pytest.raises(ValueError, match="take back"):
        twin.undo()


def test_deepcopy_of_a_container_keeps_states_apart():
    state = quincunx.load_game("unmergo").new_initial_state()
    pair = [state, state]
    twins = copy.deepcopy(pair)
    twins[0].apply_action(0)
    assert state.history() == []


@pytest.mark.parametrize("damage", [lambda b: b[:-8], lambda b: b[: len(b) // 2], lambda b: b""])
def test_damaged_pickles_raise(damage):
    state = quincunx.load_game("unmergo").new_initial_state()
    state.apply_action(3)
    with pytest.raises(Exception, match=r"\w"):
        pickle.loads(damage(pickle.dumps(state)))


def test_a_pickle_with_an_illegal_history_is_refused():
    """A pickle is input too: what it says is checked like anything else."""
    state = quincunx.load_game("unmergo").new_initial_state()
    state.apply_action(3)
    restore, contents = state.__reduce__()
    for history in ([3, 3], [10**6], [-1]):
        with pytest.raises(ValueError, match=r"\w"):
            restore(*contents[:3], history)
    with pytest.raises(ValueError, match="format"):
        restore(99, *contents[1:])
    for other in ((), (1, 2, 3, 4)):
        with pytest.raises(TypeError):
            restore(*other)


def test_states_are_keys(case):
    table = {}
    for number, state in enumerate(sample(case)):
        table[state] = number
    for state in sample(case):
        assert state.clone() in table
        assert table[state] == table[state.clone()]
        assert state in set(sample(case))
    assert len({case.core(), case.core(), quincunx.load_game(case.game, **case.parameters)}) == 1


CHILD = """
import pickle, sys
states = pickle.load(sys.stdin.buffer)
print([(state.hash(), hash(state), state.position()) for state in states])
"""


def test_hashes_are_the_same_in_every_process():
    """Python's own hash of text differs from process to process; a state's does not."""
    from cases import CASES

    states = [state for case in CASES for state in sample(case)[:3]]
    root = str(Path(quincunx.__file__).resolve().parents[1])
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONPATH": root, "PYTHONHASHSEED": seed}
        result = subprocess.run(
            [sys.executable, "-c", CHILD],
            input=pickle.dumps(states),
            capture_output=True,
            env=environment,
            check=True,
        )
        expected = [(state.hash(), hash(state), state.position()) for state in states]
        assert result.stdout.decode().strip() == str(expected)


def test_hashes_are_those_of_earlier_releases():
    """Hashes may be stored: a change of theirs is a change of the interface."""
    start = quincunx.load_game("unmergo").new_initial_state()
    assert start.hash() == 0x194721D6BFF7F43C


def test_pickles_name_what_makes_them_and_evaluate_nothing(case):
    """A Ctrl-C while an expression is evaluated ends CPython with another exit code than ours."""
    state = sample(case)[0]
    for value in (state.get_game(), state):
        assert b"eval" not in pickle.dumps(value)
