"""Pictures: what a person would check by looking, on SVG read back as XML, and on pixels."""

from __future__ import annotations

import math
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image, ImageFont

import quincunx
from cases import Case, play_random_game, sample
from quincunx.cli import main
from quincunx.picture import picture_of
from quincunx.plots import plot_stats
from quincunx.raster import render, to_array, to_image
from quincunx.scenes import INK, LEGAL, PAPER, PLAYED, SCENES, SEARCHED
from quincunx.shapes import Circle, Group, Picture, Text
from quincunx.stats import stats
from quincunx.svg import to_svg
from quincunx.svg_writer import write

DOCS = Path(__file__).parents[1] / "docs"
SVG = "{http://www.w3.org/2000/svg}"
# Wider than the fonts that SVG asks for: what a browser takes that has none of them.
WIDE_FONT = ImageFont.truetype(
    str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"), 100
)


# ---- reading a picture


@dataclass
class Mark:
    """A group of shapes: its class, its title and its elements."""

    kind: str
    about: str
    elements: list[ElementTree.Element]

    def numbers(self, *names: str, index: int = 0) -> tuple[float, ...]:
        return tuple(float(self.elements[index].attrib[name]) for name in names)


def parse(svg: str) -> tuple[ElementTree.Element, list[Mark]]:
    """Read a picture; what a group says of all its shapes is given to each of them."""
    root = ElementTree.fromstring(svg)
    marks = []
    for group in root.iter(f"{SVG}g"):
        title = group.find(f"{SVG}title")
        elements = [element for element in group if element.tag != f"{SVG}title"]
        for element in elements:
            element.attrib.update({k: v for k, v in group.attrib.items() if k != "class"})
            element.tag = element.tag.removeprefix(SVG)
        about = "" if title is None else title.text or ""
        marks.append(Mark(group.attrib["class"], about, elements))
    return root, marks


def of_kind(svg: str, *kinds: str) -> list[Mark]:
    return [mark for mark in parse(svg)[1] if mark.kind in kinds]


def texts(svg: str) -> list[str]:
    return [e.text or "" for mark in parse(svg)[1] for e in mark.elements if e.tag == "text"]


