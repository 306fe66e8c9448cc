#!/bin/sh
# Uses a recorded run as a device. Its times are drawn from the recorded ones, and the seed
# determines the draws. Points without a recorded time are skipped. A row whose times were drawn
# from medians says so, and no library is made from such rows.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
redsweep=${BUILD:-$root/build}/redsweep
reference=$root/results/reference
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "test_replay: FAILED: $*"
    failed=1
}

replay() { # NAME RUN OPTIONS...: a run of fastest-pruned.json's smallest size
    name=$1 run=$2
    shift 2
    "$redsweep" run "$root/configs/fastest-pruned.json" --sizes 2^14 --device "replay:$run" \
        --out "$work/$name" --quiet "$@" >"$work/out.txt" 2>&1
}

refused() { # refused WHAT TEXT...: the last run ended with 2 and its message has TEXT
    [ "$code" -eq 2 ] || fail "$1: exit code $code: $(cat "$work/out.txt")"
    grep -q "$2" "$work/out.txt" || fail "$1: $(cat "$work/out.txt")"
}

columns() { "$redsweep" show "$1" --columns "$2" --csv - | sed 1d | tr , ' ' | sort; } # RUN COLUMNS: prints a line for each row

# If a recording has medians but no samples, the rows say so, and their times are close to the
# recorded ones.
replay medians "$reference/h200-fastest-search" || fail "exit code: $(cat "$work/out.txt")"
columns "$work/medians" id,status,time_us_median,reason >"$work/now.txt"
columns "$reference/h200-fastest-search" id,time_us_median >"$work/then.txt"
[ "$(grep -c ' ok .*the samples were drawn from a recorded median' "$work/now.txt")" -ge 200 ] ||
    fail "too few rows with times that say where they are from: $(head -3 "$work/now.txt")"
join "$work/now.txt" "$work/then.txt" | awk '$2 == "ok" {
        ratio = $3 / $NF; if (ratio < 0.9 || ratio > 1.1) { print; bad++ } ; sum += ratio; count++ }
    END { if (count < 200) print count " rows"; mean = sum / count
        if (mean < 0.995 || mean > 1.005) print "mean ratio " mean }' >"$work/far.txt"
[ -s "$work/far.txt" ] && fail "not the recorded times: $(cat "$work/far.txt")"

# The same seed draws the same samples, and another seed draws others.
replay again "$reference/h200-fastest-search,seed=1" || fail "seed=1: $(cat "$work/out.txt")"
replay other "$reference/h200-fastest-search/results.csv,seed=2" || fail "$(cat "$work/out.txt")"
cmp -s "$work/medians/samples.csv" "$work/again/samples.csv" || fail "one seed drew two ways"
cmp -s "$work/medians/samples.csv" "$work/other/samples.csv" && fail "two seeds drew one way"

# The replay has samples. A replay of this replay draws only these samples, and skips the points
# that the first replay lacks.
"$redsweep" run "$root/configs/fastest-pruned.json" --sizes 2^14,2^16 --blocks 64,128 --out "$work/drawn" \
    --device "replay:$work/medians" --quiet >"$work/out.txt" 2>&1 || fail "$(cat "$work/out.txt")"
columns "$work/drawn" n,status,reason | grep -v '^16384 skipped' >"$work/rows.txt"
grep '^16384 ' "$work/rows.txt" | grep -v '^16384 ok *$' && fail "2^14 should be ok without a reason"
grep '^65536 ' "$work/rows.txt" | grep -v '^65536 skipped .*medians has no row for this point' |
    grep -v requires && fail "2^16 should be skipped: nothing was recorded"
cut -d, -f1,3 "$work/medians/samples.csv" | sort -u >"$work/recorded.txt"
cut -d, -f1,3 "$work/drawn/samples.csv" | sort -u | comm -23 - "$work/recorded.txt" >"$work/new.txt"
[ -s "$work/new.txt" ] && fail "samples that were not recorded: $(head -2 "$work/new.txt")"
[ "$(wc -l <"$work/drawn/samples.csv")" -gt 500 ] || fail "too few samples were drawn"

