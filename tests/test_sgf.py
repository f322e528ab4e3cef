"""Meigo as SGF: what is written is read back, and what is wrong is named with its place."""

from __future__ import annotations

import datetime
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quincunx
from cases import CASES, Case, play_random_game
from quincunx.records import Record, read_one
from quincunx.sgf import SGFError, from_sgf, to_sgf

MEIGO = [case for case in CASES if case.game == "meigo"]


def record_of(*turns: str, **options: Any) -> Record:
    fields = {name: options.pop(name) for name in ("players", "comments") if name in options}
    state = quincunx.load_game("meigo", **options).new_initial_state()
    for turn in turns:
        state.apply_turn(turn)
    return Record.of(state, **fields)


# ---- there and back


@pytest.mark.parametrize("case", MEIGO, ids=lambda case: case.id)
def test_games_come_back(case: Case) -> None:
    for cut in (0, 1, 2, 3, 8, 150 if case.slow else 2000):
        *_, state = play_random_game(case.core(), case.random(cut), cut)
        record = Record.of(
            state,
            ("Ann [5d]", "Bén\\:"),
            event="the 1st: [open] \\",
            round=3,
            date=datetime.date(2026, 1, 31),
            comments={0: "a \\ b]", state.move_number(): "c:d [e] }"},
        )
        for show_marks in (False, True):
            assert from_sgf(to_sgf(record, show_marks)) == record
        # By way of the text of records, too.
        assert read_one(str(from_sgf(to_sgf(record)))) == record


@pytest.mark.parametrize("case", MEIGO, ids=lambda case: case.id)
def test_games_from_any_position_come_back(case: Case) -> None:
    rng = case.random("sgf")
    for _ in range(5):
        *_, middle = play_random_game(case.core(), rng, rng.randrange(20))
        *_, state = play_random_game(case.core(), rng, 3, middle.position())
        record = Record.of(state)
        assert from_sgf(to_sgf(record, show_marks=True)) == record


@pytest.mark.parametrize(
    ("result", "reason", "written"),
    [
        ("1-0", "resignation", "RE[B+R]"),
        ("0-1", "time", "RE[W+T]"),
        ("1-0", "adjudication", "RE[B+]"),
        ("1/2-1/2", "agreement", "RE[Draw]"),
        ("1/2-1/2", "adjudication", "RE[Draw]"),
        ("*", None, "RE[?]"),
    ],
)
def test_results_come_back(result: str, reason: str | None, written: str) -> None:
    state = record_of("c3").final_state()
    record = Record.of(state, result=result, reason=reason)
    assert written in to_sgf(record)
    assert from_sgf(to_sgf(record)) == record
    # And without our own property, as Go software writes it.
    plain = to_sgf(record).replace(f"QXREASON[{reason}]", "")
    again = from_sgf(plain)
    assert again.result == result
    if reason != "adjudication":
        assert again.reason == reason


def test_points_from_the_top_left_with_i() -> None:
    text = to_sgf(record_of("a1", "j9", "j1", "e5"))
    assert text.split("\n;", 1)[1] == "B[ai]\n;W[ia]\n;B[ii]\n;W[ee])\n"
    assert "SZ[9]" in text
    oblong = to_sgf(record_of("a1", "e4", size="5x4"))
    assert oblong.split("\n;", 1)[1] == "B[ad]\n;W[ea])\n"
    assert "SZ[5:4]" in oblong


def test_holds_and_prison() -> None:
    record = record_of("a1", "b3", "c2", "hold", size="3x3", prison_black=1)
    text = to_sgf(record)
    assert text.split("\n;", 1)[1] == ("B[ac]\n;W[ba]\n;B[cb]\n;W[]QXHOLD[]QXPRISON[0:0])\n")
    # A pass is a hold, whoever wrote it and however.
    for written in ("W[]", "W[tt]", "W[tt]QXHOLD[]"):
        assert from_sgf(text.replace("W[]QXHOLD[]", written)) == record


def test_captures_and_marks() -> None:
    *_, state = play_random_game(quincunx.load_game("meigo", size="4x4"), random.Random(2))
    record = Record.of(state)
    nodes = to_sgf(record, show_marks=True).rstrip(")\n").split("\n;")[1:]
    prison = ["0", "0"]
    for node, after in zip(nodes, list(record.states())[1:], strict=True):
        rows, _, black, white, *_ = after.position().split(" ")
        told = f"QXPRISON[{black}:{white}]"
        assert (told in node) == ([black, white] != prison)
        prison = [black, white]
        assert node.partition("TR")[2].count("[") == sum(cell in "XO" for cell in rows)
    assert prison != ["0", "0"]


