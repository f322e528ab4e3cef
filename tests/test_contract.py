"""What holds for any state of any game: the promises of the public interface, one test each."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import quincunx
from cases import play_random_game, sample
from quincunx import reference

OPENSPIEL_GAME = [
    "num_players",
    "num_distinct_actions",
    "min_utility",
    "max_utility",
    "utility_sum",
    "max_game_length",
    "max_move_number",
    "max_history_length",
    "max_chance_outcomes",
    "max_chance_nodes_in_history",
    "observation_tensor_shape",
    "observation_tensor_size",
    "information_state_tensor_shape",
    "information_state_tensor_size",
    "policy_tensor_shape",
    "new_initial_state",
    "new_initial_states",
    "deserialize_state",
    "get_parameters",
    "get_type",
    "to_string",
]
OPENSPIEL_STATE = [
    "current_player",
    "legal_actions",
    "legal_actions_mask",
    "action_to_string",
    "string_to_action",
    "apply_action",
    "undo_action",
    "child",
    "clone",
    "is_terminal",
    "returns",
    "player_return",
    "rewards",
    "history",
    "move_number",
    "is_chance_node",
    "is_simultaneous_node",
    "is_mean_field_node",
    "is_player_node",
    "is_initial_state",
    "history_str",
    "full_history",
    "num_players",
    "num_distinct_actions",
    "get_game",
    "observation_tensor",
    "observation_string",
    "information_state_tensor",
    "information_state_string",
    "resample_from_infostate",
    "serialize",
    "to_string",
]


def facts(state):
    """Return everything a caller can see of a state, to find out whether anything changed."""
    return (
        state.position(),
        state.history(),
        state.move_number(),
        state.legal_actions(),
        state.current_player(),
        state.is_terminal(),
        state.returns(),
        state.hash(),
    )


def drawn_by_history(state):
    """Return whether repetition or the number of plies ended the game: it reads back as running.

    No other end is a draw but in Unmergo, which has neither rule.
    """
    drawn = state.is_terminal() and state.returns() == [0, 0]
    return drawn and state.get_game().name != "unmergo"


def test_openspiel_names_are_there(case):
    game = case.core()
    state = game.new_initial_state()
    assert [name for name in OPENSPIEL_GAME if not callable(getattr(game, name, None))] == []
    assert [name for name in OPENSPIEL_STATE if not callable(getattr(state, name, None))] == []


def test_the_reference_has_the_same_names_but_for_tensors():
    for core, other in [(quincunx.Game, reference.Game), (quincunx.State, reference.State)]:
        public = {name for name in vars(core) if not name.startswith("_")}
        missing = {name for name in public if not hasattr(other, name)}
        # A name is an attribute of each game's own class; how a game ended, symmetries and pictures
        # are the core's.
        missing -= {"name", "ending", "symmetries", "canonical", "canonical_hash", "to_svg"}
        assert all("tensor" in name or "observer" in name for name in missing), missing


def test_the_package_says_that_it_is_typed():
    assert (Path(quincunx.__file__).parent / "py.typed").is_file()


def test_game_describes_itself(case):
    game = case.core()
    assert game.name == case.game
    assert game.num_players() == 2
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-1, 1, 0)
    assert isinstance(game.max_game_length(), int)
    assert game.max_game_length() >= 0
    assert quincunx.load_game(game.name, **game.parameters) == game
    assert set(case.parameters) <= set(game.parameters)
    shape = game.observation_tensor_shape()
    assert all(isinstance(n, int) and n > 0 for n in shape)
    assert game.observation_tensor_size() == math.prod(shape)
    assert game.information_state_tensor_size() == math.prod(shape)
    assert game.information_state_tensor_shape() == [math.prod(shape)]
    assert game.policy_tensor_shape() == [game.num_distinct_actions()]
    assert game.max_move_number() == game.max_history_length() == game.max_game_length()
    assert game.max_chance_outcomes() == game.max_chance_nodes_in_history() == 0
    assert game.get_parameters() == game.parameters
    assert game.to_string() == repr(game)
    assert game.new_initial_states() == [game.new_initial_state()]


def test_parameters_read_back_from_the_text_of_a_command_line(case):
    game = case.core()
    text = {}
    for name, value in game.parameters.items():
        is_list = isinstance(value, list | tuple)
        text[name] = ",".join(value) if is_list else str(value)
        if isinstance(value, bool):
            text[name] = text[name].lower()
    assert quincunx.load_game(game.name, **text) == game


def test_the_start_is_running_and_player_0_begins(case):
    state = case.core().new_initial_state()
    assert not state.is_terminal()
    # A handicap is Black's first turn: White, player 1, plays next.
    assert state.current_player() == (1 if case.parameters.get("handicap") else 0)
    assert state.history() == []
    assert state.move_number() == 0


def test_constants_of_a_state(case):
    for state in sample(case):
        assert state.num_players() == 2
        assert state.num_distinct_actions() == case.core().num_distinct_actions()
        assert state.get_game() == case.core()
        assert state.is_chance_node() is False
        assert state.is_simultaneous_node() is False
        assert state.is_mean_field_node() is False
        assert state.is_player_node() is not state.is_terminal()


def test_legal_actions_are_sorted_unique_and_in_range(case):
    for state in sample(case):
        actions = state.legal_actions()
        assert all(type(action) is int for action in actions)
        assert actions == sorted(set(actions))
        assert all(0 <= action < state.num_distinct_actions() for action in actions)


def test_mask_is_the_list(case):
    for state in sample(case):
        mask = state.legal_actions_mask()
        assert mask.dtype == np.bool_
        assert mask.shape == (state.num_distinct_actions(),)
        assert np.flatnonzero(mask).tolist() == state.legal_actions()
        mask[:] = True  # a copy: nothing of the state is written through it
        assert np.flatnonzero(state.legal_actions_mask()).tolist() == state.legal_actions()


def test_only_the_player_to_move_has_legal_actions(case):
    for state in sample(case):
        for player in (0, 1):
            to_move = player == state.current_player()
            assert state.legal_actions(player) == (state.legal_actions() if to_move else [])
            assert state.legal_actions_mask(player).any() == to_move


def test_terminal_exactly_if_nothing_is_legal(case):
    for state in sample(case):
        assert isinstance(state.is_terminal(), bool)
        assert state.is_terminal() == (not state.legal_actions())
        assert state.is_terminal() == (state.current_player() == -4)
        assert state.is_terminal() or state.current_player() in (0, 1)


def test_returns_sum_to_zero_and_come_at_the_end(case):
    for state in sample(case):
        returns = state.returns()
        assert returns in ([0, 0], [1, -1], [-1, 1])
        assert all(type(value) is float for value in returns)
        if not state.is_terminal():
            assert returns == [0, 0]
        assert state.rewards() == returns
        assert [state.player_return(player) for player in (0, 1)] == returns
        assert [state.player_reward(player) for player in (0, 1)] == returns


def test_action_texts_are_unique_and_read_back(case):
    for state in sample(case):
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        assert len(set(texts)) == len(texts)
        assert [state.string_to_action(text) for text in texts] == state.legal_actions()
        for action, text in zip(state.legal_actions()[:3], texts, strict=False):
            assert state.action_to_string(0, action) == text
            assert state.action_to_string(1, action) == text
            assert state.string_to_action(0, text) == state.string_to_action(1, text) == action
            assert case.core().action_to_string(action) == text
            assert case.core().action_to_string(1, action) == text
            assert case.core().string_to_action(text) == action


def test_every_action_id_has_a_text(case):
    game = case.core()
    texts = [game.action_to_string(action) for action in range(game.num_distinct_actions())]
    assert all(texts)


def test_history_and_move_number_follow_play(case):
    for state in sample(case):
        assert state.move_number() == len(state.history())
        if state.is_terminal():
            continue
        action = state.legal_actions()[-1]
        child = state.child(action)
        assert child.history() == [*state.history(), action]
        assert child.move_number() == state.move_number() + 1


def test_history_replays_to_an_equal_state(case):
    for state in sample(case):
        again = case.core().new_initial_state()
        assert again.is_initial_state()
        assert [ply.action for ply in state.full_history()] == state.history()
        for player, action in state.full_history():
            assert again.current_player() == player
            again.apply_action_with_legality_check(action)
        assert again.is_initial_state() == (state.move_number() == 0)
        assert again == state
        assert facts(again) == facts(state)


def test_history_as_text_is_the_same_in_the_reference(case):
    """Also from a position in the middle of a game, which then stands before the actions."""
    for state in sample(case)[:12]:
        if case.slow and state.move_number() > 20:
            continue
        twin = case.reference().deserialize_state(state.serialize())
        assert twin.serialize() == state.serialize()
        texts = []
        for one in (state, twin):
            assert one.history_str() == ", ".join(map(str, state.history()))
            assert one.information_state_string() == one.history_str()
            assert one.information_state_string(0) == one.information_state_string(1)
            assert [tuple(ply) for ply in one.full_history()] == state.full_history()
            if not drawn_by_history(state) and state.move_number() > 0:
                again = one.get_game().new_initial_state(one.position())
                if not again.is_terminal():
                    again.apply_action(again.legal_actions()[0])
                texts += [again.information_state_string(1)]
                assert texts[-1] == f"{state.position()}: {again.history_str()}"
        assert texts[:1] == texts[1:]


def test_serialized_states_read_back_with_their_past(case):
    game = case.core()
    for state in sample(case)[:12]:
        again = game.deserialize_state(state.serialize())
        assert facts(again) == facts(state)
        assert game.deserialize_state(state.serialize().rstrip()) == again
        assert facts(state.resample_from_infostate(0, lambda: 0.5)) == facts(state)
        while again.move_number():
            again.undo()
        assert again == game.new_initial_state()


START = "oxox/xoxo x - -"  # of Ūnane 4×2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "fields"),
        ("nothing", "fields"),
        (f"{START} -", "fields"),
        (f"{START}\nx", "line 2"),
        (f"{START}\n-1", "line 2"),
        (f"{START}\n8 ", "line 2"),
        (f"{START}\n08", "line 2"),
        (f"{START}\n99999999999999999999", "line 2"),
        (f"{START}\n\n8", "line 2"),
        (f"{START}\n8\n\n", "line 3"),
        (f"{START}\n8\n8", "illegal action"),
        (f"{START}\n41", "line 2"),
    ],
)
@pytest.mark.parametrize("library", [quincunx, reference], ids=["core", "reference"])
def test_text_that_is_no_serialized_state(library, text, message):
    game = library.load_game("unane", size="4x2")
    assert game.deserialize_state(f"{START}\n8\n").move_number() == 1
    if message != "fields":
        assert game.deserialize_state(text.split("\n")[0]).is_initial_state()
    with pytest.raises(ValueError, match=message if library is quincunx else r"\w"):
        game.deserialize_state(text)
    with pytest.raises(TypeError):
        game.deserialize_state(None)


def test_apply_and_undo_restore(case):
    for state in sample(case):
        before = facts(state)
        moving = state.clone()
        for action in state.legal_actions()[:40]:
            player = moving.current_player()
            moving.apply_action(action)
            moving.undo_action(player, action)
            assert facts(moving) == before
            moving.apply_action(action)
            moving.undo()
        assert facts(moving) == before
        assert moving == state


def test_undo_goes_back_to_the_start(case):
    state = sample(case)[-1].clone()
    for _ in range(state.move_number()):
        state.undo()
    assert state == case.core().new_initial_state()
    with pytest.raises(ValueError, match="take back"):
        state.undo()


def test_undo_action_refuses_what_was_not_played(case):
    state = next(s for s in sample(case) if s.move_number() > 0).clone()
    before = facts(state)
    last = state.history()[-1]
    mover = state.clone()
    mover.undo()
    player = mover.current_player()
    for by, action in [(1 - player, last), (player, (last + 1) % state.num_distinct_actions())]:
        with pytest.raises(ValueError, match="last action"):
            state.undo_action(by, action)
        assert facts(state) == before


def test_child_and_clone_are_independent(case):
    for state in sample(case):
        before = facts(state)
        clone = state.clone()
        assert clone is not state
        assert clone == state
        assert facts(clone) == before
        if not state.is_terminal():
            action = state.legal_actions()[0]
            child = state.child(action)
            clone.apply_action(action)
            assert clone == child
            assert clone != state
            assert facts(clone) == facts(child)
            child.undo()
            assert child == state
        assert facts(state) == before


def test_every_legal_action_leads_to_another_position(case):
    for state in sample(case)[:10]:
        children = [state.child(action) for action in state.legal_actions()[:60]]
        assert all(child.position() != state.position() for child in children)
        assert len({child.position() for child in children}) == len(children)


def test_position_reads_back(case):
    for state in sample(case):
        text = state.position()
        assert "\n" not in text
        again = case.core().new_initial_state(text)
        assert again.position() == text
        assert again.history() == []
        if drawn_by_history(state):
            assert not again.is_terminal()
            continue
        assert again == state
        assert again.hash() == state.hash()
        assert again.legal_actions() == state.legal_actions()
        assert again.current_player() == state.current_player()
        assert again.returns() == state.returns()


def test_observation_string_tells_both_players_the_whole_position(case):
    for state in sample(case)[:6]:
        assert state.observation_string() == state.observation_string(0)
        assert state.position() in state.observation_string(1)


def test_hash_is_64_bits_and_agrees_with_equality(case):
    by_position = {}
    for state in sample(case):
        value = state.hash()
        assert type(value) is int
        assert 0 <= value < 2**64
        assert hash(state) == hash(state.clone())
        by_position.setdefault(state.position(), set()).add(value)
    # One value a position, and no two positions with the same: 64 bits do not meet by chance.
    assert all(len(values) == 1 for values in by_position.values())
    assert len(set.union(*by_position.values())) == len(by_position)


def test_states_of_one_line_of_play_differ_as_their_positions_do(case):
    for first, second in pairwise(sample(case)):
        if drawn_by_history(first) or drawn_by_history(second):
            continue
        assert (first == second) == (first.position() == second.position())
    assert sample(case)[0] != sample(case)[0].position()
    assert sample(case)[0] != None  # noqa: E711 - the operator is what is tested


def test_observation_tensor_has_the_shape_of_the_game(case):
    shape = tuple(case.core().observation_tensor_shape())
    for state in sample(case):
        for player in (None, 0, 1):
            tensor = state.observation_tensor(player)
            assert tensor.dtype == np.float32
            assert tensor.shape == shape
            assert tensor.flags.c_contiguous
            assert np.isfinite(tensor).all()
            assert np.abs(tensor).max() <= 64
            flat = state.information_state_tensor(player)
            assert all(type(number) is float for number in flat)
            assert flat == tensor.flatten().tolist()
        viewer = max(0, state.current_player())
        assert np.array_equal(state.observation_tensor(), state.observation_tensor(viewer))


def test_observation_tensor_tells_positions_apart(case):
    seen = ({}, {})
    for game in range(2 if case.slow else 5):
        for state in play_random_game(case.core(), case.random(("tensor", game)), plies=120):
            for player in (0, 1):
                picture = state.observation_tensor(player).tobytes()
                assert seen[player].setdefault(picture, state.position()) == state.position()


def test_observation_tensor_tells_the_players_apart(case):
    """What is good for one player is bad for the other, so no position looks the same to both."""
    for state in sample(case):
        assert not np.array_equal(state.observation_tensor(0), state.observation_tensor(1))


def test_explain_has_nothing_against_legal_actions(case):
    for state in sample(case):
        for action in state.legal_actions()[:60]:
            text = state.action_to_string(action)
            assert state.explain(text) is None, text


def test_explain_has_a_sentence_for_every_other_action(case):
    rng = case.random("explain")
    for state in sample(case):
        legal = set(state.legal_actions())
        for action in rng.choices(range(state.num_distinct_actions()), k=9):
            if action in legal:
                continue
            text = state.action_to_string(action)
            reason = state.explain(text)
            assert isinstance(reason, str), text
            assert len(reason.split()) >= 3, reason
            assert "\n" not in reason


def test_explain_has_a_sentence_for_text_that_is_no_action(case):
    for state in sample(case)[:6]:
        for text in ("", " ", "xyzzy", "e5 e6 e7 e8", "a1-", "-", "é", "\n", "e5\0", "a" * 1000):
            reason = state.explain(text)
            assert isinstance(reason, str)
            assert len(reason) > 3


def test_explain_is_the_reason_of_the_error(case):
    rng = case.random("reason")
    for state in sample(case)[:10]:
        for action in rng.choices(range(state.num_distinct_actions()), k=5):
            if action in state.legal_actions():
                continue
            with pytest.raises(quincunx.IllegalActionError) as caught:
                state.child(action)
            text = state.action_to_string(action)
            if not text.endswith("off"):  # a move off the board has a text, but none to be read
                assert state.explain(text) == caught.value.reason


def test_turns_are_the_complete_lines_of_actions(case):
    rng = case.random("turns")
    for state in sample(case)[: 6 if case.slow else 15]:
        turns = state.turns()
        assert len(set(turns)) == len(turns)
        assert bool(turns) == (not state.is_terminal())
        assert quincunx.perft(state, 1, unit="turn") == len(turns)
        for turn in turns if len(turns) < 30 else rng.sample(turns, 30):
            assert state.explain(turn) is None or " " not in turn, turn
            after = state.clone()
            after.apply_turn(turn)
            assert after.move_number() in (state.move_number() + 1, state.move_number() + 2)
            # The same actions one by one.
            slowly = state.clone()
            for action in after.history()[state.move_number() :]:
                slowly.apply_action(action)
            assert slowly == after
            assert (
                after.is_terminal()
                or after.current_player() != state.current_player()
                or (
                    # In the auction and with the swap one person may have two turns on end.
                    {"prison", "black", "white", "swap"} & set(turn.split())
                )
            )


def test_a_turn_that_is_not_one_is_refused_and_changes_nothing(case):
    for state in sample(case)[:8]:
        before = facts(state)
        for turn in ("", " ", "a1 a1 a1", "nowhere", "end end", "pass end", *state.turns()[:1]):
            text = turn if turn not in state.turns() else f"{turn} {turn}"
            with pytest.raises(ValueError, match=r"\w"):
                state.apply_turn(text)
            assert facts(state) == before


def test_a_game_ends_within_its_length(case):
    bound = case.core().max_game_length()
    if case.parameters.get("max_plies"):
        assert bound == case.parameters["max_plies"]
    for game in range(3):
        lengths = [
            state.move_number()
            for state in play_random_game(case.core(), case.random(("length", game)))
        ]
        if bound:
            assert lengths[-1] <= bound


def test_the_order_of_independent_placements_does_not_matter():
    # Unmergo with every stone move declined: two stones a side, either order.
    game = quincunx.load_game("unmergo")
    one, other = game.new_initial_state(), game.new_initial_state()
    for turn in ("a1", "i5", "a3", "i9"):
        one.apply_turn(turn)
    for turn in ("a3", "i9", "a1", "i5"):
        other.apply_turn(turn)
    assert one.history() != other.history()
    assert one == other
    assert one.hash() == other.hash()
    assert hash(one) == hash(other)


@pytest.mark.parametrize(
    ("name", "parameters", "line", "same"),
    [
        ("fano330", {}, ["c1", "c7", "r2", "r4"], ["r2", "r4", "c1", "c7"]),
        (
            "unane",
            {"pie": False},
            ["a1xb1", "a8xa7", "h8xh7", "h1xh2"],
            ["h8xh7", "h1xh2", "a1xb1", "a8xa7"],
        ),
        ("meigo", {}, ["a1", "j9", "e5", "g7"], ["e5", "j9", "a1", "g7"]),
        ("impedio", {}, ["a1-a2", "a5-b6", "e9-e8", "e1-e2"], ["e9-e8", "a5-b6", "a1-a2", "e1-e2"]),
    ],
)
def test_two_orders_of_moves_meet_in_equal_states(name, parameters, line, same):
    game = quincunx.load_game(name, **parameters)
    states = []
    for moves in (line, same):
        state = game.new_initial_state()
        for text in moves:
            state.apply_action(state.string_to_action(text))
        states.append(state)
    one, other = states
    assert one.position() == other.position()
    assert one.history() != other.history()
    assert one == other
    assert one.hash() == other.hash()
    assert one.legal_actions() == other.legal_actions()


def test_random_lines_meet_in_equal_states(case):
    """Equal position strings on different lines of play mean equal states and equal hashes."""
    seen = {}
    for game in range(2 if case.slow else 12):
        for state in play_random_game(case.core(), case.random(("meet", game)), plies=60):
            if drawn_by_history(state):
                continue
            known = seen.setdefault(state.position(), state.clone())
            assert known == state
            assert known.hash() == state.hash()
            assert known.legal_actions() == state.legal_actions()


def test_lengths_of_random_games_are_plausible(case):
    """A playout is a game: nothing in Python and C++ counts plies differently."""
    result = quincunx.playouts(case.core().new_initial_state(), 20, seed=1, max_plies=5000)
    assert all(math.isclose(a + b, 0) for a, b in result.returns)
    assert result.lengths.min() >= 1
