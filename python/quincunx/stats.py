"""What designers ask of a game, measured in self-play: `SelfPlay`, or in one call `stats`.

Advantage of the first player, draws, lengths, choices by ply, how early the winner is known, and
how much openings differ.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from quincunx import _core
from quincunx.intervals import wilson
from quincunx.match import Contestant, contestant_name, make_player, random_opening
from quincunx.players import Player, choose, derive_seed
from quincunx.tasks import run_tasks

__all__ = ["QUANTILES", "SelfPlay", "Stats", "stats"]

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
"""The quantiles of the lengths that tables show."""

_Number = TypeVar("_Number", int, float)

# Random games are played in the core, so many at a time.
_CHUNK = 1000


@dataclass(frozen=True)
class Stats:
    """The measurements of one kind of player. "Player 0" is the person who begins."""

    player: str
    """The name of the player on both sides."""
    wins: int
    """Games that player 0 has won."""
    draws: int
    losses: int
    unfinished: int
    """Games left at the limit of plies; they count for their length alone."""
    lengths: tuple[int, ...] = field(repr=False)
    """The plies of every game after a random opening, in ascending order."""
    sampled: int
    """Games that were looked into: all that follows is measured on them."""
    branching: tuple[tuple[int, float], ...] = field(repr=False)
    """By ply after a random opening: how many games came so far, and how many legal actions there
    were on average.
    """
    openings: tuple[tuple[str, int], ...] = field(repr=False)
    """The first actions chosen and how often they were, most frequent first."""
    decided: tuple[float, ...] = field(repr=False)
    """By game with a winner, in ascending order: the part of the game (0 to 1) after which the
    expected result spoke for the later winner and did so to the end.
    """
    distinct: int
    """How many of the sampled games differ from all before them."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.lengths)

    @property
    def finished(self) -> int:
        """How many games came to an end."""
        return self.wins + self.draws + self.losses

    @property
    def first_player_score(self) -> float:
        """What player 0 scores of a game, on average; 0.5 without games."""
        return (self.wins + self.draws / 2) / self.finished if self.finished else 0.5

    @property
    def first_player_interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the score of player 0."""
        return wilson(self.wins + self.draws / 2, self.finished)

    @property
    def draw_rate(self) -> float:
        """Which part of the games is drawn."""
        return self.draws / self.finished if self.finished else 0.0

    @property
    def draw_interval(self) -> tuple[float, float]:
        """The 95% Wilson interval of the draw rate."""
        return wilson(self.draws, self.finished)

    @property
    def mean_length(self) -> float:
        """The mean number of plies."""
        return sum(self.lengths) / self.games if self.games else 0.0

    def length_quantile(self, part: float) -> int:
        """Return the length that `part` (0 to 1) of the games do not exceed."""
        return quantile(self.lengths, part) if self.lengths else 0

    @property
    def mean_branching(self) -> float:
        """How many legal actions there are on average, over all plies of all games."""
        plies = sum(games for games, _ in self.branching)
        return sum(games * mean for games, mean in self.branching) / plies if plies else 0.0

    @property
    def opening_entropy(self) -> float:
        """The entropy of the first action, in bits: n equally frequent ones have log2(n)."""
        total = sum(count for _, count in self.openings)
        shares = [count / total for _, count in self.openings]
        return -sum(share * math.log2(share) for share in shares) + 0.0

    @property
    def median_decided(self) -> float | None:
        """After which part of the game half of the winners were known; None without winners."""
        return quantile(self.decided, 0.5) if self.decided else None

    def as_dict(self) -> dict[str, Any]:
        """Return the measurements in terms of JSON."""
        return {
            "player": self.player,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "unfinished": self.unfinished,
            "first_player_score": self.first_player_score,
            "first_player_interval": self.first_player_interval,
            "draw_rate": self.draw_rate,
            "draw_interval": self.draw_interval,
            "mean_length": self.mean_length,
            "length_quantiles": {f"{part:g}": self.length_quantile(part) for part in QUANTILES},
            "sampled": self.sampled,
            "distinct": self.distinct,
            "mean_branching": self.mean_branching,
            "branching": [{"games": games, "mean": mean} for games, mean in self.branching],
            "opening_entropy": self.opening_entropy,
            "openings": dict(self.openings),
            "games_with_winner": len(self.decided),
            "median_decided": self.median_decided,
        }


def quantile(values: Sequence[_Number], part: float) -> _Number:
    """Return the smallest of ascending values that `part` of them do not exceed."""
    return values[max(0, math.ceil(part * len(values)) - 1)]


@dataclass(frozen=True)
class _Game:
    """A game that was looked into."""

    actions: tuple[int, ...]
    first: str
    choices: tuple[int, ...]
    """How many legal actions there were, by ply."""
    returns: float | None
    """For player 0; None if the game was cut off."""
    decided: float | None
    """See `Stats.decided`; None without a winner."""


class SelfPlay:
    """Self-play by one kind of player, step by step, with measurements at any time."""

    def __init__(
        self,
        game: _core.Game | str,
        player: Contestant = "random",
        games: int | None = None,
        *,
        sample: int = 30,
        seed: int = 0,
        openings: int = 0,
        position: str | None = None,
        max_plies: int = 0,
        estimate: int = 32,
        threads: int = 1,
        processes: int = 1,
    ) -> None:
        """Prepare `games` games (10,000 by "random", else 50), each from its own seed.

        Of random games `sample` are looked into ply by ply, of others all. `openings` is how
        many random plies begin each game. Where the player is not a search that tells what it
        expects, `estimate` random games from a position say what to expect in it. `threads` is for
        a search, or the random games; `processes` play at the same time.
        Raises ValueError for what does not fit.
        """
        self._game = _core.load_game(game) if isinstance(game, str) else game
        start = self._game.new_initial_state(position)
        if start.is_terminal():
            raise ValueError("the game is over in this position: there is nothing to play")
        self.player = contestant_name(player, self._game, threads)
        self._in_core = player == "random" and openings == 0
        self.games = games if games is not None else 10_000 if player == "random" else 50
        self.sample = min(self.games, sample) if self._in_core else self.games
        if self.games < 1 or sample < 1 or estimate < 1:
            raise ValueError("games, sample and estimate must be 1 or more")
        if openings < 0 or max_plies < 0:
            raise ValueError("openings and max_plies must be 0 or more")
        self._seed, self._threads, self._processes = seed, threads, processes
        self._max_plies = max_plies
        self._start = start
        self._play = partial(
            _play_game, start, player, seed, openings, max_plies, estimate, threads
        )
        self._returns: Counter[float | None] = Counter()
        self._lengths: list[int] = []
        self._looked_into: list[_Game] = []

    @property
    def steps(self) -> int:
        """How many games `run` has to play in all, those that are looked into for themselves."""
        return self.sample + (self.games if self._in_core else 0)

    def run(self, on_progress: Callable[[int], object] | None = None) -> Stats:
        """Play everything; `on_progress` is told how many of `steps` are done."""
        if self._in_core:
            self._play_in_core(on_progress)
        before = self.games if self._in_core else 0
        tasks = range(self.sample)
        with closing(run_tasks(self._play, tasks, min(self._processes, len(tasks)))) as played:
            for _, game in played:
                self._looked_into.append(game)
                if not self._in_core:
                    self._returns[game.returns] += 1
                    self._lengths.append(len(game.choices))
                if on_progress:
                    on_progress(before + len(self._looked_into))
        return self.stats()

    def _play_in_core(self, on_progress: Callable[[int], object] | None) -> None:
        for first in range(0, self.games, _CHUNK):
            number = min(_CHUNK, self.games - first)
            seed = derive_seed(self._seed, "playouts", first)
            played = _core.playouts(self._start, number, seed, self._threads, self._max_plies)
            returns = played.returns[:, 0].tolist()
            lengths = played.lengths.tolist()
            self._returns.update(returns)
            # A game that was cut off has no result; the core gives 0 for it.
            self._returns[None] += played.unfinished
            self._returns[0.0] -= played.unfinished
            self._lengths += lengths
            if on_progress:
                on_progress(first + number)

    def stats(self) -> Stats:
        """Return the measurements on the games that have been played so far."""
        looked_into = self._looked_into
        plies = max((len(game.choices) for game in looked_into), default=0)
        branching = []
        for ply in range(plies):
            choices = [game.choices[ply] for game in looked_into if ply < len(game.choices)]
            branching.append((len(choices), sum(choices) / len(choices)))
        first = Counter(game.first for game in looked_into)
        return Stats(
            player=self.player,
            wins=self._returns[1.0],
            draws=self._returns[0.0],
            losses=self._returns[-1.0],
            unfinished=self._returns[None],
            lengths=tuple(sorted(self._lengths)),
            sampled=len(looked_into),
            branching=tuple(branching),
            openings=tuple(sorted(first.items(), key=lambda item: (-item[1], item[0]))),
            decided=tuple(sorted(game.decided for game in looked_into if game.decided is not None)),
            distinct=len({game.actions for game in looked_into}),
        )


def stats(
    game: _core.Game | str, player: Contestant = "random", games: int | None = None, **options: Any
) -> Stats:
    """Play games of a player against itself and return the measurements; see `SelfPlay`."""
    return SelfPlay(game, player, games, **options).run()


def _play_game(
    start: _core.State,
    contestant: Contestant,
    seed: int,
    openings: int,
    max_plies: int,
    estimate: int,
    threads: int,
    number: int,
) -> _Game:
    """Play game `number` and look into it: a function for worker processes."""
    state = random_opening(start, openings, derive_seed(seed, "opening", number))
    players = [
        make_player(contestant, derive_seed(seed, "player", number, side), threads)
        for side in range(2)
    ]
    choices: list[int] = []
    states: list[_core.State] = []
    values: list[float | None] = []  # expected for player 0, where a search tells
    opening = state.history()
    while not state.is_terminal() and not (max_plies and state.move_number() >= max_plies):
        mover = state.current_player()
        choices.append(len(state.legal_actions()))
        states.append(state.clone())
        action, value = _choose(players[mover], state)
        values.append(value if value is None or mover == 0 else -value)
        state.apply_action(action)
    history = state.history()
    returns = state.returns()[0] if state.is_terminal() else None
    decided = None
    if returns:
        ply = len(states)
        while ply > 0:
            value = values[ply - 1]
            if value is None:
                value = _estimate(
                    states[ply - 1], estimate, derive_seed(seed, number, ply), max_plies
                )
            if value * returns <= 0:
                break
            ply -= 1
        decided = ply / len(states)
    first = history[len(opening)] if len(history) > len(opening) else None
    return _Game(
        actions=tuple(history),
        first="(none)" if first is None else state.action_to_string(first),
        choices=tuple(choices),
        returns=returns,
        decided=decided,
    )


def _choose(player: Player, state: _core.State) -> tuple[int, float | None]:
    """Return the action of a player, and what a search expects for the one to move."""
    search = getattr(player, "search", None)
    if search is None:
        return choose(player, state), None
    result = search(state.clone())
    return result.best_action, float(result.value if result.proven is None else result.proven)


def _estimate(state: _core.State, games: int, seed: int, max_plies: int) -> float:
    """Return the mean result of random games for player 0."""
    return float(_core.playouts(state, games, seed, 1, max_plies).returns[:, 0].mean())
