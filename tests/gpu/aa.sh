#!/bin/sh
# The A/A test: the same config run twice must not differ. Of all points, at most 5 % may have a
# rank test (`redsweep diff`) below the 5 % level; more means that something besides the kernels
# changes from run to run, and that small differences between two runs mean nothing.
#
#   tests/gpu/aa.sh [CONFIG]        runs CONFIG (configs/aa.json) twice, about 10 s each on an H200
#   tests/gpu/aa.sh RUN_A RUN_B     compares two runs that are there
#
# The runs and aa.txt go to ${OUT:-build/aa}. Exit codes: 0 passed, 1 too many points differ,
# 2 nothing could be compared.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
out=${OUT:-$build/aa}
mkdir -p "$out"
if [ $# -eq 2 ]; then
    a=$1 b=$2
else
    a=$out/a b=$out/b
    rm -rf "$a" "$b"
    for run in "$a" "$b"; do
        "$build/redsweep" run "${1:-configs/aa.json}" --device "${DEVICE:-cuda}" --out "$run" || exit 2
    done
fi
# Two cards differ, by clocks and by memory: that is no A/A test.
card() { sed -n 's/.*"uuid":[[:space:]]*"\([^"]*\)".*/\1/p' "$1/results.json" | head -1; }
if [ "$(card "$a")" != "$(card "$b")" ]; then
    echo "$a and $b were measured on different cards: $(card "$a") and $(card "$b")"
    exit 2
fi
"$build/redsweep" diff "$a" "$b" --csv "$out/aa.csv" >"$out/diff.txt"
[ $? -ne 2 ] || exit 2
awk -f plots/csv.awk -f tests/gpu/aa.awk "$out/aa.csv" | tee "$out/aa.txt"
# tee's exit code is the pipe's: the verdict is in the text.
grep -q '^passed' "$out/aa.txt"
