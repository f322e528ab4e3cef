"""Boards as pictures: `picture_of(state)` decides what to draw; svg.py and raster.py write it.

Like the drawings in text.py a picture is made from the position string, so that it serves states
of the core and of `quincunx.reference` alike; the last move is taken from the history. What was
played is vermilion, what may be played is blue, after the palette of Okabe and Ito, which people
see apart with any kind of colour vision; stones differ in lightness or in form. Every mark has a
light halo: it is to be seen on black and white pieces, on the board and on other marks.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, SupportsIndex

from quincunx import _core
from quincunx.scenes import INK, LEGAL, PAPER, PLAYED, SCENES, SEARCHED, Row, Scene, stone_icon
from quincunx.shapes import (
    Circle,
    Group,
    Line,
    Picture,
    Point,
    Polygon,
    Shape,
    Text,
    arrow,
    grown,
)
from quincunx.text import Drawable, standing, title_of

__all__ = ["Pictured", "Visits", "picture_of"]

Visits = _core.SearchResult | Mapping[int, float]


class Pictured(Drawable, Protocol):
    """What a picture needs of a state; states of the core and of the reference have it."""

    def current_player(self) -> int:
        """Return the player to move."""

    def history(self) -> Sequence[int]:
        """Return the actions played."""

    def num_distinct_actions(self) -> int:
        """Return how many action ids there are."""


def picture_of(
    state: Pictured, *, last_move: bool = True, legal: bool = False, visits: Visits | None = None
) -> Picture:
    """Return the picture of a state.

    `last_move` marks the last turn, `legal` the legal actions, and `visits` how often a search has
    tried each of them: a SearchResult, or numbers by action. Raises ValueError or TypeError if
    `visits` is not that.
    """
    game = state.get_game().name
    shares = {} if visits is None else _shares(state, visits)
    scene = SCENES[game](*state.position().split(" "))
    how = standing(state)
    acts = [_act(game, text) for text in _last_turn(state)] if last_move else []
    last, played = _played(scene, acts)
    choices = [_act(game, state.action_to_string(a)) for a in state.legal_actions()]
    marks, may = _legal(scene, choices) if legal else ([], [])
    searched, tried = _searched(
        scene, {_act(game, state.action_to_string(a)): share for a, share in shares.items()}
    )

    status = f"{title_of(game)}: {how.status}."
    mover = state.current_player()
    colour = how.colours[mover] if mover in (0, 1) else None
    # While colours are still being chosen, nobody has one.
    icons = [stone_icon(colour)] if colour and colour in how.status else []
    rows: list[tuple[str, Row]] = [("caption", [*icons, status])]
    rows += [("caption", row) for row in scene.notes]
    rows += [("last", [_played_icon, f"last: {text}"]) for text in played]
    rows += [("legal", [_legal_icon, f"legal: {text}"]) for text in may]
    rows += [("visits", [_searched_icon, text]) for text in tried]

    left, top, right, bottom = scene.bounds
    scale = max(right - left, bottom - top)
    # The caption needs some width, however narrow the board is.
    spare = max(0.0, 0.8 * scale - (right - left)) / 2
    left, right = left - spare, right + spare
    caption, bottom = _caption(rows, left + 0.02 * scale, right - 0.02 * scale, bottom, scale)
    return Picture(
        title_of(game),
        f"{status} Position: {state.position()}",
        PAPER,
        left,
        top,
        right - left,
        bottom - top,
        (*scene.board, *scene.pieces, *last, *marks, *searched, *scene.writing, *caption),
    )


# ---- actions


@dataclass(frozen=True)
class _Act:
    """An action as something to mark: a word, or a way from `start` to `cell`, or just a cell."""

    text: str
    cell: str | None = None
    start: str | None = None
    manner: str = "place"  # or "remove"; a coin or ring of Fano330 is one of these


def _act(game: str, text: str) -> _Act:
    """Read the text of an action."""
    if found := re.fullmatch(r"([a-z]?\d+)[-x]([a-z]?\d+)", text):
        return _Act(text, found[2], found[1], "move")
    if game == "fano330":
        return _Act(text, text[1], manner="coin" if text[0] == "c" else "ring")
    if re.fullmatch(r"[a-z]\d+", text):
        return _Act(text, text)
    if re.fullmatch(r"-[a-z]\d+", text):
        return _Act(text, text[1:], manner="remove")
    return _Act(text)


def _last_turn(state: Pictured) -> list[str]:
    """Return the actions of the last turn, as far as they are in the history."""
    texts = [state.action_to_string(action) for action in state.history()[-2:]]
    # Only in Unmergo a turn may be of two actions: a placement before a stone move or `end`.
    whole = state.get_game().name == "unmergo" and texts and re.search("-|end", texts[-1])
    return texts if whole else texts[-1:]


def _shares(state: Pictured, visits: Visits) -> dict[int, float]:
    """Return the share of all visits for each action that has any."""
    if isinstance(visits, _core.SearchResult):
        if len(visits.visits) != state.num_distinct_actions():
            raise ValueError("visits is the result of a search in another game")
        counts = {int(a): float(visits.visits[a]) for a in visits.visits.nonzero()[0]}
    elif isinstance(visits, Mapping):
        counts = {_integer(action): _number(count) for action, count in visits.items()}
    else:
        raise TypeError(
            "visits must be a SearchResult or a mapping of actions to numbers, not"
            f" {type(visits).__name__}"
        )
    legal = set(state.legal_actions())
    for action, count in counts.items():
        if action not in legal:
            raise ValueError(f"visits has the action {action}, which is not legal here")
        if not (math.isfinite(count) and count >= 0):
            raise ValueError(f"visits of the action {action} must be 0 or more, not {count}")
    most = max(counts.values(), default=0.0)
    # Parts of the largest number, since the sum of large ones may be too large.
    total = math.fsum(count / most for count in counts.values()) if most else 1.0
    return {action: count / most / total for action, count in counts.items() if count > 0}


def _integer(action: SupportsIndex) -> int:
    try:
        return operator.index(action)
    except TypeError:
        kind = type(action).__name__
        raise TypeError(f"visits must have actions (int) as keys, not {kind}") from None


def _number(count: float) -> float:
    # float() would read text.
    if not isinstance(count, str | bytes | bytearray):
        try:
            return float(count)
        except OverflowError:
            return math.inf
        except (TypeError, ValueError):
            pass
    raise TypeError(f"visits must have numbers as values, not {type(count).__name__}")


# ---- marks

_HALO = 0.1  # how wide the halo of a mark is, in radii of a piece
_EDGE = 0.06  # and the edge of a mark whose colour is too light for paper

_Stroke = Polygon | Circle | Line


def _upon_halo(scene: Scene, shapes: Sequence[_Stroke], edge: float = 0.0) -> tuple[Shape, ...]:
    """Return shapes upon a halo, by which they are seen on any piece and any board."""
    layers = [(PAPER, edge + _HALO), *([(INK, edge)] if edge else [])]
    below = [grown(shape, by * scene.radius, ink) for ink, by in layers for shape in shapes]
    return (*below, *shapes)


def _towards(start: Point, end: Point, first: float, last: float) -> tuple[Point, Point]:
    """Return the points at a distance `first` after `start` and `last` before `end`."""
    length = math.dist(start, end)
    ahead = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    return (
        (start[0] + first * ahead[0], start[1] + first * ahead[1]),
        (end[0] - last * ahead[0], end[1] - last * ahead[1]),
    )


def _cross(x: float, y: float, radius: float, stroke: str, width: float) -> list[_Stroke]:
    return [
        Line((x - radius, y - radius), (x + radius, y + radius), stroke, width),
        Line((x - radius, y + radius), (x + radius, y - radius), stroke, width),
    ]


def _played(scene: Scene, acts: Sequence[_Act]) -> tuple[list[Group], list[str]]:
    """Return the marks of the last turn, and what to say of actions without a place."""
    marks, words = [], []
    radius = scene.radius
    for act in acts:
        if act.cell is None:
            words.append(act.text)
            continue
        x, y = scene.places[act.cell]
        shapes: list[_Stroke] = []
        if act.start is not None:
            # From the edge of what is left there, or from the middle of an empty cell.
            first = 0.75 * radius if act.start in scene.occupied else 0.0
            ends = _towards(scene.places[act.start], (x, y), first, 1.1 * radius)
            shapes.append(arrow(*ends, 0.28 * radius, 0.42 * radius, PLAYED))
        if act.manner == "remove":
            shapes += _cross(x, y, 0.5 * radius, PLAYED, 0.25 * radius)
        else:
            shapes.append(Circle(x, y, 1.05 * radius, None, PLAYED, 0.2 * radius))
        marks.append(Group("last", _upon_halo(scene, shapes), f"last: {act.text}"))
    return marks, words


def _spot(scene: Scene, act: _Act) -> Point:
    """Return where to mark an action on one cell: a coin and a ring side by side."""
    assert act.cell is not None
    x, y = scene.places[act.cell]
    if act.manner not in ("coin", "ring"):
        return x, y
    # Below the value of a coin that lies there.
    below = 0.85 if act.cell in scene.occupied else 0.0
    aside = -0.75 if act.manner == "coin" else 0.75
    return x + aside * scene.radius, y + below * scene.radius


def _sign(scene: Scene, act: _Act, colour: str, part: float = 0.0) -> list[_Stroke]:
    """Return the shapes that mean an action; the more `part` is (0 to 1), the larger they are."""
    radius = scene.radius
    if act.start is not None:
        width = (0.2 + 0.25 * part) * radius
        return [arrow(*_way(scene, act), width, 0.5 * width + 0.25 * radius, colour)]
    x, y = _spot(scene, act)
    if act.manner == "remove":
        return _cross(x, y, (0.25 + 0.2 * part) * radius, colour, (0.2 + 0.1 * part) * radius)
    if act.manner == "place":
        return [Circle(x, y, max(0.28, part) * radius, colour)]
    size = (0.28 + 0.27 * part) * radius
    if act.manner == "coin":
        return [Circle(x, y, size, colour)]
    return [Circle(x, y, 0.82 * size, PAPER, colour, 0.36 * size)]


def _way(scene: Scene, act: _Act) -> tuple[Point, Point]:
    """Return the ends of the arrow of a move that is not made yet."""
    assert act.start is not None
    assert act.cell is not None
    spare = 0.65 if act.cell in scene.occupied else 0.25
    start, end = scene.places[act.start], scene.places[act.cell]
    return _towards(start, end, 0.8 * scene.radius, spare * scene.radius)


def _room(scene: Scene, act: _Act, sign: _Stroke) -> Circle:
    """Return the disc for a number: in a round sign, else beside it, which it must not hide."""
    radius = scene.radius
    if isinstance(sign, Circle):
        return Circle(sign.x, sign.y, sign.radius - sign.width / 2, sign.fill)
    if act.start is None:
        x, y = _spot(scene, act)
        return Circle(x + 0.8 * radius, y - 0.8 * radius, 0.58 * radius, SEARCHED)
    start, end = _way(scene, act)
    x, y = _towards(start, end, 0.0, 0.75 * radius)[1]
    # To the right of the arrow, so that those of two opposite ones are apart.
    right = 0.64 * radius / math.dist(start, end)
    x, y = x - right * (end[1] - start[1]), y + right * (end[0] - start[0])
    return Circle(x, y, 0.52 * radius, SEARCHED)


def _by_length(scene: Scene, acts: Iterable[_Act]) -> list[_Act]:
    """Return actions in the order to mark them: short arrows last, else longer ones hide them."""

    def length(act: _Act) -> float:
        if act.start is None or act.cell is None:
            return 0.0
        return round(math.dist(scene.places[act.start], scene.places[act.cell]), 6)

    return sorted(acts, key=length, reverse=True)


def _legal(scene: Scene, acts: Iterable[_Act]) -> tuple[list[Group], list[str]]:
    """Return the marks of the legal actions, and what to say of those without a place."""
    marks, words = [], []
    for act in _by_length(scene, acts):
        if act.cell is None:
            words.append(act.text)
        else:
            marks.append(Group("legal", _upon_halo(scene, _sign(scene, act, LEGAL)), act.text))
    if len(words) > 8:  # the numbers of prisoners in an auction
        words = [f"{words[0]} to {words[-1]}"]
    return marks, [", ".join(words)] if words else []


def _searched(scene: Scene, shares: Mapping[_Act, float]) -> tuple[list[Group], list[str]]:
    """Return marks of what a search has tried, as large as it was tried often, and a legend.

    They have the forms of the marks of legal actions and hide these.
    """
    if not shares:
        return [], []
    most = max(shares.values())
    marks, labels, words = [], [], []
    for act in _by_length(scene, shares):
        share = shares[act]
        part = math.sqrt(share / most)
        number = f"{100 * share:.0f}" if share >= 0.005 else "<1"
        about = f"{act.text}: {number}% of the visits"
        if act.cell is None:
            words.append((share, f"{act.text}: {number}"))
            continue
        shapes = _sign(scene, act, SEARCHED, part)
        # What is tried far less often has no room for its number, and no need.
        if part >= 0.5:
            room = _room(scene, act, shapes[0])
            if not isinstance(shapes[0], Circle):
                shapes.append(room)
            size = min(0.9 * scene.radius, 1.3 * room.radius) * (0.8 if len(number) > 2 else 1)
            label = (room, Text(room.x, room.y, number, size, INK))
            labels.append(Group("share", label, about))
        marks.append(Group("visits", _upon_halo(scene, shapes, _EDGE), about))
    words = sorted(words, reverse=True)[:5]
    return marks + labels, ["; ".join(["visits in %", *(text for _, text in words)])]


def _played_icon(x: float, y: float, radius: float) -> Sequence[Shape]:
    return [Circle(x, y, 0.7 * radius, None, PLAYED, 0.35 * radius)]


def _legal_icon(x: float, y: float, radius: float) -> Sequence[Shape]:
    return [Circle(x, y, 0.5 * radius, LEGAL)]


def _searched_icon(x: float, y: float, radius: float) -> Sequence[Shape]:
    return [Circle(x, y, 0.8 * radius, SEARCHED, INK, 0.1 * radius)]


# ---- the caption


def _text_width(text: str, size: float) -> float:
    """Return how wide a text is at most: the usual sans-serif fonts are narrower than this."""
    return size * sum(_WIDTHS.get(letter, 0.79 if letter.isupper() else 0.64) for letter in text)


_WIDTHS = {
    letter: width
    for letters, width in (("ijlI", 0.3), (" .,:;|'()-", 0.4), ("frt", 0.42), ("mwMW%", 1.0))
    for letter in letters
}


def _caption(
    rows: Sequence[tuple[str, Row]], left: float, right: float, top: float, scale: float
) -> tuple[list[Group], float]:
    """Set rows of words and icons below the board; return them and where they end."""
    size = scale / 28
    drawn = []
    y = top + 0.9 * size
    for number, (kind, row) in enumerate(rows):
        shapes: list[Shape] = []
        x, line = left, ""
        # Of the words of a row, those that fit into a line are one piece of text.
        for item in row:
            if not isinstance(item, str):
                x = _flush(shapes, line, x, y, size)
                line = ""
                shapes += item(x + 0.5 * size, y, 0.5 * size)
                x += 1.5 * size
                continue
            for word in item.split():
                longer = f"{line} {word}".strip()
                if line and x + _text_width(longer, size) > right:
                    _flush(shapes, line, x, y, size)
                    x, y, longer = left, y + 1.35 * size, word
                line = longer
        _flush(shapes, line, x, y, size)
        # A word that is an action is found by its kind, as the marks on the board are.
        about = "" if kind == "caption" else str(row[-1])
        drawn.append(Group(kind, tuple(shapes), about))
        y += (1.6 if number == 0 else 1.45) * size
    return drawn, y - 0.3 * size


def _flush(shapes: list[Shape], line: str, x: float, y: float, size: float) -> float:
    """Add a piece of text, if there is any; return where the next thing can be."""
    if not line:
        return x
    shapes.append(Text(x, y, line, size, INK, centred=False))
    return x + _text_width(line, size) + 0.5 * size
