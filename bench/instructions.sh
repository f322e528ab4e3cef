#!/usr/bin/env bash
# Instructions per ply of random playouts and per perft node, counted by valgrind: the same on every run.
#
#   bench/instructions.sh           prints the table
#   bench/instructions.sh --check   also fails if a figure is more than 10% above the table in bench/README.md
#
# Each figure is the difference of two runs of different length, so that start-up does not count. valgrind does not
# report PDEP to the program, so the portable way of finding the k-th set bit is counted.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build/instructions
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DQUINCUNX_BUILD_PYTHON=OFF -DQUINCUNX_BUILD_BENCH=ON >/dev/null
cmake --build "$build" --parallel 2 >/dev/null
program=$build/instructions

# Prints the work done and the instructions taken.
count() {
    local log work
    log=$(mktemp)
    work=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$log" "$program" "$@")
    echo "$work $(sed -n 's/.*Collected : *//p' "$log")"
    rm -f "$log"
}

# per_unit SHORT LONG GAME…: instructions per unit of work, from a short and a long run.
per_unit() {
    local mode=$1 short=$2 long=$3
    shift 3
    echo "$(count "$@" "$mode" "$short") $(count "$@" "$mode" "$long")" | awk '{ printf "%.1f", ($4 - $2) / ($3 - $1) }'
}

table=$(
    while read -r games depth game; do
        # shellcheck disable=SC2086
        printf '| %s | %s | %s |\n' "$game" "$(per_unit playouts "$games" $((3 * games)) $game)" \
            "$(per_unit perft $((depth - 1)) "$depth" $game)"
    done <<'RUNS'
1000 8 fano330
1000 8 fano330 adjacency=plane
200 4 impedio size=5
100 3 meigo size=9x9
20 3 meigo size=13x13
20 2 meigo size=19x19
200 4 unane size=8x8
100 3 unane size=10x10
200 4 unmergo size=5
100 3 unmergo size=8
RUNS
)
echo '| game | per ply | per node |'
echo '| --- | --- | --- |'
echo "$table"

if [ "${1:-}" = --check ]; then
    awk -F' *\\| *' '
        FNR == NR { if (NF > 3 && $3 + 0 > 0) { ply[$2] = $3; node[$2] = $4 } next }
        !($2 in ply) { print "not in bench/README.md: " $2; bad = 1; next }
        $3 > 1.1 * ply[$2] { print $2 ": " $3 " instructions a ply, recorded " ply[$2]; bad = 1 }
        $4 > 1.1 * node[$2] { print $2 ": " $4 " instructions a node, recorded " node[$2]; bad = 1 }
        END { exit bad }
    ' <(sed -n '/^| game | per ply/,/^$/p' bench/README.md) <(echo "$table") >&2
fi
