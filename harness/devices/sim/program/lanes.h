/*
 * Declares lane operations: instructions that compute the result of each lane from the operands of
 * that lane, without reading other lanes or memory.
 *
 * A warp keeps the values of a register in a slot, which has one value per lane: 4 bytes for
 * registers of up to 32 bits, and 8 bytes for 64-bit registers. The slot of a predicate register is
 * a mask of 32 bits. Slots are in three areas of memory. Area 0 contains the warp's registers, area
 * 1 whatever is the same in all warps of a launch (literals, parameters, %ntid …), and area 2
 * temporary values of the current instruction. A slot_reference is the offset of a slot in its
 * area, with the area's number in the lowest two bits. Registers and literals can therefore be read
 * in the same way.
 *
 * Each operation is a row in lane_operations.h. lanes_body.h turns the rows into functions. It is
 * compiled for the baseline CPU and, on x86-64, for AVX2 as well.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_LANES_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 32, FULL_WARP = -1 };

/*
 * Returns the number of lanes in a mask. Without -mpopcnt, the compiler's builtin would call a
 * library function.
 */
static inline unsigned lane_count(uint32_t mask)
{
    mask -= mask >> 1 & 0x55555555u;
    mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
    mask = (mask + (mask >> 4)) & 0x0f0f0f0fu;
    return mask * 0x01010101u >> 24;
}

typedef uint32_t slot_reference;
enum { AREA_WARP, AREA_LAUNCH, AREA_SCRATCH, AREAS };

static inline void *slot_at(uint8_t *const base[AREAS], slot_reference r)
{
    return base[r & 3] + (r & ~3u);
}

/* How a comparison combines its result with another predicate, as in setp.lt.and. */
enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

/* the operands of an instruction, as a lane_function reads them */
struct lane_operands {
    slot_reference d, d2, a, b, c; /* d2 is the second result, or d if there is none */
    uint8_t combine;               /* how to combine the result with predicate c (enum combine) */
    bool has_d2;
    bool negate_c; /* combine the result with !c instead of c */
    uint8_t mode;  /* the selector of prmt, or the truth table of lop3 */
};

/* Computes the results of the lanes in the mask `exec`. The results of all other lanes keep their
 * values. */
typedef void lane_function(uint8_t *const base[AREAS], const struct lane_operands *o,
                           uint32_t exec);

struct lane_operation {
    const char *name; /* "add_u32" */
    lane_function *run;
};

/* The same operations in the same order, compiled for any CPU and for CPUs with AVX2. Each table
 * ends with a NULL name. */
extern const struct lane_operation lanes_generic[];
extern const struct lane_operation lanes_avx2[];

/* Returns the faster table for this CPU. */
const struct lane_operation *lanes_best(void);

#endif
