#!/bin/sh
# Wherever people read a count that varies from launch to launch, it is marked with ≈. Makes tables,
# charts and pages of a run of onepass_any, whose counts vary because its blocks wait for other
# blocks. Searches all outputs for these counts, rounded as printed, except for numbers that also
# occur in other cells.
set -u
cd "$(dirname "$0")/../.." || exit 1
redsweep=${BUILD:-build}/redsweep
command -v python3 >/dev/null || { echo 'test_varying: skipped: there is no python3'; exit 0; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
run="$work/run"
sweep() { # RUN
    "$redsweep" run --kernels neighbored,interleaved,unroll,onepass_any --sizes 2^18,2^20 --blocks 128 --device sim \
        --metrics gld_transactions,inst_per_warp,gld_requests --out "$1"
}
sweep "$run" >"$work/end.txt" 2>&1 || { cat "$work/end.txt"; exit 1; }
sweep "$work/again" >/dev/null 2>&1
"$redsweep" show "$run" >"$work/show.txt"
"$redsweep" show "$run" --markdown "$work/show.md" >/dev/null
"$redsweep" best "$run" --metric gld_transactions >"$work/best.txt"
"$redsweep" best "$run" --metric gld_transactions --html "$work/best.html" >/dev/null
"$redsweep" report "$run" --out "$work/report.html" >/dev/null
if command -v gnuplot >/dev/null; then
    "$redsweep" plots "$run" ladder metrics --format svg --out "$work" >/dev/null
fi
# diff does not compare these counts, and must not show them.
"$redsweep" diff "$run" "$work/again" --html "$work/maybe-diff.html" >"$work/maybe-diff.txt"
"$redsweep" show "$run" --csv - >"$work/rows.csv"
python3 tests/analyze/varying.py "$work/rows.csv" "$work"/*.txt "$work"/*.md "$work"/*.html "$work"/*.svg
