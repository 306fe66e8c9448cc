/*
 * Makes counts match the machine code, by comparing each load, store and atomic in the PTX with
 * what ptxas made of it.
 *
 * The machine code's line table has the PTX line of each access (sass.h). A statement without an
 * access was removed by ptxas. One with several accesses was copied, by loop unrolling. If its
 * access is wider, it includes neighboring statements. The simulator follows these changes so that
 * its counts match the hardware:
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
 * If ptxas unrolls a loop and lanes of a warp leave it in different iterations, the counts of
 * accesses in the loop are unknown.
 *
 * ptxas may also make a load conditional, drop a copy in an unrolled loop, or spill registers.
 * Executing such a statement makes the counts of that kind of access unknown. To notice that ptxas
 * has moved a statement, the simulator compares the location of its access with the statements of
 * its basic block that ptxas does not move: barriers, shuffles, stores and the branch at the
 * block's end.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H

#include "devices/sim/program/program.h"
#include "devices/sim/program/sass.h"

/*
 * Marks a function's instructions and adds any differences to p->departures. code[k] is the
 * function's statement k.
 */
void follow_function(const struct sass *s, const struct ptx_module *m, const struct ptx_function *f,
                     const struct graph *g, struct instruction *code, struct program *p);
/* Records accesses that belong to no statement, such as register spills. */
void follow_rest(const struct sass *s, struct program *p);

#endif
