"""Records of games as text: `read(text)` and `write(records)`.

One format for all five games, described in `docs/records.md`: a line with the version, headers, an
empty line, the turns by number, the result. Reading is strict. Every game is replayed on the core,
so that a `Record` is always a game that can be played, with the result that it says.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from quincunx import _core
from quincunx.text import option_text
from quincunx.turns import in_turn, start_of, turns_of

__all__ = [
    "FIRST_LINE",
    "RESULTS",
    "Record",
    "RecordError",
    "load",
    "read",
    "read_one",
    "save",
    "write",
]

FIRST_LINE = "quincunx record 1"
"""The line that every record begins with; the number is that of the format."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""Player 0 has won, player 1 has won, a draw, not finished."""

_WON = ("resignation", "time", "adjudication")
_DRAWN = ("agreement", "adjudication")
# Why a game has a result that the board does not show.
_REASONS = {"1-0": _WON, "0-1": _WON, "1/2-1/2": _DRAWN, "*": ()}
# Marks a last turn that is not finished.
_UNFINISHED = "..."


class RecordError(ValueError):
    """A record that cannot be read. `line` counts from 1; `reason` is the message without it."""

    def __init__(self, line: int, reason: str, source: str = "") -> None:
        """Make the error of a line, of a file `source` if it is given."""
        super().__init__(f"{source}: line {line}: {reason}" if source else f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def result_of(state: _core.State) -> str:
    """Return the result that a state shows: `*` while the game is running."""
    if not state.is_terminal():
        return "*"
    mine, theirs = state.returns()
    return "1/2-1/2" if mine == theirs else "1-0" if mine > theirs else "0-1"


@dataclass(frozen=True)
class Record:
    """A game of one of the five. Making one replays it and raises ValueError if it cannot be so."""

    game: _core.Game
    turns: tuple[str, ...] = ()
    """The turns in the notation of the game. In Unmergo a last turn that ends in ` ...` is one
    whose stone move is still to come.
    """
    result: str = "*"
    """One of `RESULTS`: what the last position shows, or else a result that `reason` explains."""
    reason: str | None = None
    """`resignation`, `time` or `adjudication`; for a draw `agreement` or `adjudication`."""
    players: tuple[str, str] = ("?", "?")
    """Who began and who did not: persons, whatever colours they swap later."""
    start: str | None = None
    """The position that the game began with; None if it is that of the rules."""
    event: str | None = None
    round: int | None = None
    date: datetime.date | None = None
    comments: Mapping[int, str] = field(default_factory=dict, hash=False)
    """Comments by the number of the turn that they follow; 0: before the first."""

    def __post_init__(self) -> None:
        """Replay the game and check every field."""
        # A private copy: what was checked stays so.
        object.__setattr__(self, "comments", dict(sorted(self.comments.items())))
        for name, text in (
            ("player 0", self.players[0]),
            ("player 1", self.players[1]),
            ("event", self.event),
        ):
            if text is not None:
                _check_line(name, text)
        if self.round is not None and not 1 <= self.round <= 999_999_999:
            raise ValueError("round must be from 1 to 999999999")
        for number, text in self.comments.items():
            if not 0 <= number <= len(self.turns):
                raise ValueError(f"a comment follows turn {number}, which there is not")
            _check_line("a comment", text)
            if " ".join(text.split()) != text:
                raise ValueError("a comment has single spaces only")
        state = self.initial_state()
        if self.start is not None:
            if state.position() != self.start:
                raise ValueError(f"start is written {state.position()!r}")
            if self.start == self.game.new_initial_state().position():
                raise ValueError("start is left out if it is that of the rules")
        for number, turn in enumerate(self.turns, start=1):
            _play_turn(state, number, turn)
        written = tuple(text for text, _ in turns_of(self.initial_state(), state.history()))
        for ours, given in zip(written, self.turns, strict=True):
            if ours != given:
                raise ValueError(f"the turn {given!r} is written {ours!r}")
        _check_result(state, self.result, self.reason)

    @classmethod
    def of(
        cls,
        state: _core.State,
        players: tuple[str, str] = ("?", "?"),
        *,
        result: str | None = None,
        reason: str | None = None,
        event: str | None = None,
        round: int | None = None,
        date: datetime.date | None = None,
        comments: Mapping[int, str] | None = None,
    ) -> Record:
        """Return the record of the plies that led to a state; `result` is by default its own."""
        start = start_of(state)
        position = start.position()
        usual = position == state.get_game().new_initial_state().position()
        return cls(
            game=state.get_game(),
            turns=tuple(text for text, _ in turns_of(start, state.history())),
            result=result_of(state) if result is None else result,
            reason=reason,
            players=players,
            start=None if usual else position,
            event=event,
            round=round,
            date=date,
            comments=comments or {},
        )

    def initial_state(self) -> _core.State:
        """Return the state before the first turn."""
        return self.game.new_initial_state(self.start)

    def states(self) -> Iterator[_core.State]:
        """Yield the state before the first turn and after each, every one with its own history."""
        state = self.initial_state()
        yield state.clone()
        for number, turn in enumerate(self.turns, start=1):
            _play_turn(state, number, turn)
            yield state.clone()

    def final_state(self) -> _core.State:
        """Return the state after the last turn."""
        *_, last = self.states()
        return last

    def __str__(self) -> str:
        """Return the text of the record."""
        return "\n".join([*_header_lines(self), "", *_turn_lines(self), self.result, ""])


def write(records: Iterable[Record]) -> str:
    """Return records as text; `read` gives them back."""
    return "\n".join(map(str, records))


def save(path: str | Path, records: Iterable[Record]) -> None:
    """Write records to a file, in UTF-8."""
    Path(path).write_text(write(records), encoding="utf-8", newline="\n")


def load(path: str | Path) -> list[Record]:
    """Read the records of a file. Raises RecordError, with the name of the file, or OSError."""
    data = Path(path).read_bytes()
    try:
        return read(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(line, "this is not UTF-8", str(path)) from error
    except RecordError as error:
        raise RecordError(error.line, error.reason, str(path)) from error


def read(text: str) -> list[Record]:
    """Read the records in a text. Raises RecordError, a ValueError, naming the line."""
    reader = _Reader(text)
    records = []
    while reader.skip_empty_lines():
        records.append(reader.record())
    return records


def read_one(text: str) -> Record:
    """Read a text with exactly one record. Raises RecordError, a ValueError, naming the line."""
    reader = _Reader(text)
    reader.skip_empty_lines()
    record = reader.record()
    if reader.skip_empty_lines():
        raise reader.error("there is more than one record here")
    return record


# ---- writing


def _header_lines(record: Record) -> Iterator[str]:
    yield FIRST_LINE
    yield f"game: {record.game.name}"
    for name, value in record.game.parameters.items():
        # An empty list of handicap stones is an empty text.
        yield f"parameter: {name}={option_text(value)}"
    if record.start is not None:
        yield f"start: {record.start}"
    if record.event is not None:
        yield f"event: {record.event}"
    if record.round is not None:
        yield f"round: {record.round}"
    if record.date is not None:
        yield f"date: {record.date.isoformat()}"
    for player, name in enumerate(record.players):
        yield f"player {player}: {name}"
    yield f"result: {record.result}"
    if record.reason is not None:
        yield f"reason: {record.reason}"


def _turn_lines(record: Record) -> Iterator[str]:
    for number, text in enumerate(("", *record.turns)):
        parts = [f"{number}. {text}"] if number else []
        comment = record.comments.get(number)
        if comment is not None:
            parts.append(f"; {comment}" if "}" in comment else f"{{{comment}}}")
        if parts:
            yield " ".join(parts)


# ---- what reading and making have in common


def _check_line(what: str, text: str) -> None:
    """Refuse a text that cannot stand on a line."""
    if not text or text != text.strip():
        raise ValueError(f"{what} must not be empty, nor begin or end with a space")
    bad = _unprintable(text)
    if bad is not None:
        raise ValueError(f"{what} has the character U+{ord(bad):04X} in it")


def _unprintable(text: str) -> str | None:
    """Return the first character that has no place on a line, or None."""
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp"):
            return character
    return None


def _play_turn(state: _core.State, number: int, text: str) -> None:
    """Play a complete turn, or the begun one at the end of a record. Raises ValueError."""
    try:
        first, space, rest = text.rpartition(" ")
        if space and rest == _UNFINISHED:
            state.apply_action(state.string_to_action(first))
            if not in_turn(state):
                raise ValueError("the turn ends here: nothing is to follow")
        elif in_turn(state) and number > 1:
            raise ValueError("the turn before is not finished")
        else:
            state.apply_turn(text)
    except ValueError as error:
        # An illegal action has a reason, the sentence of `explain`; other text has the message.
        raise ValueError(f"turn {number} ({text}): {getattr(error, 'reason', error)}") from error


def _check_result(state: _core.State, result: str, reason: str | None) -> None:
    """Refuse a result that is neither on the board nor explained."""
    if result not in RESULTS:
        raise ValueError(f"the result {result!r} is none of {', '.join(RESULTS)}")
    if state.is_terminal():
        if result != result_of(state):
            raise ValueError(
                f"the result is {result}, but the game ended {result_of(state)}: {state.ending()}"
            )
        if reason is not None:
            raise ValueError("a game that was played to its end has no reason")
    elif reason is None:
        if result != "*":
            raise ValueError(
                f"the result is {result}, but the game is not over after the last turn, and there"
                f" is no reason ({', '.join(_REASONS[result])})"
            )
    elif reason not in _REASONS[result]:
        known = ", ".join(_REASONS[result]) or "none"
        raise ValueError(f"the reason {reason!r} does not go with {result}, which has: {known}")


# ---- reading

_HEADER = re.compile(r"(?P<name>[a-z]+(?: [01])?):(?P<value>.*)")
_ONCE = ("game", "start", "event", "round", "date", "player 0", "player 1", "result", "reason")
_NOT_SPACE = re.compile(r"\S")
_TOKEN = re.compile(r"(?P<space>\s+)|\{(?P<braces>[^}]*)\}|;(?P<line>[^\n]*)|(?P<word>[^\s{};]+)")


@dataclass
class _Headers:
    """The headers of one record: values with the lines that they stand on."""

    once: dict[str, tuple[str, int]]
    parameters: dict[str, tuple[str, int]]

    def value(self, name: str) -> str | None:
        found = self.once.get(name)
        return None if found is None else found[0]


class _Reader:
    """Reads record after record from a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]
        # Everything below may then take characters for what they look like.
        for match in re.finditer(r"[^\t\r\n -~]", text):
            if _unprintable(match[0]):
                self._at = match.start()
                raise self.error(f"the character U+{ord(match[0]):04X} has no place in a record")

    def error(self, reason: str, line: int | None = None) -> RecordError:
        """Return the error of a line, by default the current one."""
        return RecordError(line or self._line(self._at), reason)

    def skip_empty_lines(self) -> bool:
        """Go to the next line that is not empty; return whether there is one."""
        match = _NOT_SPACE.search(self._text, self._at)
        if match is not None:
            # To the start of its line: a record is not indented.
            self._at = max(self._at, self._text.rfind("\n", 0, match.start()) + 1)
        return match is not None

    def record(self) -> Record:
        """Read the record that begins here."""
        first, number = self._next_line()
        if first != FIRST_LINE:
            if first.startswith("quincunx record"):
                raise self.error(f"{first!r} is not the format read here, {FIRST_LINE!r}", number)
            raise self.error(f"a record begins with the line {FIRST_LINE!r}", number)
        headers = self._headers(number)
        game = self._game(headers)
        start = headers.value("start")
        try:
            state = game.new_initial_state(start)
        except ValueError as error:
            raise self.error(f"start: {error}", headers.once["start"][1]) from error
        if state.position() == game.new_initial_state().position():
            start = None
        elif start is not None:
            start = state.position()
        state, comments = self._moves(state, headers)
        date = self._date(headers)
        result = headers.once["result"]
        try:
            _check_result(state, result[0], headers.value("reason"))
        except ValueError as error:
            line = headers.once.get("reason", result)[1] if "reason" in str(error) else result[1]
            raise self.error(str(error), line) from error
        return Record(
            game=game,
            turns=tuple(text for text, _ in turns_of(start_of(state), state.history())),
            result=result[0],
            reason=headers.value("reason"),
            players=(headers.value("player 0") or "?", headers.value("player 1") or "?"),
            start=start,
            event=headers.value("event"),
            round=self._round(headers),
            date=date,
            comments={n: " ".join(parts) for n, parts in comments.items()},
        )

    def _line(self, at: int) -> int:
        return bisect_left(self._ends, at) + 1

    def _next_line(self) -> tuple[str, int]:
        """Take a line, without the blanks at its end; return it with its number."""
        number = self._line(self._at)
        end = self._text.find("\n", self._at)
        line = self._text[self._at :] if end < 0 else self._text[self._at : end]
        self._at = len(self._text) if end < 0 else end + 1
        return line.rstrip(), number

    def _headers(self, number: int) -> _Headers:
        headers = _Headers({}, {})
        while self._at < len(self._text):
            line, number = self._next_line()
            if not line:
                break
            match = _HEADER.fullmatch(line)
            if match is None:
                raise self.error(f"{line!r} is not a header 'name: value'", number)
            self._add_header(headers, match["name"], match["value"].strip(), number)
        else:
            raise self.error("after the headers comes an empty line, and then the moves", number)
        for name in ("game", "result"):
            if name not in headers.once:
                raise self.error(f"the header '{name}:' is missing above", number)
        return headers

    def _add_header(self, headers: _Headers, name: str, value: str, number: int) -> None:
        into = headers.once
        if name == "parameter":
            name, equals, value = value.partition("=")
            if not (name and equals):
                raise self.error("the header 'parameter:' takes name=value", number)
            into = headers.parameters
        elif name not in _ONCE:
            known = ", ".join(("parameter", *_ONCE))
            raise self.error(f"there is no header {name!r}; there are {known}", number)
        elif not value:
            raise self.error(f"the header '{name}:' has no value", number)
        if name in into:
            raise self.error(f"{name} is given a second time", number)
        into[name] = value, number

    def _game(self, headers: _Headers) -> _core.Game:
        name, line = headers.once["game"]
        given = headers.parameters
        if name not in _core.registered_names():
            known = ", ".join(_core.registered_names())
            raise self.error(f"there is no game {name!r}; there are {known}", line)
        try:
            return _core._load_game(name, {key: text for key, (text, _) in given.items()})
        except ValueError as error:
            # Of the line of the parameter that is named first.
            named = re.findall(r"\w+", str(error))
            lines = [given[word][1] for word in named if word in given]
            raise self.error(str(error), lines[0] if lines else line) from error

    def _date(self, headers: _Headers) -> datetime.date | None:
        if "date" not in headers.once:
            return None
        text, line = headers.once["date"]
        try:
            date = datetime.date.fromisoformat(text)
        except ValueError:
            date = None
        # Other forms of ISO 8601 are not written here.
        if date is None or date.isoformat() != text:
            raise self.error(f"the date {text!r} is not of the form 2026-01-31", line)
        return date

    def _round(self, headers: _Headers) -> int | None:
        if "round" not in headers.once:
            return None
        text, line = headers.once["round"]
        if not re.fullmatch("[1-9][0-9]{0,8}", text):
            raise self.error(f"the round {text!r} is not a number from 1 to 999999999", line)
        return int(text)

    def _moves(
        self, state: _core.State, headers: _Headers
    ) -> tuple[_core.State, dict[int, list[str]]]:
        """Play the turns up to the result; return the last state and the comments by turn."""
        comments: dict[int, list[str]] = {}
        words: list[str] = []
        number, line, open_turn = 0, 0, False

        def finish_turn() -> None:
            nonlocal open_turn, words
            if not open_turn:
                return
            if not words:
                raise self.error(f"turn {number} is empty", line)
            try:
                _play_turn(state, number, " ".join(words))
            except ValueError as error:
                raise self.error(str(error), line) from error
            words, open_turn = [], False

        while self._at < len(self._text):
            token = _TOKEN.match(self._text, self._at)
            here = self._line(self._at)
            if token is None:
                mark = self._text[self._at]
                problem = "this comment has no end" if mark == "{" else "no comment begins before"
                raise self.error(f"{problem}: {mark!r}", here)
            self._at = token.end()
            if token["space"] is not None:
                continue
            if token["word"] is None:
                finish_turn()
                text = " ".join((token["braces"] or token["line"] or "").split())
                if text:
                    comments.setdefault(number, []).append(text)
                continue
            word = token["word"]
            if word in RESULTS:
                finish_turn()
                if word != headers.once["result"][0]:
                    said = headers.once["result"][0]
                    raise self.error(f"the game ends {word}, but the header says {said}", here)
                rest, _ = self._next_line()
                if rest.strip():
                    raise self.error(f"after the result {word} the line must end", here)
                return state, comments
            if re.fullmatch(r"[0-9]+\.", word):
                finish_turn()
                number, line, open_turn = number + 1, here, True
                if word != f"{number}.":
                    raise self.error(f"here comes turn {number}, not {word[:20]}", here)
            elif open_turn:
                words.append(word)
            else:
                raise self.error(f"{word!r} stands in no turn: turns begin with a number", here)
        raise self.error(
            f"the record ends without a result ({', '.join(RESULTS)})", self._last_line()
        )

    def _last_line(self) -> int:
        return self._line(len(self._text.rstrip()))
