"""The three kinds of board in plain Python (docs/games/index.md).

Cells are named by their text (`"e5"`, `"3"`), and everything is a list, set or dictionary of
such names. Every board offers:

* `cells` - the names in the order of the cell index; `index[name]` is the position in it;
* `rows` - the names as a position string writes them, from the top row down (`HexHex`, `Grid`);
* `directions` - the names of the directions in the order of their numbers (`HexHex`, `Grid`);
* `step(cell, direction)` - the next cell that way, or None off the board (`HexHex`, `Grid`);
* `neighbours[cell]` - the adjacent cells, in the order of the directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
PLAIN_LETTERS = ALPHABET
LETTERS_WITHOUT_I = ALPHABET.replace("i", "")


class CoordinateBoard:
    """A board whose cells have coordinates (row, column) and whose directions are offsets."""

    def __init__(
        self, coordinates: Mapping[str, tuple[int, int]], offsets: Mapping[str, tuple[int, int]]
    ) -> None:
        """Take the cells in index order with (row from the bottom, column), and the directions."""
        self.coordinates = dict(coordinates)
        self.cells = list(coordinates)
        self.index = {cell: number for number, cell in enumerate(self.cells)}
        self.directions = tuple(offsets)
        self._offsets = dict(offsets)
        self._at = {place: cell for cell, place in coordinates.items()}
        top_row = max(row for row, _ in coordinates.values())
        self.rows = [
            [cell for cell in self.cells if coordinates[cell][0] == row]
            for row in range(top_row, -1, -1)
        ]
        self._next = {
            (cell, direction): self._look(cell, direction)
            for cell in self.cells
            for direction in self.directions
        }
        self.neighbours = {
            cell: [
                other
                for direction in self.directions
                if (other := self._next[cell, direction]) is not None
            ]
            for cell in self.cells
        }

    def _look(self, cell: str, direction: str) -> str | None:
        row, column = self.coordinates[cell]
        up, right = self._offsets[direction]
        return self._at.get((row + up, column + right))

    def step(self, cell: str, direction: str) -> str | None:
        """Return the cell next to `cell` in that direction, or None off the board."""
        return self._next[cell, direction]

    def walk(self, cell: str, direction: str, distance: int) -> str | None:
        """Return the cell `distance` steps away in a straight line, or None off the board."""
        place: str | None = cell
        for _ in range(distance):
            if place is None:
                return None
            place = self.step(place, direction)
        return place


class HexHex(CoordinateBoard):
    """The hexagon with `size` cells a side, 2 to 8, in Abalone coordinates.

    `sides` maps the six side names to their sets of cells (a corner is on two sides);
    `opposite_sides` are the pairs and `side_triples` the two pairwise non-adjacent triples.
    """

    opposite_sides = (("S", "N"), ("SE", "NW"), ("NE", "SW"))
    side_triples = (("S", "NE", "NW"), ("SE", "N", "SW"))

    def __init__(self, size: int) -> None:
        """Build the board with `size` cells a side."""
        if not 2 <= size <= 8:
            raise ValueError(f"a hexagonal board has 2 to 8 cells a side, not {size}")
        self.size = n = size
        coordinates: dict[str, tuple[int, int]] = {}
        for r in range(2 * n - 1):
            columns = range(1, n + r + 1) if r < n else range(r - n + 2, 2 * n)
            for c in columns:
                coordinates[f"{ALPHABET[r]}{c}"] = (r, c)
        super().__init__(
            coordinates,
            {"E": (0, 1), "NE": (1, 1), "NW": (1, 0), "W": (0, -1), "SW": (-1, -1), "SE": (-1, 0)},
        )
        self.sides = {
            "S": {cell for cell, (r, c) in coordinates.items() if r == 0},
            "SE": {cell for cell, (r, c) in coordinates.items() if c == r + n and r < n},
            "NE": {cell for cell, (r, c) in coordinates.items() if c == 2 * n - 1 and r >= n - 1},
            "N": {cell for cell, (r, c) in coordinates.items() if r == 2 * n - 2},
            "NW": {cell for cell, (r, c) in coordinates.items() if c == r - n + 2 and r >= n - 1},
            "SW": {cell for cell, (r, c) in coordinates.items() if c == 1 and r < n},
        }


class Grid(CoordinateBoard):
    """The rectangle of `width` columns and `height` rows, orthogonally adjacent.

    `letters` names the columns from the left: `PLAIN_LETTERS` (Unane) or `LETTERS_WITHOUT_I`
    (Meigo).
    """

    def __init__(self, width: int, height: int, letters: str = PLAIN_LETTERS) -> None:
        """Build the board of width x height cells."""
        self.width = width
        self.height = height
        super().__init__(
            {
                f"{letters[column]}{row + 1}": (row, column)
                for row in range(height)
                for column in range(width)
            },
            {"E": (0, 1), "N": (1, 0), "W": (0, -1), "S": (-1, 0)},
        )


class Fano:
    """The Fano plane as drawn: 7 in the centre, 3, 5, 6 the corners, 1, 2, 4 the mid-sides.

    `adjacency` is "drawn" (the 15 stretches between points that are next to each other along a
    drawn line, the circle included) or "plane" (every two points).
    """

    lines = ("124", "235", "346", "156", "267", "137", "457")
    drawn_edges = (
        *("52", "23", "34", "46", "61", "15"),
        *("27", "76", "47", "75", "17", "73"),
        *("12", "24", "41"),
    )

    def __init__(self, adjacency: str = "drawn") -> None:
        """Build the board with the given adjacency."""
        self.cells = list("1234567")
        self.index = {point: number for number, point in enumerate(self.cells)}
        if adjacency == "drawn":
            edges = {frozenset(edge) for edge in self.drawn_edges}
        else:
            edges = {frozenset((p, q)) for p in self.cells for q in self.cells if p != q}
        self.neighbours = {
            p: [q for q in self.cells if frozenset((p, q)) in edges] for p in self.cells
        }


def groups(cells: Iterable[str], neighbours: Mapping[str, Iterable[str]]) -> list[set[str]]:
    """Return the connected groups of the given cells, by flood fill, as a list of sets."""
    left = set(cells)
    found: list[set[str]] = []
    while left:
        group: set[str] = set()
        frontier = [left.pop()]
        while frontier:
            cell = frontier.pop()
            group.add(cell)
            for other in neighbours[cell]:
                if other in left:
                    left.remove(other)
                    frontier.append(other)
        found.append(group)
    return found
