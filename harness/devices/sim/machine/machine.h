/*
 * The state of a running launch: its workers, blocks and warps.
 *
 * Workers are host threads. Each worker takes blocks in numerical order and runs the warps of a
 * block one after another. A warp runs until it waits, ends or has used its share of instructions.
 * A block that waits for another block yields. Its worker then begins the next block and returns to
 * the first one later. Kernels that spin on global memory therefore make progress with any number
 * of workers.
 *
 * When lanes of a warp diverge, the warp becomes a tree of splits (divergence.h). If a kernel
 * launches a kernel, the calls are recursive: warp.c calls device_runtime.c, which calls
 * sim_launch.c, grid.c, block.c and warp.c again.
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
    bool callee;   /* whether the split began with a call and ends with a return */
    int32_t call;  /* the number of the call whose return this parent awaits; -1: none */
};

enum warp_state { WARP_READY, WARP_AT_BARRIER, WARP_DONE };

struct block;

struct warp {
    uint8_t *base[AREAS]; /* the base address of each area of slots */
    uint8_t *local;       /* the local memory of all lanes, one lane after another */
    struct block *block;
    /*
     * whose shared memory is accessed: `block`, or another block of its cluster
     */
    struct block *shares;
    uint32_t launched; /* the lanes that exist; an incomplete warp has fewer than 32 */
    uint32_t live;     /* the lanes that have not exited */
    int index;         /* the warp's index in its block */
    enum warp_state state;
    int32_t at;        /* the current instruction, for messages */
    int current;       /* the index of the current split */
    int split_count;   /* splits[0 … split_count - 1] may be in use */
    int32_t spin_at;   /* the last instruction that read memory of other threads */
    uint32_t spins;    /* the number of such reads in a row */
    uint64_t executed; /* the sum of instructions and charges */
    /* the number of warp barriers that the warp has passed, for the race detector */
    uint32_t epoch;
    /*
     * Since their last fence, these lanes have made plain writes that other blocks can see. The
     * race detector uses this mask.
     */
    uint32_t unfenced;
    uint32_t fenced;        /* the lanes that have written nothing since their last fence */
    uint32_t launch_failed; /* the lanes whose last launch from the device found the pool full */
    /* lanes that have arrived at the cluster's barrier in the current phase */
    uint32_t arrived;
    uint32_t must_wait;              /* the lanes that have not waited since they arrived */
    uint32_t again[MAX_LATCHES + 1]; /* for each loop, the lanes that execute it again (follow.h) */
    bool apart;           /* set by a vote, match or reduction with several masks (see `group`) */
    uint8_t group[LANES]; /* the first lane that had a lane's mask */
    struct split splits[MAX_SPLITS];
};

struct barrier {
    uint32_t arrived; /* the number of threads that have arrived */
    /* the number of threads that the barrier waits for; 0: all threads of the block */
    uint32_t expected;
    uint32_t votes, voters;
};

struct block {
    struct launch_state *launch;
    uint64_t number;
    /* how many blocks were taken before this one; in a sample, the block's index in it */
    uint64_t turn;
    unsigned index[3];
    struct warp *warps;
    int warp_count, done, next_warp;
    uint8_t *registers, *local;
    uint8_t *shared, *written; /* written[k] is 1 if shared[k] was written */
    uint32_t shared_bytes;
    /* the number of block barriers that the block has passed, for the race detector */
    uint32_t epoch;
    uint32_t ended; /* the number of threads that have ended */
    struct barrier barriers[MAX_BARRIERS];
    struct cluster *cluster; /* NULL: the block belongs to no cluster */
    struct block *next;      /* the worker's next resident block */
};

enum fault_kind { FAULT_NONE, FAULT_LAUNCH, FAULT_UNSUPPORTED, FAULT_TIMEOUT, FAULT_MEMORY };

/* Where a device-side launch came from, for the race detector. */
struct launch_origin {
    struct races *races; /* the race detector of the launching grid; NULL: no race detection */
    /* This is the launching warp, or NULL if the grid begins after the launching grid has ended. */
    const struct warp *warp;
    unsigned lane;
};

