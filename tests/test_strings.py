"""Text from outside: positions, actions and parameters, good and bad. Core and reference either
both refuse with a ValueError, or both accept and print the same. Two parsers written apart show
each other's leniencies.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import quincunx
from cases import CASES, play_random_game
from quincunx import reference

# Characters that mean something in a position or an action, and some that only look so.
MEANINGFUL = "xoXO.wbsScCpumkeandlithr0123456789/-, abefghj"
STRANGE = "\t\n\0\x7f+_'\"ABIÉé١２ＡKſ\u00a0−–"

REFUSED = "refused"


def attempt(action: Any, *arguments: Any, **named: Any) -> Any:
    """Return what a call returns, or REFUSED for a ValueError; anything else is an error."""
    try:
        return action(*arguments, **named)
    except ValueError:
        return REFUSED


@cache
def positions_of(case):
    line = [s.position() for s in play_random_game(case.core(), case.random("strings"), 300)]
    return line[:: max(1, len(line) // 12)] + line[-2:]


@st.composite
def damaged(draw, texts):
    """A valid text with one to three edits: characters, pieces or whole fields."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        letter = draw(st.sampled_from(MEANINGFUL) | st.sampled_from(STRANGE))
        kind = draw(st.integers(0, 5))
        if kind == 0:
            text = text[:at] + letter + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + letter + text[at:]
        elif kind == 2:
            text = text[:at] + text[at + 1 :]
        elif kind == 3:
            # Two characters change places.
            other = draw(st.integers(0, len(text)))
            low, high = min(at, other), max(at, other)
            text = (
                text[:low] + text[high : high + 1] + text[low + 1 : high] + text[low : low + 1]
            ) + text[high + 1 :]
        elif kind == 4:
            fields = text.split(" ")
            words = ["x", "o", "w", "b", "p", "s", "-", "m", "u", "xo", "k", "c", "place", "move"]
            numbers = ["0", "1", "00", "01", "-0", "-1", "+1", "255", "256", "1000000", "1000001"]
            which = draw(st.integers(0, len(fields) - 1))
            fields[which] = draw(st.sampled_from(words + numbers + ["9" * 30, ""]))
            text = " ".join(fields)
        else:
            fields = text.split(" ")
            fields.insert(draw(st.integers(0, len(fields))), draw(st.sampled_from(fields)))
            text = " ".join(fields)
    return text


def check_position(case, text: str) -> None:
    core = attempt(case.core().new_initial_state, text)
    expected = attempt(case.reference().new_initial_state, text)
    if core is REFUSED or expected is REFUSED:
        assert core is expected, (text, core, expected)
        return
    assert core.position() == expected.position() == text
    assert core.legal_actions() == expected.legal_actions()
    assert core.current_player() == expected.current_player()
    assert core.returns() == expected.returns()


def test_valid_positions_are_read_alike(case):
    for text in positions_of(case):
        check_position(case, text)


def test_damaged_positions_are_refused_or_read_alike(case):
    @settings(max_examples=40 if case.slow else 120)
    @given(text=damaged(positions_of(case)))
    def run(text):
        check_position(case, text)

    run()


def test_positions_with_any_fields_are_refused_or_read_alike(case):
    """The board of one position with every combination of the other fields."""
    board = st.sampled_from([text.split(" ")[0] for text in positions_of(case)])
    word = st.sampled_from(["x", "o", "w", "b", "0", "1", "-", "place", "move", "p", "s", "m"])
    more = st.sampled_from(["u", "xo", "k", "c", "2", "9", "999"])
    count = len(positions_of(case)[0].split(" ")) - 1

    @settings(max_examples=40 if case.slow else 150)
    @given(rows=board, fields=st.lists(word | more, min_size=count, max_size=count))
    def run(rows, fields):
        check_position(case, " ".join([rows, *fields]))

    run()


