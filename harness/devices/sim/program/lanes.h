/*
 * Instructions that compute each lane on its own, without reading other lanes or memory.
 *
 * A warp's register occupies a slot with one value per lane: 4 bytes for registers of up to 32
 * bits, and 8 bytes for 64-bit registers. A predicate register's slot is a 32-bit mask. An operand
 * is the offset of its slot in one of three areas, with the area's number in the lowest two bits.
 * Area 0 holds the warp's registers, area 1 whatever is the same in all warps of a launch
 * (literals, parameters, %ntid …), and area 2 scratch space for the current instruction. All kinds
 * of operands therefore cost the same, and literals need no special case.
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
 * Returns the number of lanes in a mask. The compiler's builtin would be a library call without
 * -mpopcnt.
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

/* A comparison may combine its result with another predicate (setp.lt.and). */
enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };

/* The part of an instruction that a lane function reads. */
struct lane_operands {
    slot_reference d, d2, a, b, c; /* d2: the second result, or d if there is none */
    uint8_t combine;               /* enum combine, with predicate c */
    bool has_d2;
    bool negate_c; /* the other predicate is !c */
    uint8_t mode;  /* the selector of prmt, or the truth table of lop3 */
};

/* Computes the results of the lanes of `exec`. The other lanes keep their values. */
typedef void lane_function(uint8_t *const base[AREAS], const struct lane_operands *o,
                           uint32_t exec);

struct lane_operation {
    const char *name; /* "add_u32" */
    lane_function *run;
};

/* Both tables have the same rows in the same order and end with a NULL name. */
extern const struct lane_operation lanes_generic[];
extern const struct lane_operation lanes_avx2[];

/* Returns the faster table for this CPU. */
const struct lane_operation *lanes_best(void);

#endif
