"""The solver of the four games without a tablebase: values against brute force in the reference,
budgets, interruptions, checkpoints, and the command.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import shlex
import signal
import struct
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import brute_force
import quincunx
from quincunx import cli, reference, solver
from quincunx.solver import Solver


def start(game: str, position: str | None = None, **parameters: object) -> quincunx.State:
    return quincunx.load_game(game, **parameters).new_initial_state(position)


def states_of(
    state: quincunx.State, count: int, seed: int, plies: int = 40
) -> Iterator[quincunx.State]:
    """Yield running states of random games from a state on, itself first, one a game."""
    rng = random.Random(seed)
    yield state
    for _ in range(10 * count):  # some games are over too soon
        if count == 1:
            return
        other = state.clone()
        for _ in range(rng.randrange(1, plies)):
            if not other.is_terminal():
                other.apply_action(rng.choice(other.legal_actions()))
        if not other.is_terminal():
            count -= 1
            yield other.get_game().new_initial_state(other.position())


def solve(state: quincunx.State) -> quincunx.Solution:
    found = quincunx.solve(state, memory_mb=64)
    assert found.proven
    check_line(state, found)
    return found


def check_line(state: quincunx.State, found: quincunx.Solution) -> None:
    """Assert that a line is legal, ends as the value says and is as long as the distance."""
    state = state.clone()
    for action in found.line:
        assert action in state.legal_actions()
        state.apply_action(action)
    if found.value != 0 and "holding" not in found.reason:
        assert state.is_terminal()
        assert state.player_return(found.player) == found.value
    if found.distance is not None:
        assert len(found.line) == found.distance


def reference_game(state: quincunx.State) -> Any:
    game = state.get_game()
    return reference.load_game(game.name, **game.parameters)


# ---- values


FINITE = [
    ("unmergo", {"size": 2}),
    ("unane", {"size": "2x2", "pie": False}),
    ("unane", {"size": "3x2"}),
    ("unane", {"size": "2x3", "pie": False}),
    ("unane", {"size": "4x2"}),
    ("unane", {"size": "4x2", "pie": False}),
    ("unane", {"size": "2x4"}),
]


@pytest.mark.parametrize(("game", "parameters"), FINITE)
def test_values_of_games_that_end(game: str, parameters: dict[str, Any]) -> None:
    check_against_reference(start(game, **parameters), 30)


def check_against_reference(state: quincunx.State, count: int) -> None:
    rules = reference_game(state)
    verdicts = brute_force.retrograde(rules, [rules.read(state.position())])
    values = set()
    for other in states_of(state, count, seed=1):
        value, distance = verdicts[other.position()]
        found = solve(other)
        assert found.value == value, other.position()
        if found.distance is not None and value != 0:
            assert found.distance == distance
        values.add(value)
    assert len(values) > 1 or len(verdicts) < 200


LATE = [
    ("unmergo", {"size": 3}, 27),
    ("unane", {"size": "4x4"}, 5),
    ("unane", {"size": "5x4"}, 9),
    ("unane", {"size": "8x8"}, 52),
]


@pytest.mark.parametrize(("game", "parameters", "plies"), LATE)
def test_values_late_in_the_game(game: str, parameters: dict[str, Any], plies: int) -> None:
    """On boards that are too large for the reference from the start."""
    rng = random.Random(plies)
    compared = 0
    for _ in range(100):
        state = start(game, **parameters)
        for _ in range(plies):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        rules = reference_game(state)
        position = state.position()
        verdicts = brute_force.retrograde(rules, [rules.read(position)])
        assert solve(state.get_game().new_initial_state(position)).value == verdicts[position][0]
        compared += 1
        if compared == 8:
            return
    raise AssertionError(f"only {compared} positions")


@pytest.mark.deep
@pytest.mark.parametrize("pie", [False, True])
def test_values_of_a_larger_board(pie: bool) -> None:
    check_against_reference(start("unane", size="4x3", pie=pie), 60)


SETUPS = [
    (2, "w2,./.,.,b2/w1,b1 w"),
    (2, "w3,./.,.,b2/b1,w1 w"),
    (2, "w5,./.,.,b6/.,. w"),
    (3, "w3,.,./.,.,.,./.,.,.,.,./.,.,.,./b4,.,. w"),
    (3, "w2,.,w2/.,.,.,./.,.,.,.,./.,.,.,./b4,.,. w"),
]


@pytest.mark.parametrize(("size", "setup"), SETUPS)
def test_values_of_impedio(size: int, setup: str) -> None:
    """Value and distance; repetitions and the number of plies play no part."""
    state = start("impedio", size=size, setup=setup, repetition=2, max_plies=3)
    rules = reference.load_game("impedio", size=size, setup=setup, repetition=0, max_plies=0)
    verdicts = brute_force.retrograde(rules, [rules.start()])
    unlimited = start("impedio", size=size, setup=setup, repetition=0, max_plies=0)
    for other in states_of(unlimited, 25, seed=2, plies=12):
        found = solve(other)
        assert (found.value, found.distance or 0) == verdicts[other.position()]
    assert quincunx.solve(state).value == verdicts[state.position()][0]


class Capped:
    """Meigo in the reference, where a player has won as soon as a prison is too full."""

    def __init__(self, game: Any, most: int, winner: int) -> None:
        self._game, self._most, self._winner = game, most, winner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def outcome(self, position: Any, moves: Sequence[str]) -> Any:
        if max(position.prison.values()) > self._most:
            return (1.0, -1.0) if self._winner == 0 else (-1.0, 1.0)
        return self._game.outcome(position, moves)


def meigo_bounds(rules: Any, positions: Sequence[Any], most: int) -> list[dict[str, Any]]:
    """Return verdicts by brute force, in favour of player 1 and of player 0 where it is cut off.

    Prisons fill without end, so the positions cannot all be listed.
    """
    return [brute_force.retrograde(Capped(rules, most, winner), positions) for winner in (1, 0)]


def value_for_player(verdicts: dict[str, Any], rules: Any, position: str, player: int) -> int:
    value: int = verdicts[position][0]
    return value if rules.player(rules.read(position)) == player else -value


@pytest.mark.parametrize("reach", ["any", "friendly"])
def test_values_of_meigo(reach: str) -> None:
    rules = reference.load_game("meigo", size="2x2", reach=reach, max_plies=0)
    compared = 0
    for prison in range(3):
        state = start("meigo", size="2x2", reach=reach, prison_black=prison, max_plies=0)
        bounds = meigo_bounds(rules, [rules.read(state.position())], most=prison + 2)
        for other in states_of(state, 12, seed=prison, plies=12):
            position = other.position()
            if position not in bounds[0]:
                continue
            low, high = (value_for_player(b, rules, position, 0) for b in bounds)
            found = solve(other)
            value = (found.value or 0) * (1 if found.player == 0 else -1)
            assert low <= value <= high, position
            compared += low == high
    assert compared > 10


def check_full_prisons(size: str, count: int, most: int) -> None:
    """Compare positions in which one side has prisoners; with enough of them it has won."""
    rng = random.Random(size)
    states = []
    for state in states_of(start("meigo", size=size, max_plies=0), count, seed=6, plies=12):
        fields = state.position().split()
        if fields[5] == "-":
            fields[2:4] = rng.sample(["0", str(rng.randrange(most))], 2)
            states.append(state.get_game().new_initial_state(" ".join(fields)))
    states = [state for state in states if not state.is_terminal()]
    rules = reference.load_game("meigo", size=size, max_plies=0)
    bounds = meigo_bounds(rules, [rules.read(state.position()) for state in states], most + 1)
    values = Counter[int]()
    for state in states:
        position = state.position()
        low, high = (b[position][0] for b in bounds)
        value = solve(state).value
        assert value is not None
        low, high = min(low, high), max(low, high)
        assert low <= value <= high, position
        if low == high:
            values[value] += 1
    assert min(values[1], values[-1]) > len(states) // 10


def test_values_of_meigo_with_prisoners() -> None:
    check_full_prisons("2x2", 40, 5)


@pytest.mark.deep
def test_values_of_larger_meigo_with_prisoners() -> None:
    check_full_prisons("3x2", 40, 4)


@pytest.mark.deep
@pytest.mark.parametrize("size", ["2x2", "3x2"])
@pytest.mark.parametrize("prison", range(5))
def test_values_of_meigo_from_the_start(size: str, prison: int) -> None:
    state = start("meigo", size=size, prison_black=prison, max_plies=0)
    rules = reference.load_game("meigo", size=size, prison_black=prison, max_plies=0)
    found = solve(state)
    low, high = (b[state.position()][0] for b in meigo_bounds(rules, [rules.start()], prison + 3))
    assert found.value is not None
    assert low <= found.value <= high
    # Where neither side can force a win, play goes on until a prison is full.
    assert low == high or found.value == 0


def test_prisoners_cancel_each_other() -> None:
    """Who can force a win depends on the difference of the prisoners alone."""
    rng = random.Random(3)
    for state in states_of(start("meigo", size="3x2", max_plies=0), 25, seed=4, plies=15):
        fields = state.position().split()
        if fields[5] != "-":
            continue
        more = rng.randrange(1, 4)
        fields[2], fields[3] = str(int(fields[2]) + more), str(int(fields[3]) + more)
        other = state.get_game().new_initial_state(" ".join(fields))
        assert solve(other).value == solve(state).value


def test_the_auction_is_a_search_over_all_prisons() -> None:
    """Player 1 takes the better colour, so player 0 wants a prison that is a draw, if any is."""
    values = []
    for prison in range(7):
        values.append(solve(start("meigo", size="3x2", prison_black=prison)).value)
    found = solve(start("meigo", size="3x2", auction=True))
    assert found.value == (0 if 0 in values else -1)


def test_known_values() -> None:
    assert solve(start("unmergo", size=2)).value == -1
    assert solve(start("unane", size="4x3", pie=False)).value == 1
    assert solve(start("unane", size="4x3")).value == -1  # with the pie rule the second has won
    assert solve(start("meigo", size="3x3")).value == 1
    assert solve(start("impedio", size=3)).distance == 5
    round_and_round = solve(start("meigo", size="3x2"))
    assert round_and_round.value == 0
    assert "neither side can force a win: play can go on for ever" in round_and_round.reason
    assert round_and_round.line == []


def test_fano330_is_answered_by_its_table() -> None:
    found = solve(start("fano330", adjacency="plane"))
    assert (found.value, found.line) == (0, [])
    assert "neither side can force a win" in found.reason
    won = solve(start("fano330", "CS/S/./sc/./sC/c 1", adjacency="plane"))
    assert (won.player, won.value, won.distance, len(won.line)) == (1, 1, 2, 2)


def test_a_finished_game_has_its_result() -> None:
    state = start("unane", size="2x2")
    state.apply_action(state.legal_actions()[0])
    found = quincunx.solve(state)
    assert state.is_terminal()
    assert (found.value, found.player, found.line) == (1, 0, [])
    assert found.reason == state.ending()


@pytest.mark.parametrize(
    ("game", "size"),
    [("unmergo", 8), ("unane", "16x16"), ("meigo", "19x19"), ("impedio", 8), ("meigo", "5x5")],
)
def test_large_boards_end_with_the_budget(game: str, size: object) -> None:
    found = quincunx.solve(start(game, size=size), seconds=0.05, memory_mb=16)
    assert not found.proven
    assert found.value is None
    assert (found.low, found.high) == (-1, 1)
    assert found.reason.startswith("not known: nothing is certain yet")
    assert found.nodes > 0


def test_memory_ends_the_listing_of_positions() -> None:
    found = quincunx.solve(start("meigo", size="4x3"), memory_mb=4)
    assert not found.proven
    assert "fill the memory" in found.reason


# ---- the table of the docs

SOLVED = Path(__file__).parents[1] / "docs" / "solved.md"
ROW = re.compile(
    r"^\| .* \| (?P<said>wins|loses|neither)(?: in (?P<distance>\d+) pl(?:y|ies))?"
    r" \| (?P<nodes>[\d,]+) \| (?P<seconds>[\d.]+) s \| `quincunx (?P<command>solve .*)` \|$",
    re.MULTILINE,
)
VALUES = {"wins": 1, "loses": -1, "neither": 0}


def table_rows(at_least: float = 0, below: float = math.inf) -> list[Any]:
    """Return the rows of the table whose lines take so many seconds."""
    rows = ROW.finditer(SOLVED.read_text(encoding="utf-8"))
    return [
        pytest.param(row, id=row["command"])
        for row in rows
        if at_least <= float(row["seconds"]) < below
    ]


def check_row(row: re.Match[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*shlex.split(row["command"]), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["value"] == VALUES[row["said"]]
    assert found["nodes"] == int(row["nodes"].replace(",", ""))
    assert found["distance"] == (row["distance"] and int(row["distance"]))
    if found["value"] == 0:
        assert "neither side can force a win: play can go on for ever" in found["reason"]


@pytest.mark.parametrize("row", table_rows(below=2))
def test_the_table_of_the_docs(row: re.Match[str], capsys: pytest.CaptureFixture[str]) -> None:
    check_row(row, capsys)


@pytest.mark.deep
@pytest.mark.parametrize("row", table_rows(at_least=2, below=60))
def test_the_longer_lines_of_the_table(
    row: re.Match[str], capsys: pytest.CaptureFixture[str]
) -> None:
    check_row(row, capsys)


def test_every_line_of_the_table_is_read() -> None:
    text = SOLVED.read_text(encoding="utf-8")
    assert len(table_rows()) == text.count(" | `quincunx solve ") > 40


# ---- stopping and going on


def test_bad_arguments(tmp_path: Path) -> None:
    state = start("unmergo", size=2)
    for seconds in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="seconds must be finite and not negative"):
            quincunx.solve(state, seconds=seconds)
    with pytest.raises(ValueError, match="the game is over"):
        quincunx._core._new_solver(start("unane", "xx/xo o - -", size="2x2"), 1)
    with pytest.raises(ValueError, match="there is no solver of fano330 by search"):
        quincunx._core._new_solver(start("fano330"), 1)
    with pytest.raises(TypeError, match="state must be a State, not str"):
        quincunx.solve("unmergo")  # type: ignore[arg-type]
    (tmp_path / "file").write_text("x" * 1000)
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for a writer
    over = start("unane", "xx/xo o - -", size="2x2")
    for other in (state, start("fano330"), over):
        for name in ("file", "pipe", "."):
            with pytest.raises(ValueError, match="is not a checkpoint of quincunx"):
                quincunx.solve(other, checkpoint=tmp_path / name)
        with pytest.raises(FileNotFoundError):
            quincunx.solve(other, checkpoint=tmp_path / "nowhere" / "point")
        with pytest.raises(TypeError, match="checkpoint must be a str or a path, not bytes"):
            quincunx.solve(other, checkpoint=b"x")  # type: ignore[arg-type]
        for memory in (0, -1, 2**20 + 1, 10**5000):
            with pytest.raises(ValueError, match="memory_mb must be from 1 to"):
                quincunx.solve(other, memory_mb=memory)
        for wrong in ("x", 1.5, True, None):
            with pytest.raises(TypeError, match="memory_mb must be an integer, not"):
                quincunx.solve(other, memory_mb=wrong)  # type: ignore[arg-type]
    file = tmp_path / "point"
    quincunx.solve(state, checkpoint=file)
    header, _ = solver.read_sealed(file, solver.MAGIC, solver.VERSION, "a checkpoint")
    for seconds in (None, float("inf"), float("nan"), -1.0):
        header["seconds"] = seconds
        solver.write_sealed(file, solver.MAGIC, header, lambda write: None)
        with pytest.raises(ValueError, match="is damaged: its header does not fit"):
            quincunx.solve(state, checkpoint=file)
    for name in ("a\0b", "\ud800"):
        with pytest.raises(ValueError, match="checkpoint is not the name of a file"):
            quincunx.solve(state, checkpoint=name)
    for game in ("unmergo", "fano330"):
        with pytest.raises(ValueError, match="seconds must be finite and not negative"):
            quincunx.solve(start(game), seconds=10**400)
        for wrong in (True, "1"):
            with pytest.raises(TypeError, match="seconds must be a number, not"):
                quincunx.solve(start(game), seconds=wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="on_progress must be callable, not int"):
            quincunx.solve(start(game), 1, on_progress=3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("game", "parameters"),
    [
        ("unane", {"size": "4x4", "pie": False}),
        ("meigo", {"size": "3x3", "prison_black": 2}),
    ],
)
def test_a_search_goes_on_where_it_was_stopped(
    game: str, parameters: dict[str, Any], tmp_path: Path
) -> None:
    state, file = start(game, **parameters), tmp_path / "point"
    whole = quincunx.solve(state)
    runs, found = 0, None
    while found is None or not found.proven:
        # A new solver each time, as after a kill.
        found = quincunx.solve(state, seconds=0.05, checkpoint=file)
        runs += 1
        assert runs < 1000
    assert runs > 1
    assert (found.value, found.positions) == (whole.value, whole.positions)
    assert found.nodes >= whole.nodes
    check_line(state, found)
    again = quincunx.solve(state, checkpoint=file)
    assert again.nodes - found.nodes < max(1000, whole.nodes // 10)
    assert again.value == whole.value
    with pytest.raises(ValueError, match="is the checkpoint of another game or position"):
        quincunx.solve(start("unmergo", size=2), checkpoint=file)


def test_parameters_are_compared_with_those_of_the_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "point"
    for _ in range(2):
        state = start("meigo", size="2x2", handicap=["a1", "b2"])
        assert quincunx.solve(state, checkpoint=file).proven
    with pytest.raises(ValueError, match="is the checkpoint of another game or position"):
        quincunx.solve(start("meigo", size="2x2", handicap=["a1"]), checkpoint=file)


def test_checkpoints_where_there_is_no_search(tmp_path: Path) -> None:
    over = start("unane", "xx/xo o - -", size="2x2")
    for number, state in enumerate((start("fano330", adjacency="plane"), over)):
        file = tmp_path / f"point {number}"
        first = quincunx.solve(state, checkpoint=file)
        assert quincunx.solve(state, checkpoint=file).value == first.value
        with pytest.raises(ValueError, match="is the checkpoint of another game or position"):
            quincunx.solve(start("fano330"), checkpoint=file)


def test_a_checkpoint_that_lies_is_refused(tmp_path: Path) -> None:
    """Its checksum may be right and its content still not fit."""
    state, file = start("meigo", size="2x2"), tmp_path / "point"
    quincunx.solve(state, checkpoint=file)
    header, body = solver.read_sealed(file, solver.MAGIC, solver.VERSION, "a checkpoint")
    content = bytes(body)
    rng = random.Random(5)
    refused = 0
    for _ in range(60):
        wrong = bytearray(content)
        for _ in range(rng.randrange(1, 4)):
            wrong[rng.randrange(len(wrong))] = rng.randrange(256)
        if rng.random() < 0.2:
            del wrong[rng.randrange(len(wrong)) :]
        solver.write_sealed(file, solver.MAGIC, header, lambda write, new=wrong: write(bytes(new)))
        with suppress(ValueError):
            quincunx.solve(state, seconds=0.02, checkpoint=file)
            refused -= 1
        refused += 1
        file.unlink()
    assert refused > 5


@pytest.mark.parametrize(
    ("game", "parameters", "position"),
    [
        ("impedio", {"size": 3}, "w1,b2,./w1,b1,.,./w2,.,w1,.,./b1,.,.,b2/.,.,. w"),
        ("meigo", {"size": "3x2"}, None),
    ],
)
def test_a_list_of_moves_that_lies_ends_the_search(
    game: str, parameters: dict[str, Any], position: str | None, tmp_path: Path
) -> None:
    """Only the positions are checked when they are read: a wrong line may follow, but an end."""
    state, file = start(game, position, **parameters), tmp_path / "point"
    Solver(state, memory_mb=16, checkpoint=file).run(60)
    header, body = solver.read_sealed(file, solver.MAGIC, solver.VERSION, "a checkpoint")
    nodes, depth, at = *struct.unpack_from("<QQ", body), 24 + struct.unpack_from("<Q", body, 16)[0]
    (size,) = struct.unpack_from("<Q", body, at)
    words, end = bytes(body[at + 8 : at + 8 + size]), 2**32 - 3
    width = size // quincunx.solve(state, memory_mb=16).positions
    for seed in range(16):
        rng = random.Random(seed)
        listed = len(words) // width if seed else 1
        starts, moves = [0, 1], [end + 2]
        for _ in range(1, listed):
            for _ in range(rng.randrange(1, 4)):
                to = 2 * rng.randrange(listed)
                moves.append(rng.choice([end, end + 1, end + 2, to, to + 1]))
            starts.append(len(moves))
        blocks = (
            words[: listed * width],
            struct.pack(f"<{len(starts)}Q", *starts),
            struct.pack(f"<{len(moves)}I", *moves),
        )
        new = struct.pack("<QQQ", nodes, depth, 0)
        new += b"".join(struct.pack("<Q", len(block)) + block for block in blocks)
        solver.write_sealed(file, solver.MAGIC, header, lambda write, new=new: write(new))
        found = Solver(state, memory_mb=16, checkpoint=file).run(1)
        assert len(found.line) <= listed


def test_a_search_needs_no_large_stack() -> None:
    found = []

    def search() -> None:
        for game, parameters in (("unmergo", {"size": 8}), ("meigo", {"size": "19x19"})):
            found.append(quincunx.solve(start(game, **parameters), 0.3, 16))

    before = threading.stack_size(1 << 19)
    try:
        thread = threading.Thread(target=search)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert [solution.proven for solution in found] == [False, False]


def test_one_run_at_a_time() -> None:
    one = quincunx._core._new_solver(start("unane", size="6x6"), 16)
    began = threading.Event()
    thread = threading.Thread(target=lambda: one.run(1, lambda *_: began.set()))
    thread.start()
    assert began.wait(60)
    with pytest.raises(RuntimeError, match="running already"):
        one.run(0)
    with pytest.raises(RuntimeError, match="running already"):
        one.save(print)
    thread.join()
    assert one.so_far()["nodes"] > 0


def test_an_exception_of_the_progress_comes_out_and_nothing_is_lost() -> None:
    running = Solver(start("unane", size="6x6"), memory_mb=16)

    def stop(done: solver.Progress) -> None:
        raise LookupError(done.nodes)

    with pytest.raises(LookupError):
        running.run(60, stop)
    assert running.solution().nodes > 0
    assert running.run(0.01).nodes > running.solution().nodes // 2


# ---- the command


def test_solve_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["solve", "unmergo", "-p", "size=2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["player"], found["value"], found["low"], found["high"]) == (0, -1, -1, -1)
    state = start("unmergo", size=2)
    for turn in found["line"]:
        state.apply_turn(turn)
    assert state.returns() == [-1, 1]
    assert cli.main(["solve", "impedio", "-p", "size=3"]) == 0
    assert "player 0 wins in 5 plies" in capsys.readouterr().out
    unknown = ["solve", "unane", "-p", "size=6x6", "--time", "0.1", "--memory", "8"]
    assert cli.main(unknown) == 0
    assert "not known" in capsys.readouterr().out
    assert cli.main([*unknown, "--json"]) == 0
    captured = capsys.readouterr()
    assert (json.loads(captured.out)["value"], captured.err) == (None, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("solve unmergo --time 3x", "--time is a number of seconds"),
        ("solve unmergo --rebuild", "--rebuild is for the tablebase"),
        ("solve unmergo --memory 0", "--memory"),
        ("solve chess", "there is no game"),
        (f"solve unmergo -p size=2 --checkpoint {__file__}/x", "test_solver.py"),
        (f"solve fano330 --checkpoint {__file__}/x", "test_solver.py"),
        (f"solve fano330 --checkpoint {__file__}", "is not a checkpoint of quincunx"),
    ],
)
def test_bad_input(arguments: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments.split()) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert len(captured.err.splitlines()) == 1


def test_times() -> None:
    from quincunx.cli.solving import read_time

    assert [read_time(text) for text in (None, "90", "1.5s", "15m", "2h")] == [
        None,
        90,
        1.5,
        900,
        7200,
    ]


# The command, saying when the search has begun.
TELLING = """
import sys
from quincunx import cli, solver

