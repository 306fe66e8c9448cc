#!/bin/sh
# Runs kernels with so many blocks that one iteration is not enough to gather partial results:
# neither for the block that gathers the results of its group, nor for the last block, which gathers
# those of all groups. A partial result has one to six words, and one or more warps gather them.
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=${BUILD:-$root/build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

check() { # KERNEL OPTION...
    kernel=$1
    rm -rf "$work/run"
    shift
    "$build/redsweep" run --device sim --kernels "$kernel" --ops "$ops" --scope complete \
        --tunables.LOADS 1 --tunables.ROUNDS 1 --tunables.PREFETCH 1 \
        --tunables.POLICY 1 --tunables.MIN_BLOCKS 1 "$@" --out "$work/run" >"$work/log" 2>&1
    code=$?
    grep " points: " "$work/log"
    checked=$("$root/tests/count_rows.sh" "$build/redsweep" "$work/run" 'status = ok')
    if [ "$code" -ne 0 ] || [ "$checked" -ne "$points" ]; then
        echo "test_many_blocks: FAILED: $kernel: $checked of $points points, exit code $code"
        cat "$work/log"
        exit 1
    fi
}

ops=sum,max,argmin,mean_var,logsumexp
points=$((5 * 2)) # float32, float64
check onepass_any --sizes 131075 --blocks 32 --types float32,float64 --tunables.GATHER 512
check rows_poll --sizes 2^18 --row_lengths 2^17 --blocks 32 --types float32,float64 --tunables.GATHER 64
check rows_poll --sizes 2^18 --row_lengths 2^18 --blocks 64 --types float32,float64 --tunables.GATHER 512
check rows_poll --sizes 2^19 --row_lengths 2^19 --blocks 128 --types float32,float64 --tunables.GATHER 64
