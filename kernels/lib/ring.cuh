/*
 * Copies data in bulk into a ring of shared-memory stages. Barriers count the bytes as they arrive. See
 * mbarrier and cp.async.bulk in the PTX ISA.
 */
#ifndef REDSWEEP_KERNELS_RING_CUH
#define REDSWEEP_KERNELS_RING_CUH

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ void barrier_init(unsigned long long *barrier, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                 :
                 : "r"(shared_address(barrier)), "r"(arrivals)
                 : "memory");
}

static __device__ __forceinline__ void barrier_arrive(unsigned long long *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
                 :
                 : "r"(shared_address(barrier))
                 : "memory");
}

/*
 * Arrives at the barrier once, and sets how many bytes copies will deliver in the barrier's current
 * phase.
 */
static __device__ __forceinline__ void barrier_expect(unsigned long long *barrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}

/*
 * Waits until the barrier's phase with this parity is complete. A barrier's phases have parity 0, 1, 0
 * …
 */
static __device__ __forceinline__ void barrier_wait(unsigned long long *barrier, unsigned parity)
{
    unsigned over;
    do
        asm volatile("{\n\t"
                     ".reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t"
                     "}"
                     : "=r"(over)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    while (!over);
}

/*
 * Copies `bytes` bytes (a multiple of 16) to shared memory; `barrier` counts them as they arrive. With
 * EVICT_FIRST, L2 evicts these bytes before other data.
 */
template <bool EVICT_FIRST = false>
static __device__ __forceinline__ void bulk_copy(void *to, const void *from, unsigned bytes,
                                                 unsigned long long *barrier)
{
    if (EVICT_FIRST) {
        unsigned long long first;
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
                     "[%0], [%1], %2, [%3], %4;"
                     :
                     : "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(barrier)), "l"(first)
                     : "memory");
        return;
    }
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];"
                 :
                 : "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

#endif
