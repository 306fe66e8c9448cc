#!/bin/sh
# Barriers are not the only way to order accesses. redsweep racecheck also recognizes flags with
# fences within a block, and waits for asynchronous and bulk copies. Each kernel is checked in two
# versions. The correct one must have no race; the one without the instructions that enforce the
# order must have races. Kernels that require certain sizes are checked with these sizes.
set -u
. "$(dirname "$0")/../scratch.sh"


# kernel NAME FACTS: writes a kernel with the code from standard input
kernel() {
    {
        printf '// kernel: %s\n// idea: a test\n// source: a test\n// result: partial\n' "$1"
        printf '// input: untouched\n// covers: BLOCK\n// blocks: 64 128\n// constant: BLOCK\n'
        printf '// types: int32\n// ops: sum\n// uniform: no\n%s#include "common.cuh"\n' "$2"
        sed "s/NAME/$1/"
    } >"$work/$1.cu"
}

# variant FROM NAME SED-SCRIPT
variant() {
    sed -e "s/kernel: $1\$/kernel: $2/; s/void $1(/void $2(/" -e "$3" "$work/$1.cu" >"$work/$2.cu"
    cmp -s "$work/$1.cu" "$work/$2.cu" && fail "$2 is $1"
}

right() { # NAME
    "$redsweep" racecheck "$1" --kernel-folder "$work" >"$work/out.txt" 2>&1 || fail "$1: $(head -9 "$work/out.txt")"
    grep -q "^$1 has no race in [1-9]" "$work/out.txt" || fail "$1: $(head -9 "$work/out.txt")"
}
racy() { # NAME WORDS
    "$redsweep" racecheck "$1" --kernel-folder "$work" >"$work/out.txt" 2>&1
    [ $? -eq 1 ] && grep -q "$2" "$work/out.txt" || fail "$1: nothing of '$2': $(head -9 "$work/out.txt")"
}

# One warp passes values to another through a flag. The values are in shared memory, and the flag is
# in shared or global memory.
kernel flag '// workspace: 4 * GRID
' <<'CU'
extern "C" __global__ void NAME(element *input, element *output, index_t n, void *workspace)
{
    __shared__ element value[32];
    __shared__ volatile int ready[1];
    volatile int *there = (volatile int *)workspace + blockIdx.x;
    volatile int *flag = ready;
    if (threadIdx.x == 0) { ready[0] = 0; *there = 0; }
    __syncthreads();
    index_t first = blockIdx.x * (index_t)BLOCK;
    if (threadIdx.x < 32) {
        element v = IDENTITY;
        for (index_t k = first + threadIdx.x; k < n && k < first + BLOCK; k += 32)
            v += input[k];
        value[threadIdx.x] = v;
        __syncwarp(); /* the warp's values before its first lane */
        if (threadIdx.x == 0) {
            __threadfence_block(); /* before the flag */
            *flag = 1;
        }
    } else if (threadIdx.x == 32) {
        while (!*flag)
            ;
        __threadfence_block();
        element v = 0;
        for (int k = 0; k < 32; k++)
            v += value[k];
        output[blockIdx.x] = v;
    }
}
CU
variant flag flag_in_global 's/flag = ready/flag = there/'
variant flag flag_unfenced '/before the flag/d'
variant flag flag_of_a_lane '/the warp.s values before/d'
right flag
right flag_in_global
racy flag_unfenced 'shared memory, threads of one block'
racy flag_of_a_lane 'value\[threadIdx.x\] = v;'

