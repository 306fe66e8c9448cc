/*
 * A thread copies packs from global to shared memory without registers. Copies belong to groups, and a thread
 * waits for the oldest groups of its own copies. The PTX ISA describes cp.async and its groups.
 */
#ifndef REDSWEEP_KERNELS_COPIES_CUH
#define REDSWEEP_KERNELS_COPIES_CUH

/* Starts to copy 16 bytes. Both addresses are multiples of 16. The copy bypasses L1. */
static __device__ __forceinline__ void pack_copy(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}

/* Ends a group: the copies since the previous group belong to it. It may be empty. */
static __device__ __forceinline__ void copies_commit()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

/* Returns when all groups of this thread except the last COUNT are complete. */
template <unsigned COUNT> static __device__ __forceinline__ void copies_wait()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(COUNT) : "memory");
}

#endif
