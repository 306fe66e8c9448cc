/*
 * Copies packs asynchronously from global to shared memory, without going through registers. A thread
 * commits its copies in groups, and can wait until its oldest groups are complete. See cp.async in the
 * PTX ISA.
 */
#ifndef REDSWEEP_KERNELS_COPIES_CUH
#define REDSWEEP_KERNELS_COPIES_CUH

/* Starts copying 16 bytes, bypassing L1. Both addresses must be multiples of 16. */
static __device__ __forceinline__ void pack_copy(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}

/*
 * Commits the copies that this thread started since its previous call as a group, which may be empty.
 */
static __device__ __forceinline__ void copies_commit()
{
    asm volatile("cp.async.commit_group;" : : : "memory");
}

/* Waits until all groups of this thread except the last COUNT are complete. */
template <unsigned COUNT> static __device__ __forceinline__ void copies_wait()
{
    asm volatile("cp.async.wait_group %0;" : : "n"(COUNT) : "memory");
}

#endif
