"""Matches: who begins, openings, the same games whatever happens, files."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import quincunx
from quincunx import cli
from quincunx.intervals import elo_difference, wilson
from quincunx.match import MatchResult, match, play_game, random_opening
from quincunx.players import RandomPlayer
from quincunx.records import RecordError, load, write
from quincunx.tasks import run_tasks

UNANE = quincunx.load_game("unane", size="4x4")


class First:
    """Plays the lowest legal action: without any randomness."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.restarts = 0
        self.seen: list[tuple[int, int]] = []

    def step(self, state: Any) -> int:
        action: int = state.legal_actions()[0]
        return action

    def restart(self) -> None:
        self.restarts += 1

    def inform_action(self, state: Any, player: int, action: int) -> None:
        assert action in state.legal_actions()
        self.seen.append((player, action))


# ---- figures


def test_intervals() -> None:
    # Wilson's interval, as tables have it.
    assert wilson(8, 10) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1
    assert wilson(0, 0) == (0, 1)
    low, high = wilson(50, 100)
    assert low + high == pytest.approx(1)


def test_elo() -> None:
    assert elo_difference(0.5) == 0
    assert elo_difference(10 / 11) == pytest.approx(400)
    assert elo_difference(0.64) == pytest.approx(-elo_difference(0.36))
    assert (elo_difference(0), elo_difference(1)) == (-math.inf, math.inf)


# ---- who plays what


def test_players_alternate_and_share_openings() -> None:
    result = match(UNANE, "random", First, 6, seed=5, openings=3)
    assert [record.round for record in result.records] == [1, 2, 3, 4, 5, 6]
    assert [record.players for record in result.records] == [
        ("random", "First"),
        ("First", "random"),
    ] * 3
    openings = [record.turns[:3] for record in result.records]
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) == 3


def test_players_without_randomness_repeat_no_game() -> None:
    result = match(UNANE, First, First, 8, openings=4)
    games = [record.turns for record in result.records]
    assert len(set(games)) == 4  # with the players changed they play the same
    assert games[0::2] == games[1::2]
    assert result.score == 0.5


def test_the_result_counts_for_a() -> None:
    result = match(UNANE, "random", "random", 20, seed=1)
    wins = sum(
        record.result == ("1-0" if number % 2 else "0-1")
        for number, record in enumerate(result.records, start=1)
    )
    assert result.wins == wins
    assert (result.games, result.wins + result.draws + result.losses) == (20, 20)
    assert sum(result.as_first) == sum(result.as_second) == 10
    assert result.score == result.wins / 20
    assert result.interval == wilson(result.wins, 20)
    assert str(result).endswith(f": {result.wins}-{result.draws}-{result.losses}")
    low, high = result.elo_interval
    assert low < result.elo < high
    assert result.mean_length > 4


def test_the_same_games_for_the_same_seed() -> None:
    one, two = (match(UNANE, "random", "random", 4, seed=1).records for _ in range(2))
    assert one == two
    # A longer match goes on as the shorter one began.
    assert match(UNANE, "random", "random", 6, seed=1).records[:4] == one
    assert match(UNANE, "random", "random", 4, seed=2).records != one


