"""Turned and mirrored boards: the rules know no direction, so the legal actions of a transformed
position are the transformed legal actions, for every symmetry of every board.

Here maps are made of texts, by the names of the cells, and checked against the rules; then the
symmetries that games themselves offer are checked against the maps.
"""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from functools import cache, partial
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import quincunx
from cases import CASES, FEW_STACKS, play_random_game, sample

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


# ---- what games offer: Game.symmetries

# What stands for the colours in position strings, one after the other, and the player to move.
COLOURS = {
    "unmergo": ("ox", "wb"),
    "impedio": ("wb", "wb"),
    "unane": ("xo", "xo"),
    "fano330": ("SCsc", "01"),
    "meigo": ("xoXO", "xo"),
}


def exchange_letters(text: str, pairs: str) -> str:
    table = {}
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        table |= {one: other, other: one}
    return "".join(table.get(letter, letter) for letter in text)


def exchange_colours(game: str, text: str) -> str:
    board, *fields = text.split(" ")
    board_letters, player_letters = COLOURS[game]
    fields[0] = exchange_letters(fields[0], player_letters)
    if game == "meigo":
        fields[1], fields[2] = fields[2], fields[1]
    return " ".join([exchange_letters(board, board_letters), *fields])


def exchange_shapes(text: str) -> str:
    board, player = text.split(" ")
    return exchange_letters(board, "SsCc") + " " + player


def position_maps(case) -> list[Callable[[str], str]]:
    """Return what the maps of texts above make of positions, for all that keep the board."""
    parameters = case.core().parameters
    if case.game == "fano330":
        maps = fano_maps(parameters["adjacency"])
        return [partial(transform_fano_position, image=image) for image in maps]
    if case in HEXAGONS:
        rows = hex_cells(parameters["size"])
        maps = hex_maps(parameters["size"])
    else:
        width, height = (int(n) for n in parameters["size"].split("x"))
        letters = "abcdefghijklmnop" if case.game == "unane" else "abcdefghjklmnopqrst"
        rows = grid_cells(width, height, letters)
        maps = grid_maps(width, height, letters, False)
        if width == height:
            maps = maps + grid_maps(width, height, letters, True)
    return [partial(transform_position, rows=rows, image=image, onto=rows) for image in maps]


def expected_images(case, text: str, symmetry: quincunx.Symmetry) -> set[str]:
    """Return all images of a position with what the symmetry exchanges."""
    if symmetry.exchanges_colours:
        text = exchange_colours(case.game, text)
    if symmetry.exchanges_shapes:
        text = exchange_shapes(text)
    return {image(text) for image in position_maps(case)}


def drawn_by_history(state) -> bool:
    drawn = state.is_terminal() and state.returns() == [0, 0]
    return drawn and state.get_game().name != "unmergo"


def some_symmetries(case, purpose: object) -> list[quincunx.Symmetry]:
    symmetries = case.core().symmetries()
    return case.random(purpose).sample(symmetries, min(len(symmetries), 6 if case.slow else 12))


