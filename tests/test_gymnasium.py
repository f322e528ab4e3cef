"""The Gymnasium environments: Gymnasium's own tests, seats, seeds, opponents."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import quincunx
from quincunx.adapters.gymnasium import Env, make
from quincunx.players import HumanPlayer, PerfectPlayer, RandomPlayer

SIZES: dict[str, dict[str, Any]] = {
    "fano330": {},
    "impedio": {"size": 3},
    "meigo": {"size": "4x4"},
    "unane": {"size": "4x4"},
    "unmergo": {"size": 3},
}

every_game = pytest.mark.parametrize("name", quincunx.registered_names())
every_seat = pytest.mark.parametrize("seat", ["first", "second", "alternate"])


def play(environment: Any, seed: int | None = None) -> tuple[list[int], float]:
    """Play a game of first legal actions; give its actions and the reward."""
    _, info = environment.reset(seed=seed)
    rewards = [0.0]
    over = False
    while not over:
        assert not any(rewards)
        _, reward, over, truncated, info = environment.step(int(info["action_mask"].argmax()))
        rewards.append(reward)
        assert not truncated
    assert not info["action_mask"].any()
    core = environment.unwrapped.core
    assert core.is_terminal()
    assert reward == core.player_return(environment.unwrapped.player)
    return core.history(), reward


@every_seat
@every_game
def test_gymnasiums_own_test(name: str, seat: str) -> None:
    """Its actions may be illegal: it draws one before a reset and plays it after."""
    check_env(make(name, seat=seat, illegal="lose", **SIZES[name]).unwrapped)


@pytest.mark.parametrize("name", ["fano330", "meigo", "unmergo"])
def test_gymnasiums_own_test_with_errors_for_illegal_actions(name: str) -> None:
    """Here the agent's second actions are legal as first ones."""
    check_env(make(name).unwrapped)


@every_game
def test_the_loop_of_the_manual_plays_legal_actions(name: str) -> None:
    environment = make(name, opponent="random", **SIZES[name])
    environment.action_space.seed(1)
    environment.reset(seed=1)
    games = 0
    for _ in range(200):
        _, _, terminated, truncated, _ = environment.step(environment.action_space.sample())
        if terminated or truncated:
            environment.reset()
            games += 1
    assert games > 0


@every_game
def test_observations_are_those_of_the_agent(name: str) -> None:
    for player, seat in enumerate(("first", "second")):
        environment = Env(name, seat=seat, **SIZES[name])
        observation, info = environment.reset(seed=3)
        for _ in range(10):
            core = environment.core
            assert environment.player == player
            assert observation.dtype == np.float32
            assert np.array_equal(observation, core.observation_tensor(player))
            assert observation in environment.observation_space
            assert info["action_mask"].dtype == np.int8
            assert np.array_equal(info["action_mask"], core.legal_actions_mask(player))
            assert np.array_equal(environment.action_masks(), core.legal_actions_mask(player))
            if core.is_terminal():
                break
            assert core.current_player() == player
            action = environment.action_space.sample(info["action_mask"])
            observation, _, _, _, info = environment.step(action)


@every_seat
@every_game
def test_the_same_seed_is_the_same_games(name: str, seat: str) -> None:
    def games(seed: int) -> list[Any]:
        environment = Env(name, seat=seat, **SIZES[name])
        return [play(environment, seed), play(environment), play(environment)]

    assert games(1) == games(1)
    assert games(1) != games(2)


@pytest.mark.parametrize("opponent", ["random", "mcts:10"])
def test_who_begins(opponent: str) -> None:
    def seats(seat: str, seed: int) -> list[int]:
        environment = Env("unane", opponent, seat=seat, size="4x4")
        found = []
        for game in range(4):
            environment.reset(seed=seed if game == 0 else None)
            assert environment.core.current_player() == environment.player
            found.append(environment.player)
        return found

    assert seats("first", 1) == [0] * 4
    assert seats("second", 1) == [1] * 4
    drawn = {tuple(seats("alternate", seed)) for seed in range(10)}
    assert drawn == {(0, 1, 0, 1), (1, 0, 1, 0)}
    assert seats("alternate", 7) == seats("alternate", 7)


