"""The command line: its JSON, its exit codes, its one-line complaints, and what people read."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import Any

import pytest

import quincunx
from quincunx import _core, cli
from quincunx.cli import engine

GAMES = ["fano330", "impedio", "meigo", "unane", "unmergo"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a command line in this process: the exit code, stdout and stderr."""

    def runner(*arguments: str) -> tuple[int, str, str]:
        code = cli.main(arguments)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return runner


@pytest.fixture
def run_json(run: Any) -> Any:
    """Run a command line with `--json` that has to succeed: the objects, one a line."""

    def runner(*arguments: str) -> list[dict[str, Any]]:
        code, out, err = run(*arguments, "--json")
        assert (code, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]

    return runner


# ---- games


def test_games_as_json(run_json: Any) -> None:
    listed = run_json("games")
    assert [entry["name"] for entry in listed] == GAMES == quincunx.registered_names()
    unane = listed[3]
    assert (unane["title"], unane["attribution"]) == ("Ūnane", "Mark Steere")
    assert [entry["name"] for entry in unane["parameters"]] == ["size", "pie"]
    assert unane["parameters"][1]["default"] is True
    assert set(unane["parameters"][0]) == {"name", "default", "allowed", "meaning"}


def test_games_for_a_person(run: Any) -> None:
    code, out, err = run("games")
    assert (code, err) == (0, "")
    assert "unane: Ūnane, Mark Steere" in out
    for name in GAMES:
        for parameter in quincunx.load_game(name).parameters:
            assert f"\n  {parameter} " in out


# ---- show


@pytest.mark.parametrize("game", GAMES)
def test_show_draws(run: Any, run_json: Any, game: str) -> None:
    code, out, err = run("show", game)
    assert (code, err) == (0, "")
    (shown,) = run_json("show", game)
    assert out == shown["drawing"] + "\n"
    state = quincunx.load_game(game).new_initial_state()
    assert shown["game"] == game
    assert shown["parameters"] == state.get_game().parameters
    assert shown["position"] == state.position()
    assert shown["current_player"] == 0
    assert shown["legal_actions"] == [state.action_to_string(a) for a in state.legal_actions()]
    assert shown["terminal"] is False
    assert shown["returns"] == [0.0, 0.0]
    assert shown["ending"] is None


AUCTION = ("meigo", "-p", "size=3x2", "-p", "auction=true")


@pytest.mark.parametrize(
    ("arguments", "position"),
    [
        (("unmergo", "-p", "size=2", "--moves", "a1,c3,a1-a2"), ".x/.../.o w place"),
        (("unane", "-p", "size=4x4", "--moves", "a1xa2,swap"), "oxox/xoxo/xxox/.oxo o - s"),
        (("fano330", "--moves", "c1 r2"), "S/c/././././. 0"),
        (("fano330", "--moves", " c1,  r2 "), "S/c/././././. 0"),
        ((*AUCTION, "--moves", "prison 2,black,A1"), ".../x.. o 2 0 u o s"),
        ((*AUCTION, "--moves", "prison  2 black a1"), ".../x.. o 2 0 u o s"),
        (("impedio", "-p", "size=2", "--position", "w2,./.,.,./.,b2 w"), "w2,./.,.,./.,b2 w"),
    ],
)
def test_show_plays_moves(run_json: Any, arguments: tuple[str, ...], position: str) -> None:
    (shown,) = run_json("show", *arguments)
    assert shown["position"] == position


def test_show_lists_legal_actions(run: Any) -> None:
    _, out, _ = run("show", "unmergo", "-p", "size=2", "--legal")
    assert out.endswith("\n7 legal actions: a1 a2 b1 b2 b3 c2 c3\n")
    _, out, _ = run("show", "unane", "-p", "size=2x2", "--position", "x./.. o - -", "--legal")
    assert out.endswith("\n0 legal actions\n")