def test_a_player_object_plays_and_is_told() -> None:
    player = First()
    result = match("fano330", player, "random", 2, openings=0)
    assert player.restarts == 3  # once to ask for its name
    others = [actor for actor, _ in player.seen]
    plies = [record.final_state().move_number() for record in result.records]
    assert others == [1] * (plies[0] // 2) + [0] * (plies[1] - plies[1] // 2)


class Careless(First):
    """Plays on in every state that it is shown."""

    def step(self, state: Any) -> int:
        action = super().step(state)
        state.apply_action(action)
        return action

    def inform_action(self, state: Any, player: int, action: int) -> None:
        super().inform_action(state, player, action)
        state.apply_action(action)


def test_players_may_play_on_in_their_states() -> None:
    careful, careless = (
        match(UNANE, player, player, games=4, openings=2, seed=3) for player in (First, Careless)
    )
    assert [game.turns for game in careless.records] == [game.turns for game in careful.records]


def test_names_of_functions_that_make_players() -> None:
    class Named(First):
        name = "a class"

        def __init__(self, seed: int = 0) -> None:
            super().__init__(seed)
            self.name = f"from a class of {type(self).name}"

    def make(seed: int) -> First:
        return Named(seed)

    for name, expected in (("mine", "mine"), ("", "from a class of a class"), (7, "from a class")):
        make.name = name  # type: ignore[attr-defined]
        result = match(UNANE, make, Named, 2)
        assert result.names[0].startswith(expected)
        assert result.names[1] == "from a class of a class"
        assert result.records[1].players == result.names[::-1]


def test_games_too_long_are_draws() -> None:
    result = match("meigo", "random", "random", 2, max_plies=7)
    assert result.draws == 2
    assert [len(record.turns) for record in result.records] == [7, 7]
    assert result.records[0].reason == "adjudication"


def test_a_match_from_a_position() -> None:
    position = UNANE.new_initial_state().child(0).position()
    result = match(UNANE, "random", "random", 2, position=position)
    assert {record.start for record in result.records} == {position}


@pytest.mark.parametrize(
    ("a", "options", "reason"),
    [
        ("chess", {}, "there is no player 'chess'"),
        ("human", {}, "a person cannot play a match"),
        (lambda seed: seed, {}, "is not a player"),
        (First(), {"processes": 2}, "with several processes"),
        ("perfect", {}, "'perfect' plays fano330 alone, not unane"),
        ("random", {"games": 0}, "games and processes must be 1 or more"),
        ("random", {"openings": -1}, "openings and max_plies must be"),
        ("random", {"position": "x./.. o - -"}, "'rows' must have 4 rows"),
        ("random", {"position": "...x/..../..../.... o - -"}, "the game is over in this position"),
        ("random", {"processes": 0}, "games and processes must be 1 or more"),
    ],
)
def test_what_does_not_fit_is_refused(a: Any, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        match(UNANE, a, "random", **{"games": 2, **options})


def test_an_illegal_action_is_named_with_its_player() -> None:
    class Cheat:
        name = "a cheat"

        def step(self, state: Any) -> int:
            return 0

    players = RandomPlayer(1), Cheat()
    state = quincunx.load_game("unmergo", size=2).new_initial_state()
    state.apply_turn("a1")
    with pytest.raises(ValueError, match=r"player 1 \(a cheat\) chose .* a1"):
        play_game(state, players)


def test_openings_do_not_end_games() -> None:
    start = quincunx.load_game("unane", size="2x2").new_initial_state()
    for seed in range(20):
        assert not random_opening(start, 5, seed).is_terminal()
    start = quincunx.load_game("unmergo").new_initial_state()
    for seed in range(10):
        opening = random_opening(start, 3, seed)
        assert opening.position().endswith(" place")
        assert opening.move_number() in (3, 4)
    assert random_opening(start, 3, 1) == random_opening(start, 3, 1)


# ---- processes


def test_the_same_games_on_several_processes() -> None:
    factory = partial(RandomPlayer)
    one = match(UNANE, factory, "random", 7, seed=3)
    told: list[int] = []
    two = match(
        UNANE,
        factory,
        "random",
        7,
        seed=3,
        processes=2,
        on_progress=lambda at: told.append(at.games),
    )
    assert one == two
    assert told == list(range(8))


def test_tasks() -> None:
    for processes in (1, 2):
        done = dict(run_tasks(math.factorial, range(5), processes))
        assert done == {0: 1, 1: 1, 2: 2, 3: 6, 4: 24}
    assert list(run_tasks(math.factorial, [], 2)) == []


def test_tasks_that_fail() -> None:
    for processes in (1, 2):
        with pytest.raises(ValueError, match="not defined for negative"):
            list(run_tasks(math.factorial, [1, -1, 2], processes))
    with pytest.raises(RuntimeError, match="a worker process died, exit code 3"):
        list(run_tasks(os._exit, [3], 2))
    # What cannot be pickled is told in words.
    with pytest.raises(RuntimeError, match="TextIOWrapper"):
        list(run_tasks(open, [os.devnull], 2))


# ---- files


def play_into(path: Path, games: int = 6, resume: bool = True, **options: Any) -> MatchResult:
    return match(UNANE, "random", "random", games, seed=4, path=path, resume=resume, **options)


def test_games_are_written_as_they_end(tmp_path: Path) -> None:
    path = tmp_path / "match.qx"
    sizes: list[int] = []
    result = play_into(path, resume=False, on_progress=lambda at: sizes.append(len(load(path))))
    assert sizes == list(range(7))
    assert load(path) == list(result.records)
    assert path.read_text(encoding="utf-8") == write(result.records)


def test_a_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "match.qx"
    play_into(path, resume=False)
    with pytest.raises(ValueError, match=r"match\.qx exists: resume"):
        play_into(path, resume=False)


def test_a_match_goes_on_after_any_interruption(tmp_path: Path) -> None:
    path = tmp_path / "match.qx"
    whole = play_into(path)
    data = path.read_bytes()
    cuts = random.Random(1).sample(range(len(data)), 40)
    for cut in [0, 1, 10, len(data) - 1, len(data), *cuts]:
        path.write_bytes(data[:cut])
        played: list[int] = []
        again = play_into(path, on_progress=lambda at, played=played: played.append(at.games))
        assert again == whole
        assert path.read_bytes() == data
        # Not one complete game is played again.
        assert played[0] == sum(end <= cut for end in game_ends(data))


def game_ends(data: bytes) -> list[int]:
    """Return where the records in a file end."""
    starts = [at for at in range(len(data)) if data.startswith(b"\nquincunx record 1\n", at)]
    return [*starts, len(data)]


def test_games_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "match.qx"
    whole = play_into(path)
    records = list(whole.records)
    path.write_text(write([records[4], records[0], records[2]]), encoding="utf-8")
    assert play_into(path) == whole
    assert [record.round for record in load(path)] == [5, 1, 3, 2, 4, 6]
    # A shorter match counts the games of its own.
    shorter = play_into(path, games=3)
    assert shorter.records == whole.records[:3]
    assert (shorter.left_out, whole.left_out) == (3, 0)


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "match.qx"
    play_into(path)
    good = path.read_text(encoding="utf-8")
    for text, error, reason in [
        ("dear diary\n", ValueError, "is not a file of records"),
        (good + "dear diary\n", ValueError, "is not a file of records"),
        (good.replace("seed 4", "seed 5", 1), ValueError, "games of another match"),
        (good.replace("round: 3", "round: 4"), ValueError, "holds game 4 twice"),
        (good.replace("\n1. ", "\n2. ", 1), RecordError, "line 11: here comes turn 1"),
    ]:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(error, match=reason):
            play_into(path)
        assert path.read_text(encoding="utf-8") == text
    path.write_text(good, encoding="utf-8")
    other = quincunx.load_game("unane", size="6x4")
    with pytest.raises(ValueError, match=r"size='4x4'.* from ox.*this is .*size='6x4'.* from ox"):
        match(other, "random", "random", 6, seed=4, path=path, resume=True)
    path.write_bytes(b"\xff" + good.encode())
    with pytest.raises(ValueError, match="is not in UTF-8"):
        play_into(path)


# ---- the command

GAME = ("unane", "-p", "size=4x4")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = cli.main(["match", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.qx"
    options = (*GAME, "random", "random", "--games", "6", "--seed", "4", "--processes", "1")
    code, out, err = run(capsys, *options, "--record", str(path))
    assert (code, err) == (0, "")
    result = match(UNANE, "random", "random", 6, seed=4)
    assert f"won {result.wins}, drawn 0, lost {result.losses}" in out
    assert f"score {result.score:.1%}" in out
    assert load(path) == list(result.records)

    code, out, err = run(capsys, *options, "--record", str(path), "--resume", "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["wins"], told["losses"]) == (result.wins, result.losses)
    assert told["interval"] == list(result.interval)
    assert told["as_first"] == list(result.as_first)


def test_resuming_with_fewer_games_is_told(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "games.qx"
    play_into(path)
    options = (*GAME, "random", "random", "--seed", "4", "--record", str(path), "--resume")
    code, out, err = run(capsys, *options, "--games", "4", "--json")
    assert (code, json.loads(out)["games"]) == (0, 4)
    assert err == f"quincunx: {path} holds 6 games: shown are games 1 to 4\n"
    assert run(capsys, *options, "--games", "6")[2] == ""


def test_infinite_elo_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    result = match(UNANE, "random", "random", 1)
    code, out, _ = run(capsys, *GAME, "random", "random", "--games", "1", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["elo"] is None
    assert None in told["elo_interval"]
    assert told["score"] == result.score


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("unane", "random", "chess"), "there is no player 'chess'"),
        (("chess", "random", "random"), "chess"),
        (("unane", "random", "random", "--resume"), "--resume goes with --record"),
        (("unane", "random", "random", "--record", "/nowhere/x.qx"), "/nowhere/x.qx"),
        (("unane", "random", "random", "--games", "0"), "--games"),
        (("unane", "random"), "B"),
    ],
)
def test_bad_input(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str
) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert complaint in err


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_and_resumed(tmp_path: Path, signal_number: int) -> None:
    """A match that is stopped by Ctrl-C, or killed, loses and repeats nothing."""
    path = tmp_path / "match.qx"
    arguments = ["match", "unmergo", "random", "random", "--games", "100000", "--seed", "9"]
    arguments += ["--record", str(path), "--resume", "--processes", "2"]
    code = f"""
import sys
from quincunx import cli
from quincunx.match import _MatchFile
add = _MatchFile.add
_MatchFile.add = lambda file, record: (add(file, record), print("added", flush=True))
if __name__ == "__main__":
    sys.exit(cli.main({arguments!r}))
"""
    script = tmp_path / "stopped.py"  # the worker processes need a file to start from
    script.write_text(code)
    process = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(quincunx.__file__).parents[1])},
    )
    assert process.stdout is not None
    for _ in range(6):
        assert process.stdout.readline() == "added\n", process.communicate()
    process.send_signal(signal_number)
    out, err = process.communicate(timeout=120)
    if signal_number == signal.SIGINT:
        assert process.returncode == 130
        assert "random against random" in out
        assert "--resume goes on with the match" in err
        assert "Traceback" not in err
        load(path)
    before = path.read_bytes()
    complete = before[: before.rfind(b"\nquincunx record 1\n")]
    game = quincunx.load_game("unmergo")
    last = max(int(line[7:]) for line in before.decode().split("\n") if line[:7] == "round: ")
    match(game, "random", "random", last, seed=9, path=path, resume=True)
    assert path.read_bytes().startswith(complete)
    rounds = [record.round for record in load(path)]
    assert sorted(number or 0 for number in rounds) == list(range(1, last + 1))
