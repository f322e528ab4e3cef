"""Records as text: what is written is read back, and what is wrong is named with its line."""

from __future__ import annotations

import datetime
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quincunx
from cases import Case, play_random_game
from quincunx.records import Record, RecordError, load, read, read_one, result_of, save, write

PAGE = Path(__file__).parents[1] / "docs" / "records.md"
SAMPLE = PAGE.read_text(encoding="utf-8").split("\n```\n", 2)[1] + "\n"


def state_after(game: str, *turns: str, position: str | None = None, **parameters: Any) -> Any:
    state = quincunx.load_game(game, **parameters).new_initial_state(position)
    for turn in turns:
        state.apply_turn(turn)
    return state


# ---- there and back


def test_games_of_every_case_come_back(case: Case) -> None:
    records = []
    for cut in (0, 1, 2, 5, 400 if case.slow else 2000):
        *_, state = play_random_game(case.core(), case.random(cut), cut)
        records.append(Record.of(state))
        if not state.is_terminal():
            winner = {"result": "0-1", "reason": "time"}
            records.append(Record.of(state, ("Ann", "Ünal"), **winner))
            drawn = {"result": "1/2-1/2", "reason": "agreement", "comments": {0: "a", 1: "b"}}
            records.append(Record.of(state, **drawn if state.move_number() > 1 else {}))
    text = write(records)
    assert read(text) == records
    assert write(read(text)) == text


def test_games_from_any_position_come_back(case: Case) -> None:
    rng = case.random("positions")
    for _ in range(5):
        *_, middle = play_random_game(case.core(), rng, rng.randrange(12))
        start = middle.position()
        *_, state = play_random_game(case.core(), rng, 3, start)
        record = Record.of(state)
        assert record.initial_state().position() == start
        assert read_one(str(record)) == record
        assert record.final_state() == state


def test_the_sample_of_the_docs() -> None:
    assert write(read(SAMPLE)) == SAMPLE
    record = read_one(SAMPLE)
    assert record.game == quincunx.load_game("unmergo", size=3)
    assert record.turns == ("a1", "e5 a1-b1", "c3 e5-d5", "a3")
    assert (record.result, record.reason) == ("1-0", "resignation")
    assert record.players == ("mcts:2000", "random")
    assert (record.round, record.date) == (1, datetime.date(2026, 1, 31))
    assert record.comments == {0: "a short game", 3: "to the middle"}
    assert str(record) == SAMPLE


def test_an_unfinished_turn() -> None:
    state = state_after("unmergo", "a1", size=2)
    state.apply_action(state.string_to_action("b2"))
    record = Record.of(state)
    assert record.turns == ("a1", "b2 ...")
    again = read_one(str(record))
    assert again == record
    assert again.final_state().position() == state.position()


def test_a_game_that_begins_within_a_turn() -> None:
    begun = state_after("unmergo", "a1", size=2)
    begun.apply_action(begun.string_to_action("b2"))
    for action in ("end", "a1-a2"):
        state = begun.get_game().new_initial_state(begun.position())
        state.apply_action(state.string_to_action(action))
        record = Record.of(state)
        assert record.turns == (action,)
        assert read_one(str(record)) == record


def test_an_auction_and_a_handicap() -> None:
    record = Record.of(state_after("meigo", "prison 2", "black", "a1", size="3x2", auction=True))
    assert record.turns == ("prison 2", "black", "a1")
    assert read_one(str(record)) == record
    record = Record.of(state_after("meigo", "a2", size="3x2", handicap=["c2", "b1"]))
    assert "\nparameter: handicap=c2,b1\n" in str(record)
    assert read_one(str(record)) == record


def test_free_forms_are_read_and_written_in_one() -> None:
    text = (
        "\n\nquincunx record 1\r\nresult: *\r\nparameter: size=3x3\r\ngame:meigo\r\n\r\n"
        "{ at\n the  start } ; again\n1. A1 2. b2 {x}{ } 3. C3 ; a } in it\n * \n\n"
    )
    assert str(read_one(text)) == (
        "quincunx record 1\ngame: meigo\nparameter: size=3x3\nparameter: prison_black=0\n"
        "parameter: handicap=\nparameter: auction=false\nparameter: reach=any\n"
        "parameter: repetition=0\nparameter: max_plies=180\nplayer 0: ?\nplayer 1: ?\nresult: *\n\n"
        "{at the start again}\n1. a1\n2. b2 {x}\n3. c3 ; a } in it\n*\n"
    )


