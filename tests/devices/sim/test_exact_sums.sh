#!/bin/sh
# Checks exact sums on the simulator, with the program that checks them on a GPU
# (tests/gpu/exact_sums.c). The hash of all results must match that of two GPUs
# (results/reference/h200-exact).
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${BUILD:-$root/build}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
export REDSWEEP_HOME="$root"
if ! "$build/tests/gpu/exact_sums" sim >"$log" 2>&1; then
    echo "test_exact_sums: FAILED"
    cat "$log"
    exit 1
fi
tail -1 "$log"
