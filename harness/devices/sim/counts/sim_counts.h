/*
 * Declares the simulator's counters and the PerfWorks names under which they are reported.
 *
 * A request is one execution of a load, store or atomic by a warp, with at least one executing
 * lane. Its sectors are the different 32-byte segments of memory that it accesses, and its lines
 * are the different 128-byte segments. Segments begin at multiples of their size.
 */
#ifndef REDSWEEP_DEVICES_SIM_COUNTS_SIM_COUNTS_H
#define REDSWEEP_DEVICES_SIM_COUNTS_SIM_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_REDUCTION, ACCESS_ATOMIC, ACCESS_KINDS };

struct access_counts {
    uint64_t requests;
    uint64_t sectors;    /* sectors of global and local accesses */
    uint64_t lines;      /* lines of global and local accesses */
    uint64_t wavefronts; /* wavefronts of shared accesses */
    uint64_t conflicts;  /* wavefronts of shared accesses beyond coalesce_min_wavefronts() */
    /* the bytes that the lanes access; in global loads and stores, a byte accessed by several lanes
     * counts once per request */
    uint64_t bytes;
    /* how many atomics had several lanes in one sector, or how many loads were cp.async.cg; their
     * sectors are unknown */
    uint64_t collisions;
    /* how many accesses have unknown counts, because the assembler may have changed them
     * (program/follow.h) */
    uint64_t unknown;
};

struct counts {
    uint64_t blocks, warps, threads;
    uint64_t instructions; /* executed instructions of the PTX, each counted once per warp */
    /* what charge() has added for slow operations (machine.h) */
    uint64_t charged;
    /* the number of lanes that executed them, summed over these instructions */
    uint64_t thread_instructions;
    uint64_t thread_on; /* the same, counting only lanes whose guard predicate was true */
    uint64_t branches, divergent_branches;
    uint64_t uniform_branches; /* branches - divergent_branches, set by counts_finish() */
    struct access_counts global[ACCESS_KINDS], local[ACCESS_KINDS], shared[ACCESS_KINDS];
};

void counts_add(struct counts *to, const struct counts *from);
/* Sets *out to a − b. No member of b may be larger than the same member of a. */
void counts_subtract(const struct counts *a, const struct counts *b, struct counts *out);
/* Adds `from`, multiplied by `times`, to `to`. */
void counts_add_times(struct counts *to, const struct counts *from, uint64_t times);
/* Computes uniform_branches. Call this after all counts have been added. */
void counts_finish(struct counts *c);

/* Returns a counter's value. Returns NaN if the counter's name or value is unknown, or if it is a
 * ratio whose denominator is 0. */
double counts_value(const struct counts *c, const char *counter);

/* Returns whether the simulator has this counter. If not, writes the reason to `why`. */
bool counts_known(const char *counter, char why[256]);

/* Returns the name of counter number `index`, or NULL after the last one. */
const char *counts_name(int index);

#endif
