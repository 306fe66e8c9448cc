#!/bin/sh
# Checks the column `bits`. Points with equal results must have equal bits, on every kind of device.
# If the results of a point's launches differ, the cell is `varies`; a fact of the kernel must allow
# that.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root"
failed=0

fail() {
    echo "test_bits: FAILED: $*"
    cat "$work/err"
    failed=1
}

mkdir "$work/kernels"
# kernel NAME FACT RESULT: writes a kernel in which one thread adds up all elements. The variable
# `calls` counts launches.
kernel() {
    cat >"$work/kernels/$1.cu" <<K
// kernel:   $1
// idea:     one thread adds everything
// source:   a test
// result:   complete
// input:    untouched
// covers:   N
// blocks:   multiple of 32
// $2
// uniform:  no
#include "common.cuh"

__device__ unsigned calls;

extern "C" __global__ void $1(const element *input, element *output, index_t n)
{
    element sum = 0;
    if (threadIdx.x)
        return;
    for (index_t i = 0; i < n; i++)
        sum += input[i];
    output[0] = $3;
    calls++;
}
K
}
kernel steady 'varies:   no' 'sum'
kernel same 'varies:   no' 'sum + 0 * calls'
kernel honest 'varies:   yes' 'sum + (calls % 2) * sum / 8388608'
kernel untrue 'varies:   no' 'sum + (calls % 2) * sum / 8388608'

# sweep FOLDER COMMAND…: runs every kernel in the folder at one size, and writes rows of the form
# "kernel status bits reason".
sweep() {
    out=$work/$1
    shift
    "$@" --sizes 1000 --types float32 --ops sum --scope kernel --cache cold --metrics= --out "$out" --quiet \
        >/dev/null 2>"$work/err" || fail "$*: exit code $?"
    "$build/redsweep" show "$out" --columns kernel,status,bits,reason --csv - 2>"$work/err" | tr , ' ' >"$out.rows"
}
# holds FOLDER: checks the bits in every row whose point was launched at least twice.
holds() {
    awk '{ status[$1] = $2; bits[$1] = $3; reason[$1] = $0 }
        END {
            good = status["steady"] == "ok" && bits["steady"] ~ /^[0-9a-f]+$/ && length(bits["steady"]) == 16 &&
                bits["same"] == bits["steady"] && bits["honest"] == "varies" && bits["untrue"] == "varies" &&
                status["honest"] == "ok" && status["untrue"] == "ok" &&
                reason["untrue"] ~ /different bits/ && reason["honest"] !~ /different bits/ && reason["steady"] !~ /different bits/
            exit !good
        }' "$work/$1.rows" || fail "$1: $(cat "$work/$1.rows")"
}

kernels="--kernel-folder $work/kernels --kernels steady,same,honest,untrue --blocks 32 --unrolls 1"
sweep sim "$build/redsweep" run --device sim $kernels
holds sim
export REDSWEEP_CACHE="$build/tests/devices/fake_cache" REDSWEEP_CUPTI="$build/tests/devices/fake_cupti.so"
export REDSWEEP_NVML="$build/tests/devices/fake_nvml.so" FAKE_CUPTI_CHIP=GH100 FAKE_CUDA_RUN=yes
sweep gpu "$build/tests/devices/fake_gpu/redsweep" run --device cuda $kernels --timing.contexts 1 --timing.max_samples 30
holds gpu
one() { awk -v kernel="$2" '$1 == kernel { print $3 }' "$work/$1.rows"; }
[ "$(one sim steady)" = "$(one gpu steady)" ] || fail "the devices' bits differ: $(one sim steady), $(one gpu steady)"
# The CPU's loop adds in the same order as a kernel with a single thread.
sweep cpu "$build/redsweep" run --device cpu --kernels cpu_loop --timing.max_samples 30
[ "$(one cpu cpu_loop)" = "$(one gpu steady)" ] || fail "the CPU's loop has other bits: $(cat "$work/cpu.rows")"
exit $failed
