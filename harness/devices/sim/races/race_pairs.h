/*
 * Collects races and reports them. Races between the same two instructions are one entry, a pair.
 * Used only in races/.
 */
#ifndef REDSWEEP_DEVICES_SIM_RACES_RACE_PAIRS_H
#define REDSWEEP_DEVICES_SIM_RACES_RACE_PAIRS_H

#include "devices/race_report.h"
#include "devices/sim/program/program.h"
#include "devices/sim/races/in_block.h"

struct race_pair {
    struct note first, second;
    uint8_t scope;
    bool shared, first_writes, second_writes;
    bool elsewhere; /* true if the race is in a grid that a kernel launched */
    uint64_t times, address;
};

enum { MAX_PROGRAMS = 32 };

struct race_pairs {
    const struct program
        *programs[MAX_PROGRAMS]; /* the programs of this grid and of the grids that it launched */
    int program_count;
    struct race_pair pairs[MOST_RACES];
    int pair_count;
    bool more; /* true if there were more pairs than fit */
};

/* Adds a pair. If there is a pair with the same two instructions and scope, adds new->times to its
 * `times` instead. */
void race_pairs_add(struct race_pairs *r, const struct race_pair *new);

/*
 * Sets *out to the number of a program in r->programs (note.program), after adding the program if
 * it is new. Returns false if there are too many programs.
 */
bool race_pairs_program(struct race_pairs *r, const struct program *p, uint16_t *out);

/* Adds the races that were found in a grid launched by the kernel. */
void race_pairs_merge(struct race_pairs *to, const struct race_pairs *from);

void race_pairs_report(const struct race_pairs *r, struct race_report *out);

#endif