def test_a_handicap_is_ab() -> None:
    text = to_sgf(record_of("d4", size="4x4", handicap=["b2", "a4"]))
    assert "HA[2]AB[bc][aa]PL[W]" in text
    plain = "(;FF[4]GM[1]SZ[4]AB[bc][aa];W[da])"
    assert from_sgf(plain).turns == ("d4",)
    assert from_sgf(plain).game == quincunx.load_game("meigo", size="4x4", handicap=["b2", "a4"])
    # A rectangle of stones is short for its points.
    assert from_sgf("(;FF[4]GM[1]SZ[4]AB[aa:bb])").game.parameters["handicap"] == [
        "a4",
        "b4",
        "a3",
        "b3",
    ]


def test_the_colours_of_an_auction() -> None:
    record = record_of("prison 2", "black", "b2", size="3x3", auction=True, players=("Ann", "Ben"))
    text = to_sgf(record)
    assert "PB[Ben]PW[Ann]" in text
    assert text.split("\n;", 1)[1] == (
        "QXAUCTION[prison 2]QXPRISON[2:0]\n;QXAUCTION[black]\n;B[bb])\n"
    )
    assert from_sgf(text) == record


def test_variations_and_strangers_are_passed_over() -> None:
    text = """
    (;GM[1]FF[4]SZ[3]KM[6.5]AP[An Editor:1.0]ST[2];B[aa]BL[12.3]
      (;W[bb]C[main\\
 line \\]: here](;B[cc])(;B[ca];W[cb]))(;W[cc];B[zz])
      (;W[ab](;B[ba])))
    """
    record = from_sgf(text)
    assert record.turns == ("a3", "b2", "c1")
    assert record.comments == {2: "main line ]: here"}


def test_only_meigo() -> None:
    state = quincunx.load_game("unmergo").new_initial_state()
    with pytest.raises(ValueError, match="only games of Meigo"):
        to_sgf(Record.of(state))


# ---- what is wrong


