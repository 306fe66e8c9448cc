/*
 * A CUDA runtime that needs no GPU. Tests are linked to it instead of NVIDIA's runtime.
 *
 * What the runtime provides
 *   - It defines every runtime function that harness/devices/cuda calls, with NVIDIA's names, types
 *     and status codes. If a function is missing, the tests do not link.
 *   - Work stays queued until the host waits for it or the queue is full. Like a GPU's stream, the
 *     queue holds about a thousand items (1024), which run in order.
 *   - Launches run the kernel's PTX on redsweep's own simulator. Only kernels and copies can access
 *     the device's memory, because a device address is not valid on the host. "Cubins" are PTX,
 *     which fake_compiler.c returns. If a kernel faults, the context is lost, as on a GPU.
 *   - The fake imitates the blocking kernel (kernels/support/blocking.cu) without simulating its
 *     PTX. The work queued behind this kernel runs when the kernel's flag is set, or after ten
 *     seconds of device time. Calls that wait for a real GPU (for memory, code, or earlier events)
 *     wait here, too, so tests notice a kernel that would block forever. The fake does not simulate
 *     kernels/support/spin.cu, either. Instead, it advances its clock by the requested time and
 *     reports that time.
 *   - Only work advances the clock, so times are the same in every run. A launch takes 2 µs, plus 1
 *     ns per 1000 bytes moved to or from memory and 1 ns per 4000 bytes found in the cache. The
 *     cache holds the 2 MiB used last. Writing back evicted dirty data adds to the time of the
 *     launch that evicts it.
 *   - As on a GPU, contexts differ: in some, every launch takes longer by a fixed time. The
 *     runtime's own context is one of the fastest.
 *   - The environment can make any call fail. If the status of the failed call means that the
 *     context is lost, all later calls return the same status.
 *
 * What the runtime does not do
 *   - Nothing here is measured: times, registers and caches are made up. Results from this runtime
 *     are never kept, and redsweep itself is never linked to it.
 *   - The harness's kernels that just move memory (sweep_read, sweep_write, sweep_copy) run only
 *     while something is counted; otherwise, only their traffic is accounted for. Work in different
 *     streams does not overlap. Functions that redsweep does not call are missing.
 *
 * The environment controls the fake. fake_cuda_reset() and a process's first call read these
 * variables:
 *   FAKE_CUDA_FAIL     "cudaMalloc:3=2": the third call of cudaMalloc() since the reset returns
 *                      the status 2. "*:17=719": the 17th call of any function returns 719.
 *                      "cudaMalloc:3+=2": the third call and all later ones return 2
 *   FAKE_CUDA_KERNEL   "smem=700": launches of the kernel smem return the status 700; "smem=hang":
 *                      they never end; "smem=lie": they end without having done anything;
 *                      "smem=term-40": when the 40th launch begins, the parent of this process
 *                      gets SIGTERM ("smem=jobterm-40": this process, too), and the launch itself
 *                      is normal; "smem=hup-40": the parent gets SIGHUP instead
 *   FAKE_CUDA_ONCE     the path of a file that does not exist: only one fault happens, in the
 *                      process that creates this file
 *   FAKE_CUDA_DEVICES  the number of GPUs, default 1; the GPUs are different models unless
 *   FAKE_CUDA_ALIKE    is set
 *   CUDA_VISIBLE_DEVICES  the numbers of the visible GPUs, or "MIG-f0f1…" for one MIG instance
 *   FAKE_CUDA_CC       the compute capability, default 90: 60 is a P100, which has no clusters
 *   FAKE_CUDA_DRIVER   the version of CUDA that the driver supports, default 13000
 *   FAKE_CUDA_MEMORY   the bytes of memory on each GPU, default 128 MiB
 *   FAKE_CUDA_STEP     the resolution of the events in nanoseconds, default 1
 *   FAKE_CUDA_SLOTS    the length of a cycle of launches: each launch takes 100 ns less than the
 *                      one before, and the last of a cycle takes 2 us. Default 0: all launches
 *                      take 2 us
 *   FAKE_CUDA_SLOW     "1:8": launches on GPU 1, the second one, take 8 % longer
 *   FAKE_CUDA_PLACED   "300:3": a launch takes 300 ns longer if its argument 3 points into a slow
 *                      page; half of all pages of 4 KiB are slow. "300": the same for argument 0
 *   FAKE_CUDA_STALL    "100150:800": the memory stalls for 800 ns whenever the clock passes a
 *                      multiple of 100150 ns within a launch of a kernel under test
 *   FAKE_CUDA_WORK     the number of warp instructions that make a launch 1 ns longer; default 0:
 *                      instructions take no time
 *   FAKE_CUDA_RUN      "no": launches take their usual time but do no work
 *   FAKE_CUDA_WATTS    "smem=400,interleaved=300": the power while these kernels run; everything
 *                      else takes 200 W. NVML's counter shows the energy since the reset plus
 *                      1000 J, and changes every 40 to 60 ms of the clock above
 */
