#!/bin/sh
# Runs sampled grids. The output of the executed blocks must be the expected result of these blocks
# alone, block by block, both for kernels with one result and for kernels with a result for each
# block.
set -u
. "$(dirname "$0")/../scratch.sh"
export REDSWEEP_CACHE="$work/cache"
mkdir "$work/k"

# kernel NAME FACTS BODY: writes a kernel with these facts. BODY can use the variables i, last and
# x.
kernel() {
    {
        printf '// kernel:   %s\n// idea:     a test\n// source:   a test\n%s' "$1" "$2"
        printf '// covers:   BLOCK\n// blocks:   multiple of 32\n// uniform:  yes\n'
        printf '#include "common.cuh"\nextern "C" __global__ void %s(element *input, element *output, index_t n)\n' "$1"
        printf '{\n    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;\n    bool last = blockIdx.x == gridDim.x - 1;\n'
        printf '    element x = input[i < n ? i : 0];\n    (void)last;\n    (void)x;\n    %s\n}\n' "$3"
    } >"$work/k/$1.cu"
}
complete='// result:   complete
// input:    untouched
// output:   zeroed
'
kernel adds "$complete" 'if (i < n) atomicAdd(output, x);'
kernel adds_first_twice "$complete" 'if (i < n) atomicAdd(output, blockIdx.x ? x : 2 * x);'
kernel adds_last_twice "$complete" 'if (i < n) atomicAdd(output, last ? 2 * x : x);'
partial='// result:   partial
// input:    untouched
// output:   zeroed
'
kernel parts "$partial" 'if (i < n) atomicAdd(output + blockIdx.x, x);'
kernel parts_first_twice "$partial" 'if (i < n) atomicAdd(output + blockIdx.x, blockIdx.x ? x : 2 * x);'
kernel parts_last_twice "$partial" 'if (i < n) atomicAdd(output + blockIdx.x, last ? 2 * x : x);'

# Each thread writes one element, which is 100 or 200 in alternate warps. Compares what each block
# writes.
warps='// workload: alternate_warps
// ops:      sum
'
kernel warps "$warps" 'if (i < n) output[i] = (element)(i / 32 % 2 ? 200 : 100);'
kernel warps_first_wrong "$warps" 'if (i < n) output[i] = (element)(blockIdx.x == 0 && i == 0 ? 7 : i / 32 % 2 ? 200 : 100);'
kernel warps_last_wrong "$warps" \
    'if (i < n) output[i] = (element)(last && threadIdx.x == blockDim.x - 1 ? 7 : i / 32 % 2 ? 200 : 100);'

"$redsweep" run --kernel-folder "$work/k" --kernels 'adds*,parts*,warps*' --types int32 --sizes 2^20 --blocks 64 \
    --device sim:sample=8 --out "$work/r" >"$work/out" 2>&1
"$redsweep" show "$work/r" --columns kernel,status --csv - | sed 1d | tr , ' ' | sort >"$work/rows"
expected() {
    grep -qx "$1" "$work/rows" || {
        echo "test_sampled: FAILED: not '$1' but $(grep "^${1% *} " "$work/rows")"
        tail -5 "$work/out"
        failed=1
    }
}
for kernel in adds parts; do
    expected "$kernel sampled"
    expected "${kernel}_first_twice wrong"
    expected "${kernel}_last_twice wrong"
done
expected 'warps sampled'
expected 'warps_first_wrong wrong'
expected 'warps_last_wrong wrong'
[ "$failed" -eq 0 ] && echo "test_sampled: passed"
exit "$failed"
