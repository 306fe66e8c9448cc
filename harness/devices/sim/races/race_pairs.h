/*
 * Collects races, one entry per pair of instructions, and reports them. Private to races/.
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
    bool elsewhere; /* in a grid launched from the device */
    uint64_t times, address;
};

enum { MAX_PROGRAMS = 32 };

struct race_pairs {
    const struct program
        *programs[MAX_PROGRAMS]; /* the programs of this grid and of the grids that it launched */
    int program_count;
    struct race_pair pairs[MOST_RACES];
    int pair_count;
    bool more; /* more pairs than fit */
};

/* Adds a pair, or increments the `times` of an existing pair of the same two instructions. */
void race_pairs_add(struct race_pairs *r, const struct race_pair *new);

/*
 * Looks up a program's number for struct note, adding the program if it is new. Returns false if
 * there are too many.
 */
bool race_pairs_program(struct race_pairs *r, const struct program *p, uint16_t *out);

/* Adds the races found in a grid that was launched from the device. */
void race_pairs_merge(struct race_pairs *to, const struct race_pairs *from);

void race_pairs_report(const struct race_pairs *r, struct race_report *out);

#endif
