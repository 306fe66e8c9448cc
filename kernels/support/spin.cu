// kernel:   spin
// idea:     spins for a given number of nanoseconds on the GPU's timer, and returns how many
//           actually passed
// source:   redsweep
// role:     harness
// result:   complete
// input:    untouched
// covers:   1
// blocks:   multiple of 32
// uniform:  yes

/*
 * One block waits on a device timer that does not depend on the clock frequency. Event times are
 * checked against this timer.
 */
extern "C" __global__ void spin(const unsigned *, unsigned long long *spent, unsigned long long ns)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - start < ns);
    if (threadIdx.x == 0)
        *spent = now - start;
}
