"""The commands that let players play many games: `match` and `stats`."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx import _core
from quincunx.cli.shared import (
    PLAYERS,
    AsJson,
    BadInput,
    GameName,
    Interrupted,
    MaxPlies,
    Parameters,
    Position,
    Seed,
    Threads,
    app,
    counted,
    file_errors,
    heading,
    import_numpy,
    open_state,
    print_json,
    progress,
    refusals,
    rich_console,
)

# What a command needs beyond this is imported in it, so that the others start without.
if TYPE_CHECKING:
    from rich.table import Table

    from quincunx.match import MatchResult
    from quincunx.stats import SelfPlay, Stats

Openings = Annotated[
    int, typer.Option("--openings", min=0, max=1000, help="Random plies at the start of games.")
]
Processes = Annotated[
    int | None,
    typer.Option("--processes", min=1, max=256, help="Games at the same time; all processors."),
]


# ---- match


@app.command()
def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="A", help=f"A player: {PLAYERS}.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other one.")],
    number: Annotated[int, typer.Option("--games", min=1, max=10**7, help="How many games.")] = 100,
    parameters: Parameters = None,
    position: Position = None,
    openings: Openings = 4,
    seed: Seed = 0,
    processes: Processes = None,
    threads: Threads = 1,
    max_plies: MaxPlies = 0,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Add the games to this file as they end."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the match in the file of --record.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Let two players play a match; who begins alternates, and openings are random.

    Each two games have the same opening, with the players changed. --max-plies makes games that
    reach it draws.
    """
    from quincunx.match import match as play_match
    from quincunx.tasks import usable_processors

    if resume and record is None:
        raise BadInput("--resume goes with --record FILE")
    state = open_state(game, parameters, position)
    import_numpy()
    latest: MatchResult | None = None
    told = 0.0

    with progress(f"{a} - {b}", number) as tell:

        def on_progress(result: MatchResult) -> None:
            nonlocal latest, told
            latest = result
            # Counting the games of a long match takes longer than some games.
            if time.monotonic() - told > 0.1:
                tell(result.games, f"{result.games} of {number}: {score_text(result)}")
                told = time.monotonic()

        try:
            with refusals(), file_errors(record):
                latest = play_match(
                    state.get_game(),
                    a,
                    b,
                    number,
                    seed=seed,
                    openings=openings,
                    position=position,
                    max_plies=max_plies,
                    threads=threads,
                    processes=processes or usable_processors(),
                    path=record,
                    resume=resume,
                    on_progress=on_progress,
                )
        except KeyboardInterrupt:
            stopped = True
        else:
            stopped = False
    if latest is not None and (latest.games or not stopped):
        if latest.left_out:
            held = counted(latest.games + latest.left_out, "game")
            shown = f"shown are games 1 to {number:,}"
            print(f"quincunx: {record} holds {held}: {shown}", file=sys.stderr)
        print_match(latest, state.get_game(), seed, as_json)
    if stopped:
        done = f"stopped after {latest.games if latest else 0} of {counted(number, 'game')}"
        raise Interrupted(done + (": --resume goes on with the match" if record else ""))


def score_text(result: MatchResult) -> str:
    """Return the wins, draws and losses of A."""
    return f"+{result.wins} ={result.draws} -{result.losses}"


def print_match(result: MatchResult, game: _core.Game, seed: int, as_json: bool) -> None:
    """Print the result of a match, from the side of A."""
    if as_json:
        print_json(
            game=game.name,
            parameters=game.parameters,
            a=result.names[0],
            b=result.names[1],
            seed=seed,
            games=result.games,
            wins=result.wins,
            draws=result.draws,
            losses=result.losses,
            as_first=result.as_first,
            as_second=result.as_second,
            score=result.score,
            interval=result.interval,
            elo=finite(result.elo),
            elo_interval=[finite(bound) for bound in result.elo_interval],
            mean_length=result.mean_length,
        )
        return
    low, high = result.interval
    print(heading(game))
    print(f"{result.names[0]} against {result.names[1]}: {counted(result.games, 'game')}")
    for title, counts in (
        ("all", (result.wins, result.draws, result.losses)),
        ("first", result.as_first),
        ("second", result.as_second),
    ):
        print(f"  {title:6}  won {counts[0]}, drawn {counts[1]}, lost {counts[2]}")
    print(f"score {result.score:.1%} (95%: {low:.1%} to {high:.1%})")
    elo_low, elo_high = map(elo_text, result.elo_interval)
    print(f"Elo difference {elo_text(result.elo)} (95%: {elo_low} to {elo_high})")


def finite(number: float) -> float | None:
    """Return a number, or None for an infinite one, which JSON has not."""
    return number if math.isfinite(number) else None


def elo_text(elo: float) -> str:
    """Return an Elo difference: "+35", "-∞"."""
    return f"{elo:+.0f}" if math.isfinite(elo) else "+∞" if elo > 0 else "-∞"


# ---- stats


