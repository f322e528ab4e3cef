"""Turned and mirrored boards: the rules know no direction, so the legal actions of a transformed
position are the transformed legal actions, for every symmetry of every board.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import permutations

import pytest

import quincunx
from cases import CASES, play_random_game

# From the name of a cell to the name of its image.
CellMap = dict[str, str]


# ---- the hexagon: turns by 60 degrees, and the reflection that exchanges E with NW


def hex_cells(size: int) -> list[list[str]]:
    """Return the rows from the bottom up."""
    rows = []
    for r in range(2 * size - 1):
        low, high = (1, size + r) if r < size else (r - size + 2, 2 * size - 1)
        rows.append([f"{'abcdefghijklmno'[r]}{c}" for c in range(low, high + 1)])
    return rows


def hex_maps(size: int) -> list[CellMap]:
    def name(a: int, b: int) -> str:
        return f"{'abcdefghijklmno'[a + size - 1]}{b + size}"

    # Coordinates from the centre: E is (0, 1), NE (1, 1), NW (1, 0).
    cells = [(ord(x[0]) - 97 - size + 1, int(x[1:]) - size) for row in hex_cells(size) for x in row]
    maps = []
    for mirrored in (False, True):
        images = {(a, b): (b, a) if mirrored else (a, b) for a, b in cells}
        for _ in range(6):
            maps.append({name(*cell): name(*image) for cell, image in images.items()})
            images = {cell: (b, b - a) for cell, (a, b) in images.items()}
    return maps


# ---- the grid: the eight symmetries of the square; four of them turn w x h into h x w


def grid_cells(width: int, height: int, letters: str) -> list[list[str]]:
    return [[f"{letters[c]}{r + 1}" for c in range(width)] for r in range(height)]


def grid_maps(width: int, height: int, letters: str, turned: bool) -> list[CellMap]:
    """Return the four maps that keep the sides where they are, or exchange width and height."""
    maps = []
    for mirror_columns in (False, True):
        for mirror_rows in (False, True):
            images = {}
            for c in range(width):
                for r in range(height):
                    x = width - 1 - c if mirror_columns else c
                    y = height - 1 - r if mirror_rows else r
                    image = (y, x) if turned else (x, y)
                    images[f"{letters[c]}{r + 1}"] = f"{letters[image[0]]}{image[1] + 1}"
            maps.append(images)
    return maps


# ---- the Fano plane: the permutations of the points that keep lines, or lines and drawing

FANO_LINES = {frozenset(line) for line in ("124", "235", "346", "156", "267", "137", "457")}
CIRCLE = ("12", "24", "41")
FANO_DRAWN = {
    frozenset(edge)
    for edge in ("52", "23", "34", "46", "61", "15", *("27", "76", "47", "75", "17", "73"), *CIRCLE)
}


@cache
def fano_maps(adjacency: str) -> list[CellMap]:
    maps = []
    for images in permutations("1234567"):
        image = dict(zip("1234567", images, strict=True))
        if {frozenset(image[p] for p in line) for line in FANO_LINES} != FANO_LINES:
            continue
        edges = {frozenset(image[p] for p in edge) for edge in FANO_DRAWN}
        if adjacency == "plane" or edges == FANO_DRAWN:
            maps.append(image)
    return maps


# ---- positions and actions


def transform_position(
    text: str, rows: list[list[str]], image: CellMap, onto: list[list[str]]
) -> str:
    """Move what stands on every cell of the board field; the other fields stay."""
    board, *fields = text.split(" ")
    commas = "," in board
    contents = {}
    for line, row in zip(reversed(board.split("/")), rows, strict=True):
        contents.update(zip(row, line.split(",") if commas else line, strict=True))
    moved = {image[cell]: content for cell, content in contents.items()}
    lines = [("," if commas else "").join(moved[cell] for cell in row) for row in reversed(onto)]
    return " ".join(["/".join(lines), *fields])


def transform_action(text: str, image: CellMap) -> str:
    """Replace every cell named in the action; `swap`, `hold`, `prison 3` and so on name none."""
    if text.startswith("prison"):
        return text
    return re.sub(r"[a-z][0-9]+", lambda match: image[match[0]], text)


def transform_fano_position(text: str, image: CellMap) -> str:
    board, player = text.split(" ")
    moved = {image[p]: stack for p, stack in zip("1234567", board.split("/"), strict=True)}
    return "/".join(moved[p] for p in "1234567") + " " + player


def transform_fano_action(text: str, image: CellMap) -> str:
    return re.sub(r"[1-7]", lambda match: image[match[0]], text)


def check_line(
    case, game: quincunx.Game, position_map: Callable, action_map: Callable, purpose: object
) -> None:
    """Play a random game here and its image there."""
    states = 0
    there = None
    for state in play_random_game(case.core(), case.random(purpose), 25 if case.slow else 200):
        # Not every position of a long game: each takes a while to compare.
        if state.is_terminal() or case.random((purpose, state.move_number())).random() < 0.3:
            there = game.new_initial_state(position_map(state.position()))
            here = state.get_game().new_initial_state(state.position())
            images = {action_map(state.action_to_string(a)) for a in here.legal_actions()}
            assert {there.action_to_string(a) for a in there.legal_actions()} == images
            assert there.current_player() == here.current_player()
            assert there.returns() == here.returns()
            states += 1
            # After an action here and its image there the positions are images again.
            for action in here.legal_actions()[::7][:10]:
                after = here.child(action).position()
                image = there.string_to_action(action_map(here.action_to_string(action)))
                assert there.child(image).position() == position_map(after)
        if states > 40:
            break
    assert there is not None


HEXAGONS = [case for case in CASES if case.game in ("unmergo", "impedio")]
GRIDS = [case for case in CASES if case.game in ("unane", "meigo")]
FANOS = [case for case in CASES if case.game == "fano330"]


@pytest.mark.parametrize("number", range(12))
@pytest.mark.parametrize("case", HEXAGONS, ids=lambda case: case.id)
def test_hexagon_turned_and_mirrored(case, number):
    size = case.core().parameters["size"]
    rows, image = hex_cells(size), hex_maps(size)[number]
    check_line(
        case,
        case.core(),
        lambda text: transform_position(text, rows, image, rows),
        lambda text: transform_action(text, image),
        number,
    )


@pytest.mark.parametrize("number", range(8))
@pytest.mark.parametrize("case", GRIDS, ids=lambda case: case.id)
def test_grid_turned_and_mirrored(case, number):
    width, height = (int(n) for n in case.core().parameters["size"].split("x"))
    letters = "abcdefghijklmnop" if case.game == "unane" else "abcdefghjklmnopqrst"
    turned = number >= 4
    image = grid_maps(width, height, letters, turned)[number % 4]
    rows = grid_cells(width, height, letters)
    onto = grid_cells(height, width, letters) if turned else rows
    parameters = dict(case.core().parameters)
    if turned:
        parameters["size"] = (height, width)
    # The handicap is where a game starts; positions are read, so only its being legal matters.
    parameters["handicap"] = [image[point] for point in parameters.get("handicap", [])]
    if case.game == "unane":
        del parameters["handicap"]
    check_line(
        case,
        quincunx.load_game(case.game, **parameters),
        lambda text: transform_position(text, rows, image, onto),
        lambda text: transform_action(text, image),
        number,
    )


@pytest.mark.parametrize("case", FANOS, ids=lambda case: case.id)
def test_fano_plane_permuted(case):
    maps = fano_maps(case.core().parameters["adjacency"])
    for number, image in enumerate(maps if len(maps) == 6 else maps[::6]):
        check_line(
            case,
            case.core(),
            lambda text, image=image: transform_fano_position(text, image),
            lambda text, image=image: transform_fano_action(text, image),
            number,
        )


@pytest.mark.parametrize(
    ("maps", "order"),
    [
        *((hex_maps(size), 12) for size in (2, 3, 5, 8)),
        (grid_maps(5, 5, "abcde", False) + grid_maps(5, 5, "abcde", True), 8),
        (grid_maps(4, 3, "abcd", False), 4),
        (fano_maps("drawn"), 6),
        (fano_maps("plane"), 168),
    ],
    ids=["hex2", "hex3", "hex5", "hex8", "square", "oblong", "fano-drawn", "fano-plane"],
)
def test_maps_are_a_group(maps, order):
    as_tuples = {tuple(sorted(image.items())) for image in maps}
    assert len(maps) == len(as_tuples) == order
    identity = {cell: cell for cell in maps[0]}
    assert identity in maps
    for one in maps:
        assert sorted(one.values()) == sorted(one)
        assert tuple(sorted((image, cell) for cell, image in one.items())) in as_tuples
        for other in maps[:: max(1, order // 12)]:
            assert tuple(sorted((cell, one[other[cell]]) for cell in one)) in as_tuples


def test_six_turns_of_the_hexagon_lead_back():
    turn = hex_maps(4)[1]
    cell = "a1"
    walk = []
    for _ in range(6):
        walk.append(cell)
        cell = turn[cell]
    assert cell == "a1"
    assert walk == ["a1", "a4", "d7", "g7", "g4", "d1"]  # the corners, counter-clockwise
