"""Pictures as pixels, through Pillow, which is an extra: `pip install 'quincunx[pictures]'`."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from quincunx.picture import Pictured, Visits, picture_of
from quincunx.shapes import Circle, Line, Picture, Point, Polygon, Shape, Text, checked_size

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["check_raster", "to_array", "to_image"]


def check_raster() -> None:
    """Raise ValueError if Pillow is not there, or cannot write text."""
    try:
        from PIL import features
    except ImportError as error:
        raise ValueError(
            "pixels need Pillow, which is not installed: pip install 'quincunx[pictures]'"
        ) from error
    if not features.check("freetype2"):
        raise ValueError("this Pillow was built without FreeType: it cannot write coordinates")


def to_image(
    state: Pictured,
    *,
    last_move: bool = True,
    legal: bool = False,
    visits: Visits | None = None,
    size: int = 480,
) -> Image:
    """Return a picture of the state as an image of Pillow, in RGB; the arguments of `to_svg`."""
    check_raster()
    picture = picture_of(state, last_move=last_move, legal=legal, visits=visits)
    return render(picture, size)


def to_array(
    state: Pictured,
    *,
    last_move: bool = True,
    legal: bool = False,
    visits: Visits | None = None,
    size: int = 480,
) -> npt.NDArray[np.uint8]:
    """Return a picture of the state as a new array: uint8, shape (height, width, 3), RGB."""
    image = to_image(state, last_move=last_move, legal=legal, visits=visits, size=size)
    return np.array(image, dtype=np.uint8)


def render(picture: Picture, size: int) -> Image:
    """Return a picture as an image, `size` pixels on the longer side."""
    from PIL import Image

    scale = checked_size(size) / max(picture.width, picture.height)
    width, height = round(picture.width * scale), round(picture.height * scale)
    # Drawn larger and made smaller, which smooths the edges.
    finer = 4 if size <= 1000 else 2
    large = Image.new("RGB", (width * finer, height * finer), picture.background)
    brush = _Brush(large, picture, scale * finer)
    for group in picture.groups:
        for shape in group.shapes:
            brush.draw(shape)
    return large.resize((width, height), Image.Resampling.BOX)


class _Brush:
    """Draws shapes in pixels."""

    def __init__(self, image: Image, picture: Picture, scale: float) -> None:
        from PIL import ImageDraw

        self._canvas = ImageDraw.Draw(image)
        self._left, self._top, self._scale = picture.left, picture.top, scale
        self._fonts: dict[int, Any] = {}

    def at(self, point: Point) -> Point:
        return (point[0] - self._left) * self._scale, (point[1] - self._top) * self._scale

    def draw(self, shape: Shape) -> None:
        if isinstance(shape, Circle):
            self.circle(shape)
        elif isinstance(shape, Polygon):
            points = [self.at(point) for point in shape.points]
            self._canvas.polygon(points, fill=shape.fill)
            if shape.stroke:
                width = max(1, round(shape.width * self._scale))
                # On past the first corner, so that this one is joined too.
                self._canvas.line([*points, *points[:2]], shape.stroke, width, joint="curve")
        elif isinstance(shape, Line):
            ends = [self.at(shape.start), self.at(shape.end)]
            self._canvas.line(ends, shape.stroke, max(1, round(shape.width * self._scale)))
            for x, y in (shape.start, shape.end):
                self.circle(Circle(x, y, shape.width / 2, shape.stroke))
        else:
            self.text(shape)

    def circle(self, circle: Circle) -> None:
        x, y = self.at((circle.x, circle.y))
        # SVG draws the stroke on the rim, Pillow within it.
        width = circle.width * self._scale if circle.stroke else 0.0
        radius = circle.radius * self._scale + width / 2
        self._canvas.ellipse(
            (x - radius, y - radius, x + radius, y + radius),
            fill=circle.fill,
            outline=circle.stroke,
            width=round(width),
        )

    def text(self, text: Text) -> None:
        from PIL import ImageFont

        size = max(1, round(text.size * self._scale))
        if size not in self._fonts:
            self._fonts[size] = ImageFont.load_default(size)
        font = self._fonts[size]
        # The font that comes with Pillow has no letters with a macron: it is drawn.
        letters = unicodedata.normalize("NFD", text.text)
        plain = letters.replace("\N{COMBINING MACRON}", "")
        x, y = self.at((text.x, text.y + 0.36 * text.size))
        if text.centred:
            x -= font.getlength(plain) / 2
        bold = round(0.035 * size) if text.bold else 0
        self._canvas.text(
            (x, y), plain, text.fill, font, anchor="ls", stroke_width=bold, stroke_fill=text.fill
        )
        for number in range(letters.count("\N{COMBINING MACRON}")):
            under = letters.split("\N{COMBINING MACRON}")[: number + 1]
            before = "".join(under)
            right = x + font.getlength(before) - 0.12 * size
            left = x + font.getlength(before[:-1]) + 0.12 * size
            level = y - 0.83 * size
            self._canvas.line([(left, level), (right, level)], text.fill, max(1, round(size / 14)))
