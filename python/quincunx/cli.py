"""The command `quincunx`: one function a command, on top of the package.

Exit 0: done; 1: a check failed; 2: bad input, with one line on stderr; 130: stopped by Ctrl-C.
Results go to stdout, with `--json` as one JSON object a line and nothing else; progress and
complaints go to stderr.
"""

from __future__ import annotations

import enum
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx import _core
from quincunx.text import draw, option_text, title_of

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["app", "main"]

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


class Unit(enum.StrEnum):
    """What perft counts by."""

    ply = "ply"
    turn = "turn"


# ---- options that commands share

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


# ---- what commands share on the side of output


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


# ---- the commands


@app.callback(invoke_without_command=True)
def quincunx_command(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Handle what is given without a command."""
    if version:
        print(f"quincunx {installed_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


def installed_version() -> str:
    """Return the version of the installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("quincunx")
    except PackageNotFoundError:
        return "(not installed)"


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games, their parameters and defaults."""
    infos = _core._game_infos()
    if as_json:
        keys = ("name", "default", "allowed", "meaning")
        for name, title, credit, parameters in infos:
            listed = [dict(zip(keys, parameter, strict=True)) for parameter in parameters]
            print_json(name=name, title=title, attribution=credit, parameters=listed)
        return
    from rich.table import Table

    console = rich_console()
    for name, title, credit, parameters in infos:
        console.print(f"{name}: {title}, {credit}", style="bold")
        table = Table("parameter", "default", "allowed", "what it is", box=None, pad_edge=False)
        for parameter, default, allowed, meaning in parameters:
            table.add_row(f"  {parameter}", option_text(default) or "(none)", allowed, meaning)
        console.print(table)
        console.print()


@app.command()
def show(
    game: GameName,
    parameters: Parameters = None,
    position: Position = None,
    moves: Annotated[
        str,
        typer.Option("--moves", metavar="e5,d4-e4,…", help="Actions to play before drawing."),
    ] = "",
    legal: Annotated[bool, typer.Option("--legal", help="List the legal actions too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a position."""
    state = open_state(game, parameters, position)
    # Commas and spaces separate; `prison 3` is the one action with a space in it.
    for number, text in enumerate(re.findall(r"prison +\d+|[^\s,]+", moves), start=1):
        play(state, number, re.sub(" +", " ", text))
    actions = [state.action_to_string(action) for action in state.legal_actions()]
    if as_json:
        print_json(
            game=state.get_game().name,
            parameters=state.get_game().parameters,
            position=state.position(),
            current_player=state.current_player(),
            legal_actions=actions,
            terminal=state.is_terminal(),
            returns=state.returns(),
            ending=state.ending(),
            drawing=draw(state),
        )
        return
    print(draw(state))
    if legal:
        listed = f": {' '.join(actions)}" if actions else ""
        print(f"\n{counted(len(actions), 'legal action')}{listed}")


def counted(number: int, noun: str) -> str:
    """Return "1 game", "2,000 games"."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def play(state: _core.State, number: int, text: str) -> None:
    """Play one action of `--moves`, or refuse it with the reason."""
    try:
        state.apply_action(state.string_to_action(text))
    except ValueError as error:
        # An illegal action has a reason, the sentence of `explain`; other text has the message.
        raise BadInput(f"move {number} ({text}): {getattr(error, 'reason', error)}") from error


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Option("--depth", min=0, max=128, help="Plies, or turns.")],
    parameters: Parameters = None,
    position: Position = None,
    unit: Annotated[Unit, typer.Option("--unit", help="What a step of depth is.")] = Unit.ply,
    divide: Annotated[bool, typer.Option("--divide", help="Split by the first action.")] = False,
    threads: Threads = 1,
    hash_mb: Annotated[
        int,
        typer.Option(
            "--hash-mb", min=0, max=16384, help="Megabytes to keep counts below a first action in."
        ),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Count the action sequences of exactly some depth."""
    state = open_state(game, parameters, position)
    if divide and depth == 0:
        raise BadInput("--divide needs a depth of 1 or more: at depth 0 there is no first action")
    watch = Stopwatch()
    counts: dict[str, int] = {}
    # Counted first action by first action, so that there is progress to show and to report.
    steps = first_steps(state, unit) if depth else []
    # A kept count serves one call only, so with `--hash-mb` the pieces stay large.
    levels = 2 if depth >= DEEP and not hash_mb else 1

    def so_far() -> str:
        nodes, seconds = sum(counts.values()), watch.seconds()
        where = f"first action {len(counts)} of {len(steps)}"
        return f"stopped at {where}: {nodes:,} nodes in {seconds:.1f} s"

    with interruptible(so_far), refusals(), progress(f"perft {depth}", len(steps)) as tell:
        for number, (text, child) in enumerate(steps):
            counts[text] = 0
            for part in [child] if levels == 1 else [then for _, then in first_steps(child, unit)]:
                counts[text] += _core.perft(part, depth - levels, unit.value, threads, hash_mb)
                tell(number, f"{sum(counts.values()):,} nodes")
    nodes = sum(counts.values()) if depth else 1
    seconds = watch.seconds()
    if as_json:
        print_json(
            game=state.get_game().name,
            parameters=state.get_game().parameters,
            position=state.position(),
            depth=depth,
            unit=unit.value,
            nodes=nodes,
            seconds=seconds,
            nodes_per_second=per_second(nodes, seconds),
            threads=threads,
            **({"divide": counts} if divide else {}),
        )
        return
    print(heading(state.get_game()))
    print(state.position())
    if divide:
        longest = max((len(text) for text in counts), default=0)
        for text, count in counts.items():
            print(f"  {text:{longest}}  {count:,}")
    plies = counted(depth, "turn" if unit is Unit.turn else "ply").replace("plys", "plies")
    rate = per_second(nodes, seconds)
    print(f"{plies}: {counted(nodes, 'node')}, {seconds:.3f} s, {rate:,.0f} nodes/s")


# From this depth on perft is cut into pieces two steps deep: one step would take too long to show
# any progress.
DEEP = 6


def first_steps(state: _core.State, unit: Unit) -> list[tuple[str, _core.State]]:
    """Return every first action, or turn, with the state after it."""
    if unit is Unit.ply:
        return [(state.action_to_string(a), state.child(a)) for a in state.legal_actions()]
    steps = []
    for turn in state.turns():
        child = state.clone()
        child.apply_turn(turn)
        steps.append((turn, child))
    return steps


@app.command()
def playouts(
    game: GameName,
    n: Annotated[int, typer.Option("-n", min=1, max=10**8, help="How many games.")] = 1000,
    parameters: Parameters = None,
    position: Position = None,
    seed: Seed = 0,
    threads: Threads = 1,
    max_plies: MaxPlies = 0,
    as_json: AsJson = False,
) -> None:
    """Play uniformly random games and count how they end."""
    state = open_state(game, parameters, position)
    import_numpy()
    watch, tally = Stopwatch(), Tally()

    def so_far() -> str:
        return f"stopped after {counted(tally.games, 'random game')} of {n:,}; {tally}"

    with (
        interruptible(so_far),
        refusals(),
        progress(counted(n, "random game"), n) as tell,
    ):
        share = 1000  # games a call: short enough to show progress, long enough to cost nothing
        while tally.games < n:
            began = watch.seconds()
            count = min(share, n - tally.games)
            tally.add(_core.playouts(state, count, seed, threads, max_plies, tally.games))
            tell(tally.games, str(tally))
            if watch.seconds() - began < 0.1:
                share *= 2
    seconds = watch.seconds()
    if as_json:
        print_json(
            game=state.get_game().name,
            parameters=state.get_game().parameters,
            n=n,
            seconds=seconds,
            playouts_per_second=per_second(n, seconds),
            plies_per_second=per_second(tally.plies, seconds),
            mean_length=tally.plies / n,
            wins=tally.wins,
            losses=tally.losses,
            draws=tally.draws,
            unfinished=tally.unfinished,
        )
        return
    print(heading(state.get_game()))
    print(
        f"{counted(n, 'random game')} in {seconds:.3f} s: {per_second(n, seconds):,.0f} games/s,"
        f" {per_second(tally.plies, seconds):,.0f} plies/s, {tally.plies / n:.1f} plies a game"
    )
    print(tally)


@dataclass
class Tally:
    """How random games ended, seen by player 0."""

    games: int = 0
    plies: int = 0
    wins: int = 0
    losses: int = 0
    unfinished: int = 0

    @property
    def draws(self) -> int:
        """The games that ended without a winner."""
        return self.games - self.wins - self.losses - self.unfinished

    def add(self, result: _core.Playouts) -> None:
        """Count some more games."""
        self.games += len(result)
        self.plies += int(result.lengths.sum(dtype="int64"))
        self.wins += int((result.returns[:, 0] > 0).sum())
        self.losses += int((result.returns[:, 0] < 0).sum())
        self.unfinished += result.unfinished

    def __str__(self) -> str:
        """Name the counts."""
        text = f"player 0: {self.wins:,} won, {self.losses:,} lost, {self.draws:,} drawn"
        return text + (f", {self.unfinished:,} unfinished" if self.unfinished else "")


def import_numpy() -> None:
    """Import numpy: else the core does, on the first call that returns arrays, on our watch."""
    import numpy  # noqa: F401


@app.command()
def crosscheck(
    game: GameName,
    number: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 100,
    parameters: Parameters = None,
    position: Position = None,
    seed: Seed = 0,
    max_plies: MaxPlies = 0,
    as_json: AsJson = False,
) -> None:
    """Play random games on the core and on the Python reference and compare every ply."""
    from quincunx.crosscheck import crosscheck as check

    options = parse_parameters(parameters)
    watch = Stopwatch()
    done = plies = 0

    def so_far() -> str:
        counts = f"{counted(done, 'game')} and {plies:,} plies"
        return f"stopped after {counts} in {watch.seconds():.1f} s: no disagreement until then"

    with interruptible(so_far), refusals(), progress(f"crosscheck {game}", number) as tell:

        def on_progress(games_done: int, plies_played: int) -> None:
            nonlocal done, plies
            done, plies = games_done, plies_played
            tell(done, f"{plies:,} plies")

        report = check(game, options, number, seed, position, max_plies, on_progress)
    seconds = watch.seconds()
    found = report.disagreement
    if as_json:
        print_json(
            game=report.game,
            parameters=report.parameters,
            games=report.games,
            plies=report.plies,
            seed=seed,
            seconds=seconds,
            agree=found is None,
            disagreement=found
            and {
                "what": found.what,
                "position": found.position,
                "moves": found.moves,
                "core": found.core,
                "reference": found.reference,
                "command": found.command,
            },
        )
    elif found is None:
        counts = f"{counted(report.games, 'game')}, {report.plies:,} plies in {seconds:.1f} s"
        print(f"{title_of(game)}: core and reference agree ({counts})")
    else:
        print(found)
    if found is not None:
        raise typer.Exit(1)


# A measurement takes a state at the start of a game, a time to fill and a number of threads, and
# returns a rate per second.
Measurement = Callable[[_core.State, float, int], float]


def measure_playouts(state: _core.State, budget: float, threads: int) -> float:
    """Return the plies per second of random games."""
    plies, games, watch = 0, 1, Stopwatch()
    while True:
        # The seed moves on, so that no games are played twice.
        plies += int(_core.playouts(state, games, games, threads).lengths.sum(dtype="int64"))
        if watch.seconds() >= budget:
            return per_second(plies, watch.seconds())
        games *= 2


def measure_perft(state: _core.State, budget: float, threads: int) -> float:
    """Return the nodes per second of perft, at the first depth with a million nodes: the rate
    depends on the depth, so the depth must not depend on the machine.
    """
    depth = 1
    while _core.perft(state, depth, "ply", threads) < 1_000_000:
        depth += 1
    nodes, watch = 0, Stopwatch()
    while watch.seconds() < budget:
        nodes += _core.perft(state, depth, "ply", threads)
    return per_second(nodes, watch.seconds())


def measure_search(state: _core.State, budget: float, threads: int) -> float:
    """Return the simulations per second of a tree search from the start."""
    found = _core.MCTS(seconds=budget, threads=threads).search(state)
    return per_second(found.simulations, found.seconds)


# Key in JSON, heading of the column, measurement.
MEASUREMENTS: list[tuple[str, str, Measurement]] = [
    ("playout_plies_per_second", "playouts, plies/s", measure_playouts),
    ("perft_nodes_per_second", "perft, nodes/s", measure_perft),
    ("mcts_simulations_per_second", "MCTS, simulations/s", measure_search),
]


@app.command()
def bench(
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, help="Time for each measurement.")
    ] = 0.5,
    threads: Threads = 1,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of all games on this machine, at their defaults."""
    import_numpy()
    names = _core.registered_names()
    results: dict[str, dict[str, float]] = {}
    steps = len(names) * len(MEASUREMENTS)

    def so_far() -> str:
        return f"stopped after {len(results)} of {len(names)} games"

    with interruptible(so_far), progress("bench", steps) as tell:
        for name in names:
            state = _core.load_game(name).new_initial_state()
            rates: dict[str, float] = {}
            for key, title, measure in MEASUREMENTS:
                tell(len(results) * len(MEASUREMENTS) + len(rates), f"{title_of(name)}: {title}")
                rates[key] = measure(state, seconds, threads)
            results[name] = rates
            if as_json:
                print_json(game=name, threads=threads, **rates)
    if as_json:
        return
    from rich.table import Table

    table = Table("game", box=None, pad_edge=False)
    for _, title, _ in MEASUREMENTS:
        table.add_column(title, justify="right")
    for name, rates in results.items():
        table.add_row(title_of(name), *(f"{rate:,.0f}" for rate in rates.values()))
    rich_console().print(table)


# ---- the entry point


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line, by default that of the process, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a macron gets a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # Whoever read our output has gone. Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + 13


def run(arguments: Sequence[str]) -> int:
    """Run a command line; return the exit code, with the one line on stderr said where due."""
    from quincunx import cli_play, cli_solve  # noqa: F401  # they add their commands to the app

    command = typer.main.get_command(app)
    try:
        # Not `command()`, which renders errors, Ctrl-C and broken pipes in ways of its own.
        with command.make_context("quincunx", list(arguments)) as context:
            command.invoke(context)
        return 0
    except typer.Exit as stop:
        return stop.exit_code
    except BadInput as error:
        return complain(str(error), 2)
    except Interrupted as error:
        return complain(str(error), 130)
    except KeyboardInterrupt:
        return complain("stopped", 130)
    except MemoryError:
        return complain("there is not enough memory for this", 2)
    except Exception as error:
        # A usage error of click, of which some versions of typer bring a copy of their own.
        if not hasattr(error, "format_message"):
            raise
        context_of_error = getattr(error, "ctx", None)
        hint = f"{context_of_error.command_path} --help" if context_of_error else "quincunx --help"
        return complain(f"{error.format_message().rstrip('.')} (see {hint})", 2)


def complain(message: str, code: int) -> int:
    """Say one line on stderr and return the exit code."""
    print(f"quincunx: {' '.join(message.split())}", file=sys.stderr)
    return code
