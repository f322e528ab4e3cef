"""FANO330-R-MORRIS (docs/games/fano330.md). Player 0 has silver, player 1 copper.

Eight pieces are placed on the seven points of the Fano plane, at most two high, then moved. You
can never win on your own turn: you lose if you make a line, or if you cannot move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .base import (
    Game,
    Outcome,
    choice_field,
    choice_parameter,
    int_parameter,
    repetition_parameter,
    split_fields,
    win_for,
)
from .boards import Fano

# A piece is one letter: silver coin S, silver ring s, copper coin C, copper ring c.
COIN = {0: "S", 1: "C"}
RING = {0: "s", 1: "c"}
PIECE_NAME = {"S": "silver coin", "s": "silver ring", "C": "copper coin", "c": "copper ring"}
OWNER = {"S": 0, "s": 0, "C": 1, "c": 1}
SHAPE = {"S": "coin", "s": "ring", "C": "coin", "c": "ring"}


@dataclass(frozen=True)
class Position:
    """The stack on each of the points 1 to 7, bottom to top ("" if empty), and who is to move."""

    stacks: dict[str, str]
    to_move: int


class Fano330(Game[Position]):
    """FANO330-R-MORRIS, with the adjacency as drawn or of the whole plane."""

    name = "fano330"
    action_forms = "c3, r3 or 3-4"
    parameter_names = ("adjacency", "repetition", "max_plies")

    def __init__(
        self, adjacency: object = "drawn", repetition: object = 3, max_plies: object = 1000
    ) -> None:
        """Set up the plane."""
        which = choice_parameter("adjacency", adjacency, ("drawn", "plane"))
        self.board = Fano(which)
        self._max_plies = int_parameter("max_plies", max_plies, 0)
        super().__init__(
            {
                "adjacency": which,
                "repetition": repetition_parameter("repetition", repetition),
                "max_plies": self._max_plies,
            }
        )

    def num_distinct_actions(self) -> int:
        """Return 63."""
        return 63

    def max_game_length(self) -> int:
        """Return `max_plies`; without it no bound is known."""
        return self._max_plies

    def action_table(self) -> dict[int, str]:
        """Coin = p-1, ring = 7+p-1, move = 14 + 7(p-1) + (q-1)."""
        table: dict[int, str] = {}
        for p in range(1, 8):
            table[p - 1] = f"c{p}"
            table[7 + p - 1] = f"r{p}"
            for q in range(1, 8):
                table[14 + 7 * (p - 1) + (q - 1)] = f"{p}-{q}"
        return table

    def start(self) -> Position:
        """Return the empty plane, silver to move."""
        return Position(dict.fromkeys(self.board.cells, ""), 0)

    # ---- placing and moving

    def in_hand(self, stacks: dict[str, str]) -> dict[str, int]:
        """Return how many pieces of each kind are still to be placed, of two each."""
        placed = "".join(stacks.values())
        return {piece: 2 - placed.count(piece) for piece in PIECE_NAME}

    def stacking_fault(self, piece: str, point: str, stacks: dict[str, str]) -> str | None:
        """Return why a piece may not be put on a point, None if it may."""
        stack = stacks[point]
        if len(stack) == 2:
            return f"{point} has two pieces already"
        if stack == piece:
            return f"a {PIECE_NAME[piece]} may not lie on the {PIECE_NAME[piece]} on {point}"
        return None

    def player(self, position: Position) -> int:
        """Return the player to move."""
        return position.to_move

    def moves(self, position: Position) -> list[str]:
        """Place a piece in hand; when all eight are placed, move one of your topmost pieces."""
        return [
            action for action in self._texts.values() if self.objection(position, action) is None
        ]

    def objection(self, position: Position, action: str) -> str | None:
        """Name the phase, the piece or the stacking rule that forbids an action."""
        stacks, mover = position.stacks, position.to_move
        in_hand = self.in_hand(stacks)
        if "-" in action:
            if any(in_hand.values()):
                return "pieces move only when all eight are placed"
            source, target = action.split("-")
            if not stacks[source]:
                return f"there is no piece on {source}"
            piece = stacks[source][-1]
            if OWNER[piece] != mover:
                return f"the topmost piece on {source} is not yours"
            if target not in self.board.neighbours[source]:
                return f"{target} is not adjacent to {source}"
            return self.stacking_fault(piece, target, stacks)
        piece = COIN[mover] if action[0] == "c" else RING[mover]
        if not in_hand[piece]:
            return f"you have no {PIECE_NAME[piece]} left to place"
        return self.stacking_fault(piece, action[1], stacks)

    def after(self, position: Position, action: str) -> Position:
        """Put the piece on top; a piece that moves uncovers the one below."""
        stacks, mover = dict(position.stacks), position.to_move
        if "-" in action:
            source, target = action.split("-")
            piece = stacks[source][-1]
            stacks[source] = stacks[source][:-1]
        else:
            target = action[1]
            piece = COIN[mover] if action[0] == "c" else RING[mover]
        stacks[target] += piece
        return Position(stacks, 1 - mover)

    # ---- the end

    def has_line(self, stacks: dict[str, str]) -> bool:
        """Return whether the three topmost pieces of a line share their colour or their shape."""
        for line in self.board.lines:
            if all(stacks[point] for point in line):
                topmost = [stacks[point][-1] for point in line]
                if len({OWNER[piece] for piece in topmost}) == 1:
                    return True
                if len({SHAPE[piece] for piece in topmost}) == 1:
                    return True
        return False

    def outcome(self, position: Position, moves: Sequence[str]) -> Outcome | None:
        """Give a line to the player not to move, who made it, as a loss; then a blocked player."""
        if self.has_line(position.stacks):
            return win_for(position.to_move)
        if not moves:
            return win_for(1 - position.to_move)
        return None

    # ---- position strings

    def write(self, position: Position) -> str:
        """Write the points 1 to 7, each bottom to top, and the player to move."""
        points = "/".join(position.stacks[point] or "." for point in self.board.cells)
        return f"{points} {position.to_move}"

    def read(self, text: str) -> Position:
        """Refuse stacks that the rules cannot make, and counts that contradict the player."""
        board, player = split_fields(text, ("board", "to move"))
        fields = board.split("/")
        if len(fields) != 7:
            raise ValueError(f"position, board: expected 7 points, not {len(fields)}")
        stacks = {
            point: "" if field == "." else self._read_stack(point, field)
            for point, field in zip(self.board.cells, fields, strict=True)
        }
        to_move = int(choice_field("to move", player, ("0", "1")))
        in_hand = self.in_hand(stacks)
        for piece, left in in_hand.items():
            if left < 0:
                raise ValueError(f"position, board: more than two of the {PIECE_NAME[piece]}")
        silver, copper = in_hand["S"] + in_hand["s"], in_hand["C"] + in_hand["c"]
        # Silver starts and they alternate: copper to move has one piece more in hand.
        if (silver or copper) and copper - silver != to_move:
            raise ValueError(
                f"position, to move: {to_move}, but silver has {silver} and copper {copper}"
                " pieces in hand"
            )
        return Position(stacks, to_move)

    @staticmethod
    def _read_stack(point: str, field: str) -> str:
        if not field or any(letter not in PIECE_NAME for letter in field):
            raise ValueError(f"position, board: {field!r} on {point} is none of . S s C c, or two")
        if len(field) > 2:
            raise ValueError(f"position, board: more than two pieces on {point}")
        if len(field) == 2 and field[0] == field[1]:
            raise ValueError(f"position, board: a {PIECE_NAME[field[0]]} on its like on {point}")
        return field
