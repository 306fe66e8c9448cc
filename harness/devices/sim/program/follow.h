/*
 * Counts like the machine code: each load, store and atomic of the PTX is compared with what ptxas made of it.
 *
 * The line table of the machine code gives the PTX line of each access (sass.h). A statement without an access was
 * removed, one with several was copied (a loop that ptxas unrolls), and a wider access includes its neighbours. These
 * changes are followed, so that the simulator counts what the hardware does:
 *
 *   wider           the statement counts as the aligned access of that width, the neighbours not at all;
 *                   if only a part of a global access is loaded, it counts as that part
 *   merged          a load that another one at the same address dominates does not count
 *   overwritten     of two stores to one address the one that is left counts, as often as the first of them
 *   in registers    local memory does not count if no access to it is left
 *   hoisted         a load of a loop with one way out that is in front of the loop now counts once for
 *                   each time that the loop begins
 *   sunk            a load that is behind the branch at its block's end now counts as the PTX has it if all lanes
 *                   go there, and is not known otherwise
 *   elected         an atomic at an address that is one for all lanes, for which ptxas adds up in the warp, counts as
 *                   that of one lane; one that returns nothing is a reduction where the machine has a RED
 *
 * The accesses of a loop that ptxas unrolls are unknown if lanes of a warp leave it in different rounds.
 *
 * If ptxas did anything else (it made a load conditional, removed one of the copies of an unrolled loop, spilled
 * registers), counts of the instruction's kind of access become unknown when it is executed. The comparison of one
 * statement uses the others of its basic block, which are executed equally often: barriers, shuffles, stores and the
 * branch at its end, which stay in place.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H

#include "devices/sim/program/program.h"
#include "devices/sim/program/sass.h"

/* Marks the instructions of a function; code[k] is its statement k. Adds to p->departures. */
void follow_function(const struct sass *s, const struct ptx_module *m, const struct ptx_function *f,
                     const struct graph *g, struct instruction *code, struct program *p);
/* Accesses that belong to no statement of the program: spilled registers. */
void follow_rest(const struct sass *s, struct program *p);

#endif
