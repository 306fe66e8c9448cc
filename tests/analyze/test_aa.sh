#!/bin/sh
# Runs the checks that judge a GPU's runs (experiments/comparing/aa.sh, aa_table.sh, cold_warm.sh)
# on a recorded run and on damaged copies of it. Each check must accept the run and reject the
# copies.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
export BUILD
recorded=results/reference/h200-ladder
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run=$work/run
mkdir "$run"
cp "$recorded/run.json" "$recorded/results.csv" "$run"
gzip -dc "$recorded/samples.csv.gz" >"$run/samples.csv"
OUT=$work/out
export OUT
failed=0

# expect CODE PATTERN COMMAND…: the command must exit with CODE and print a line that matches.
expect() {
    code=0 wanted=$1 pattern=$2
    shift 2
    "$@" >"$work/said" 2>&1 || code=$?
    if [ "$code" -ne "$wanted" ] || ! grep -q "$pattern" "$work/said"; then
        echo "FAILED: $* ended with $code instead of $wanted, or did not say '$pattern':"
        tail -3 "$work/said"
        failed=1
    fi
}

# spoil COLUMN EXPRESSION: copies the run and sets COLUMN in every row of results.csv to the value
# of EXPRESSION, in which v is the old value.
spoil() {
    rm -rf "$work/spoilt"
    mkdir "$work/spoilt"
    cp "$run/run.json" "$run/samples.csv" "$work/spoilt"
    awk -F, -v OFS=, -v wanted="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == wanted) at = i }
        NR > 1 && $at != "" { v = $at; $at = sprintf("%.17g", '"$2"') } { print }' \
        "$run/results.csv" >"$work/spoilt/results.csv"
}

expect 0 '^passed: of 680 counts 0 ' experiments/measuring/cold_warm.sh "$run"
spoil dram_read_bytes 'v / 2' # as if cold launches had found half of their input in the cache
expect 1 '^FAILED: of 680 counts 680 ' experiments/measuring/cold_warm.sh "$work/spoilt"
# Labels cold counts as warm. Only counts for inputs of at most a quarter of the L2 cache are
# judged.
sed 's/,cold,/,warm,/' "$run/results.csv" >"$work/spoilt/results.csv"
expect 1 '^FAILED: of 320 counts 320 ' experiments/measuring/cold_warm.sh "$work/spoilt"
expect 2 'is not a run' experiments/measuring/cold_warm.sh "$work/none"

expect 0 '^passed: 0.00 % of 1870 points' experiments/comparing/aa.sh "$run" "$run"
# All samples get 10 % longer, which is more than different contexts can explain. The verdict is
# SLOW in one order of the runs and FAST in the other.
spoil time_us_median 'v * 1.1'
awk -F, -v OFS=, 'NR > 1 { $3 = sprintf("%.17g", $3 * 1.1) } { print }' "$run/samples.csv" \
    >"$work/spoilt/samples.csv"
expect 1 '^FAILED: ' experiments/comparing/aa.sh "$run" "$work/spoilt"
grep -q '^1 of 2 ordered pairs end with exit code 0' "$work/said" || { echo "FAILED: no ordered pairs"; failed=1; }
expect 0 '^6 of 6 ordered pairs end with exit code 0' experiments/comparing/aa.sh "$run" "$run" "$run"
sed 's/"GPU-[0-9a-f]*-/"GPU-00000000-/' "$run/run.json" >"$work/spoilt/run.json"
expect 2 'different cards' experiments/comparing/aa.sh "$run" "$work/spoilt"

# aa_table.sh compares runs on one card and refuses runs from different cards.
table=$work/table
mkdir -p "$table/good" "$table/spoilt"
for i in 1 2; do cp -r "$run" "$table/good/run$i"; done
cp -r "$work/spoilt" "$table/good/run3"
expect 0 '^| `good` |  | 1 + 2 | 2 of 2 |' experiments/comparing/aa_table.sh "$table"
cp -r "$run" "$table/spoilt/run1"
cp -r "$run" "$table/spoilt/run2"
cp "$work/spoilt/results.csv" "$work/spoilt/samples.csv" "$table/spoilt/run2"
expect 1 '^FAILED: .*: spoilt on an H200; all on an H200;' experiments/comparing/aa_table.sh "$table"
expect 2 'no CONFIG/runK' experiments/comparing/aa_table.sh "$work/none"
rm -r "$table/spoilt" "$table/good/run2"
expect 2 'nothing was compared' experiments/comparing/aa_table.sh "$table"

[ "$failed" -eq 0 ] && echo "test_aa.sh: passed"
exit "$failed"
