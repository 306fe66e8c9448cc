#!/bin/sh
# How large harness/ is: the tables of docs/internals.md, "How large it is". Needs lizard
# (pip install lizard), which counts functions.
#
#   docs/size.sh [folder]
set -eu
cd "${1:-"$(dirname "$0")/.."}"

# Fields: lines of code, cyclomatic complexity, tokens, parameters, length, …; one function a line.
lizard -l c --csv harness | sort -t, -n -k5,5 | awk -F, '
    { length_of[NR] = $5; sum += $5; parameters += $4; over_60 += $5 > 60; over_5 += $4 > 5 }
    END {
        printf "functions %d: median %d, mean %.1f, p90 %d, p99 %d, max %d lines; %d over 60\n",
            NR, length_of[int(NR / 2) + 1], sum / NR, length_of[int(NR * 0.9) + 1],
            length_of[int(NR * 0.99) + 1], length_of[NR], over_60
        printf "parameters: mean %.2f, %d functions (%.1f %%) with more than 5\n",
            parameters / NR, over_5, 100 * over_5 / NR
    }'
find harness -name '*.[ch]' -o -name '*.def' | while read -r file; do
    echo "$(wc -l <"$file") $file"
done | sort -n | awk '
    { lines[NR] = $1; sum += $1; room = $2; sub(/^harness\//, "", room); sub(/\/[^\/]*$/, "", room)
      sub(/\/cxx_shim$/, "", room); files[room]++; of[room] += $1 }
    END {
        printf "files %d, lines %d: median %d, p90 %d, max %d\n", NR, sum, lines[int(NR / 2) + 1],
            lines[int(NR * 0.9) + 1], lines[NR]
        for (room in of)
            printf "%-24s %3d files %6d lines\n", room, files[room], of[room] | "sort"
    }'
