"""The PettingZoo environments: PettingZoo's own tests, and that they are the games."""

from __future__ import annotations

import copy
import pickle
import warnings
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pettingzoo
import pytest

import quincunx
from cases import Case
from quincunx.adapters.pettingzoo import env, raw_env
from quincunx.text import draw

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of an environment of its own, if pygame is there
    from pettingzoo.test import api_test, render_test, seed_test

SIZES: dict[str, dict[str, Any]] = {
    "fano330": {},
    "impedio": {"size": 3},
    "meigo": {"size": "5x4"},
    "unane": {"size": "8x7"},
    "unmergo": {"size": 3},
}

every_game = pytest.mark.parametrize("name", quincunx.registered_names())
both = pytest.mark.parametrize("make", [env, raw_env])


def first_legal(environment: Any) -> int:
    observation, *_ = environment.last()
    return int(observation["action_mask"].argmax())


@both
@every_game
def test_pettingzoos_own_tests(name: str, make: Any) -> None:
    """What it warns of, an observation that is a dict, is so in its classic games."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(name, **SIZES[name]), num_cycles=300)
    assert {str(warning.message)[:30] for warning in caught} <= {
        "Observation is not a NumPy arr",
        "Observation space for each age",
    }
    seed_test(partial(make, name, **SIZES[name]), num_cycles=100)


@every_game
def test_pettingzoos_test_of_rendering(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    make = partial(env, name, **SIZES[name])
    render_test(make, custom_tests={"ansi": lambda text: text.count("\n") > 3})
    assert "is to" in capsys.readouterr().out


@both
def test_a_game_is_that_of_the_core(make: Any, case: Case) -> None:
    environment = make(case.core())
    environment.reset(seed=1)
    state = case.core().new_initial_state()
    rng = case.random("pettingzoo")
    for agent in environment.agent_iter(200):
        observation, reward, terminated, truncated, info = environment.last()
        player = environment.possible_agents.index(agent)
        assert terminated == state.is_terminal()
        assert (truncated, info) == (False, {})
        assert np.array_equal(observation["observation"], state.observation_tensor(player))
        assert observation["action_mask"].dtype == np.int8
        assert np.array_equal(observation["action_mask"], state.legal_actions_mask(player))
        assert environment.observation_space(agent).contains(observation)
        assert reward == state.returns()[player]
        if terminated:
            environment.step(None)
            continue
        assert player == state.current_player()
        other = environment.observe(environment.possible_agents[1 - player])
        assert not other["action_mask"].any()
        action = rng.choice(state.legal_actions())
        environment.step(np.int64(action))
        state.apply_action(action)
        assert environment.core == state
    if state.is_terminal() and state.move_number() < 198:
        assert environment.agents == []


def test_it_is_a_pettingzoo_environment() -> None:
    environment = env("unane", size="4x4")
    assert isinstance(environment, pettingzoo.AECEnv)
    assert environment.metadata["render_modes"] == ["human", "ansi", "rgb_array"]
    assert str(environment) == "quincunx_unane_v0"
    assert environment.possible_agents == ["player_0", "player_1"]
    assert environment.max_num_agents == 2


def test_an_illegal_action_loses() -> None:
    environment = env("unane", size="4x4")
    environment.reset()
    environment.step(first_legal(environment))
    before = environment.core.position()
    environment.step(0)
    assert environment.core.position() == before
    assert environment.rewards == {"player_0": 0, "player_1": -1}
    assert environment.terminations == {"player_0": True, "player_1": True}
    assert environment.truncations == {"player_0": False, "player_1": False}
    rewards = {}
    for agent in environment.agent_iter():
        _, rewards[agent], terminated, _, _ = environment.last()
        assert terminated
        environment.step(None)
    assert rewards == {"player_0": 0, "player_1": -1}
    assert environment.agents == []
    environment.reset()
    assert not any(environment.terminations.values())
    assert environment.rewards == {"player_0": 0, "player_1": 0}


def test_an_illegal_action_raises_in_the_raw_environment() -> None:
    environment = raw_env("unane", size="4x4")
    environment.reset()
    swap = environment.core.string_to_action("swap")
    with pytest.raises(quincunx.IllegalActionError, match="swap"):
        environment.step(swap)
    assert environment.agent_selection == "player_0"
    assert environment.core.is_initial_state()
    assert not any(environment.terminations.values())


@both
@pytest.mark.parametrize("action", [-1, 10**6, 2**70, None, "a1xa2", 1.0, True])
def test_what_is_no_action_raises_and_changes_nothing(make: Any, action: Any) -> None:
    environment = make("unane", size="4x4")
    environment.reset()
    with pytest.raises((ValueError, TypeError), match="action"):
        environment.step(action)
    assert environment.core.is_initial_state()
    assert not any(environment.terminations.values())


def test_an_agent_whose_game_is_over_takes_no_action() -> None:
    environment = env("unane", size="2x2")
    environment.reset()
    environment.step(first_legal(environment))
    assert environment.core.is_terminal()
    with pytest.raises(ValueError, match="None"):
        environment.step(0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda make: make("chess"), "chess"),
        (lambda make: make("unane", size="3x3"), "even"),
        (lambda make: make("unane", colour=1), "colour"),
        (lambda make: make("unane", render_mode="video"), "ansi"),
        (lambda make: make(quincunx.load_game("unane"), size="4x4"), "size"),
        (lambda make: make(7), "Game"),
    ],
)
@both
def test_bad_arguments(make: Any, call: Any, words: str) -> None:
    with pytest.raises((ValueError, TypeError), match=words):
        call(make)


def test_bad_word_for_illegal_actions() -> None:
    with pytest.raises(ValueError, match="'raise' or 'lose'"):
        raw_env("unane", illegal="ignore")


@pytest.mark.parametrize(
    "use",
    [
        lambda environment: environment.last(),
        lambda environment: environment.step(0),
        lambda environment: environment.render(),
        lambda environment: environment.agents,
        lambda environment: next(iter(environment.agent_iter())),
    ],
)
def test_nothing_is_there_before_reset(use: Any) -> None:
    with pytest.raises(AttributeError, match=r"reset\(\)"):
        use(env("unane", render_mode="ansi"))
    assert not hasattr(env("unane"), "nonsense")


@pytest.mark.parametrize("how", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_go_on_by_themselves(how: Any) -> None:
    environment = env("unmergo", size=3)
    environment.reset()
    environment.step(3)
    twin = how(environment)
    assert twin.core == environment.core
    twin.step(first_legal(twin))
    assert twin.core != environment.core
    assert twin.observation_space("player_0") == environment.observation_space("player_0")


@every_game
def test_pictures_of_a_game_have_one_size(name: str) -> None:
    environment = env(name, render_mode="rgb_array", **SIZES[name])
    environment.reset()
    pictures = [environment.render()]
    while not all(environment.terminations.values()):
        environment.step(first_legal(environment))
        if environment.core.move_number() % 10 == 1 or environment.core.is_terminal():
            pictures.append(environment.render())
    assert {picture.shape for picture in pictures} == {pictures[0].shape}
    assert all((picture != other).any() for picture, other in pairwise(pictures))
    assert pictures[0].min() < 100  # there is ink on the paper
    assert pictures[0].max() > 200


def test_what_people_see(capsys: pytest.CaptureFixture[str]) -> None:
    environment = env("unane", size="4x4", render_mode="human")
    environment.reset()
    assert capsys.readouterr().out == draw(environment.core) + "\n"
    environment.step(first_legal(environment))
    assert capsys.readouterr().out == draw(environment.core) + "\n"
    assert environment.render() is None
    assert capsys.readouterr().out == draw(environment.core) + "\n"
    quiet = env("unane", size="4x4")
    quiet.reset()
    assert quiet.render() is None
    assert capsys.readouterr().out == ""


def test_samples_with_a_mask_are_legal_and_uniform() -> None:
    space = env("fano330").action_space("player_0")
    space.seed(1)
    mask = np.zeros(63, np.int8)
    mask[[3, 40, 62]] = 1
    drawn = np.bincount([space.sample(mask) for _ in range(3000)], minlength=63)
    assert set(np.flatnonzero(drawn)) == {3, 40, 62}
    assert drawn[[3, 40, 62]].min() > 900
    assert space.sample(np.zeros(63, np.int8)) == 0
    assert {int(space.sample()) for _ in range(2000)} == set(range(63))
    probability = np.zeros(63)
    probability[7] = 1
    assert space.sample(probability=probability) == 7
    for bad in (np.zeros(62, np.int8), np.zeros(63), [1] * 63):
        with pytest.raises(AssertionError):
            space.sample(bad)
    space.seed(5)
    again = [space.sample(mask) for _ in range(20)]
    space.seed(5)
    assert again == [space.sample(mask) for _ in range(20)]
