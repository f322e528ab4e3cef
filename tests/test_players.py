"""Players: the protocol, seeds, names; and that the search plays what it finds."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import quincunx
from cases import Case
from quincunx.match import play_game
from quincunx.players import (
    HumanPlayer,
    MCTSPlayer,
    PerfectPlayer,
    Player,
    RandomPlayer,
    derive_seed,
    inform,
    name_of,
    player_from_name,
    restart,
)

GAMES = {
    "fano330": {},
    "impedio": {"size": 3},
    "meigo": {"size": "3x3"},
    "unane": {"size": "4x4"},
    "unmergo": {"size": 2},
}


def start(game: str) -> Any:
    return quincunx.load_game(game, **GAMES[game]).new_initial_state()


def test_a_random_player_finishes_every_game(case: Case) -> None:
    state = case.core().new_initial_state()
    last = play_game(state, (RandomPlayer(1), RandomPlayer(2)), max_plies=3000)
    assert last.is_terminal() or last.move_number() == 3000
    assert state.move_number() == 0


def test_random_players_are_repeatable() -> None:
    state = quincunx.load_game("unmergo").new_initial_state()
    games = [
        play_game(state, (RandomPlayer(a), RandomPlayer(b))).history()
        for a, b in [(1, 2), (1, 2), (1, 3)]
    ]
    assert games[0] == games[1] != games[2]


def test_a_random_player_tries_everything() -> None:
    state = start("unmergo")
    player = RandomPlayer()
    assert {player.step(state) for _ in range(200)} == set(state.legal_actions())


@pytest.mark.parametrize("game", GAMES)
def test_a_search_plays_every_game(game: str) -> None:
    search = MCTSPlayer(simulations=20, seed=1)
    last = play_game(start(game), (search, RandomPlayer(1)), max_plies=400)
    assert last.is_terminal()
    restart(search)


@pytest.mark.parametrize("game", GAMES)
def test_searches_are_repeatable(game: str) -> None:
    def play() -> list[int]:
        players = MCTSPlayer(simulations=15, seed=1), MCTSPlayer(simulations=15, seed=2)
        return play_game(start(game), players, max_plies=12).history()

    assert play() == play()


def test_a_search_tells_what_it_finds() -> None:
    state = start("unane")
    player = MCTSPlayer(simulations=300, seed=1)
    told: list[Any] = []
    result = player.search(state, told.append)
    assert result.simulations == 300
    assert result.best_action in state.legal_actions()
    assert all(update.simulations <= 300 for update in told)
    assert MCTSPlayer(simulations=300, seed=1).step(state) == result.best_action


def test_names_of_players() -> None:
    assert isinstance(player_from_name("random"), RandomPlayer)
    assert isinstance(player_from_name("human"), HumanPlayer)
    for name in ("mcts:20", "mcts:1s", "mcts:1.5s", "mcts:20ms", "mcts:20,c=0.5", "mcts:1s,seed=3"):
        player = player_from_name(name, seed=2**64 - 1, threads=2)
        assert isinstance(player, MCTSPlayer)
        assert name_of(player) == name
    assert name_of(MCTSPlayer(50)) == "mcts:50"
    assert name_of(MCTSPlayer(seconds=0.5)) == "mcts:0.5s"
    assert player_from_name("mcts:20", seed=3).step(start("unmergo")) == MCTSPlayer(
        20, seed=3
    ).step(start("unmergo"))


@pytest.mark.parametrize(
    "name",
    [
        "", "Random", "random:1", "mcts", "mcts:", "mcts:0", "mcts:x", "mcts:-1", "mcts:1m",
        "mcts:0s", "mcts:1e3", "mcts:20 ", "mcts:20,", "mcts:20,c", "mcts:20,c=",
        "mcts:20,colour=red", "mcts:20,c=1,c=2", "mcts:20,seconds=1", "mcts:20,name=x",
        "mcts:20,threads=0", "mcts:９",
    ],
)  # fmt: skip
def test_names_of_no_player(name: str) -> None:
    with pytest.raises(ValueError, match="player") as caught:
        player_from_name(name)
    message = str(caught.value)
    assert repr(name) in message
    assert "\n" not in message


def test_anything_with_a_step_is_a_player() -> None:
    class Bot:
        def step(self, state: Any) -> int:
            return 0

    bot = Bot()
    assert isinstance(bot, Player)
    assert not isinstance(object(), Player)
    assert name_of(bot) == "Bot"
    # Nothing more is asked of it.
    restart(bot)
    inform(bot, start("unmergo"), 0, 0)


def test_seeds_have_nothing_in_common() -> None:
    seeds = {derive_seed(a, b, c) for a in range(10) for b in "ab" for c in range(10)}
    assert len(seeds) == 200
    assert all(0 <= seed < 2**64 for seed in seeds)
    # The same on every machine, for good.
    assert derive_seed(1, "a", 2) == 14885716101866245751


def test_a_perfect_player_is_copied_without_its_table() -> None:
    state, player = start("fano330"), PerfectPlayer(3)
    player.step(state)
    twin = pickle.loads(pickle.dumps(player))
    assert [twin.step(state) for _ in range(9)] == [player.step(state) for _ in range(9)]
    with pytest.raises(ValueError, match="plays fano330 alone, not unane"):
        player.step(start("unane"))


def test_a_person_is_asked_until_it_is_legal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = iter(["x9", "b1", " a1 "])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    state = start("unane")
    assert "b1" not in [state.action_to_string(action) for action in state.legal_actions()]
    state.apply_action(state.string_to_action("a1xa2"))
    lines = iter(["x9", "swap"])
    assert HumanPlayer().step(state) == state.string_to_action("swap")
    assert "'x9' is not an action" in capsys.readouterr().out
