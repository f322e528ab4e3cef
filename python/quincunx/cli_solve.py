"""The command `solve`: what is certain of a position.

Importing this module adds it to the command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx import _core
from quincunx.cli import (
    AsJson,
    BadInput,
    GameName,
    Interrupted,
    Parameters,
    Position,
    app,
    heading,
    open_state,
    print_json,
    progress,
    refusals,
)
from quincunx.text import draw
from quincunx.turns import turns_of

if TYPE_CHECKING:
    from quincunx.solver import Progress, Solution

__all__: list[str] = []


@app.command()
def solve(
    game: GameName,
    parameters: Parameters = None,
    position: Position = None,
    limit: Annotated[
        str | None, typer.Option("--time", metavar="T", help="Stop after so long: 90, 15m, 2h.")
    ] = None,
    memory: Annotated[
        int, typer.Option("--memory", metavar="M", min=1, max=2**20, help="Megabytes to use.")
    ] = 1024,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint", metavar="FILE", help="Go on from this file, and write it every minute."
        ),
    ] = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the tablebase of fano330 anew.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say who wins with best play, and how.

    Play is by the letter of the rules: without limits on plies and repetitions. When time or memory
    end sooner, what is known by then is said.
    """
    from quincunx.solver import Solver
    from quincunx.tablebase import Tablebase

    state = open_state(game, parameters, position)
    seconds = read_time(limit)
    if rebuild:
        if game != "fano330":
            raise BadInput("--rebuild is for the tablebase of fano330")
        with file_errors():
            Tablebase.build(game, adjacency=str(state.get_game().parameters["adjacency"]))
    with refusals(), file_errors():
        solver = Solver(state, memory_mb=memory, checkpoint=checkpoint)
    stopped = False
    with progress(f"solve {game}") as tell:

        def on_progress(done: Progress) -> None:
            note = f"{done.nodes:,} nodes"
            if done.positions:
                note += f", {done.positions:,} positions"
            elif done.depth:
                note += f", wins in {done.depth} plies"
            tell(0, f"{note}, {done.nodes / max(done.seconds, 1e-9):,.0f}/s")

        try:
            with refusals(), file_errors():
                found = solver.run(seconds, on_progress)
        except KeyboardInterrupt:
            stopped = True
            found = solver.solution()
    show_solution(state, found, as_json)
    if stopped and not found.proven:
        rest = "" if checkpoint is None else f": --checkpoint {checkpoint} goes on"
        raise Interrupted(f"stopped after {found.nodes:,} nodes{rest}")


def read_time(text: str | None) -> float | None:
    """Read a time such as 90, 90s, 15m or 2h; return it in seconds."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)([smh]?)", text)
    if found is None:
        raise BadInput(f"--time is a number of seconds, or such as 15m or 2h, not {text!r}")
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


@contextmanager
def file_errors() -> Iterator[None]:
    """Turn what can go wrong with a file into bad input."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{error.filename or 'file'}: {error.strerror or error}") from error


def show_solution(state: _core.State, found: Solution, as_json: bool) -> None:
    """Print what is known."""
    turns = line_text(state, found.line)
    if as_json:
        print_json(
            game=state.get_game().name,
            parameters=state.get_game().parameters,
            position=state.position(),
            player=found.player,
            value=found.value,
            low=found.low,
            high=found.high,
            distance=found.distance,
            line=turns,
            nodes=found.nodes,
            positions=found.positions,
            seconds=round(found.seconds, 6),
            reason=found.reason,
        )
        return
    print(heading(state.get_game()))
    print(draw(state))
    print()
    print(found.reason)
    if turns:
        print(f"line: {', '.join(turns)}")
    counts = [f"{found.nodes:,} nodes"] if found.nodes else []
    counts += [f"{found.positions:,} positions"] if found.positions else []
    print(", ".join([*counts, f"{found.seconds:.2f} s"]))


def line_text(state: _core.State, line: list[int]) -> list[str]:
    """Return the actions of a line as text, turn by turn."""
    if state.get_game().name == "unmergo":
        return [text for text, _ in turns_of(state, line)]
    # Not played: a limit on plies or repetitions would end the game.
    return [state.get_game().action_to_string(action) for action in line]