def corners(element: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """Yield points that enclose an element."""

    def read(name: str) -> float:
        return float(element.attrib.get(name, 0))

    half = read("stroke-width") / 2
    if element.tag == "circle":
        reach = read("r") + half
        yield from (
            (read("cx") + reach * x, read("cy") + reach * y) for x in (-1, 1) for y in (-1, 1)
        )
    elif element.tag == "line":
        for end in ("1", "2"):
            for sign in (-1, 1):
                yield read(f"x{end}") + sign * half, read(f"y{end}") + sign * half
    elif element.tag == "polygon":
        for point in element.attrib["points"].split():
            x, y = point.split(",")
            yield float(x), float(y)
    else:
        assert element.tag == "text", element.tag
        size, bold = read("font-size"), "font-weight" in element.attrib
        width = WIDE_FONT.getlength(element.text or "") / 100 * size * (1.15 if bold else 1)
        left = read("x") - (width / 2 if element.attrib.get("text-anchor") == "middle" else 0)
        for y in (read("y") - 0.8 * size, read("y") + 0.25 * size):
            yield left, y
            yield left + width, y


def states_of(case: Case) -> list[quincunx.State]:
    """A few states of a case: the start, one on the way, and an end."""
    states = sample(case)
    return [states[0], states[2], states[-1]]


def state_of(game: str, position: str | None = None, **parameters: Any) -> quincunx.State:
    return quincunx.load_game(game, **parameters).new_initial_state(position)


# ---- every picture


def test_all_is_within_the_frame(case: Case) -> None:
    for state in states_of(case):
        share = dict.fromkeys(state.legal_actions(), 1.0)
        root, marks = parse(state.to_svg(legal=True, visits=share))
        left, top, width, height = map(float, root.attrib["viewBox"].split())
        assert (left, top) == (0, 0)
        assert (width, height) == (float(root.attrib["width"]), float(root.attrib["height"]))
        assert max(width, height) == 480
        for mark in marks:
            assert mark.elements, mark
            for element in mark.elements:
                for x, y in corners(element):
                    assert 0 <= x <= width, (mark.kind, mark.about, element.attrib, element.text)
                    assert 0 <= y <= height, (mark.kind, mark.about, element.attrib, element.text)


def test_it_is_the_same_every_time(case: Case) -> None:
    for state in states_of(case):
        assert state._repr_svg_() == state.clone().to_svg()


def expected_pieces(state: quincunx.State) -> set[str]:
    """What stands where, read from the position string alone."""
    game, fields = state.get_game().name, state.position().split()
    if game == "fano330":
        names = {"S": "silver coin", "s": "silver ring", "C": "copper coin", "c": "copper ring"}
        return {
            f"{point}: {' on '.join(names[piece] for piece in reversed(pieces))}"
            for point, pieces in enumerate(fields[0].split("/"), start=1)
            if pieces != "."
        }
    found = set()
    rows = fields[0].split("/")
    for up, row in enumerate(reversed(rows)):
        cells = row.split(",") if game == "impedio" else list(row)
        for across, text in enumerate(cells):
            if text == ".":
                continue
            if game in ("unmergo", "impedio"):
                name = f"{'abcdefghijklmno'[up]}{across + 1 + max(0, up - len(rows) // 2)}"
            else:
                letters = "abcdefghjklmnopqrst" if game == "meigo" else "abcdefghijklmnop"
                name = f"{letters[across]}{up + 1}"
            about = f"{name}: {'White' if text[0] in 'oOw' else 'Black'}"
            about += f", {text[1:]}" if game == "impedio" else ""
            found.add(about + (", marked" if text in "XO" else ""))
    return found


def test_every_piece_is_there(case: Case) -> None:
    for state in states_of(case):
        pieces = [piece.about for piece in of_kind(state.to_svg(), "piece")]
        assert sorted(pieces) == sorted(expected_pieces(state))


def test_every_piece_is_where_its_coordinates_are(case: Case) -> None:
    """Row letters and column numbers are read off the picture, as a person does."""
    game = case.game
    for state in states_of(case):
        svg = state.to_svg()
        (names,) = of_kind(svg, "coordinates")
        at: dict[str, tuple[float, float]] = {}
        for element in names.elements:
            middle = float(element.attrib["y"]) - 0.36 * float(element.attrib["font-size"])
            at.setdefault(element.text or "", (float(element.attrib["x"]), middle))
        points = _cell_middles(svg, game, 7) if game == "fano330" else []
        for piece in of_kind(svg, "piece"):
            cell = piece.about.split(":")[0]
            x, y = piece.numbers("cx", "cy", index=-1)  # the topmost disc
            if game == "fano330":
                # What stands on a point is nearest to it, and the point to its name.
                point = min(points, key=lambda point: math.dist(point, (x, y)))
                assert min(at, key=lambda name: math.dist(at[name], point)) == cell
                continue
            letter, number = at[cell[0]], at[cell[1:]]
            if game in ("unane", "meigo"):
                assert (x, y) == pytest.approx((letter[0], number[1]), abs=0.1)
            else:
                assert y == pytest.approx(letter[1], abs=0.1)
                right = number[0] - (number[1] - y) / math.sqrt(3)
                assert x == pytest.approx(right, abs=0.1)


# ---- marks


def words_of(svg: str, kind: str) -> set[str]:
    """The actions that the caption names, or that are marked, as one set."""
    found = set()
    for mark in of_kind(svg, kind):
        if ": " not in mark.about or kind != "legal":
            found.add(mark.about)
        elif several := re.fullmatch(r"legal: prison 0 to prison (\d+)", mark.about):
            found |= {f"prison {number}" for number in range(int(several[1]) + 1)}
        else:
            found |= set(mark.about.removeprefix("legal: ").split(", "))
    return found


def test_the_legal_actions_and_no_others(case: Case) -> None:
    for state in states_of(case):
        legal = {state.action_to_string(action) for action in state.legal_actions()}
        assert words_of(state.to_svg(legal=True), "legal") == legal
        assert not of_kind(state.to_svg(), "legal")


def test_marks_are_on_their_cells(case: Case) -> None:
    """The nearest cell to the tip of an arrow, or to the middle of a dot, is the one it means."""
    for state in states_of(case):
        game = state.get_game().name
        places = SCENES[game](*state.position().split()).places
        svg = state.to_svg(legal=True)
        points = dict(zip(places, _cell_middles(svg, game, len(places)), strict=True))

        def nearest(spot: tuple[float, ...], points: dict[str, Any] = points) -> str:
            return min(points, key=lambda cell: math.dist(points[cell], spot))

        for mark in of_kind(svg, "legal"):
            cells = re.findall(r"[a-z]?\d+", mark.about)
            element = mark.elements[0]
            if mark.about.startswith("legal: "):
                continue
            if game == "fano330" and element.tag == "circle":
                assert nearest(mark.numbers("cx", "cy")) == mark.about[1]
            elif element.tag == "circle":
                assert nearest(mark.numbers("cx", "cy")) == cells[0]
            elif element.tag == "line":
                x1, y1, x2, y2 = mark.numbers("x1", "y1", "x2", "y2")
                assert nearest(((x1 + x2) / 2, (y1 + y2) / 2)) == cells[0]
            else:
                ends = list(corners(element))
                tail = ((ends[0][0] + ends[-1][0]) / 2, (ends[0][1] + ends[-1][1]) / 2)
                if game != "unane":  # there the arrow ends at the edge of a stone, halfway
                    assert nearest(ends[3]) == cells[-1]
                assert nearest(tail) == cells[0]
                # It points the right way.
                way = np.subtract(points[cells[-1]], points[cells[0]])
                drawn = np.subtract(ends[3], tail)
                assert way @ drawn > 0.999 * np.linalg.norm(way) * np.linalg.norm(drawn)


def _cell_middles(svg: str, game: str, number: int) -> list[tuple[float, float]]:
    """The middles of cells in their order; lines of Meigo cross in them."""
    (cells,) = of_kind(svg, "cells")
    if game == "meigo":
        lines = [e.attrib for e in cells.elements if e.tag == "line"]
        across = sorted({float(a["x1"]) for a in lines if a["x1"] == a["x2"]})
        down = sorted({float(a["y1"]) for a in lines if a["y1"] == a["y2"]}, reverse=True)
        return [(x, y) for y in down for x in across]
    if game == "fano330":
        return [(float(e.attrib["cx"]), float(e.attrib["cy"])) for e in cells.elements[:number]]
    middles = [np.mean(list(corners(element)), axis=0) for element in cells.elements]
    return [(float(x), float(y)) for x, y in middles]


def test_the_last_turn_is_marked(case: Case) -> None:
    played: list[str] = []
    for ply, state in enumerate(play_random_game(case.core(), case.random("last"), plies=25)):
        if ply:
            text = state.action_to_string(state.history()[-1])
            second = case.game == "unmergo" and ("-" in text or text == "end")
            played = [*played, text] if second else [text]
        if ply % 5 < 2:
            last = of_kind(state.to_svg(), "last")
            assert [mark.about for mark in last] == [f"last: {text}" for text in played]
            for mark in last:
                colours = {e.attrib.get("stroke") for e in mark.elements}
                colours |= {e.attrib.get("fill") for e in mark.elements}
                assert PLAYED in colours
    assert not of_kind(state.to_svg(last_move=False), "last")


def test_the_mark_of_a_placement_is_around_the_stone() -> None:
    for game, action in (("unmergo", "c4"), ("meigo", "c4"), ("fano330", "r4")):
        state = state_of(game)
        state.apply_turn(action)
        svg = state.to_svg()
        (piece,), (ring,) = of_kind(svg, "piece"), of_kind(svg, "last")
        assert piece.numbers("cx", "cy") == ring.numbers("cx", "cy")
        assert ring.numbers("r") > piece.numbers("r")


def beyond(element: ElementTree.Element) -> float:
    """How far an element reaches beyond its geometry."""
    return float(element.attrib.get("stroke-width", 0)) / 2


def crowded(state: quincunx.State) -> Picture:
    """The picture with all marks, every legal action visited, half of them with a number."""
    shares = {action: 1 + 9 * (action % 2) for action in state.legal_actions()}
    return picture_of(state, legal=True, visits=shares)


MARKS = ("last", "legal", "visits", "share")


def test_marks_have_a_halo_all_around(case: Case) -> None:
    geometry = ("cx", "cy", "r", "x1", "y1", "x2", "y2", "points")
    for state in states_of(case):
        picture = crowded(state)
        scene = SCENES[case.game](*state.position().split())
        unit = 480 / max(picture.width, picture.height)
        for mark in of_kind(write(picture, 480), "last", "legal", "visits"):
            if any(element.tag == "text" for element in mark.elements):
                continue  # of the caption
            widest: dict[tuple[str | None, ...], float] = {}
            for element in mark.elements:
                shape = tuple(element.attrib.get(name) for name in geometry)
                colours = {element.attrib.get("fill"), element.attrib.get("stroke")}
                if shape not in widest:
                    assert PAPER in colours
                    widest[shape] = beyond(element)
                    assert element.tag != "polygon" or element.attrib["stroke-linejoin"] == "round"
                else:
                    halo = (widest[shape] - beyond(element)) / unit / scene.radius
                    assert halo > 0.09, (mark.about, element.attrib)


def test_marks_are_seen_on_their_halo() -> None:
    """And so on whatever the halo lies on."""
    for colour in (PLAYED, LEGAL, INK):
        assert contrast(colour, PAPER) > 3
    assert contrast(INK, SEARCHED) > 4.5


def test_no_mark_crosses_a_number(case: Case) -> None:
    """What is written on pieces and beside the board looks the same with and without marks."""
    for state in states_of(case):
        picture = crowded(state)
        bare = replace(picture, groups=tuple(g for g in picture.groups if g.kind not in MARKS))
        with_marks, without = (np.array(render(one, 700)) for one in (picture, bare))
        unit = 700 / max(picture.width, picture.height)
        written = [g for g in picture.groups if g.kind in ("height", "value", "coordinates")]
        for text in (shape for group in written for shape in group.shapes):
            if isinstance(text, Text):
                x, y = (text.x - picture.left) * unit, (text.y - picture.top) * unit
                across, up = 0.25 * text.size * len(text.text) * unit, 0.33 * text.size * unit
                box = (
                    slice(round(y - up), round(y + up)),
                    slice(round(x - across), round(x + across)),
                )
                assert np.array_equal(with_marks[box], without[box]), text


# ---- visits


def test_a_larger_disc_for_more_visits() -> None:
    state = state_of("unmergo", size=3)
    number = state.string_to_action
    svg = state.to_svg(
        visits={number("c3"): 60, number("a1"): 30.0, number("e5"): 10, number("a2"): 0}
    )
    radius = {
        mark.about: mark.numbers("r")[0]
        for mark in of_kind(svg, "visits")
        if mark.about[1].isdigit()
    }
    assert list(radius) == [
        f"{cell}: {share}% of the visits" for cell, share in (("c3", 60), ("a1", 30), ("e5", 10))
    ]
    large, middle, small = radius.values()
    assert (middle / large) ** 2 == pytest.approx(1 / 2, rel=0.01)
    assert (small / large) ** 2 == pytest.approx(1 / 6, rel=0.01)
    # There is no room for the number of the small one.
    assert [mark.about[:2] for mark in of_kind(svg, "share")] == ["c3", "a1"]
    assert {"60", "30"} <= set(texts(svg))


def test_a_number_does_not_hide_what_it_is_about() -> None:
    """The tip and the tail of an arrow, and the middle of a cross, are beside its number."""
    for game, position in (
        ("unane", "xo./xx./o.x/... x - -"),
        ("unmergo", "../.x./o. w move"),
        ("impedio", "w2,./.,w2,b2/.,. w"),
        ("fano330", "cC/Ss/Sc/./C/./s 0"),
    ):
        size = {"unane": "3x4", "unmergo": 2, "impedio": 2}
        parameters = {"size": size[game]} if game in size else {}
        state = state_of(game, position, **parameters)
        svg = state.to_svg(visits=dict.fromkeys(state.legal_actions(), 1))
        signs = {mark.about: mark.elements[0] for mark in of_kind(svg, "visits")}
        numbers = of_kind(svg, "share")
        assert numbers
        for number in numbers:
            x, y, radius = number.numbers("cx", "cy", "r")
            ends = list(corners(signs[number.about]))
            if signs[number.about].tag == "polygon":
                assert math.dist(ends[3], (x, y)) > radius
                assert math.dist(np.mean([ends[0], ends[-1]], axis=0), (x, y)) > radius
            else:
                assert signs[number.about].tag == "line"
                assert math.dist(np.mean(ends, axis=0), (x, y)) > radius


def test_the_result_of_a_search(case: Case) -> None:
    for state in states_of(case)[:2]:
        if state.is_terminal():
            continue
        found = quincunx.MCTS(simulations=40, seed=1).search(state)
        counts = {action: int(found.visits[action]) for action in state.legal_actions()}
        svg = state.to_svg(visits=found)
        assert svg == state.to_svg(visits=counts)
        marked = {mark.about.split(": ")[0] for mark in of_kind(svg, "visits")}
        for action, count in counts.items():
            text = state.action_to_string(action)
            if re.search(r"^(?!prison).*\d", text):
                assert (text in marked) == (count > 0)


def test_visits_of_actions_without_a_place_are_told_below() -> None:
    state = state_of("meigo", "x.x/.../o.o x 0 1 u -", size="3x3")
    hold, b2 = state.string_to_action("hold"), state.string_to_action("b2")
    assert "visits in %; hold: 25" in texts(state.to_svg(visits={hold: 1, b2: 3}))
    svg = state.to_svg(visits={hold: 1, b2: 999})
    assert "visits in %; hold: <1" in texts(svg)
    assert "hold: &lt;1" in svg


def test_visits_of_nothing_and_of_very_much() -> None:
    state = state_of("unmergo", size=2)
    assert state.to_svg(visits={}) == state.to_svg(visits={0: 0, 1: 0.0}) == state.to_svg()
    assert "50" in texts(state.to_svg(visits={0: 1.7e308, 1: 1.7e308}))
    numpy = {np.int64(0): np.float32(3), np.int64(1): np.int8(1)}
    assert state.to_svg(visits=numpy) == state.to_svg(visits={0: 3, 1: 1})


# ---- refusals


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"size": 99}, ValueError, "size must be 100 to 4000 pixels, not 99"),
        ({"size": 4001}, ValueError, "size must be 100 to 4000 pixels, not 4001"),
        ({"size": "480"}, TypeError, "size must be a number of pixels (int), not str"),
        ({"size": 480.0}, TypeError, "size must be a number of pixels (int), not float"),
        ({"size": None}, TypeError, "size must be a number of pixels (int), not NoneType"),
        ({"visits": {0: -1}}, ValueError, "visits of the action 0 must be 0 or more, not -1.0"),
        (
            {"visits": {0: math.nan}},
            ValueError,
            "visits of the action 0 must be 0 or more, not nan",
        ),
        (
            {"visits": {0: math.inf}},
            ValueError,
            "visits of the action 0 must be 0 or more, not inf",
        ),
        ({"visits": {7: 1}}, ValueError, "visits has the action 7, which is not legal here"),
        ({"visits": {-1: 1}}, ValueError, "visits has the action -1, which is not legal here"),
        ({"visits": {"a1": 1}}, TypeError, "visits must have actions (int) as keys, not str"),
        ({"visits": {0: "1"}}, TypeError, "visits must have numbers as values, not str"),
        ({"visits": {0: 10**400}}, ValueError, "visits of the action 0 must be 0 or more, not inf"),
        ({"visits": {0: None}}, TypeError, "visits must have numbers as values, not NoneType"),
        (
            {"visits": [1, 2]},
            TypeError,
            "visits must be a SearchResult or a mapping of actions to numbers, not list",
        ),
    ],
)
def test_refusals(options: dict[str, Any], kind: type[Exception], message: str) -> None:
    state = state_of("unmergo", size=2)
    for draw in (to_svg, to_image, to_array):
        with pytest.raises(kind) as refused:
            draw(state, **options)
        assert str(refused.value) == message


