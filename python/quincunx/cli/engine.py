"""The commands of the engine itself: what it counts, checks and measures."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypedDict

import typer

from quincunx import _core
from quincunx.cli.shared import (
    AsJson,
    BadInput,
    GameName,
    MaxPlies,
    Moves,
    Parameters,
    Position,
    Seed,
    Stopwatch,
    Threads,
    app,
    counted,
    file_errors,
    heading,
    import_numpy,
    interruptible,
    open_state,
    parse_parameters,
    per_second,
    print_json,
    progress,
    refusals,
    rich_console,
    state_after,
)
from quincunx.text import draw, option_text, title_of


class Unit(enum.StrEnum):
    """What perft counts by."""

    ply = "ply"
    turn = "turn"


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
    moves: Moves = "",
    legal: Annotated[
        bool, typer.Option("--legal", help="List the legal actions too, and mark them in pictures.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="FILE", help="Write a picture of it too.")
    ] = None,
    png: Annotated[
        Path | None, typer.Option("--png", metavar="FILE", help="The same in pixels.")
    ] = None,
    simulations: Annotated[
        int | None,
        typer.Option(
            "--simulations", min=1, max=10**9, help="Search, and mark the visits in pictures."
        ),
    ] = None,
    last_move: Annotated[
        bool, typer.Option("--last-move/--no-last-move", help="Mark the last turn in pictures.")
    ] = True,
    size: Annotated[
        int, typer.Option("--size", help="The longer side of pictures in pixels, 100 to 4000.")
    ] = 480,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Draw a position in the terminal, and with --svg or --png as a picture.

    Files that exist are replaced.
    """
    state = state_after(game, parameters, position, moves)
    if svg is not None or png is not None:
        visits = None
        if simulations is not None:
            import_numpy()
            with interruptible(lambda: "stopped before the end of the search"), refusals():
                visits = _core.MCTS(simulations, seed=seed).search(state)
        options = PictureOptions(last_move=last_move, legal=legal, visits=visits, size=size)
        write_pictures(state, svg, png, options)
    elif simulations is not None:
        raise BadInput("--simulations goes with --svg FILE or --png FILE")
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


class PictureOptions(TypedDict):
    """What `to_svg` and `to_image` take."""

    last_move: bool
    legal: bool
    visits: _core.SearchResult | None
    size: int


def write_pictures(
    state: _core.State, svg: Path | None, png: Path | None, options: PictureOptions
) -> None:
    """Write pictures of a state to files."""
    with refusals():
        if svg is not None:
            text = state.to_svg(**options)
            with file_errors(svg):
                svg.write_text(text, encoding="utf-8", newline="\n")
        if png is not None:
            import_numpy()
            from quincunx.raster import to_image

            image = to_image(state, **options)
            with file_errors(png):
                image.save(png, format="PNG")


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
