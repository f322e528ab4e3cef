"""The counts of tests/data, agreed between independent programs: the core and the reference.

Each entry names a game, parameters and a position; `nodes` lists the counts of depth 0, 1, ...
(or holds the one count of `depth`).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import quincunx
from quincunx import reference

QUICK = 3_000_000  # nodes that the core counts in every run
SLOW_REFERENCE = 4_000  # nodes that the reference counts

DATA = Path(__file__).parent / "data"


class Count(NamedTuple):
    """One number to be found."""

    game: str
    entry: dict[str, Any]
    depth: int
    nodes: int

    @property
    def id(self) -> str:
        return f"{self.game}-{self.entry['id']}-depth{self.depth}"

    def state(self, library: Any) -> Any:
        game = library.load_game(self.game, **self.entry["parameters"])
        return game.new_initial_state(self.entry["position"])


def read_counts() -> list[Count]:
    counts = []
    for path in sorted(DATA.glob("*.json")):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            first = entry.get("depth", 0)
            nodes = entry["nodes"] if isinstance(entry["nodes"], list) else [entry["nodes"]]
            counts += [Count(path.stem, entry, first + i, n) for i, n in enumerate(nodes)]
    return counts


COUNTS = read_counts()
SMALL = [count for count in COUNTS if count.nodes <= QUICK]
DEEP = [count for count in COUNTS if count.nodes > QUICK]


def deepest(counts: list[Count]) -> list[Count]:
    """Keep the deepest count of each entry, which contains the others."""
    last = {(count.game, count.entry["id"]): count for count in counts}
    return list(last.values())


def parametrized(counts: list[Count]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("count", counts, ids=[count.id for count in counts])


def check(count: Count, threads: int = 1, hash_mb: int = 0) -> None:
    state = count.state(quincunx)
    unit = count.entry["unit"]
    found = quincunx.perft(state, count.depth, unit=unit, threads=threads, hash_mb=hash_mb)
    if found != count.nodes:
        split = quincunx.divide(state, count.depth, unit=unit) if count.depth else {}
        pytest.fail(f"{count.id}: found {found}, not {count.nodes}; by first action: {split}")


def test_there_are_counts_of_every_game():
    assert {count.game for count in COUNTS} == set(quincunx.registered_names())


@parametrized(SMALL)
def test_core_finds_the_agreed_count(count):
    check(count)


@pytest.mark.deep
@parametrized(DEEP)
def test_core_finds_the_agreed_deep_count(count):
    check(count, threads=2)


@parametrized(deepest(SMALL))
def test_two_threads_count_the_same(count):
    check(count, threads=2)


# The deepest counts: there positions come up again. Games with a repetition rule are among them.
@parametrized(deepest(SMALL))
def test_a_table_of_counts_changes_none(count):
    check(count, threads=2, hash_mb=2)
    check(count, hash_mb=1)


@parametrized(deepest([count for count in COUNTS if count.nodes <= SLOW_REFERENCE]))
def test_reference_finds_the_agreed_count(count):
    state = count.state(reference)
    unit = count.entry["unit"]
    found = reference.perft(state, count.depth, unit=unit)
    if found != count.nodes:
        split = reference.divide(state, count.depth, unit=unit)
        pytest.fail(f"{count.id}: found {found}, not {count.nodes}; by first action: {split}")


@parametrized(deepest([count for count in SMALL if count.depth > 0]))
def test_divide_is_perft_split_by_the_first_action(count):
    state = count.state(quincunx)
    unit = count.entry["unit"]
    split = quincunx.divide(state, count.depth, unit=unit)
    assert sum(split.values()) == count.nodes
    first = state.turns() if unit == "turn" else map(state.action_to_string, state.legal_actions())
    assert list(split) == list(first)


@parametrized([count for count in COUNTS if count.depth == 1 and count.nodes <= 400])
def test_divide_of_the_reference_has_the_same_keys_and_shares(count):
    unit = count.entry["unit"]
    depth = 2 if count.nodes <= 20 else 1
    ours = quincunx.divide(count.state(quincunx), depth, unit=unit)
    assert ours == reference.divide(count.state(reference), depth, unit=unit)


@parametrized([count for count in COUNTS if count.depth == 1])
def test_depth_zero_counts_one_even_for_a_finished_game(count):
    state = count.state(quincunx)
    for unit in ("ply", "turn"):
        assert quincunx.perft(state, 0, unit=unit) == 1
        assert (quincunx.perft(state, 1, unit=unit) == 0) == state.is_terminal()


def test_counting_leaves_the_state_alone(case):
    state = case.core().new_initial_state()
    state.apply_action(state.legal_actions()[-1])
    before = (state.position(), state.history())
    quincunx.perft(state, 2)
    quincunx.divide(state, 1)
    assert (state.position(), state.history()) == before


def test_perft_remembers_the_plies_before():
    # After c4 the reply b4 brings the board back: with repetition=2 that ends the game, which a
    # count from the middle of the line has to know.
    game = quincunx.load_game("meigo", size="6x6", repetition=2)
    state = game.new_initial_state("....../.xo.../xo.o../.xo.../....../...... x 0 0 u -")
    state.apply_action(state.string_to_action("c4"))
    reply = state.string_to_action("b4")
    fresh = game.new_initial_state(state.position())
    assert state.child(reply).is_terminal()
    assert not fresh.child(reply).is_terminal()
    lost = quincunx.perft(fresh.child(reply), 1)
    assert lost > 0
    assert quincunx.perft(state, 2) == quincunx.perft(fresh, 2) - lost
