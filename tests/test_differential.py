"""The core and the pure-Python reference in lock step: the two were written apart, so what one
gets wrong the other hardly gets wrong in the same way.
"""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from cases import CASES, Case, play_random_game


def compare(core: Any, reference: Any) -> None:
    """Assert that a state of the core and one of the reference are the same state."""
    assert core.position() == reference.position()
    where = core.position()
    assert core.is_terminal() == reference.is_terminal(), where
    assert core.legal_actions() == reference.legal_actions(), where
    assert core.current_player() == reference.current_player(), where
    assert core.returns() == reference.returns(), where
    assert core.history() == reference.history(), where
    assert core.move_number() == reference.move_number(), where


class LockStep(RuleBasedStateMachine):
    """Two states on which everything is done twice."""

    case: Case

    def __init__(self) -> None:
        super().__init__()
        self.core: Any = None
        self.reference: Any = None

    @initialize(game=st.integers(0, 20), ply=st.integers(0, 10**6), from_start=st.booleans())
    def begin(self, game: int, ply: int, from_start: bool) -> None:
        """Begin at the start, or at a position met in a random game."""
        position = None
        if not from_start:
            core = self.case.core()
            line = [s.position() for s in play_random_game(core, self.case.random(game), 600)]
            # From the first to the last ply of the line, early ones being simpler to hypothesis.
            position = line[ply % len(line)]
        self.core = self.case.core().new_initial_state(position)
        self.reference = self.case.reference().new_initial_state(position)

    @invariant()
    def both_agree(self) -> None:
        if self.core is not None:
            compare(self.core, self.reference)

    def running(self) -> bool:
        return self.core is not None and not self.core.is_terminal()

    @precondition(running)
    @rule(draw=st.integers(0, 2**16))
    def play(self, draw: int) -> None:
        actions = self.core.legal_actions()
        self.core.apply_action(actions[draw % len(actions)])
        self.reference.apply_action(actions[draw % len(actions)])

    @precondition(running)
    @rule(draw=st.integers(0, 2**16))
    def play_again(self, draw: int) -> None:
        """A second rule of playing, so that plies outnumber the rest."""
        self.play(draw)

    @rule(draw=st.integers(0, 2**16))
    def try_any_action(self, draw: int) -> None:
        """Both refuse what is not legal, and stay as they were; legal ones are not played."""
        action = draw % (self.core.num_distinct_actions() + 1)
        if action in self.core.legal_actions():
            return
        for state in (self.core, self.reference):
            with pytest.raises(ValueError, match=r"\w"):
                state.apply_action(action)
            with pytest.raises(ValueError, match=r"\w"):
                state.child(action)

    @rule()
    def undo(self) -> None:
        if self.core.history():
            self.core.undo()
            self.reference.undo()
            return
        for state in (self.core, self.reference):
            with pytest.raises(ValueError, match=r"\w"):
                state.undo()

    @rule(draw=st.integers(0, 2**16))
    def clone(self, draw: int) -> None:
        """Go on with the copies, after playing on in the originals."""
        core, reference = self.core.clone(), self.reference.clone()
        actions = self.core.legal_actions()
        if actions:
            self.core.apply_action(actions[draw % len(actions)])
            self.reference.apply_action(actions[draw % len(actions)])
            compare(self.core, self.reference)
        self.core, self.reference = core, reference

    @rule()
    def read_again(self) -> None:
        """The position without its history."""
        position = self.core.position()
        self.core = self.case.core().new_initial_state(position)
        self.reference = self.case.reference().new_initial_state(position)

    @rule()
    def pickle(self) -> None:
        """The position with its history."""
        self.core = pickle.loads(pickle.dumps(self.core))
        self.reference = pickle.loads(pickle.dumps(self.reference))

    @precondition(running)
    @rule(draw=st.integers(0, 2**16))
    def play_turn(self, draw: int) -> None:
        # The turns of a large board are many thousands, which takes the reference too long.
        if self.case.slow or self.case.parameters == {}:
            return
        turns = self.core.turns()
        assert turns == self.reference.turns()
        turn = turns[draw % len(turns)]
        self.core.apply_turn(turn)
        self.reference.apply_turn(turn)

    @rule(draw=st.integers(0, 2**16))
    def explain(self, draw: int) -> None:
        """Both find fault with the same actions."""
        action = draw % self.core.num_distinct_actions()
        text = self.core.action_to_string(action)
        assert (self.core.explain(text) is None) == (self.reference.explain(text) is None), text


def test_state_machine(case):
    machine = type("LockStepOf" + case.game.capitalize(), (LockStep,), {"case": case})
    examples, steps = (3, 12) if case.slow else (8, 25)
    run_state_machine_as_test(
        machine, settings=settings(max_examples=examples, stateful_step_count=steps)
    )


def test_random_games_in_lock_step(case):
    """Whole games: the state machine hardly ever reaches the end of a long one."""
    rng = case.random("lock step")
    plies = 40 if case.slow else 250
    while plies > 0:
        core = case.core().new_initial_state()
        reference = case.reference().new_initial_state()
        compare(core, reference)
        while not core.is_terminal() and plies > 0:
            action = rng.choice(core.legal_actions())
            core.apply_action(action)
            reference.apply_action(action)
            compare(core, reference)
            plies -= 1
        plies -= 1


def test_late_positions_agree(case):
    """Positions spread over whole games, the last ones included."""
    rng = case.random("late")
    for _ in range(2 if case.slow else 5):
        line = [s.position() for s in play_random_game(case.core(), rng)]
        for position in {line[-1], line[-2], *rng.sample(line, min(3, len(line)))}:
            compare(
                case.core().new_initial_state(position),
                case.reference().new_initial_state(position),
            )


def test_games_describe_themselves_alike(case):
    core, reference = case.core(), case.reference()
    assert core.name == reference.name
    assert core.parameters == reference.parameters
    assert core.num_distinct_actions() == reference.num_distinct_actions()
    assert core.max_game_length() == reference.max_game_length()
    assert core.num_players() == reference.num_players()


@pytest.mark.parametrize("case", [c for c in CASES if not c.slow], ids=lambda c: c.id)
def test_turns_agree(case):
    rng = case.random("turns")
    states = [s.position() for s in play_random_game(case.core(), rng, 60)]
    for position in rng.sample(states, min(2, len(states))):
        core = case.core().new_initial_state(position)
        reference = case.reference().new_initial_state(position)
        turns = core.turns()
        assert turns == reference.turns()
        for turn in rng.sample(turns, min(5, len(turns))):
            after, expected = core.clone(), reference.clone()
            after.apply_turn(turn)
            expected.apply_turn(turn)
            compare(after, expected)
        # What is no turn here is none for either.
        for turn in ["end", "pass", "hold", "a1", "a1 end", "a1 a2", *turns[-1:]]:
            for text in (turn, f"{turn} end", f" {turn}", f"{turn} ", f"{turn}  end"):
                if text in turns:
                    continue
                outcomes = []
                for state in (core.clone(), reference.clone()):
                    try:
                        state.apply_turn(text)
                    except ValueError:
                        outcomes.append("refused")
                    else:
                        outcomes.append(state.position())
                assert outcomes[0] == outcomes[1], (position, text)