def test_show_of_a_finished_game(run_json: Any) -> None:
    (shown,) = run_json("show", "unane", "-p", "size=2x2", "--position", "x./.. o - -")
    assert shown["terminal"] is True
    assert shown["current_player"] == -4
    assert shown["returns"] == [1.0, -1.0]
    assert "Black" in shown["ending"]


# ---- perft


def test_perft_as_json(run_json: Any) -> None:
    (told,) = run_json("perft", "unmergo", "-p", "size=2", "--depth", "3")
    assert list(told) == [
        "game",
        "parameters",
        "position",
        "depth",
        "unit",
        "nodes",
        "seconds",
        "nodes_per_second",
        "threads",
    ]
    state = quincunx.load_game("unmergo", size=2).new_initial_state()
    assert told["nodes"] == quincunx.perft(state, 3)
    assert (told["game"], told["parameters"]) == ("unmergo", {"size": 2})
    assert (told["position"], told["depth"], told["unit"]) == (state.position(), 3, "ply")


@pytest.mark.parametrize("unit", ["ply", "turn"])
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("depth", [0, 1, 2, 4, engine.DEEP, engine.DEEP + 1])
def test_perft_counts_as_the_core_does(run_json: Any, unit: str, threads: str, depth: int) -> None:
    # One stone moved already: the first turn is half a turn.
    position = "x./o../o. w move"
    (told,) = run_json(
        *("perft", "unmergo", "-p", "size=2", "--position", position),
        *("--depth", str(depth), "--unit", unit, "--threads", threads),
    )
    state = quincunx.load_game("unmergo", size=2).new_initial_state(position)
    assert told["nodes"] == quincunx.perft(state, depth, unit)
    assert told["threads"] == int(threads)


@pytest.mark.parametrize("unit", ["ply", "turn"])
def test_perft_divide(run: Any, run_json: Any, unit: str) -> None:
    arguments = ("perft", "unmergo", "-p", "size=2", "--depth", "2", "--divide", "--unit", unit)
    (told,) = run_json(*arguments)
    state = quincunx.load_game("unmergo", size=2).new_initial_state()
    assert told["divide"] == quincunx.divide(state, 2, unit)
    assert told["nodes"] == sum(told["divide"].values())
    _, out, _ = run(*arguments)
    assert f"  b2  {told['divide']['b2']}\n" in out


def test_perft_of_a_finished_game(run_json: Any) -> None:
    arguments = ("perft", "unane", "-p", "size=2x2", "--position", "x./.. o - -")
    assert run_json(*arguments, "--depth", "0")[0]["nodes"] == 1
    assert run_json(*arguments, "--depth", "1")[0]["nodes"] == 0


def test_perft_for_a_person(run: Any) -> None:
    code, out, err = run("perft", "unmergo", "--depth", "3")
    assert (code, err) == (0, "")
    assert out.startswith("Unmergo, size=5\n...../")
    assert "\n3 plies: 22,068 nodes, " in out
    assert out.endswith(" nodes/s\n")
    assert "\n1 ply: 61 nodes, " in run("perft", "unmergo", "--depth", "1")[1]


# ---- playouts


def test_playouts_as_json(run_json: Any) -> None:
    (told,) = run_json("playouts", "unane", "-p", "size=4x4", "-n", "50", "--seed", "3")
    assert list(told) == [
        "game",
        "parameters",
        "n",
        "seconds",
        "playouts_per_second",
        "plies_per_second",
        "mean_length",
        "wins",
        "losses",
        "draws",
        "unfinished",
    ]
    state = quincunx.load_game("unane", size="4x4").new_initial_state()
    result = quincunx.playouts(state, 50, seed=3)
    assert told["mean_length"] == result.lengths.mean()
    assert told["wins"] == (result.returns[:, 0] > 0).sum()
    assert told["losses"] == (result.returns[:, 0] < 0).sum()
    assert (told["n"], told["draws"], told["unfinished"]) == (50, 0, 0)
    assert told["wins"] + told["losses"] == 50


