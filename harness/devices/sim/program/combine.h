/*
 * Accesses of shared memory that ptxas makes one of.
 *
 * Neighbouring words of a struct are loaded, or stored, by one access of 8 or 16 bytes where the
 * assembler knows that its address is a multiple of that: nvcc, which must take the struct's own
 * alignment, writes them as several. The machine counts one request and the wavefronts of the wide
 * access; the statements stay what they are, instructions of the PTX.
 *
 * Seen in the machine code of kernels/ (CUDA 13.0, sm_90): the statements follow each other, have
 * one address register and one guard, and are not volatile. An array of 16 bytes or more is aligned
 * to 16, one of 8 or more to 8, whatever its declaration says.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H

#include "devices/sim/program/graph.h"
#include "devices/sim/program/program.h"

/* Marks such instructions of a function; code[k] is its statement k. */
void combine_shared(const struct ptx_module *m, const struct ptx_function *f, const struct graph *g,
                    struct instruction *code);

#endif