def test_the_search_of_another_game_is_refused() -> None:
    found = quincunx.MCTS(simulations=9).search(state_of("unmergo", size=3))
    with pytest.raises(ValueError, match=r"^visits is the result of a search in another game$"):
        state_of("unmergo", size=2).to_svg(visits=found)


# ---- what is written


def test_text_is_escaped() -> None:
    nasty = "<b>&\"'</b>"
    group = Group("caption", (Text(1, 1, nasty, 0.1, "#000000"),), nasty)
    root, (mark,) = parse(write(Picture(nasty, nasty, "#ffffff", 0, 0, 2, 2, (group,)), 100))
    assert mark.about == mark.elements[0].text == nasty
    assert [root.findtext(f"{SVG}{tag}") for tag in ("title", "desc")] == [nasty, nasty]


def test_title_and_description_for_who_cannot_see_it(case: Case) -> None:
    state = sample(case)[0]
    root, _ = parse(state.to_svg())
    assert root.attrib["role"] == "img"
    assert root.findtext(f"{SVG}title") == state.get_game().get_type().long_name
    assert state.position() in str(root.findtext(f"{SVG}desc"))


def test_the_caption_tells_the_mover_and_the_result() -> None:
    state = state_of("unane", size="4x4")
    assert "Ūnane: Black is to move." in texts(state.to_svg())
    state.apply_turn("a1xa2")
    state.apply_turn("swap")
    assert "The players have swapped colours." in texts(state.to_svg())
    assert "last: swap" in texts(state.to_svg())
    over = state_of("unane", "x./.. o - -", size="2x2")
    said = " ".join(texts(over.to_svg()))
    assert "Ūnane: the game is over, Black (player 0) has won:" in said
    assert over.ending() in said


