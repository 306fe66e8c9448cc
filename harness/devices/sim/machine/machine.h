/*
 * Declares the state of a running launch: its workers, blocks and warps.
 *
 * Workers are host threads. Workers take blocks in the order of their numbers. A worker runs the
 * warps of a block one after another, each until it waits, ends or has used up its time slice. If a
 * block waits for another block, its worker starts the next block and continues with the first one
 * later. Kernels that wait in a loop for a change of global memory therefore make progress with any
 * number of workers.
 *
 * When a warp diverges, its lanes are divided into splits (divergence.h). If a kernel launches a
 * kernel, the simulator calls itself: warp.c calls device_runtime.c, which calls sim_launch.c,
 * grid.c, block.c and then warp.c again.
 */
#ifndef REDSWEEP_DEVICES_SIM_MACHINE_MACHINE_H
#define REDSWEEP_DEVICES_SIM_MACHINE_MACHINE_H

#include <pthread.h>

#include "devices/sim/counts/sim_counts.h"
#include "devices/sim/sim_memory.h"
#include "devices/sim/program/program.h"

struct block_sample; /* devices/device.h */
struct races;        /* races.h */
struct runtime;      /* device_runtime.h */
struct cluster;      /* cluster.h */

enum { MAX_SPLITS = 192, MAX_BARRIERS = 16 };

enum split_state {
    SPLIT_FREE,
    SPLIT_READY,
    SPLIT_PARENT,
    SPLIT_WAITS_WARP,
    SPLIT_WAITS_BLOCK,
    SPLIT_WAITS_CLUSTER
};

struct split {
    int32_t pc;         /* the next instruction; for SPLIT_PARENT, where its children reconverge */
    int32_t reconverge; /* the instruction at which the split ends; -1: the end of its function */
    uint32_t mask;
    /* for SPLIT_WAITS_WARP, the mask of lanes to wait for; for SPLIT_WAITS_BLOCK, the barrier's
     * number */
    uint32_t waits_for;
    int16_t parent; /* the index of the parent in warp.splits; -1: none */
    int16_t children;
    uint8_t state;
    uint8_t depth; /* the split's depth in the tree */
    bool callee;   /* true if the split executes a called function, and ends when that returns */
    int32_t call;  /* for SPLIT_PARENT, the call whose return it waits for; -1: none */
};

enum warp_state { WARP_READY, WARP_AT_BARRIER, WARP_DONE };

struct block;

struct warp {
    uint8_t *base[AREAS]; /* the base address of each area of slots */
    uint8_t *local;       /* each lane's local memory, lane by lane */
    struct block *block;
    /* the block whose shared memory the current access is in: `block`, or another one in its
     * cluster */
    struct block *shares;
    /* the lanes that have a thread; fewer than 32 in the last warp of some blocks */
    uint32_t launched;
    uint32_t live; /* the lanes that have not exited */
    int index;     /* the warp's index in its block */
    enum warp_state state;
    int32_t at;      /* the current instruction, for messages */
    int current;     /* the index of the current split */
    int split_count; /* splits[0 … split_count - 1] may be in use */
    /* the last atomic, mbarrier instruction or strong load, which may be part of a loop that
     * waits */
    int32_t spin_at;
    /* how often the instruction at spin_at has been executed in a row, ignoring all other kinds of
     * instructions */
    uint32_t spins;
    uint64_t executed; /* executed instructions plus charges */
    /* how many warp barriers the warp has passed, for the race detector */
    uint32_t epoch;
    /*
     * for the race detector: lanes that have made plain writes since their last fence, not counting
     * fences of block scope
     */
    uint32_t unfenced;
    /* for the race detector: lanes that have executed a fence and written nothing since */
    uint32_t fenced;
    uint32_t launch_failed; /* lanes whose last device-side launch found the pool full */
    /* lanes that have arrived at the cluster's barrier in the current phase */
    uint32_t arrived;
    /* lanes that have arrived at the cluster's barrier but not yet waited */
    uint32_t must_wait;
    uint32_t again[MAX_LATCHES + 1]; /* for each loop, the lanes that are repeating it (follow.h) */
    /* true after a vote, match or reduction at which lanes had different masks, until the next
     * barrier or collective */
    bool apart;
    uint8_t group[LANES]; /* if `apart`: for each lane, the first lane with the same mask */
    struct split splits[MAX_SPLITS];
};

