"""Impedio: stacks that move as far as they leave pieces behind (docs/games/impedio.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .base import (
    Game,
    Outcome,
    choice_field,
    int_parameter,
    read_rows,
    repetition_parameter,
    split_fields,
    win_for,
    write_rows,
)
from .boards import HexHex, groups

COLOUR_NAMES = {"w": "White", "b": "Black"}
# White is player 0.
PLAYERS = {"w": 0, "b": 1}
OPPONENTS = {"w": "b", "b": "w"}
MOST_PIECES = 255
# A number of pieces has neither a zero in front nor is it zero: "w0" and "w03" are malformed.
STACK = re.compile("([wb])([1-9][0-9]*)")


@dataclass(frozen=True)
class Stack:
    """Some pieces on one cell; all of them have the same owner, "w" or "b"."""

    owner: str
    pieces: int

    def __str__(self) -> str:
        """Return the stack as a position string writes it."""
        return f"{self.owner}{self.pieces}"


@dataclass(frozen=True)
class Position:
    """The stacks by their cells and the colour to move."""

    stacks: dict[str, Stack]
    to_move: str

    def cells_of(self, colour: str) -> list[str]:
        """Return the cells on which a colour has a stack."""
        return [cell for cell, stack in self.stacks.items() if stack.owner == colour]


class Impedio(Game[Position]):
    """The rules of Impedio on one board with one setup."""

    name = "impedio"
    action_forms = "two cells in a straight line, from-to, such as a1-a4"
    parameter_names = ("size", "setup", "repetition", "max_plies")

    def __init__(
        self,
        size: object = 5,
        setup: object = "corners",
        repetition: object = 3,
        max_plies: object = 1000,
    ) -> None:
        """Set up HexHex(size) and the setup: "corners", "ring" or a position string."""
        cells_a_side = int_parameter("size", size, 2, 8)
        self.board = HexHex(cells_a_side)
        self._rays = {
            (cell, direction): self._ray(cell, direction)
            for cell in self.board.cells
            for direction in self.board.directions
        }
        self._start = self._read_setup(setup)
        super().__init__(
            {
                "size": cells_a_side,
                "setup": setup,
                "repetition": repetition_parameter("repetition", repetition),
                "max_plies": int_parameter("max_plies", max_plies, 0),
            }
        )

    # ---- actions

    def num_distinct_actions(self) -> int:
        """Return one for each cell, direction and distance from 1 to 2n-2."""
        return 6 * len(self.board.cells) * self._longest_move()

    def max_game_length(self) -> int:
        """Return `max_plies`: without it play can cycle, so no other bound is known."""
        return int(self._parameters["max_plies"])

    def action_table(self) -> dict[int, str]:
        """Return from-to for every move that stays on the board."""
        table: dict[int, str] = {}
        for origin in self.board.cells:
            for number, direction in enumerate(self.board.directions):
                line = self.board.index[origin] * 6 + number
                for distance, target in enumerate(self._rays[origin, direction], start=1):
                    table[line * self._longest_move() + distance - 1] = f"{origin}-{target}"
        return table

    def _ray(self, origin: str, direction: str) -> list[str]:
        """Return the cells from the one next to `origin` to the edge, in a straight line."""
        ray: list[str] = []
        cell = self.board.step(origin, direction)
        while cell is not None:
            ray.append(cell)
            cell = self.board.step(cell, direction)
        return ray

    def _longest_move(self) -> int:
        return 2 * self.board.size - 2

    def _distance(self, origin: str, target: str) -> int:
        """Return how many cells apart two cells of one straight line are."""
        row, column = self.board.coordinates[origin]
        other_row, other_column = self.board.coordinates[target]
        return max(abs(other_row - row), abs(other_column - column))

    # ---- setups and position strings

    def start(self) -> Position:
        """Return the setup."""
        return self._start

    def _read_setup(self, setup: object) -> Position:
        """Return the position of a setup: a preset (White begins) or a position string."""
        if setup == "corners":
            return Position(self._corners(), "w")
        if setup == "ring":
            if self.board.size != 5:
                raise ValueError(
                    f"parameter 'setup': ring needs size 5, not {self.board.size}"
                    " (allowed: corners or a position string)"
                )
            return Position(self._ring(), "w")
        # A text without a space is taken for a misspelt preset, not for a position.
        if not isinstance(setup, str) or " " not in setup:
            raise ValueError(
                f"parameter 'setup' must be corners, ring or a position string, not {setup!r}"
            )
        try:
            position = self.read(setup)
        except ValueError as error:
            raise ValueError(f"parameter 'setup': {error}") from None
        for colour in "wb":
            if self._connection(position.cells_of(colour)) is not None:
                raise ValueError(
                    f"parameter 'setup': {COLOUR_NAMES[colour]} is connected already;"
                    " a game cannot start from a finished position"
                )
        return position

    def _corners(self) -> dict[str, Stack]:
        """Return a stack of 2n pieces on each corner, owners alternating, White on a1."""
        corners = self._rim()[:: self.board.size - 1]
        return {
            cell: Stack(owner, 2 * self.board.size)
            for cell, owner in zip(corners, "wbwbwb", strict=True)
        }

    def _ring(self) -> dict[str, Stack]:
        """Return six runs of stacks 1, 2, 3, 4 along the rim, owners alternating, White first."""
        runs = [Stack(owner, pieces) for owner in "wbwbwb" for pieces in (1, 2, 3, 4)]
        return dict(zip(self._rim(), runs, strict=True))

    def _rim(self) -> list[str]:
        """Return the cells of the rim, counter-clockwise from a1."""
        rim = ["a1"]
        for direction in ("E", "NE", "NW", "W", "SW", "SE"):
            for _ in range(self.board.size - 1):
                cell = self.board.step(rim[-1], direction)
                assert cell is not None
                rim.append(cell)
        # The walk comes back to where it began.
        return rim[:-1]

    def read(self, text: str) -> Position:
        """Return the position of `<rows> <w|b>`, refused where no game could show it."""
        rows, to_move = split_fields(text, ("board", "player to move"))
        stacks: dict[str, Stack] = {}
        for cell, content in read_rows(rows, self.board, separator=",").items():
            if content == ".":
                continue
            match = STACK.fullmatch(content)
            if match is None:
                raise ValueError(
                    f"position, board: {content!r} on {cell} is neither . nor w or b followed by"
                    " a number of pieces without leading zeros"
                )
            # No stack can hold more than a side may have; a longer number is not even converted.
            owner, digits = match.groups()
            pieces = int(digits) if len(digits) <= 3 else MOST_PIECES + 1
            stacks[cell] = Stack(owner, pieces)
        position = Position(stacks, choice_field("player to move", to_move, ("w", "b")))
        for colour, name in COLOUR_NAMES.items():
            cells = position.cells_of(colour)
            # A piece always stays behind and enemy stacks are never taken.
            if not cells:
                raise ValueError(f"position, board: {name} has no stack")
            if sum(stacks[cell].pieces for cell in cells) > MOST_PIECES:
                raise ValueError(
                    f"position, board: {name} has more than {MOST_PIECES} pieces on the board"
                )
        # The player to move has connected nothing: the game ends with the move that connects.
        found = self._connection(position.cells_of(position.to_move))
        if found is not None:
            raise ValueError(
                f"position, board: {COLOUR_NAMES[position.to_move]} is to move, but has already"
                f" connected the sides {found}"
            )
        return position

    def write(self, position: Position) -> str:
        """Return `<rows> <w|b>`."""
        contents = {cell: str(stack) for cell, stack in position.stacks.items()}
        return f"{write_rows(contents, self.board, separator=',')} {position.to_move}"

    # ---- the rules

    def player(self, position: Position) -> int:
        """Return 0 for White, 1 for Black."""
        return PLAYERS[position.to_move]

    def moves(self, position: Position) -> list[str]:
        """Return every move of k of the m pieces of an own stack, m-k cells in a straight line."""
        found: list[str] = []
        for origin in position.cells_of(position.to_move):
            m = position.stacks[origin].pieces
            for direction in self.board.directions:
                # Taking k = m-1, m-2, ..., 1 pieces moves them 1, 2, ..., m-1 cells. What stands on
                # the way makes no difference: it is jumped.
                for target in self._rays[origin, direction][: m - 1]:
                    if self._may_land(position, target):
                        found.append(f"{origin}-{target}")
        return found

    def _may_land(self, position: Position, target: str) -> bool:
        """Return whether the cell is empty or holds a stack of the player to move."""
        stack = position.stacks.get(target)
        return stack is None or stack.owner == position.to_move

    def objection(self, position: Position, action: str) -> str | None:
        """Return why a move on the board is not in `moves`, None if it is."""
        origin, target = action.split("-")
        mover = COLOUR_NAMES[position.to_move]
        stack = position.stacks.get(origin)
        if stack is None:
            return f"{origin} is empty: {mover} has no stack there"
        if stack.owner != position.to_move:
            return f"the stack {stack} on {origin} is not {mover}'s, who is to move"
        distance = self._distance(origin, target)
        if stack.pieces == 1:
            return (
                f"the stack {stack} on {origin} cannot move to {target}: one piece has to stay"
                " behind, and there is only one"
            )
        if distance >= stack.pieces:
            return (
                f"the stack {stack} on {origin} cannot reach {target}: moving {distance} cells"
                f" leaves {distance} pieces behind, and of {stack.pieces} none would be left to"
                " move"
            )
        if not self._may_land(position, target):
            return (
                f"{stack.pieces - distance} of the stack {stack} on {origin} would land on"
                f" {target}, which holds the enemy stack {position.stacks[target]}"
            )
        return None

    def after(self, position: Position, action: str) -> Position:
        """Return the position after a move: as many pieces stay as cells are moved."""
        origin, target = action.split("-")
        mover = position.to_move
        staying = self._distance(origin, target)
        moving = position.stacks[origin].pieces - staying
        stacks = dict(position.stacks)
        already_there = stacks[target].pieces if target in stacks else 0
        stacks[origin] = Stack(mover, staying)
        stacks[target] = Stack(mover, already_there + moving)
        return Position(stacks, OPPONENTS[mover])

    def outcome(self, position: Position, moves: Sequence[str]) -> Outcome | None:
        """Return the win of the last mover by connection, or of whoever shut the other in."""
        winner = 1 - self.player(position)
        # A move adds cells of the mover only, so the player to move is never the one connected.
        if self._connection(position.cells_of(OPPONENTS[position.to_move])) is not None:
            return win_for(winner)
        if not moves:
            return win_for(winner)
        return None

    def _connection(self, cells: Iterable[str]) -> str | None:
        """Return the sides that a connected group of the cells wins by, None if there is none."""
        for group in groups(cells, self.board.neighbours):
            touched = {side for side, rim in self.board.sides.items() if rim & group}
            for wanted in self.board.opposite_sides + self.board.side_triples:
                if touched.issuperset(wanted):
                    return "-".join(wanted)
        return None
