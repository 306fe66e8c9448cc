/*
 * The simulator's counters and the PerfWorks names under which it reports them.
 *
 * A request is a warp instruction with at least one executing lane. Its sectors are the distinct
 * aligned 32-byte pieces that it touches, and its lines are the distinct aligned 128-byte pieces.
 */
#ifndef REDSWEEP_DEVICES_SIM_COUNTS_SIM_COUNTS_H
#define REDSWEEP_DEVICES_SIM_COUNTS_SIM_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_REDUCTION, ACCESS_ATOMIC, ACCESS_KINDS };

struct access_counts {
    uint64_t requests;
    uint64_t sectors;    /* the sectors of global and local accesses */
    uint64_t lines;      /* the lines of global and local accesses */
    uint64_t wavefronts; /* the wavefronts of shared accesses */
    uint64_t conflicts;  /* shared: the wavefronts beyond coalesce_min_wavefronts() */
    /* the bytes that lanes request; in global loads and stores, each byte counts once */
    uint64_t bytes;
    uint64_t collisions; /* atomics with several lanes in one sector; loads by cp.async.cg */
    /* the instructions that the assembler may split, so that no count is known */
    uint64_t unknown;
};

struct counts {
    uint64_t blocks, warps, threads;
    uint64_t instructions; /* the warp instructions of the PTX */
    /* instructions that charge() (machine.h) adds for slow operations */
    uint64_t charged;
    /* the number of lanes that executed each of these instructions, added up */
    uint64_t thread_instructions;
    uint64_t thread_on; /* the same sum, but only of lanes whose guard was true */
    uint64_t branches, divergent_branches;
    uint64_t uniform_branches; /* branches - divergent_branches: counts_finish() */
    struct access_counts global[ACCESS_KINDS], local[ACCESS_KINDS], shared[ACCESS_KINDS];
};

void counts_add(struct counts *to, const struct counts *from);
/* Sets *out to a − b. No member of b may be greater than the same member of a. */
void counts_subtract(const struct counts *a, const struct counts *b, struct counts *out);
/* Adds `from`, multiplied by `times`, to `to`. */
void counts_add_times(struct counts *to, const struct counts *from, uint64_t times);
/*
 * Computes the derived members. Call it after everything has been added.
 */
void counts_finish(struct counts *c);

/*
 * Returns a counter's value, or NaN if there is no counter with this name or it divides by zero.
 */
double counts_value(const struct counts *c, const char *counter);

/* Returns whether the simulator has a counter with this name. If not, writes the reason to
 * `why`. */
bool counts_known(const char *counter, char why[256]);

/* Returns the name of the counter with this index, or NULL after the last one. */
const char *counts_name(int index);

#endif
