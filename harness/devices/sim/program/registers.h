/*
 * Assigns a slot to each register of a function.
 *
 * Compilers give every value a separate register; a warp's registers would then fill many kilobytes
 * and miss the CPU's first cache. Registers that are never live at the same place share a slot: one
 * linear scan uses live ranges from the control-flow graph. Two lanes that are at different places do
 * not disturb each other, because a slot has a place for each lane.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_REGISTERS_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_REGISTERS_H

#include "devices/sim/program/graph.h"
#include "devices/sim/program/lanes.h"

struct register_map {
    slot_reference *slots; /* the slot of each register */
    bool *read;            /* whether each is read anywhere */
    uint32_t bytes;        /* the offset at which the registers of the next function may begin */
};

/* Assigns slots from `first` bytes of area 0 on (a multiple of 64). Free the result with registers_free(). */
struct register_map registers_assign(const struct ptx_module *m, const struct ptx_function *f,
                                     const struct graph *g, uint32_t first);
void registers_free(struct register_map *map);

#endif
