/*
 * Reads the memory accesses, barriers and branches of a cubin's machine code, each with the PTX
 * line that it comes from.
 *
 * From sm_70 on, an instruction has 128 bits. The fields that this file uses were found by
 * comparison with nvdisasm 13.0. The opcode is in bits 0 to 8, and the guard in bits 12 to 15. The
 * width of a load or store is in bits 73 to 75. The distance of an sm_90 branch, in units of 4
 * bytes, is in bits 16 to 23 and from bit 34 on. The lines come from the section
 * .nv_debug_line_sass, which ptxas writes with -lineinfo. The section is a line table as in DWARF
 * 2. Its lines are lines of the PTX.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_SASS_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_SASS_H

#include "devices/sim/program/flow.h"

enum sass_kind {
    SASS_OTHER,
    SASS_LOAD,
    SASS_STORE,
    SASS_ATOMIC,
    /* the election of a lane that executes the atomic for all lanes, after the warp has added up
     * its values */
    SASS_ELECTION,
    SASS_MEETING, /* barriers, shuffles and votes, which ptxas does not move */
    SASS_BRANCH
};

struct sass_instruction {
    int line; /* the line of the PTX, counted from 1; 0: none */
    int block;
    uint8_t kind;
    uint8_t space; /* enum space, of loads, stores and atomics */
    uint8_t bytes; /* the bytes of a load or store */
    bool reduces;  /* an atomic that returns nothing: RED */
    bool guarded;  /* only some of the active lanes execute it */
};

struct sass {
    /* the reachable instructions except SASS_OTHER, sorted by line */
    struct sass_instruction *items;
    bool *taken; /* whether a statement of another line already has this access */
    int count;
    struct flow flow;
    bool has_flow;   /* false: the targets of some jumps are not known before execution */
    const char *why; /* the reason why sass_read() returned false */
};

/*
 * Returns false if no instruction can be attributed to a line of the PTX. out->why then gives the
 * reason. The function reads only sm_90 code, because the simulator compiles for no other
 * architecture. In 126 images of the catalogue that ptxas 13.0 made for sm_80, sm_89, sm_90 and
 * sm_100, nvdisasm 13.2 shows the same opcodes for loads, stores, atomics, shuffles, votes,
 * barriers and branches. The targets of branches were not compared. Free `out` with sass_free().
 */
bool sass_read(const char *cubin, size_t length, struct sass *out);
void sass_free(struct sass *s);

/* Finds the items of a line. Sets *first to the first one, and returns their number. */
int sass_at(const struct sass *s, int line, const struct sass_instruction **first);

#endif
