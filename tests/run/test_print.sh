#!/bin/sh
# The parent prints what kernels print, along with the block and the thread, and limits each point's
# output.
set -u
. "$(dirname "$0")/../scratch.sh"


mkdir "$work/kernels"
cat >"$work/kernels/talks.cu" <<'CU'
// kernel: talks
// idea: says how many blocks there are
// source: a test
// result: partial
// input: untouched
// covers: BLOCK
// blocks: multiple of 32
// uniform: no
#include "common.cuh"

extern "C" __global__ void talks(element *input, element *output, index_t n)
{
    if (threadIdx.x == 7) {
        element sum = IDENTITY;
        for (index_t k = blockIdx.x * blockDim.x; k < n && k < (blockIdx.x + 1) * blockDim.x; k++)
            sum = combine(sum, input[k]);
        output[blockIdx.x] = sum;
        printf("%u of %d blocks: %s\n", blockIdx.x, (int)gridDim.x, "100%");
    }
}
CU
echo "{\"kernels\": [\"talks\", \"shuffle\"], \"kernel_folders\": [\"$work/kernels\"], \"unrolls\": 1,
    \"sizes\": [70000, 100000], \"blocks\": 256}" >"$work/talks.json"
"$redsweep" run "$work/talks.json" --device sim --out "$work/run" 2>"$work/err" >"$work/out" ||
    fail "exit code $?: $(cat "$work/err")"
grep -q '^talks int32 sum n=70000 .*printed:' "$work/err" || fail "whose line is it: $(head -3 "$work/err")"
grep -q '^    block (41,0,0), thread (7,0,0): 41 of 274 blocks: 100%$' "$work/err" || fail "$(head "$work/err")"
[ "$(grep -c '^    block (' "$work/err")" -eq 200 ] || fail "$(grep -c '^    block (' "$work/err") lines, not 200"
[ "$(grep -c "the other lines of this point are not shown" "$work/err")" -eq 2 ] || fail "no word of the others"
[ "$("$root/tests/count_rows.sh" "$redsweep" "$work/run" 'status = ok')" -eq 4 ] || fail "$(cat "$work/run/results.csv")"
[ -s "$work/out" ] && grep -q 'block (' "$work/out" && fail "lines on standard output"
"$redsweep" racecheck talks --kernel-folder "$work/kernels" >"$work/out" 2>&1 || fail "racecheck: exit code $?"
grep -q '^    the kernel printed: block (0,0,0), thread (7,0,0): 0 of 1 blocks: 100%$' "$work/out" || fail "$(cat "$work/out")"

[ $failed -eq 0 ] && echo "test_print: passed"
exit $failed
