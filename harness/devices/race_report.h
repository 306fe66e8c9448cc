/*
 * The data races that a device found in one launch, each between two places in the code.
 */
#ifndef REDSWEEP_DEVICES_RACE_REPORT_H
#define REDSWEEP_DEVICES_RACE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MOST_RACES = 64,
    MAX_RACE_BLOCKS = 1024 /* of a grid that are examined */
};

enum race_scope { RACE_WARP, RACE_BLOCK, RACE_GRID };

/* Two places in the code that race, reported once however often it happens. */
struct race {
    bool shared;           /* in shared memory; otherwise global */
    enum race_scope scope; /* threads of one warp, of one block, of different blocks */
    bool first_writes, second_writes;
    char first[200], second[200]; /* "kernel.cu:20, PTX line 53 (ld.global.u32)" */
    int first_line, second_line;  /* of the source; 0 when it is not known */
    uint64_t times;
    char example[200]; /* "threads 3 and 19 of block 0, at 0x…" */
};

struct race_report {
    struct race races[MOST_RACES];
    int count;
    bool more; /* there were more than fit */
};

#endif
