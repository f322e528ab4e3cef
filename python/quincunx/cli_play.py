"""The commands that play: `play`, `analyse`, `match`, `stats`, and `convert` for records.

Importing this module adds them to the command line.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx import _core
from quincunx.cli import (
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
    heading,
    import_numpy,
    open_state,
    print_json,
    progress,
    refusals,
    rich_console,
)
from quincunx.text import draw
from quincunx.turns import actions_in

# What a command needs beyond this is imported in it, so that the others start without.
if TYPE_CHECKING:
    from rich.table import Table

    from quincunx.match import MatchResult
    from quincunx.stats import SelfPlay, Stats

__all__: list[str] = []

_PLAYERS = (
    "human, random, perfect (fano330), or mcts with a budget a move: mcts:2000, mcts:1s, mcts:500ms"
)
# The colours of player 0 and player 1.
_COLOURS = {
    "fano330": ("silver", "copper"),
    "impedio": ("white", "black"),
    "meigo": ("black", "white"),
    "unane": ("black", "white"),
    "unmergo": ("white", "black"),
}
_OPPONENT = "mcts:1s"

OneSide = Annotated[str | None, typer.Option(metavar="PLAYER", help=f"{_PLAYERS}.")]
Moves = Annotated[
    str, typer.Option("--moves", metavar="e5,d4-e4,…", help="Actions to play before.")
]
Openings = Annotated[
    int, typer.Option("--openings", min=0, max=1000, help="Random plies at the start of games.")
]
Processes = Annotated[
    int | None,
    typer.Option("--processes", min=1, max=256, help="Games at the same time; all processors."),
]


def state_after(
    game: str, parameters: list[str] | None, position: str | None, moves: str
) -> _core.State:
    """Return the state that the arguments of a command name, after some moves."""
    state = open_state(game, parameters, position)
    for number, text in enumerate(actions_in(moves), start=1):
        try:
            state.apply_action(state.string_to_action(text))
        except ValueError as error:
            problem = getattr(error, "reason", error)
            raise BadInput(f"move {number} ({text}): {problem}") from error
    return state


@contextmanager
def file_errors(path: object) -> Iterator[None]:
    """Turn what can go wrong with a file into bad input."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{error.filename or path}: {error.strerror or error}") from error


# ---- play


@app.command()
def play(
    game: GameName,
    parameters: Parameters = None,
    position: Position = None,
    moves: Moves = "",
    first: OneSide = None,
    second: OneSide = None,
    white: OneSide = None,
    black: OneSide = None,
    silver: OneSide = None,
    copper: OneSide = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Write a record at the end; .sgf in Meigo."),
    ] = None,
    seed: Seed = 0,
    threads: Threads = 1,
) -> None:
    """Play a game in the terminal: you against a player, or any two.

    A side is given by its turn (--first, --second) or by the colour it starts with. Moves are typed
    as they are written in records; `help` lists what else can be typed. Moves may come from a pipe.
    """
    from quincunx.play import Session, save_game
    from quincunx.players import MCTSPlayer, derive_seed, player_from_name

    state = state_after(game, parameters, position, moves)
    names = side_names(
        game,
        {
            "first": first,
            "second": second,
            "white": white,
            "black": black,
            "silver": silver,
            "copper": copper,
        },
    )
    if save is not None and save.exists():
        raise BadInput(f"--save: {save} exists already")
    if save is not None and save.suffix.lower() == ".sgf" and game != "meigo":
        raise BadInput("--save: only games of Meigo are written as SGF")
    with refusals():
        one, two = (
            player_from_name(name, derive_seed(seed, side), threads)
            for side, name in enumerate(names)
        )
    import_numpy()
    session = Session(
        state,
        (one, two),
        ask=ask_terminal if sys.stdin.isatty() else ask_pipe,
        say=say,
        hint=lambda at: MCTSPlayer(seconds=1, seed=seed, threads=threads).search(at),
    )
    try:
        with refusals():
            session.run()
    except KeyboardInterrupt:
        raise Interrupted(f"stopped; the position is {session.state.position()}") from None
    finally:
        if save is not None:
            with file_errors(save):
                save_game(save, session.record())
    if save is not None:
        print(f"saved in {save}")


def side_names(game: str, given: dict[str, str | None]) -> list[str]:
    """Return the names of players 0 and 1 from the options that name sides."""
    sides: list[str | None] = [None, None]
    for option, name in given.items():
        if name is None:
            continue
        if option in ("first", "second"):
            side = ("first", "second").index(option)
        elif option in _COLOURS[game]:
            side = _COLOURS[game].index(option)
        else:
            raise BadInput(f"--{option}: the colours of {game} are {' and '.join(_COLOURS[game])}")
        if sides[side] is not None:
            raise BadInput(f"--{option}: this side is given twice")
        sides[side] = name
    if sides == [None, None]:
        return ["human", _OPPONENT]
    # Whoever is not named is a person, except against another one.
    return [
        name or (_OPPONENT if other == "human" else "human")
        for name, other in ((sides[0], sides[1]), (sides[1], sides[0]))
    ]


