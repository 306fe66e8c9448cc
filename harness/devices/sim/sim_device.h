/*
 * Declares what the files of the simulator's driver share: sim.c (the driver itself), sim_launch.c
 * (runs a launch) and sim_sample.c (extrapolates counts from some of a grid's blocks).
 */
#ifndef REDSWEEP_DEVICES_SIM_SIM_DEVICE_H
#define REDSWEEP_DEVICES_SIM_SIM_DEVICE_H

#include "devices/sim/machine/machine.h"
#include "devices/sim/races/races.h"
#include "devices/sim/sim.h"

enum {
    /* Some kernels launch as many blocks as fill all multiprocessors. With a small number, their
     * grids are small. */
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
    uint64_t budget;            /* how many warp instructions a launch may execute */
    uint64_t instruction_limit; /* how many instructions a warp may execute */
    uint64_t sample_blocks;     /* device_info.sample_blocks */
    int card; /* the number in the option card=…, plus 1; 0 without the option */
    struct printer printer;
    char *unwritten; /* `unwritten` of the current trial (struct trial) */
    struct memory memory;
    struct counts counts;
};

struct module {
    struct program *program;
    /* all kernels of the module, by number; NULL if `program` launches no kernels */
    struct program **entries;
    int entry_count;
    uint64_t globals; /* the device address of the module's variables; 0 if there are none */
};

/* Runs one launch and adds its counts to `counts`. If `races` is not NULL, uses a single host
 * thread, and stores any data races in *races. Races are not errors. */
bool sim_launch(struct device *d, const struct launch *l, struct race_report *races,
                struct counts *counts, struct error *e);

/*
 * Runs a grid launched by the host or by another kernel, and then its tail launches. The caller
 * sets the kernel, shape, memory, budget, runtime and depth in `s`, and this function sets its
 * other members. `parameters` contains the parameters as the kernel lays them out.
 */
bool sim_run_grid(struct launch_state *s, const uint8_t *parameters, uint64_t workspace,
                  struct race_report *races, int threads, struct counts *counts, struct error *e);

/*
 * Removes blocks from a sample so that it takes about SAMPLE_WORK warp instructions at most
 * (sim_sample.c). `instructions` is how many warp instructions one block executes. If a class of
 * the sample has two or more blocks, at least two are kept.
 */
enum { SAMPLE_WORK = 1 << 23 };
void sim_thin_sample(struct block_sample *sample, uint64_t instructions);

/*
 * Computes the counts of the whole grid from those of its sampled blocks, and adds them to `counts`
 * (sim_sample.c). blocks[k] contains the counts of sample->blocks[k]. Fails with ERROR_UNSUPPORTED
 * if two blocks of a class have different counts.
 */
bool sim_scale_sample(const char *kernel, const struct block_sample *sample,
                      const struct counts *blocks, struct counts *counts, struct error *e);

/* Fails with ERROR_LAUNCH if no GPU would accept this grid and block shape. */
bool sim_check_shape(const struct program *p, const unsigned grid[3], const unsigned block[3],
                     uint64_t dynamic_smem, struct error *e);

#endif