def test_playouts_cut_off_and_with_threads(run_json: Any) -> None:
    arguments = ("playouts", "fano330", "-n", "40", "--max-plies", "12", "--threads")
    one, two = run_json(*arguments, "1")[0], run_json(*arguments, "2")[0]
    assert one["unfinished"] > 0
    assert one["wins"] + one["losses"] + one["draws"] + one["unfinished"] == 40
    for key in ("wins", "losses", "draws", "unfinished", "mean_length"):
        assert one[key] == two[key]


def test_playouts_for_a_person(run: Any) -> None:
    code, out, err = run("playouts", "unmergo", "-n", "2000", "-p", "size=2")
    assert (code, err) == (0, "")
    assert "\n2,000 random games in " in out
    assert "\nplayer 0: " in out


# ---- crosscheck, bench


def test_crosscheck(run: Any, run_json: Any) -> None:
    arguments = ("crosscheck", "unane", "-p", "size=4x3", "--games", "3", "--seed", "5")
    (told,) = run_json(*arguments)
    assert set(told) == {
        "game",
        "parameters",
        "games",
        "plies",
        "seed",
        "seconds",
        "agree",
        "disagreement",
    }
    assert (told["games"], told["seed"], told["agree"]) == (3, 5, True)
    assert told["disagreement"] is None
    _, out, _ = run(*arguments)
    assert out.startswith(f"Ūnane: core and reference agree (3 games, {told['plies']} plies in ")


def test_bench(run: Any, run_json: Any) -> None:
    told = run_json("bench", "--seconds", "0.01")
    assert [entry["game"] for entry in told] == GAMES
    for entry in told:
        for key, _, _ in engine.MEASUREMENTS:
            assert entry[key] > 0
    _, out, _ = run("bench", "--seconds", "0.01")
    assert "Ūnane" in out
    assert "perft, nodes/s" in out


# ---- bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("frobnicate", "frobnicate"),
        ("show", "GAME"),
        ("show chess", "chess"),
        ("show unmergo extra", "extra"),
        ("show unmergo --bogus", "--bogus"),
        ("show unmergo -p", "-p"),
        ("show unmergo -p size", "name=value"),
        ("show unmergo -p =5", "name=value"),
        ("show unmergo -p size=4 -p size=5", "twice"),
        ("show unmergo -p size=nine", "size"),
        ("show unmergo -p colour=red", "colour"),
        ("show unane -p size=3x3", "size"),
        ("show unmergo --position nonsense", "nonsense"),
        ("show unmergo --moves e5,a1-a2", "move 2 (a1-a2)"),
        ("show unmergo --moves e5,zz", "move 2 (zz)"),
        ("perft unmergo", "--depth"),
        ("perft unmergo --depth two", "--depth"),
        ("perft unmergo --depth -1", "--depth"),
        ("perft unmergo --depth 129", "--depth"),
        ("perft unmergo --depth 1 --unit move", "--unit"),
        ("perft unmergo --depth 1 --threads 0", "--threads"),
        ("perft unmergo --depth 0 --divide", "--divide"),
        ("playouts unmergo -n 0", "-n"),
        ("playouts unmergo -n 1.5", "-n"),
        ("playouts unmergo --seed -1", "--seed"),
        ("playouts unmergo --seed 18446744073709551616", "--seed"),
        ("crosscheck unmergo --games none", "--games"),
        ("crosscheck unmergo -p size=1", "size"),
        ("crosscheck unmergo --position x", "position"),
        ("bench --seconds 0", "--seconds"),
    ],
)
def test_bad_input_is_one_line_and_2(run: Any, arguments: str, words: str) -> None:
    code, out, err = run(*arguments.split())
    assert (code, out) == (2, "")
    assert err.startswith("quincunx: ")
    assert err.count("\n") == 1
    assert words in err


def test_a_refused_move_is_explained_as_by_the_state(run: Any) -> None:
    state = quincunx.load_game("unmergo").new_initial_state()
    _, _, err = run("show", "unmergo", "--moves", "pass")
    assert err == f"quincunx: move 1 (pass): {state.explain('pass')}\n"


