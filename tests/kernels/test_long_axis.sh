#!/bin/sh
# One thread computes the variance of millions of elements. With a single accumulator, the variance
# of 3 599 976 bfloat16 elements would be 0.4 % too small and get reported as wrong.
set -u
. "$(dirname "$0")/../scratch.sh"

"$redsweep" run --kernels axis_thread --shapes 1x3599976x2 --types bfloat16 --ops mean_var --blocks 32 --metrics= \
    --device sim --out "$work/run" >"$work/run.txt" 2>&1 || {
    echo "test_long_axis: FAILED: $(cat "$work/run.txt")"
    exit 1
}
error=$("$redsweep" show "$work/run" --columns rel_error --csv - | tail -n 1)
awk -v error="$error" 'BEGIN { exit !(error != "" && error < 1e-4) }' || {
    echo "test_long_axis: FAILED: a relative error of \"$error\", expected less than 1e-4"
    exit 1
}
