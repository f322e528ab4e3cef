"""Confidence intervals of scores, and what a score means in Elo."""

from __future__ import annotations

import math

__all__ = ["elo_difference", "wilson"]

# Of the normal distribution: 95% lies within so many standard deviations.
_Z = 1.959963984540054


def wilson(score: float, games: int) -> tuple[float, float]:
    """Return the 95% Wilson interval of the expected score of a game.

    `score` is the sum of 1 for a win, 0.5 for a draw and 0 for a loss. A draw varies less than a
    game won or lost, so that with draws the interval is on the safe side. Without games it is all
    there is.
    """
    if games == 0:
        return 0.0, 1.0
    mean = score / games
    weight = _Z * _Z / games
    centre = (mean + weight / 2) / (1 + weight)
    half = math.sqrt(weight * mean * (1 - mean) + weight * weight / 4) / (1 + weight)
    # At the ends rounding must not make of "certainly" an "almost".
    low = 0.0 if score == 0 else max(0.0, centre - half)
    high = 1.0 if score == games else min(1.0, centre + half)
    return low, high


def elo_difference(score: float) -> float:
    """Return by how many Elo points a player is stronger who expects `score` (0 to 1) of a game."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))