def test_records_are_values() -> None:
    record = read_one(SAMPLE)
    assert pickle.loads(pickle.dumps(record)) == record
    assert hash(read_one(SAMPLE)) == hash(record)
    assert [state.move_number() for state in record.states()] == [0, 1, 3, 5, 7]


def test_results_of_the_board() -> None:
    state = state_after("unane", position="x./.. o - -", size="2x2")
    assert result_of(state) == "1-0"
    record = Record.of(state)
    assert read_one(str(record)) == record
    assert result_of(state_after("unane")) == "*"


def test_nothing_is_no_record() -> None:
    assert read("") == read("\n \n") == []
    assert write([]) == ""


# ---- files


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "games.qx"
    records = [read_one(SAMPLE), Record.of(state_after("fano330", "c1"), ("Ōe", "?"))]
    save(path, records)
    assert load(path) == records
    assert path.read_bytes().decode() == write(records)
    path.write_bytes(path.read_bytes().replace(b"1-0\n", b"0-1\n", 1))
    with pytest.raises(RecordError, match=r"games\.qx: line 17: the game ends 1-0, but the header"):
        load(path)
    path.write_bytes(SAMPLE.encode() + b"\n\xff\n")
    with pytest.raises(RecordError, match=r"games\.qx: line 19: this is not UTF-8"):
        load(path)


# ---- what is wrong


def changed(old: str, new: str) -> str:
    assert SAMPLE.count(old) == 1, old
    return SAMPLE.replace(old, new)


UNFINISHED = "quincunx record 1\ngame: unane\nparameter: size=2x2\nresult: *\n\n1. a1xa2\n*\n"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (changed("quincunx record 1", "quincunx record 2"), 1, "is not the format read here"),
        ("hello\n", 1, "a record begins with the line 'quincunx record 1'"),
        (" " + SAMPLE, 1, "a record begins with the line"),
        (changed("unmergo", "chess"), 2, "there is no game 'chess'"),
        (changed("size=3", "size=33"), 3, "size"),
        (changed("size=3", "width=3"), 3, "width"),
        (changed("size=3", "name=3"), 3, "name"),
        (changed("size=3", "size"), 3, "takes name=value"),
        (changed("round: 1", "parameter: size=3"), 5, "size is given a second time"),
        (changed("round: 1", "game: unmergo"), 5, "game is given a second time"),
        (changed("round: 1", "round: one"), 5, "is not a number from 1"),
        (changed("round: 1", "colour: red"), 5, "there is no header 'colour'"),
        (changed("round: 1", "round 1"), 5, "is not a header"),
        (changed("round: 1", "round:"), 5, "has no value"),
        (changed("round: 1", "start: nothing"), 5, "start: "),
        (changed("2026-01-31", "2026-02-31"), 6, "is not of the form"),
        (changed("2026-01-31", "20260131"), 6, "is not of the form"),
        (changed("game: unmergo\n", ""), 10, "the header 'game:' is missing"),
        (changed("result: 1-0\n", ""), 10, "the header 'result:' is missing"),
        (changed("reason: resignation\n", ""), 9, "there is no reason (resignation, time"),
        (changed("resignation", "agreement"), 10, "does not go with 1-0"),
        (changed("resignation\n\n", "resignation\n"), 11, "is not a header"),
        (changed("2. e5 a1-b1", "2. a1 e5-d5"), 14, "turn 2 (a1 e5-d5): a1 is occupied"),
        (changed("2. e5 a1-b1", "2. a1 foo"), 14, "turn 2 (a1 foo): "),
        (changed("2. e5 a1-b1", "2. e5 ..."), 15, "turn 3 (c3 e5-d5): the turn before is not fin"),
        (changed("1. a1\n", "1. a1 ...\n"), 13, "the turn ends here"),
        (changed("2. e5 a1-b1", "3. e5 a1-b1"), 14, "here comes turn 2, not 3."),
        (changed("2. e5 a1-b1", "2. {nothing}"), 14, "turn 2 is empty"),
        (changed("2. e5 a1-b1", "e5 a1-b1"), 13, "turn 1 (a1 e5 a1-b1)"),
        (changed("{a short game}", "a short game"), 12, "'a' stands in no turn"),
        (changed("{a short game}", "} game"), 12, "no comment begins before: '}'"),
        (changed("middle}", "middle"), 15, "this comment has no end: '{'"),
        (changed("3. c3 e5-d5 {", "3. c3 {in between} e5-d5 {"), 15, "stands in no turn"),
        (changed("4. a3\n1-0", "4. a3\n0-1"), 17, "the game ends 0-1, but the header says 1-0"),
        (changed("4. a3\n1-0", "4. a3"), 16, "the record ends without a result"),
        (changed("4. a3\n1-0", "4. a3\n1-0 5. b1"), 17, "the line must end"),
        (changed("{to the middle}", "{\x00}"), 15, "the character U+0000 has no place"),
        (changed("{to the middle}", "{\ud800}"), 15, "the character U+D800 has no place"),
        (SAMPLE + "\nand more\n", 19, "a record begins with the line"),
        ("quincunx record 1\ngame: unane\nresult: *\n", 3, "after the headers comes"),
        ("quincunx record 1", 1, "after the headers comes"),
        (UNFINISHED, 4, "but the game ended"),
        (UNFINISHED.replace("*", "0-1"), 4, "the result is 0-1, but the game ended 1-0"),
        (UNFINISHED.replace("*", "1-0").replace("1-0\n", "1-0\nreason: time\n", 1), 5, "no reason"),
        (UNFINISHED.replace("1. a1xa2\n*", "1. a1xa2\n2. a2xb2\n*"), 7, "turn 2 (a2xb2)"),
    ],
)
def test_bad_records(text: str, line: int, reason: str) -> None:
    with pytest.raises(RecordError) as caught:
        read(text)
    assert (caught.value.line, reason in caught.value.reason) == (line, True), caught.value
    assert str(caught.value) == f"line {line}: {caught.value.reason}"


