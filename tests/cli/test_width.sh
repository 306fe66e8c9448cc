#!/bin/sh
# On terminals of 80 and of 120 columns no line of the commands that read runs is wider, whatever their kernels are called.
# A word without a blank, such as a path, may be.
set -u
cd "$(dirname "$0")/../.." || exit 1
redsweep=${BUILD:-build}/redsweep
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
command -v script >/dev/null || { echo "test_width: skipped: there is no script (bsdutils)"; exit 0; }
failed=0 cases=0

# fits COMMAND…: on both terminals, and not without any output
fits() {
    for columns in 80 120; do
        cases=$((cases + 1))
        PAGER=cat script -qec "stty cols $columns; $redsweep $*" /dev/null </dev/null 2>&1 | tr -d '\r' >"$work/out"
        sed -i "s/$(printf '\033')\[[0-9;]*[A-Za-z]//g" "$work/out"
        [ "$(wc -l <"$work/out")" -gt 1 ] || { echo "test_width: FAILED: $*: too few lines"; failed=1; }
        LC_ALL=C.UTF-8 grep -E "^.{$((columns + 1)),}" "$work/out" | grep -E '^ *[^ ]+ +[^ ]' >"$work/wide" || continue
        echo "test_width: FAILED: $* at $columns: $(head -1 "$work/wide")"
        failed=1
    done
}

runs=results/reference
fits show $runs/h200-fastest
fits show $runs/sim-quick
fits show $runs/h200-fastest-search --sort -n
fits best $runs/h200-ladder
fits best $runs/sim-quick --metric gld_transactions
fits best $runs/h100-ladder $runs/h200-ladder --across-cards
fits diff $runs/h200-ladder $runs/h100-ladder
fits diff $runs/h200-aa-a $runs/h200-aa-b
fits status $runs/h200-ladder
fits log $runs
fits history $runs/h200-aa-a $runs/h200-aa-b

[ $failed -eq 0 ] && echo "test_width: $cases terminals, no line is wider"
exit $failed