kernel pipe '// min_arch: sm_80
' <<'CU'
#include <cuda_pipeline.h>
extern "C" __global__ void NAME(element *input, element *output, index_t n)
{
    __shared__ element v[2][BLOCK];
    index_t i = blockIdx.x * (index_t)BLOCK + threadIdx.x;
    v[0][threadIdx.x] = v[1][threadIdx.x] = 0;
    __syncthreads(); /* before the copies */
    if (i < n)
        __pipeline_memcpy_async(&v[0][BLOCK - 1 - threadIdx.x], &input[i], sizeof(element));
    __pipeline_commit();
    if (i < n)
        __pipeline_memcpy_async(&v[1][threadIdx.x], &input[i], sizeof(element));
    __pipeline_commit();
    __pipeline_wait_prior(1); /* for the first group */
    __syncthreads();          /* of all threads */
    if (threadIdx.x == 0) {
        element s = 0;
        for (int k = 0; k < BLOCK; k++)
            s += v[0][k];
        output[blockIdx.x] = s;
    }
    __pipeline_wait_prior(0);
}
CU
variant pipe pipe_unwaited '/for the first group/d'
variant pipe pipe_second 's/s += v\[0\]/s += v[1]/'
variant pipe pipe_alone '/of all threads/d'
variant pipe pipe_early '/before the copies/d'
right pipe
racy pipe_unwaited 'cp.async'
racy pipe_second 'cp.async'
racy pipe_alone 'cp.async'
racy pipe_early 'two writes'

# All threads wait for a bulk copy at a barrier in shared memory. The kernel requires whole blocks,
# so sizes such as 1 and 1001 are not allowed.
kernel bulk '// min_arch: sm_90
// requires: N % BLOCK = 0
' <<'CU'
static __device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
static __device__ void wait(unsigned long long *b, unsigned parity)
{
    unsigned over;
    do
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(over) : "r"(at(b)), "r"(parity) : "memory");
    while (!over);
}
extern "C" __global__ void NAME(element *input, element *output, index_t n)
{
    __shared__ __align__(128) element v[BLOCK];
    __shared__ __align__(8) unsigned long long full;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)),
                     "r"(BLOCK * 4) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], "
                     "%2, [%3];" ::"r"(at(v)), "l"(input + blockIdx.x * (index_t)BLOCK),
                     "r"(BLOCK * 4), "r"(at(&full)) : "memory");
    }
    __syncthreads();
    wait(&full, 0); /* by all */
    if (threadIdx.x == 33) {
        element s = 0;
        for (int k = 0; k < BLOCK; k++)
            s += v[k];
        output[blockIdx.x] = s;
    }
}
CU
variant bulk bulk_unwaited '/by all/d'
variant bulk bulk_by_one 's/wait(&full, 0);/if (threadIdx.x == 0) wait(\&full, 0);/'
right bulk
grep -q 'no race in [46] launches' "$work/out.txt" || fail "sizes of bulk: $(cat "$work/out.txt")"
racy bulk_unwaited 'cp.async.bulk'
racy bulk_by_one 'cp.async.bulk'

# A kernel may require unusual sizes. If it allows none of the sizes that racecheck tries, it is not
# checked.
kernel sizes '// requires: power_of_two(N) and N >= 4096
' <<'CU'
extern "C" __global__ void NAME(element *input, element *output, index_t n)
{
    if (threadIdx.x == 0)
        output[blockIdx.x] = input[blockIdx.x * BLOCK];
}
CU
variant sizes sizes_odd 's/requires: .*/requires: N % 1007 = 3/'
variant sizes sizes_none 's/requires: .*/requires: N < 0/'
right sizes
right sizes_odd
"$redsweep" racecheck sizes_none --kernel-folder "$work" >"$work/out.txt" 2>&1
[ $? -eq 2 ] && grep -q 'not checked: the kernel requires N < 0' "$work/out.txt" ||
    fail "no size: $(cat "$work/out.txt")"

