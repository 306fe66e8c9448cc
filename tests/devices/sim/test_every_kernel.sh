#!/bin/sh
# Runs every kernel, type and operation on the simulator, for a short list of n, with the program
# that checks them on a GPU (tests/gpu/kernels.c). The time limit is only there for kernels that
# hang, so it must be long enough for a slow machine.
set -u
build=${BUILD:-$(cd "$(dirname "$0")/../../.." && pwd)/build}
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
"$build/tests/gpu/kernels" sim --sizes awkward --seconds 1700 >"$log" 2>&1
code=$?
if [ "$code" -ne 0 ] || grep -q 'out of time' "$log"; then
    echo "test_every_kernel: FAILED (exit code $code)"
    grep -E 'FAILED|out of time|not on this device' "$log" | head -20
    tail -3 "$log"
    exit 1
fi
none=$(awk '$2 == 0 && $3 == "checks" { printf " %s", $1 }' "$log")
echo "test_every_kernel: $(tail -1 "$log")${none:+; none of$none}"
