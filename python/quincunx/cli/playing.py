"""The commands around one game: `play`, `analyse`, and `convert` for records."""

from __future__ import annotations

import io
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

from quincunx import _core
from quincunx.cli.shared import (
    PLAYERS,
    AsJson,
    BadInput,
    GameName,
    Interrupted,
    Moves,
    Parameters,
    Position,
    Seed,
    Threads,
    app,
    counted,
    file_errors,
    heading,
    import_numpy,
    print_json,
    refusals,
    rich_console,
    state_after,
)
from quincunx.text import draw

# The colours of player 0 and player 1.
_COLOURS = {
    "fano330": ("silver", "copper"),
    "impedio": ("white", "black"),
    "meigo": ("black", "white"),
    "unane": ("black", "white"),
    "unmergo": ("white", "black"),
}
_OPPONENT = "mcts:1s"

OneSide = Annotated[str | None, typer.Option(metavar="PLAYER", help=f"human, {PLAYERS}.")]
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
    from quincunx.play import HINT_SECONDS, Session, save_game
    from quincunx.players import MCTSPlayer, check_plays, derive_seed, player_from_name

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
        check_plays(one, state.get_game())
        check_plays(two, state.get_game())
    import_numpy()
    if isinstance(sys.stdin, io.TextIOWrapper):
        # What is not text is no move, not the end of the game. A stream that has been read from
        # already cannot be changed.
        with suppress(io.UnsupportedOperation):
            sys.stdin.reconfigure(errors="replace")
    session = Session(
        state,
        (one, two),
        ask=ask_terminal if sys.stdin.isatty() else ask_pipe,
        say=say,
        hint=lambda at: MCTSPlayer(seconds=HINT_SECONDS, seed=seed, threads=threads).search(at),
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
