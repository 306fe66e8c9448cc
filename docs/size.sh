#!/bin/sh
# This script prints the tables of docs/size.md, which say how large harness/ is. It needs lizard
# (pip install lizard), which counts functions.
#
#   docs/size.sh [folder]
set -eu
cd "${1:-"$(dirname "$0")/.."}"

command -v lizard >/dev/null || {
    echo 'docs/size.sh: lizard, which counts functions, is not installed: pip install lizard' >&2
    exit 1
}

# Each line describes a function. Its fields are lines of code, cyclomatic complexity, tokens,
# parameters, length, ….
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

find harness -name '*.[ch]' -o -name '*.def' | xargs cat | awk '
    /^[ \t]*$/ { next }
    /^[ \t]*(\/\*|\*|\/\/)/ { comments++; next }
    { code++ }
    END { printf "lines of comments alone / lines of code: %.2f\n", comments / code }'

# The cost of a feature is the number of lines in the files that exist for it. The patterns match
# today's folders.
feature() {
    name=$1
    shift
    printf '%-46s %6d lines\n' "$name" "$(find "$@" -type f 2>/dev/null | grep -v '\.md$' | xargs -r cat | wc -l)"
}
feature 'PTX simulator' harness/devices/sim
feature '- of which the race detector' harness/devices/sim/races
feature 'CUDA device' harness/devices/cuda
feature '- of which CUPTI' harness/devices/cuda/cu*pti* harness/devices/cuda/counter*
feature 'analyze, tuned' harness/analyze harness/tuned
feature '- diff, gate (and their statistics)' harness/analyze/diff* harness/analyze/times* \
    harness/analyze/unrest.* harness/analyze/sign_flip.* harness/analyze/adjust.* \
    harness/analyze/problem_offset.* harness/analyze/rank.* harness/analyze/launch.* \
    harness/analyze/match.* harness/cli/gate.c
feature '- best' harness/analyze/best* harness/cli/best.c
feature '- report' harness/analyze/report*
feature '- show' harness/analyze/show.*
feature '- merge, status' harness/analyze/merge* harness/analyze/shards.* harness/analyze/status*
feature '- views and their writers' harness/analyze/view* harness/table/view*
feature '- tuned' harness/tuned
feature 'table' harness/table
feature 'run' harness/run
feature 'record' harness/record
feature 'measure' harness/measure
feature 'config' harness/spec/config* harness/spec/json.* harness/spec/exclude.c
feature 'kernel facts' harness/spec/kernel* harness/spec/facts.*
feature 'field engine (config, facts, options)' harness/base/fields.* harness/base/options.*
feature 'expressions' harness/base/expr* harness/base/caret.*
feature 'plan' harness/plan
feature 'workloads' harness/workloads
feature 'jobs of Slurm' harness/cluster
feature 'charts' harness/charts harness/cli/plots.c
feature 'charts: gnuplot' plots/*.gp
printf '%-46s %6d lines\n' tests "$(find tests -name '*.[ch]' -o -name '*.sh' -o -name '*.awk' -o -name '*.py' | xargs cat | wc -l)"

# This counts the words of each page for use (which docs/README.md lists under Use), of all these
# pages together, and of all other pages.
[ -f docs/README.md ] || exit 0
use=$({ echo docs/README.md README.md; sed -n '/^## Use/,/^Commands generate/p' docs/README.md | grep '^|' | grep -o '](\([^)]*\))' |
    sed 's/^](//; s/)$//; s/^\.\.\///; /\//!s/^/docs\//'; } | tr ' ' '\n')
# shellcheck disable=SC2086
wc -w $use
printf '%-46s %6d words\n' 'other pages of docs/, made by commands too' \
    "$(find docs -name '*.md' | grep -vxF "$use" | xargs cat | wc -w)" \
    'results, evidence beside its data' "$(find results -name '*.md' | xargs cat | wc -w)" \
    'harness, tests, experiments: for developers' "$(find harness tests experiments -name '*.md' | xargs cat | wc -w)"
