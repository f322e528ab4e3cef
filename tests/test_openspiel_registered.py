"""The games registered with OpenSpiel, for its C++ code; its bots against our players."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import observation, policy, rl_environment
from open_spiel.python.algorithms import (
    evaluate_bots,
    exploitability,
    generate_playthrough,
    get_all_states,
    mcts,
)

import quincunx
from cases import Case, sample
from quincunx.adapters import openspiel
from quincunx.match import play_game
from quincunx.players import MCTSPlayer, RandomPlayer

openspiel.register()

every_game = pytest.mark.parametrize("name", quincunx.registered_names())

SMALL: dict[str, dict[str, Any]] = {
    "fano330": {"max_plies": 40},
    "impedio": {"size": 3, "max_plies": 40},
    "meigo": {"size": "3x3"},
    "unane": {"size": "4x4"},
    "unmergo": {"size": 3},
}


def load(name: str) -> Any:
    return pyspiel.load_game(f"quincunx_{name}", SMALL[name])


def cpp_search(game: Any, simulations: int = 20) -> Any:
    rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
    return pyspiel.MCTSBot(game, rollouts, 2.0, simulations, 100, True, 1, False)


def test_registering_twice_is_harmless() -> None:
    before = pyspiel.registered_names()
    kinds = len(pyspiel.registered_games())
    openspiel.register()
    assert pyspiel.registered_names() == before
    assert len(pyspiel.registered_games()) == kinds
    assert {f"quincunx_{name}" for name in quincunx.registered_names()} <= set(before)


@pytest.mark.parametrize("parameters", [{}, None], ids=["default", "small"])
@every_game
def test_openspiels_own_test_of_a_game(name: str, parameters: dict[str, Any] | None) -> None:
    """Masks, clones, texts, serialisation, history, returns, at every ply of random games."""
    game = pyspiel.load_game(f"quincunx_{name}", SMALL[name] if parameters is None else parameters)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("text", "name", "parameters"),
    [
        ("quincunx_unmergo", "unmergo", {}),
        ("quincunx_unmergo(size=3)", "unmergo", {"size": 3}),
        ("quincunx_unane(size=8x7,pie=false)", "unane", {"size": "8x7", "pie": False}),
        (
            "quincunx_impedio(setup=ring,repetition=0)",
            "impedio",
            {"setup": "ring", "repetition": 0},
        ),
        ("quincunx_fano330(adjacency=plane)", "fano330", {"adjacency": "plane"}),
        # Meigo's bound on the plies goes with the size, also where OpenSpiel fills in defaults.
        ("quincunx_meigo(size=5x5)", "meigo", {"size": "5x5"}),
        ("quincunx_meigo(size=5x5,max_plies=77)", "meigo", {"size": "5x5", "max_plies": 77}),
        ("quincunx_meigo(max_plies=0,auction=True)", "meigo", {"max_plies": 0, "auction": True}),
        ("quincunx_meigo(handicap=d4;f6)", "meigo", {"handicap": ["d4", "f6"]}),
    ],
)
def test_parameters(text: str, name: str, parameters: dict[str, Any]) -> None:
    ours = quincunx.load_game(name, **parameters)
    game = pyspiel.load_game(text)
    assert game.core == ours
    for twin in (
        pyspiel.load_game(game.to_string()),
        pickle.loads(pickle.dumps(game)),
        openspiel.openspiel_game(ours),
    ):
        assert twin.core == ours
    given = {k: ",".join(v) if isinstance(v, list) else v for k, v in parameters.items()}
    assert pyspiel.load_game(f"quincunx_{name}", given).core == ours
    assert game.num_distinct_actions() == ours.num_distinct_actions()
    assert game.max_game_length() == ours.max_game_length() or not ours.max_game_length()
    assert game.observation_tensor_shape() == ours.observation_tensor_shape()


def test_every_game_has_its_twin(case: Case) -> None:
    game = openspiel.openspiel_game(case.core())
    assert game.core == case.core()
    assert pyspiel.load_game(game.to_string()).core == case.core()


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("unmergo", {"size": 99}, "size must be"),
        ("unane", {"size": "3x3"}, "even"),
        ("meigo", {"handicap": "a0"}, "handicap"),
        ("impedio", {"setup": "nonsense"}, "setup"),
    ],
)
def test_bad_parameters_are_refused_as_ours(
    name: str, parameters: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game(f"quincunx_{name}", parameters)
    with pytest.raises(pyspiel.SpielError, match="colour"):
        pyspiel.load_game(f"quincunx_{name}", {"colour": 1})


@every_game
def test_a_state_is_that_of_the_core(name: str) -> None:
    game = load(name)
    kind = game.get_type()
    assert kind.long_name == game.core.get_type().long_name
    state = game.new_initial_state()
    rng = np.random.RandomState(1)
    while not state.is_terminal():
        core = openspiel.core_state(state)
        assert state.legal_actions() == core.legal_actions()
        assert state.legal_actions_mask() == core.legal_actions_mask().astype(int).tolist()
        assert state.current_player() == core.current_player()
        assert str(state) == state.to_string() == str(core)
        assert state.history() == core.history()
        for player in (0, 1):
            assert state.observation_tensor(player) == core.information_state_tensor(player)
            assert state.information_state_tensor(player) == core.information_state_tensor(player)
            assert state.observation_string(player) == core.observation_string(player)
            assert state.information_state_string(player) == core.history_str()
        action = rng.choice(state.legal_actions())
        text = state.action_to_string(action)
        assert text == core.action_to_string(action)
        assert state.string_to_action(text) == state.string_to_action(0, text) == action
        if state.move_number() % 7 == 0:
            for twin in (copy.deepcopy(state), pickle.loads(pickle.dumps(state)), state.clone()):
                assert twin.history() == state.history()
                assert openspiel.core_state(twin) == core
                assert openspiel.core_state(twin).history() == core.history()
        state.apply_action(action)
    assert state.returns() == openspiel.core_state(state).returns()
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_illegal_actions_are_refused_and_change_nothing() -> None:
    state = load("unane").new_initial_state()
    for action in (1000, state.string_to_action("swap")):
        with pytest.raises(ValueError, match="action"):
            state.apply_action(action)
        assert state.history() == []
        assert openspiel.core_state(state).history() == []


def test_positions_are_read() -> None:
    position = "x..o/..../..../o.xx x - -"
    state = load("unane").new_initial_state(position)
    assert openspiel.core_state(state).position() == position
    assert state.clone().legal_actions() == state.legal_actions()
    with pytest.raises(ValueError, match="fields"):
        load("unane").new_initial_state("nonsense")


def test_core_state_of_other_things() -> None:
    ours = quincunx.load_game("unmergo").new_initial_state()
    assert openspiel.core_state(ours) is ours
    theirs = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for other in (theirs, None, "unmergo"):
        with pytest.raises(TypeError, match="quincunx"):
            openspiel.core_state(other)


@pytest.mark.parametrize("registered", [True, False])
def test_observations_of_every_kind(registered: bool) -> None:
    game = load("meigo") if registered else load("meigo").core
    state = game.new_initial_state()
    state.apply_action(4)
    core = openspiel.core_state(state)
    plain = observation.make_observation(game)
    plain.set_from(state, 1)
    assert (plain.dict["observation"] == core.observation_tensor(1)).all()
    assert plain.tensor.tolist() == core.information_state_tensor(1)
    assert plain.string_from(state, 1) == core.position()
    kinds = pyspiel.IIGObservationType
    recall = observation.make_observation(game, kinds(perfect_recall=True))
    assert recall.string_from(state, 0) == "4"
    nothing = observation.make_observation(game, kinds(public_info=False, perfect_recall=False))
    nothing.set_from(state, 0)
    assert nothing.tensor is None
    assert nothing.string_from(state, 0) == ""


@every_game
def test_a_playthrough_can_be_written(name: str) -> None:
    text = generate_playthrough.playthrough(str(load(name)), None, seed=1)
    assert f'GameType.short_name = "quincunx_{name}"' in text
    assert "Returns() = [" in text


def test_cpp_solvers_agree_with_python() -> None:
    game = pyspiel.load_game("quincunx_unane(size=3x2)")
    assert len(get_all_states.get_all_states(game)) == 48
    solver = pyspiel.CFRSolver(game)
    for _ in range(50):
        solver.evaluate_and_update_policy()
    assert pyspiel.exploitability(game, solver.average_policy()) < 0.05
    uniform = pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game))
    python = exploitability.nash_conv(game.core, policy.UniformRandomPolicy(game.core)) / 2
    assert uniform == pytest.approx(python)


def test_an_environment_by_name() -> None:
    environment = rl_environment.Environment("quincunx_unane", size="4x4", include_full_state=True)
    step = environment.reset()
    step = environment.step([step.observations["legal_actions"][0][0]])
    assert len(step.observations["info_state"][0]) == 96
    _, state = pyspiel.deserialize_game_and_state(step.observations["serialized_state"])
    assert state.history() == [0]


# ---- bots and players


@every_game
def test_their_search_against_our_players(name: str) -> None:
    """OpenSpiel's C++ search in our match, and our search in OpenSpiel's, in C++ and in Python."""
    game = load(name)
    bot = openspiel.BotPlayer(cpp_search(game))
    last = play_game(game.core.new_initial_state(), (bot, MCTSPlayer(20, seed=1)))
    assert last.is_terminal()
    ours = openspiel.PlayerBot(MCTSPlayer(20, seed=1))
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), [ours, cpp_search(game)], 1)) == 0
    theirs = mcts.MCTSBot(game, 2.0, 5, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)))
    bots = [theirs, openspiel.PlayerBot(RandomPlayer(1))]
    assert sum(evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random)) == 0


def test_a_player_bot_also_sees_our_states() -> None:
    state = quincunx.load_game("unane", size="4x4").new_initial_state()
    bots = [openspiel.PlayerBot(RandomPlayer(seed)) for seed in (1, 2)]
    assert sum(evaluate_bots.evaluate_bots(state, bots, np.random)) == 0
    assert state.is_terminal()


def test_bots_and_players_hear_of_every_action() -> None:
    class Listener:
        """Plays the first action and remembers what it was told."""

        name = "listener"

        def __init__(self) -> None:
            self.heard: list[Any] = []

        def step(self, state: Any) -> int:
            self.heard.append(("step", state.history()))
            return int(state.legal_actions()[0])

        def restart(self) -> None:
            self.heard.append("restart")

        def inform_action(self, state: Any, player: int, action: int) -> None:
            self.heard.append((player, action, state.history()))

    one, other = Listener(), Listener()
    game = load("unane")
    bots = [openspiel.PlayerBot(one), openspiel.PlayerBot(openspiel.BotPlayer(other))]
    state = game.new_initial_state()
    pyspiel.evaluate_bots(state, bots, 1)
    history = state.history()
    for listener, player in ((one, 0), (other, 1)):
        assert listener.heard[0] == "restart"
        assert [heard[-1] for heard in listener.heard[1:]] == [
            history[:ply] for ply in range(len(history))
        ]
        told = [heard for heard in listener.heard[1:] if heard[0] != "step"]
        assert told
        assert all(heard[0] == 1 - player for heard in told)
        assert all(history[len(before)] == action for _, action, before in told)
    assert openspiel.BotPlayer(other).name == "Listener"
    assert openspiel.BotPlayer(other, name="x").name == "x"


def test_their_search_finds_a_win_from_a_position() -> None:
    game = quincunx.load_game("unane", size="4x4")
    state = game.new_initial_state("x..o/..../..../o.xx x - -")
    wins = [a for a in state.legal_actions() if state.child(a).returns()[0] == 1]
    player = openspiel.BotPlayer(cpp_search(openspiel.openspiel_game(game), 100))
    assert player.step(state) in wins


def test_the_process_ends_well_after_registering() -> None:
    """OpenSpiel keeps what was registered until after the interpreter has ended."""
    code = (
        "from quincunx.adapters import openspiel; openspiel.register(); import pyspiel;"
        "game = pyspiel.load_game('quincunx_unane'); game.new_initial_state()"
    )
    for ending in ("", "; raise SystemExit(3)"):
        done = subprocess.run(
            [sys.executable, "-c", code + ending], capture_output=True, check=False
        )
        assert done.returncode == (3 if ending else 0), done.stderr


def test_sampled_states_of_every_case_have_twins(case: Case) -> None:
    for state in sample(case)[:3]:
        if state.move_number() > 300:
            continue
        theirs = openspiel._openspiel_state(state)
        assert openspiel.core_state(theirs) == state
        assert theirs.history() == state.history()
