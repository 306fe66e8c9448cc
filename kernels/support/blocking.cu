// kernel:   blocking
// idea:     waits until a flag in host memory reaches a given number, so that work queues up behind
//           this kernel
// source:   redsweep
// role:     harness
// result:   complete
// input:    untouched
// covers:   1
// blocks:   multiple of 32
// uniform:  yes

/* Gives up after ten seconds, so that a dead host process cannot block the GPU. */
extern "C" __global__ void blocking(const unsigned *flag, unsigned *, unsigned ticket)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        unsigned open;
#if __CUDA_ARCH__ >= 700
        asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(open) : "l"(flag) : "memory");
#else /* there is no memory model before sm_70, but volatile loads do reach host memory */
        asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(open) : "l"(flag) : "memory");
#endif
        if ((int)(open - ticket) >= 0)
            return;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < 10000000000ull);
}
