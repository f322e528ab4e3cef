"""The tablebase of Fano330: its values against the rules and brute force, its file, its player."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import brute_force
import quincunx
from quincunx import reference, tablebase
from quincunx.match import match, play_game
from quincunx.players import PerfectPlayer, RandomPlayer, player_from_name
from quincunx.tablebase import Tablebase

READINGS = ["drawn", "plane"]
LINES = [{1, 2, 4}, {2, 3, 5}, {3, 4, 6}, {1, 5, 6}, {2, 6, 7}, {1, 3, 7}, {4, 5, 7}]
STRAIGHT = ["523", "346", "615", "276", "475", "173"]
DRAWN_EDGES = {frozenset(map(int, pair)) for s in STRAIGHT for pair in (s[:2], s[1:])} | {
    frozenset(pair) for pair in [(1, 2), (2, 4), (4, 1)]
}


def start(adjacency: str, **limits: int) -> quincunx.State:
    return quincunx.load_game("fano330", adjacency=adjacency, **limits).new_initial_state()


def random_states(adjacency: str, count: int, seed: int) -> Iterator[quincunx.State]:
    """Yield running states of random games, one a game, from anywhere in it."""
    rng = random.Random(seed)
    game = quincunx.load_game("fano330", adjacency=adjacency)
    while count:
        state = game.new_initial_state()
        for _ in range(rng.randrange(24)):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if not state.is_terminal():
            count -= 1
            yield state


def symmetric(adjacency: str, position: str) -> list[str]:
    """Return the position strings that are the same but for symmetry, by the definition."""
    *points, _ = position.replace(" ", "/").split("/")
    player = position[-1]
    placed = sum(letter != "." for letter in position[:-2] if letter != "/") == 8
    images = []
    for permutation in maps_of(adjacency):
        turned = [""] * 7
        for point, stack in zip(permutation, points, strict=True):
            turned[point - 1] = stack
        text = "/".join(turned)
        for exchanged in (text, text.translate(str.maketrans("SsCc", "sScC"))):
            images.append(f"{exchanged} {player}")
            if placed:
                other = exchanged.translate(str.maketrans("SsCc", "CcSs"))
                images.append(f"{other} {1 - int(player)}")
    return images


_maps: dict[str, list[tuple[int, ...]]] = {}


def maps_of(adjacency: str) -> list[tuple[int, ...]]:
    if adjacency not in _maps:
        _maps[adjacency] = [
            image
            for image in permutations(range(1, 8))
            if all({image[p - 1] for p in line} in LINES for line in LINES)
            and (
                adjacency == "plane"
                or all(frozenset(image[p - 1] for p in e) in DRAWN_EDGES for e in DRAWN_EDGES)
            )
        ]
    return _maps[adjacency]


# ---- values


@pytest.mark.parametrize(
    ("adjacency", "entries"), [("drawn", 50_158), ("plane", 1_953)], ids=READINGS
)
def test_what_is_known_of_the_game(adjacency: str, entries: int) -> None:
    """With best play nobody wins; the counts do not depend on how the table is made."""
    table = Tablebase("fano330", adjacency=adjacency)
    assert table.probe(start(adjacency)).value == 0
    assert table.probe(start(adjacency)).distance is None
    assert (table.entries, table.positions) == (entries, 1_835_891)


@pytest.mark.parametrize("adjacency", READINGS)
def test_values_follow_from_those_of_the_successors(adjacency: str) -> None:
    table = Tablebase("fano330", adjacency=adjacency)
    values = set()
    for state in random_states(adjacency, 400, seed=1):
        player, reached = state.current_player(), {}
        for action in state.legal_actions():
            after = state.child(action)
            if after.is_terminal() and after.returns() != [0, 0]:
                reached[action] = int(after.player_return(player)), 1
                continue
            found = table.probe(after)
            sign = 1 if after.current_player() == player else -1
            reached[action] = sign * found.value, 1 + (found.distance or 0)
        best = max(value for value, _ in reached.values())
        distances = [plies for value, plies in reached.values() if value == best]
        distance = {1: min(distances), 0: None, -1: max(distances)}[best]
        expected = [
            action
            for action, (value, plies) in reached.items()
            if value == best and (best == 0 or plies == distance)
        ]
        assert table.probe(state) == tablebase.Probe(best, distance, expected)
        values.add(best)
    assert values == {1, 0, -1}


@pytest.mark.parametrize("adjacency", READINGS)
def test_symmetric_positions_have_the_same_value(adjacency: str) -> None:
    table = Tablebase("fano330", adjacency=adjacency)
    rng = random.Random(2)
    for state in random_states(adjacency, 40, seed=3):
        found = table.probe(state)
        for image in rng.sample(symmetric(adjacency, state.position()), 10):
            other = table.probe(state.get_game().new_initial_state(image))
            assert (other.value, other.distance) == (found.value, found.distance)


@pytest.mark.parametrize("adjacency", READINGS)
def test_short_wins_and_losses_by_brute_force(adjacency: str) -> None:
    """The reference finds the same wins, and none that are quicker."""
    table = Tablebase("fano330", adjacency=adjacency)
    game = reference.load_game("fano330", adjacency=adjacency)
    depth, compared = 3, 0
    for state in random_states(adjacency, 250, seed=4):
        position, player = game.read(state.position()), state.current_player()
        found = table.probe(state)
        distance = found.distance or 1000
        if distance <= depth:
            winner = player if found.value > 0 else 1 - player
            assert brute_force.wins_within(game, position, winner, distance)
            assert not brute_force.wins_within(game, position, winner, distance - 1)
            compared += 1
        else:
            assert not brute_force.wins_within(game, position, player, depth - 1)
    assert compared > 2


@pytest.mark.deep
@pytest.mark.parametrize("adjacency", READINGS)
def test_every_position_by_brute_force(adjacency: str) -> None:
    """The reference solves the whole game, with symmetries of its own."""
    table = Tablebase("fano330", adjacency=adjacency)
    game = reference.load_game("fano330", adjacency=adjacency)
    names: dict[str, str] = {}

    def name(position: Any) -> str:
        text = game.write(position)
        if text not in names:
            images = symmetric(adjacency, text)
            names.update(dict.fromkeys(images, min(images)))
        return names[text]

    verdicts = brute_force.retrograde(game, [game.start()], name)
    core = quincunx.load_game("fano330", adjacency=adjacency)
    assert len(verdicts) > 3_000
    for text, verdict in verdicts.items():
        found = table.probe(core.new_initial_state(text))
        assert (found.value, found.distance or 0) == verdict, text


def test_finished_games() -> None:
    table = Tablebase("fano330")
    lost = quincunx.load_game("fano330").new_initial_state("S/S/./C/C/./. 0")
    while not lost.is_terminal():
        lost.apply_action(lost.string_to_action("r3" if lost.explain("r3") is None else "r4"))
    # Who would be to move has won or lost: one cannot win on one's own turn but by a blockade.
    assert table.probe(lost) == tablebase.Probe(1, 0, [])
    draw = start("drawn", max_plies=1)
    draw.apply_action(0)
    assert draw.is_terminal()
    assert table.probe(draw) == tablebase.Probe(0, None, [])


def test_limits_of_the_game_play_no_part() -> None:
    table = Tablebase("fano330")
    for state in random_states("drawn", 20, seed=5):
        limited = quincunx.load_game("fano330", repetition=2, max_plies=1)
        assert table.probe(limited.new_initial_state(state.position())) == table.probe(state)


def test_a_line_is_as_long_as_the_distance() -> None:
    table = Tablebase("fano330")
    longest = 0
    for state in random_states("drawn", 100, seed=6):
        found, line = table.probe(state), table.line(state)
        assert len(line) == (found.distance or 0)
        player = state.current_player()
        for action in line:
            state.apply_action(action)
        if line:
            assert state.is_terminal()
            assert state.player_return(player) == found.value
        longest = max(longest, len(line))
    assert longest > 5


def test_other_states_are_refused() -> None:
    table = Tablebase("fano330")
    with pytest.raises(ValueError, match="the state is of the other reading"):
        table.probe(start("plane"))
    with pytest.raises(ValueError, match="the state is of unmergo"):
        table.probe(quincunx.load_game("unmergo").new_initial_state())
    with pytest.raises(TypeError):
        table.probe("start")  # type: ignore[arg-type]


def test_it_is_looked_up_in_microseconds() -> None:
    table, state = Tablebase("fano330"), start("drawn")
    began = time.perf_counter()
    for _ in range(1000):
        table.probe(state)
    assert time.perf_counter() - began < 1  # a thousand times what it takes


# ---- the file


def test_bad_arguments() -> None:
    with pytest.raises(ValueError, match="no tablebase of 'unmergo'"):
        Tablebase("unmergo")
    with pytest.raises(ValueError, match="adjacency must be 'drawn' or 'plane', not 'x'"):
        Tablebase("fano330", adjacency="x")
    with pytest.raises(TypeError, match="game must be a str, not int"):
        Tablebase(3)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        Tablebase("fano330", path="/nowhere/at/all")


@pytest.fixture
def table_file(tmp_path: Path) -> Path:
    return Tablebase.build("fano330", adjacency="plane", path=tmp_path / "a.table").path or tmp_path


def header_of(content: bytes) -> Any:
    return json.loads(content[16:512])


def with_header(content: bytes, **changes: object) -> bytes:
    text = json.dumps({**header_of(content), **changes}).encode()
    return content[:16] + text.ljust(495) + b"\n" + content[512:]


def resealed(content: bytes, **changes: object) -> bytes:
    """With another header, and the checksum that goes with it."""
    header = {**header_of(content), **changes}
    del header["checksum"]
    checksum = zlib.crc32(content[512:], zlib.crc32(json.dumps(header, sort_keys=True).encode()))
    return with_header(content, **changes, checksum=checksum)


DAMAGE = {
    "is not a tablebase": lambda content: b"GIF89a" + content[6:],
    "not a tablebase": lambda content: content[:100],
    "not a tablebase of": lambda content: b"",
    "its checksum is wrong": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "damaged: its checksum": lambda content: content[:-10],
    "checksum is wrong": lambda content: with_header(content, positions=3),
    "of version 99": lambda content: with_header(content, version=99),
    "its header does not fit": lambda content: resealed(content, entries="many"),
    "header does not fit": lambda content: resealed(content, entries=1000),
    "does not fit": lambda content: resealed(content, positions=-1),
    "header cannot be read": lambda content: content[:40] + b"\xff" + content[41:],
    "its header cannot be read": lambda content: content[:16] + b"[" * 400_000 + b"\n" + content,
    "damaged: its header cannot": lambda content: with_header(content, version=[[1]]),
}


@pytest.mark.parametrize("message", DAMAGE)
def test_a_damaged_file_is_refused_but_made_anew_in_the_cache(
    message: str, table_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = table_file.read_bytes()
    table_file.write_bytes(DAMAGE[message](good))
    with pytest.raises(ValueError, match=message) as refused:
        Tablebase("fano330", adjacency="plane", path=table_file)
    assert str(refused.value).startswith(str(table_file))
    assert "\n" not in str(refused.value)
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    cached = tmp_path / "cache" / "fano330-plane.table"
    cached.write_bytes(DAMAGE[message](good))
    assert Tablebase("fano330", adjacency="plane").probe(start("plane")).value == 0
    assert cached.read_bytes() == good
    assert [path.name for path in cached.parent.iterdir()] == [cached.name]


def test_a_table_of_the_other_reading_is_refused(table_file: Path) -> None:
    with pytest.raises(ValueError, match=r"is the tablebase of fano330 with .*plane.*, not of"):
        Tablebase("fano330", adjacency="drawn", path=table_file)


def test_where_nothing_can_be_written_the_table_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path / "file"))
    table = Tablebase("fano330", adjacency="plane")
    assert table.path is None
    assert table.probe(start("plane")).value == 0
    with pytest.raises(OSError, match="file"):
        Tablebase.build("fano330", adjacency="plane")


def test_the_cache_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINCUNX_CACHE", "/some/where")
    assert tablebase.cache_folder() == Path("/some/where")
    monkeypatch.delenv("QUINCUNX_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert tablebase.cache_folder() == Path("/xdg/quincunx")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert tablebase.cache_folder() == Path(os.path.expanduser("~/.cache/quincunx"))


def test_two_processes_may_make_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path))
    code = "import quincunx; print(quincunx.Tablebase('fano330', adjacency='plane').entries)"
    both = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(2)
    ]
    assert [process.communicate()[0].strip() for process in both] == [b"1953", b"1953"]
    assert [path.name for path in tmp_path.iterdir()] == ["fano330-plane.table"]
    Tablebase("fano330", adjacency="plane", path=tmp_path / "fano330-plane.table")


def test_present(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUINCUNX_CACHE", str(tmp_path))
    assert Tablebase.present(start("plane")) is None
    Tablebase("fano330", adjacency="plane")
    assert Tablebase.present(start("plane")) is not None
    assert Tablebase.present(start("drawn")) is None
    assert Tablebase.present(quincunx.load_game("unmergo").new_initial_state()) is None


# ---- the player


def test_perfect_never_loses_and_is_repeatable() -> None:
    for seed in range(8):
        games = []
        for _ in range(2):
            players = (PerfectPlayer(seed), RandomPlayer(seed))
            games.append(play_game(start("drawn"), players).history())
        state = start("drawn")
        for action in games[0]:
            state.apply_action(action)
        assert games[0] == games[1]
        assert state.player_return(0) >= 0


def test_perfect_against_itself_is_a_draw() -> None:
    result = match("fano330", "perfect", "perfect", 4, openings=0)
    assert (result.wins, result.draws, result.losses) == (0, 4, 0)


def test_perfect_refuses_other_games() -> None:
    player = player_from_name("perfect")
    with pytest.raises(ValueError, match="plays fano330 alone, not unmergo"):
        player.step(quincunx.load_game("unmergo").new_initial_state())


# ---- the command


@pytest.mark.parametrize("adjacency", READINGS)
def test_solve_on_the_command_line(adjacency: str, capsys: pytest.CaptureFixture[str]) -> None:
    from quincunx import cli

    arguments = ["solve", "fano330", "-p", f"adjacency={adjacency}"]
    assert cli.main([*arguments, "--rebuild", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["value"], found["distance"], found["line"]) == (0, None, [])
    assert found["positions"] == 1_835_891
    assert cli.main(arguments) == 0
    assert "neither side can force a win: the tablebase has" in capsys.readouterr().out
    won = next(
        state
        for state in random_states(adjacency, 200, seed=7)
        if Tablebase.present(state) and Tablebase("fano330", adjacency=adjacency).line(state)
    )
    assert cli.main([*arguments, "--position", won.position(), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["line"]) == found["distance"]
    assert found["line"][0] in found["best_actions"]


def test_perfect_plays_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    from quincunx import cli

    play = ["play", "fano330", "--first", "perfect", "--second", "random"]
    assert cli.main(play) == 0
    assert "player 0 (perfect)" in capsys.readouterr().out
    assert cli.main(["play", "unmergo", "--first", "perfect", "--second", "random"]) == 2
    assert "plays fano330 alone" in capsys.readouterr().err
    assert cli.main(["match", "unmergo", "perfect", "random", "--processes", "1"]) == 2
    assert "plays fano330 alone" in capsys.readouterr().err
