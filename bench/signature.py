"""One line a game: node counts and a checksum of random playouts at fixed seeds.

An optimisation must not change a line; a change of rules or of the random choice must say so.
`python bench/signature.py --check` compares with bench/signature.txt and exits 1 on a difference.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from pathlib import Path
from typing import Any

import quincunx

# Game, parameters, perft depth. Every board type is here: small and large, fixed and general.
RUNS: list[tuple[str, dict[str, Any], int]] = [
    ("fano330", {}, 7),
    ("fano330", {"adjacency": "plane"}, 7),
    ("impedio", {"size": 3}, 5),
    ("impedio", {"size": 5}, 4),
    ("impedio", {"size": 8}, 3),
    ("meigo", {"size": "5x4"}, 4),
    ("meigo", {"size": "9x9"}, 3),
    ("meigo", {"size": "13x13"}, 3),
    ("meigo", {"size": "19x19"}, 2),
    ("unane", {"size": "6x5"}, 5),
    ("unane", {"size": "8x8"}, 4),
    ("unane", {"size": "16x16"}, 3),
    ("unmergo", {"size": 3}, 6),
    ("unmergo", {"size": 5}, 5),
    ("unmergo", {"size": 8}, 3),
]
RECORDED = Path(__file__).with_name("signature.txt")


def signature() -> str:
    lines = []
    for name, parameters, depth in RUNS:
        start = quincunx.load_game(name, **parameters).new_initial_state()
        nodes = quincunx.perft(start, depth)
        games = quincunx.playouts(start, 500, seed=2026)
        checksum = zlib.crc32(games.lengths.tobytes() + games.returns.tobytes())
        label = " ".join([name, *(f"{k}={v}" for k, v in parameters.items())])
        lines.append(f"{label:24} perft({depth}) {nodes:>10}  playouts {checksum:08x}\n")
    return "".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the recorded lines")
    parser.add_argument("--record", action="store_true", help="record these lines")
    arguments = parser.parse_args()
    now = signature()
    sys.stdout.write(now)
    if arguments.record:
        RECORDED.write_text(now)
    if arguments.check and now != RECORDED.read_text():
        print("the signature differs from bench/signature.txt", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
