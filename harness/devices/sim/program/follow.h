/*
 * Compares each load, store and atomic in the PTX with the machine code that ptxas made of it, so
 * that the simulator's counts agree with those of the machine code.
 *
 * For each access in the machine code, the line table contains the line of the statement in the PTX
 * (sass.h). If a statement has no access, ptxas has removed it. If it has several, ptxas has copied
 * it, usually by unrolling a loop. If its access is wider than in the PTX, the access includes
 * neighboring statements. The simulator counts the following changes correctly:
 *
 *   wider           a statement with a wider access is counted as that access, which is aligned to
 *                   its width, and its neighbors are not counted; if ptxas loads only a part of the
 *                   bytes of a global load, the count is that of this part
 *   merged          a load is not counted if another load from the same address dominates it
 *   overwritten     if ptxas has kept only one of two stores to the same address, it is counted as
 *                   often as the first store of the two is executed
 *   in registers    an access to local memory is not counted if the machine code has none there
 *   hoisted         a load that was moved in front of its loop is counted once each time the loop
 *                   begins, if the loop has one exit
 *   sunk            a load that was moved to one side of the branch at the end of its block is
 *                   counted as in the PTX if all lanes take that side; otherwise, its count is
 *                   unknown
 *   elected         if all lanes have the same address and ptxas adds up their values in the warp,
 *                   an atomic is counted as an atomic of one lane; an atomic is counted as a
 *                   reduction if the machine code has a RED
 *
 * If ptxas unrolls a loop and lanes of a warp leave it in different iterations, the counts of
 * accesses in the loop are unknown.
 *
 * ptxas may make other changes: make a load conditional, omit some copies of a statement in an
 * unrolled loop, or spill registers. If a kernel executes such a statement, the counts of its kind
 * of access are unknown. To find out whether ptxas has moved a statement, the simulator looks for
 * statements of the same basic block that ptxas does not move: barriers, shuffles, stores and the
 * branch at the block's end. If the machine code executes these at another place than the
 * statement, the statement has been moved.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_FOLLOW_H

#include "devices/sim/program/program.h"
#include "devices/sim/program/sass.h"

/*
 * Marks the instructions of f whose accesses the machine code changes, and describes changes that
 * make counts unknown in p->departures. code[k] is the instruction of the function's statement k.
 */
void follow_function(const struct sass *s, const struct ptx_module *m, const struct ptx_function *f,
                     const struct graph *g, struct instruction *code, struct program *p);
/* Sets p->added for accesses in the machine code that belong to no statement, such as register
 * spills. */
void follow_rest(const struct sass *s, struct program *p);

#endif
