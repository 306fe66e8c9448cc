/*
 * Counts like the machine code: each load, store and atomic of the PTX is compared with what ptxas made of it.
 *
 * The line table of the machine code gives the PTX line of each access (sass.h). A statement without an access was
 * removed, one with several was copied (a loop that ptxas unrolls), and a wider access includes its neighbours. These
 * changes are followed, so that the simulator counts what the hardware does:
 *
 *   wider           the statement counts as the aligned access of that width, and its neighbours do not count;
 *                   if only a part of a global access is loaded, the statement counts as that part
 *   merged          a load does not count if another load at the same address dominates it
 *   overwritten     of two stores to one address, the remaining one counts as often as the first one
 *   in registers    local memory does not count if no access to it is left
 *   hoisted         if a load was moved in front of its loop, and the loop has one exit, the load counts once for
 *                   each time that the loop begins
 *   sunk            if a load was moved behind the branch at its block's end, it counts as in the PTX if all lanes
 *                   go there, and its count is unknown otherwise
 *   elected         if all lanes have one address and ptxas adds up in the warp, an atomic counts as an atomic of
 *                   one lane; an atomic that returns nothing is a reduction if the machine code has a RED
 *
 * The accesses of a loop that ptxas unrolls are unknown if lanes of a warp leave it in different rounds.
 *
 * If ptxas did anything else (it made a load conditional, removed one of the copies of an unrolled loop, or spilled
 * registers), the counts of this kind of access become unknown when the instruction is executed. A statement is
 * compared with others of its basic block that stay in place and are executed equally often: barriers, shuffles,
 * stores and the branch at the block's end.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H

#include "devices/sim/program/program.h"
#include "devices/sim/program/sass.h"

/* Marks the instructions of a function, where code[k] is its statement k. Adds to p->departures. */
void follow_function(const struct sass *s, const struct ptx_module *m, const struct ptx_function *f,
                     const struct graph *g, struct instruction *code, struct program *p);
/* Notes accesses that belong to no statement of the program, as of spilled registers. */
void follow_rest(const struct sass *s, struct program *p);

#endif
