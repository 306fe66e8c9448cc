#!/bin/sh
# Tests which runs pass and which fail with `redsweep diff` as a gate. The runs are an H200's
# recorded runs, changed copies of them, and simulator runs.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
redsweep=$BUILD/redsweep
a=results/reference/h200-aa-a
b=results/reference/h200-aa-b
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# expect CODE PATTERN ARGUMENTS…: redsweep must exit with CODE, and its last line must match
# PATTERN.
expect() {
    code=0 wanted=$1 pattern=$2
    shift 2
    "$redsweep" "$@" >"$work/said" 2>&1 || code=$?
    if [ "$code" -ne "$wanted" ] || ! tail -1 "$work/said" | grep -Eq "$pattern"; then
        echo "FAILED: redsweep $* ended with $code instead of $wanted, or did not end in '$pattern':"
        tail -3 "$work/said"
        failed=1
    fi
}

# change RUN TO CONDITION SHARE: copies a run and lengthens the times of the rows for which
# CONDITION holds by SHARE of their median. It changes samples, medians and intervals. In awk's
# CONDITION, $at["name"] is the row's value in that column.
change() {
    mkdir -p "$2"
    cp "$1/run.json" "$2"
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && ('"$3"') {
            more = $at["time_us_median"] * '"$4"'
            for (name in at)
                if (name ~ /^time_us_/ && name != "time_us_stdev" && $at[name] != "")
                    $at[name] = sprintf("%.17g", $at[name] + more)
            print $at["id"], more >changed
        }
        { print }' changed="$work/changed" "$1/results.csv" >"$2/results.csv"
    awk -F, -v OFS=, 'NR == FNR { more[$1] = $2; next } FNR > 1 && $1 in more { $3 += more[$1] } { print }' \
        "$work/changed" "$1/samples.csv" >"$2/samples.csv"
}

# Compares two runs of the same version, in both orders.
expect 0 '^Exit code 0: nothing fails\.' diff "$a" "$b"
expect 0 '^Exit code 0: nothing fails\.' diff "$b" "$a"
expect 3 'but --strict does not accept UNKNOWN' diff "$a" "$b" --strict
expect 0 'Found: the same: 792 points\.$' diff "$a" "$b" --strict --min-effect 20

# One kernel is 3 % slower, either at small sizes or at all sizes, and only this kernel is reported.
# If the runs are swapped, the kernel is faster and the gate passes.
change "$b" "$work/small" '$at["kernel"] == "smem_unroll" && $at["n"] <= 131072' 0.03
expect 1 '^Exit code 1: slower: ([0-9]+ kernels?, )?[0-9]+ kernels at one problem' diff "$a" "$work/small"
"$redsweep" diff "$a" "$work/small" --csv - --table problems >"$work/problems.csv" || true
grep -E ',(SLOW|FAST),' "$work/problems.csv" | grep -v '^smem_unroll,' && { echo 'FAILED: another kernel'; failed=1; }
expect 0 'Found: faster: ' diff "$work/small" "$a"
change "$b" "$work/all" '$at["kernel"] == "unroll"' 0.03
expect 1 '^Exit code 1: slower: 1 kernel, 1[0-9] kernels at one problem' diff "$a" "$work/all"
grep -Eq '^  unroll .* SLOW  ' "$work/said" || { echo 'FAILED: no verdict on the kernel'; failed=1; }
expect 0 'Found: slower: 1 kernel' diff "$a" "$work/all" --fail-on wrong,missing
# Every kernel gets slower by more than different contexts can explain.
change "$b" "$work/whole" 1 0.2
expect 1 '^Exit code 1: slower: everything together' diff "$a" "$work/whole"

# The candidate lacks 789 points, which fails the gate unless --fail-on leaves out `missing`.
mkdir "$work/few"
cp "$a/run.json" "$a/samples.csv" "$work/few"
head -4 "$a/results.csv" >"$work/few/results.csv"
expect 1 '^Exit code 1: missing: 789 points vanished\.' diff "$a" "$work/few"
expect 0 'Found: missing: 789 points vanished' diff "$a" "$work/few" --fail-on slow
expect 0 '^Exit code 0: nothing fails\.' diff "$work/few" "$a"

