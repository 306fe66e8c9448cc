// kernel:     cluster_memory
// idea:       a cluster of four blocks; the first reads the others' shared memory
// source:     examples/reductions/README.md
// result:     complete
// input:      untouched
// output:     zeroed
// covers:     BLOCK
// blocks:     multiple of 32
// launch:     cluster(4)
// grid:       4 * ceil_div(N, 4 * COVERS)
// types:      int32 uint32
// ops:        sum
// uniform:    no
#include <cooperative_groups.h>
#include "common.cuh"
namespace cg = cooperative_groups;

extern "C" __global__ void cluster_memory(element *input, element *output, index_t n)
{
    __shared__ element sum;
    cg::cluster_group cluster = cg::this_cluster();
    index_t i = (index_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, i < n ? input[i] : 0);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        element all = 0;
        for (unsigned b = 0; b < cluster.num_blocks(); b++)
            all += *cluster.map_shared_rank(&sum, b);
        atomicAdd(output, all);
    }
    cluster.sync(); /* no block may exit while others read its memory */
}
