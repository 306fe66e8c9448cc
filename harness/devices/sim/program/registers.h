/*
 * Assigns a slot to each register of a function.
 *
 * Compilers give every value a register of its own; a warp's registers would then fill many
 * kilobytes and miss the CPU's first cache. Registers that are never live at the same place share
 * a slot: live ranges from the control-flow graph, then one linear scan. Two lanes that are at
 * different places do not disturb each other, because a slot has a place for each lane.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_REGISTERS_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_REGISTERS_H

#include "devices/sim/program/graph.h"
#include "devices/sim/program/lanes.h"

struct register_map {
    slot_reference *slots; /* of each register */
    bool *read;            /* whether each is read anywhere */
    uint32_t bytes;        /* where the next function's registers may begin */
};

/* Slots begin at `first` bytes of area 0 (a multiple of 64). Free with registers_free(). */
struct register_map registers_assign(const struct ptx_module *m, const struct ptx_function *f,
                                     const struct graph *g, uint32_t first);
void registers_free(struct register_map *map);

#endif
