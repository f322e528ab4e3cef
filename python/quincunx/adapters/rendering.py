"""The render modes that the environments share: the drawing of the board, as text or as pixels."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import Any

import numpy as np
import numpy.typing as npt

from quincunx import _core
from quincunx.text import draw

__all__ = ["RENDER_MODES", "checked_mode", "picture", "render"]

RENDER_MODES = ("human", "ansi", "rgb_array")

# The lines below the board: one empty, the legend, and how the game stands.
_TEXT_LINES = 7
_COLUMNS = 64  # at the least, so that the text below a small board has room
_CELL = (9, 18)  # pixels a character
_MARGIN = 10
_PAPER, _INK = (250, 250, 245), (25, 25, 25)


def checked_mode(mode: str | None) -> str | None:
    """Return a render mode; raises ValueError for one that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(
            f"render_mode must be None or one of {', '.join(RENDER_MODES)}, not {mode!r}"
        )
    return mode


def render(state: _core.State, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """Return the drawing in the mode `ansi`, a picture in the mode `rgb_array`; in the mode `human`
    print the drawing to the terminal.
    """
    if mode == "ansi":
        return draw(state)
    if mode == "rgb_array":
        return picture(state)
    if mode == "human":
        print(draw(state), flush=True)
    return None


def _plain(text: str) -> str:
    """Return text without what the font does not have: the macron of Ūnane."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def picture(state: _core.State) -> npt.NDArray[np.uint8]:
    """Return the drawing in pixels: uint8, shape (height, width, 3), the same for all states of a
    game. Raises ImportError without Pillow, which comes with the extras of the environments.
    """
    from PIL import Image, ImageDraw, ImageFont

    board, _, text = _plain(draw(state)).partition("\n\n")
    lines = board.split("\n")
    columns = max(_COLUMNS, *map(len, lines))
    below = [part for line in text.split("\n") for part in textwrap.wrap(line, columns)]
    below = ["", *below][:_TEXT_LINES]
    width, height = _CELL
    size = (
        columns * width + 2 * _MARGIN,
        (len(lines) + _TEXT_LINES) * height + 2 * _MARGIN,
    )
    image = Image.new("RGB", size, _PAPER)
    pen = ImageDraw.Draw(image)
    font: Any = ImageFont.load_default(15)
    # One by one: the letters of the font have widths of their own.
    for row, line in enumerate([*lines, *below]):
        for column, character in enumerate(line):
            where = (_MARGIN + (column + 0.5) * width, _MARGIN + (row + 0.5) * height)
            pen.text(where, character, _INK, font, anchor="mm")
    return np.asarray(image)