# One warp zeroes cells, and then all warps add to them. The warp that zeroes also adds. This must
# not hide the race between its zeroing and the adding of other warps.
kernel zeroed '' <<'CU'
extern "C" __global__ void NAME(element *input, element *output, index_t n)
{
    __shared__ element count[32];
    if (threadIdx.x < 32)
        count[threadIdx.x] = 0;
    __syncthreads(); /* before the adds */
    index_t i = blockIdx.x * (index_t)BLOCK + threadIdx.x;
    if (i < n)
        atomicAdd(&count[threadIdx.x % 32], input[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        element s = 0;
        for (int k = 0; k < 32; k++)
            s += count[k];
        output[blockIdx.x] = s;
    }
}
CU
variant zeroed zeroed_late '/before the adds/d'
right zeroed
racy zeroed_late 'count\[threadIdx.x\] = 0;'

# All blocks add to one cell with atomics.
kernel scope '// workspace: 4
' <<'CU'
extern "C" __global__ void NAME(element *input, element *output, index_t n, void *workspace)
{
    index_t i = blockIdx.x * (index_t)BLOCK + threadIdx.x;
    if (i < n)
        atomicAdd((element *)workspace, input[i]);
    if (threadIdx.x == 0)
        output[blockIdx.x] = 0;
}
CU
variant scope scope_of_a_block 's/atomicAdd(/atomicAdd_block(/'
right scope
racy scope_of_a_block 'threads of different blocks'

# Each block waits for the previous one. A warp writes values, and then its first lane sets the
# flag. The next block's warp reads the values once its own first lane has seen the flag.
kernel chain '// workspace: 256 * GRID
' <<'CU'
extern "C" __global__ void NAME(element *input, element *output, index_t n, void *workspace)
{
    volatile int *flag = (volatile int *)workspace + blockIdx.x;
    element *value = (element *)workspace + gridDim.x + blockIdx.x * 32;
    if (threadIdx.x >= 32)
        return;
    element v = 0;
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0)
            while (!flag[-1])
                ;
        __threadfence();
        __syncwarp(); /* after the flag */
        v = (value - 32)[31 - threadIdx.x];
    }
    for (index_t k = blockIdx.x * (index_t)BLOCK + threadIdx.x; k < n && k < (blockIdx.x + 1) * (index_t)BLOCK; k += 32)
        v += input[k];
    value[threadIdx.x] = v;
    __syncwarp(); /* before the flag */
    if (threadIdx.x == 0) {
        __threadfence(); /* of the values */
        *flag = 1;
        output[blockIdx.x] = 0;
    }
}
CU
variant chain chain_early '/before the flag/d'
variant chain chain_late '/after the flag/d'
variant chain chain_unfenced '/of the values/d'
variant chain chain_block_fence 's/__threadfence(); .. of the values/__threadfence_block(); \/* of the values/'
right chain
for variant in early late unfenced block_fence; do
    racy chain_$variant 'threads of different blocks'
done

# A warp barrier orders the accesses of the lanes that take part in it.
kernel lanes '' <<'CU'
extern "C" __global__ void NAME(element *input, element *output, index_t n)
{
    __shared__ element v[BLOCK];
    unsigned t = threadIdx.x;
    index_t i = blockIdx.x * (index_t)BLOCK + t;
    v[t] = i < n ? input[i] : 0;
    unsigned all = 0xffffffffu;
    __syncwarp(all);
    if (t == 0)
        output[blockIdx.x] = v[t + 31];
}
CU
variant lanes lanes_half 's/__syncwarp(all)/if (t % 32 < 16) __syncwarp(0xffffu); else __syncwarp(0xffff0000u)/'
variant lanes lanes_halves_met 's/__syncwarp(all);/if (t % 32 < 16) __syncwarp(0xffffu); else __syncwarp(0xffff0000u); __syncwarp(0x80008001u | 1u << t % 32);/; s/v\[t + 31\]/v[t + 15]/'
right lanes
racy lanes_half 'threads of one warp'

# Checks the kernel with a row length that it allows.
{
    printf '// kernel: odd_rows\n// idea: a test\n// source: a test\n// workload: rows\n// covers: ROW_LENGTH\n'
    printf '// blocks: 64\n// types: int32\n// ops: sum\n// requires: ROW_LENGTH %% 96 = 5\n'
    printf '// parameters: input output unsigned(ROW_LENGTH)\n#include "common.cuh"\n'
    printf 'extern "C" __global__ void odd_rows(const element *in, element *out, unsigned length)\n'
    printf '{\n    if (threadIdx.x == 0) out[blockIdx.x] = in[blockIdx.x * length];\n'
    printf '    __syncthreads(); /* before the other */\n    if (threadIdx.x == 40) out[blockIdx.x] += 1;\n}\n'
} >"$work/odd_rows.cu"
variant odd_rows odd_rows_unordered '/before the other/d'
right odd_rows
racy odd_rows_unordered 'global memory, threads of one block'

[ $failed -eq 0 ] && echo "test_racecheck_order: passed"
exit $failed
