"""How each game is drawn: its board, its pieces, and what is said of them below.

Everything here is read from the fields of a position string; what is marked on a board is added in
picture.py. The colours of marks are of the palette of Okabe and Ito, which people see apart with
any kind of colour vision; pieces differ in lightness or in form.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from quincunx.reference.boards import (
    LETTERS_WITHOUT_I,
    PLAIN_LETTERS,
    CoordinateBoard,
    Fano,
    Grid,
    HexHex,
    groups,
)
from quincunx.shapes import Circle, Group, Line, Point, Polygon, Shape, Text

__all__ = [
    "INK",
    "LEGAL",
    "PAPER",
    "PLAYED",
    "SCENES",
    "SEARCHED",
    "Icon",
    "Row",
    "Scene",
    "stone_icon",
]

INK = "#222222"
FADED = "#5a5a5a"
PAPER = "#faf9f5"
PLAYED = "#d55e00"
LEGAL = "#0072b2"
SEARCHED = "#56b4e9"
LINE = "#3f5573"

# The colours of pieces: what they are filled with, and what is written on them.
_FILLS = {"Black": "#1c1c1c", "White": "#ffffff", "silver": "#dde2e8", "copper": "#8f4a1b"}
_WRITING = {"Black": "#ffffff", "White": INK, "silver": INK, "copper": "#ffffff"}

# Text of the caption, or a small drawing at a point with a radius.
Icon = Callable[[float, float, float], Sequence[Shape]]
Row = list[str | Icon]


@dataclass
class Scene:
    """A board with what stands on it, and where to mark an action."""

    bounds: tuple[float, float, float, float]
    """Left, top, right, bottom."""
    places: Mapping[str, Point]
    board: list[Group]
    """What lies below everything, coordinates included."""
    radius: float
    """Of a piece."""
    pieces: list[Group] = field(default_factory=list)
    writing: list[Group] = field(default_factory=list)
    """What stays readable on pieces whatever is marked."""
    occupied: set[str] = field(default_factory=set)
    notes: list[Row] = field(default_factory=list)
    """Further lines of the caption."""


# ---- pieces


def _stone(x: float, y: float, radius: float, colour: str) -> Circle:
    return Circle(x, y, radius, _FILLS[colour], INK, 0.1 * radius)


def stone_icon(colour: str) -> Icon:
    """Return what stands for a colour in the caption."""
    return lambda x, y, radius: [_stone(x, y, 0.95 * radius, colour)]


def _links(scene: Scene, stones: Mapping[str, str], board: CoordinateBoard) -> Group:
    """Return bars between neighbouring stones of a colour, which make groups plain to see."""
    outlines: list[Shape] = []
    bars: list[Shape] = []
    for cell, colour in stones.items():
        for other in board.neighbours[cell]:
            if stones.get(other) == colour and board.index[cell] < board.index[other]:
                ends = scene.places[cell], scene.places[other]
                outlines.append(Line(*ends, INK, 0.26))
                bars.append(Line(*ends, _FILLS[colour], 0.18))
    return Group("links", (*outlines, *bars))


def _group_counts(colours: Sequence[str], stones: Mapping[str, str], board: CoordinateBoard) -> Row:
    """Return the line of the caption that says how many groups there are."""
    row: Row = []
    for colour in colours:
        own = [cell for cell, owner in stones.items() if owner == colour]
        number = len(groups(own, board.neighbours))
        row += [stone_icon(colour), f"{number} group{'' if number == 1 else 's'}"]
    return row


def _put_stones(
    scene: Scene, stones: Mapping[str, str], marked: Collection[str] = frozenset()
) -> None:
    """Add a stone for each cell that has one; marked ones have a large dot."""
    for cell, colour in stones.items():
        x, y = scene.places[cell]
        scene.occupied.add(cell)
        shapes: list[Shape] = [_stone(x, y, scene.radius, colour)]
        about = f"{cell}: {colour}"
        if cell in marked:
            shapes.append(Circle(x, y, 0.42 * scene.radius, _WRITING[colour]))
            about += ", marked"
        scene.pieces.append(Group("piece", tuple(shapes), about))


def _read_rows(board: CoordinateBoard, rows: Iterable[Iterable[str]]) -> dict[str, str]:
    """Return what the rows of a position string say of each cell that is not empty."""
    cells = (cell for row in board.rows for cell in row)
    texts = (text for row in rows for text in row)
    return {cell: text for cell, text in zip(cells, texts, strict=True) if text != "."}


# ---- hexagonal boards

_ROW = math.sqrt(3) / 2  # between two rows


def _hexagonal(size: int, rim: Sequence[str], fill: str, line: str) -> tuple[HexHex, Scene]:
    """Return a board of hexagons; the colours of the rim alternate from side to side."""
    board = HexHex(size)

    def point(row: float, column: float) -> Point:
        return column - size - (row - size + 1) / 2, (size - 1 - row) * _ROW

    def around(x: float, y: float, radius: float, turned: float) -> tuple[Point, ...]:
        angles = [math.radians(60 * k + turned) for k in range(6)]
        return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles)

    places = {cell: point(*place) for cell, place in board.coordinates.items()}
    reach = size + 0.42
    corners = around(0, 0, reach, 0)
    # Each side is a triangle, of which the cells leave the rim to be seen.
    sides: list[Shape] = [Polygon(corners, rim[0])]
    sides += [
        Polygon((corners[k], corners[(k + 1) % 6], (0, 0)), rim[k % len(rim)])
        for k in range(6)
        if k % len(rim)
    ]
    cells: list[Shape] = [
        Polygon(around(x, y, 1 / math.sqrt(3), 30), fill, line, 0.04) for x, y in places.values()
    ]
    names: list[tuple[Point, str]] = []
    for row in range(2 * size - 1):
        first = max(1, row - size + 2)
        names.append((point(row, first - 1), PLAIN_LETTERS[row]))
    for column in range(1, 2 * size):
        # Where the diagonal would go on below its last cell.
        names.append((point(max(0, column - size) - 1, column), str(column)))
    written = [Text(x, y, name, min(0.42, 0.12 * size), INK) for (x, y), name in names]
    shapes = [Group("board", tuple(sides)), Group("cells", tuple(cells))]
    shapes.append(Group("coordinates", tuple(written)))
    bounds = (-reach - 0.1, -reach * _ROW - 0.1, reach + 0.1, reach * _ROW + 0.1)
    return board, Scene(bounds, places, shapes, radius=0.37)


def _unmergo(rows: str, to_move: str, phase: str) -> Scene:
    read = rows.split("/")
    size = (len(read) + 1) // 2
    board, scene = _hexagonal(size, ["#d8ccb4"], "#f3ecdd", "#b5a586")
    names = {"o": "White", "x": "Black"}
    stones = {cell: names[text] for cell, text in _read_rows(board, read).items()}
    scene.board.append(_links(scene, stones, board))
    _put_stones(scene, stones)
    scene.notes.append(_group_counts(("White", "Black"), stones, board))
    return scene


def _impedio(rows: str, to_move: str) -> Scene:
    read = [row.split(",") for row in rows.split("/")]
    # Three sides that do not touch are to be seen at once: they have the same colour.
    rim = ["#8ea9c1", "#d9c08c"]
    board, scene = _hexagonal((len(read) + 1) // 2, rim, "#e6ecf0", "#9fb0bd")
    radius = scene.radius
    for cell, text in _read_rows(board, read).items():
        colour = "White" if text[0] == "w" else "Black"
        height = int(text[1:])
        x, y = scene.places[cell]
        # Some discs of the stack are to be seen, as from above and before it.
        levels = [y + 0.055 * below for below in reversed(range(min(height, 5)))]
        edge = INK if colour == "White" else "#9a9a9a"
        shapes = [Circle(x, at, radius, _FILLS[colour], edge, 0.025) for at in levels]
        scene.occupied.add(cell)
        scene.pieces.append(Group("piece", tuple(shapes), f"{cell}: {colour}, {height}"))
        # Arrows that jump over the stack leave the number readable.
        writing: list[Shape] = [
            Circle(x, y, 0.65 * radius, _FILLS[colour]),
            Text(x, y, text[1:], 0.47 - 0.05 * len(text), _WRITING[colour], bold=True),
        ]
        scene.writing.append(Group("height", tuple(writing), f"{cell}: {colour}, {height}"))
    return scene


# ---- grids


def _box(left: float, top: float, right: float, bottom: float, fill: str) -> Polygon:
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)), fill)


def _grid_names(width: int, height: int, letters: str, away: float, size: float) -> Group:
    """Return the names of columns and rows on all sides, `away` from the outer cells."""
    shapes: list[Shape] = []
    for column in range(width):
        for y in (-away, height - 1 + away):
            shapes.append(Text(column, y, letters[column], size, INK))
    for row in range(height):
        for x in (-away, width - 1 + away):
            shapes.append(Text(x, height - 1 - row, str(row + 1), size, INK))
    return Group("coordinates", tuple(shapes))


def _grid(read: Sequence[str], letters: str) -> tuple[Grid, dict[str, Point]]:
    board = Grid(len(read[0]), len(read), letters)
    # The left end of the top row is the origin.
    places = {
        cell: (float(column), float(board.height - 1 - row))
        for cell, (row, column) in board.coordinates.items()
    }
    return board, places


def _coordinate_size(width: int, height: int) -> float:
    """Return the size of coordinates: those of small boards are not as large as stones."""
    return min(0.42, 0.045 * (max(width, height) + 2))


def _unane(rows: str, to_move: str, pie: str, swapped: str) -> Scene:
    read = rows.split("/")
    board, places = _grid(read, PLAIN_LETTERS)
    width, height = board.width, board.height
    shades = ("#a9c3b2", "#dfeae2")  # where Black stands at the start, and White
    squares = [
        _box(x - 0.5, y - 0.5, x + 0.5, y + 0.5, shades[sum(board.coordinates[cell]) % 2])
        for cell, (x, y) in places.items()
    ]
    frame = _box(-0.56, -0.56, width - 0.44, height - 0.44, "#55705f")
    size = _coordinate_size(width, height)
    away = 0.62 + 0.75 * size
    edge = away + 0.8 * size
    scene = Scene(
        (-edge, -edge, width - 1 + edge, height - 1 + edge),
        places,
        [
            Group("board", (frame,)),
            Group("cells", tuple(squares)),
            _grid_names(width, height, PLAIN_LETTERS, away, size),
        ],
        radius=0.37,
    )
    names = {"o": "White", "x": "Black"}
    stones = {cell: names[text] for cell, text in _read_rows(board, read).items()}
    scene.board.append(_links(scene, stones, board))
    _put_stones(scene, stones)
    scene.notes.append(_group_counts(("Black", "White"), stones, board))
    if swapped == "s":
        scene.notes.append(["The players have swapped colours."])
    return scene


def _star_lines(number: int) -> list[int]:
    """Return the lines, counted from 0, on whose crossings a board of Go has star points."""
    edge = 3 if number >= 13 else 2
    lines = {edge, number - 1 - edge} if number >= 7 else set()
    return sorted(lines | ({number // 2} if number % 2 and number >= 3 else set()))


def _meigo(
    rows: str,
    to_move: str,
    black_in_prison: str,
    white_in_prison: str,
    last_stone: str,
    first_turns: str,
    auction: str = "-",
) -> Scene:
    read = rows.split("/")
    board, places = _grid(read, LETTERS_WITHOUT_I)
    right, bottom = board.width - 1, board.height - 1
    size = _coordinate_size(board.width, board.height)
    away = 0.55 + 0.75 * size
    edge = away + 0.8 * size
    lines: list[Shape] = [Line((x, 0), (x, bottom), INK, 0.035) for x in range(right + 1)]
    lines += [Line((0, y), (right, y), INK, 0.035) for y in range(bottom + 1)]
    columns, levels = _star_lines(board.width), _star_lines(board.height)
    stars = [
        Circle(x, y, 0.09, INK)
        for x in columns
        for y in levels
        # On small boards the corners and the middle, on large ones the sides too.
        if min(right, bottom) >= 14 or (x == right / 2) == (y == bottom / 2)
    ]
    scene = Scene(
        (-edge - 0.1, -edge - 0.1, right + edge + 0.1, bottom + edge + 0.1),
        places,
        [
            Group("board", (_box(-edge, -edge, right + edge, bottom + edge, "#e6c88f"),)),
            Group("cells", (*lines, *stars)),
            _grid_names(board.width, board.height, LETTERS_WITHOUT_I, away, size),
        ],
        radius=0.46,
    )
    scene.notes.append(
        ["Prison:", stone_icon("Black"), black_in_prison, stone_icon("White"), white_in_prison]
    )
    if last_stone != "-":
        manner = {"m": "marked", "u": "unmarked"}[last_stone]
        scene.notes.append([f"The last stone placed was {manner}."])
    stones = _read_rows(board, read)
    colours = {cell: "Black" if stone in "xX" else "White" for cell, stone in stones.items()}
    _put_stones(scene, colours, {cell for cell, stone in stones.items() if stone in "XO"})
    return scene


# ---- the Fano plane

_CORNER = 2.9  # from the middle to a corner
_MIDDLE_NAME = (0.8, 0.12)


# By letter of the position string: the metal, the shape, and what is written on it.
_FANO_PIECES = {
    "S": ("silver", "coin", "100"),
    "s": ("silver", "ring", ""),
    "C": ("copper", "coin", "10"),
    "c": ("copper", "ring", ""),
}


def _fano_piece(letter: str, x: float, y: float, radius: float) -> list[Shape]:
    """A coin, or a ring, through which one sees what lies below."""
    colour, form, _ = _FANO_PIECES[letter]
    shapes: list[Shape] = [_stone(x, y, 0.9 * radius, colour)]
    rim = 0.74 * radius
    if form == "ring":
        rim = 0.77 * radius
        shapes = [
            Circle(x, y, rim, None, INK, 0.54 * radius),
            Circle(x, y, rim, None, _FILLS[colour], 0.42 * radius),
        ]
    if colour == "silver":  # so that metals differ without colour too
        shapes.append(Circle(x, y, rim, None, FADED, 0.06 * radius))
    return shapes


def _value(letter: str, x: float, y: float, radius: float) -> list[Shape]:
    """What is written on a coin, which tells it from a ring once more."""
    colour, form, text = _FANO_PIECES[letter]
    written = Text(x, y, text, 0.58 * radius, _WRITING[colour], bold=True)
    return [Circle(x, y, 0.52 * radius, _FILLS[colour]), written] if form == "coin" else []


def _outward(x: float, y: float) -> Point:
    """Return the direction from a point to where the piece that it covers is drawn.

    No move crosses the outside of the triangle; of the middle it is away from the name.
    """
    away = math.hypot(x, y)
    return (x / away, y / away) if away else (-1.0, 0.0)


def _fano330(board: str, to_move: str) -> Scene:
    third = math.radians(120)
    places: dict[str, Point] = {"7": (0.0, 0.0)}
    for number, (corner, side) in enumerate((("3", "1"), ("6", "2"), ("5", "4"))):
        across, up = math.sin(number * third), -math.cos(number * third)
        places[corner] = (_CORNER * across, _CORNER * up)
        places[side] = (-_CORNER / 2 * across, -_CORNER / 2 * up)
    lines: list[Shape] = [
        Line(places[a], places[b], LINE, 0.07)
        for a, b in (("5", "3"), ("3", "6"), ("6", "5"), ("2", "6"), ("4", "5"), ("1", "3"))
    ]
    lines.append(Circle(0, 0, _CORNER / 2, None, LINE, 0.07))
    dots = [Circle(x, y, 0.14, LINE) for x, y in places.values()]
    radius = 0.45
    names: list[Shape] = []
    for point, (x, y) in places.items():
        # Outside the triangle, beside the place of a covered piece.
        across, up = _outward(x, y)
        name = (x + 0.55 * across + 0.75 * up, y + 0.55 * up - 0.75 * across)
        names.append(Text(*(_MIDDLE_NAME if point == "7" else name), point, 0.34, FADED))
    scene = Scene(
        (-3.6, -4.1, 3.6, 2.65),
        places,
        [
            Group("board", tuple(lines)),
            Group("cells", tuple(dots)),
        ],
        radius,
    )
    # Arrows between the sides pass where the name of the middle is: it is kept clear.
    scene.writing.append(Group("board", (Circle(*_MIDDLE_NAME, 0.2, PAPER),)))
    scene.writing.append(Group("coordinates", tuple(names)))
    for point, pieces in zip(Fano().cells, board.split("/"), strict=True):
        if pieces != ".":
            _put_fano_pieces(scene, point, pieces)
    for kinds, colour, middle in (("Ss", "silver", -2.5), ("Cc", "copper", 2.5)):
        scene.board += _hand(kinds, colour, middle, board)
    return scene


def _put_fano_pieces(scene: Scene, point: str, pieces: str) -> None:
    """Add what lies on a point, one letter a piece, the topmost last."""
    (x, y), radius = scene.places[point], scene.radius
    across, up = _outward(x, y)
    shapes: list[Shape] = []
    values: list[Shape] = []
    covered, top = pieces[:-1], pieces[-1]
    for letter in covered:
        # So far out that most of a hole is to be seen, and the value of a coin.
        shapes += _fano_piece(letter, x + 0.64 * across, y + 0.64 * up, radius)
        values += _value(letter, x + 0.8 * across, y + 0.8 * up, 0.75 * radius)
        shapes.append(Circle(x, y, 1.06 * radius, None, PAPER, 0.1 * radius))
    shapes += _fano_piece(top, x, y, radius)
    values += _value(top, x, y, radius)
    words = " on ".join(" ".join(_FANO_PIECES[letter][:2]) for letter in reversed(pieces))
    scene.occupied.add(point)
    scene.pieces.append(Group("piece", tuple(shapes), f"{point}: {words}"))
    scene.writing.append(Group("value", tuple(values), f"{point}: {words}"))


def _hand(kinds: str, colour: str, middle: float, board: str) -> list[Group]:
    """Return the pieces of a player that are not on the board, beside the top of the triangle."""
    shapes: list[Shape] = []
    for level, kind in enumerate(kinds):
        for number in range(2 - board.count(kind)):
            x, y = middle + (number - 0.5) * 0.85, -2.95 + level * 0.85
            shapes += [*_fano_piece(kind, x, y, 0.36), *_value(kind, x, y, 0.36)]
    if not shapes:
        return []
    shapes.append(Text(middle, -3.7, f"{colour} in hand", 0.28, FADED))
    return [Group("hand", tuple(shapes), f"{colour} in hand")]


SCENES: Mapping[str, Callable[..., Scene]] = {
    "fano330": _fano330,
    "impedio": _impedio,
    "meigo": _meigo,
    "unane": _unane,
    "unmergo": _unmergo,
}
