#!/bin/sh
# Tests the config key "count_wrong". It makes a GPU (here the fake GPU of fake_cuda.h) count points
# with wrong results; their status and reason stay the same. On the simulator, it also affects
# points that read shared memory which no thread has written. Without the key, such a read ends the
# launch. With it, the points are counted and get the status wrong, even if the result happens to be
# right.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build}" && pwd) || exit 1
devices=$build/tests/devices
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export REDSWEEP_HOME="$root" REDSWEEP_CUPTI="$devices/fake_cupti.so" REDSWEEP_NVML="$devices/fake_nvml.so"
export REDSWEEP_CACHE="$devices/fake_cache" FAKE_CUPTI_CHIP=GH100 FAKE_CUDA_RUN=yes
failed=0
fail() { echo "test_count_wrong: FAILED: $*"; failed=1; }

# run NAME true|false
run() {
    cat >"$work/$1.json" <<END
{"name": "$1", "kernels": ["planted_forgets", "interleaved"], "kernel_folders": ["$root/tests/kernels"], "sizes": 1000, "blocks": 128,
 "metrics": ["gld_requests"], "count_wrong": $2, "timing": {"contexts": 1, "min_samples": 2, "max_samples": 2}}
END
    "$devices/fake_gpu/redsweep" run "$work/$1.json" --device cuda --quiet --out "$work/$1" >"$work/said" 2>&1
    [ $? -eq 1 ] || fail "$1 ends not with 1: $(cat "$work/said")"
    "$build/redsweep" show "$work/$1" --columns kernel,status,gld_requests --csv - |
        awk -F, 'NR > 1 { print $1, $2, ($3 == "" ? "uncounted" : "counted") }' | sort
}
without=$(run without false)
with=$(run with true)
[ "$without" = "interleaved ok counted
planted_forgets wrong uncounted" ] || fail "without it: $without"
[ "$with" = "interleaved ok counted
planted_forgets wrong counted" ] || fail "with it: $with"

# The last block has 104 elements, but its threads read all 128. No result depends on the 24 that
# were not written.
mkdir "$work/kernels"
cat >"$work/kernels/peeks.cu" <<'END'
// kernel: peeks
// idea: a test
// source: a test
// result: partial
// input: untouched
// covers: BLOCK
// blocks: 128
// uniform: no
#include "common.cuh"
extern "C" __global__ void peeks(element *input, element *output, index_t n)
{
    __shared__ element s[128];
    unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (i < n) s[t] = input[i];
    __syncthreads();
    element sum = s[t];
    if (t == 0) {
        for (unsigned k = 1; k < 128 && blockIdx.x * 128 + k < n; k++) sum = combine(sum, s[k]);
        output[blockIdx.x] = sum;
    } else if (sum == (element)123456789) {
        output[blockIdx.x] = 0;
    }
}
END
# peek NAME true|false: prints the rows for n = 128 and n = 1000
peek() {
    cat >"$work/$1.json" <<END
{"name": "$1", "kernels": ["peeks"], "kernel_folders": ["kernels"], "sizes": [128, 1000], "blocks": 128, "types": "int32",
 "metrics": ["gld_requests"], "count_wrong": $2}
END
    "$build/redsweep" run "$work/$1.json" --device sim --quiet --out "$work/$1" >"$work/said" 2>&1
    [ $? -eq 1 ] || fail "$1 ends not with 1: $(cat "$work/said")"
    "$build/redsweep" show "$work/$1" --columns n,status,gld_requests,reason --csv - | tail -n +2 | tr -d '"'
}
unwritten='kernel peeks, block (7,0,0), thread (104,0,0), peeks.cu:16, PTX line [0-9]* (ld.shared.u32): the thread reads shared memory at offset 416, which no thread of the block has written'
peek strict false >"$work/strict.txt"
grep -q '^128,ok,4,$' "$work/strict.txt" && grep -q "^1000,launch_error,,$unwritten$" "$work/strict.txt" ||
    fail "an unwritten read without it: $(cat "$work/strict.txt")"
peek counted true >"$work/counted.txt"
grep -q '^128,ok,4,$' "$work/counted.txt" && grep -q "^1000,wrong,32,$unwritten$" "$work/counted.txt" ||
    fail "an unwritten read with it: $(cat "$work/counted.txt")"

[ "$failed" -eq 0 ] && echo "test_count_wrong: passed"
exit "$failed"
