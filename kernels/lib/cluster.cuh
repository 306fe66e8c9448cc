/*
 * Gives access to the shared memory of other blocks in the cluster (distributed shared memory). See
 * mapa and barrier.cluster in the PTX ISA.
 */
#ifndef REDSWEEP_KERNELS_CLUSTER_CUH
#define REDSWEEP_KERNELS_CLUSTER_CUH

#include "lanes.cuh"

/*
 * Every thread of the cluster must call cluster_arrive() and then cluster_wait(). What any of them
 * wrote before cluster_arrive() is visible to all of them after cluster_wait().
 */
static __device__ __forceinline__ void cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
}

static __device__ __forceinline__ void cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
}

/* Returns the address of block `rank`'s copy of `variable`, which is in shared memory. */
static __device__ __forceinline__ unsigned cluster_address(const void *variable, unsigned rank)
{
    unsigned there, here = (unsigned)__cvta_generic_to_shared(variable);
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here), "r"(rank));
    return there;
}

/* Writes `value` to block 0's copy of `variable`, which is in shared memory. */
template <class T> static __device__ __forceinline__ void put_in_first_block(T *variable, T value)
{
    unsigned there = cluster_address(variable, 0);
    words_of<T> x;
    x.value = value;
#pragma unroll
    for (unsigned k = 0; k < sizeof(T) / 4; k++)
        asm volatile("st.shared::cluster.u32 [%0], %1;" : : "r"(there + 4 * k), "r"(x.words[k]) : "memory");
}

#endif