def test_resets_without_a_seed_differ() -> None:
    environments = [Env("unmergo", seat="second") for _ in range(8)]
    for environment in environments:
        environment.reset()
    assert len({environment.core.position() for environment in environments}) > 1


def test_a_player_as_opponent_hears_of_the_game() -> None:
    class Listener(RandomPlayer):
        def __init__(self) -> None:
            super().__init__(1)
            self.heard: list[Any] = []

        def restart(self) -> None:
            self.heard.append("restart")

        def inform_action(self, state: Any, player: int, action: int) -> None:
            self.heard.append((state.move_number(), player, action))

    opponent = Listener()
    history, _ = play(Env("unane", opponent, size="4x4", pie=False), seed=1)
    assert opponent.heard == [
        "restart",
        *((ply, 0, history[ply]) for ply in range(0, len(history), 2)),
    ]


def test_a_better_opponent_wins_more() -> None:
    def score(opponent: str) -> float:
        environment = Env("unane", opponent, seat="alternate", size="4x4")
        environment.action_space.seed(1)
        total, seed = 0.0, 1
        for _ in range(20):
            environment.reset(seed=seed)
            seed, over = seed + 1, False
            while not over:
                _, reward, over, _, _ = environment.step(environment.action_space.sample())
            total += reward
        return total

    assert score("mcts:60") < score("random")


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    environment = Env("unane", size="4x4")
    observation, _ = environment.reset(seed=1)
    swap = environment.core.string_to_action("swap")
    for action in (swap, np.int64(swap), -1, 10**6, None, "a1xa2"):
        with pytest.raises((ValueError, TypeError), match="action") as caught:
            environment.step(action)
        assert "\n" not in str(caught.value)
    assert environment.core.is_initial_state()
    assert np.array_equal(environment.step(0)[0].shape, observation.shape)


def test_an_illegal_action_may_lose() -> None:
    environment = Env("unane", illegal="lose", size="4x4")
    environment.reset(seed=1)
    before = environment.core.position()
    swap = environment.core.string_to_action("swap")
    _, reward, terminated, truncated, _ = environment.step(swap)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert environment.core.position() == before
    with pytest.raises(ValueError, match=r"reset\(\)"):
        environment.step(0)
    environment.reset()
    assert not environment.step(0)[2] or environment.core.is_terminal()
    with pytest.raises(ValueError, match="out of range"):
        environment.step(10**6)


def test_no_step_without_a_game() -> None:
    environment = Env("unane", size="4x4")
    with pytest.raises(ValueError, match=r"reset\(\)"):
        environment.step(0)
    play(environment)
    with pytest.raises(ValueError, match=r"reset\(\)"):
        environment.step(0)


def test_a_game_that_the_opponent_ends_at_once() -> None:
    """Ūnane 2×2 is won by its first move."""
    environment = Env("unane", seat="second", size="2x2")
    _, info = environment.reset(seed=1)
    assert not info["action_mask"].any()
    _, reward, terminated, _, _ = environment.step(environment.action_space.sample())
    assert (reward, terminated) == (-1, True)


def test_an_opponent_that_cheats_is_named() -> None:
    class Cheat:
        name = "cheat"

        def step(self, state: Any) -> int:
            return 0 if state.move_number() > 4 else int(state.legal_actions()[0])

    environment = Env("unmergo", Cheat())
    environment.reset()
    with pytest.raises(ValueError, match=r"the opponent \(cheat\) chose .*illegal"):
        play(environment)


