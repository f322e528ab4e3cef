"""Boards drawn as plain text for a terminal: `draw(state)`, which is also `str(state)`.

A drawing is made from the position string, which shows everything there is on a board, so that it
serves states of the core and of `quincunx.reference` alike. It ends with two lines: what the
letters mean and which player has which colour, and how the game stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

__all__ = ["Drawable", "Standing", "draw", "option_text", "standing", "title_of"]

# The names as a person reads them.
_TITLES = {
    "fano330": "Fano330-R-Morris",
    "impedio": "Impedio",
    "meigo": "Meigo",
    "unane": "Ūnane",
    "unmergo": "Unmergo",
}

_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class _Game(Protocol):
    @property
    def name(self) -> str: ...


class Drawable(Protocol):
    """What `draw` needs of a state; states of the core and of the reference have it."""

    def get_game(self) -> _Game:
        """Return the game, whose name says how to draw."""

    def position(self) -> str:
        """Return the position string."""

    def is_terminal(self) -> bool:
        """Return whether the game is over."""

    def returns(self) -> Sequence[float]:
        """Return +1, -1 or 0 a player."""

    def legal_actions(self) -> Sequence[int]:
        """Return the legal actions."""

    def action_to_string(self, action: int, /) -> str:
        """Return the text of an action."""


def title_of(game: str) -> str:
    """Return the name of a game as a person reads it: "Ūnane" for "unane"."""
    return _TITLES.get(game, game)


def option_text(value: object) -> str:
    """Return the value of a parameter as the command line takes it: "true", "d4,f6", "9x9", "7"."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "x".join(map(str, value))
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value)


def draw(state: Drawable) -> str:
    """Return a drawing of the board, without colour codes and without a newline at the end."""
    board, legend, standing = _drawing(state)
    status = "; ".join([standing.status, *standing.notes])
    return "\n".join([*board, "", legend, f"{title_of(state.get_game().name)}: {status}."])


class Standing(NamedTuple):
    """How a game stands, in words without a full stop at the end."""

    colours: tuple[str, str]
    """The names of the colours of players 0 and 1."""
    status: str
    """Who is to do what, or who has won."""
    notes: tuple[str, ...] = ()
    """What else there is to know of a running game."""


def standing(state: Drawable) -> Standing:
    """Return how the game stands."""
    return _drawing(state)[2]


# The lines of the board, the legend, and how the game stands.
_Drawing = tuple[list[str], str, Standing]


def _drawing(state: Drawable) -> _Drawing:
    # A drawer takes a state and the fields of its position string, and need not look for the end.
    drawer = _DRAWERS[state.get_game().name]
    board, legend, standing = drawer(state, *state.position().split(" "))
    if state.is_terminal():
        standing = Standing(standing.colours, _result(state, standing.colours))
    return board, legend, standing


def _result(state: Drawable, colours: tuple[str, str]) -> str:
    """Return who has won and, where the state knows it, how."""
    returns = state.returns()
    if returns[0] == returns[1]:
        text = "the game is over, a draw"
    else:
        winner = 0 if returns[0] > returns[1] else 1
        text = f"the game is over, {colours[winner]} (player {winner}) has won"
    how = getattr(state, "ending", lambda: None)()
    return f"{text}: {how}" if how else text


# ---- boards


