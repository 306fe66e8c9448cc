/*
 * Makes the simulator count accesses as the machine code executes them, by comparing each load,
 * store and atomic in the PTX with what ptxas turned it into.
 *
 * The line table of the machine code contains the PTX line of each access (sass.h). If a statement
 * has no access, ptxas removed it. If it has several accesses, ptxas copied it (by unrolling a
 * loop). If its access is wider, the access includes neighboring statements. The simulator follows
 * these changes, so that its counts are those of the hardware:
 *
 *   wider           the statement is counted as the aligned access of that width, and its neighbors
 *                   are not counted; if ptxas loads only a part of a global access, that part is
 *                   counted
 *   merged          a load is not counted if another load from the same address dominates it
 *   overwritten     if only one of two stores to one address remains, it is counted as often as the
 *                   first store is executed
 *   in registers    local memory is not counted if the machine code does not access it
 *   hoisted         a load that was moved in front of its loop is counted once each time the loop
 *                   begins, if the loop has one exit
 *   sunk            a load that was moved behind the branch at the end of its block is counted as
 *                   in the PTX if all lanes take that path; otherwise, its count is unknown
 *   elected         if all lanes have the same address and ptxas adds up their values in the warp,
 *                   an atomic is counted as an atomic of one lane; an atomic is counted as a
 *                   reduction if the machine code has a RED
 *
 * The counts of accesses in a loop that ptxas unrolls are unknown if lanes of a warp leave the loop
 * in different iterations.
 *
 * ptxas may also make a load conditional, remove one of the copies of an unrolled loop, or spill
 * registers. In these cases, the counts of this kind of access become unknown when the statement is
 * executed. To notice that ptxas has moved a statement, the simulator compares the place of its
 * access with the places of those statements in its basic block that ptxas does not move: barriers,
 * shuffles, stores and the branch at the block's end.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H

#include "devices/sim/program/program.h"
#include "devices/sim/program/sass.h"

/*
 * Marks the instructions of a function, and adds the differences found to p->departures. code[k] is
 * the function's statement k.
 */
void follow_function(const struct sass *s, const struct ptx_module *m, const struct ptx_function *f,
                     const struct graph *g, struct instruction *code, struct program *p);
/* Records accesses that belong to no statement of the program, such as those of spilled
 * registers. */
void follow_rest(const struct sass *s, struct program *p);

#endif
