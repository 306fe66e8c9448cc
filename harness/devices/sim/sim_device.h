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
    /* A small default keeps grids small if kernels size them by the number of multiprocessors. */
    DEFAULT_MULTIPROCESSORS = 16,
    MAX_MULTIPROCESSORS = 1024,
    MAX_SAMPLE_BLOCKS = 1 << 16,
    /* shared memory limit per block in bytes, static plus dynamic */
    MAX_SHARED = PTX_MAX_SHARED,
};

struct device {
    bool kepler;
    int multiprocessors;
    int threads;
    uint64_t budget;            /* limit on warp instructions per launch */
    uint64_t instruction_limit; /* limit on instructions per warp */
    uint64_t sample_blocks;     /* device_info.sample_blocks */
    int card;                   /* card number + 1; 0: the device has no UUID */
    struct printer printer;
    char *unwritten; /* the message about unwritten memory in the current trial */
    struct memory memory;
    struct counts counts;
};

struct module {
    struct program *program;
    struct program **entries; /* all kernels of the module, by number; NULL: no kernel is launched
                                 from the device */
    int entry_count;
    uint64_t globals; /* the address of the module's variables; 0: there are none */
};

/* Runs one launch and adds its counts to `counts`. If `races` is not NULL, runs on one host thread
 * and reports any races. Races are not errors. */
bool sim_launch(struct device *d, const struct launch *l, struct race_report *races,
                struct counts *counts, struct error *e);

/*
 * Runs a grid of any kernel, followed by its tail launches. The caller sets the kernel, shape,
 * memory, budget, runtime and depth in `s`; this function fills in the rest. `parameters` has the
 * kernel's own parameter layout.
 */
bool sim_run_grid(struct launch_state *s, const uint8_t *parameters, uint64_t workspace,
                  struct race_report *races, int threads, struct counts *counts, struct error *e);

/*
 * Shrinks a sample to about SAMPLE_WORK warp instructions at most (sim_sample.c). `instructions` is
 * how many warp instructions the first block executed. Each class that has two blocks or more keeps
 * at least two.
 */
enum { SAMPLE_WORK = 1 << 23 };
void sim_thin_sample(struct block_sample *sample, uint64_t instructions);

/*
 * Extrapolates from blocks[k], the counts of sample->blocks[k], to the whole grid and adds the
 * result to `counts` (sim_sample.c). Fails with ERROR_UNSUPPORTED if two blocks of a class differ.
 */
bool sim_scale_sample(const char *kernel, const struct block_sample *sample,
                      const struct counts *blocks, struct counts *counts, struct error *e);

/* Fails with ERROR_LAUNCH if no GPU would accept this grid and block shape. */
bool sim_check_shape(const struct program *p, const unsigned grid[3], const unsigned block[3],
                     uint64_t dynamic_smem, struct error *e);

#endif