def test_one_record_is_one() -> None:
    with pytest.raises(RecordError, match="line 19: there is more than one record"):
        read_one(f"{SAMPLE}\n{SAMPLE}")
    with pytest.raises(RecordError, match="line 1: a record begins with"):
        read_one("")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"turns": ("a1", "a1")}, "turn 2"),
        ({"turns": ("a1", "b2 end")}, "turn 2 \\(b2 end\\): .* is written without 'end'"),
        ({"result": "1:0"}, "is none of 1-0"),
        ({"result": "1-0"}, "there is no reason"),
        ({"result": "1-0", "reason": "mate"}, "'mate' does not go with 1-0"),
        ({"reason": "time"}, "'time' does not go with *"),
        ({"players": ("", "?")}, "player 0 must not be empty"),
        ({"players": ("?", "a\nb")}, "U\\+000A"),
        ({"event": " x"}, "event must not be empty, nor begin"),
        ({"round": 0}, "round must be from 1"),
        ({"comments": {1: "x"}}, "a comment follows turn 1, which there is not"),
        ({"comments": {0: "x  y"}}, "single spaces"),
        ({"start": "../.../.. w place"}, "left out if it is that of the rules"),
        ({"start": "x"}, "position"),
    ],
)
def test_a_record_that_cannot_be_is_not_made(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Record(quincunx.load_game("unmergo", size=2), **fields)


# ---- any text at all


def read_or_refuse(text: str) -> None:
    """Read a text, which must succeed or raise the one error for what is no record."""
    try:
        records, line = read(text), 1
    except RecordError as error:
        records, line = [], error.line
    assert 1 <= line <= text.count("\n") + 1
    assert write(read(write(records))) == write(records)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)


PIECES = [
    *SAMPLE.split("\n"), "\n", "\n\n", " ", "{", "}", ";", "*", "1-0", "1.", "2.", "a1", "...",
    "game: meigo", "game: fano330", "start: ", "parameter: auction=true", "prison 3", "end", "\t",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES)), st.booleans())
def test_pieces_of_records_in_any_order(pieces: list[str], lines: bool) -> None:
    read_or_refuse(("\n" if lines else "").join(pieces))


@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_damaged_records(rng: random.Random, times: int) -> None:
    text = SAMPLE
    for _ in range(times):
        at, length = rng.randrange(len(text)), rng.choice([0, 1, 1, 2, 10])
        text = text[:at] + rng.choice([*PIECES, "x", "9", ""]) + text[at + length :]
    read_or_refuse(text)


@given(st.integers(0, len(SAMPLE) - 1))
def test_a_record_cut_off_is_refused(at: int) -> None:
    cut = SAMPLE[:at]
    if cut.strip() and at != len(SAMPLE) - 1:
        with pytest.raises(RecordError):
            read(cut)
