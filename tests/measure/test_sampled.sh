#!/bin/sh
# Sampled grids: the output of the executed blocks is compared with the result of just these blocks,
# each of them, for kernels with one result or one per block.
set -u
. "$(dirname "$0")/../scratch.sh"
export REDSWEEP_CACHE="$work/cache"
mkdir "$work/k"

# kernel NAME RESULT FACTS BODY
kernel() {
    {
        printf '// kernel:   %s\n// idea:     a test\n// source:   a test\n// result:   %s\n' "$1" "$2"
        printf '// input:    untouched\n// covers:   BLOCK\n// blocks:   multiple of 32\n// uniform:  yes\n%s' "$3"
        printf '#include "common.cuh"\nextern "C" __global__ void %s(element *input, element *output, index_t n)\n' "$1"
        printf '{\n    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;\n    bool last = blockIdx.x == gridDim.x - 1;\n'
        printf '    element x = input[i < n ? i : 0];\n    (void)last;\n    %s\n}\n' "$4"
    } >"$work/k/$1.cu"
}
zeroed='// output:   zeroed
'
kernel adds complete "$zeroed" 'if (i < n) atomicAdd(output, x);'
kernel adds_first_twice complete "$zeroed" 'if (i < n) atomicAdd(output, blockIdx.x ? x : 2 * x);'
kernel adds_last_twice complete "$zeroed" 'if (i < n) atomicAdd(output, last ? 2 * x : x);'
kernel parts partial "$zeroed" 'if (i < n) atomicAdd(output + blockIdx.x, x);'
kernel parts_first_twice partial "$zeroed" 'if (i < n) atomicAdd(output + blockIdx.x, blockIdx.x ? x : 2 * x);'
kernel parts_last_twice partial "$zeroed" 'if (i < n) atomicAdd(output + blockIdx.x, last ? 2 * x : x);'

# A kernel that writes an element per thread, 100 or 200 by turns of warps: each block's piece is compared.
writes() { # NAME VALUE
    {
        printf '// kernel:   %s\n// idea:     a test\n// source:   a test\n// workload: alternate_warps\n' "$1"
        printf '// covers:   BLOCK\n// blocks:   multiple of 32\n// ops:      sum\n// uniform:  yes\n'
        printf '#include "common.cuh"\nextern "C" __global__ void %s(element *input, element *output, index_t n)\n' "$1"
        printf '{\n    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;\n    bool last = blockIdx.x == gridDim.x - 1;\n'
        printf '    (void)last;\n    if (i < n) output[i] = (element)(%s);\n}\n' "$2"
    } >"$work/k/$1.cu"
}
writes warps 'i / 32 % 2 ? 200 : 100'
writes warps_first_wrong 'blockIdx.x == 0 && i == 0 ? 7 : i / 32 % 2 ? 200 : 100'
writes warps_last_wrong 'last && threadIdx.x == blockDim.x - 1 ? 7 : i / 32 % 2 ? 200 : 100'

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