def test_a_message_of_several_lines_becomes_one(run: Any, monkeypatch: Any) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ValueError("first\n  second")

    monkeypatch.setattr(_core, "_load_game", refuse)
    assert run("show", "unmergo")[2] == "quincunx: first second\n"


def test_a_fault_of_our_own_is_not_taken_for_bad_input(run: Any, monkeypatch: Any) -> None:
    def fail(_: object) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(engine, "draw", fail)
    with pytest.raises(ZeroDivisionError):
        run("show", "unmergo")


# ---- the command as such


def test_help_and_version(run: Any) -> None:
    for arguments in ((), ("--help",), ("-h",)):
        code, out, err = run(*arguments)
        assert (code, err) == (0, "")
        for command in ("games", "show", "perft", "playouts", "crosscheck", "bench"):
            assert f"\n  {command} " in out
    assert "NAME=VALUE" in run("show", "--help")[1]
    code, out, err = run("--version")
    assert (code, err) == (0, "")
    assert out == f"quincunx {cli.installed_version()}\n"


@pytest.mark.parametrize(
    ("command", "call", "said"),
    [
        ("perft unmergo --depth 3", "perft", "stopped at first action 1 of 61: 0 nodes in "),
        ("playouts unmergo", "playouts", "stopped after "),
        ("bench", "playouts", "stopped after 0 of 5 games"),
    ],
)
def test_ctrl_c_says_how_far_it_came(
    run: Any, monkeypatch: Any, command: str, call: str, said: str
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_core, call, interrupted)
    code, out, err = run(*command.split())
    assert (code, out) == (130, "")
    assert err.startswith(f"quincunx: {said}")
    assert err.count("\n") == 1


def test_ctrl_c_during_a_crosscheck(run: Any, monkeypatch: Any) -> None:
    plies = 0

    def interrupted(self: object, core: object, mirror: object, move: str) -> None:
        nonlocal plies
        plies += 1
        if plies > 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("quincunx.crosscheck._Checker.advance", interrupted)
    code, _, err = run("crosscheck", "unmergo")
    assert code == 130
    assert err.startswith("quincunx: stopped after 0 games and 3 plies in ")


def test_no_memory_is_told(run: Any, monkeypatch: Any) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(_core, "playouts", fail)
    assert run("playouts", "unmergo")[0] == 2


def process(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "quincunx", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_as_a_process() -> None:
    child = process("perft", "unmergo", "--depth", "2", "--json")
    out, err = child.communicate()
    assert (child.returncode, err) == (0, b"")
    assert json.loads(out)["depth"] == 2
    child = process("show", "unmergo", "-p", "size=0")
    out, err = child.communicate()
    assert (child.returncode, out) == (2, b"")
    assert err.startswith(b"quincunx: ")
    assert err.count(b"\n") == 1


def test_a_broken_pipe_is_no_traceback() -> None:
    child = process("perft", "unmergo", "--depth", "3", "--divide")
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert child.stderr.read() == b""
    child.stderr.close()
    assert child.wait() == 141


def test_a_real_ctrl_c_ends_the_process_at_once() -> None:
    code = """
import sys
from quincunx import _core, cli
from quincunx.cli import engine
count = _core.perft
_core.perft = lambda *arguments: print("counting", flush=True) or count(*arguments)
sys.exit(cli.main(["perft", "unmergo", "--depth", "40"]))
"""
    command = [sys.executable, "-c", code]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"counting"
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    assert child.returncode == 130
    assert err.startswith(b"quincunx: stopped")
    assert err.count(b"\n") == 1


def test_importing_the_package_loads_no_command_line() -> None:
    code = "import quincunx, sys; print({'typer', 'rich'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert result.stdout.strip() == b"set()"


def test_a_terminal_without_macrons_gets_question_marks() -> None:
    command = [sys.executable, "-m", "quincunx", "show", "unane"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    result = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert b"\n?nane: Black is to move." in result.stdout
