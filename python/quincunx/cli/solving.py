"""The command `solve`: what is certain of a position."""

from __future__ import annotations

from typing import Annotated

import typer

from quincunx.cli.shared import (
    AsJson,
    BadInput,
    GameName,
    Parameters,
    Position,
    Stopwatch,
    app,
    heading,
    open_state,
    print_json,
)
from quincunx.text import draw


@app.command()
def solve(
    game: GameName,
    parameters: Parameters = None,
    position: Position = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Make the tablebase of fano330 anew.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say who wins with best play, and how."""
    from quincunx.tablebase import Tablebase

    state = open_state(game, parameters, position)
    if game != "fano330":
        raise BadInput(f"there is no solver of {game}: only fano330 is solved")
    watch = Stopwatch()
    adjacency = str(state.get_game().parameters["adjacency"])
    make = Tablebase.build if rebuild else Tablebase
    try:
        table = make(game, adjacency=adjacency)
    except OSError as error:
        raise BadInput(f"{error.filename}: {error.strerror or error}") from error
    seconds = watch.seconds()
    found, line = table.probe(state), table.line(state)
    names = [state.get_game().action_to_string(action) for action in line]
    best = [state.action_to_string(action) for action in found.best_actions]
    if as_json:
        print_json(
            game=game,
            parameters=state.get_game().parameters,
            position=state.position(),
            value=found.value,
            distance=found.distance,
            best_actions=best,
            line=names,
            entries=table.entries,
            positions=table.positions,
            seconds=seconds,
            file=None if table.path is None else str(table.path),
        )
        return
    print(heading(state.get_game()))
    print(draw(state))
    print()
    if state.is_terminal():
        print(state.ending())
    elif found.distance is None:
        print("a draw: neither side can force a win")
    else:
        what = "wins" if found.value > 0 else "loses"
        print(f"the player to move {what} in {found.distance} plies")
    if best:
        print(f"best: {' '.join(best)}")
    if line:
        print(f"line: {' '.join(names)}")
    where = "in memory" if table.path is None else f"in {table.path}"
    print(f"{table.entries:,} entries for {table.positions:,} positions {where} ({seconds:.2f} s)")