def say(text: str) -> None:
    """Print at once: whoever reads through a pipe waits for it."""
    print(text, flush=True)


def ask_terminal(prompt: str) -> str | None:
    """Ask a person; None at the end of input (Ctrl-D)."""
    with suppress(ImportError):  # arrow keys, where the platform has it
        import readline  # noqa: F401
    try:
        return input(prompt)
    except EOFError:
        print()
        return None
    except KeyboardInterrupt:
        print()
        raise


def ask_pipe(prompt: str) -> str | None:
    """Read a line without a word about it; None at the end of input."""
    return sys.stdin.readline() or None


# ---- analyse


@app.command()
def analyse(
    game: GameName,
    parameters: Parameters = None,
    position: Position = None,
    moves: Moves = "",
    simulations: Annotated[
        int | None, typer.Option("--simulations", min=1, max=10**12, help="How many at most.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help="How long; 5 without a limit.")
    ] = None,
    top: Annotated[int, typer.Option("--top", min=1, help="How many actions to list.")] = 10,
    seed: Seed = 0,
    threads: Threads = 1,
    as_json: AsJson = False,
) -> None:
    """Search a position and show what is found: actions, values, the expected line, proofs."""
    from quincunx.players import MCTSPlayer
    from quincunx.search_view import as_dict, renderable

    state = state_after(game, parameters, position, moves)
    if state.is_terminal():
        raise BadInput(f"the game is over: {state.ending()}")
    if seconds is not None and not math.isfinite(seconds):
        raise BadInput("--seconds must be a number of seconds")
    if simulations is None and seconds is None:
        seconds = 5
    import_numpy()
    with refusals():
        player = MCTSPlayer(simulations, seconds, seed=seed, threads=threads)
    latest: _core.SearchResult | None = None
    stopped = False
    with live_view(not as_json) as show:

        def on_progress(result: _core.SearchResult) -> None:
            nonlocal latest
            latest = result
            show(state, result, top)

        try:
            with refusals():
                latest = player.search(state, on_progress)
        except KeyboardInterrupt:
            stopped = True
    if latest is not None:
        if as_json:
            print_json(
                game=state.get_game().name,
                parameters=state.get_game().parameters,
                position=state.position(),
                threads=threads,
                **as_dict(state, latest),
            )
        else:
            print(heading(state.get_game()))
            print(draw(state))
            print()
            rich_console().print(renderable(state, latest, top))
    if stopped:
        raise Interrupted("stopped before the end of the search")


@contextmanager
def live_view(wanted: bool) -> Iterator[Callable[[_core.State, _core.SearchResult, int], None]]:
    """Yield a function that shows a search while it runs, if stdout is a terminal."""
    if not (wanted and sys.stdout.isatty()):
        yield lambda state, result, top: None
        return
    from rich.live import Live

    from quincunx.search_view import renderable

    # What it shows goes when it ends: the table of the end is printed for good.
    with Live(console=rich_console(), transient=True, auto_refresh=False) as live:
        yield lambda state, result, top: live.update(renderable(state, result, top), refresh=True)


# ---- match


@app.command()
def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="A", help=f"A player: {_PLAYERS}.")],
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
            "--player", metavar="PLAYER", help=f"{_PLAYERS}; repeatable; random and mcts:100."
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


# ---- convert


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="FROM", help="A file of records, or an .sgf.")],
    target: Annotated[
        Path | None, typer.Argument(metavar="TO", help="The file to write; else the terminal.")
    ] = None,
) -> None:
    """Read a file of records, or SGF of Meigo, check it, and write it in the form TO asks for.

    Without TO the records are printed, in the one form that they are written in.
    """
    from quincunx import records
    from quincunx.play import save_game
    from quincunx.sgf import from_sgf

    with refusals(), file_errors(source):
        if source.suffix.lower() == ".sgf":
            try:
                found = [from_sgf(source.read_bytes().decode("utf-8"))]
            except UnicodeDecodeError as error:
                raise BadInput(f"{source}: this is not UTF-8") from error
            except ValueError as error:
                raise BadInput(f"{source}: {error}") from error
        else:
            found = records.load(source)
    if target is None:
        print(records.write(found), end="")
        return
    if target.exists():
        raise BadInput(f"{target} exists already: it is left as it is")
    with refusals(), file_errors(target):
        if target.suffix.lower() != ".sgf":
            records.save(target, found)
        elif len(found) == 1:
            save_game(target, found[0])
        else:
            raise BadInput(f"{source} has {counted(len(found), 'game')}: an .sgf here has one")
    print(f"{counted(len(found), 'game')} written to {target}")
