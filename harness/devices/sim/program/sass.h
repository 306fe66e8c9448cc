/*
 * Finds the memory accesses, barriers and branches in a cubin's machine code, and the line of the
 * PTX from which ptxas made each of them.
 *
 * Since sm_70, instructions have 128 bits. The fields used here were found by comparison with
 * nvdisasm 13.0. The opcode is in bits 0 to 8, the guard in bits 12 to 15, and the width of a load
 * or store in bits 73 to 75. An sm_90 branch's distance, in units of 4 bytes, is in bits 16 to 23
 * and from bit 34 up. Lines come from the section .nv_debug_line_sass, which ptxas writes with
 * -lineinfo: a DWARF 2 line table that refers to lines of the PTX.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_SASS_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_SASS_H

#include "devices/sim/program/flow.h"

enum sass_kind {
    SASS_OTHER,
    SASS_LOAD,
    SASS_STORE,
    SASS_ATOMIC,
    /* chooses (elects) the lane that executes an atomic for the whole warp, after adding up the
     * values of all lanes */
    SASS_ELECTION,
    SASS_MEETING, /* barriers, shuffles and votes, which ptxas does not move */
    SASS_BRANCH
};

struct sass_instruction {
    int line; /* the line of the PTX, counted from 1; 0: unknown */
    int block;
    uint8_t kind;
    uint8_t space; /* the kind of memory that a load, store or atomic accesses (enum space) */
    uint8_t bytes; /* bytes loaded or stored */
    bool reduces;  /* true for an atomic that returns nothing (RED) */
    bool guarded;  /* true if a predicate decides which lanes execute it */
};

struct sass {
    /* all instructions that can be reached, except those of kind SASS_OTHER, sorted by line */
    struct sass_instruction *items;
    /* taken[k]: whether items[k] was attributed to a PTX statement on a line other than
     * items[k].line */
    bool *taken;
    int count;
    struct flow flow;
    bool has_flow;   /* false: some jump targets are only known at run time */
    const char *why; /* why sass_read() returned false */
};

/*
 * Reads the machine code in `cubin`. If it is not sm_90 code or has no PTX lines, returns false and
 * sets out->why. The simulator compiles for no other architecture than sm_90. For 126 images of the
 * catalogue's kernels, built with ptxas 13.0 for sm_80, sm_89, sm_90 and sm_100, nvdisasm 13.2
 * shows the same opcodes for loads, stores, atomics, shuffles, votes, barriers and branches. Branch
 * targets were not compared. Free `out` with sass_free().
 */
bool sass_read(const char *cubin, size_t length, struct sass *out);
void sass_free(struct sass *s);

/* Returns how many of the items have this line, and sets *first to the first of them. */
int sass_at(const struct sass *s, int line, const struct sass_instruction **first);

#endif
