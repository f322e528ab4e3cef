"""The crosscheck: that core and reference agree, and that a disagreement would be found and told.

The second half breaks one of the two on purpose.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

import pytest

from quincunx import cli, reference
from quincunx.crosscheck import Disagreement, crosscheck
from quincunx.reference import base, impedio, meigo, unane, unmergo

SMALL = [
    ("fano330", {}),
    ("fano330", {"adjacency": "plane", "repetition": 2}),
    ("fano330", {"max_plies": 9}),
    ("impedio", {"size": 3, "max_plies": 60}),
    ("impedio", {"setup": "ring", "max_plies": "40"}),
    ("meigo", {"size": "3x4"}),
    ("meigo", {"size": (5, 5), "reach": "friendly"}),
    ("meigo", {"size": "3x3", "auction": True, "repetition": 3}),
    ("meigo", {"size": "4x4", "handicap": ["b2", "d4"]}),
    ("unane", {"size": "4x3"}),
    ("unane", {"size": "6x6", "pie": False}),
    ("unmergo", {"size": 2}),
    ("unmergo", {"size": 4}),
]


@pytest.mark.parametrize(("game", "parameters"), SMALL)
def test_core_and_reference_agree(game: str, parameters: Mapping[str, Any]) -> None:
    report = crosscheck(game, parameters, games=4, seed=7, max_plies=150)
    assert report, report.disagreement
    assert report.games == 4
    assert report.plies > 4


def test_games_depend_on_the_seed_and_their_number_alone() -> None:
    def plies_of(games: int, seed: int) -> int:
        return crosscheck("unmergo", {"size": 3}, games, seed).plies

    assert plies_of(3, 1) == plies_of(3, 1)
    assert len({plies_of(3, seed) for seed in range(5)}) > 1
    assert plies_of(2, 1) < plies_of(3, 1)


def test_a_position_to_start_from_and_a_limit() -> None:
    position = "..../..../x.../o... x 0 0 u -"
    report = crosscheck("meigo", {"size": "4x4"}, 3, 0, position, max_plies=5)
    assert report
    assert report.plies == 15


def test_progress_is_told_after_every_ply() -> None:
    told: list[tuple[int, int]] = []

    def on_progress(games: int, plies: int) -> None:
        told.append((games, plies))

    report = crosscheck("unmergo", {"size": 2}, 2, on_progress=on_progress)
    assert told == sorted(told)
    assert told[-1] == (2, report.plies)
    assert {plies for _, plies in told} == set(range(1, report.plies + 1))


@pytest.mark.parametrize(
    ("game", "parameters", "position"),
    [("chess", {}, None), ("unane", {"size": "3x3"}, None), ("unane", {}, "oxox")],
)
def test_what_both_refuse_is_bad_input(
    game: str, parameters: Mapping[str, Any], position: str | None
) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        crosscheck(game, parameters, 1, 0, position)


# ---- a broken side


def found(game: str, parameters: Mapping[str, Any] | None = None, games: int = 20) -> Disagreement:
    report = crosscheck(game, parameters, games)
    assert not report
    assert report.disagreement is not None
    return report.disagreement


@pytest.fixture
def forbid_e5(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reference that does not allow e5 to whoever has a stone next to it on d4."""
    placements = unmergo.Unmergo.placements

    def broken(self: unmergo.Unmergo, stones: dict[str, str], colour: str) -> list[str]:
        allowed = placements(self, stones, colour)
        return [cell for cell in allowed if cell != "e5" or stones.get("d4") != colour]

    monkeypatch.setattr(unmergo.Unmergo, "placements", broken)


@pytest.mark.usefixtures("forbid_e5")
def test_a_disagreement_about_actions_is_shrunk_to_one_stone() -> None:
    disagreement = found("unmergo")
    assert disagreement.what == "legal actions"
    assert disagreement.moves == ()
    assert disagreement.position is not None
    assert sum(letter in "ox" for letter in disagreement.position.split(" ")[0]) == 1
    assert "1 of its own: e5 (action 30)" in disagreement.core
    assert "all of which" in disagreement.reference


