/*
 * Declares instructions that compute lane by lane, without reading other lanes or memory.
 *
 * A warp's register is stored in a slot, which contains one value per lane. A value has 4 bytes in
 * registers of up to 32 bits, and 8 bytes in 64-bit registers. The slot of a predicate register is
 * a 32-bit mask. An operand refers to its slot by an offset into one of three areas, with the
 * number of the area in the lowest two bits. Area 0 contains the warp's registers. Area 1 contains
 * what is equal in all warps of a launch (literals, parameters, %ntid …). Area 2 is scratch memory
 * for the current instruction. All kinds of operands therefore cost the same, and a function needs
 * no separate case for literals.
 *
 * Each operation is one row of lane_operations.h. lanes_body.h turns the rows into functions. It is
 * compiled for any CPU and, on x86-64, also for AVX2.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_LANES_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 32, FULL_WARP = -1 };

/*
 * Returns the number of lanes in a mask. Without -mpopcnt, the compiler's builtin would call a
 * function.
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

/* Contains the members of an instruction that a lane function reads. */
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

/* Both tables end with a NULL name, and have the same rows in the same order. */
extern const struct lane_operation lanes_generic[];
extern const struct lane_operation lanes_avx2[];

/* Returns the table that is fastest on this CPU. */
const struct lane_operation *lanes_best(void);

#endif
