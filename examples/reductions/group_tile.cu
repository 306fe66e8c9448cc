// kernel:     group_tile
// idea:       cooperative groups: tiles of 16 threads reduce, then one tile
// source:     examples/reductions/README.md
// result:     partial
// input:      untouched
// covers:     BLOCK
// blocks:     multiple of 32
// types:      int32 uint32 float32
// ops:        sum
// uniform:    yes
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "common.cuh"
namespace cg = cooperative_groups;

extern "C" __global__ void group_tile(element *input, element *output, index_t n)
{
    __shared__ element tiles[64];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;

    element x = cg::reduce(tile, i < n ? input[i] : IDENTITY, cg::plus<element>());
    if (tile.thread_rank() == 0)
        tiles[tile.meta_group_rank()] = x;
    block.sync();
    if (tile.meta_group_rank() != 0)
        return;
    x = 0;
    for (unsigned k = tile.thread_rank(); k < tile.meta_group_size(); k += 16)
        x += tiles[k];
    x = cg::reduce(tile, x, cg::plus<element>());
    if (tile.thread_rank() == 0)
        output[blockIdx.x] = x;
}
