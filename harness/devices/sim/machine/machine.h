/*
 * The state of a running launch: its workers, blocks and warps.
 *
 * Workers are host threads. Each worker takes blocks in numerical order and runs a block's warps in
 * turn, each until it waits, ends or has used up its time slice. If a block waits for another
 * block, its worker starts the next block and comes back to the first one later, so kernels that
 * spin on global memory make progress with any number of workers.
 *
 * When a warp diverges, it becomes a tree of splits (divergence.h). Kernels that launch kernels
 * make the simulator recurse: warp.c calls device_runtime.c, which calls sim_launch.c, grid.c,
 * block.c and then warp.c again.
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
    int32_t pc;         /* the next instruction; PARENT: the reconvergence point */
    int32_t reconverge; /* the instruction at which the split ends; -1: the end of its function */
    uint32_t mask;
    uint32_t waits_for; /* WAITS_WARP: the lanes; WAITS_BLOCK: the barrier's number */
    int16_t parent;     /* the parent's index; -1: none */
    int16_t children;
    uint8_t state;
    uint8_t depth; /* the split's depth in the tree */
    bool callee;   /* whether this split is a call, which ends with a return */
    int32_t call;  /* the call whose return this parent awaits; -1: none */
};

enum warp_state { WARP_READY, WARP_AT_BARRIER, WARP_DONE };

struct block;

struct warp {
    uint8_t *base[AREAS]; /* the base address of each area of slots */
    uint8_t *local;       /* each lane's local memory, lane by lane */
    struct block *block;
    /* the block whose shared memory is accessed: `block` or another one in its cluster */
    struct block *shares;
    uint32_t launched; /* the lanes that exist; an incomplete warp has fewer than 32 */
    uint32_t live;     /* the lanes that have not exited */
    int index;         /* the warp's index in its block */
    enum warp_state state;
    int32_t at;        /* the current instruction, for messages */
    int current;       /* the index of the current split */
    int split_count;   /* splits[0 … split_count - 1] may be in use */
    int32_t spin_at;   /* the last instruction that polled memory */
    uint32_t spins;    /* how many times in a row */
    uint64_t executed; /* instructions plus charges */
    /* warp barriers passed so far, for the race detector */
    uint32_t epoch;
    /*
     * lanes with plain writes since their last fence that other blocks can see, for the race
     * detector
     */
    uint32_t unfenced;
    uint32_t fenced;        /* lanes that have written nothing since their last fence */
    uint32_t launch_failed; /* lanes whose last device-side launch found the pool full */
    /* lanes that have arrived at the cluster's barrier in the current phase */
    uint32_t arrived;
    uint32_t must_wait;              /* lanes that have arrived but not waited */
    uint32_t again[MAX_LATCHES + 1]; /* for each loop, the lanes that are repeating it (follow.h) */
    bool apart;           /* set by a vote, match or reduction with several masks (see `group`) */
    uint8_t group[LANES]; /* the first lane that had a lane's mask */
    struct split splits[MAX_SPLITS];
};

struct barrier {
    uint32_t arrived; /* threads that have arrived */
    /* threads to wait for; 0: all threads of the block */
    uint32_t expected;
    uint32_t votes, voters;
};

struct block {
    struct launch_state *launch;
    uint64_t number;
    /* how many blocks were started before this one; in a sample, its index in the sample */
    uint64_t turn;
    unsigned index[3];
    struct warp *warps;
    int warp_count, done, next_warp;
    uint8_t *registers, *local;
    uint8_t *shared, *written; /* written[k] is 1 if shared[k] was written */
    uint32_t shared_bytes;
    /* block barriers passed so far, for the race detector */
    uint32_t epoch;
    uint32_t ended; /* threads that have ended */
    struct barrier barriers[MAX_BARRIERS];
    struct cluster *cluster; /* NULL: not in a cluster */
    struct block *next;      /* the worker's next resident block */
};

enum fault_kind { FAULT_NONE, FAULT_LAUNCH, FAULT_UNSUPPORTED, FAULT_TIMEOUT, FAULT_MEMORY };

