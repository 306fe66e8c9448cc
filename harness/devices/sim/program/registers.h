/*
 * Assigns a slot to each register of a function.
 *
 * In PTX, every value has its own register. If each register had its own slot (lanes.h), a warp's
 * registers would take many kilobytes and not fit in the CPU's L1 cache. Registers that are never
 * live at the same time therefore share a slot. Their live ranges come from the control-flow graph,
 * and a linear scan over the ranges assigns the slots. Sharing is safe even if lanes diverge,
 * because a slot has a separate value for each lane.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_REGISTERS_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_REGISTERS_H

#include "devices/sim/program/graph.h"
#include "devices/sim/program/lanes.h"

struct register_map {
    slot_reference *slots; /* the slot of each register */
    bool *read;            /* whether each register is read anywhere */
    uint32_t bytes;        /* the offset at which the registers of the next function may begin */
};

/*
 * Assigns slots in area 0 to the registers of f, beginning at offset `first`, a multiple of 64.
 * Free the result with registers_free().
 */
struct register_map registers_assign(const struct ptx_module *m, const struct ptx_function *f,
                                     const struct graph *g, uint32_t first);
void registers_free(struct register_map *map);

#endif
