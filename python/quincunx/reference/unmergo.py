"""UNMERGO (docs/games/unmergo.md). White is player 0.

On a turn: place a stone of your colour, never joining two of your own groups; then you may move
one enemy stone to an adjacent empty cell. More groups wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .base import (
    DRAW,
    Game,
    Outcome,
    choice_field,
    int_parameter,
    listing,
    read_letters,
    split_fields,
    win_for,
    write_rows,
)
from .boards import HexHex, groups

WHITE, BLACK = "o", "x"
COLOUR_OF_FIELD = {"w": WHITE, "b": BLACK}
FIELD_OF_COLOUR = {WHITE: "w", BLACK: "b"}
PLAYER_OF = {WHITE: 0, BLACK: 1}
ENEMY = {WHITE: BLACK, BLACK: WHITE}


@dataclass(frozen=True)
class Position:
    """The stones by cell, the colour to act, and the phase of the turn, "place" or "move"."""

    stones: dict[str, str]
    to_move: str
    phase: str


class Unmergo(Game[Position]):
    """UNMERGO on HexHex(size)."""

    name = "unmergo"
    action_forms = "e5, d4-e4, end or pass"
    parameter_names = ("size",)

    def __init__(self, size: object = 5) -> None:
        """Set up HexHex(size)."""
        cells_a_side = int_parameter("size", size, 2, 8)
        self.board = HexHex(cells_a_side)
        super().__init__({"size": cells_a_side})

    def num_distinct_actions(self) -> int:
        """Return 7C+2 for C cells."""
        return 7 * len(self.board.cells) + 2

    def max_game_length(self) -> int:
        """Return 3C: at most C stones are placed, each with at most a pass before it and a stone
        move after it, and the game does not end with a pass.
        """
        return 3 * len(self.board.cells)

    def action_table(self) -> dict[int, str]:
        """Place = cell; move = C + 6*cell + direction; end = 7C; pass = 7C+1."""
        cells = self.board.cells
        table = dict(enumerate(cells))
        for number, cell in enumerate(cells):
            for direction, name in enumerate(self.board.directions):
                target = self.board.step(cell, name)
                if target is not None:
                    table[len(cells) + 6 * number + direction] = f"{cell}-{target}"
        table[7 * len(cells)] = "end"
        table[7 * len(cells) + 1] = "pass"
        return table

    def start(self) -> Position:
        """Return the empty board, White to place."""
        return Position({}, WHITE, "place")

    # ---- groups

    def groups_of(self, stones: dict[str, str], colour: str) -> list[set[str]]:
        """Return the groups of one colour."""
        own = {cell for cell, stone in stones.items() if stone == colour}
        return groups(own, self.board.neighbours)

    def joined_by(self, cell: str, own_groups: list[set[str]]) -> list[set[str]]:
        """Return the groups that a stone on `cell` would touch."""
        around = set(self.board.neighbours[cell])
        return [group for group in own_groups if group & around]

    # ---- the two steps of a turn

    def placements(self, stones: dict[str, str], colour: str) -> list[str]:
        """Return the empty cells next to at most one group of the colour."""
        own_groups = self.groups_of(stones, colour)
        return [
            cell
            for cell in self.board.cells
            if cell not in stones and len(self.joined_by(cell, own_groups)) <= 1
        ]

    def stone_moves(self, stones: dict[str, str], colour: str) -> list[str]:
        """Return the moves of one enemy stone of `colour` to an adjacent empty cell."""
        return [
            f"{cell}-{target}"
            for cell, stone in stones.items()
            if stone == ENEMY[colour]
            for target in self.board.neighbours[cell]
            if target not in stones
        ]

    def player(self, position: Position) -> int:
        """White is player 0."""
        return PLAYER_OF[position.to_move]

    def mid_turn(self, position: Position) -> bool:
        """Return whether the stone move is what remains of the turn."""
        return position.phase == "move"

    def moves(self, position: Position) -> list[str]:
        """Placements, or a pass if there is none; after a placement stone moves, or the end."""
        if position.phase == "move":
            return [*self.stone_moves(position.stones, position.to_move), "end"]
        return self.placements(position.stones, position.to_move) or ["pass"]

    def after(self, position: Position, action: str) -> Position:
        """Step 2 exists only if some enemy stone can move; otherwise the turn ends by itself."""
        mover, stones = position.to_move, dict(position.stones)
        if action in self.board.index:
            stones[action] = mover
            if self.stone_moves(stones, mover):
                return Position(stones, mover, "move")
        elif "-" in action:
            source, target = action.split("-")
            stones[target] = stones.pop(source)
        return Position(stones, ENEMY[mover], "place")

    def objection(self, position: Position, action: str) -> str | None:
        """Name what a placement, a stone move, an end or a pass lacks."""
        if position.phase == "move":
            return self._objection_to_second_step(position, action)
        stones, mover = position.stones, position.to_move
        if "-" in action or action == "end":
            return f"{action} comes only after a placement: first place a stone"
        if action == "pass":
            possible = self.placements(stones, mover)
            return (
                f"you may pass only without a placement: {possible[0]} is one" if possible else None
            )
        if action in stones:
            return f"{action} is not empty"
        joined = self.joined_by(action, self.groups_of(stones, mover))
        if len(joined) <= 1:
            return None
        # One stone of each group, next to the cell, stands for the group.
        around = self.board.neighbours[action]
        examples = [next(cell for cell in around if cell in group) for group in joined]
        return f"{action} would join the groups of {listing(examples, self.board)}"

    def _objection_to_second_step(self, position: Position, action: str) -> str | None:
        if action == "end":
            return None
        if "-" not in action:
            return f"{action} is not possible now: move an enemy stone, or end the turn"
        source, target = action.split("-")
        if source not in position.stones:
            return f"there is no stone on {source}"
        if position.stones[source] == position.to_move:
            return f"the stone on {source} is your own: only an enemy stone may be moved"
        if target in position.stones:
            return f"{target} is not empty"
        return None

    # ---- the end

    def outcome(self, position: Position, moves: Sequence[str]) -> Outcome | None:
        """After a completed turn: over when neither colour has a legal placement."""
        if position.phase == "move":
            return None
        if moves != ["pass"] or self.placements(position.stones, ENEMY[position.to_move]):
            return None
        sizes = {
            colour: sorted(map(len, self.groups_of(position.stones, colour)), reverse=True)
            for colour in (WHITE, BLACK)
        }
        white, black = sizes[WHITE], sizes[BLACK]
        if len(white) != len(black):
            return win_for(PLAYER_OF[WHITE if len(white) > len(black) else BLACK])
        for white_size, black_size in zip(white, black, strict=True):
            if white_size != black_size:
                return win_for(PLAYER_OF[WHITE if white_size < black_size else BLACK])
        return DRAW

    # ---- position strings

    def write(self, position: Position) -> str:
        """Write `<rows> <w|b to move> <place|move>`."""
        rows = write_rows(position.stones, self.board)
        return f"{rows} {FIELD_OF_COLOUR[position.to_move]} {position.phase}"

    def read(self, text: str) -> Position:
        """Refuse `move` if no enemy stone can move or the mover has no stone on the board."""
        rows, to_move, phase = split_fields(text, ("board", "to move", "phase"))
        stones = read_letters(rows, self.board, WHITE + BLACK)
        mover = COLOUR_OF_FIELD[choice_field("to move", to_move, ("w", "b"))]
        choice_field("phase", phase, ("place", "move"))
        if phase == "move" and mover not in stones.values():
            raise ValueError("position, phase: move, but the player to move has no stone placed")
        if phase == "move" and not self.stone_moves(stones, mover):
            raise ValueError("position, phase: move, but no enemy stone is able to move")
        return Position(stones, mover, phase)