def _hexagon(rows: list[list[str]], width: int) -> list[str]:
    """Draw HexHex: the cells, `width` characters each, the letters of the rows at the left and the
    numbers of the diagonals at their lower right ends.
    """
    size = (len(rows) + 1) // 2
    # Each row is shifted by half a cell against the next: a cell has an even number of columns.
    pitch = width + 1 + (width + 1) % 2

    def indent(row: int) -> int:
        return 4 + pitch // 2 * abs(row - (size - 1))

    lines = []
    for row, cells in zip(range(2 * size - 2, -1, -1), rows, strict=True):
        # Well apart from the cells: on large boards there is a row o, which looks like a stone.
        line = " " * (indent(row) - 3) + f"{_ALPHABET[row]}  "
        line += "".join(cell.ljust(pitch) for cell in cells)
        if row < size - 1:
            line += str(size + row + 1).rjust((width + 1) // 2)
        lines.append(line.rstrip())
    # Diagonals 1 to n leave the board below row a, where a row of cells would continue them.
    numbers = "".join(str(n).rjust((width + 1) // 2).ljust(pitch) for n in range(1, size + 1))
    lines.append((" " * indent(-1) + numbers).rstrip())
    return lines


def _grid(rows: list[str], letters: str) -> list[str]:
    """Draw a rectangle: column letters below and row numbers at the left, on large boards also
    above and at the right.
    """
    height, width = len(rows), len(rows[0])
    large = max(height, width) > 9
    columns = f"   {' '.join(letters[:width])}"
    lines = [columns] if large else []
    for row, cells in zip(range(height, 0, -1), rows, strict=True):
        lines.append(f"{row:2} {' '.join(cells)}" + (f" {row:2}" if large else ""))
    return [*lines, columns]


# The Fano plane: three sides, three lines through the centre and, in dots, the circle. The digits
# mark the middle of what is written at each point.
_FANO = r"""
                          3
                        / | \
                      /   |   \
                    /     |     \
                  / ·  ·  |  ·  · \
                / ·       |       · \
              2           |           4
            /·    ` - .   |   . - '    ·\
          / ·             7             · \
        /    ·    . - '   |   ` - .    ·    \
      /     . -·'         |         `·- .     \
    / . - '       ·  ·    |    ·  ·       ` - . \
  5-----------------------1-----------------------6
""".strip("\n").split("\n")


def _fano(points: Sequence[str]) -> list[str]:
    """Draw the Fano plane with what lies on the points 1 to 7: "s/C" is s on top of C."""
    lines = []
    for line in _FANO:
        drawn = line.ljust(len(_FANO[-1]) + 2)
        for digit in re.finditer("[1-7]", line):
            pieces = points[int(digit[0]) - 1]
            label = f"{digit[0]}:{'/'.join(reversed(pieces))}".center(5)
            start = digit.start() - 2
            drawn = drawn[:start] + label + drawn[start + 5 :]
        lines.append(drawn.rstrip())
    return lines


# ---- the games


def _legend(symbols: Mapping[str, str], colours: tuple[str, str]) -> str:
    """Return the legend "o White (player 0), x Black (player 1)", in the order of the players."""
    return ", ".join(
        f"{symbols[colour]} {colour} (player {player})" for player, colour in enumerate(colours)
    )


def _draw_unmergo(state: Drawable, board: str, to_move: str, phase: str) -> _Drawing:
    mover, enemy = ("White", "Black") if to_move == "w" else ("Black", "White")
    if phase == "move":
        status = f"{mover} has placed and may now move one {enemy.lower()} stone, or end the turn"
    elif [state.action_to_string(action) for action in state.legal_actions()] == ["pass"]:
        status = f"{mover} has no placement and must pass"
    else:
        status = f"{mover} is to place a stone"
    colours = ("White", "Black")
    lines = _hexagon([list(row) for row in board.split("/")], width=1)
    return lines, _legend({"White": "o", "Black": "x"}, colours), Standing(colours, status)


def _draw_impedio(state: Drawable, board: str, to_move: str) -> _Drawing:
    rows = [row.split(",") for row in board.split("/")]
    # At least three characters a cell, so that the board keeps its size as stacks grow to ten.
    width = max(3, *(len(cell) for row in rows for cell in row))
    rows = [[" ." if cell == "." else cell for cell in row] for row in rows]
    colours = ("White", "Black")
    mover = "White" if to_move == "w" else "Black"
    legend = _legend({"White": "w", "Black": "b"}, colours) + "; the number is the height"
    return _hexagon(rows, width), legend, Standing(colours, f"{mover} is to move")


def _draw_unane(state: Drawable, board: str, to_move: str, pie: str, swapped: str) -> _Drawing:
    colours = ("White", "Black") if swapped == "s" else ("Black", "White")
    mover = "Black" if to_move == "x" else "White"
    status = f"{mover} is to move"
    if pie == "p":
        status += ", or to swap colours"
    notes = ("the players have swapped colours",) if swapped == "s" else ()
    legend = _legend({"Black": "x", "White": "o"}, colours)
    return _grid(board.split("/"), _ALPHABET), legend, Standing(colours, status, notes)


def _draw_fano330(state: Drawable, board: str, to_move: str) -> _Drawing:
    colours = ("silver", "copper")
    mover = colours[int(to_move)]
    in_hand = {piece: 2 - board.count(piece) for piece in "SsCc"}
    if any(in_hand.values()):
        silver, copper = ("".join(p * in_hand[p] for p in kinds) or "-" for kinds in ("Ss", "Cc"))
        standing = Standing(
            colours,
            f"{mover} is to place a piece",
            (f"in hand: silver {silver}, copper {copper}",),
        )
    else:
        standing = Standing(colours, f"{mover} is to move a piece")
    legend = (
        "S coin, s ring: silver (player 0); C coin, c ring: copper (player 1);"
        " s/C: s is on top of C"
    )
    return _fano(board.split("/")), legend, standing


def _draw_meigo(
    state: Drawable,
    board: str,
    to_move: str,
    black_in_prison: str,
    white_in_prison: str,
    last_stone: str,
    first_turns: str,
    auction: str = "-",
) -> _Drawing:
    mover = "Black" if to_move == "x" else "White"
    enemies_in_prison = white_in_prison if to_move == "x" else black_in_prison
    colours = ("White", "Black") if auction == "s" else ("Black", "White")
    legend = _legend({"Black": "x", "White": "o"}, colours)
    if auction == "k":
        status = "player 0 is to choose how many black stones start in the prison"
    elif auction == "c":
        status = "player 1 is to choose black or white"
    elif first_turns != "-":
        status = f"{mover} is to place an unmarked stone, the first turn"
    elif enemies_in_prison != "0":
        status = f"{mover} is to play or to hold"
    else:
        status = f"{mover} is to play"
    if auction in ("k", "c"):
        legend = "x Black, o White"
    last = {"m": "marked", "u": "unmarked", "-": "none"}[last_stone]
    notes = (f"prison: {black_in_prison} black, {white_in_prison} white", f"last stone: {last}")
    lines = _grid(board.split("/"), _ALPHABET.replace("i", ""))
    legend += "; capitals X, O are marked stones"
    return lines, legend, Standing(colours, status, notes)


_DRAWERS: Mapping[str, Callable[..., _Drawing]] = {
    "fano330": _draw_fano330,
    "impedio": _draw_impedio,
    "meigo": _draw_meigo,
    "unane": _draw_unane,
    "unmergo": _draw_unmergo,
}
