/*
 * A CUDA runtime without a GPU, for tests: linked instead of NVIDIA's.
 *
 * What it provides
 *   - Every function of the runtime that harness/devices/cuda calls is here, with the runtime's
 *     names, types and codes; if it calls another one, the tests do not link.
 *   - Work waits in a queue until somebody waits for it or the queue is full (1024 pieces, as a
 *     stream has room for about a thousand); then it is executed in order.
 *   - Launches run the kernel's PTX on redsweep's own simulator, on memory that only kernels and
 *     copies reach: a device address is not valid on the host. "Cubins" are PTX, which
 *     fake_compiler.c sees to. A kernel that faults there loses the context, as on a GPU.
 *   - The blocking kernel (kernels/support/blocking.cu), which is not simulated, lets work pass
 *     when its flag says so, and gives up after ten seconds of the device's own time otherwise.
 *     What waits for the device on a GPU (memory, code, events of earlier work) waits here, too, so
 *     a kernel that would block for ever shows. Nor is kernels/support/spin.cu simulated: it takes
 *     the time that it is told and says so.
 *   - A clock that only the device's work moves, so times are the same in each run: a launch takes
 *     2 µs, 1 ns for every 1000 bytes that it moves to or from the memory, and 1 ns for every 4000
 *     that the cache has. The last 2 MiB used are cached; when written data is evicted, the launch
 *     that evicts it pays for the write.
 *   - Contexts of the driver differ as they do on a GPU: launches in some take longer, always by
 *     the same time. The runtime's own context is as fast as the best of them.
 *   - Any call fails when it is told to; a status that loses the context is returned by every
 *     later call.
 *
 * What it does not do
 *   - Nothing here is a measurement. Its times, registers and caches are invented; no result made
 *     with it is kept, and redsweep itself never contains it.
 *   - The kernels of the harness that only move memory (sweep_read, sweep_write, sweep_copy) are
 *     only booked, not run, except while something is counted. Streams do not overlap. Only what
 *     redsweep uses is there.
 *
 * The environment steers it, read by fake_cuda_reset() and when a process first calls it:
 *   FAKE_CUDA_FAIL     "cudaMalloc:3=2": the third call of that function since the reset returns
 *                      that status. "*:17=719": the 17th call of any function. "cudaMalloc:3+=2": from the
 *                      third on
 *   FAKE_CUDA_KERNEL   "smem=700": a launch of that kernel returns that status; "smem=hang": it never ends;
 *                      "smem=lie": it ends without having done anything;
 *                      "smem=term-40": the 40th one, as it begins, sends SIGTERM to the process
 *                      that started this one ("smem=jobterm-40": to itself as well), "smem=hup-40"
 *                      SIGHUP; the launch itself is normal
 *   FAKE_CUDA_ONCE     a file that does not exist: the process that makes it fails, later ones do not
 *   FAKE_CUDA_DEVICES  how many GPUs there are, default 1; each is a different model unless
 *   FAKE_CUDA_ALIKE    is set
 *   CUDA_VISIBLE_DEVICES  numbers of those that are visible, or "MIG-f0f1…": one instance
 *   FAKE_CUDA_CC       their compute capability, default 90: 60 is a P100, which has no clusters
 *   FAKE_CUDA_DRIVER   the version of CUDA that the driver knows, default 13000
 *   FAKE_CUDA_MEMORY   bytes on each, default 128 MiB
 *   FAKE_CUDA_STEP     nanoseconds that the events tell apart, default 1
 *   FAKE_CUDA_SLOTS    each launch takes 100 ns less than the one before, in cycles of this many;
 *                      the last of a cycle takes 2 us. Default 0: all launches take 2 us
 *   FAKE_CUDA_SLOW     "1:8": launches on the second GPU take 8 % longer
 *   FAKE_CUDA_PLACED   "300:3": a launch takes that many nanoseconds more where its argument 3
 *                      points into one half of all pages of 4 KiB; default argument: 0
 *   FAKE_CUDA_STALL    "100150:800": the memory stalls for 800 ns whenever the clock passes a
 *                      multiple of 100150 ns within a launch of a kernel under test
 *   FAKE_CUDA_WORK     warp instructions that take 1 ns more; default 0: instructions take no time
 *   FAKE_CUDA_RUN      "no": launches take their time and do nothing
 *   FAKE_CUDA_WATTS    "smem=400,interleaved=300": power while these kernels run; all else takes
 *                      200 W. NVML's counter shows the energy since the reset plus 1000 J, and steps
 *                      every 40 to 60 ms of the clock above
 */
#ifndef REDSWEEP_TESTS_DEVICES_FAKE_CUDA_H
#define REDSWEEP_TESTS_DEVICES_FAKE_CUDA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "devices/cuda/runtime.h"

struct fake_cuda {
    int calls;          /* since the reset */
    const char *failed; /* the function that was made to fail; NULL: none yet */
    int live;           /* streams, events, libraries and memory that were not freed */
    int late_releases;  /* blocking kernels that gave up */
    int after_loss;     /* calls of a lost context, apart from those that give something back */
    char misuse[256];   /* the first call that NVIDIA's runtime would not take; "" */
    char fault[512];    /* what the simulator said about the kernel that lost the context */
    uint64_t clock_ns;
};

extern struct fake_cuda fake_cuda;

/* Called by a launch that hangs, where a test has set it. */
extern void (*fake_cuda_hanging)(void);

/* Resets everything as in a new process, and reads the environment again. */
void fake_cuda_reset(void);

/* Behaves as if somebody else had launched this many kernels after the waiting work was done. */
void fake_cuda_slip(unsigned launches);

/*
 * How launches of a test's GPU vary; all zero: as the head of this file says. A reset clears it, so a test
 * sets it when its device is open.
 */
struct fake_cuda_model {
    double slot_us[16]; /* what a launch takes instead of 2 us, by its number modulo `slots` */
    int slots;
    /* Launches of `noisy` (NULL: of every kernel) vary by normal noise,
     * and sometimes by much more. */
    const char *noisy;
    double noise_us, outlier_share, outlier_us;
    uint64_t seed;
    uint64_t slip_after;    /* not 0: after this many launches somebody else launches one … */
    bool slip_on;           /* … and so on after each further such number */
    double event_scale;     /* not 0: times of events are multiplied by it */
    uint64_t timer_step_ns; /* not 0: steps of the timer that kernels read */
};
extern struct fake_cuda_model fake_cuda_model;

/* Returns the name of call k since the reset, counted from 1. */
const char *fake_cuda_call(int k);

/* Bytes of the memory at this address that are in the cache now; dirty bytes of the whole cache. */
uint64_t fake_cuda_cached(uint64_t address);
uint64_t fake_cuda_dirty(void);

/*
 * For fake_cupti.c: counters (PerfWorks names) of the work between the beginning and the end of a
 * range: those of the simulator, and gpu__time_duration.sum and dram__bytes_read.sum of the fake.
 */
enum { FAKE_CUDA_RANGES = 2048 };
bool fake_cuda_has_counter(const char *name);
void fake_cuda_begin_range(int range);
void fake_cuda_end_range(int range);
double fake_cuda_counter(int range, const char *name);

/* fake_nvml.c reads the energy counter as of its latest step, in mJ. */
unsigned long long fake_cuda_energy_mj(void);

/* fake_host_code.c queues the sum of n int32. */
int fake_cuda_sum(const void *input, void *output, uint64_t n, void *stream);

#endif
