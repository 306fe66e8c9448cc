#!/bin/sh
# Runs kernels whose facts say `invariant: yes` on the simulator. Their rows must have the same bits
# in every sub-batch. tests/gpu/invariant.c checks the same on a GPU.
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
