/*
 * Assigns a slot to each register of a function.
 *
 * Compilers give every value its own register. If each register had its own slot, a warp's
 * registers would fill many kilobytes and not fit into the CPU's L1 cache. Registers that are never
 * live at the same place therefore share a slot. One linear scan assigns the slots from the live
 * ranges in the control-flow graph. Lanes at different places do not disturb each other, because a
 * slot has a separate value for each lane.
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
 * Assigns slots in area 0, beginning at the offset `first`, which is a multiple of 64. Free the
 * result with registers_free().
 */
struct register_map registers_assign(const struct ptx_module *m, const struct ptx_function *f,
                                     const struct graph *g, uint32_t first);
void registers_free(struct register_map *map);

#endif
