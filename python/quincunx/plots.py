"""Plots of measurements, through matplotlib, which is an extra: `pip install 'quincunx[plot]'`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quincunx.stats import Stats

__all__ = ["check_plot", "plot_stats"]

_FORMATS = (".svg", ".png")


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

    figure = Figure(figsize=(11, 7.5), layout="constrained")
    figure.suptitle(title)
    ((results, lengths), (branching, decided)) = figure.subplots(2, 2)
    names = [one.player for one in measured]
    colours = [f"C{number}" for number in range(len(measured))]

    left = [0.0] * len(measured)
    for label, colour, counts in (
        ("first player wins", "0.25", [one.wins for one in measured]),
        ("draws", "0.6", [one.draws for one in measured]),
        ("second player wins", "0.85", [one.losses for one in measured]),
    ):
        parts = [count / max(1, one.finished) for count, one in zip(counts, measured, strict=True)]
        results.barh(names, parts, left=left, color=colour, label=label)
        left = [done + part for done, part in zip(left, parts, strict=True)]
    for row, one in enumerate(measured):
        low, high = one.first_player_interval
        results.plot([low, high], [row, row], color="red", linewidth=2)
    results.axvline(0.5, color="red", linewidth=0.5)
    results.set(title="results; red: score of the first player, 95%", xlim=(0, 1))
    results.legend(loc="lower right", fontsize="small")

    for one, colour in zip(measured, colours, strict=True):
        label = one.player
        # Parts of all games, so that players with few games and with many can be compared.
        weights = [1 / max(1, one.games)] * one.games
        lengths.hist(one.lengths, bins=30, weights=weights, alpha=0.6, color=colour, label=label)
        branching.plot([mean for _, mean in one.branching], color=colour, label=label)
        if one.decided:
            share = [(number + 1) / len(one.decided) for number in range(len(one.decided))]
            decided.step(
                [0, *one.decided, 1], [0, *share, 1], where="post", color=colour, label=label
            )
    lengths.set(title="length", xlabel="plies", ylabel="part of the games")
    branching.set(title="legal actions by ply", xlabel="ply", ylim=(0, None))
    decided.set(
        title="winner known", xlabel="part of the game", ylabel="part of the games",
        xlim=(0, 1), ylim=(0, 1),
    )  # fmt: skip
    for axes in (lengths, branching):
        axes.legend(fontsize="small")
    # The same measurements give the same file.
    plain: dict[Any, str] = {"svg.hashsalt": "quincunx", "svg.fonttype": "none"}
    svg = Path(path).suffix.lower() == ".svg"
    with matplotlib.rc_context(plain):
        figure.savefig(path, metadata={"Date": None} if svg else None)
