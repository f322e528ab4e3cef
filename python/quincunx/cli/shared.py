"""What the commands share: the app they are added to, options, refusals, progress and output."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx import _core
from quincunx.text import option_text, title_of
from quincunx.turns import actions_in

if TYPE_CHECKING:
    from rich.console import Console

# No completion and no rich rendering: help is plain text and an error is one line.
app = typer.Typer(
    name="quincunx",
    help="An engine for five abstract board games: Fano330-R-Morris, Impedio, Meigo, Ūnane and"
    " Unmergo.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class BadInput(Exception):
    """Something the user gave is wrong; the message is the one line to say."""


class Interrupted(Exception):
    """Ctrl-C came; the message says what was done so far."""


# ---- options

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="The game; `quincunx games` lists them.")
]
Parameters = Annotated[
    list[str] | None,
    typer.Option(
        "-p", "--parameter", metavar="NAME=VALUE", help="A parameter of the game; repeatable."
    ),
]
Position = Annotated[
    str | None,
    typer.Option("--position", metavar="TEXT", help="The position string to start from."),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON object a line and nothing else.")
]
Threads = Annotated[int, typer.Option("--threads", min=1, max=256, help="How many threads to use.")]
Seed = Annotated[
    int, typer.Option("--seed", min=0, max=2**64 - 1, help="Game i depends on it and i alone.")
]
MaxPlies = Annotated[
    int, typer.Option("--max-plies", min=0, max=10**9, help="Cut games off here; 0: never.")
]
Moves = Annotated[
    str, typer.Option("--moves", metavar="e5,d4-e4,…", help="Actions to play before.")
]
PLAYERS = "random, perfect (fano330), or mcts with a budget a move: mcts:2000, mcts:1s, mcts:500ms"


# ---- what options stand for


@contextmanager
def refusals() -> Iterator[None]:
    """Turn the package's refusals, all of them ValueErrors, into bad input."""
    try:
        yield
    except ValueError as error:
        raise BadInput(str(error)) from error


def parse_parameters(given: Sequence[str] | None) -> dict[str, str]:
    """Read `-p name=value` options; what the values may be is up to the game."""
    parameters: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise BadInput(f"-p takes name=value, not {text!r}")
        if name in parameters:
            raise BadInput(f"-p {name} is given twice")
        parameters[name] = value
    return parameters


def open_state(game: str, parameters: Sequence[str] | None, position: str | None) -> _core.State:
    """Return the state that the arguments of a command name."""
    options = parse_parameters(parameters)
    with refusals():
        # Not load_game(**options): a parameter called `name` is to be refused, not to clash.
        return _core._load_game(game, dict(options)).new_initial_state(position)


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


# ---- output


def print_json(**values: object) -> None:
    """Print one line of JSON, in ASCII, so that it survives any encoding of stdout."""
    print(json.dumps(values))


def rich_console(stderr: bool = False) -> Console:
    """Return a console for tables and progress bars, without rich's guesses about the text."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def heading(game: _core.Game) -> str:
    """Return a game with its parameters for a person: "Ūnane, size=8x8, pie=true"."""
    values = [f"{name}={option_text(value)}" for name, value in game.parameters.items()]
    return ", ".join([title_of(game.name), *values])


def per_second(count: float, seconds: float) -> float:
    """Return a rate, also where no time seems to have passed."""
    return round(count / max(seconds, 1e-9), 1)


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[int, str], None]]:
    """Show progress on stderr if it is a terminal.

    Yields a function that takes how many of `total` are done, and a note to show beside the bar.
    """
    if not sys.stderr.isatty():
        yield lambda done, note: None
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[note]}", markup=False),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=rich_console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, note="")
        yield lambda done, note: bar.update(task, completed=done, note=note)


@contextmanager
def interruptible(done_so_far: Callable[[], str]) -> Iterator[None]:
    """Turn Ctrl-C into `Interrupted`, with what `done_so_far` says."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(done_so_far()) from None


class Stopwatch:
    """Measures from when it is made."""

    def __init__(self) -> None:
        """Start."""
        self._start = time.perf_counter()

    def seconds(self) -> float:
        """Return the seconds since the start, to the microsecond."""
        return round(time.perf_counter() - self._start, 6)


def counted(number: int, noun: str) -> str:
    """Return "1 game", "2,000 games"."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def import_numpy() -> None:
    """Import numpy: else the core does, on the first call that returns arrays, on our watch."""
    import numpy  # noqa: F401
