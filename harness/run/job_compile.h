/*
 * The job of compiling all variants that the sweep's points need. A variant is a kernel with
 * certain compile-time constants, such as the type and the block size. The first lane does this job
 * before anything is measured.
 */
#ifndef REDSWEEP_RUN_JOB_COMPILE_H
#define REDSWEEP_RUN_JOB_COMPILE_H

#include "run/sweep_state.h"

/*
 * A worker that compiles reports its progress ten times a second. If it sends nothing for this
 * long, it is considered hung.
 */
#define COMPILE_SILENCE_S 120.0

/*
 * compile_next() asks the worker to compile the next variants, if any are left. compile_hear()
 * handles the worker's messages. If the worker is lost, the sweep continues, because a variant can
 * also be compiled just before its points are measured.
 */
bool compile_next(struct lane *l, struct error *e);
bool compile_hear(struct lane *l, enum received received, const struct message *m, struct error *e);

#endif
