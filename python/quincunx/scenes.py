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
    tops: dict[str, Point] = field(default_factory=dict)
    """The middle of the topmost piece of every occupied cell."""
    notes: list[Row] = field(default_factory=list)
    """Further lines of the caption."""

    def at(self, cell: str) -> Point:
        """Return where to mark a cell."""
        return self.tops.get(cell, self.places[cell])


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
        x, y = scene.tops[cell] = scene.places[cell]
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
        discs = min(height, 5)
        levels = [y + 0.07 * ((discs - 1) / 2 - level) for level in range(discs)]
        edge = INK if colour == "White" else "#9a9a9a"
        shapes = [Circle(x, at, radius, _FILLS[colour], edge, 0.03) for at in levels]
        scene.tops[cell] = (x, levels[-1])
        scene.pieces.append(Group("piece", tuple(shapes), f"{cell}: {colour}, {height}"))
        # Arrows that jump over the stack leave the number readable.
        writing: list[Shape] = [
            Circle(*scene.tops[cell], 0.7 * radius, _FILLS[colour]),
            Text(*scene.tops[cell], text[1:], 0.47 - 0.05 * len(text), _WRITING[colour], bold=True),
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
_MIDDLE_NAME = (0.76, 0.1)


def _coin(x: float, y: float, radius: float, colour: str, covered: bool = False) -> list[Shape]:
    """A piece without a hole; silver has a rim, so that metals differ without colour too."""
    radius *= 0.86  # rings are larger: one sees a ring below a coin
    shapes: list[Shape] = [_stone(x, y, radius, colour)]
    if colour == "silver":
        shapes.append(Circle(x, y, 0.78 * radius, None, FADED, 0.06 * radius))
    if not covered:
        value = {"silver": "100", "copper": "10"}[colour]
        shapes.append(Text(x, y, value, 0.68 * radius, _WRITING[colour], bold=True))
    return shapes


def _ring(x: float, y: float, radius: float, colour: str, covered: bool = False) -> list[Shape]:
    """A piece with a hole, through which one sees what lies below."""
    middle, width = 0.76 * radius, 0.46 * radius
    shapes: list[Shape] = [
        Circle(x, y, middle, None, INK, width + 0.12 * radius),
        Circle(x, y, middle, None, _FILLS[colour], width),
    ]
    if colour == "silver":
        shapes.append(Circle(x, y, middle, None, FADED, 0.06 * radius))
    return shapes


_FANO_PIECES = {
    "S": (_coin, "silver", "silver coin"),
    "s": (_ring, "silver", "silver ring"),
    "C": (_coin, "copper", "copper coin"),
    "c": (_ring, "copper", "copper ring"),
}


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
    dots = [Circle(x, y, 0.17, PAPER, LINE, 0.07) for x, y in places.values()]
    radius = 0.5
    names: list[Shape] = []
    for point, (x, y) in places.items():
        # Away from the middle, and at the middle between two lines.
        away = 0.88 / (math.hypot(x, y) or 1.0)
        name = (x + away * x, y + away * y) if point != "7" else _MIDDLE_NAME
        names.append(Text(*name, point, 0.34, FADED))
    scene = Scene(
        (-3.65, -4.1, 3.65, 2.6),
        places,
        [
            Group("board", tuple(lines)),
            Group("cells", tuple(dots)),
        ],
        radius,
    )
    # Arrows between the sides pass where the name of the middle is: it is kept clear.
    scene.writing.append(Group("board", (Circle(*_MIDDLE_NAME, 0.16, PAPER),)))
    scene.writing.append(Group("coordinates", tuple(names)))
    for point, pieces in zip(Fano().cells, board.split("/"), strict=True):
        if pieces == ".":
            continue
        x, y = places[point]
        # So far apart that a ring below a coin shows its hole.
        spots = [(x, y)] if len(pieces) == 1 else [(x - 0.12, y + 0.15), (x + 0.08, y - 0.11)]
        shapes: list[Shape] = []
        for piece, spot in zip(pieces, spots, strict=True):
            draw, colour, _ = _FANO_PIECES[piece]
            shapes += draw(*spot, radius, colour, covered=spot != spots[-1])
        scene.tops[point] = spots[-1]
        words = " on ".join(_FANO_PIECES[piece][2] for piece in reversed(pieces))
        scene.pieces.append(Group("piece", tuple(shapes), f"{point}: {words}"))
    for kinds, colour, middle in (("Ss", "silver", -2.2), ("Cc", "copper", 2.2)):
        scene.board += _hand(kinds, colour, middle, board)
    return scene


def _hand(kinds: str, colour: str, middle: float, board: str) -> list[Group]:
    """Return the pieces of a player that are not on the board, beside the top of the triangle."""
    shapes: list[Shape] = []
    for level, kind in enumerate(kinds):
        for number in range(2 - board.count(kind)):
            draw = _FANO_PIECES[kind][0]
            shapes += draw(middle + (number - 0.5) * 0.85, -2.75 + level * 0.85, 0.36, colour)
    if not shapes:
        return []
    shapes.append(Text(middle, -3.5, f"{colour} in hand", 0.28, FADED))
    return [Group("hand", tuple(shapes), f"{colour} in hand")]


SCENES: Mapping[str, Callable[..., Scene]] = {
    "fano330": _fano330,
    "impedio": _impedio,
    "meigo": _meigo,
    "unane": _unane,
    "unmergo": _unmergo,
}
