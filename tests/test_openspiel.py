"""OpenSpiel's own Python code, as it is, on the games and states of this package."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    async_mcts,
    cfr,
    expected_game_score,
    exploitability,
    get_all_states,
    mcts,
    minimax,
    random_agent,
    sample_some_states,
    tabular_qlearner,
)
from open_spiel.python.bots import human

import quincunx
from quincunx import reference
from quincunx.match import play_game
from quincunx.players import RandomPlayer

# Games of at most two thousand lines of play, for what walks through all of them: parameters, and a
# position shortly before the end where even the smallest board has too many from the start.
TINY: dict[str, tuple[dict[str, Any], str | None]] = {
    "fano330": ({"max_plies": 5}, "sC/c/./././s/. 0"),
    "impedio": ({"size": 3, "max_plies": 6}, ".,b1,./b2,w1,.,./.,.,.,.,w1/w3,.,.,./.,.,b2 w"),
    "meigo": ({"size": "2x2", "max_plies": 8}, None),
    "unane": ({"size": "4x2"}, None),
    "unmergo": ({"size": 2}, "ox/.x./.. w place"),
}

SMALL: dict[str, dict[str, Any]] = {
    "fano330": {"max_plies": 40},
    "impedio": {"size": 3, "max_plies": 40},
    "meigo": {"size": "3x3"},
    "unane": {"size": "4x4"},
    "unmergo": {"size": 2},
}


class GameFrom:
    """A game that starts from a position: the rest is that of the game."""

    def __init__(self, game: quincunx.Game, position: str | None) -> None:
        self._game, self._position = game, position

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def new_initial_state(self) -> Any:
        return self._game.new_initial_state(self._position)

    def new_initial_states(self) -> list[Any]:
        return [self.new_initial_state()]


def tiny(name: str) -> Any:
    parameters, position = TINY[name]
    return GameFrom(quincunx.load_game(name, **parameters), position)


def small(name: str) -> quincunx.Game:
    return quincunx.load_game(name, **SMALL[name])


every_game = pytest.mark.parametrize("name", quincunx.registered_names())


def solved(state: quincunx.State) -> float:
    """Return the value of a state for player 0, proven by our own search."""
    if state.is_terminal():
        return state.player_return(0)
    found = quincunx.MCTS(1_000_000, seed=1).search(state)
    assert found.proven is not None
    return found.proven if found.player == 0 else -found.proven


# ---- what OpenSpiel asks of a game


@every_game
def test_the_type_of_a_game_equals_openspiels(name: str) -> None:
    kind = small(name).get_type()
    theirs = pyspiel.GameType
    assert kind.dynamics == theirs.Dynamics.SEQUENTIAL
    assert kind.dynamics != theirs.Dynamics.MEAN_FIELD
    assert kind.chance_mode == theirs.ChanceMode.DETERMINISTIC
    assert kind.information == theirs.Information.PERFECT_INFORMATION
    assert kind.utility == theirs.Utility.ZERO_SUM
    assert kind.reward_model == theirs.RewardModel.TERMINAL
    # A member of another enum is another thing, though it has the same number.
    assert kind.utility != theirs.ChanceMode.DETERMINISTIC
    assert kind.utility != kind.chance_mode
    for ours, other in [
        (quincunx.GameType.Dynamics, theirs.Dynamics),
        (quincunx.GameType.ChanceMode, theirs.ChanceMode),
        (quincunx.GameType.Information, theirs.Information),
        (quincunx.GameType.Utility, theirs.Utility),
        (quincunx.GameType.RewardModel, theirs.RewardModel),
    ]:
        assert {member.name for member in ours} == set(other.__members__)
        for member in ours:
            twin = other.__members__[member.name]
            assert member == twin
            assert hash(member) == hash(twin)
            assert [other_member for other_member in ours if other_member == twin] == [member]


def test_players_have_openspiels_numbers() -> None:
    state = small("impedio").new_initial_state()
    while not state.is_terminal():
        state.apply_action(np.int64(state.legal_actions()[0]))
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_states_have_every_method_of_openspiels(case: Any) -> None:
    """But those for chance, simultaneous moves, mean fields and structs."""
    foreign = {
        "action_to_struct", "actions_to_struct", "apply_action_struct", "apply_actions",
        "apply_actions_with_legality_checks", "chance_outcomes", "distribution_support",
        "get_action_struct_sampler", "get_type", "is_initial_non_chance_state",
        "mean_field_population", "starting_state", "starting_state_str", "struct_to_actions",
        "to_dict", "to_json", "to_observation_struct", "to_struct", "update_distribution",
        "validate_action_struct",
        # of games
        "action_struct_spec", "information_state_tensor_layout", "make_observer",
        "new_initial_state_for_population", "observation_tensor_layout", "serialize",
    }  # fmt: skip
    for ours, theirs in [(quincunx.State, pyspiel.State), (quincunx.Game, pyspiel.Game)]:
        names = {name for name in dir(theirs) if not name.startswith("_")}
        assert {name for name in names if not hasattr(ours, name)} <= foreign


# ---- walking through games


@every_game
def test_get_all_states(name: str) -> None:
    game = tiny(name)
    states = get_all_states.get_all_states(game)
    root = game.new_initial_state()
    lines = [quincunx.perft(root, depth) for depth in range(40)]
    assert len(states) == sum(lines)
    for history, state in states.items():
        assert state.history_str() == history
        assert history == ", ".join(map(str, state.history()))


def test_get_all_states_of_the_reference_are_those_of_the_core() -> None:
    states = [
        get_all_states.get_all_states(library.load_game("unane", size="3x2"))
        for library in (quincunx, reference)
    ]
    assert list(states[0]) == list(states[1])
    for history, state in states[0].items():
        assert state.position() == states[1][history].position()


def test_the_reference_is_solved_as_the_core_is() -> None:
    values = []
    for library in (quincunx, reference):
        game = library.load_game("unane", size="3x2")
        solver = cfr.CFRSolver(game)
        for _ in range(10):
            solver.evaluate_and_update_policy()
        values.append(exploitability.nash_conv(game, solver.average_policy()))
    assert values[0] == pytest.approx(values[1])


@every_game
def test_sample_some_states(name: str) -> None:
    states = sample_some_states.sample_some_states(small(name), max_states=50)
    assert len(states) == 50
    assert states[0].is_initial_state()
    assert all(isinstance(state, quincunx.State) for state in states)


# ---- search


@every_game
def test_mcts_bot(name: str) -> None:
    game = small(name)
    bot = mcts.MCTSBot(
        game,
        uct_c=1.4,
        max_simulations=8,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        random_state=np.random.RandomState(1),
    )
    last = play_game(game.new_initial_state(), (bot, RandomPlayer(1)))
    assert last.is_terminal()


def test_mcts_bot_finds_a_win_in_one() -> None:
    game = small("unane")
    state = game.new_initial_state("x..o/..../..../o.xx x - -")
    wins = [a for a in state.legal_actions() if state.child(a).returns()[0] == 1]
    assert 0 < len(wins) < len(state.legal_actions())
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 100, rollouts, random_state=np.random.RandomState(1))
    assert bot.step(state) in wins


@every_game
def test_async_mcts_bot(name: str) -> None:
    game = small(name)
    bot = async_mcts.MCTSBot(
        game,
        uct_c=1.4,
        max_simulations=16,
        evaluator=async_mcts.RandomRolloutEvaluator(np.random.RandomState(1)),
        random_state=np.random.RandomState(1),
        batch_size=4,
    )
    state = game.new_initial_state()
    assert bot.step(state) in state.legal_actions()


@every_game
def test_minimax_agrees_with_our_proofs(name: str) -> None:
    game = tiny(name)
    root = game.new_initial_state()
    value, action = minimax.alpha_beta_search(game, root, maximizing_player_id=0)
    assert value == solved(root)
    assert solved(root.child(action)) == value
    plain, _ = minimax.expectiminimax(root, 40, lambda state: 0, maximizing_player_id=0)
    assert plain == value


# ---- policies


@every_game
def test_tabular_policy(name: str) -> None:
    game = tiny(name)
    table = policy.TabularPolicy(game)
    states = get_all_states.get_all_states(game, include_terminals=False)
    assert len(table.states) == len(states)
    assert sum(map(len, table.states_per_player)) == len(states)
    for state in table.states:
        probabilities = table.action_probabilities(state)
        assert list(probabilities) == state.legal_actions()
        assert sum(probabilities.values()) == pytest.approx(1)
    assert table.state_in.shape == (len(states), game.observation_tensor_size())


@every_game
def test_expected_game_score(name: str) -> None:
    game = tiny(name)
    root = game.new_initial_state()
    uniform = policy.UniformRandomPolicy(game)
    score = expected_game_score.policy_value(root, [uniform, uniform])
    assert score.sum() == pytest.approx(0)
    playouts = quincunx.playouts(root, 20_000, seed=1)
    assert score[0] == pytest.approx(playouts.returns[:, 0].mean(), abs=0.03)


@every_game
def test_nash_conv(name: str) -> None:
    game = tiny(name)
    root = game.new_initial_state()
    uniform = policy.UniformRandomPolicy(game)
    found = exploitability.nash_conv(game, uniform, return_only_nash_conv=False)
    score = expected_game_score.policy_value(root, [uniform, uniform])
    # A best response to a random player gains at least what perfect play is worth.
    value = solved(root)
    assert (found.player_improvements >= np.array([value, -value]) - score - 1e-9).all()
    assert found.nash_conv == pytest.approx(found.player_improvements.sum())
    assert 0.1 < found.nash_conv <= 4


@every_game
def test_cfr_finds_the_value_of_the_game(name: str) -> None:
    game = tiny(name)
    solver = cfr.CFRSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    assert exploitability.nash_conv(game, average) < 0.2
    root = game.new_initial_state()
    score = expected_game_score.policy_value(root, [average, average])
    assert score[0] == pytest.approx(solved(root), abs=0.15)


# ---- learning


@every_game
def test_environment_with_agents(name: str) -> None:
    game = small(name)
    np.random.seed(1)
    environment = rl_environment.Environment(game)
    size, actions = game.information_state_tensor_size(), game.num_distinct_actions()
    assert environment.observation_spec()["info_state"] == (size,)
    agents = [
        tabular_qlearner.QLearner(0, actions),
        random_agent.RandomAgent(1, actions),
    ]
    for _ in range(3):
        step = environment.reset()
        while not step.last():
            assert [len(view) for view in step.observations["info_state"]] == [size, size]
            step = environment.step([agents[step.current_player()].step(step).action])
        assert sum(step.rewards) == 0
        for agent in agents:
            agent.step(step)


def test_environment_with_observations_as_they_are() -> None:
    game = small("meigo")
    kind = rl_environment.ObservationType.OBSERVATION
    step = rl_environment.Environment(game, observation_type=kind).reset()
    shape = tuple(game.observation_tensor_shape())
    assert [view.shape for view in step.observations["info_state"]] == [shape, shape]


def test_a_q_learner_learns() -> None:
    game = quincunx.load_game("unane", size="3x2")
    np.random.seed(1)
    environment = rl_environment.Environment(game)
    actions = game.num_distinct_actions()
    learner = tabular_qlearner.QLearner(0, actions)
    opponent = random_agent.RandomAgent(1, actions)

    def play(games: int, evaluate: bool) -> float:
        total = 0.0
        for _ in range(games):
            step = environment.reset()
            while not step.last():
                agent = learner if step.current_player() == 0 else opponent
                output = agent.step(step, is_evaluation=evaluate)
                step = environment.step([output.action])
            learner.step(step, is_evaluation=evaluate)
            total += step.rewards[0]
        return total / games

    before = play(200, evaluate=True)
    play(1000, evaluate=False)
    after = play(200, evaluate=True)
    assert after > before
    assert after > 0.3


# ---- persons


def test_human_bot(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    state = small("unane").new_initial_state()
    lines = iter(["", "nonsense", "9999", "a1xa2"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    assert human.HumanBot().step(state) == state.string_to_action("a1xa2")
    out = capsys.readouterr().out
    assert "a1xb1" in out
    assert "Could not parse" in out
    assert "Illegal action" in out