@settings(max_examples=40)
@given(text=st.text(max_size=40) | st.text(alphabet=MEANINGFUL, max_size=60))
@example("")
@example(" ")
@example("/")
@example("\0")
@example("𝔘 w place")
@example("../.. x 0 -0 - xo")
@example("../.. x 00 0 - xo")
@example("../.. x +0 0 - xo")
def test_any_text_is_no_position_or_prints_itself(text):
    for case in CASES:
        if not case.slow:
            check_position(case, text)


def test_a_refusal_names_the_field():
    for name, text, field in [
        ("unmergo", "../.../.. q place", "player"),
        ("unmergo", "../.../.. w q", "phase"),
        ("unmergo", "../..q/.. w place", "rows"),
        ("unmergo", "../.../.. w move", "phase"),
        ("unane", "xo/ox q - -", "player"),
        ("unane", "xo/ox x q -", "pie"),
        ("unane", "xo/ox x - q", "swapped"),
        ("unane", "xo/q. x - -", "rows"),
        ("impedio", "w4,./.,.,./.,b4 q", "player"),
        ("impedio", "w4,./.,b01,./.,. w", "rows"),
        ("fano330", "S/./././././. 0", "player"),
        ("fano330", "SS/./././././. 1", "points"),
        ("meigo", "../.. q 0 0 - xo", "player"),
        ("meigo", "../.. x q 0 - xo", "black in prison"),
        ("meigo", "../.. x 0 q - xo", "white in prison"),
        ("meigo", "../.. x 0 0 q xo", "last stone"),
        ("meigo", "../.. x 0 0 - q", "first turns"),
        ("meigo", "q./.. x 0 0 - xo", "rows"),
    ]:
        size = {"unmergo": 2, "impedio": 2, "unane": "2x2", "meigo": "2x2"}.get(name)
        game = quincunx.load_game(name, **({"size": size} if size else {}))
        with pytest.raises(quincunx.PositionError, match=f"'{field}'"):
            game.new_initial_state(text)


# ---- actions


def check_action(case, text: str) -> None:
    core = attempt(case.core().string_to_action, text)
    expected = attempt(case.reference().string_to_action, text)
    assert core == expected, (text, core, expected)
    if core is not REFUSED:
        assert case.core().action_to_string(core).lower() == text.lower()
        assert case.core().action_to_string(core) == case.reference().action_to_string(core)


def test_every_action_text_is_read_alike(case):
    core, expected = case.core(), case.reference()
    for action in range(core.num_distinct_actions()):
        text = core.action_to_string(action)
        # A move off the board has an id and no text that reads back.
        if text.endswith("off"):
            assert attempt(core.string_to_action, text) is REFUSED
            assert attempt(expected.action_to_string, action) is REFUSED
        else:
            assert core.string_to_action(text) == action
            assert attempt(expected.action_to_string, action) == text
            assert attempt(expected.string_to_action, text) == action


def test_damaged_action_texts_are_refused_or_read_alike(case):
    ids = case.random("texts").choices(range(case.core().num_distinct_actions()), k=25)
    texts = sorted({case.core().action_to_string(action) for action in ids})

    @settings(max_examples=150)
    @given(text=damaged(texts))
    def run(text):
        check_action(case, text)

    run()


@settings(max_examples=60)
@given(text=st.text(max_size=8) | st.text(alphabet=MEANINGFUL, max_size=8))
@example("")
@example("a")
@example("A1")
@example("i1")
@example("I1")
@example("K1")  # the Kelvin sign, whose lower case is k
@example("a１")
@example("a01")
@example("hold ")
@example("HOLD")
@example("prison")
@example("prison ")
@example("prison 00")
@example("prison -0")
@example("prison  1")
@example("prison +1")
@example("PRISON 1")
@example("swap ")
@example("a1xa1")
@example("a1-a1")
@example("-")
@example("1-1")
@example("3-5")
@example("c0")
@example("c8")
@example("C3")
def test_any_text_is_no_action_or_the_same_one(text):
    for case in CASES:
        if not case.slow:
            check_action(case, text)


