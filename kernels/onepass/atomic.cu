// kernel:    atomic
// idea:      a single launch: each block atomically adds its sum to one word, and the last block to
//            arrive writes the result
// source:    beyond the sources: CUDA C++ Programming Guide, atomic functions
// result:    complete
// input:     untouched
// covers:    BLOCK * UNROLL
// workspace: 16
// depth:     COVERS / BLOCK + 11 + GRID
// blocks:    multiple of 32
// unroll:    1 2 4 8 16
// uniform:   no
// varies:    yes
#include "block.cuh"

#if defined(TYPE_INT64) || defined(TYPE_UINT64) || defined(TYPE_FLOAT64)
typedef unsigned long long word;
#else
typedef unsigned word;
#endif

/* The harness zeroes this structure before the launch, and the last block zeroes it again. */
struct cell {
    unsigned long long sum; /* encoded: see decode() */
    unsigned blocks;        /* number of blocks that have added their sums */
};

union either {
    element value;
    word bits;
};

/*
 * A zeroed word has to stand for the operation's identity: 0 for a sum, the smallest element for a maximum, 1
 * for a product. The word therefore stores the value's bits xor the identity's bits.
 */
static __device__ __forceinline__ element decode(word bits)
{
    either x, identity;
    identity.value = IDENTITY;
    x.bits = bits ^ identity.bits;
    return x.value;
}

#if defined(OP_SUM) && !defined(TYPE_INT64)
static __device__ __forceinline__ void accumulate(cell *c, element value)
{
    atomicAdd((element *)&c->sum, value);
}
#elif defined(OP_SUM)
static __device__ __forceinline__ void accumulate(cell *c, element value)
{
    atomicAdd(&c->sum, (word)value); /* The bits are the same with and without a sign. */
}
#else
static __device__ __forceinline__ word encode(element value)
{
    either x, identity;
    x.value = value;
    identity.value = IDENTITY;
    return x.bits ^ identity.bits;
}

/*
 * Types and operations without an atomic instruction repeat a compare-and-swap until no other block
 * interferes.
 */
static __device__ __forceinline__ void accumulate(cell *c, element value)
{
    word *cell_word = (word *)&c->sum, seen = 0, next;
    while ((next = encode(combine(decode(seen), value))) != seen) {
        word found = atomicCAS(cell_word, seen, next);
        if (found == seen)
            break;
        seen = found;
    }
}
#endif

extern "C" __global__ void atomic(element *input, element *output, index_t n, void *workspace)
{
    cell *c = (cell *)workspace;
    index_t first = (index_t)blockIdx.x * blockDim.x * UNROLL;
    unsigned here = elements_here(n, first, blockDim.x * UNROLL);

    element sum = block_combine(thread_combine<UNROLL>(part_from(input, input, first), here));
    if (threadIdx.x == 0) {
        accumulate(c, sum);
        __threadfence(); /* The sum must be visible before the count. */
        if (atomicAdd(&c->blocks, 1) == gridDim.x - 1) {
            output[0] = decode(atomicExch((word *)&c->sum, 0));
            c->blocks = 0;
        }
    }
}
