"""States as SVG: `to_svg` and `repr_svg`, which are methods of `State`.

What draws and writes is imported when it is used: `import quincunx` stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quincunx.picture import Pictured, Visits

__all__ = ["repr_svg", "to_svg"]


def to_svg(
    state: Pictured,
    *,
    last_move: bool = True,
    legal: bool = False,
    visits: Visits | None = None,
    size: int = 480,
) -> str:
    """Return a picture of the state as SVG.

    `last_move` marks the last turn, `legal` the legal actions, and `visits` how often a search has
    tried each of them: a SearchResult, or a mapping of actions to numbers. `size` is the longer
    side in pixels, 100 to 4000. Raises ValueError, or TypeError for a wrong type.
    """
    from quincunx.picture import picture_of
    from quincunx.svg_writer import write

    return write(picture_of(state, last_move=last_move, legal=legal, visits=visits), size)


def repr_svg(state: Pictured) -> str:
    """Return a picture of the state as SVG: notebooks ask for it."""
    return to_svg(state)
