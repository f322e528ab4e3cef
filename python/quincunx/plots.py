"""Plots of measurements, through matplotlib, which is an extra: `pip install 'quincunx[plot]'`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quincunx.stats import Stats

__all__ = ["check_plot", "plot_stats"]

_FORMATS = (".svg", ".png")
# The palette of Okabe and Ito, which people see apart with any kind of colour vision.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#000000")
_INTERVAL = "#d55e00"


def check_plot(path: str | Path) -> None:
    """Raise ValueError if a plot cannot be made, or not under that name."""
    if Path(path).suffix.lower() not in _FORMATS:
        raise ValueError(f"a plot is a file whose name ends in .svg or .png, not {str(path)!r}")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ValueError(
            "plots need matplotlib, which is not installed: pip install 'quincunx[plot]'"
        ) from error


def plot_stats(measured: Sequence[Stats], path: str | Path, title: str) -> None:
    """Draw the measurements of some players in one figure and write it to a file.

    Raises ValueError without matplotlib or for a name that is neither .svg nor .png, and OSError.
    """
    check_plot(path)
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.patheffects import withStroke
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(11, 7.5), layout="constrained")
    figure.suptitle(title)
    ((results, lengths), (branching, decided)) = figure.subplots(2, 2)
    names = [one.player for one in measured]
    colours = [_COLOURS[number % len(_COLOURS)] for number in range(len(measured))]

    left = [0.0] * len(measured)
    for label, colour, counts in (
        ("first player wins", "0.35", [one.wins for one in measured]),
        ("draws", "0.65", [one.draws for one in measured]),
        ("second player wins", "0.9", [one.losses for one in measured]),
    ):
        parts = [count / max(1, one.finished) for count, one in zip(counts, measured, strict=True)]
        results.barh(names, parts, left=left, color=colour, label=label)
        left = [done + part for done, part in zip(left, parts, strict=True)]
    lows, highs = zip(*(one.first_player_interval for one in measured), strict=True)
    results.hlines(
        range(len(measured)), lows, highs, _INTERVAL, linewidth=3,
        label="score of the first player, 95%",
        path_effects=[withStroke(linewidth=6, foreground="white")],
    )  # fmt: skip
    results.axvline(0.5, color=_INTERVAL, linewidth=0.8, linestyle="--")
    results.set(title="results", xlim=(0, 1), xlabel="part of the games")
    # Below the bars, which fill the axes.
    results.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, fontsize="small")

    # Bins of whole plies, the same for all.
    plies = [length for one in measured for length in one.lengths] or [0]
    width = math.ceil((max(plies) - min(plies) + 1) / 30)
    bins = [at - 0.5 for at in range(min(plies), max(plies) + width + 1, width)]
    for one, colour in zip(measured, colours, strict=True):
        # Parts of all games, so that players with few games and with many can be compared.
        weights = [1 / max(1, one.games)] * one.games
        lengths.hist(
            one.lengths, bins=bins, weights=weights, histtype="stepfilled",
            facecolor=(colour, 0.3), edgecolor=colour, linewidth=1.5, label=one.player,
        )  # fmt: skip
        branching.plot([mean for _, mean in one.branching], color=colour, linewidth=1)
        if one.decided:
            share = [(number + 1) / len(one.decided) for number in range(len(one.decided))]
            decided.step([0, *one.decided, 1], [0, *share, 1], where="post", color=colour)
    lengths.set(title="length", xlabel="plies", ylabel="part of the games")
    lengths.xaxis.set_major_locator(MaxNLocator(integer=True))
    branching.set(title="legal actions by ply", xlabel="ply", ylim=(0, None))
    decided.set(
        title="winner known", xlabel="part of the game", ylabel="part of the games",
        xlim=(0, 1), ylim=(0, 1),
    )  # fmt: skip
    players = lengths.get_legend_handles_labels()
    figure.legend(*players, loc="outside lower center", ncols=4, title="players", fontsize="small")
    # The same measurements give the same file.
    plain: dict[Any, str] = {"svg.hashsalt": "quincunx", "svg.fonttype": "none"}
    svg = Path(path).suffix.lower() == ".svg"
    with matplotlib.rc_context(plain):
        figure.savefig(path, metadata={"Date": None} if svg else None)