# ---- parameters

INTEGERS = st.integers(-2, 21) | st.sampled_from([1000, 10**6, 2**31, 2**64, -(2**70), 10**30])
AS_TEXT = [
    "5",
    "3",
    "0",
    "1",
    "2",
    "05",
    "+5",
    " 5",
    "5 ",
    "-0",
    "-1",
    "5.0",
    "٥",
    "",
    "8x7",
    "2x2",
    "3x3",
    "8X7",
    "8 x 7",
    "8x",
    "x8",
    "8x7x6",
    "08x7",
    "17x2",
    "1x8",
]
AS_TEXT += [
    "20x9",
    "19x19",
    "16x16",
    "5x3",
    "-8x7",
    "2x20",
    "9x9 ",
    "true",
    "false",
    "True",
    "yes",
    "corners",
    "ring",
    "drawn",
    "plane",
]
AS_TEXT += [
    "any",
    "friendly",
    "Any",
    "none",
    "None",
    "random",
    "a1",
    "d4",
    "D4",
    "i5",
    "z9",
    "a1;b2",
]
AS_TEXT += ["d4,f6", "a1,a1", "a1,", ",", "a1, b2", "b2,i1", "a1,b2,c3,d4"]
SIMPLE = INTEGERS | st.sampled_from(AS_TEXT)
OTHER = st.sampled_from([True, False, None, 5.0, float("nan"), b"5", {}, set(), (), [], object])
ANY = (
    SIMPLE
    | OTHER
    | st.lists(SIMPLE | OTHER, max_size=3)
    | st.tuples(INTEGERS, INTEGERS)
    | st.sampled_from([np.int64(5), np.int8(3), np.uint64(2**63), (np.int32(4), np.int16(5))])
    | st.text(max_size=6)
)
NAMES = {
    "unmergo": ["size"],
    "unane": ["size", "pie"],
    "impedio": ["size", "setup", "repetition", "max_plies"],
    "fano330": ["adjacency", "repetition", "max_plies"],
    "meigo": [
        *("size", "prison_black", "handicap", "auction", "reach"),
        *("repetition", "max_plies"),
    ],
}


def check_parameters(name: str, parameters: dict[str, Any]) -> None:
    core = attempt(quincunx.load_game, name, **parameters)
    expected = attempt(reference.load_game, name, **parameters)
    if core is REFUSED or expected is REFUSED:
        assert core is expected, (name, parameters, core, expected)
        return
    assert core.parameters == expected.parameters
    assert core.num_distinct_actions() == expected.num_distinct_actions()
    assert core.max_game_length() == expected.max_game_length()
    start = core.new_initial_state()
    assert start.position() == expected.new_initial_state().position()
    assert start.legal_actions() == expected.new_initial_state().legal_actions()


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, parameter) for name in NAMES for parameter in NAMES[name]]
)
def test_any_value_of_a_parameter_is_refused_or_read_alike(name, parameter):
    @settings(max_examples=120)
    @given(value=ANY)
    def run(value):
        check_parameters(name, {parameter: value})

    run()