struct barrier {
    uint32_t arrived; /* how many threads have arrived */
    /* how many threads to wait for; 0: all threads of the block */
    uint32_t expected;
    uint32_t votes, voters;
};

struct block {
    struct launch_state *launch;
    uint64_t number;
    /* the block's place in the order in which blocks are started; in a sample, its index in the
     * sample */
    uint64_t turn;
    unsigned index[3];
    struct warp *warps;
    int warp_count, done, next_warp;
    uint8_t *registers, *local;
    uint8_t *shared, *written; /* written[k] is 1 if shared[k] was written */
    uint32_t shared_bytes;
    /* how many block barriers the block has passed, for the race detector */
    uint32_t epoch;
    uint32_t ended; /* how many threads have ended */
    struct barrier barriers[MAX_BARRIERS];
    struct cluster *cluster; /* NULL: not in a cluster */
    struct block *next;      /* the next block in the worker's list of resident or spare blocks */
};

enum fault_kind { FAULT_NONE, FAULT_LAUNCH, FAULT_UNSUPPORTED, FAULT_TIMEOUT, FAULT_MEMORY };

/* Which thread launched this grid, if a kernel did. Only for the race detector. */
struct launch_origin {
    /* the race detector of the launching grid; NULL: races are not detected, or the host launched
     * this grid */
    struct races *races;
    /* the launching warp, or NULL if the launching grid has ended */
    const struct warp *warp;
    unsigned lane;
};

/* Called with each line that a kernel prints. If NULL, lines are dropped. */
struct printer {
    void (*print)(void *context, const char *line);
    void *context;
};

/* Everything that a launch's workers share. */
struct launch_state {
    const struct program *p;
    const struct memory *memory;
    unsigned grid[3], threads[3];
    unsigned block_threads;
    uint64_t blocks;
    unsigned cluster; /* blocks per cluster; 1: no clusters */
    uint32_t shared_bytes, dynamic_bytes;
    /* offset of CUDA's reserved shared memory, if the kernel reads it */
    uint32_t reserved_at;
    uint32_t multiprocessors; /* the number that the kernel reads */
    /* the launch area (area 1), with all parameters and special registers */
    uint8_t *area;
    uint8_t *parameters;     /* p->parameter_bytes bytes of parameters */
    struct races *races;     /* NULL: races are not detected */
    struct runtime *runtime; /* NULL if no kernel of the module launches kernels */
    /* 0 if the host launched this grid, 1 if that grid launched it, and so on */
    int depth;
    struct launch_origin origin;
    /* the tail launches, to be started in this order after this grid has ended, as places in the
     * pool (device_runtime.c) */
    int *tails;
    int tail_count;
    /* NULL: reading unwritten shared memory is an error; otherwise, where to describe the first
     * such read (struct trial) */
    char *unwritten;
    /* how many warp instructions, plus charges, may be executed before the kernel is considered
     * endless */
    uint64_t budget;
    uint64_t instruction_limit; /* how many instructions, plus charges, a warp may execute */
    /* how many unfinished blocks a worker may have at the same time */
    uint64_t max_resident;
    struct block_sample *sample; /* NULL: run all blocks */
    struct counts *sampled;      /* sampled[k]: the counts of the sample's block k */
    uint64_t turns;              /* how many blocks to start */
    struct printer printer;
    /* The workers change the members below while the grid runs. */
    uint64_t printed;     /* how many lines the kernel has printed; atomic */
    uint64_t next_block;  /* the place of the next block to start (block.turn); atomic */
    uint64_t executed;    /* warp instructions executed so far; atomic */
    int stop;             /* tells all workers to stop after a fault; atomic */
    pthread_mutex_t lock; /* guards `fault` and its text */
    enum fault_kind fault;
    char fault_text[1024];
};

struct worker {
    struct launch_state *launch;
    struct counts counts, before;    /* `before`: their values when the last block was started */
    const struct allocation *recent; /* the allocation that the last access was in */
    struct block *resident, *spare;
    uint64_t timer;          /* the value of %globaltimer */
    uint64_t resident_count; /* how many blocks have been started and have not ended */
    int number;
};

