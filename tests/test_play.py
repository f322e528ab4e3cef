"""Games in the terminal and analyses: what is typed, what is shown, how it ends."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import quincunx
from quincunx import cli
from quincunx.cli import playing, shared
from quincunx.play import Session
from quincunx.players import HumanPlayer, MCTSPlayer, Player, RandomPlayer
from quincunx.records import load, read_one
from quincunx.search_view import as_dict, best_lines, renderable, verdict
from quincunx.sgf import from_sgf

ROOT = Path(__file__).parents[1]


SIDES = ("--first", "human", "--second", "human", "--save")


def environment() -> dict[str, str]:
    package = str(Path(quincunx.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": package, "PYTHONIOENCODING": "utf-8"}


class Game:
    """A session with lines to type, and what it said."""

    def __init__(
        self,
        game: str,
        *lines: str,
        players: tuple[Player, Player] | None = None,
        position: str | None = None,
        hint: Callable[[Any], Any] | None = None,
        **parameters: Any,
    ) -> None:
        state = quincunx.load_game(game, **parameters).new_initial_state(position)
        self.said: list[str] = []
        self.prompts: list[str] = []
        left = iter(lines)

        def ask(prompt: str) -> str | None:
            self.prompts.append(prompt)
            return next(left, None)

        self.session = Session(
            state,
            players or (HumanPlayer(), HumanPlayer()),
            ask=ask,
            say=self.said.append,
            hint=hint,
        )
        self.session.run()
        self.unread = list(left)

    @property
    def text(self) -> str:
        return "\n".join(self.said)

    @property
    def turns(self) -> tuple[str, ...]:
        return self.session.record().turns


# ---- moves


def test_actions_and_turns() -> None:
    game = Game("unmergo", "a1", "b2 a1-a2", "c3", "end", "a1, a2-b3 ", size=2)
    assert game.turns == ("a1", "b2 a1-a2", "c3", "a1 a2-b3")
    assert "player 1 (human): b2 a1-a2" in game.text
    assert "White has placed" not in game.said[0]
    # Half a turn is drawn, too.
    assert any("may now move one black stone" in said for said in game.said)
    assert [prompt[7] for prompt in game.prompts] == ["0", "1", "0", "0", "1", "0"]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("x9", "'x9' is not an action of Unmergo"),
        ("x" * 300, f"'{'x' * 60}...' is not an action of Unmergo"),
        ("a1", "a1: a1 is occupied"),
        ("a1-a2", "a1-a2: a turn begins with a placement, a stone move comes after it"),
        ("pass", "pass: passing is allowed only without a legal placement"),
        ("b2 a1-b2", "a1-b2: b2 is occupied"),
        ("b2 a1-a2 c3", "'c3' is too much: the turn ends with a1-a2"),
        (f"b2 a1-a2 {'x' * 300}", f"'{'x' * 60}...' is too much: the turn ends with a1-a2"),
        ("undo 2", "undo takes nothing after it, not '2'"),
        ("save", "save takes the name of a file"),
        ("hint", "there are no hints here"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(line: str, complaint: str) -> None:
    game = Game("unmergo", "a1", line, "b3", size=2)
    assert complaint in game.text
    assert game.turns == ("a1", "b3 ...")


def test_explain_has_the_say_in_every_game() -> None:
    for name in quincunx.registered_names():
        state = quincunx.load_game(name).new_initial_state()
        for line in ("a1a1", "pass", "swap", "9"):
            explained = state.explain(line)
            assert explained is not None
            assert any(said.endswith(explained) for said in Game(name, line).said)


def test_the_auction_and_the_swap_change_colours() -> None:
    game = Game("meigo", "prison 2", "prison 1", "black", "b2", "quit", size="3x3", auction=True)
    assert game.turns == ("prison 2", "black", "b2")
    assert "player 1 (human): b2" in game.text
    assert game.prompts[-1].startswith("player 0")
    game = Game("unane", "a1xa2", "swap", size="4x4")
    assert "players have swapped colours" in game.said[-2]
    assert game.prompts[-1].startswith("player 0")


def test_empty_lines_and_remarks() -> None:
    game = Game("unmergo", "", "  ", "# a remark", "a1", size=2)
    assert game.turns == ("a1",)


# ---- machines


def test_two_machines_finish_without_a_word_from_us() -> None:
    for name in ("fano330", "unane", "unmergo"):
        game = Game(name, "a1", players=(RandomPlayer(1), RandomPlayer(2)))
        assert game.session.state.is_terminal()
        assert game.prompts == []
        assert game.session.state.ending() in game.text
        # Every turn is named.
        for number, turn in enumerate(game.turns):
            assert any(said == f"\nplayer {number % 2} (random): {turn}\n" for said in game.said)


def test_a_machine_answers() -> None:
    game = Game("unmergo", "e5", "quit", players=(HumanPlayer(), RandomPlayer(1)))
    first, answer = game.turns
    assert first == "e5"
    assert f"player 1 (random): {answer}" in game.text
    # The board is drawn after each turn.
    assert sum("Unmergo: " in said for said in game.said) == 3


def test_the_end_is_said() -> None:
    game = Game("unane", "-d4", position="o..x/..../o.../x... x - -", size="4x4")
    assert game.prompts == ["player 0 (human)> "]
    assert "the game is over, Black (player 0) has won" in game.said[-1]
    assert game.session.record().result == "1-0"
    over = Game("unane", "a1xa2", position="...x/..../..../.... o - -", size="4x4")
    assert (over.prompts, over.unread) == ([], ["a1xa2"])


# ---- commands


def test_help_and_legal_and_board() -> None:
    game = Game("unmergo", "help", "legal", "board", size=2)
    for command in ("legal", "hint", "undo", "resign", "save FILE", "quit"):
        assert f"\n  {command} " in game.text
    assert "the turn that a search would play, after 1 second" in game.text
    assert "a move: a placement is a cell from a1 to c3" in game.text
    assert "7 legal: a1 a2 b1 b2 b3 c2 c3" in game.said
    assert game.said[0] == game.said[-2]


def test_undo_between_persons() -> None:
    game = Game("unmergo", "a1", "b2", "undo", "undo", "undo", "c2", size=2)
    assert game.said.count("there is nothing of yours to take back") == 1
    assert game.turns == ("c2",)


def test_undo_against_a_machine() -> None:
    players = HumanPlayer(), RandomPlayer(1)
    game = Game("unmergo", "a1", "b2 end", "undo", players=players, size=3)
    # The last action of ours was the end of the turn.
    assert len(game.turns) == 3
    assert game.turns[2] == "b2 ..."
    game = Game("unane", "undo", "quit", players=(RandomPlayer(1), HumanPlayer()))
    assert "there is nothing of yours to take back" in game.said
    assert len(game.turns) == 1


def test_resign() -> None:
    game = Game("unmergo", "a1", "resign", "b2", size=2)
    assert game.said[-1] == "player 1 (human) resigns: player 0 (human) has won."
    record = game.session.record()
    assert (record.result, record.reason) == ("1-0", "resignation")
    assert game.unread == ["b2"]


def test_the_input_may_end_at_any_time() -> None:
    game = Game("unmergo", "a1")
    assert game.said[-1].startswith("the game is not finished: ")
    assert game.session.record().result == "*"


def test_save(tmp_path: Path) -> None:
    path = tmp_path / "my game.qx"
    taken = tmp_path / "taken.qx"
    taken.write_text("mine")
    lines = [f"save {taken}", f"save {path}", "a1", f"save {path}", f"save {tmp_path}/no/x.qx"]
    lines += [f"save {'x' * 300}", "save ~nobody-of-that-name/x.qx"]
    game = Game("unmergo", *lines, f"save {tmp_path}/x.sgf", size=2)
    assert f"{taken} exists already: it is left as it is" in game.said
    assert taken.read_text() == "mine"
    assert game.said.count(f"saved in {path}") == 2
    (record,) = load(path)
    assert record.turns == ("a1",)
    assert record.players == ("human", "human")
    assert f"cannot save {tmp_path}/no/x.qx: No such file or directory" in game.said
    assert f"cannot save {'x' * 300}: File name too long" in game.said
    assert "cannot save ~nobody-of-that-name/x.qx: " in game.text
    sgf = "only games of Meigo are written as SGF, not unmergo"
    assert f"cannot save {tmp_path}/x.sgf: {sgf}" in game.said


@pytest.mark.parametrize(
    ("before", "expected", "said"),
    [
        ("a1", "b2 a1-a2 c3 end", "b2 a1-a2"),
        ("a1", "b2 end c3 end", "b2 end"),
        ("a1", "b2", "b2"),
        ("a1 b2", "a1-a2 c3", "a1-a2"),
    ],
)
def test_a_hint_is_the_rest_of_the_turn(before: str, expected: str, said: str) -> None:
    def hint(state: Any) -> Any:
        line = [state.string_to_action(action) for action in expected.split()]
        return SimpleNamespace(principal_variation=line, value=0.25, proven=None)

    game = Game("unmergo", *before.split(), "hint", said, size=2, hint=hint)
    assert f"hint: {said} (+0.25)" in game.said
    # It can be typed as it is.
    assert game.said[-3].startswith("\nplayer 1 (human): ")


# ---- what a search has found


def found(state: Any) -> Any:
    """Return a result as a search would."""
    visits = np.zeros(state.num_distinct_actions(), dtype=np.int64)
    values = np.full(state.num_distinct_actions(), np.nan, dtype=np.float32)
    visits[:4] = [10, 70, 15, 5]
    values[:4] = [0.25, 0.5, -1, 0.75]
    return SimpleNamespace(
        best_action=3,
        visits=visits,
        values=values,
        value=1.0,
        proven=1.0,
        proven_actions={3: 1.0, 2: -1.0},
        principal_variation=[3, 0],
        simulations=100,
        seconds=0.5,
    )


def test_the_view_of_a_search() -> None:
    state = quincunx.load_game("unmergo", size=2).new_initial_state()
    result = found(state)
    lines = best_lines(state, result)
    assert [line.action for line in lines[:5]] == ["b2", "a2", "b1", "a1", "b3"]
    assert [line.value for line in lines[:5]] == [1, 0.5, -1, 0.25, None]
    assert [line.proven for line in lines[:5]] == [1, None, -1, None, None]
    assert lines[1].share == 0.7
    assert len(lines) == 7
    told = json.loads(json.dumps(as_dict(state, result, 2)))
    assert told["best_action"] == "b2"
    assert told["actions"][1] == {"action": "a2", "visits": 70, "value": 0.5, "proven": None}
    assert len(told["actions"]) == 2


def test_the_table_of_a_search() -> None:
    state = quincunx.load_game("unmergo", size=2).new_initial_state()
    result = found(state)
    console = shared.rich_console()
    with console.capture() as capture:
        console.print(renderable(state, result, 3))
    assert re.sub(" +", " ", capture.get()).replace(" \n", "\n") == (
        "player 0 to move: a proven win, 100 simulations in 0.5 s (200/s)\n"
        "expected: b2, a1\n"
        "action visits share value\n"
        "b2 5 5.0% a proven win\n"
        "a2 70 70.0% +0.50\n"
        "b1 15 15.0% a proven loss\n"
        "3 of 7 actions\n"
    )
    with console.capture() as capture:
        console.print(renderable(state, result, 7))
    assert " of 7 actions" not in capture.get()


def test_verdicts() -> None:
    assert verdict(0.314) == "+0.31"
    assert verdict(None) == verdict(float("nan")) == "?"
    assert [verdict(0, proven) for proven in (1.0, 0.0, -1.0)] == [
        "a proven win",
        "a proven draw",
        "a proven loss",
    ]


# ---- the commands


@pytest.fixture
def quick(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run a command in this process: the exit code, stdout and stderr."""
    monkeypatch.setattr("quincunx.tasks.usable_processors", lambda: 1)

    def runner(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = cli.main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return runner


def test_a_game_from_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "game.qx"
    done = subprocess.run(
        [sys.executable, "-m", "quincunx", "play", "unane", "-p", "size=4x4", *SIDES, str(path)],
        input="a1xa2\nx\nswap\n\nc2xc3",  # the last line without an end
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ">" not in done.stdout
    assert "'x' is not an action of Ūnane" in done.stdout
    assert "player 1 (human): swap" in done.stdout
    assert load(path)[0].turns == ("a1xa2", "swap", "c2xc3")


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_what_is_no_text_is_no_move(errors: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "quincunx", "play", "unmergo", *SIDES[:4]],
        input=b"\xff\xfe\nhin\xe9\n\x00\na1\n",
        capture_output=True,
        env={**environment(), "PYTHONIOENCODING": f"utf-8:{errors}"},
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b" is not an action of Unmergo: ") == 3
    assert b"player 0 (human): a1" in done.stdout


def test_play_as_sgf_with_machines(quick: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    options = ["-p", "size=3x3", "--moves", "b2", "--black", "random", "--white", "random"]
    code, out, err = quick("play", "meigo", *options, "--seed", "1", "--save", str(path))
    assert (code, err) == (0, "")
    assert "has won" in out
    record = from_sgf(path.read_text(encoding="utf-8"))
    assert record.turns[0] == "b2"
    assert record.result in ("1-0", "0-1")
    # By way of records it is the same.
    assert quick("convert", str(path), str(tmp_path / "game.qx"))[0] == 0
    assert read_one(quick("convert", str(tmp_path / "game.qx"))[1]) == record


def test_play_against_a_search(quick: Any) -> None:
    options = ("unmergo", "-p", "size=2", "--second", "mcts:20")
    code, out, err = quick("play", *options, "--first", "human", stdin="a1\nresign\n")
    assert (code, err) == (0, "")
    assert "player 1 (mcts:20): " in out
    assert out.endswith("player 0 (human) resigns: player 1 (mcts:20) has won.\n")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("play", "chess"), "chess"),
        (("play", "unmergo", "--first", "chess"), "there is no player 'chess'"),
        (("play", "unmergo", "--second", "perfect"), "plays fano330 alone, not unmergo"),
        (("play", "unmergo", "--first", "random", "--white", "random"), "given twice"),
        (("play", "unmergo", "--silver", "random"), "the colours of unmergo are white and black"),
        (("play", "unmergo", "--position", "x"), "position"),
        (("play", "unmergo", "--moves", "a1,a1"), "move 2 (a1): "),
        (("play", "unmergo", "--save", str(ROOT / "README.md")), "exists already"),
        (("play", "unmergo", "--save", "x.sgf"), "only games of Meigo"),
        (("analyse", "unmergo", "--moves", "a1,x"), "move 2 (x): "),
        (("analyse", "unmergo", "--simulations", "0"), "--simulations"),
        (("analyse", "unmergo", "--seconds", "nan"), "--seconds"),
        (
            ("analyse", "unane", "-p", "size=2x2", "--position", "x./.. o - -"),
            "the game is over: ",
        ),
        (("convert", "nothing.qx"), "nothing.qx: No such file"),
        (("convert", str(ROOT / "README.md")), "README.md: line 1: a record begins"),
    ],
)
def test_bad_input(quick: Any, arguments: tuple[str, ...], complaint: str) -> None:
    code, out, err = quick(*arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert complaint in err


def test_convert_refuses(quick: Any, tmp_path: Path) -> None:
    good = tmp_path / "good.sgf"
    good.write_text("(;FF[4]GM[1]SZ[3];B[aa])")
    bad = tmp_path / "bad.sgf"
    bad.write_text("(;FF[4]GM[1]SZ[3];W[aa])")
    two = tmp_path / "two.qx"
    text = quick("convert", str(good))[1]
    two.write_text(f"{text}\n{text}", encoding="utf-8")
    new = str(tmp_path / "new.sgf")
    for arguments, complaint in (
        ((bad,), "bad.sgf: line 1, column 19: W[aa], but it is B who is to move"),
        ((good, bad), "bad.sgf exists already"),
        ((two, new), "two.qx has 2 games: an .sgf here has one"),
    ):
        code, out, err = quick("convert", *map(str, arguments))
        assert (code, out) == (2, "")
        assert complaint in err
    assert quick("convert", str(two), str(tmp_path / "new.qx"))[1].startswith("2 games written")


def test_whoever_is_not_named() -> None:
    def names(game: str = "meigo", **given: str) -> list[str]:
        return playing.side_names(game, dict(given))

    assert names() == ["human", "mcts:1s"]
    assert names(first="random") == ["random", "human"]
    assert names(second="human") == ["mcts:1s", "human"]
    assert names(first="human", second="human") == ["human", "human"]
    assert names("meigo", white="random") == ["human", "random"]
    assert names("unmergo", white="random") == ["random", "human"]
    assert names("fano330", copper="random") == ["human", "random"]


def test_analyse(quick: Any) -> None:
    options = ("fano330", "--simulations", "300", "--moves", "c1 r2", "--seed", "1")
    code, out, err = quick("analyse", *options, "--top", "2")
    assert (code, err) == (0, "")
    lines = out.rstrip("\n").split("\n")
    assert "player 0 to move: " in lines[-6]
    assert lines[-4].split() == ["action", "visits", "share", "value"]
    assert re.fullmatch("2 of [0-9]+ actions", lines[-1])

    code, out, err = quick("analyse", *options, "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    state = quincunx.load_game("fano330").new_initial_state("S/c/././././. 0")
    assert told["position"] == state.position()
    assert told["simulations"] == 300
    assert told["actions"][0]["action"] == told["best_action"]
    assert len(told["actions"]) == len(state.legal_actions())
    assert told["principal_variation"][0] == told["best_action"]


def test_analyse_proves_a_win(quick: Any) -> None:
    options = ("-p", "size=4x4", "--position", "o..x/..../o.../x... x - -", "--simulations", "200")
    told = json.loads(quick("analyse", "unane", *options, "--json")[1])
    assert (told["proven"], told["best_action"]) == (1, "-d4")
    assert "a proven win" in quick("analyse", "unane", *options)[1]


def test_analyse_stopped_by_ctrl_c_shows_what_it_has(
    quick: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = MCTSPlayer.search

    def interrupted(self: MCTSPlayer, state: Any, on_progress: Any = None) -> Any:
        on_progress(search(self, state))
        raise KeyboardInterrupt

    monkeypatch.setattr(MCTSPlayer, "search", interrupted)
    code, out, err = quick("analyse", "unmergo", "--simulations", "50", "--json")
    assert (code, err) == (130, "quincunx: stopped before the end of the search\n")
    assert json.loads(out)["simulations"] == 50


def test_hints_of_the_command(quick: Any) -> None:
    options = ("unane", "-p", "size=4x4", "--first", "human", "--second", "human")
    code, out, err = quick("play", *options, stdin="hint\n")
    assert (code, err) == (0, "")
    hint = re.search(r"^hint: (\S+) \((.+)\)$", out, re.MULTILINE)
    assert hint is not None
    state = quincunx.load_game("unane", size="4x4").new_initial_state()
    assert state.explain(hint[1]) is None