@pytest.mark.parametrize("name", sorted(NAMES))
def test_parameters_together_are_refused_or_read_alike(name):
    values = {parameter: st.integers(0, 9) | SIMPLE for parameter in NAMES[name]}

    @settings(max_examples=60)
    @given(parameters=st.fixed_dictionaries({}, optional=values))
    def run(parameters):
        check_parameters(name, parameters)

    run()


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        # A list where one value is wanted, and a value that hides a list.
        ("unmergo", {"size": ["5"]}),
        ("unane", {"pie": ["true"]}),
        ("unane", {"size": ["4x4"]}),
        ("meigo", {"handicap": ["d4,f6"]}),
        ("meigo", {"handicap": ["", "d4"]}),
        ("meigo", {"handicap": [""]}),
        ("meigo", {"handicap": ""}),
        ("meigo", {"handicap": ()}),
        ("meigo", {"handicap": ["D4", "f6"]}),
        ("meigo", {"handicap": [1, 2]}),
        ("meigo", {"handicap": "d4,f6", "prison_black": 1}),
        ("meigo", {"handicap": "d4", "auction": True}),
        ("meigo", {"prison_black": 1, "auction": "true"}),
        ("meigo", {"prison_black": "0", "handicap": "", "auction": "true"}),
        ("meigo", {"size": "2x2", "handicap": "a1,a2"}),
        ("meigo", {"size": "2x2", "handicap": "a1,a2,b1"}),
        ("unane", {"size": ("8", "7")}),
        ("unane", {"size": (8, True)}),
        ("unane", {"size": [8, 7]}),
        ("unane", {"size": 8}),
        ("unane", {"size": "5x5"}),
        ("impedio", {"setup": "ring", "size": 4}),
        ("impedio", {"setup": "w4,./.,.,./.,b4 w", "size": 2}),
        ("impedio", {"setup": "w4,./.,.,./.,b4 b", "size": 2}),
        ("impedio", {"setup": "w4,./.,.,./.,b4 w", "size": 3}),
        ("impedio", {"setup": "w4,./w1,.,./w1,b4 b", "size": 2}),
        ("impedio", {"setup": "w4,./.,.,./.,. w", "size": 2}),
        ("impedio", {"setup": "w255,./.,.,./.,b4 w", "size": 2}),
        ("impedio", {"setup": "w256,./.,.,./.,b4 w", "size": 2}),
        ("impedio", {"setup": "w254,w1,.,./.,w1,b4 w", "size": 2}),
        ("impedio", {"setup": " "}),
        ("fano330", {"repetition": 1}),
        ("fano330", {"repetition": -1}),
        ("fano330", {"repetition": "-0"}),
        ("fano330", {"repetition": "02"}),
        ("fano330", {"max_plies": "+5"}),
        ("fano330", {"max_plies": 0}),
        ("meigo", {"max_plies": 0, "repetition": 2}),
    ],
)
def test_chosen_parameters_are_refused_or_read_alike(name, parameters):
    check_parameters(name, parameters)


@pytest.mark.parametrize(
    ("name", "parameter", "largest"),
    [
        ("impedio", "repetition", 10**6),
        ("impedio", "max_plies", 10**6),
        ("fano330", "repetition", 10**6),
        ("fano330", "max_plies", 10**6),
        ("meigo", "prison_black", 1000),
        ("meigo", "repetition", 10**6),
        ("meigo", "max_plies", 10**6),
    ],
)
def test_both_have_the_same_largest_counts(name, parameter, largest):
    for value in (largest, largest + 1):
        check_parameters(name, {parameter: value})
    assert attempt(quincunx.load_game, name, **{parameter: largest}) is not REFUSED
    assert attempt(quincunx.load_game, name, **{parameter: largest + 1}) is REFUSED


@pytest.mark.parametrize("name", sorted(NAMES))
def test_unknown_parameters_are_refused_by_both_with_the_names_there_are(name):
    for library in (quincunx, reference):
        with pytest.raises(ValueError, match="colour") as caught:
            library.load_game(name, colour="red")
        assert all(parameter in str(caught.value) for parameter in NAMES[name])


@pytest.mark.parametrize("library", [quincunx, reference], ids=["core", "reference"])
@pytest.mark.parametrize("name", ["", "Unmergo", "chess", "unmergo ", "unmergo\0", "é"])
def test_unknown_games_are_refused_with_the_names_there_are(library, name):
    with pytest.raises(ValueError, match=r"fano330.*impedio.*meigo.*unane.*unmergo"):
        library.load_game(name)
