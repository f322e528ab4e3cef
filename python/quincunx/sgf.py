"""Games of Meigo as SGF, the format of Go software: `to_sgf(record)` and `from_sgf(text)`.

SGF FF[4] with GM[1], so that viewers and editors of Go show the moves. What Go has not, stands in
private properties whose names begin with QX; `docs/records.md` lists them. Marks are not written:
they follow from the rules. Of a tree with variations the main line is read.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from typing import NoReturn

from quincunx import _core
from quincunx.records import Record, result_of
from quincunx.text import option_text

__all__ = ["SGFError", "from_sgf", "to_sgf"]

# What a node can hold of a game in progress, apart from moves.
_SETUP = ("AB", "AW", "AE", "PL")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of SGF points
_COLUMNS = "abcdefghjklmnopqrst"  # of our own: no i
# Parameters of Meigo that have properties of their own.
_SAID_ELSEWHERE = ("size", "handicap")
_REASON_LETTERS = {"resignation": "R", "time": "T"}


class SGFError(ValueError):
    """A text that is not the SGF of a game of Meigo. `line` and `column` count from 1."""

    def __init__(self, line: int, column: int, reason: str) -> None:
        """Make the error of a place."""
        super().__init__(f"line {line}, column {column}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason


# ---- writing


def to_sgf(record: Record, show_marks: bool = False) -> str:
    """Return a record of Meigo as SGF.

    `show_marks` adds a triangle on every marked stone, for viewers; reading passes over them.
    Raises ValueError for a record of another game.
    """
    if record.game.name != "meigo":
        raise ValueError(f"only games of Meigo are written as SGF, not {record.game.name}")
    states = record.states()
    state = next(states)
    nodes = [_root(record, state, show_marks)]
    for number, (turn, after) in enumerate(zip(record.turns, states, strict=True), start=1):
        node = _move(turn, state, after)
        if show_marks:
            node += _marks(after)
        node += _property("C", record.comments.get(number))
        nodes.append(node)
        state = after
    return "(" + "\n".join(f";{node}" for node in nodes) + ")\n"


def _root(record: Record, state: _core.State, show_marks: bool) -> str:
    parameters = record.game.parameters
    width, height = _size(record.game)
    board = _Board.of(state)
    size = str(width) if width == height else f"{width}:{height}"
    text = f"FF[4]GM[1]CA[UTF-8]AP[quincunx]RU[Meigo]SZ[{size}]"
    handicap = parameters["handicap"]
    assert isinstance(handicap, list)
    if record.start is None and len(handicap) > 1:
        text += f"HA[{len(handicap)}]"
    for name, stones in (("AB", "xX"), ("AW", "oO")):
        points = [point for point, stone in board.stones.items() if stone in stones]
        if name == "AB" and record.start is None:
            # In the order of the parameter, of which it is the value.
            points = [_to_sgf_point(vertex, height) for vertex in handicap]
        text += _points(name, points)
    if board.stones:
        text += f"PL[{board.mover}]"
    if show_marks:
        text += _marks(state)
    black = _person_with_black(record.final_state())
    for name, player in (("PB", black), ("PW", 1 - black)):
        text += _property(name, record.players[player])
    text += _property("DT", record.date.isoformat() if record.date else None)
    text += _property("EV", record.event)
    text += _property("RO", str(record.round) if record.round else None)
    text += _property("RE", _result_text(record, black))
    text += _property("QXREASON", record.reason)
    pairs = [
        f"[{_escape(name)}:{_escape(option_text(value), compose=True)}]"
        for name, value in parameters.items()
        if name not in _SAID_ELSEWHERE or (name == "handicap" and value and record.start)
    ]
    text += f"QXPARAM{''.join(pairs)}"
    text += _property("QXSTART", record.start)
    return text + _property("C", record.comments.get(0))


def _move(turn: str, before: _core.State, after: _core.State) -> str:
    colour = _Board.of(before).mover
    if turn == "hold":
        # To Go software it is a pass.
        text = f"{colour}[]QXHOLD[]"
    elif re.fullmatch("[a-z][0-9]+", turn):
        text = f"{colour}[{_to_sgf_point(turn, _size(before.get_game())[1])}]"
    else:
        text = _property("QXAUCTION", turn)
    prison = _Board.of(after).prison
    if prison != _Board.of(before).prison:
        text += f"QXPRISON[{prison[0]}:{prison[1]}]"
    return text


def _marks(state: _core.State) -> str:
    stones = _Board.of(state).stones.items()
    return _points("TR", [point for point, stone in stones if stone in "XO"])


def _points(name: str, points: list[str]) -> str:
    return name + "".join(f"[{point}]" for point in points) if points else ""


def _property(name: str, value: str | None) -> str:
    return "" if not value else f"{name}[{_escape(value)}]"


def _escape(text: str, compose: bool = False) -> str:
    """Escape a value as the standard says; a colon only matters within a composed one."""
    return re.sub(r"[\\\]:]" if compose else r"[\\\]]", r"\\\g<0>", text)


def _result_text(record: Record, black: int) -> str:
    if record.result == "*":
        return "?"
    if record.result == "1/2-1/2":
        return "Draw"
    winner = 0 if record.result == "1-0" else 1
    letter = _REASON_LETTERS.get(record.reason or "", "")
    return f"{'B' if winner == black else 'W'}+{letter}"


# ---- what the two directions share


@dataclass(frozen=True)
class _Board:
    """What a position string of Meigo says, with the points of SGF."""

    stones: dict[str, str]
    """The stones by point: `x`, `o`, in capitals if they are marked."""
    mover: str
    """`B` or `W`."""
    prison: tuple[int, int]
    """How many black and white stones there are in the prison."""

    @classmethod
    def of(cls, state: _core.State) -> _Board:
        rows, mover, black, white, *_ = state.position().split(" ")
        stones = {
            _LETTERS[x] + _LETTERS[y]: cell
            for y, row in enumerate(rows.split("/"))
            for x, cell in enumerate(row)
            if cell != "."
        }
        return cls(stones, "B" if mover == "x" else "W", (int(black), int(white)))


def _size(game: _core.Game) -> tuple[int, int]:
    width, _, height = str(game.parameters["size"]).partition("x")
    return int(width), int(height)


def _person_with_black(state: _core.State) -> int:
    # The seventh field, with the auction alone: who has which colour.
    return 1 if state.position().split(" ")[6:] == ["s"] else 0


def _to_sgf_point(vertex: str, height: int) -> str:
    return _LETTERS[_COLUMNS.index(vertex[0])] + _LETTERS[height - int(vertex[1:])]


def _from_sgf_point(point: str, height: int) -> str:
    return f"{_COLUMNS[_LETTERS.index(point[0])]}{height - _LETTERS.index(point[1])}"


# ---- reading


@dataclass(frozen=True)
class _Value:
    """A value of a property, still escaped, with the place in the text where it begins."""

    raw: str
    at: int

    def text(self) -> str:
        """Return it as the standard says for SimpleText: no line breaks."""
        # An escaped line break is no more than a way to write long lines.
        text = re.sub(r"\\(?:\r\n|\n\r|\r|\n)", "", self.raw)
        text = re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
        return " ".join(text.split())

    def pair(self) -> tuple[str, str] | None:
        """Return the two parts of a composed value, or None if it is not one."""
        found = re.fullmatch(r"((?:[^\\:]|\\.)*):((?:[^\\]|\\.)*)", self.raw, re.DOTALL)
        if found is None:
            return None
        return _Value(found[1], self.at).text(), _Value(found[2], self.at).text()


@dataclass
class _Node:
    """A node: its properties, and where it begins."""

    at: int
    properties: dict[str, list[_Value]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)

    def place_of(self, *names: str) -> int:
        """Return where the first of some properties stands, or else the node."""
        return next((self.places[name] for name in names if name in self.places), self.at)


def from_sgf(text: str) -> Record:
    """Read the SGF of one game of Meigo, its main line.

    Raises SGFError, a ValueError, naming line and column.
    """
    return _Reader(text).record()


_WORD = re.compile("[A-Z]+")
_SPACE = re.compile(r"[\s\ufeff]*")
_BRACKET = re.compile(r"\[((?:[^\\\]]|\\.)*)\]", re.DOTALL)


class _Reader:
    """Reads one game from the text of an SGF file."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        """Raise the error of a place in the text, by default where reading has come to."""
        at = self._at if at is None else at
        line = self._text.count("\n", 0, at) + 1
        raise SGFError(line, at - self._text.rfind("\n", 0, at), reason)

    def record(self) -> Record:
        """Read the text as one game."""
        nodes = self._main_line()
        root = nodes[0]
        game, start = self._game(root)
        state = game.new_initial_state(start)
        self._check_setup(root, state)
        comments: dict[int, str] = {}
        for node in nodes:
            if node is not root:
                for name in _SETUP:
                    if name in node.properties:
                        self.fail(f"{name} changes the board in mid-game", node.places[name])
            self._play(state, node)
            comment = self._one(node, "C")
            if comment:
                number = state.move_number()
                earlier = [comments[number]] if number in comments else []
                comments[number] = " ".join([*earlier, comment])
        black = _person_with_black(state)
        names = (self._one(root, "PB") or "?", self._one(root, "PW") or "?")
        result, reason = self._result(root, state, black)
        try:
            return Record.of(
                state,
                players=names if black == 0 else (names[1], names[0]),
                result=result,
                reason=reason,
                event=self._one(root, "EV") or None,
                round=self._round(root),
                date=self._date(root),
                comments=comments,
            )
        except ValueError as error:
            self.fail(str(error), root.place_of("QXREASON", "RE"))

    # -- the tree

    def _skip_space(self) -> str:
        """Skip space; return the next character, "" at the end."""
        found = _SPACE.match(self._text, self._at)
        assert found is not None
        self._at = found.end()
        return self._text[self._at : self._at + 1]

    def _main_line(self) -> list[_Node]:
        """Read the whole tree; return the nodes of its main line."""
        if self._skip_space() != "(":
            self.fail("a game in SGF begins with '('")
        nodes: list[_Node] = []
        depth = 0
        main = True  # until the first tree closes
        last = ""
        while depth or not last:
            character = self._skip_space()
            if not character:
                self.fail("the text ends before the last ')'")
            if character not in "(;)":
                self.fail(f"{character!r} stands where '(', ')' or ';' is due")
            if last == "(" and character != ";":
                self.fail("a tree has at least one node, which begins with ';'")
            if last == ")" and character == ";":
                self.fail("after a variation comes ')' or another one")
            if character == ";":
                node = self._node()
                if main:
                    nodes.append(node)
            else:
                self._at += 1
                depth += 1 if character == "(" else -1
                main = main and character == "("
            last = character
        extra = self._skip_space()
        if extra:
            self.fail("there is more than one game here" if extra == "(" else "text after the game")
        return nodes

    def _node(self) -> _Node:
        """Read a node, from its ';' on."""
        node = _Node(self._at)
        self._at += 1
        while self._skip_space() not in ("", ";", "(", ")"):
            begin = self._at
            word = _WORD.match(self._text, begin)
            if word is None:
                self.fail("the name of a property is of capital letters")
            name = word[0]
            if name in node.properties:
                self.fail(f"{name} stands twice in this node")
            self._at = word.end()
            values = []
            while self._skip_space() == "[":
                value = _BRACKET.match(self._text, self._at)
                if value is None:
                    self.fail(f"the value of {name} has no closing ']'")
                values.append(_Value(value[1], self._at))
                self._at = value.end()
            if not values:
                self.fail(f"{name} has no value in brackets")
            node.properties[name] = values
            node.places[name] = begin
        return node

    # -- properties

    def _one(self, node: _Node, name: str) -> str | None:
        """Return the only value of a property, as text; None if the node has not got it."""
        values = node.properties.get(name)
        if values is None:
            return None
        if len(values) > 1:
            self.fail(f"{name} has more than one value", node.places[name])
        text = values[0].text()
        for character in text:
            if not character.isprintable() and character.isascii():
                self.fail(f"{name} has the character U+{ord(character):04X} in it", values[0].at)
        return text

    def _game(self, root: _Node) -> tuple[_core.Game, str | None]:
        """Return the game and the position that it starts from, None for the usual one."""
        for name, wanted in (("FF", "4"), ("GM", "1")):
            given = self._one(root, name)
            if given is None:
                self.fail(f"{name}[{wanted}] is missing", root.at)
            if given != wanted:
                self.fail(f"{name}[{given}] is not read, only {name}[{wanted}]", root.places[name])
        parameters: dict[str, object] = {"size": self._board_size(root)}
        for value in root.properties.get("QXPARAM", []):
            pair = value.pair()
            if pair is None:
                self.fail("QXPARAM takes name:value", value.at)
            name, text = pair
            if name in parameters:
                self.fail(f"the parameter {name} is given twice", value.at)
            parameters[name] = text
        start = self._one(root, "QXSTART")
        if start is None and "AW" not in root.properties and "AB" in root.properties:
            if "handicap" in parameters:
                self.fail(
                    "the stones of AB are the handicap: QXPARAM must not name it too",
                    root.places["AB"],
                )
            height = int(str(parameters["size"]).partition("x")[2])
            points = self._point_list(root, "AB", str(parameters["size"]))
            parameters["handicap"] = [_from_sgf_point(point, height) for point in points]
        try:
            game = _core._load_game("meigo", parameters)
            state = game.new_initial_state(start)
        except ValueError as error:
            self.fail(str(error), root.place_of("QXSTART", "QXPARAM", "AB", "SZ"))
        usual = state.position() == game.new_initial_state().position()
        return game, None if usual else state.position()

    def _board_size(self, root: _Node) -> str:
        text = self._one(root, "SZ")
        if text is None:
            return "19x19"  # as the standard says
        found = re.fullmatch("([0-9]{1,2})(?::([0-9]{1,2}))?", text)
        if found is None or found[1] == found[2]:
            self.fail(
                f"SZ[{text}] is neither a number nor, on an oblong board, width:height",
                root.places["SZ"],
            )
        sizes = [int(found[1]), int(found[2] or found[1])]
        if not all(2 <= size <= 19 for size in sizes):
            self.fail("Meigo has boards of 2 to 19 each way", root.places["SZ"])
        return "x".join(map(str, sizes))

    def _point_list(self, node: _Node, name: str, size: str) -> list[str]:
        """Return the points of a list; `ab:cd` in it is a rectangle."""
        points: list[str] = []
        for value in node.properties.get(name, []):
            first, _, last = value.text().partition(":")
            corners = [self._point(text, value, size) for text in (first, last or first)]
            (x0, y0), (x1, y1) = ((_LETTERS.index(c[0]), _LETTERS.index(c[1])) for c in corners)
            if x1 < x0 or y1 < y0:
                self.fail(
                    "a rectangle is given by its upper left and lower right corners", value.at
                )
            points += [
                _LETTERS[x] + _LETTERS[y] for y in range(y0, y1 + 1) for x in range(x0, x1 + 1)
            ]
        if len(set(points)) < len(points):
            self.fail(f"{name} names a point twice", node.places[name])
        return points

    def _point(self, text: str, value: _Value, size: str) -> str:
        width, height = map(int, size.split("x"))
        if (
            not re.fullmatch("[a-z]{2}", text)
            or _LETTERS.index(text[0]) >= width
            or _LETTERS.index(text[1]) >= height
        ):
            self.fail(f"[{text}] is not a point of the board {size}", value.at)
        return text

    def _check_setup(self, root: _Node, state: _core.State) -> None:
        """Compare the stones and the mover that viewers see with the position."""
        board = _Board.of(state)
        size = str(state.get_game().parameters["size"])
        if "AE" in root.properties:
            self.fail("AE clears points, but the board begins empty", root.places["AE"])
        for name, colour in (("AB", "xX"), ("AW", "oO")):
            stones = {point for point, stone in board.stones.items() if stone in colour}
            if name in root.properties and set(self._point_list(root, name, size)) != stones:
                self.fail(
                    f"{name} and the position that the game starts from differ: a start with stones"
                    " of White needs QXSTART",
                    root.places[name],
                )
        mover = self._one(root, "PL")
        if mover is not None and mover != board.mover:
            self.fail(f"PL[{mover}]: it is {board.mover} who is to move", root.places["PL"])
        handicap = self._one(root, "HA")
        if handicap is not None and handicap not in ("0", str(len(board.stones))):
            self.fail(f"HA[{handicap}], but AB has {len(board.stones)} stones", root.places["HA"])

    def _play(self, state: _core.State, node: _Node) -> None:
        """Play the move of a node, if it has one."""
        moves = [name for name in ("B", "W", "QXAUCTION") if name in node.properties]
        if len(moves) > 1:
            self.fail(f"{moves[0]} and {moves[1]} stand in one node", node.places[moves[1]])
        if moves:
            name = moves[0]
            at = node.places[name]
            text = self._one(node, name) or ""
            if name != "QXAUCTION":
                text = self._turn(state, node, name, text)
            try:
                state.apply_action(state.string_to_action(text))
            except ValueError as error:
                self.fail(
                    f"move {state.move_number() + 1} ({text}): {getattr(error, 'reason', error)}",
                    at,
                )
        if "QXHOLD" in node.properties and (not moves or text != "hold"):
            self.fail("QXHOLD goes with B[] or W[]", node.places["QXHOLD"])
        if "QXPRISON" in node.properties:
            black, white = _Board.of(state).prison
            given = self._one(node, "QXPRISON")
            if given != f"{black}:{white}":
                self.fail(
                    f"QXPRISON[{given}]: in the prison there are {black} black and {white} white"
                    f" stones, {black}:{white}",
                    node.places["QXPRISON"],
                )

    def _turn(self, state: _core.State, node: _Node, colour: str, point: str) -> str:
        """Return our text of a move `B[..]` or `W[..]`."""
        at = node.places[colour]
        if state.is_terminal():
            self.fail(f"{colour}[{point}], but the game is over", at)
        if state.position().split(" ")[6:] in (["k"], ["c"]):
            self.fail(f"{colour}[{point}] during the auction, whose moves are QXAUCTION", at)
        mover = _Board.of(state).mover
        if colour != mover:
            self.fail(f"{colour}[{point}], but it is {mover} who is to move", at)
        size = str(state.get_game().parameters["size"])
        # [tt] is a pass in the old versions of SGF, and a point on no board of Meigo.
        if point in ("", "tt"):
            return "hold"
        height = _size(state.get_game())[1]
        return _from_sgf_point(self._point(point, node.properties[colour][0], size), height)

    def _result(self, root: _Node, state: _core.State, black: int) -> tuple[str, str | None]:
        """Return result and reason."""
        text = self._one(root, "RE")
        reason = self._one(root, "QXREASON") or None
        if text is None:
            return result_of(state), reason
        if text in ("?", "Void", ""):
            return result_of(state), reason
        if text in ("0", "Draw"):
            return "1/2-1/2", reason or (None if state.is_terminal() else "agreement")
        found = re.fullmatch(r"([BW])\+(R|Resign|T|Time|F|Forfeit)?", text)
        if found is None:
            self.fail(
                f"RE[{text}] is none of B+, B+R, B+T, B+F, the same with W, Draw, ?",
                root.places["RE"],
            )
        winner = black if found[1] == "B" else 1 - black
        if reason is None and not state.is_terminal():
            by_letter = {"R": "resignation", "T": "time"}
            reason = by_letter.get((found[2] or "")[:1], "adjudication")
        return ("1-0", "0-1")[winner], reason

    def _round(self, root: _Node) -> int | None:
        text = self._one(root, "RO")
        # Go has rounds such as "5 (final)"; ours is a number.
        found = re.fullmatch("[1-9][0-9]{0,8}", text or "")
        return int(found[0]) if found else None

    def _date(self, root: _Node) -> datetime.date | None:
        text = self._one(root, "DT")
        if text is None or not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*", text):
            return None
        try:
            return datetime.date.fromisoformat(text[:10])
        except ValueError:
            return None
