/* The data races that a device has found in one launch. Each race is between two places in the
 * code. */
#ifndef REDSWEEP_DEVICES_RACE_REPORT_H
#define REDSWEEP_DEVICES_RACE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MOST_RACES = 64,
    MAX_RACE_BLOCKS = 1024 /* the largest grid that is examined, in blocks */
};

enum race_scope { RACE_WARP, RACE_BLOCK, RACE_GRID };

/* A race between two places in the code, reported once however often it occurs. */
struct race {
    bool shared; /* true: shared memory; false: global memory */
    /* whether the threads are in one warp, one block, or different blocks */
    enum race_scope scope;
    bool first_writes, second_writes;
    /* the two places, such as "kernel.cu:20, PTX line 53 (ld.global.u32)" */
    char first[200], second[200];
    int first_line, second_line; /* source lines, or 0 if unknown */
    uint64_t times;
    char example[200]; /* one occurrence, such as "threads 3 and 19 of block 0, at 0x…" */
};

struct race_report {
    struct race races[MOST_RACES];
    int count;
    bool more; /* true if there were more races than fit in `races` */
};

#endif