#ifndef REDSWEEP_TESTS_DEVICES_FAKE_CUDA_H
#define REDSWEEP_TESTS_DEVICES_FAKE_CUDA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "devices/cuda/runtime.h"

struct fake_cuda {
    int calls;          /* calls since the reset */
    const char *failed; /* the function that failed on request, or NULL */
    int live;           /* streams, events, libraries and buffers not yet freed */
    int late_releases;  /* blocking kernels that gave up */
    /*
     * calls after the context was lost, except those that free objects or memory
     */
    int after_loss;
    char misuse[256]; /* the first call that NVIDIA's runtime would reject, or "" */
    char fault[512];  /* the simulator's message about the kernel that lost the context */
    uint64_t clock_ns;
};

extern struct fake_cuda fake_cuda;

/* called by a launch that hangs, unless NULL */
extern void (*fake_cuda_hanging)(void);

/* Resets the fake to its state in a new process and rereads the environment. */
void fake_cuda_reset(void);

/*
 * Acts as if another program launched `launches` kernels after the work that is queued now.
 */
void fake_cuda_slip(unsigned launches);

/*
 * Describes how the times of launches vary. If all members are zero, the times are those described
 * at the top of this file. A reset sets all members to zero, so change them after opening the
 * device.
 */
struct fake_cuda_model {
    /* replaces the 2 us per launch, by launch number modulo `slots` */
    double slot_us[16];
    int slots;
    /*
     * Adds Gaussian noise and a few outliers to the times of the kernel `noisy` (NULL: all
     * kernels).
     */
    const char *noisy;
    double noise_us, outlier_share, outlier_us;
    uint64_t seed;
    /* if not 0, another program launches one kernel after this many launches of ours */
    uint64_t slip_after;
    /*
     * if true, the other program launches another kernel after every further `slip_after` launches
     */
    bool slip_on;
    double event_scale;     /* if not 0, a factor for the times of events */
    uint64_t timer_step_ns; /* if not 0, the step of the timer that kernels read */
};
extern struct fake_cuda_model fake_cuda_model;

/* Returns the function name of call k since the reset, counted from 1. */
const char *fake_cuda_call(int k);

/*
 * fake_cuda_cached() returns how many bytes of the buffer at `address` are in the cache.
 * fake_cuda_dirty() returns how many bytes in the whole cache are dirty.
 */
uint64_t fake_cuda_cached(uint64_t address);
uint64_t fake_cuda_dirty(void);

/*
 * These functions serve fake_cupti.c. fake_cuda_counter() returns the value of a counter for the
 * launches in a range; `name` is the counter's PerfWorks name. The fake itself computes
 * gpu__time_duration.sum and dram__bytes_read.sum. All other values come from the simulator.
 */
enum { FAKE_CUDA_RANGES = 2048 };
bool fake_cuda_has_counter(const char *name);
void fake_cuda_begin_range(int range);
void fake_cuda_end_range(int range);
double fake_cuda_counter(int range, const char *name);

/* Returns the energy counter in mJ, as it was at its latest step, to fake_nvml.c. */
unsigned long long fake_cuda_energy_mj(void);

/* Queues a sum of n int32 for fake_host_code.c. */
int fake_cuda_sum(const void *input, void *output, uint64_t n, void *stream);

#endif