def test_how_many_symmetries_there_are(case):
    symmetries = case.core().symmetries()
    maps = len(position_maps(case))
    exchanges = 4 if case.game == "fano330" else 2
    assert len(symmetries) == maps * exchanges
    assert len({symmetry.name for symmetry in symmetries}) == len(symmetries)
    assert symmetries[0].name == "identity"
    assert [symmetry.number for symmetry in symmetries] == list(range(len(symmetries)))
    assert sum(symmetry.exchanges_colours for symmetry in symmetries) == len(symmetries) // 2
    shapes = sum(symmetry.exchanges_shapes for symmetry in symmetries)
    assert shapes == (len(symmetries) // 2 if case.game == "fano330" else 0)
    for symmetry in symmetries:
        assert ("colours exchanged" in symmetry.name) == symmetry.exchanges_colours
        assert ("coins and rings exchanged" in symmetry.name) == symmetry.exchanges_shapes


@pytest.mark.parametrize(
    ("game", "parameters", "orders"),
    [
        ("unmergo", {}, (12, 24)),
        ("impedio", {"size": 3}, (12, 24)),
        ("unane", {}, (8, 16)),
        ("unane", {"size": "7x8"}, (4, 8)),
        ("meigo", {}, (8, 16)),
        ("meigo", {"size": "5x4"}, (4, 8)),
        ("fano330", {}, (6, 24)),
        ("fano330", {"adjacency": "plane"}, (168, 672)),
    ],
)
def test_numbers_of_symmetries(game, parameters, orders):
    symmetries = quincunx.load_game(game, **parameters).symmetries()
    plain = [s for s in symmetries if not s.exchanges_colours and not s.exchanges_shapes]
    assert (len(plain), len(symmetries)) == orders


def test_names_say_what_is_done():
    names = [symmetry.name for symmetry in quincunx.load_game("unmergo").symmetries()]
    assert names[:3] == ["identity", "turned 60", "turned 120"]
    assert names[6:8] == ["mirrored", "mirrored and turned 60"]
    assert names[12:14] == ["colours exchanged", "turned 60, colours exchanged"]
    game = quincunx.load_game("unane", size="4x4")
    symmetry = next(s for s in game.symmetries() if s.name == "turned 90")
    # Counter-clockwise: what was on the right is at the top.
    assert game.action_to_string(symmetry.action(game.string_to_action("-d2"))) == "-c4"
    assert game.action_to_string(symmetry.action(game.string_to_action("a1xb1"))) == "d1xd2"
    mirrored = next(s for s in game.symmetries() if s.name == "mirrored")
    assert game.action_to_string(mirrored.action(game.string_to_action("a1xb1"))) == "d1xc1"


def test_symmetries_are_a_group_on_actions(case):
    game = case.core()
    symmetries = game.symmetries()
    by_map = {(s.actions.tobytes(), s.exchanges_colours, s.exchanges_shapes): s for s in symmetries}
    everything = np.arange(game.num_distinct_actions())
    assert np.array_equal(symmetries[0].actions, everything)
    for one, other in product(some_symmetries(case, "one"), some_symmetries(case, "other")[:4]):
        assert one.actions.dtype == np.int64
        assert np.array_equal(np.sort(one.actions), everything)
        assert np.array_equal(one.inverse().actions[one.actions], everything)
        assert one.inverse().inverse() == one
        key = (
            np.ascontiguousarray(other.actions[one.actions]).tobytes(),
            one.exchanges_colours != other.exchanges_colours,
            one.exchanges_shapes != other.exchanges_shapes,
        )
        assert key in by_map


def test_images_of_positions_are_those_of_the_text(case):
    for state in sample(case)[: 4 if case.slow else 10]:
        if drawn_by_history(state):
            continue
        found: dict[Any, set[str]] = {}
        expected = {}
        for symmetry in case.core().symmetries():
            if symmetry.applies_to(state):
                kind = (symmetry.exchanges_colours, symmetry.exchanges_shapes)
                found.setdefault(kind, set()).add(symmetry.state(state).position())
                if kind not in expected:
                    expected[kind] = expected_images(case, state.position(), symmetry)
        assert found == expected


def test_images_behave_alike(case):
    """What is legal is legal, carried along; what follows and who wins are images too."""
    for state in sample(case)[: 6 if case.slow else 15]:
        for symmetry in some_symmetries(case, state.position()):
            if not symmetry.applies_to(state):
                assert symmetry.exchanges_colours
                continue
            image = symmetry.state(state)
            exchanged = symmetry.exchanges_colours
            assert symmetry.inverse().state(image).position() == state.position()
            for player in (0, 1):
                seen = image.observation_tensor(1 - player if exchanged else player)
                moved = symmetry.observation(state.observation_tensor(player))
                assert np.array_equal(moved, seen)
            if drawn_by_history(state):
                continue
            assert symmetry.inverse().state(image) == state
            assert image.is_terminal() == state.is_terminal()
            assert image.returns() == (state.returns()[::-1] if exchanged else state.returns())
            if state.is_terminal():
                continue
            assert image.current_player() == (state.current_player() ^ exchanged)
            legal = state.legal_actions()
            assert image.legal_actions() == sorted(symmetry.actions[legal].tolist())
            mask = np.empty_like(state.legal_actions_mask())
            mask[symmetry.actions] = state.legal_actions_mask()
            assert np.array_equal(mask, image.legal_actions_mask())
            for action in case.random("follow").sample(legal, min(4, len(legal))):
                after, expected = image.child(symmetry.action(action)), state.child(action)
                assert symmetry.applies_to(expected)
                assert after.position() == symmetry.state(expected).position()
                if not drawn_by_history(expected):
                    assert after == symmetry.state(expected)


def test_every_action_of_a_game_has_an_image(case):
    """A whole game and its image side by side, in step."""
    rng = case.random("side by side")
    symmetry = rng.choice([s for s in case.core().symmetries() if not s.exchanges_colours])
    here = case.core().new_initial_state()
    there = symmetry.state(here)
    for _ in range(40 if case.slow else 300):
        if here.is_terminal():
            break
        action = rng.choice(here.legal_actions())
        here.apply_action(action)
        there.apply_action(symmetry.action(action))
        assert there == symmetry.state(here)
        assert there.history() == symmetry.state(here).history()
    assert there.returns() == here.returns()


def test_canonical_hash_is_the_same_for_all_images(case):
    for state in sample(case)[: 6 if case.slow else 12]:
        value = state.canonical_hash()
        assert type(value) is int
        assert 0 <= value < 2**64
        representative, leads_there = state.canonical()
        assert leads_there.state(state) == representative
        for symmetry in some_symmetries(case, ("canonical", state.position())):
            if symmetry.applies_to(state):
                image = symmetry.state(state)
                assert image.canonical_hash() == value
                assert image.canonical()[0].position() == representative.position()


@pytest.mark.parametrize(
    ("game", "parameters", "plies"),
    [
        ("unmergo", {"size": 2}, 5),
        ("impedio", {"size": 3}, 2),
        ("unane", {"size": "4x4"}, 3),
        ("unane", {"size": "3x4", "pie": False}, 3),
        ("fano330", {}, 3),
        ("meigo", {"size": "3x3"}, 4),
        ("meigo", {"size": "3x2"}, 6),
    ],
)
def test_canonical_hash_tells_classes_of_positions_apart(game, parameters, plies):
    """One value a class: the classes are found by making all images of every position."""
    case = next(c for c in CASES if c.game == game)
    case = type(case)(game, parameters)
    symmetries = case.core().symmetries()
    positions = {case.core().new_initial_state().position()}
    for _ in range(plies):
        states = [case.core().new_initial_state(text) for text in sorted(positions)[:400]]
        positions = {state.child(a).position() for state in states for a in state.legal_actions()}
    value_of_class = {}
    for text in sorted(positions)[:1500]:
        state = case.core().new_initial_state(text)
        images = set()
        for exchange in {(s.exchanges_colours, s.exchanges_shapes): s for s in symmetries}.values():
            if exchange.applies_to(state):
                images |= expected_images(case, text, exchange)
        value = state.canonical_hash()
        assert value_of_class.setdefault(min(images), value) == value
    assert len(set(value_of_class.values())) == len(value_of_class) > 1


def test_canonical_hashes_are_the_same_in_every_process():
    for game, parameters, value in [
        ("unmergo", {}, 0xB1CA6578A6978669),
        ("impedio", {}, 0x6B6C534DDA495394),
        ("unane", {}, 0xB4A6FABFEC776FE1),
        ("fano330", {}, 0xDA0F66C287D586D1),
        ("meigo", {}, 0xBA02B7AAF5795A2D),
    ]:
        state = quincunx.load_game(game, **parameters).new_initial_state()
        for _ in range(3):
            state.apply_action(state.legal_actions()[1])
        assert state.canonical_hash() == value


# ---- where colours can be exchanged


@pytest.mark.parametrize(
    ("game", "parameters", "position", "allowed"),
    [
        ("unmergo", {"size": 2}, "../.../.. w place", True),
        ("unane", {"size": "4x4"}, "oxox/xoxo/oxox/xoxo x - -", False),
        ("unane", {"size": "2x2", "pie": False}, "ox/xo x - -", True),
        ("unane", {"size": "4x4"}, "oxox/xoxo/oxox/.oxo o p -", False),
        ("unane", {"size": "4x4"}, "oxox/xoxo/oxox/.oxo o - s", True),
        ("unane", {"size": "4x4"}, "oxox/xoxo/oxox/.oxo o - -", True),
        ("unane", {"size": "4x4"}, "oxox/xoxo/oxox/xoxo o - -", False),
        ("fano330", {}, "././././././. 0", False),
        ("fano330", {}, "S/././././C/. 0", False),
        ("fano330", {}, "s/C/sS/Sc/c/C/. 1", True),
        ("meigo", {"size": "3x3"}, ".../.../... x 0 0 - xo", False),
        ("meigo", {"size": "3x3"}, ".../.../..x o 0 0 u o", False),
        ("meigo", {"size": "3x3"}, ".../.o./..x x 2 0 u -", True),
        ("meigo", {"size": "3x3", "auction": True}, ".../.../... x 0 0 - xo k", False),
        ("meigo", {"size": "3x3", "auction": True}, ".../.o./..x x 2 0 u - s", True),
    ],
)
def test_where_colours_can_be_exchanged(game, parameters, position, allowed):
    loaded = quincunx.load_game(game, **parameters)
    state = loaded.new_initial_state(position)
    exchange = next(s for s in loaded.symmetries() if s.name == "colours exchanged")
    assert exchange.applies_to(state) == allowed
    image = exchange_colours(game, position)
    if allowed:
        assert exchange.state(state).position() == image
        return
    with pytest.raises(quincunx.ParameterError, match="'colours exchanged' does not apply"):
        exchange.state(state)
    # Rightly so: the position with exchanged colours is none, or one with other rules ahead.
    try:
        other = loaded.new_initial_state(image)
    except quincunx.PositionError:
        return
    children = {other.child(action).position() for action in other.legal_actions()}
    expected = {exchange_colours(game, state.child(a).position()) for a in state.legal_actions()}
    assert children != expected


# ---- the past


def test_the_past_comes_along():
    """A draw by repetition is one in the image too."""
    game = quincunx.load_game("impedio", setup=FEW_STACKS, repetition=2)
    state = game.new_initial_state()
    for text in ("a1-a2", "i9-i8", "a2-a1", "i8-i9"):
        state.apply_turn(text)
    assert state.is_terminal()
    for symmetry in game.symmetries():
        image = symmetry.state(state)
        assert image.is_terminal()
        assert image.returns() == [0, 0]
        assert image == symmetry.state(copy.deepcopy(state))
        assert image == pickle.loads(pickle.dumps(image))
        assert image.history() == symmetry.actions[state.history()].tolist()
        image.undo()
        assert not image.is_terminal()


def test_the_past_comes_along_as_far_as_it_has_an_image():
    game = quincunx.load_game("fano330", repetition=2)
    rng = CASES[0].random("fano")
    line: list[int] = []
    while not line:
        *_, state = play_random_game(game, rng, plies=8)
        line = moves_to_and_fro(state)
    assert state.move_number() == 8
    first = state.clone()
    exchange = next(s for s in game.symmetries() if s.name == "colours exchanged")
    for action in line[:-1]:
        state.apply_action(action)
    image = exchange.state(state)
    assert image.history() == exchange.actions[line[:-1]].tolist()
    # The next move repeats the position after the placement, there as here.
    state.apply_action(line[-1])
    image.apply_action(exchange.action(line[-1]))
    assert state.position() == first.position()
    assert state.is_terminal()
    assert image.is_terminal()
    assert image == exchange.state(state)
    assert pickle.loads(pickle.dumps(image)) == image


def moves_to_and_fro(state) -> list[int]:
    """Return four moves after which the position is the same, if there are such."""
    for a in state.legal_actions():
        one = state.child(a)
        for b in one.legal_actions():
            two = one.child(b)
            for c in two.legal_actions():
                three = two.child(c)
                for d in three.legal_actions():
                    if three.child(d).position() == state.position():
                        return [a, b, c, d]
    return []


# ---- the objects


def test_observations_in_any_number():
    game = quincunx.load_game("unane", size="4x3")
    state = game.new_initial_state()
    one = state.observation_tensor(0)
    symmetry = game.symmetries()[2]
    several = np.stack([[one, 2 * one], [state.observation_tensor(1), one + 1]])
    moved = symmetry.observation(several)
    assert moved.dtype == np.float32
    assert moved.shape == several.shape == (2, 2, 6, 3, 4)
    assert np.array_equal(moved[0, 0], symmetry.observation(one))
    assert np.array_equal(moved[0, 1], 2 * symmetry.observation(one))
    assert np.array_equal(symmetry.observation(one.astype(np.float64).tolist()), moved[0, 0])
    assert np.array_equal(symmetry.observation(one[:, :, ::-1][:, :, ::-1]), moved[0, 0])
    assert symmetry.observation(np.empty((0, 6, 3, 4))).shape == (0, 6, 3, 4)
    moved[:] = 0  # a new array
    assert symmetry.observation(several).any()
    for wrong in (one[0], one[:5], one.reshape(-1), np.float32(3), []):
        with pytest.raises(ValueError, match=r"\(6, 3, 4\)"):
            symmetry.observation(wrong)
    for wrong in ("x", object(), [[1], [2, 3]]):
        with pytest.raises(TypeError, match="observation"):
            symmetry.observation(wrong)


def test_bad_arguments_of_symmetries():
    game = quincunx.load_game("unmergo", size=3)
    symmetry = game.symmetries()[1]
    for action in (-1, game.num_distinct_actions(), 10**30):
        with pytest.raises(ValueError, match="range"):
            symmetry.action(action)
    for action in ("a1", 1.0, None, True):
        with pytest.raises(TypeError):
            symmetry.action(action)
    for other in (quincunx.load_game("unmergo"), quincunx.load_game("impedio", size=3)):
        for call in (symmetry.applies_to, symmetry.state):
            with pytest.raises(ValueError, match="another game"):
                call(other.new_initial_state())
    for call in (symmetry.applies_to, symmetry.state):
        with pytest.raises(TypeError):
            call("a1")
    with pytest.raises(TypeError):
        quincunx.Symmetry()
    with pytest.raises(ValueError, match="read-only"):
        symmetry.actions[0] = 1


def test_symmetries_are_values():
    game = quincunx.load_game("unane", size="4x4")
    symmetries = game.symmetries()
    again = quincunx.load_game("unane", size="4x4").symmetries()
    assert symmetries == again
    assert len({*symmetries, *again}) == len(symmetries)
    assert symmetries[1] != symmetries[2]
    assert symmetries[1] != quincunx.load_game("unane").symmetries()[1]
    assert symmetries[1] != "turned 90"
    assert repr(symmetries[1]) == "<Symmetry of unane: turned 90>"
    for protocol in (2, 5):
        assert pickle.loads(pickle.dumps(symmetries[3], protocol)) == symmetries[3]
    assert np.array_equal(pickle.loads(pickle.dumps(symmetries[3])).actions, symmetries[3].actions)
