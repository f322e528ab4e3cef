"""Steps of a Batch per second, alone or beside Pgx's `hex` in one run.

    python bench/batch.py
    python3 -m venv /tmp/pgx && /tmp/pgx/bin/pip install pgx jax
    python bench/batch.py --pgx /tmp/pgx/bin/python

A step is one action in one row, with all that a learner reads after it: observations, legal masks,
players, rewards, ends, new starts. Actions are uniformly random legal ones, chosen in two ways: by
`Batch.random_actions`, and by numpy from the masks, as a caller without it would.

Pgx runs at its best here: all steps of a slice within one jitted loop, with `auto_reset`, actions
drawn from its masks by whichever of three ways is fastest; with as many rows as ours, and with the
faster of two numbers of rows. Both sides are asked in turn for slices of about half a second of
processor time (JAX has threads of its own, whose time counts); a row gives the best slice and the
median of either, and the ratio of the best.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from statistics import median
from typing import Any

from peers import Worker, alternate, rate, serve, table_head, table_row

ROWS = 4096
PGX_STEPS = 25  # within one call

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("unmergo", {"size": 5}),
    ("unmergo", {"size": 8}),
    ("impedio", {"size": 5}),
    ("unane", {"size": "8x8"}),
    ("fano330", {}),
    ("meigo", {"size": "9x9"}),
    ("meigo", {"size": "19x19"}),
]


def our_worker(
    game: str, parameters: dict[str, Any], rows: int, sampler: str
) -> Callable[[], float]:
    import numpy as np

    import quincunx

    if quincunx.BUILD_TYPE != "Release":
        raise SystemExit(
            f"this is a {quincunx.BUILD_TYPE} build; speeds are those of Release builds"
        )
    batch = quincunx.Batch(quincunx.load_game(game, **parameters), rows, seed=1)
    rng = np.random.default_rng(1)
    starts = np.arange(rows) * batch.game.num_distinct_actions()

    def from_masks() -> np.ndarray[Any, Any]:
        """The quickest way found in numpy: the places of all legal actions, one a row."""
        places = np.flatnonzero(batch.legal_actions_mask)
        first = np.searchsorted(places, starts)
        counts = np.diff(first, append=len(places))
        return places[first + (rng.random(rows) * counts).astype(np.int64)] - starts

    choose = batch.random_actions if sampler == "core" else from_masks

    def steps() -> float:
        for _ in range(8):
            batch.step(choose())
        return 8 * rows

    # Into the middle of games, each row at a place of its own.
    for _ in range(200):
        batch.step(batch.random_actions())
    return lambda: rate(steps)


def pgx_worker(rows: int, sampler: str) -> Callable[[], float]:
    import jax  # type: ignore[import-not-found]
    import jax.numpy as jnp  # type: ignore[import-not-found]
    import pgx  # type: ignore[import-not-found]
    from pgx.experimental import act_randomly, auto_reset  # type: ignore[import-not-found]

    env = pgx.make("hex")
    init = jax.jit(jax.vmap(env.init))
    step = jax.vmap(auto_reset(env.step, env.init))

    def by_rank(key: Any, mask: Any) -> Any:
        """One random number a row, and the action of that rank."""
        ranks = jnp.cumsum(mask, axis=1, dtype=jnp.int32)
        chosen = (jax.random.uniform(key, (rows, 1)) * ranks[:, -1:]).astype(jnp.int32)
        return jnp.argmax(ranks > chosen, axis=1)

    def by_weight(key: Any, mask: Any) -> Any:
        """A random number for every action, and the highest."""
        weights = jax.random.bits(key, mask.shape, dtype=jnp.uint16).astype(jnp.int32)
        return jnp.argmax(jnp.where(mask, weights, -1), axis=1)

    choose = {"pgx": act_randomly, "rank": by_rank, "weight": by_weight}[sampler]

    @jax.jit
    def run(state: Any, key: Any) -> Any:
        def body(_: Any, carry: Any) -> Any:
            state, key = carry
            key, for_actions, for_starts = jax.random.split(key, 3)
            actions = choose(for_actions, state.legal_action_mask)
            return step(state, actions, jax.random.split(for_starts, rows)), key

        return jax.lax.fori_loop(0, PGX_STEPS, body, (state, key))

    carry = [init(jax.random.split(jax.random.PRNGKey(0), rows)), jax.random.PRNGKey(1)]

    def steps() -> float:
        carry[:] = jax.block_until_ready(run(*carry))
        return PGX_STEPS * rows

    steps()  # compiles
    return lambda: rate(steps)


def alone(slices: int, rows: int) -> None:
    print(f"{'game':28}{'M steps/s with random_actions':>32}{'with numpy from masks':>26}")
    for game, parameters in GAMES:
        figures = []
        for sampler in ("core", "numpy"):
            slice_rate = our_worker(game, parameters, rows, sampler)
            rates = [slice_rate() / 1e6 for _ in range(slices)]
            figures.append(f"{max(rates):.2f} ({median(rates):.2f})")
        name = " ".join([game, *(f"{key}={value}" for key, value in parameters.items())])
        print(f"{name:28}{figures[0]:>32}{figures[1]:>26}", flush=True)


def beside_pgx(python: str, slices: int, rows: int) -> None:
    choices: list[tuple[float, int, str]] = []
    for size in (rows, rows // 4):
        for sampler in ("pgx", "rank", "weight"):
            worker = Worker(python, __file__, "pgx", {"rows": size, "sampler": sampler})
            choices.append((max(worker.slice() for _ in range(2)), size, sampler))
            worker.close()
            print(
                f"pgx hex, {size} rows, actions by {sampler}: {choices[-1][0] / 1e6:.3f} M steps/s"
            )
    as_many_rows, fastest = max(c for c in choices if c[1] == rows), max(choices)
    print(table_head("steps/s"))
    for ours in ("core", "numpy"):
        for _, size, sampler in dict.fromkeys((as_many_rows, fastest)):
            request = {"game": "unmergo", "parameters": {"size": 5}, "rows": rows, "sampler": ours}
            workers = (
                Worker(sys.executable, __file__, "ours", request),
                Worker(python, __file__, "pgx", {"rows": size, "sampler": sampler}),
            )
            rates = alternate(*workers, slices)
            theirs = f"hex, {size} rows, {sampler}"
            print(table_row("unmergo", {"actions": ours}, theirs, rates, 20), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pgx", metavar="PYTHON", help="the interpreter that has pgx and jax")
    parser.add_argument("--slices", type=int, default=5, help="slices of each side (default 5)")
    parser.add_argument("--rows", type=int, default=ROWS, help=f"rows (default {ROWS})")
    parser.add_argument("--serve", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        side, request = arguments.serve[0], json.loads(arguments.serve[1])
        serve(our_worker(**request) if side == "ours" else pgx_worker(**request))
    elif arguments.pgx:
        beside_pgx(arguments.pgx, arguments.slices, arguments.rows)
    else:
        alone(arguments.slices, arguments.rows)


if __name__ == "__main__":
    main()