def test_the_caption_tells_the_prison_and_the_last_stone() -> None:
    state = state_of("meigo", "x.X/.../o.o x 12 3 m -", size="3x3")
    said = texts(state.to_svg())
    at = said.index("Prison:")
    assert said[at + 1 : at + 4] == ["12", "3", "The last stone placed was marked."]


def test_core_and_reference_have_the_same_picture(case: Case) -> None:
    rng = case.random("picture")
    core, mirror = case.core().new_initial_state(), case.reference().new_initial_state()
    for _ in range(4 if case.slow else 12):
        if core.is_terminal():
            break  # only the core tells how a game ended
        assert to_svg(core, legal=True) == to_svg(mirror, legal=True)
        action = rng.choice(core.legal_actions())
        core.apply_action(action)
        mirror.apply_action(action)


# ---- pixels


def test_pixels(case: Case) -> None:
    state = states_of(case)[-1]
    pixels = to_array(state, size=240)
    root, _ = parse(state.to_svg(size=240))
    assert pixels.dtype == np.uint8
    shape = [round(float(root.attrib[side])) for side in ("height", "width")]
    assert list(pixels.shape) == [*shape, 3]
    assert np.array_equal(pixels, to_array(state.clone(), size=240))
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20


def test_pixels_show_what_the_svg_says(case: Case) -> None:
    """Near the edge of the topmost disc of each piece is its colour."""
    for state in states_of(case)[1:]:
        svg, pixels = state.to_svg(last_move=False), to_array(state, last_move=False)
        for piece in of_kind(svg, "piece"):
            # The last is the topmost, but for the dot of a marked stone; of a ring it is a line.
            discs = [e.attrib for e in piece.elements if e.tag == "circle"]
            large = max(float(disc["r"]) for disc in discs) / 2
            disc = next(disc for disc in reversed(discs) if float(disc["r"]) > large)
            x, y, r = (float(disc[name]) for name in ("cx", "cy", "r"))
            if disc["fill"] == "none":
                y, colour = y - r, disc["stroke"]
            else:
                y, colour = y - 0.8 * r, disc["fill"]
            near = pixels[int(y) - 1 : int(y) + 3, int(x) - 1 : int(x) + 3].reshape(-1, 3)
            wanted = list(bytes.fromhex(colour[1:]))
            off = np.abs(near.astype(int) - wanted).max(axis=1).min()
            assert off < 60, (piece.about, colour, near)


