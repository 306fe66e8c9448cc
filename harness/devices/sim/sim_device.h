/*
 * What the files of the simulator's driver share: sim.c (the driver) and sim_launch.c (launches).
 */
#ifndef REDSWEEP_DEVICES_SIM_SIM_DEVICE_H
#define REDSWEEP_DEVICES_SIM_SIM_DEVICE_H

#include "devices/sim/machine.h"
#include "devices/sim/races.h"
#include "devices/sim/sim.h"

enum {
    /* Kernels that size their grid by the multiprocessors get a small one. */
    MULTIPROCESSORS = 16,
    MAX_SHARED = PTX_MAX_SHARED, /* bytes of a block, static and dynamic */
};

struct device {
    bool kepler;
    int threads;
    uint64_t budget;
    struct memory memory;
    struct counts counts;
};

struct module {
    struct program *program;
    uint64_t globals; /* address of the module's variables, 0 for none */
};

/*
 * One launch; its counts are added to `counts`. With `races` it runs on one thread of the host and
 * reports the races that it finds; they are no error.
 */
bool sim_launch(struct device *d, const struct launch *l, struct race_report *races,
                struct counts *counts, struct error *e);

#endif