/*
 * Counts a slow operation as the number of ordinary warp instructions (about 16 ns each) that take
 * the host as long. Endless kernels therefore reach their limits (instruction_limit, budget) after
 * a similar time, whatever they execute. `instructions` is a constant for each kind of operation,
 * measured once on one thread. Operations that take less time than about 30 instructions are not
 * charged.
 */
static inline void charge(struct worker *w, struct warp *warp, uint64_t instructions)
{
    w->counts.charged += instructions;
    warp->executed += instructions;
}

/* Returns how many instructions a worker has executed, plus charges, including those of grids
 * launched by its blocks. */
static inline uint64_t work_done(const struct worker *w)
{
    return w->counts.instructions + w->counts.charged;
}

/* why warp_run() returned */
enum stop { STOP_DONE, STOP_BARRIER, STOP_YIELD, STOP_CLUSTER, STOP_FAULT };

/* Runs a warp until it waits, ends or has executed about `limit` instructions. */
enum stop warp_run(struct worker *w, struct warp *warp, uint64_t limit);

/*
 * Records a fault and stops the launch. The message consists of the kernel, block and thread, the
 * source line and PTX line of instruction warp->at, and the formatted text. If `lane` is -1, it
 * names the whole warp. Only the first fault of a launch is kept. Returns false.
 */
bool fault_set(struct worker *w, const struct warp *warp, int lane, enum fault_kind kind,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
/*
 * Handles a read of unwritten shared memory. If launch->unwritten is NULL, sets a fault and returns
 * false. Otherwise describes the read there, unless it contains a description, and returns true.
 */
bool fault_unwritten(struct worker *w, const struct warp *warp, int lane, uint64_t offset);

/*
 * Execute memory accesses in the lanes of `exec` (access.c). Return false after a fault.
 */
bool access_load(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool access_store(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool access_atomic(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
/* Executes an atomic for the lanes of `exec` in turn (atomics.c). host[k] is the host address that
 * lane k accesses. */
void atomic_lanes(const struct program *p, struct warp *warp, const struct instruction *i,
                  uint32_t exec, uint8_t *const host[LANES]);

/* Execute mbarrier instructions and asynchronous copies (async.c). Return false after a fault. */
bool async_barrier(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool async_copy(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool async_group(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool async_bulk_copy(struct worker *w, struct warp *warp, const struct instruction *i,
                     uint32_t exec);

/* Executes an instruction of KIND_LANES_FLOAT (float_mode.c). */
void run_float(struct warp *warp, const struct instruction *i, uint32_t exec);

/* Exchanges data between lanes (exchange.c). Returns false after a fault. */
bool exchange(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
/* Like exchange(), if the lanes execute different instructions of the same kind. Lane k executes
 * at[k]. */
bool exchange_mixed(struct worker *w, struct warp *warp, const struct instruction *const at[LANES],
                    uint32_t lanes);

/*
 * Makes the lanes of `exec` arrive at a block barrier (block.c). If not all threads have arrived,
 * `split` waits.
 */
enum arrival { ARRIVAL_WAITS, ARRIVAL_GOES_ON, ARRIVAL_FAULT };
enum arrival block_barrier(struct worker *w, struct warp *warp, struct split *split,
                           const struct instruction *i, uint32_t exec);
/* Records that the threads in these lanes have ended, and lets threads continue that wait at a
 * barrier only for them. */
void block_threads_end(struct block *b, uint32_t lanes);

/* Executes printf and assert (print.c). Returns false after a fault. */
bool print_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/* Creates block `number` of the grid, or reuses a spare block of this worker (block.c). Returns
 * NULL if out of memory. */
struct block *block_start(struct worker *w, uint64_t number);
void block_free(struct block *b);

/*
 * Runs a block's warps. Returns STOP_DONE if all have ended, STOP_YIELD if a warp yielded or the
 * block has used up its time slice, STOP_CLUSTER if no warp can continue until other blocks of the
 * cluster have run, and STOP_FAULT after a fault.
 */
enum stop block_run(struct worker *w, struct block *b);

/* Runs the grid on up to `threads` workers and adds its counts to `counts`. */
bool grid_run(struct launch_state *launch, int threads, struct counts *counts, struct error *e);

#endif
