"""Bad input: which kind of error it raises, what the error says, and that nothing changes."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import quincunx
from cases import sample

KINDS = [
    quincunx.ParameterError,
    quincunx.PositionError,
    quincunx.ActionTextError,
    quincunx.IllegalActionError,
]
# No integers of any kind: TypeError wherever an integer is wanted.
NO_INTEGERS = [
    None,
    "3",
    b"3",
    3.0,
    True,
    False,
    [3],
    (3,),
    object(),
    np.float64(3),
    np.array([3, 4]),
]
HUGE = [2**31, 2**32 + 1, 2**63 - 1, 2**63, 2**64, 10**30, -(2**31), -(2**63) - 1, -(10**30)]


def type_name(value) -> str:
    """The name of a test: one that is the same in every process."""
    return type(value).__name__


class Index:
    """An integer by protocol."""

    def __index__(self) -> int:
        return 0


class BadIndex:
    """An integer by protocol that fails."""

    def __index__(self) -> int:
        raise RuntimeError("no number today")


def facts(state):
    return (state.position(), state.history(), state.legal_actions(), state.returns(), state.hash())


def start(name: str = "unmergo", **parameters):
    return quincunx.load_game(name, **parameters).new_initial_state()


@pytest.fixture
def state():
    """A state with something to take back, checked after the test to be what it was."""
    state = start()
    state.apply_turn("e5")
    state.apply_turn("d4 e5-f5")
    before = facts(state)
    yield state
    assert facts(state) == before


@pytest.mark.parametrize("kind", KINDS)
def test_errors_are_value_errors_with_a_docstring(kind):
    assert issubclass(kind, ValueError)
    assert kind.__doc__
    assert kind.__module__ == "quincunx"


def test_illegal_action_says_action_position_and_reason(state):
    with pytest.raises(quincunx.IllegalActionError) as caught:
        state.apply_action(state.string_to_action("d4"))
    error = caught.value
    assert error.action == "d4"
    assert error.position == state.position()
    assert "d4" in error.reason
    assert error.reason == state.explain("d4")
    assert error.reason in str(error)


def test_errors_can_be_pickled(state):
    with pytest.raises(quincunx.IllegalActionError) as caught:
        state.apply_action(state.string_to_action("d4"))
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert str(again) == str(caught.value)
    assert (again.action, again.position) == (caught.value.action, caught.value.position)


def test_illegal_actions_change_nothing(case):
    for known in sample(case)[:8]:
        state = known.clone()
        before = facts(state)
        legal = set(state.legal_actions())
        for action in case.random("illegal").choices(range(state.num_distinct_actions()), k=5):
            if action in legal:
                continue
            for call in (state.apply_action, state.child):
                with pytest.raises(quincunx.IllegalActionError) as caught:
                    call(action)
                assert caught.value.position == state.position()
                assert caught.value.action == state.action_to_string(action)
                assert len(caught.value.reason.split()) >= 3
                assert facts(state) == before


def test_actions_out_of_range_are_value_errors(case):
    state = case.core().new_initial_state()
    before = facts(state)
    for action in [-1, state.num_distinct_actions(), *HUGE]:
        for call in (state.apply_action, state.child, state.action_to_string):
            with pytest.raises(ValueError, match="range"):
                call(action)
        with pytest.raises(ValueError, match="range"):
            state.undo_action(0, action)
        with pytest.raises(ValueError, match="range"):
            case.core().action_to_string(action)
    assert facts(state) == before


@pytest.mark.parametrize("value", NO_INTEGERS, ids=type_name)
def test_what_is_no_integer_is_a_type_error(state, value):
    for call in (
        state.apply_action,
        state.child,
        state.action_to_string,
        state.get_game().action_to_string,
        lambda x: state.action_to_string(0, x),
        lambda x: state.undo_action(0, x),
    ):
        with pytest.raises(TypeError):
            call(value)
    for call in (
        state.player_return,
        lambda x: state.undo_action(x, 0),
        lambda x: state.action_to_string(x, 0),
    ):
        with pytest.raises(TypeError):
            call(value)
    if value is not None:  # which is the default
        for call in (state.observation_tensor, state.observation_string, state.legal_actions):
            with pytest.raises(TypeError):
                call(value)


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint16, lambda x: Index()])
def test_integers_of_other_types_are_accepted(kind):
    state = start()
    assert state.action_to_string(kind(0)) == "a1"
    state.apply_action(kind(0))
    assert state.history() == [0]
    state.undo_action(kind(0), kind(0))
    assert state.history() == []
    assert state.child(kind(0)).history() == [0]
    assert state.player_return(kind(0)) == 0
    assert quincunx.perft(state, kind(0)) == 1
    assert len(quincunx.playouts(state, kind(0), seed=kind(0)).lengths) == 0


def test_an_index_that_raises_hands_its_error_on(state):
    for call in (state.apply_action, state.child, lambda x: quincunx.perft(state, x)):
        with pytest.raises(RuntimeError, match="no number today"):
            call(BadIndex())


@pytest.mark.parametrize("player", [-1, 2, -4, *HUGE])
def test_players_other_than_0_and_1_are_value_errors(state, player):
    for call in (
        state.player_return,
        state.observation_tensor,
        state.observation_string,
        state.legal_actions,
        state.legal_actions_mask,
        lambda x: state.undo_action(x, 0),
        lambda x: state.action_to_string(x, 0),
    ):
        with pytest.raises(ValueError, match="player"):
            call(player)


@pytest.mark.parametrize("value", [5, b"?", ["e5"], 5.0, True, object()], ids=type_name)
def test_what_is_no_text_is_a_type_error(state, value):
    for call in (
        state.string_to_action,
        state.explain,
        state.apply_turn,
        state.get_game().string_to_action,
        state.get_game().new_initial_state,
        quincunx.load_game,
        lambda x: quincunx.perft(state, 1, unit=x),
    ):
        with pytest.raises(TypeError):
            call(value)


def test_bytes_are_no_text(state):
    # pybind11 would take them for text.
    for call, text in [
        (state.string_to_action, b"e5"),
        (state.explain, b"e6"),
        (state.apply_turn, state.turns()[0].encode()),
        (state.get_game().new_initial_state, state.position().encode()),
        (quincunx.load_game, b"unmergo"),
        (lambda x: quincunx.perft(state, 1, unit=x), b"ply"),
    ]:
        with pytest.raises(TypeError):
            call(text)


@pytest.mark.parametrize("text", ["\ud800", "e5\udfff", "\0", "e5\0", "\n", "é", "", "x" * 10**6])
def test_strange_text_raises_and_harms_nothing(state, text):
    for call in (
        state.string_to_action,
        state.apply_turn,
        state.get_game().new_initial_state,
        quincunx.load_game,
        lambda x: quincunx.load_game("unmergo", size=x),
        lambda x: quincunx.perft(state, 1, unit=x),
    ):
        with pytest.raises((ValueError, TypeError)) as caught:
            call(text)
        # A message for a player, not a megabyte.
        assert len(str(caught.value)) < 2000


def test_malformed_action_text_is_an_action_text_error(case):
    state = case.core().new_initial_state()
    for text in ("", "?", "e5e5", "a1-", "-", "a1xx", "e55", "nothing at all"):
        for call in (state.string_to_action, case.core().string_to_action):
            with pytest.raises(quincunx.ActionTextError, match=r"is not an? "):
                call(text)


def test_malformed_position_is_a_position_error(case):
    for text in ("", " ", "x", "a b c d e f g", ". . . . . .", "/// w place"):
        with pytest.raises(quincunx.PositionError):
            case.core().new_initial_state(text)


def test_parameter_errors_name_the_parameter_and_what_is_allowed():
    for name, parameters, said in [
        ("unmergo", {"size": 9}, "size.*2 to 8.*9"),
        ("unmergo", {"size": "five"}, "size.*2 to 8.*five"),
        ("unmergo", {"size": True}, "size.*2 to 8"),
        ("unmergo", {"size": 5.0}, r"size.*2 to 8.*5\.0"),
        ("unmergo", {"size": None}, "size.*2 to 8.*None"),
        ("unmergo", {"size": (5,)}, r"size.*2 to 8.*\(5,\)"),
        ("unmergo", {"size": 10**30}, "size.*2 to 8.*1000000"),
        ("unmergo", {"colour": 1}, "colour.*size"),
        ("unane", {"size": "5x5"}, "size.*even.*5x5"),
        ("unane", {"size": "1x8"}, "size.*2 to 16.*1x8"),
        ("unane", {"size": 8}, "size.*width x height"),
        ("unane", {"size": (8, 7.0)}, r"size.*2 to 16.*7\.0"),
        ("unane", {"size": (8, 10**30)}, "size.*2 to 16.*8x1000000"),
        ("unane", {"pie": 1}, "pie.*true or false"),
        ("impedio", {"setup": "star"}, "setup.*corners.*ring.*star"),
        ("impedio", {"setup": "ring", "size": 4}, "ring.*5"),
        ("impedio", {"repetition": 1}, "repetition"),
        ("fano330", {"adjacency": "round"}, "adjacency.*drawn or plane.*round"),
        ("fano330", {"max_plies": -1}, "max_plies.*-1"),
        ("meigo", {"size": "20x9"}, "size.*2 to 19.*20x9"),
        ("meigo", {"handicap": ["d4", "d4"]}, "handicap.*d4"),
        ("meigo", {"handicap": "i5"}, "handicap.*i5"),
        ("meigo", {"handicap": [4]}, r"handicap.*points.*\[4\]"),
        ("meigo", {"handicap": ["d4", 4]}, "handicap.*points.*d4"),
        ("meigo", {"auction": True, "prison_black": 2}, "auction.*prison_black"),
        ("meigo", {"reach": "all"}, "reach.*any or friendly.*all"),
    ]:
        with pytest.raises(quincunx.ParameterError, match=said):
            quincunx.load_game(name, **parameters)


def test_missing_and_additional_arguments_are_type_errors(state):
    for call in (
        quincunx.load_game,
        quincunx.Game,
        quincunx.State,
        lambda: state.apply_action(),
        lambda: state.apply_action(0, 1),
        lambda: state.action_to_string(0, 1, 2),
        lambda: quincunx.perft(state),
        lambda: quincunx.perft(0, 1),
        lambda: quincunx.playouts(state),
    ):
        with pytest.raises(TypeError):
            call()


def test_what_is_no_state_is_refused_in_one_line(state):
    search = quincunx.MCTS(1)
    for value in (None, 5, "e5", state.get_game(), [state]):
        for call in (
            lambda value: quincunx.perft(value, 1),
            lambda value: quincunx.divide(value, 1),
            lambda value: quincunx.playouts(value, 1),
            search.search,
            search.step,
        ):
            with pytest.raises(TypeError, match=r"^state must be a State, not [\w.]+$"):
                call(value)


def test_calls_on_a_finished_game(case):
    state = next(s for s in sample(case) if s.is_terminal()).clone()
    before = facts(state)
    assert state.legal_actions() == []
    assert state.turns() == []
    assert state.current_player() == -4
    for action in (0, state.num_distinct_actions() - 1):
        for call in (state.apply_action, state.child):
            with pytest.raises(quincunx.IllegalActionError, match="over"):
                call(action)
    text = state.action_to_string(state.history()[-1])
    assert "over" in state.explain(text)
    with pytest.raises(ValueError, match="over"):
        state.apply_turn(text.split(" ")[0] if text.startswith("prison") else text)
    assert quincunx.perft(state, 0) == 1
    assert quincunx.perft(state, 3) == 0
    assert quincunx.divide(state, 2) == {}
    assert facts(state) == before


@pytest.mark.parametrize("depth", [-1, 10**9, *HUGE])
def test_perft_refuses_depths_out_of_range(state, depth):
    for count in (quincunx.perft, quincunx.divide):
        with pytest.raises(ValueError, match="depth"):
            count(state, depth)


@pytest.mark.parametrize("value", NO_INTEGERS, ids=type_name)
def test_perft_and_playouts_want_integers(state, value):
    for call in (
        lambda x: quincunx.perft(state, x),
        lambda x: quincunx.perft(state, 1, threads=x),
        lambda x: quincunx.divide(state, x),
        lambda x: quincunx.playouts(state, x),
        lambda x: quincunx.playouts(state, 1, seed=x),
        lambda x: quincunx.playouts(state, 1, threads=x),
        lambda x: quincunx.playouts(state, 1, max_plies=x),
        lambda x: quincunx.playouts(state, 1, first=x),
    ):
        with pytest.raises(TypeError):
            call(value)


def test_perft_and_playouts_refuse_what_is_out_of_range(state):
    for arguments in [
        {"n": -1},
        {"n": 2**40},
        {"n": 1, "threads": 0},
        {"n": 1, "threads": -1},
        {"n": 1, "threads": 10**6},
        {"n": 1, "max_plies": -1},
        {"n": 1, "max_plies": 2**40},
        {"n": 1, "seed": -1},
        {"n": 1, "seed": 2**64},
        {"n": 1, "first": -1},
        {"n": 1, "first": 2**64},
        {"n": 10**30},
    ]:
        with pytest.raises(ValueError, match=list(arguments)[-1]):
            quincunx.playouts(state, **arguments)
    for threads in (0, -1, 10**6, 10**30):
        with pytest.raises(ValueError, match="threads"):
            quincunx.perft(state, 1, threads=threads)
    for unit in ("", "Ply", "plies", "move"):
        for count in (quincunx.perft, quincunx.divide):
            with pytest.raises(ValueError, match="'ply' or 'turn'"):
                count(state, 1, unit=unit)


def test_largest_seed_is_a_seed(state):
    assert len(quincunx.playouts(state, 2, seed=2**64 - 1).lengths) == 2


def test_states_of_other_games_are_unequal():
    small, large = start("unmergo", size=2), start("unmergo", size=3)
    assert small != large
    assert start("fano330") != start("fano330", repetition=2)
    assert start("fano330") == start("fano330", repetition=3)
    for other in (None, 3, "x", small.position()):
        assert small != other
        assert quincunx.load_game("unmergo") != other


UNMADE = """
import quincunx
for kind, members in [
    (quincunx.State, ["legal_actions", "position", "clone", "history", "__repr__", "__hash__"]),
    (quincunx.Game, ["num_distinct_actions", "new_initial_state", "__repr__", "__hash__"]),
    (quincunx.Playouts, ["__len__", "__repr__"]),
]:
    try:
        bare = kind.__new__(kind)
    except TypeError:
        continue
    for member in members:
        try:
            getattr(bare, member)()
        except Exception:
            continue
        raise AssertionError(member)
"""


def test_objects_that_were_never_made_raise_instead_of_crashing():
    """`State.__new__(State)` makes an object around nothing."""
    root = str(Path(quincunx.__file__).resolve().parents[1])
    result = subprocess.run(
        [sys.executable, "-c", UNMADE],
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