ROOT = "(;FF[4]GM[1]SZ[3]"


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", 1, 1, "begins with '('"),
        ("x(;FF[4]GM[1])", 1, 1, "begins with '('"),
        ("()", 1, 2, "a tree has at least one node"),
        ("(;FF[4]GM[1]\n)(;FF[4])", 2, 2, "more than one game"),
        (f"{ROOT}) x", 1, 20, "text after the game"),
        (f"{ROOT}", 1, 18, "ends before the last ')'"),
        (f"{ROOT}\n;B[aa", 2, 3, "the value of B has no closing"),
        (f"{ROOT}\n;B[aa\\])", 2, 3, "the value of B has no closing"),
        (f"{ROOT};B)", 1, 20, "B has no value in brackets"),
        (f"{ROOT};b[aa])", 1, 19, "of capital letters"),
        (f"{ROOT};B[aa]B[bb])", 1, 24, "B stands twice"),
        (f"{ROOT}(;B[aa]);W[bb])", 1, 26, "after a variation"),
        (f"{ROOT}(;B[aa])W[bb])", 1, 26, "stands where"),
        ("(;GM[1])", 1, 2, "FF[4] is missing"),
        ("(;FF[3]GM[1])", 1, 3, "FF[3] is not read"),
        ("(;FF[4]GM[2])", 1, 8, "GM[2] is not read"),
        ("(;FF[4]GM[1]SZ[x])", 1, 13, "SZ[x] is neither"),
        ("(;FF[4]GM[1]SZ[3:3])", 1, 13, "SZ[3:3] is neither"),
        ("(;FF[4]GM[1]SZ[20])", 1, 13, "boards of 2 to 19"),
        (f"{ROOT}SZ[4])", 1, 18, "SZ stands twice"),
        (f"{ROOT}QXPARAM[komi:1])", 1, 18, "komi"),
        (f"{ROOT}QXPARAM[reach])", 1, 25, "takes name:value"),
        (f"{ROOT}QXPARAM[reach:any][reach:any])", 1, 36, "reach is given twice"),
        (f"{ROOT}QXSTART[x])", 1, 18, "position"),
        (f"{ROOT}AW[aa])", 1, 18, "needs QXSTART"),
        (f"{ROOT}AB[aa][aa])", 1, 18, "names a point twice"),
        (f"{ROOT}AB[dd])", 1, 20, "[dd] is not a point of the board 3x3"),
        (f"{ROOT}AB[bb:aa])", 1, 20, "a rectangle is given by its upper left"),
        (f"{ROOT}AB[aa]QXPARAM[handicap:b2])", 1, 18, "QXPARAM must not name it too"),
        (f"{ROOT}AE[aa])", 1, 18, "AE clears"),
        (f"{ROOT}PL[W])", 1, 18, "it is B who is to move"),
        (f"{ROOT}HA[2])", 1, 18, "AB has 0 stones"),
        (f"{ROOT};AB[aa])", 1, 19, "AB changes the board in mid-game"),
        (f"{ROOT};W[aa])", 1, 19, "it is B who is to move"),
        (f"{ROOT};B[aa];W[bb];W[cc])", 1, 31, "it is B who is to move"),
        (f"{ROOT};B[aa]\n;W[aa])", 2, 2, "move 2 (a3): "),
        (f"{ROOT};B[ad])", 1, 20, "[ad] is not a point"),
        (f"{ROOT};B[aa][bb])", 1, 19, "more than one value"),
        (f"{ROOT};B[aa]W[bb])", 1, 24, "B and W stand in one node"),
        (f"{ROOT};B[])", 1, 19, "move 1 (hold): "),
        (f"{ROOT};B[aa]QXHOLD[])", 1, 24, "goes with B[] or W[]"),
        (f"{ROOT};QXHOLD[])", 1, 19, "goes with B[] or W[]"),
        (f"{ROOT};B[aa]QXPRISON[1:0])", 1, 24, "there are 0 black and 0 white"),
        (f"{ROOT};QXAUCTION[black])", 1, 19, "move 1 (black): "),
        (f"{ROOT}QXPARAM[auction:true];B[aa])", 1, 40, "during the auction"),
        (f"{ROOT}RE[B+3.5])", 1, 18, "RE[B+3.5] is none of"),
        (f"{ROOT}QXREASON[mate]RE[B+])", 1, 18, "'mate' does not go with 1-0"),
        (f"{ROOT}C[\x01])", 1, 19, "U+0001"),
    ],
)
def test_bad_sgf(text: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(SGFError) as caught:
        from_sgf(text)
    error = caught.value
    assert (error.line, error.column, reason in error.reason) == (line, column, True), error
    assert str(error) == f"line {line}, column {column}: {error.reason}"


def test_a_game_that_is_over_has_no_more_moves() -> None:
    *_, state = play_random_game(quincunx.load_game("meigo", size="2x2"), random.Random(1))
    text = to_sgf(Record.of(state)).removesuffix(")\n")
    with pytest.raises(SGFError, match="but the game is over"):
        from_sgf(f"{text};B[aa])")
    wrong = text.replace("RE[W", "RE[X").replace("RE[B", "RE[W").replace("RE[X", "RE[B")
    with pytest.raises(SGFError, match="but the game ended"):
        from_sgf(f"{wrong})")


# ---- any text at all


def read_or_refuse(text: str) -> None:
    try:
        record = from_sgf(text)
    except SGFError:
        return
    assert from_sgf(to_sgf(record)) == record


PIECES = [
    "(", ")", ";", "[", "]", "\\", ":", "[]", "\n", " ", "B[aa]", "W[bb]", "B[]", "C[x]", "AB[cc]",
    "QXAUCTION[black]", "QXHOLD[]", "QXPARAM[auction:true]", "RE[B+R]", "RE[]", "QXSTART[", "x",
]  # fmt: skip


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)
    read_or_refuse(f"{ROOT}C[{text}])")


@given(st.lists(st.sampled_from(PIECES)))
def test_pieces_in_any_order(pieces: list[str]) -> None:
    read_or_refuse(ROOT + "".join(pieces) + ")")


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1))
def test_any_name_comes_back(name: str) -> None:
    record = record_of("b2", size="3x3", players=(name, "?"), comments={1: name})
    assert from_sgf(to_sgf(record)) == record