# Draws follow the recorded confidence interval of the median, and not only the minimum and the
# maximum. The samples lie between 1 and 100 us, and the clock's step is 0.01 us. The interval of
# the median is 9.9 to 10.1 us, and a share of 2 · 0.98 / √50 (28 %) of the draws must lie in it.
mkdir "$work/wide"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    $at["status"] == "ok" { $at["samples"] = 50; $at["time_us_min"] = 1 + NR % 2 / 100; $at["time_us_max"] = 100
        $at["time_us_ci95_lo"] = 9.9; $at["time_us_median"] = 10; $at["time_us_ci95_hi"] = 10.1 }
    { print }' "$reference/h200-fastest-search/results.csv" >"$work/wide/results.csv"
replay spread "$work/wide" || fail "wide: $(cat "$work/out.txt")"
awk -F, 'NR > 1 { all++; inside += $3 >= 9.89 && $3 <= 10.11 } END { share = all ? inside / all : 0
    if (share < 0.2 || share > 0.36) print share " of " all " draws" }' "$work/spread/samples.csv" >"$work/far.txt"
[ -s "$work/far.txt" ] && fail "the interval is not drawn from: $(cat "$work/far.txt")"

# The replayed device is the device of the first row. Its number of multiprocessors follows from the
# largest grid whose size depends on that number. The run's manifest says what the device can run.
mkdir "$work/two"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 { $at["device"] = NR == 2 ? "First" : "Second"
        $at["blocks_per_sm"] = 4; $at["grid"] = NR == 2 ? 528 : 256 } { print }' \
    "$reference/h200-fastest-search/results.csv" >"$work/two/results.csv"
"$redsweep" doctor --device "replay:$work/two" >"$work/out.txt" 2>&1
grep -q 'replay of First' "$work/out.txt" || fail "the device of another row: $(cat "$work/out.txt")"
replay two-run "$work/two" || fail "two devices: $(cat "$work/out.txt")"
grep -q '"multiprocessors": 132' "$work/two-run/run.json" || fail "multiprocessors: $(grep multiprocessors "$work/two-run/run.json")"
cp -r "$work/medians" "$work/older"
sed -i 's/"compute_capability": *"9.0"/"compute_capability": "7.5"/' "$work/older/run.json"
grep -q '"compute_capability": "7.5"' "$work/older/run.json" || fail "no place for a compute capability in run.json"
replay pascal "$work/older" || true
columns "$work/pascal" kernel,status,reason >"$work/rows.txt"
grep -q "^dependent skipped .*needs compute capability 9.0" "$work/rows.txt" && ! grep -q '^dependent ok' "$work/rows.txt" ||
    fail "the compute capability is not read: $(grep -m 2 dependent "$work/rows.txt")"

# These runs cannot be replayed.
replay none ""
code=$?
refused "no run" "write replay:RUN"
replay none "$work/absent"
code=$?
refused "no such run" "absent"
replay none "$reference/h200-fastest-search,sms=x"
code=$?
refused "sms=x" "sms=… must be an integer"
mkdir "$work/ids"
sed '2s/^./x/' "$reference/h200-fastest-search/results.csv" >"$work/ids/results.csv"
replay none "$work/ids"
code=$?
refused "an id that is no number" "row 1: 'x[0-9a-f]*' is not the id of a point"
sed '2s/^\([0-9a-f]*\)/\10/' "$reference/h200-fastest-search/results.csv" >"$work/ids/results.csv"
replay none "$work/ids"
code=$?
refused "an id that is too long" "row 1: '[0-9a-f]*' is not the id of a point"
mkdir "$work/bare"
cut -d, -f1-9,26- "$reference/h200-fastest-search/results.csv" >"$work/bare/results.csv"
replay none "$work/bare"
code=$?
refused "unknown multiprocessors" "add it, as in replay:.*,sms=132"
head -1 "$work/bare/results.csv" >"$work/bare/none.csv"
replay none "$work/bare/none.csv"
code=$?
refused "no times" "no point has a time"
"$redsweep" tuned "$work/medians" --out "$work/library" >"$work/out.txt" 2>&1
code=$?
refused "a library of a replay" "drawn from another run"

[ "$failed" -eq 0 ] && echo "test_replay: passed"
exit "$failed"
