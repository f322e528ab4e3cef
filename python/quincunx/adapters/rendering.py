"""The render modes that the environments share: the drawing of the board, as text or as pixels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from quincunx import _core
from quincunx.text import draw

__all__ = ["RENDER_MODES", "SIDE", "checked_mode", "picture", "render"]

RENDER_MODES = ("human", "ansi", "rgb_array")
SIDE = 480  # pixels of a picture, both ways


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


def picture(state: _core.State) -> npt.NDArray[np.uint8]:
    """Return a picture of the board: uint8, shape (SIDE, SIDE, 3), whatever the game.

    Raises ValueError without Pillow, which comes with the extras of the environments.
    """
    from quincunx.raster import to_array

    drawn = to_array(state, size=SIDE)
    height, width, _ = drawn.shape
    # In the middle of a square: an environment is to have frames of one size.
    top, left = (SIDE - height) // 2, (SIDE - width) // 2
    frame = np.empty((SIDE, SIDE, 3), np.uint8)
    frame[:] = drawn[0, 0]
    frame[top : top + height, left : left + width] = drawn
    return frame
