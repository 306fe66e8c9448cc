/*
 * 16 bytes of elements, loaded or stored by one instruction: the widest access that every GPU from
 * sm_75 on has. The address must be a multiple of 16, as every buffer's beginning is.
 */
#ifndef REDSWEEP_KERNELS_PACK_CUH
#define REDSWEEP_KERNELS_PACK_CUH

#include "common.cuh"

#define PACK_WIDTH ((unsigned)(16 / sizeof(element)))

struct alignas(16) pack {
    element e[16 / sizeof(element)];
};

/* The elements of one pack combined, as a tree: (0,1) (2,3), then the two. */
static __device__ __forceinline__ element pack_combine(pack p)
{
    element sum = combine(p.e[0], p.e[1]);
    if (PACK_WIDTH == 4)
        sum = combine(sum, combine(p.e[PACK_WIDTH - 2], p.e[PACK_WIDTH - 1]));
    return sum;
}

/*
 * A grid-stride walk over `packs` packs: the grid takes tiles of blockDim.x * LOADS_AT_ONCE packs
 * in turn, a thread LOADS_AT_ONCE of them, one block apart, all loaded before the first is used.
 */
template <int LOADS_AT_ONCE>
static __device__ __forceinline__ element packs_combine(const pack *data, index_t packs)
{
    element sum = IDENTITY;
    index_t tile = (index_t)blockDim.x * LOADS_AT_ONCE;
    for (index_t first = blockIdx.x * tile; first < packs; first += gridDim.x * tile) {
        const pack *mine = data + first + threadIdx.x;
        if (packs - first >= tile) {
            pack p[LOADS_AT_ONCE];
#pragma unroll
            for (int k = 0; k < LOADS_AT_ONCE; k++)
                p[k] = mine[k * blockDim.x];
#pragma unroll
            for (int k = 0; k < LOADS_AT_ONCE; k++)
                sum = combine(sum, pack_combine(p[k]));
        } else { /* the last tile: only some of its packs exist */
            for (index_t k = first + threadIdx.x; k < packs; k += blockDim.x)
                sum = combine(sum, pack_combine(data[k]));
        }
    }
    return sum;
}

#endif
