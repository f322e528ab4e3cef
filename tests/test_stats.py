"""Measurements in self-play: against counts made by hand, and the table, the JSON, the plot."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quincunx
from quincunx import cli
from quincunx.intervals import wilson
from quincunx.plots import plot_stats
from quincunx.stats import SelfPlay, Stats, stats

UNANE = quincunx.load_game("unane", size="4x4")


class First:
    """Plays the lowest legal action: the same game every time."""

    name = "first"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def step(self, state: Any) -> int:
        action: int = state.legal_actions()[0]
        return action


def first_game() -> Any:
    state = UNANE.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state


def test_one_game_by_hand() -> None:
    last = first_game()
    measured = stats(UNANE, First, games=3)
    assert (measured.player, measured.games, measured.sampled, measured.distinct) == (
        "first",
        3,
        3,
        1,
    )
    assert measured.wins == (3 if last.returns()[0] > 0 else 0)
    assert measured.wins + measured.losses == 3
    assert measured.lengths == (last.move_number(),) * 3
    state, choices = UNANE.new_initial_state(), []
    for action in last.history():
        choices.append((3, float(len(state.legal_actions()))))
        state.apply_action(action)
    assert measured.branching == tuple(choices)
    assert measured.mean_branching == pytest.approx(np.mean([count for _, count in choices]))
    assert measured.openings == ((last.action_to_string(last.history()[0]), 3),)
    assert measured.opening_entropy == 0
    assert len(measured.decided) == 3


def test_random_games_in_the_core() -> None:
    measured = stats("unmergo", "random", 2500, seed=7, sample=5)
    assert (measured.games, measured.sampled, measured.distinct) == (2500, 5, 5)
    assert measured.wins + measured.draws + measured.losses == 2500
    assert measured.first_player_score == (measured.wins + measured.draws / 2) / 2500
    assert measured.first_player_interval == wilson(measured.wins + measured.draws / 2, 2500)
    assert list(measured.lengths) == sorted(measured.lengths)
    assert measured.length_quantile(0) == measured.lengths[0]
    assert measured.length_quantile(1) == measured.lengths[-1]
    middle = np.quantile(measured.lengths, 0.5, method="inverted_cdf")
    assert measured.length_quantile(0.5) == middle
    assert measured.branching[0] == (5, 61.0)
    assert 0 < (measured.median_decided or 0) <= 1
    # From another start, or on other processes, nothing else changes.
    assert stats("unmergo", "random", 2500, seed=7, sample=5, threads=2) == measured
    assert stats("unmergo", "random", 2500, seed=8, sample=5) != measured


def test_games_cut_off_have_no_result() -> None:
    for openings in (0, 1):
        measured = stats("meigo", "random", 20, max_plies=9, sample=3, openings=openings)
        assert (measured.unfinished, measured.finished, measured.games) == (20, 0, 20)
        assert set(measured.lengths) == {9 - openings}
        assert (measured.first_player_score, measured.decided) == (0.5, ())
        assert measured.median_decided is None


def test_games_with_openings_differ() -> None:
    measured = stats(UNANE, First, games=12, openings=3)
    assert measured.distinct > 6
    assert sum(count for _, count in measured.openings) == 12


def test_entropy() -> None:
    def opened(*counts: int) -> Stats:
        openings = tuple((f"a{n}", count) for n, count in enumerate(counts))
        return Stats("x", 0, 0, 0, 0, (), sum(counts), (), openings, (), 0)

    assert opened(5, 5, 5, 5).opening_entropy == pytest.approx(2)
    assert opened(7).opening_entropy == 0
    assert opened().opening_entropy == 0
    assert opened(1, 3).opening_entropy == pytest.approx(0.8112781)


def test_a_search_says_when_it_knew() -> None:
    class Knowing(First):
        """Expects from the third ply of the game on what really comes."""

        def search(self, state: Any) -> Any:
            winner = 0 if first_game().returns()[0] > 0 else 1
            sure = state.move_number() >= 2
            right = state.current_player() == winner

            class Result:
                best_action = state.legal_actions()[0]
                value = (0.5 if right else -0.5) if sure else (-0.5 if right else 0.5)
                proven = None

            return Result

    length = first_game().move_number()
    assert stats(UNANE, Knowing, games=1).decided == (2 / length,)


def test_self_play_by_a_search() -> None:
    measured = stats(UNANE, "mcts:20", games=4, seed=1)
    assert measured == stats(UNANE, "mcts:20", games=4, seed=1, processes=2)
    assert (measured.player, measured.games, measured.sampled) == ("mcts:20", 4, 4)
    assert len(measured.decided) == 4


def test_progress_and_what_there_is_on_the_way() -> None:
    self_play = SelfPlay(UNANE, "random", 1500, sample=2)
    assert self_play.stats().games == 0
    assert self_play.stats().first_player_interval == (0, 1)
    told: list[int] = []
    self_play.run(told.append)
    assert told == [1000, 1500, 1501, 1502]
    assert self_play.steps == 1502


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"games": 0}, "games, sample and estimate"),
        ({"sample": 0}, "games, sample and estimate"),
        ({"openings": -1}, "openings and max_plies"),
        ({"player": "human"}, "a person cannot play"),
        ({"player": "x"}, "there is no player 'x'"),
        ({"position": "...x/..../..../.... o - -"}, "the game is over"),
        ({"processes": 0}, "processes"),
    ],
)
def test_what_does_not_fit_is_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        stats(UNANE, **options)


# ---- the command


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["stats", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


OPTIONS = ("unane", "-p", "size=4x4", "--seed", "3", "--processes", "1", "--sample", "4")


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *OPTIONS, "--player", "random", "--games", "400")
    assert (code, err) == (0, "")
    measured = stats(UNANE, "random", 400, seed=3, sample=4)
    rows = dict(Counter(line[:27].strip() for line in out.splitlines()))
    assert rows["first player scores"] == rows["winner known after, median"] == 1
    assert f"{measured.first_player_score:.1%}" in out
    assert f"{measured.mean_length:.1f}" in out
    assert f"{measured.opening_entropy:.2f} bits" in out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    players = ("--player", "random", "--player", "mcts:5", "--games", "4", "--json")
    code, out, err = run(capsys, *OPTIONS, *players)
    assert (code, err) == (0, "")
    first, second = map(json.loads, out.splitlines())
    assert (first["player"], second["player"]) == ("random", "mcts:5")
    measured = stats(UNANE, "random", 4, seed=3, sample=4)
    assert first["wins"] == measured.wins
    assert first["branching"][0] == {"games": 4, "mean": 24.0}
    assert first["openings"] == dict(measured.openings)
    assert list(first["length_quantiles"]) == ["0", "0.05", "0.25", "0.5", "0.75", "0.95", "1"]


def test_ctrl_c_keeps_what_there_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_all = SelfPlay.run

    def interrupted(self: SelfPlay, on_progress: Any = None) -> Stats:
        def stop(done: int) -> None:
            if done > 1000:
                raise KeyboardInterrupt

        return run_all(self, stop)

    monkeypatch.setattr(SelfPlay, "run", interrupted)
    code, out, err = run(capsys, *OPTIONS, "--player", "random", "--games", "5000", "--json")
    assert code == 130
    assert json.loads(out)["games"] == 2000
    assert err == "quincunx: stopped after 2,000 games of random\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--player", "chess"), "there is no player 'chess'"),
        (("--games", "0"), "--games"),
        (("--plot", "x.gif"), "whose name ends in .svg or .png, not 'x.gif'"),
        (("--player", "human"), "a person cannot play"),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str
) -> None:
    code, out, err = run(capsys, *OPTIONS, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert complaint in err


# ---- plots


def test_a_plot(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "unane.svg"
    code, _, err = run(capsys, *OPTIONS, "--player", "random", "--games", "50", "--plot", str(path))
    assert (code, err) == (0, "")
    drawn = path.read_text(encoding="utf-8")
    for text in ("<svg", "Ūnane, size=4x4", "legal actions by ply", "winner known", "random"):
        assert text in drawn
    # The same measurements give the same picture.
    again = tmp_path / "again.svg"
    measured = stats(UNANE, "random", 50, seed=3, sample=4)
    plot_stats([measured], again, "Ūnane, size=4x4, pie=true")
    assert again.read_text(encoding="utf-8") == drawn
    plot_stats([measured, measured], tmp_path / "two.png", "Ūnane")
    assert (tmp_path / "two.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_without_matplotlib(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = tmp_path / "x.svg"
    code, out, err = run(capsys, *OPTIONS, "--plot", str(path))
    assert (code, out) == (2, "")
    assert err.startswith("quincunx: plots need matplotlib, which is not installed: pip install")
    assert not path.exists()
