/* Declares the report of the data races that a device found in one launch. Each race is between two
 * places in the code. */
#ifndef REDSWEEP_DEVICES_RACE_REPORT_H
#define REDSWEEP_DEVICES_RACE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MOST_RACES = 64,
    MAX_RACE_BLOCKS = 1024 /* the largest number of blocks of a grid that are examined */
};

enum race_scope { RACE_WARP, RACE_BLOCK, RACE_GRID };

/* Describes a race between two places in the code. It is reported once, however often it occurs. */
struct race {
    bool shared; /* This is true for shared memory, false for global memory. */
    /* The scope states whether the threads belong to one warp, to one block, or to different
     * blocks. */
    enum race_scope scope;
    bool first_writes, second_writes;
    /* The two places have the form "kernel.cu:20, PTX line 53 (ld.global.u32)". */
    char first[200], second[200];
    int first_line, second_line; /* the lines of the source, or 0 if they are not known */
    uint64_t times;
    char example[200]; /* an example such as "threads 3 and 19 of block 0, at 0x…" */
};

struct race_report {
    struct race races[MOST_RACES];
    int count;
    bool more; /* true if there were more races than `races` can contain */
};

#endif
