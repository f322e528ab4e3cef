"""What the hand-made rule cases share: both implementations, and the verbs the cases speak in."""

import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import quincunx
from quincunx import reference

# Every rule case is played by the C++ core and by the pure-Python reference.
ENGINES = [
    pytest.param(quincunx.load_game, id="core"),
    pytest.param(reference.load_game, id="reference"),
]

TERMINAL_PLAYER = -4
FIRST_WINS, SECOND_WINS, DRAW = [1.0, -1.0], [-1.0, 1.0], [0.0, 0.0]
FIELDS = "fields"


def states_of(name: str) -> Any:
    """Return a fixture: a function that makes a state from a position string and parameters."""

    @pytest.fixture(params=ENGINES)
    def make_state(request: pytest.FixtureRequest) -> Callable[..., Any]:
        def state(position: str | None = None, **parameters: object) -> Any:
            return request.param(name, **parameters).new_initial_state(position)

        return state

    return make_state


def play(state: Any, actions: str | Iterable[str]) -> Any:
    """Play actions, given as a list or separated by spaces, and return the same state."""
    for text in actions.split() if isinstance(actions, str) else actions:
        assert state.explain(text) is None
        state.apply_action(state.string_to_action(text))
    return state


def legal(state: Any) -> set[str]:
    """Return the texts of the legal actions, checking that every view of them agrees."""
    actions = state.legal_actions()
    assert actions == sorted(set(actions))
    assert state.legal_actions_mask().nonzero()[0].tolist() == actions
    texts = [state.action_to_string(action) for action in actions]
    assert [state.string_to_action(text) for text in texts] == actions
    assert all(state.explain(text) is None for text in texts)
    return set(texts)


def assert_explained(state: Any, text: str, *words: str) -> None:
    """Assert that `explain` objects with a sentence; the core's has all the given words."""
    sentence = state.explain(text)
    assert isinstance(sentence, str)
    assert len(sentence.split()) > 2
    if isinstance(state, quincunx.State):
        for word in words:
            assert re.search(rf"(?<!\w){re.escape(word)}(?!\w)", sentence), (word, sentence)


def assert_id_illegal(state: Any, action: int) -> None:
    """Assert that an action id is not legal and that trying it changes nothing."""
    before, history = state.position(), state.history()
    assert action not in state.legal_actions()
    assert not state.legal_actions_mask()[action]
    with pytest.raises(ValueError, match=r"\w"):
        state.apply_action(action)
    assert (state.position(), state.history()) == (before, history)


def assert_illegal(state: Any, text: str, *words: str) -> None:
    """Assert that a well-formed action is refused, leaves no trace and is explained."""
    assert_id_illegal(state, state.string_to_action(text))
    assert_explained(state, text, *words)


def assert_malformed(state: Any, text: str) -> None:
    """Assert that a text denotes no action at all, and that the objection quotes it."""
    with pytest.raises(ValueError, match=re.escape(repr(text))):
        state.string_to_action(text)
    assert_explained(state, text)


def assert_over(state: Any, returns: list[float]) -> None:
    """Assert that the game has ended with these returns and that nothing can be played."""
    assert state.is_terminal()
    assert state.returns() == returns
    assert state.current_player() == TERMINAL_PLAYER
    assert state.legal_actions() == []
    assert not state.legal_actions_mask().any()


def assert_running(state: Any, player: int) -> None:
    """Assert that the game goes on with this player, who has something to play."""
    assert not state.is_terminal()
    assert state.returns() == DRAW
    assert state.current_player() == player
    assert state.legal_actions() != []
