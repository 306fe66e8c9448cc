/*
 * Declarations that the files of the simulator's driver share: sim.c (the driver) and sim_launch.c (launches).
 */
#ifndef REDSWEEP_DEVICES_SIM_SIM_DEVICE_H
#define REDSWEEP_DEVICES_SIM_SIM_DEVICE_H

#include "devices/sim/machine/machine.h"
#include "devices/sim/races/races.h"
#include "devices/sim/sim.h"

enum {
    /* Kernels that size their grid by the multiprocessors get a small grid unless another number
     * is asked for. */
    DEFAULT_MULTIPROCESSORS = 16,
    MAX_MULTIPROCESSORS = 1024,
    MAX_SAMPLE_BLOCKS = 1 << 16,
    MAX_SHARED = PTX_MAX_SHARED, /* bytes of a block, static and dynamic */
};

struct device {
    bool kepler;
    int multiprocessors;
    int threads;
    uint64_t budget;            /* warp instructions of a launch */
    uint64_t instruction_limit; /* the most instructions of one warp */
    uint64_t sample_blocks;     /* device_info.sample_blocks */
    int card;                   /* its number + 1; 0: it has no UUID */
    struct printer printer;
    char *unwritten; /* the message about unwritten memory in the current trial */
    struct memory memory;
    struct counts counts;
};

struct module {
    struct program *program;
    struct program **entries; /* all kernels of the module by their number; NULL: no kernel is
                                 launched from the device */
    int entry_count;
    uint64_t globals; /* address of the module's variables, 0 for none */
};

/*
 * Executes one launch and adds its counts to `counts`. With `races` it runs on one thread of the host
 * and reports the races that it finds, which are not errors.
 */
bool sim_launch(struct device *d, const struct launch *l, struct race_report *races,
                struct counts *counts, struct error *e);

/*
 * Runs a grid of any kernel, then the grids that it deferred to its end. `s` has the kernel, its
 * shape, memory, budget, runtime and depth; the rest is filled here. `parameters` are laid out as
 * the kernel reads them.
 */
bool sim_run_grid(struct launch_state *s, const uint8_t *parameters, uint64_t workspace,
                  struct race_report *races, int threads, struct counts *counts, struct error *e);

/*
 * Removes blocks from a sample whose first block executed this many warp instructions, until the
 * others execute about SAMPLE_WORK at most; each class keeps at least two blocks, if it has them. It is
 * in sim_sample.c.
 */
enum { SAMPLE_WORK = 1 << 23 };
void sim_thin_sample(struct block_sample *sample, uint64_t instructions);

/*
 * Adds the counts of a whole grid to `counts`, computed from blocks[k], the counts of sample->blocks[k].
 * ERROR_UNSUPPORTED if two blocks of a class differ. It is in sim_sample.c.
 */
bool sim_scale_sample(const char *kernel, const struct block_sample *sample,
                      const struct counts *blocks, struct counts *counts, struct error *e);

/* Checks the shape: ERROR_LAUNCH for a block or grid that no GPU would run. */
bool sim_check_shape(const struct program *p, const unsigned grid[3], const unsigned block[3],
                     uint64_t dynamic_smem, struct error *e);

#endif