@pytest.mark.usefixtures("forbid_e5")
def test_the_command_reproduces_the_state(capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(found("unmergo", {"size": "5"}).command)
    assert words[:5] == ["quincunx", "show", "unmergo", "-p", "size=5"]
    assert cli.main([*words[1:], "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    state = reference.load_game("unmergo").new_initial_state(shown["position"])
    ours = [state.action_to_string(action) for action in state.legal_actions()]
    assert set(shown["legal_actions"]) - set(ours) == {"e5"}


@pytest.mark.usefixtures("forbid_e5")
def test_the_command_line_tells_a_disagreement_and_exits_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["crosscheck", "unmergo", "--games", "20"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("core and reference disagree about: legal actions\n")
    assert "\n  reproduce: quincunx show unmergo --position '" in text
    assert cli.main(["crosscheck", "unmergo", "--games", "20", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["agree"] is False
    assert set(told["disagreement"]) == {
        "what",
        "position",
        "moves",
        "core",
        "reference",
        "command",
    }
    assert told["disagreement"]["what"] == "legal actions"


def test_a_disagreement_about_the_history_keeps_the_actions_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The second occurrence is no draw for this reference: no position alone can show it.
    monkeypatch.setattr(base.State, "_judge", _judge_without_repetition)
    disagreement = found("meigo", {"size": "2x2", "repetition": 2})
    assert disagreement.what == "end of the game"
    assert (disagreement.core, disagreement.reference) == ("True", "False")
    assert len(disagreement.moves) >= 2


def _judge_without_repetition(state: Any) -> Any:
    moves = state._game.moves(state._position)
    outcome = state._game.outcome(state._position, moves)
    legal = [] if outcome is not None else sorted(state._game._ids[m] for m in moves)
    return outcome, legal


def test_a_disagreement_about_the_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unane.Unane, "person", staticmethod(lambda colour, _: int(colour == "o")))
    disagreement = found("unane", {"size": "4x3"})
    # After a swap the person to move is another.
    assert disagreement.what == "player to move"


def test_a_disagreement_about_the_effect_of_an_action(monkeypatch: pytest.MonkeyPatch) -> None:
    after = impedio.Impedio.after

    def broken(self: Any, position: Any, action: str) -> Any:
        then = after(self, position, action)
        return position if action.endswith("c3") else then

    monkeypatch.setattr(impedio.Impedio, "after", broken)
    disagreement = found("impedio", {"size": 3})
    assert disagreement.what == "position"
    assert len(disagreement.moves) == 1
    assert disagreement.moves[0].endswith("c3")


def test_an_action_that_one_side_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    after = meigo.Meigo.after

    def broken(self: Any, position: Any, action: str) -> Any:
        if action == "hold":
            raise ValueError("no holds here")
        return after(self, position, action)

    monkeypatch.setattr(meigo.Meigo, "after", broken)
    # The costlier checks play actions too.
    monkeypatch.setattr("quincunx.crosscheck._THOROUGH_EVERY", 10**9)
    disagreement = found("meigo", {"size": "3x3"})
    assert disagreement.what == "playing a legal action"
    assert disagreement.core == "hold is played"
    assert disagreement.reference == "hold raises ValueError: no holds here"
    assert disagreement.moves == ("hold",)


def test_a_position_that_one_side_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, text: str) -> Any:
        raise ValueError("no reading today")

    monkeypatch.setattr(unmergo.Unmergo, "read", broken)
    report = crosscheck("unmergo", {"size": 2}, 3, 0, "../.../o. b place")
    assert report.games == 0
    assert report.disagreement is not None
    assert report.disagreement.what == "reading the position"
    assert report.disagreement.core == "accepts it"
    assert report.disagreement.reference == "raises ValueError: no reading today"


def test_an_undo_that_takes_back_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    undo = base.State.undo

    def broken(self: Any) -> None:
        undo(self)
        if len(self._past) > 3:
            undo(self)

    monkeypatch.setattr(base.State, "undo", broken)
    disagreement = found("unmergo", {"size": 3})
    assert disagreement.what == "undo"
    assert disagreement.core == "nothing amiss"
    assert "undo" in disagreement.reference
    assert len(disagreement.moves) == 4


def test_a_clone_that_is_not_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base.State, "clone", lambda self: self)
    disagreement = found("unane", {"size": "4x4"})
    assert disagreement.what == "clone"
    assert disagreement.reference == "playing on a clone changes the original"


def test_an_illegal_action_that_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base.State, "_objection", lambda self, action: None)
    disagreement = found("unmergo", {"size": 2})
    assert disagreement.what == "refusing an illegal action"
    assert disagreement.core == "nothing amiss"


def test_an_explanation_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base.State, "explain", lambda self, text: None)
    disagreement = found("unmergo", {"size": 2})
    assert disagreement.what == "refusing an illegal action"
    assert disagreement.reference.endswith("but explain finds nothing against it")


def test_a_turn_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: Any, text: str) -> None:
        raise ValueError("no turns")

    monkeypatch.setattr(base.State, "apply_turn", broken)
    disagreement = found("unmergo", {"size": 2})
    assert disagreement.what == "playing a turn"
    assert disagreement.core == "nothing amiss"
    assert disagreement.reference.endswith("as a turn it raises ValueError: no turns")


def test_a_position_that_does_not_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    read = unane.Unane.read
    monkeypatch.setattr(unane.Unane, "read", lambda self, text: read(self, text[:-1] + "-"))
    disagreement = found("unane", {"size": "4x4"}, games=200)
    assert disagreement.what == "reading its own position"
    assert disagreement.core == "nothing amiss"
    assert disagreement.reference.startswith("its position reads back as ")
    assert "swap" in disagreement.moves


@pytest.mark.usefixtures("forbid_e5")
def test_ctrl_c_while_shortening_keeps_the_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: object, finding: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("quincunx.crosscheck._Checker.shorten", interrupted)
    disagreement = found("unmergo")
    assert disagreement.what == "legal actions"
    assert disagreement.position is None
    assert len(disagreement.moves) > 0
