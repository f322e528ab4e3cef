"""UNANE (docs/games/unane.md). Black is player 0 until the players exchange colours.

The board starts full. On a turn capture an adjacent enemy stone, or remove one of your stones
that has no adjacent enemy stone. You win when you have exactly one group.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .base import (
    Game,
    Outcome,
    bool_parameter,
    choice_field,
    grid_parameter,
    listing,
    read_letters,
    split_fields,
    win_for,
    write_rows,
)
from .boards import PLAIN_LETTERS, Grid, groups

BLACK, WHITE = "x", "o"
ENEMY = {BLACK: WHITE, WHITE: BLACK}


@dataclass(frozen=True)
class Position:
    """The stones by cell, the colour to move, whether `swap` is available, whether it was made."""

    stones: dict[str, str]
    to_move: str
    swap_available: bool
    swapped: bool


class Unane(Game[Position]):
    """UNANE on Grid(size), with or without the pie rule."""

    name = "unane"
    action_forms = "a1xa2, -c3 or swap"
    parameter_names = ("size", "pie")

    def __init__(self, size: object = "8x8", pie: object = True) -> None:
        """Set up the grid, which needs an even number of cells."""
        width, height = grid_parameter("size", size, 2, 16)
        if width * height % 2 == 1:
            raise ValueError(f"parameter 'size' must have an even side, not {width}x{height}")
        self.board = Grid(width, height, PLAIN_LETTERS)
        self.pie = bool_parameter("pie", pie)
        super().__init__({"size": f"{width}x{height}", "pie": self.pie})

    def num_distinct_actions(self) -> int:
        """Return 5A+1 for A cells."""
        return 5 * len(self.board.cells) + 1

    def max_game_length(self) -> int:
        """Return A-3 plies, plus one with a swap."""
        return len(self.board.cells) - 3 + (1 if self.pie else 0)

    def action_table(self) -> dict[int, str]:
        """Capture = 4*cell + direction; remove = 4A + cell; swap = 5A."""
        cells = self.board.cells
        table: dict[int, str] = {}
        for number, cell in enumerate(cells):
            for direction, name in enumerate(self.board.directions):
                target = self.board.step(cell, name)
                if target is not None:
                    table[4 * number + direction] = f"{cell}x{target}"
            table[4 * len(cells) + number] = f"-{cell}"
        table[5 * len(cells)] = "swap"
        return table

    def start(self) -> Position:
        """Return the full board, (column+row) even Black, so that a1 is Black; Black to move."""
        stones = {
            cell: BLACK if (column + row) % 2 == 0 else WHITE
            for cell, (row, column) in self.board.coordinates.items()
        }
        return Position(stones, BLACK, False, False)

    # ---- moving

    def enemies_beside(self, stones: dict[str, str], cell: str) -> list[str]:
        """Return the enemy stones orthogonally adjacent to the stone on `cell`."""
        enemy = ENEMY[stones[cell]]
        return [other for other in self.board.neighbours[cell] if stones.get(other) == enemy]

    def player(self, position: Position) -> int:
        """Player 0 has Black, or White after a swap."""
        return self.person(position.to_move, position.swapped)

    @staticmethod
    def person(colour: str, swapped: bool) -> int:
        """Return the person who has a colour."""
        return 0 if (colour == BLACK) != swapped else 1

    def moves(self, position: Position) -> list[str]:
        """Every stone of the mover captures an adjacent enemy or, having none, is removed."""
        found: list[str] = []
        for cell, stone in position.stones.items():
            if stone == position.to_move:
                enemies = self.enemies_beside(position.stones, cell)
                found += [f"{cell}x{other}" for other in enemies] or [f"-{cell}"]
        if position.swap_available:
            found.append("swap")
        return found

    def after(self, position: Position, action: str) -> Position:
        """After a swap White is still to move: the player who now has White moves."""
        if action == "swap":
            return Position(position.stones, WHITE, False, True)
        stones = dict(position.stones)
        if action.startswith("-"):
            del stones[action[1:]]
        else:
            source, target = self.ends(action)
            stones[target] = stones.pop(source)
        # The swap exists only right after Black's first move from a full board, if that move
        # did not end the game.
        from_full_board = len(position.stones) == len(self.board.cells)
        swap_available = (
            self.pie
            and position.to_move == BLACK
            and from_full_board
            and self.winner(stones, WHITE) is None
        )
        return Position(stones, ENEMY[position.to_move], swap_available, position.swapped)

    @staticmethod
    def ends(capture: str) -> tuple[str, str]:
        """Return the two cells of a capture such as `a1xa2`."""
        # No column is called x: the board has at most 16 columns, a to p.
        source, target = capture.split("x")
        return source, target

    def objection(self, position: Position, action: str) -> str | None:
        """Name what a capture, a removal or a swap lacks."""
        stones, mover = position.stones, position.to_move
        if action == "swap":
            if position.swap_available:
                return None
            if not self.pie:
                return "swap is not part of a game without the pie rule"
            return "swap is possible only right after Black's first move"
        source, target = (action[1:], None) if action.startswith("-") else self.ends(action)
        if source not in stones:
            return f"there is no stone on {source}"
        if stones[source] != mover:
            return f"the stone on {source} is not yours"
        enemies = self.enemies_beside(stones, source)
        if target is None:
            if enemies:
                return (
                    f"the stone on {source} may not be removed:"
                    f" it has the enemy beside it on {listing(enemies, self.board)}"
                )
            return None
        return None if target in enemies else f"there is no enemy stone on {target} to capture"

    # ---- the end

    def group_count(self, stones: dict[str, str], colour: str) -> int:
        """Return how many orthogonally connected groups a colour has."""
        own = {cell for cell, stone in stones.items() if stone == colour}
        return len(groups(own, self.board.neighbours))

    def winner(self, stones: dict[str, str], to_move: str) -> str | None:
        """Return the colour with exactly one group; if both have, the last mover's."""
        last_mover = ENEMY[to_move]
        for colour in (last_mover, to_move):
            if self.group_count(stones, colour) == 1:
                return colour
        return None

    def outcome(self, position: Position, moves: Sequence[str]) -> Outcome | None:
        """Exactly one group wins, on either player's move."""
        winner = self.winner(position.stones, position.to_move)
        return None if winner is None else win_for(self.person(winner, position.swapped))

    # ---- position strings

    def write(self, position: Position) -> str:
        """Write `<rows> <x|o to move> <p|-> <s|->`."""
        pie = "p" if position.swap_available else "-"
        swapped = "s" if position.swapped else "-"
        return f"{write_rows(position.stones, self.board)} {position.to_move} {pie} {swapped}"

    def read(self, text: str) -> Position:
        """Accept any pattern of stones but one with no winner and a colour absent."""
        rows, to_move, pie, swap = split_fields(text, ("board", "to move", "pie", "swapped"))
        stones = read_letters(rows, self.board, BLACK + WHITE)
        choice_field("to move", to_move, (BLACK, WHITE))
        swap_available = choice_field("pie", pie, ("p", "-")) == "p"
        swapped = choice_field("swapped", swap, ("s", "-")) == "s"
        winner = self.winner(stones, to_move)
        if winner is None and set(stones.values()) != {BLACK, WHITE}:
            raise ValueError("position, board: a colour is absent and the other has not one group")
        empty = len(self.board.cells) - len(stones)
        if swap_available:
            if not self.pie:
                raise ValueError("position, pie: p in a game without the pie rule")
            if to_move != WHITE:
                raise ValueError("position, pie: p, but only White may swap")
            if empty != 1:
                raise ValueError(f"position, pie: p needs one empty cell, not {empty}")
            if swapped:
                raise ValueError("position, pie: p, but the players have swapped already")
            if winner is not None:
                raise ValueError("position, pie: p, but the game is over")
        if swapped:
            if not self.pie:
                raise ValueError("position, swapped: s in a game without the pie rule")
            if empty == 0:
                raise ValueError("position, swapped: s on a full board")
        return Position(stones, to_move, swap_available, swapped)
