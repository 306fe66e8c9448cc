#!/bin/sh
# Runs redsweep history on runs with invented times. Checks the lines, one per kernel, and the
# exports in the documented formats.
set -u
cd "$(dirname "$0")/../.." || exit 1
case ${BUILD:-build} in /*) redsweep=$BUILD/redsweep ;; *) redsweep=$PWD/${BUILD:-build}/redsweep ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
check() { # WHAT COMMAND…
    what=$1
    shift
    "$@" >out 2>&1 || { echo "test_history: FAILED: $what"; cat out; failed=1; }
}
says() { grep -q -- "$1" said || { echo "'$1' is not in:"; cat said; return 1; }; }

# Ten runs. From the sixth on, sum is 20 % slower at both sizes, and max changes by 1 %. Only the
# first run has a third size.
mkdir runs
for i in 0 1 2 3 4 5 6 7 8 9; do
    mkdir runs/day-$i
    printf '{"schema": 2, "status": "complete", "provenance": {"run": "invented", "redsweep": "0.3.0 (c0ffee%s)", "started": "2026-11-0%sT10:00:00Z", "device": {"name": "GPU", "backend": "cuda", "can_time": true}}}\n' $i $i >runs/day-$i/run.json
    awk -v OFS=, -v i=$i 'BEGIN {
        print "id,backend,device,kernel,type,op,n,block,unroll,cache,scope,status,time_us_median,time_us_ci95_lo,time_us_ci95_hi"
        for (k = 0; k < 4; k++) {
            t = (k < 2 ? (i < 5 ? 10 : 12) : 5) * (1 + 0.01 * ((i * 7 + k) % 3 - 1) / 2) * (k % 2 ? 4 : 1)
            print k + 1, "cuda", "GPU", k < 2 ? "sum" : "max", "int32", "sum", k % 2 ? 4096 : 1024, 64, 1, "cold", "kernel", "ok", t, t - 0.5, t + 0.5
        }
        print 8, "cuda", "GPU", "sum", "int32", "sum", 1024, 128, 1, "cold", "kernel", "ok", 99, 98, 100
        if (i == 0) print 9, "cuda", "GPU", "sum", "int32", "sum", 8192, 64, 1, "cold", "kernel", "ok", 1000, 999, 1001
    }' >runs/day-$i/results.csv
done
check 'a folder' "$redsweep" history runs --csv history.csv --github github.json --bencher bencher.json
cp out said
check 'the change, its run and its commit' says '^sum  *10  *2 .* +[12][0-9.]* % from day-5 (c0ffee5)'
check 'no other one' test "$(grep -c ' from day-' said)" -eq 1
mkdir linked || exit 1
for run in runs/*; do ln -s "../$run" "linked/${run##*/}"; done
ln -s day-9 linked/latest
check 'links to runs, and latest' "$redsweep" history linked --csv linked.csv
check 'each run that a link leads to, once' cmp history.csv linked.csv
check 'runs in any order' "$redsweep" history runs/day-9 runs/day-0 runs/day-5
cp out said
check 'are sorted by their beginning' says '^sum  *3  *2  *2[0-9.]*  *+[12][0-9.]* %'
# Three runs are too few to prove a change, and one run has nothing to be compared with. In both
# cases, the command says that there are too few runs. For ten runs, it does not.
check 'too few' says '^there are too few runs to show a change. An error rate of 5 % for all 2 lines together requires 9 runs, but there are 3; redsweep diff compares two runs$'
check 'one run' "$redsweep" history runs/day-0
cp out said
check 'is compared with nothing' says '^sum  *1  *3  *[0-9.]*  *GPU$'
check 'and is too few' says ' requires 9 runs, but there is 1;'
check 'a folder again' "$redsweep" history runs
cp out said
check 'not of ten' sh -c '! grep -q "too few" said'
# If one run in a folder cannot be read, the folder's history is printed without it. If the user
# names that run itself, the command fails.
mkdir runs/broken && sed 's/10:00/11:00/' runs/day-3/run.json >runs/broken/run.json && : >runs/broken/results.csv
check 'a folder with a broken run' "$redsweep" history runs
cp out said
check 'leaves it out and says so' says '^left out: runs/broken/results.csv is empty'
check 'the others stay' says '^sum  *10  *2 .* from day-5 (c0ffee5)'
check 'a broken run that is named' sh -c "! '$redsweep' history runs/broken runs/day-1"
rm -r runs/broken
check 'no run' sh -c "! '$redsweep' history nowhere"
mkdir empty
check 'an empty folder' sh -c "! '$redsweep' history empty"

# https://github.com/benchmark-action/github-action-benchmark requires name, unit and value, and
# allows range and extra. https://bencher.dev/docs/reference/bencher-metric-format nests objects
# with numbers within objects, and requires `value`.
check 'the exports' python3 - <<'PY'
import json
github = json.load(open("github.json"))
assert len(github) == 4, github
for entry in github:
    assert set(entry) <= {"name", "unit", "value", "range", "extra"} and {"name", "unit", "value"} <= set(entry), entry
    assert isinstance(entry["name"], str) and entry["unit"] == "us" and isinstance(entry["value"], (int, float)), entry
    assert entry["range"] == "± 0.5", entry
bencher = json.load(open("bencher.json"))
assert set(bencher) == {entry["name"] for entry in github}
for name, measures in bencher.items():
    assert 0 < len(name) <= 1024 and set(measures) == {"latency"}, measures
    metric = measures["latency"]
    assert set(metric) == {"value", "lower_value", "upper_value"} and metric["lower_value"] < metric["value"] < metric["upper_value"], metric
    value = next(entry["value"] for entry in github if entry["name"] == name)
    assert abs(metric["value"] - 1000 * value) < 1e-6, (metric, value)
name = "sum: int32 sum, n 1024, cold, scope kernel"
assert 11.9 < next(entry["value"] for entry in github if entry["name"] == name) < 12.1, github
PY
[ "$failed" -eq 0 ] && echo 'test_history: passed'
exit $failed