run = solver.Solver.run

def telling(self, seconds, on_progress):
    def report(done):
        print("searching", file=sys.stderr, flush=True)
        on_progress(done)
    return run(self, seconds, report)

solver.Solver.run = telling
sys.exit(cli.main(sys.argv[1:]))
"""


def test_ctrl_c_says_what_is_known(tmp_path: Path) -> None:
    file = tmp_path / "point"
    arguments = ["solve", "unane", "-p", "size=6x6", "--memory", "32", "--checkpoint", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-c", TELLING, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "searching\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "not known: nothing is certain yet" in out
    last = err.splitlines()[-1]
    assert last.startswith("quincunx: stopped after ")
    assert last.endswith(f"--checkpoint {file} goes on")
    assert file.exists()


def test_a_kill_at_any_moment_leaves_a_whole_checkpoint(tmp_path: Path) -> None:
    """Checkpoints are written all the time here; whenever the kill comes, the file is good."""
    file = tmp_path / "point"
    code = (
        "import quincunx, quincunx.solver as s; s.CHECKPOINT_EVERY = 0;"
        " state = quincunx.load_game('unane', size='6x6').new_initial_state();"
        f" quincunx.solve(state, memory_mb=32, checkpoint={str(file)!r})"
    )
    quincunx.solve(start("unane", size="6x6"), 0, memory_mb=32, checkpoint=file)
    nodes = 0
    for pause in (0.0, 0.11, 0.23):
        before = file.stat().st_mtime_ns
        process = subprocess.Popen([sys.executable, "-c", code])
        while file.stat().st_mtime_ns == before:
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(pause)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        found = quincunx.solve(start("unane", size="6x6"), 0, memory_mb=32, checkpoint=file)
        assert found.nodes > nodes
        nodes = found.nodes
