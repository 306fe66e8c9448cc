#!/bin/sh
# This test runs kernels whose facts say `invariant: yes` on the simulator. Their rows must have the same bits
# in every sub-batch. The program is the one that checks them on a GPU (tests/gpu/invariant.c).
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${BUILD:-$root/build}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
export REDSWEEP_HOME="$root"
if ! "$build/tests/gpu/invariant" sim >"$log" 2>&1; then
    echo "test_invariant: FAILED"
    cat "$log"
    exit 1
fi
tail -1 "$log"
