// kernel:     last_block
// idea:       the block that draws the last ticket adds the partial sums
// source:     examples/as-written
// result:     complete
// input:      untouched
// covers:     BLOCK * ITEMS
// workspace:  256 + GRID * SIZEOF
// depth:      ITEMS + 2 * log2(BLOCK) + ceil_div(GRID, BLOCK)
// blocks:     power of two
// constant:   BLOCK
// tunable:    ITEMS 1 4
// types:      float32
// ops:        sum
// uniform:    no
// entry:      reduce_last
// parameters: workspace output input unsigned(N) float(1)
/*
 * The last block finishes the sum. A ticket in global memory, allocated and zeroed once by the
 * author's host code, tells which block is last.
 *
 * - "workspace:" is all of the author's scratch memory, zeroed before every launch. If the author has several
 *   buffers, let the first lines of the kernel divide this memory among them.
 * - unsigned(N) and float(1) are additional scalar arguments of the author's kernel. Their sizes must match the parameters,
 *   because the simulator refuses other sizes.
 * - The author's ITEMS is a macro. As a tunable, it becomes an axis of the sweep.
 * - The fact is "uniform: no", because the last block does more work than all other blocks.
 */
__device__ float block_sum(float value)
{
    __shared__ float values[BLOCK];
    values[threadIdx.x] = value;
    __syncthreads();
    for (unsigned s = BLOCK / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            values[threadIdx.x] += values[threadIdx.x + s];
        __syncthreads();
    }
    float sum = values[0];
    __syncthreads();
    return sum;
}

__global__ void reduce_last(unsigned char *scratch, float *result, const float *in, unsigned n,
                            float scale)
{
    unsigned *ticket = (unsigned *)scratch;
    float *partial = (float *)(scratch + 256);
    __shared__ bool last;
    float mine = 0;
    for (unsigned k = 0; k < ITEMS; k++) {
        unsigned i = (blockIdx.x * ITEMS + k) * BLOCK + threadIdx.x;
        if (i < n)
            mine += scale * in[i];
    }
    mine = block_sum(mine);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;
        __threadfence();
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last)
        return;
    mine = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += BLOCK)
        mine += partial[b];
    mine = block_sum(mine);
    if (threadIdx.x == 0)
        *result = mine;
}