@app.command()
def stats(
    game: GameName,
    player: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="PLAYER", help=f"{PLAYERS}; repeatable; random and mcts:100."
        ),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option("--games", min=1, max=10**7, help="How many; 10000 of random, else 50."),
    ] = None,
    sample: Annotated[
        int, typer.Option("--sample", min=1, help="Of random games, how many to look into.")
    ] = 30,
    parameters: Parameters = None,
    position: Position = None,
    openings: Openings = 0,
    seed: Seed = 0,
    processes: Processes = None,
    threads: Threads = 1,
    max_plies: MaxPlies = 0,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw it too: .svg or .png.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure a game in self-play: advantage of the first player, draws, length, choices, …"""
    from quincunx.stats import SelfPlay
    from quincunx.tasks import usable_processors

    state = open_state(game, parameters, position)
    if plot is not None:
        from quincunx.plots import check_plot

        with refusals():
            check_plot(plot)
    import_numpy()
    with refusals():
        plays = [
            SelfPlay(
                state.get_game(),
                name,
                number,
                sample=sample,
                seed=seed,
                openings=openings,
                position=position,
                max_plies=max_plies,
                threads=threads,
                processes=processes or usable_processors(),
            )
            for name in player or ["random", "mcts:100"]
        ]
    measured: list[Stats] = []
    stopped = False
    for play_on in plays:
        try:
            play_with_progress(play_on)
        except KeyboardInterrupt:
            stopped = True
        if play_on.stats().games:
            measured.append(play_on.stats())
        if stopped:
            break
    if as_json:
        for one in measured:
            print_json(
                game=state.get_game().name,
                parameters=state.get_game().parameters,
                position=state.position(),
                seed=seed,
                **one.as_dict(),
            )
    elif measured:
        print(heading(state.get_game()))
        rich_console().print(stats_table(measured))
    if plot is not None and measured:
        from quincunx.plots import plot_stats

        with refusals(), file_errors(plot):
            plot_stats(measured, plot, heading(state.get_game()))
    if stopped:
        done = ", ".join(f"{counted(one.games, 'game')} of {one.player}" for one in measured)
        raise Interrupted(f"stopped after {done or 'no game'}")


def play_with_progress(play_on: SelfPlay) -> None:
    """Play all games of a self-play, with a bar on terminals."""
    steps = play_on.steps
    with refusals(), progress(f"self-play of {play_on.player}", steps) as tell:
        play_on.run(lambda done: tell(done, f"{done:,} of {steps:,}"))


def stats_table(measured: list[Stats]) -> Table:
    """Return a table with a column for each player."""
    from rich.table import Table

    from quincunx.stats import QUANTILES

    table = Table("", box=None, pad_edge=False)
    for one in measured:
        table.add_column(one.player, justify="right")

    def row(title: str, text: Callable[[Stats], str]) -> None:
        table.add_row(title, *map(text, measured))

    def interval(bounds: tuple[float, float]) -> str:
        return f"{bounds[0]:.1%} to {bounds[1]:.1%}"

    row("games", lambda one: f"{one.games:,}")
    row("first player scores", lambda one: f"{one.first_player_score:.1%}")
    row("  95%", lambda one: interval(one.first_player_interval))
    row("won, drawn, lost", lambda one: f"{one.wins:,}, {one.draws:,}, {one.losses:,}")
    row("draws", lambda one: f"{one.draw_rate:.1%}")
    row("  95%", lambda one: interval(one.draw_interval))
    if any(one.unfinished for one in measured):
        row("unfinished", lambda one: f"{one.unfinished:,}")
    row("plies, mean", lambda one: f"{one.mean_length:.1f}")
    for part in QUANTILES:
        title = {0.0: "shortest", 0.5: "median", 1.0: "longest"}.get(part, f"{part:.0%} up to")
        row(f"  {title}", partial(length_at, part=part))
    row("looked into", lambda one: counted(one.sampled, "game"))
    row("  different", lambda one: f"{one.distinct:,}")
    row("legal actions, mean", lambda one: f"{one.mean_branching:.1f}")
    for percent in (0, 25, 50, 75):
        row(f"  after {percent}%", partial(branching_at, percent=percent))
    row(
        "winner known after, median",
        lambda one: "-" if one.median_decided is None else f"{one.median_decided:.0%}",
    )
    row("opening, entropy", lambda one: f"{one.opening_entropy:.2f} bits")
    for place in range(3):
        row(f"  most frequent {place + 1}", partial(opening_at, place=place))
    return table


def length_at(one: Stats, part: float) -> str:
    """Return a quantile of the lengths."""
    return f"{one.length_quantile(part):,}"


def branching_at(one: Stats, percent: int) -> str:
    """Return the mean number of choices at a part of the median length of a game."""
    ply = one.length_quantile(0.5) * percent // 100
    return f"{one.branching[ply][1]:.1f}" if ply < len(one.branching) else "-"


def opening_at(one: Stats, place: int) -> str:
    """Return a first action with its share."""
    if place >= len(one.openings):
        return "-"
    action, count = one.openings[place]
    return f"{action} {count / one.sampled:.0%}"
