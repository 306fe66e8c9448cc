/*
 * The simulator's counters and the PerfWorks names under which it reports them.
 *
 * A request is a warp instruction with at least one executing lane. Its sectors are the distinct
 * aligned 32-byte segments that it touches, and its lines the distinct aligned 128-byte segments.
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
    uint64_t conflicts;  /* shared: wavefronts beyond coalesce_min_wavefronts() */
    /* bytes requested by lanes; global loads and stores count each byte once */
    uint64_t bytes;
    uint64_t collisions; /* atomics with several lanes in one sector; loads by cp.async.cg */
    /* instructions that the assembler may split, so their counts are unknown */
    uint64_t unknown;
};

struct counts {
    uint64_t blocks, warps, threads;
    uint64_t instructions; /* warp instructions, as in the PTX */
    /* added by charge() (machine.h) for slow operations */
    uint64_t charged;
    /* lanes summed over these instructions */
    uint64_t thread_instructions;
    uint64_t thread_on; /* the same, but only lanes whose guard was true */
    uint64_t branches, divergent_branches;
    uint64_t uniform_branches; /* branches - divergent_branches: counts_finish() */
    struct access_counts global[ACCESS_KINDS], local[ACCESS_KINDS], shared[ACCESS_KINDS];
};

void counts_add(struct counts *to, const struct counts *from);
/* Sets *out to a − b. No member of b may exceed its counterpart in a. */
void counts_subtract(const struct counts *a, const struct counts *b, struct counts *out);
/* Adds `from`, multiplied by `times`, to `to`. */
void counts_add_times(struct counts *to, const struct counts *from, uint64_t times);
/* Computes the derived members. Call it last. */
void counts_finish(struct counts *c);

/* Returns a counter's value, or NaN if the name is unknown or the counter divides by zero. */
double counts_value(const struct counts *c, const char *counter);

/* Returns whether the simulator has this counter. If not, writes the reason to `why`. */
bool counts_known(const char *counter, char why[256]);

/* Returns the name of counter number `index`, or NULL after the last one. */
const char *counts_name(int index);

#endif
