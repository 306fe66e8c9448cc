/*
 * Shared by the files of the simulator's driver: sim.c (the driver), sim_launch.c (launches) and
 * sim_sample.c (samples).
 */
#ifndef REDSWEEP_DEVICES_SIM_SIM_DEVICE_H
#define REDSWEEP_DEVICES_SIM_SIM_DEVICE_H

#include "devices/sim/machine/machine.h"
#include "devices/sim/races/races.h"
#include "devices/sim/sim.h"

enum {
    /* With this default, kernels that compute their grid from number of multiprocessors have a
     * small grid. */
    DEFAULT_MULTIPROCESSORS = 16,
    MAX_MULTIPROCESSORS = 1024,
    MAX_SAMPLE_BLOCKS = 1 << 16,
    /* the most shared memory of a block in bytes, static and dynamic */
    MAX_SHARED = PTX_MAX_SHARED,
};

struct device {
    bool kepler;
    int multiprocessors;
    int threads;
    uint64_t budget;            /* the largest number of warp instructions of a launch */
    uint64_t instruction_limit; /* the largest number of instructions of one warp */
    uint64_t sample_blocks;     /* device_info.sample_blocks */
    int card;                   /* the number of the card + 1; 0: the device has no UUID */
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
    uint64_t globals; /* the address of the module's variables; 0: there are none */
};

/* Executes one launch and adds its counts to `counts`. If `races` is not NULL, executes the launch
 * on one host thread, and reports the races that it finds. Races are not errors. */
bool sim_launch(struct device *d, const struct launch *l, struct race_report *races,
                struct counts *counts, struct error *e);

/*
 * Runs a grid of any kernel, and then the tail launches of this grid. The caller sets the kernel,
 * its shape, memory, budget, runtime and depth in `s`. This function sets the rest. `parameters`
 * has the layout in which the kernel reads its parameters.
 */
bool sim_run_grid(struct launch_state *s, const uint8_t *parameters, uint64_t workspace,
                  struct race_report *races, int threads, struct counts *counts, struct error *e);

/*
 * Removes blocks from a sample until the remaining blocks execute at most about SAMPLE_WORK warp
 * instructions. `instructions` is the number of warp instructions that the first block executed.
 * Each class keeps at least two blocks, if it has two. The function is in sim_sample.c.
 */
enum { SAMPLE_WORK = 1 << 23 };
void sim_thin_sample(struct block_sample *sample, uint64_t instructions);

/*
 * Adds the counts of a whole grid to `counts`. Computes them from blocks[k], which are the counts
 * of sample->blocks[k]. Fails with ERROR_UNSUPPORTED if two blocks of a class differ. The function
 * is in sim_sample.c.
 */
bool sim_scale_sample(const char *kernel, const struct block_sample *sample,
                      const struct counts *blocks, struct counts *counts, struct error *e);

/*
 * Checks the shape of a launch. Fails with ERROR_LAUNCH for a block or grid that no GPU would run.
 */
bool sim_check_shape(const struct program *p, const unsigned grid[3], const unsigned block[3],
                     uint64_t dynamic_smem, struct error *e);

#endif
