"""Many independent tasks on several processes: `run_tasks`.

The processes are started afresh ("spawn"), which works on every platform and beside threads. They
leave Ctrl-C to the parent, which ends them at once.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar, cast

__all__ = ["run_tasks", "usable_processors"]

Task = TypeVar("Task")
Result = TypeVar("Result")


def usable_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_tasks(
    function: Callable[[Task], Result], tasks: Iterable[Task], processes: int = 1
) -> Generator[tuple[Task, Result], None, None]:
    """Yield each task with its result, in the order in which they are done.

    With one process everything happens here, in order. With more, `function`, tasks and results
    are pickled; in a program of one's own the call must stand under `if __name__ == "__main__":`.
    An exception of `function` ends it all and is raised here. Whoever closes the iterator, or
    leaves a loop over it through an exception, ends the processes.
    """
    if processes < 1:
        raise ValueError("processes must be 1 or more")
    if processes == 1:
        for task in tasks:
            yield task, function(task)
        return
    waiting = iter(tasks)
    workers: dict[Connection[Any, Any], tuple[BaseProcess, Task]] = {}
    context = multiprocessing.get_context("spawn")
    try:
        for task in waiting:
            ours, theirs = context.Pipe()
            process: BaseProcess = context.Process(
                target=_work, args=(theirs, function), daemon=True
            )
            with _interrupts_held():
                process.start()
            theirs.close()
            ours.send(task)
            workers[ours] = process, task
            if len(workers) == processes:
                break
        while workers:
            for ready in wait(list(workers)):
                pipe = cast("Connection[Any, Any]", ready)
                process, task = workers[pipe]
                try:
                    result, error = pipe.recv()
                except (EOFError, OSError):
                    process.join()
                    code = process.exitcode
                    raise RuntimeError(f"a worker process died, exit code {code}") from None
                if error is not None:
                    raise error
                following = next(waiting, None)
                if following is None:
                    del workers[pipe]
                    pipe.close()
                    process.join()
                else:
                    pipe.send(following)
                    workers[pipe] = process, following
                yield task, result
    finally:
        for pipe, (process, _) in workers.items():
            process.terminate()
            pipe.close()
        for process, _ in workers.values():
            process.join()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back: a process started meanwhile never sees it, this one does afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Starting the tracker lets signals through again, so it has to run before.
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection[Any, Any], function: Callable[[Any], Any]) -> None:
    """Do tasks until the pipe closes: the whole life of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The parent goes when it has had enough, or dies.
    with suppress(EOFError, OSError):
        while True:
            task = pipe.recv()
            try:
                answer: tuple[Any, Exception | None] = (function(task), None)
            except Exception as error:
                answer = (None, error)
            try:
                pipe.send(answer)
            except (AttributeError, TypeError, ValueError):
                # What cannot be pickled is told in words.
                pipe.send((None, RuntimeError(f"{answer[1] or answer[0]!r}")))