@pytest.mark.parametrize(
    ("arguments", "parameters", "words"),
    [
        (("chess",), {}, "chess"),
        (("unane",), {"size": "3x3"}, "even"),
        (("unane", "alphazero"), {}, "alphazero"),
        (("unane", 7), {}, "opponent"),
        (("unane", "human"), {}, "an opponent cannot be a person"),
        (("unane", HumanPlayer()), {}, "an opponent cannot be a person"),
        (("unane", "perfect"), {}, "'perfect' plays fano330 alone, not unane"),
        (("unane", PerfectPlayer()), {}, "'perfect' plays fano330 alone, not unane"),
        (("unane",), {"seat": "third"}, "seat"),
        (("unane",), {"illegal": "ignore"}, "'raise' or 'lose'"),
        (("unane",), {"render_mode": "video"}, "render_mode"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*render_mode='video'")  # Gymnasium says so first
def test_bad_arguments(arguments: Any, parameters: Any, words: str) -> None:
    for maker in (Env, make):
        with pytest.raises((ValueError, TypeError), match=words):
            maker(*arguments, **parameters)


def test_a_perfect_opponent() -> None:
    environment = make("fano330", "perfect", seat="alternate")
    for seed in range(4):
        assert play(environment, seed)[1] <= 0
    twin = copy.deepcopy(environment.unwrapped)
    assert play(twin, 1) == play(environment, 1)


def test_registered_names() -> None:
    name = "quincunx.adapters.gymnasium:quincunx/unane-v0"
    environment = gymnasium.make(name, opponent="mcts:5", size="4x4")
    assert isinstance(environment.unwrapped, Env)
    assert environment.spec.id == "quincunx/unane-v0"
    environment.reset(seed=1)
    game = quincunx.load_game("unane", size="4x2", pie=False)
    assert make(game).unwrapped.game == Env(game).game == game
    vector = gymnasium.make_vec(name, num_envs=3, vectorization_mode="sync", size="4x4")
    observations, infos = vector.reset(seed=1)
    assert observations.shape == (3, 6, 4, 4)
    assert infos["action_mask"].shape == (3, 81)
    vector.step(infos["action_mask"].argmax(axis=1))
    vector.close()


class Failing:
    """An opponent that plays two moves."""

    def __init__(self) -> None:
        self.moves = 0

    def step(self, state: quincunx.State) -> int:
        self.moves += 1
        if self.moves == 3:
            raise ConnectionError("no one there")
        return state.legal_actions()[0]


def test_no_game_goes_on_after_an_opponent_failed() -> None:
    """The agent would play in its place."""
    environment = Env("unane", Failing(), size="4x4", seat="second")
    environment.reset(seed=1)
    environment.step(environment.action_space.sample())
    with pytest.raises(ConnectionError):
        environment.step(environment.action_space.sample())
    played = environment.core.history()
    with pytest.raises(ValueError, match="no game is running: call reset"):
        environment.step(environment.core.legal_actions()[0])
    assert environment.core.history() == played
    environment.reset()
    environment.step(environment.action_space.sample())


def test_spaces_are_sent_around_without_the_environment() -> None:
    """As vectors of environments in processes do; a tree of MCTS cannot be sent."""
    environment = Env("unane", "mcts:5", size="4x4")
    assert pickle.loads(pickle.dumps(environment.action_space)) == environment.action_space
    assert copy.deepcopy(environment.action_space) == environment.action_space


@pytest.mark.parametrize("how", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_go_on_by_themselves(how: Any) -> None:
    environment = Env("unmergo", size=3)
    environment.reset(seed=1)
    environment.step(3)
    twin = how(environment)
    assert twin.core == environment.core
    twin.step(twin.action_space.sample())
    assert twin.core.move_number() > environment.core.move_number()
    # What the twin samples is legal for the twin.
    for _ in range(20):
        assert environment.core.legal_actions_mask()[environment.action_space.sample()]
        assert twin.core.is_terminal() or twin.action_masks()[twin.action_space.sample()]


def test_render_modes(capsys: pytest.CaptureFixture[str]) -> None:
    environment = Env("unmergo", render_mode="ansi")
    environment.reset(seed=1)
    assert environment.render() == str(environment.core)
    picture = Env("unmergo", render_mode="rgb_array")
    picture.reset(seed=1)
    assert picture.render().dtype == np.uint8
    assert capsys.readouterr().out == ""
    people = Env("unmergo", render_mode="human")
    people.reset(seed=1)
    people.step(0)
    assert capsys.readouterr().out.count("Unmergo: ") == 2
    quiet = Env("unmergo")
    quiet.reset()
    assert quiet.render() is None