def test_what_is_covered_can_be_told() -> None:
    """With one piece on top the pictures of what may lie below differ, by more than a few dots.

    Of what is covered more than half is to be seen.
    """
    for top in "SsCc":
        grey = []
        for below in ["", *"SsCc".replace(top, "")]:
            # Pieces elsewhere, so that the numbers of silver and copper ones are possible.
            silver = sum(piece in "Ss" for piece in below + top)
            others = {0: "S/s", 1: "./.", 2: "C/c"}[silver]
            player = 0 if below else 1
            state = state_of("fano330", f"{below}{top}/{others}/./././. {player}")
            piece = next(p for p in of_kind(state.to_svg(), "piece") if p.about[:2] == "1:")
            if below:
                rim = piece.numbers("r", index=-1)[0] + beyond(piece.elements[-1])
                middles = piece.numbers("cx", "cy"), piece.numbers("cx", "cy", index=-1)
                assert math.dist(*middles) > rim
            grey.append(np.array(to_image(state).convert("L")).astype(int))
        for one, other in combinations(grey, 2):
            height, width = one.shape
            # The lower middle, where point 1 is, and without the caption.
            part = slice(height * 6 // 10, height * 9 // 10), slice(width // 3, width * 2 // 3)
            assert (np.abs(one[part] - other[part]) > 50).sum() > 150


def test_the_legends_of_a_plot_hide_nothing(tmp_path: Path, monkeypatch: Any) -> None:
    figures: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **__: figures.append(figure))
    game = quincunx.load_game("unane", size="4x4")
    measured = [stats(game, player, 9, sample=2) for player in ("random", "mcts:5")]
    plot_stats(measured, tmp_path / "x.png", "Ūnane")
    (figure,) = figures
    figure.draw_without_rendering()
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    assert len(legends) == 2
    for legend, axes in product(legends, figure.axes):
        for part in (axes, axes.title, axes.xaxis.label, *axes.get_xticklabels()):
            assert not legend.get_window_extent().overlaps(part.get_window_extent())