# The runs are from two cards of one model. Their times are compared only with --across-cards.
mkdir "$work/card"
cp "$b/samples.csv" "$b/results.csv" "$work/card"
sed 's/"GPU-[0-9a-f]*-/"GPU-00000000-/' "$b/run.json" >"$work/card/run.json"
expect 2 'nothing was compared.* The times of two cards of one model are not judged without --across-cards\.$' diff "$a" "$work/card"
expect 0 'are not judged without --across-cards; compared: [0-9]+ rankings' diff "$a" "$work/card" --fail-on wrong,missing
expect 0 'the same: [0-9]+ points; unknown: [0-9]+ points\.$' diff "$a" "$work/card" --across-cards

# These runs have counts from the simulator. The gate fails if transactions double and passes if
# they halve.
cat >"$work/c.json" <<'END'
{"name": "gate", "kernels": ["interleaved", "neighbored"], "sizes": [1024, 4096], "blocks": 128,
 "metrics": ["gld_transactions"]}
END
"$redsweep" run "$work/c.json" --device sim --out "$work/sim" >/dev/null 2>&1
mkdir "$work/doubled"
cp "$work/sim/run.json" "$work/doubled"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && $at["kernel"] == "neighbored" { $at["gld_transactions"] *= 2 } { print }' \
    "$work/sim/results.csv" >"$work/doubled/results.csv"
expect 0 '^Exit code 0: nothing fails\. There are no times to compare; compared: 4 counts\.$' diff "$work/sim" "$work/sim"
expect 1 '^Exit code 1: worse counts: 2 values\.' diff "$work/sim" "$work/doubled"
expect 0 'Found: better counts: 2 values' diff "$work/doubled" "$work/sim"
# If one run lacks the times of a kernel, the gate fails.
untimed() { # RUN TO
    mkdir "$2"
    cp "$1/run.json" "$1/samples.csv" "$2"
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $at["kernel"] == "unroll" { $at["time_us_median"] = "" } { print }' \
        "$1/results.csv" >"$2/results.csv"
}
untimed "$b" "$work/untimed"
expect 1 '^Exit code 1: missing: 288 have no time in b\.' diff "$a" "$work/untimed"
expect 1 '^Exit code 1: missing: 288 have no time in a\.' diff "$work/untimed" "$a"

# run.json says which kernels' counts vary from launch to launch.
cat >"$work/poll.json" <<'END'
{"name": "poll", "kernels": ["cooperative", "interleaved"], "sizes": [1024], "blocks": 128, "metrics": []}
END
"$redsweep" run "$work/poll.json" --device sim --out "$work/poll" >/dev/null 2>&1
grep '"name": *"cooperative"' "$work/poll/run.json" | grep -q '"counts": *"vary"' &&
    grep '"name": *"interleaved"' "$work/poll/run.json" | grep -q '"counts": *null' ||
    { echo 'FAILED: run.json does not say whose counts vary'; failed=1; }
# Doubled counts do not fail the gate if the kernel's counts vary from launch to launch.
mkdir "$work/vary"
cp "$work/doubled/results.csv" "$work/vary"
awk '/"name": *"neighbored"/ { here = 1 } here && sub(/"counts": *(null|"")/, "\"counts\": \"vary\"") { here = 0 } { print }' \
    "$work/sim/run.json" >"$work/vary/run.json"
grep -q '"counts": "vary"' "$work/vary/run.json" || { echo 'FAILED: no place for counts in run.json'; failed=1; }
expect 0 '^Exit code 0: nothing fails\. There are no times to compare; compared: 4 counts\.$' diff "$work/sim" "$work/vary"

# A run in which all points were skipped has measured nothing, so `redsweep run` exits with 1.
# Resuming a run that is complete succeeds.
cat >"$work/skip.json" <<'END'
{"name": "skip", "kernels": "compensated", "types": "int32", "sizes": [1024, 4096], "metrics": []}
END
expect 1 'report.html' run "$work/skip.json" --device sim --out "$work/skip"
grep -q 'nothing was measured, because every point was skipped' "$work/said" ||
    { echo 'FAILED: no word about skipped points'; failed=1; }
expect 0 '.' resume "$work/sim"

[ "$failed" -eq 0 ] && echo "test_gate.sh: passed"
exit "$failed"