/* Where a device-side launch came from, for the race detector. */
struct launch_origin {
    struct races *races; /* the race detector of the launching grid; NULL: no race detection */
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
    uint32_t multiprocessors; /* as the kernel sees it */
    uint8_t *area;            /* the filled launch area */
    uint8_t *parameters;      /* p->parameter_bytes bytes of parameters */
    struct races *races;      /* NULL: no race detection */
    struct runtime *runtime;  /* NULL: the kernel launches no kernels */
    int depth;                /* nesting depth of this launch */
    struct launch_origin origin;
    int *tails; /* launches to start, in order, once this grid has ended */
    int tail_count;
    /* NULL: reading unwritten shared memory is an error; otherwise see struct trial */
    char *unwritten;
    /* warp instructions after which a kernel is considered endless */
    uint64_t budget;
    uint64_t instruction_limit; /* limit on instructions per warp */
    /* limit on the blocks that a worker alternates between */
    uint64_t max_resident;
    struct block_sample *sample; /* NULL: run all blocks */
    struct counts *sampled;      /* counts of each block of the sample */
    uint64_t turns;              /* how many blocks to run */
    struct printer printer;
    /* shared by the host threads: */
    uint64_t printed;     /* lines printed so far; atomic */
    uint64_t next_block;  /* the next block to take; atomic */
    uint64_t executed;    /* warp instructions executed so far; atomic */
    int stop;             /* tells all workers to stop after a fault; atomic */
    pthread_mutex_t lock; /* guards `fault` and its text */
    enum fault_kind fault;
    char fault_text[1024];
};

struct worker {
    struct launch_state *launch;
    struct counts counts, before;    /* `before`: the counts when the last block was taken */
    const struct allocation *recent; /* the allocation of the last access */
    struct block *resident, *spare;
    uint64_t timer;          /* the value of %globaltimer */
    uint64_t resident_count; /* number of resident blocks, including the running one */
    int number;
};

/*
 * Charges a slow operation as the number of warp instructions (about 16 ns each) that would take
 * the host as long. Endless kernels therefore hit their limits (instruction_limit, budget) after
 * about the same time whatever they execute. The charges are constants, measured once on one
 * thread. Anything cheaper than about 30 instructions is free.
 */
static inline void charge(struct worker *w, struct warp *warp, uint64_t instructions)
{
    w->counts.charged += instructions;
    warp->executed += instructions;
}

/* Returns a worker's instructions plus charges, including those of grids launched by its blocks. */
static inline uint64_t work_done(const struct worker *w)
{
    return w->counts.instructions + w->counts.charged;
}

/* why warp_run() returned */
enum stop { STOP_DONE, STOP_BARRIER, STOP_YIELD, STOP_CLUSTER, STOP_FAULT };

/* Runs a warp until it waits, ends or has executed about `limit` instructions. */
enum stop warp_run(struct worker *w, struct warp *warp, uint64_t limit);

/*
 * Records a fault and appends the thread, block, source line and PTX line of instruction warp->at
 * to its message. A `lane` of -1 means the whole warp. Only a launch's first fault is kept. Returns
 * false.
 */
bool fault_set(struct worker *w, const struct warp *warp, int lane, enum fault_kind kind,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
/*
 * Handles a read of unwritten shared memory. If launch->unwritten is NULL, sets a fault and returns
 * false. Otherwise stores a description there and returns true.
 */
bool fault_unwritten(struct worker *w, const struct warp *warp, int lane, uint64_t offset);

/*
 * Execute memory accesses in the lanes of `exec` (access.c). Return false after a fault.
 */
bool access_load(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool access_store(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool access_atomic(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
/* Executes an atomic at host addresses, lane by lane (atomics.c). */
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
/* Exchanges data between lanes that execute different instructions of the same kind. */
bool exchange_mixed(struct worker *w, struct warp *warp, const struct instruction *const at[LANES],
                    uint32_t lanes);

/*
 * Makes the lanes of `exec` arrive at a block barrier (block.c). `split` waits for the last
 * arrival.
 */
enum arrival { ARRIVAL_WAITS, ARRIVAL_GOES_ON, ARRIVAL_FAULT };
enum arrival block_barrier(struct worker *w, struct warp *warp, struct split *split,
                           const struct instruction *i, uint32_t exec);
/* Records that these lanes have ended, and releases any barrier that was waiting only for them. */
void block_threads_end(struct block *b, uint32_t lanes);

/* Executes printf and assert (print.c). Returns false after a fault. */
bool print_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/* Sets up block `number` on this worker (block.c). Returns NULL if out of memory. */
struct block *block_start(struct worker *w, uint64_t number);
void block_free(struct block *b);

/*
 * Runs a block's warps. Returns STOP_DONE if all have ended, STOP_YIELD if a warp yielded or the
 * block has used up its time slice, and STOP_CLUSTER if no warp can continue until other blocks of
 * the cluster run.
 */
enum stop block_run(struct worker *w, struct block *b);

/* Runs the grid on `threads` workers and adds their counts to `counts`. */
bool grid_run(struct launch_state *launch, int threads, struct counts *counts, struct error *e);

#endif
