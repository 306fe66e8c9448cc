// kernel:     reduce_tree
// idea:       two elements a thread, a tree in shared memory, the block size a template argument
// source:     examples/as-written
// result:     partial
// input:      untouched
// covers:     2 * BLOCK
// shared:     BLOCK * SIZEOF
// blocks:     power of two
// constant:   BLOCK
// ops:        sum
// requires:   N < 2147483648
// uniform:    yes
// entry:      trees::reduce_tree<element, BLOCK>
// parameters: input output int(N)
/*
 * A tree reduction in shared memory, as a template with the block size as an argument. The author's host
 * code launched reduce_tree<float, 256><<<blocks, 256, 256 * sizeof(float)>>>(in, partial, n), with an int n.
 *
 * - "result: partial" and "covers": each block writes one value, for 2 * BLOCK elements. Without "grid:" there are
 *   ceil_div(N, COVERS) blocks, as many as the author launched.
 * - "constant: BLOCK" makes the block size a compile-time constant, and "entry:" names the instance of the template. Both
 *   facts may use any macro of the kernel.
 * - "parameters:" gives the order of the arguments, and int(N) passes n in 4 bytes. "requires:" excludes sizes that do not
 *   fit into an int.
 * - The operation is written as +, so the fact is "ops: sum". No fact restricts the types, because T is a parameter.
 */
#include "common.cuh"

namespace trees {

template <typename T, unsigned block_size>
__global__ void reduce_tree(const T *__restrict__ in, T *__restrict__ partial, int n)
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *data = reinterpret_cast<T *>(memory);
    unsigned t = threadIdx.x;
    long long i = (long long)blockIdx.x * (2 * block_size) + t;
    T sum = i < n ? in[i] : T(0);
    if (i + block_size < n)
        sum += in[i + block_size];
    data[t] = sum;
    __syncthreads();
#pragma unroll
    for (unsigned s = block_size / 2; s > 0; s >>= 1) {
        if (t < s)
            data[t] += data[t + s];
        __syncthreads();
    }
    if (t == 0)
        partial[blockIdx.x] = data[0];
}

} // namespace trees