/* Receives the lines that a kernel prints. NULL drops them. */
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
    unsigned cluster; /* the number of blocks per cluster; 1: no clusters */
    uint32_t shared_bytes, dynamic_bytes;
    /* the offset of CUDA's own part of shared memory, if the kernel reads it */
    uint32_t reserved_at;
    uint32_t multiprocessors; /* the number that the kernel sees */
    uint8_t *area;            /* the filled launch area */
    uint8_t *parameters;      /* the parameters, which take p->parameter_bytes bytes */
    struct races *races;      /* NULL: no race detection */
    struct runtime *runtime;  /* NULL: the kernel launches no kernels */
    int depth;                /* the number of nested launches that led to this grid */
    struct launch_origin origin;
    int *tails; /* the launches that begin, in this order, when this grid has ended */
    int tail_count;
    /* NULL: reading shared memory that no thread has written is an error; otherwise, see struct
     * trial */
    char *unwritten;
    /* the number of warp instructions after which a kernel counts as endless */
    uint64_t budget;
    uint64_t instruction_limit; /* the largest number of instructions of one warp */
    /* the most blocks that a worker alternates between */
    uint64_t max_resident;
    struct block_sample *sample; /* NULL: all blocks are executed */
    struct counts *sampled;      /* the counts of each block of the sample */
    uint64_t turns;              /* the number of blocks to be executed */
    struct printer printer;
    /* shared by the host threads: */
    uint64_t printed;     /* the number of printed lines; atomic */
    uint64_t next_block;  /* the next block to take; atomic */
    uint64_t executed;    /* the number of executed warp instructions; atomic */
    int stop;             /* whether all workers stop after a fault; atomic */
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
    uint64_t resident_count; /* the number of resident blocks, including the running one */
    int number;
};

/*
 * Charges for an operation that takes the host much longer than a warp instruction (about 16 ns),
 * by the number of instructions that would take as long. Endless kernels therefore reach their
 * limits (instruction_limit, budget) after about the same time, whatever they execute. The charges
 * are constants, measured once on one thread. Anything faster than about 30 instructions is free.
 */
static inline void charge(struct worker *w, struct warp *warp, uint64_t instructions)
{
    w->counts.charged += instructions;
    warp->executed += instructions;
}

/*
 * Returns a worker's instructions and charges, including the grids that its blocks launched.
 */
static inline uint64_t work_done(const struct worker *w)
{
    return w->counts.instructions + w->counts.charged;
}

/* why warp_run() returned */
enum stop { STOP_DONE, STOP_BARRIER, STOP_YIELD, STOP_CLUSTER, STOP_FAULT };

/* Runs a warp until it waits, ends, or has executed about `limit` instructions. */
enum stop warp_run(struct worker *w, struct warp *warp, uint64_t limit);

/*
 * Records a fault, and adds the thread, block, source line and PTX line of the instruction warp->at
 * to its message. If `lane` is -1, the fault concerns the whole warp. Only the first fault of a
 * launch is kept. Returns false.
 */
bool fault_set(struct worker *w, const struct warp *warp, int lane, enum fault_kind kind,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
/*
 * Handles a read of shared memory that no thread has written. If launch->unwritten is NULL, sets a
 * fault and returns false. Otherwise stores a description there and returns true.
 */
bool fault_unwritten(struct worker *w, const struct warp *warp, int lane, uint64_t offset);

/*
 * Execute memory accesses in the lanes of `exec` (access.c). Return false after a fault.
 */
bool access_load(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool access_store(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool access_atomic(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
/* Executes an atomic at host addresses, one lane after another (atomics.c). */
void atomic_lanes(const struct program *p, struct warp *warp, const struct instruction *i,
                  uint32_t exec, uint8_t *const host[LANES]);

/*
 * Execute instructions on barriers in shared memory, and asynchronous copies (async.c). Return
 * false after a fault.
 */
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
 * Arrives at a block barrier with the lanes of `exec` (block.c). `split` waits until the last lanes
 * arrive.
 */
enum arrival { ARRIVAL_WAITS, ARRIVAL_GOES_ON, ARRIVAL_FAULT };
enum arrival block_barrier(struct worker *w, struct warp *warp, struct split *split,
                           const struct instruction *i, uint32_t exec);
/* Records that these lanes have ended. Releases the barriers that waited only for them. */
void block_threads_end(struct block *b, uint32_t lanes);

/* Executes printf and assert (print.c). Returns false after a fault. */
bool print_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/*
 * Makes block `number` ready to run on the worker, and returns it (block.c). Returns NULL if out of
 * memory.
 */
struct block *block_start(struct worker *w, uint64_t number);
void block_free(struct block *b);

/*
 * Runs the warps of a block. Returns STOP_DONE if all have ended, and STOP_YIELD if a warp yielded
 * or the block has used its share of instructions. Returns STOP_CLUSTER if no warp can continue
 * before other blocks of the cluster run.
 */
enum stop block_run(struct worker *w, struct block *b);

/* Runs the grid on `threads` workers and adds their counts to `counts`. */
bool grid_run(struct launch_state *launch, int threads, struct counts *counts, struct error *e);

#endif
