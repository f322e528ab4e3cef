"""The command `solve`: what is certain of a position."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx import _core
from quincunx.cli.shared import (
    AsJson,
    BadInput,
    GameName,
    Parameters,
    Position,
    app,
    counted,
    file_errors,
    heading,
    interruptible,
    open_state,
    print_json,
    progress,
    refusals,
)
from quincunx.text import draw
from quincunx.turns import turns_of

if TYPE_CHECKING:
    from quincunx.solver import Solution


@app.command()
def solve(
    game: GameName,
    parameters: Parameters = None,
    position: Position = None,
    limit: Annotated[
        str | None, typer.Option("--time", metavar="T", help="Stop after so long: 90, 15m, 2h.")
    ] = None,
    memory: Annotated[
        int,
        typer.Option(
            "--memory", metavar="M", min=1, max=_core._max_solver_mb, help="Megabytes to use."
        ),
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
    with refusals(), file_errors(checkpoint):
        if rebuild:
            if game != "fano330":
                raise BadInput("--rebuild is for the tablebase of fano330")
            Tablebase.build(game, adjacency=str(state.get_game().parameters["adjacency"]))
        solver = Solver(state, memory_mb=memory, checkpoint=checkpoint)

    def what_is_known() -> str:
        found = solver.solution()
        show_solution(state, found, as_json)
        goes_on = "" if checkpoint is None else f": --checkpoint {checkpoint} goes on"
        return f"stopped after {counted(found.nodes, 'node')}{goes_on}"

    with (
        interruptible(what_is_known),
        refusals(),
        file_errors(checkpoint),
        progress(f"solve {game}") as tell,
    ):
        found = solver.run(seconds, lambda done: tell(0, str(done)))
    show_solution(state, found, as_json)


def read_time(text: str | None) -> float | None:
    """Read a time such as 90, 90s, 15m or 2h; return it in seconds."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,7}(?:\.[0-9]{1,6})?)([smh]?)", text)
    if found is None:
        raise BadInput(f"--time is a number of seconds, or such as 15m or 2h, not {text!r}")
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def show_solution(state: _core.State, found: Solution, as_json: bool) -> None:
    """Print what is known."""
    best = [state.action_to_string(action) for action in found.best_actions]
    line = line_text(state, found.line)
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
            best_actions=best,
            line=line,
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
    if len(best) > 1:
        print(f"best: {', '.join(best)}")
    if line:
        print(f"line: {', '.join(line)}")
    counts = [counted(found.nodes, "node")] if found.nodes else []
    counts += [counted(found.positions, "position")] if found.positions else []
    print(", ".join([*counts, f"{found.seconds:.2f} s"]))


def line_text(state: _core.State, line: list[int]) -> list[str]:
    """Return the actions of a line as text, turn by turn."""
    if state.get_game().name == "unmergo":
        return [text for text, _ in turns_of(state, line)]
    # Not played: a limit on plies or repetitions would end the game.
    return [state.get_game().action_to_string(action) for action in line]
