#!/bin/sh
# A/A test: runs of the same config on the same card must not differ. `redsweep diff` does a rank
# test for each point of each pair of runs. On average over the pairs, at most 5 % of the points may
# have p < 0.05, and at most 8 % in any pair. `redsweep diff` must exit with 0 for 95 % of the
# ordered pairs, and swapping the two runs must reverse its conclusion. Otherwise, something besides
# the kernels changes from run to run.
#
#   experiments/comparing/aa.sh [CONFIG]    runs CONFIG (configs/aa.json) RUNS times (2), about 3 s each on an H200
#   experiments/comparing/aa.sh RUN RUN…    compares all pairs of these runs, in both orders
#
# The runs and aa.txt are written to ${OUT:-build/aa}. The exit code is 0 if the test passed, 1 if the runs
# differ, and 2 if there is nothing to compare.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
out=${OUT:-$build/aa}
mkdir -p "$out"
if [ $# -lt 2 ]; then
    config=${1:-configs/aa.json}
    set --
    for i in $(seq "${RUNS:-2}"); do
        rm -rf "$out/run$i"
        "$build/redsweep" run "$config" --device "${DEVICE:-cuda}" --out "$out/run$i" || exit 2
        set -- "$@" "$out/run$i"
    done
fi
# Two cards differ in clocks and memory, so runs on different cards are not an A/A test.
card() { "$build/redsweep" show "$1" --info | sed -n 's/^provenance\.device\.uuid\t//p'; }
for run in "$@"; do
    [ "$(card "$1")" = "$(card "$run")" ] && continue
    echo "$1 and $run were measured on different cards: $(card "$1") and $(card "$run")"
    exit 2
done
: >"$out/pairs.txt"
: >"$out/sizes.txt"
i=0
for a in "$@"; do
    i=$((i + 1)) j=0
    for b in "$@"; do
        j=$((j + 1))
        [ $i -ne $j ] || continue
        code=0
        "$build/redsweep" diff "$a" "$b" --data "$out/points.data" >"$out/diff.txt" || code=$?
        [ $code -lt 2 ] || exit 2
        # The tables of kernels and of sizes are checked because users read them. Their lines
        # without a conclusion have "unknown" in the last column.
        for table in kernels sizes; do
            "$build/redsweep" diff "$a" "$b" --table $table --csv - | sed 1d
        done >"$out/lines.csv"
        awk -f tests/data.awk -f experiments/comparing/aa.awk -v shown="$(wc -l <"$out/lines.csv")" \
            -v unknown="$(grep -c ',unknown$' "$out/lines.csv")" -v i=$i -v j=$j -v a="$a" -v b="$b" \
            -v code=$code -v sizes="$out/sizes.txt" \
            "$out/points.data" >>"$out/pairs.txt" || exit 2
    done
done
awk -f experiments/comparing/aa_pairs.awk "$out/pairs.txt" | cat "$out/sizes.txt" - | tee "$out/aa.txt"
# The pipe's exit code is that of tee, so the verdict is read from the file.
grep -q '^passed' "$out/aa.txt"
