"""The command `quincunx`: one function a command, on top of the package.

Exit 0: done; 1: a check failed; 2: bad input, with one line on stderr; 130: stopped by Ctrl-C.
Results go to stdout, with `--json` as one JSON object a line and nothing else; progress and
complaints go to stderr.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

# Importing these adds their commands to the app, in this order.
from quincunx.cli import engine, playing, selfplay, solving  # noqa: F401
from quincunx.cli.shared import BadInput, Interrupted, app

__all__ = ["main"]


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
