/*
 * A device that misbehaves on command, so that the real parent and the real worker can be tested
 * with it: its memory is the host's, a reduction is a plain loop, and a hash of the point and the
 * phase, which a test can compute as well, decides which fault happens.
 *
 *   fault:seed=7,crash=3,hang=2,lie=5,oom=2,error=2,lost=2,slow=3      percent of (point, phase)
 *
 *   crash   the process ends: abort, SIGSEGV, SIGKILL, exit(3) or exit(0), in turn
 *   hang    the call does not return, and the parent's waits take no time (faults/skipping_clock.h)
 *   stop    all processes are stopped for longer than any limit, as a suspended job's are
 *   lie     the result is wrong (of the first launch only)
 *   oom     ERROR_MEMORY
 *   starve  host memory runs out for something small: the process ends (base/memory.h)
 *   error   ERROR_LAUNCH, the device goes on
 *   lost    ERROR_LAUNCH with device_lost
 *   slow    the call takes a few milliseconds longer; no fault
 * Further words:
 *   only=check | time | count     faults in this phase only
 *   kernel=NAME                   faults in this kernel only
 *   memory=BYTES                  memory of the device; 0: as much as the host
 *   reopen=no                     a second device does not open
 *   uuid=TEXT                     its UUID; "": none
 *   held=FILE                     launches wait as long as there is such a file
 *   sms=N                         number of multiprocessors; the default is 4
 *   early=N                       limits are known before it is open, with N threads per block
 *   driver=N                      the version of its driver
 *   nocount, notime               the device has no counters, or no clock
 *   slowed=N                      it reports that it was too hot, the first N times
 *   took=US                       time of each timed launch; the default is 1 to 7 us
 * Times are invented: they only show that time() was called.
 */
#ifndef REDSWEEP_TESTS_RUN_FAULT_DEVICE_H
#define REDSWEEP_TESTS_RUN_FAULT_DEVICE_H

#include "devices/device.h"

#define FAULT_STEP_US 0.03125 /* a step of its clock: 32 steps are 1 us */

enum fault { NO_FAULT, CRASH, HANG, LIE, OOM, LAUNCH_FAILS, LOST, SLOW, STARVE, STOP, FAULT_COUNT };
enum fault_phase { PHASE_CHECK, PHASE_TIME, PHASE_COUNT, PHASES };

struct fault_options {
    uint64_t seed, memory;
    int slowed;
    double took_us;
    int percent[FAULT_COUNT];
    int only; /* a phase; −1: all */
    char kernel[64];
    int driver, sms, early;
    char uuid[16], held[128];
    bool no_reopen, no_count, no_time;
};

bool fault_options_parse(const char *argument, struct fault_options *out, struct error *e);

/* Returns what happens to this launch in this phase. */
enum fault fault_of(const struct fault_options *o, const char *kernel, uint64_t n, unsigned block,
                    unsigned grid, enum fault_phase phase);

/* The kernels that images are made of, and which of them leave one value; a test sets it before a run. */
extern struct catalogue fault_catalogue;

/* Forgets earlier opens of a device, for reopen=no. */
void fault_device_forget(void);

#endif
