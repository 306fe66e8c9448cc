/*
 * Declares the simulator's counters, and the PerfWorks names under which it reports them.
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
    uint64_t sectors;    /* global and local */
    uint64_t lines;      /* global and local */
    uint64_t wavefronts; /* shared */
    uint64_t conflicts;  /* shared: wavefronts beyond one for each group of lanes */
    uint64_t bytes;      /* requested by lanes; global loads and stores count each byte once */
    uint64_t collisions; /* atomics: several lanes in one sector; loads: cp.async.cg */
    uint64_t unknown;    /* instructions that the assembler may split, so that no count is known */
};

struct counts {
    uint64_t blocks, warps, threads;
    uint64_t instructions;        /* warp instructions of the PTX */
    uint64_t charged;             /* added for slow operations: charge() in machine.h */
    uint64_t thread_instructions; /* number of lanes that executed them, added up */
    uint64_t thread_on;           /* the same, only lanes whose guard was true */
    uint64_t branches, divergent_branches;
    uint64_t uniform_branches; /* branches - divergent_branches: counts_finish() */
    struct access_counts global[ACCESS_KINDS], local[ACCESS_KINDS], shared[ACCESS_KINDS];
};

void counts_add(struct counts *to, const struct counts *from);
/* Sets *out to a − b. No member of b may be greater than that of a. */
void counts_subtract(const struct counts *a, const struct counts *b, struct counts *out);
/* Adds `from`, multiplied by `times`, to `to`. */
void counts_add_times(struct counts *to, const struct counts *from, uint64_t times);
/*
 * Computes the members that follow from others. It must be called after everything has been added.
 */
void counts_finish(struct counts *c);

/*
 * Returns the value of a counter, or NaN if the simulator has no counter with this name, or if the
 * counter divides by zero.
 */
double counts_value(const struct counts *c, const char *counter);

/* Returns whether the simulator has a counter with this name. If not, `why` states the reason. */
bool counts_known(const char *counter, char why[256]);

/* Returns the name of the counter with this index, or NULL after the last one. */
const char *counts_name(int index);

#endif