def test_png_of_every_size() -> None:
    state = state_of("impedio")
    for size in (100, 333, 1500):
        image = to_image(state, size=size, legal=True)
        assert isinstance(image, Image.Image)
        assert (image.mode, max(image.size)) == ("RGB", size)


def test_a_picture_without_pillow(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    message = "pixels need Pillow, which is not installed: pip install 'quincunx[pictures]'"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        to_array(state_of("unane"))
    assert main(["show", "unane", "--png", str(tmp_path / "x.png")]) == 2
    assert capsys.readouterr().err == f"quincunx: {message}\n"
    assert main(["show", "unane", "--svg", str(tmp_path / "x.svg")]) == 0


def test_drawing_is_imported_when_it_is_used() -> None:
    code = (
        "import quincunx, sys; before = set(sys.modules);"
        " quincunx.load_game('unane').new_initial_state().to_svg();"
        " print(sorted({'quincunx.picture', 'quincunx.reference', 'PIL'} & before))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


# ---- colours


def linear(colour: str) -> np.ndarray[Any, Any]:
    """A colour in linear light, 0 to 1."""
    parts = np.array(list(bytes.fromhex(colour[1:]))) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The ratio of lightness as WCAG has it: 1 to 21."""
    dark, light = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) + 0.05 for c in (one, other))
    return light / dark


# Machado, Oliveira and Fernandes (2009), for colours in linear light.
NO_RED = [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
]
NO_GREEN = [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881],
]
NO_BLUE = [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.303900],
]


@pytest.mark.parametrize("eye", [NO_RED, NO_GREEN, NO_BLUE])
def test_marks_are_told_apart_by_any_eye(eye: list[list[float]]) -> None:
    seen = {name: np.array(eye) @ linear(name) for name in (PLAYED, LEGAL, SEARCHED, PAPER)}
    for one, other in combinations(seen, 2):
        assert np.abs(seen[one] - seen[other]).max() > 0.15, (one, other)


@pytest.mark.parametrize(
    ("game", "position"),
    [
        ("unmergo", ".../..../..o../.x../... w place"),
        ("impedio", "w3,.,./.,.,.,./.,.,.,.,./.,.,.,./.,.,b2 w"),
        ("unane", "xo.x/..../..../x.oo x - -"),
        ("meigo", "X.O/.../... x 0 0 m -"),
        ("fano330", "S/C/././././. 0"),
    ],
)
def test_pieces_differ_in_lightness_and_what_is_on_them_can_be_read(
    game: str, position: str
) -> None:
    sizes = {"unmergo": 3, "impedio": 3, "unane": "4x4", "meigo": "3x3"}
    parameters = {"size": sizes[game]} if game in sizes else {}
    svg = state_of(game, position, **parameters).to_svg()
    fills = set()
    for mark in of_kind(svg, "piece", "height", "value"):
        disc, *others = (e for e in mark.elements if e.attrib["fill"] != "none")
        fills.add(disc.attrib["fill"])
        for element in others:
            same = element.attrib["fill"] == disc.attrib["fill"]  # the discs of a stack
            assert same or contrast(element.attrib["fill"], disc.attrib["fill"]) > 4.5
    one, other = fills
    assert contrast(one, other) > 4.5


# ---- the command line


def test_show_writes_pictures(tmp_path: Path, capsys: Any) -> None:
    svg, png = tmp_path / "x.svg", tmp_path / "x.png"
    svg.write_text("what was there is replaced")
    words = ["show", "unmergo", "-p", "size=3", "--moves", "c3", "--legal", "--size", "300"]
    assert main([*words, "--svg", str(svg), "--png", str(png)]) == 0
    state = state_of("unmergo", size=3)
    state.apply_turn("c3")
    assert svg.read_bytes().decode() == state.to_svg(legal=True, size=300)
    with Image.open(png) as image:
        assert image.format == "PNG"
        assert np.array_equal(np.array(image), to_array(state, legal=True, size=300))
    assert "legal actions: " in capsys.readouterr().out


def test_show_marks_the_visits_of_a_search(tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "x.svg"
    words = ["show", "fano330", "--moves", "c1", "--svg", str(path), "--no-last-move", "--json"]
    assert main([*words, "--simulations", "50", "--seed", "3"]) == 0
    state = state_of("fano330")
    state.apply_turn("c1")
    found = quincunx.MCTS(simulations=50, seed=3).search(state)
    assert path.read_text(encoding="utf-8") == state.to_svg(last_move=False, visits=found)
    assert capsys.readouterr().out.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--size", "99", "--svg", "x.svg"), "size must be 100 to 4000 pixels, not 99"),
        (("--simulations", "9"), "--simulations goes with --svg FILE or --png FILE"),
        (("--svg", "none/x.svg"), "none/x.svg: No such file or directory"),
        (("--png", "none/x.png"), "none/x.png: No such file or directory"),
        (("--png", "."), ".: Is a directory"),
        (
            ("-p", "size=2x2", "--position", "x./.. o - -", "--simulations", "9", "--svg", "x.svg"),
            "the game is over: there is no action to search for",
        ),
    ],
)
def test_show_refuses_in_one_line(
    words: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: Any, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["show", "unane", *words]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", f"quincunx: {message}\n")
    assert list(tmp_path.iterdir()) == []


# ---- the documentation


def test_the_pictures_of_the_docs_are_what_their_commands_write(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "pictures.md").read_text(encoding="utf-8")
    commands = re.findall(r"^quincunx (show .*)$", page, re.MULTILINE)
    assert len(commands) == 5
    for command in commands:
        assert main(shlex.split(command)) == 0
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert drawn == {path.name: path.read_bytes() for path in (DOCS / "pictures").iterdir()}
    shown = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    for name in drawn:
        assert f'src="docs/pictures/{name}"' in shown


def test_a_circle_without_a_fill_lets_see_what_is_below() -> None:
    disc = Circle(1, 1, 0.5, "#ff0000")
    ring = Circle(1, 1, 0.5, None, "#00ff00", 0.2)
    svg = write(Picture("", "", "#ffffff", 0, 0, 2, 2, (Group("x", (disc, ring)),)), 100)
    _, (mark,) = parse(svg)
    assert [element.attrib["fill"] for element in mark.elements] == ["#ff0000", "none"]
