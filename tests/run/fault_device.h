/*
 * A device that fails on demand, so that tests can use the real parent and the real worker. Its
 * memory is host memory, and a reduction is a plain loop. A hash of the point and the phase selects
 * the fault. Tests compute the same hash.
 *
 *   fault:seed=7,crash=3,hang=2,lie=5,oom=2,error=2,lost=2,slow=3
 *       The numbers are percentages of all pairs of point and phase.
 *
 *   crash   the process ends with abort, SIGSEGV, SIGKILL, exit(3) or exit(0), in rotation
 *   hang    the call does not return, and the parent's waits take no time (faults/skipping_clock.h)
 *   stop    all processes are stopped for longer than any limit, like those of a suspended job
 *   lie     the first launch gives a wrong result, and later ones are right
 *   oom     the call fails with ERROR_MEMORY
 *   starve  a small allocation of host memory fails, and the process ends (base/memory.h)
 *   error   the call fails with ERROR_LAUNCH, and the device remains usable
 *   lost    the call fails with ERROR_LAUNCH and device_lost
 *   slow    the call takes a few milliseconds longer, which is not a fault
 *
 * Other options:
 *
 *   only=check | time | count   faults happen only in this phase
 *   kernel=NAME       faults happen only in this kernel
 *   memory=BYTES      the device's memory; 0: as much as the host has
 *   reopen=no         after the first device, none can be opened
 *   uuid=TEXT         the device's UUID; "": none
 *   held=FILE         launches wait while this file exists
 *   sms=N             number of multiprocessors (4 by default)
 *   early=N           before it is open, the device states limits with at most N threads per block
 *   driver=N          version of the device's driver
 *   nocount, notime   the device has no counters, or no clock
 *   slowed=N          the first N queries report that the device was too hot
 *   took=US           how long each timed launch takes (1 to 7 us by default)
 *
 * The times are invented. They show only that time() was called.
 */
#ifndef REDSWEEP_TESTS_RUN_FAULT_DEVICE_H
#define REDSWEEP_TESTS_RUN_FAULT_DEVICE_H

#include "devices/device.h"

#define FAULT_STEP_US 0.03125 /* a step of the device's clock, and 32 steps are 1 us */

enum fault { NO_FAULT, CRASH, HANG, LIE, OOM, LAUNCH_FAILS, LOST, SLOW, STARVE, STOP, FAULT_COUNT };
enum fault_phase { PHASE_CHECK, PHASE_TIME, PHASE_COUNT, PHASES };

struct fault_options {
    uint64_t seed, memory;
    int slowed;
    double took_us;
    int percent[FAULT_COUNT];
    int only; /* only phase with faults; −1: all phases */
    char kernel[64];
    int driver, sms, early;
    char uuid[16], held[128];
    bool no_reopen, no_count, no_time;
};

bool fault_options_parse(const char *argument, struct fault_options *out, struct error *e);

/* Returns the fault that occurs at this launch in this phase. */
enum fault fault_of(const struct fault_options *o, const char *kernel, uint64_t n, unsigned block,
                    unsigned grid, enum fault_phase phase);

/* The kernels whose images the device makes. The device looks up in their facts which kernels
 * produce a single value. A test sets this before a run. */
extern struct catalogue fault_catalogue;

/* Forgets that a device was opened before, for reopen=no. */
void fault_device_forget(void);

#endif
