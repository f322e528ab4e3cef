"""Shapes: what a picture is made of, whatever it is written as.

Lengths are in units of a board (the distance of two neighbours), x to the right and y down.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, replace
from typing import SupportsIndex

__all__ = [
    "Circle",
    "Group",
    "Line",
    "Picture",
    "Point",
    "Polygon",
    "Shape",
    "Text",
    "arrow",
    "checked_size",
    "grown",
]

Point = tuple[float, float]


@dataclass(frozen=True)
class Polygon:
    """A filled polygon, outlined if it has a stroke."""

    points: tuple[Point, ...]
    fill: str
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True)
class Circle:
    """A disc, or without a fill a ring whose middle is see-through; the stroke lies on the rim."""

    x: float
    y: float
    radius: float
    fill: str | None
    stroke: str | None = None
    width: float = 0.0


@dataclass(frozen=True)
class Line:
    """A straight line with round ends."""

    start: Point
    end: Point
    stroke: str
    width: float


@dataclass(frozen=True)
class Text:
    """One line of text; (x, y) is its left end or its middle, at half the height of a capital."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    centred: bool = True
    bold: bool = False


Shape = Polygon | Circle | Line | Text


@dataclass(frozen=True)
class Group:
    """Shapes that show one thing: `kind` says what sort of thing, `about` which one.

    `about` is what a person reads who points at the shapes: "e5: White", "d4-e4".
    """

    kind: str
    shapes: tuple[Shape, ...]
    about: str = ""


@dataclass(frozen=True)
class Picture:
    """Groups, drawn in their order, on a rectangle whose upper left corner is (left, top)."""

    title: str
    description: str
    background: str
    left: float
    top: float
    width: float
    height: float
    groups: tuple[Group, ...]


def arrow(start: Point, end: Point, width: float, head: float, fill: str) -> Polygon:
    """Return an arrow as one polygon: a shaft of some width, a head `head` to either side of it."""
    length = math.dist(start, end)
    ahead = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    neck = length - min(1.6 * head, 0.8 * length)

    def at(along: float, aside: float) -> Point:
        return (
            start[0] + along * ahead[0] - aside * ahead[1],
            start[1] + along * ahead[1] + aside * ahead[0],
        )

    half = width / 2
    left = ((0.0, -half), (neck, -half), (neck, -head))
    right = ((neck, head), (neck, half), (0.0, half))
    points = tuple(at(along, aside) for along, aside in (*left, (length, 0.0), *right))
    return Polygon(points, fill)


def grown(shape: Polygon | Circle | Line, margin: float, colour: str) -> Shape:
    """Return a shape of one colour that reaches further by a margin on all its sides."""
    if isinstance(shape, Line) or shape.stroke:
        return replace(shape, stroke=colour, width=shape.width + 2 * margin)
    return replace(shape, fill=colour, stroke=colour, width=2 * margin)


def checked_size(size: SupportsIndex) -> int:
    """Return the longer side of a picture in pixels; raises ValueError and TypeError."""
    try:
        pixels = operator.index(size)
    except TypeError:
        kind = type(size).__name__
        raise TypeError(f"size must be a number of pixels (int), not {kind}") from None
    if not 100 <= pixels <= 4000:
        raise ValueError(f"size must be 100 to 4000 pixels, not {pixels}")
    return pixels
