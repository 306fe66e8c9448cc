/*
 * A launch in flight: workers, blocks, warps.
 *
 * Workers are threads of the host. Each takes blocks in the order of their numbers and runs them,
 * warp after warp; each warp runs until it waits, ends or has used its share of instructions. A block
 * that waits for another block yields: its worker then begins the next one and comes back later, so
 * that kernels that spin on global memory make progress with any number of workers.
 *
 * Lanes of a warp that diverge form a tree of splits: divergence.h. A kernel that launches a kernel
 * leads to recursion: warp, block, device_runtime, sim_launch, grid, block, warp.
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
    int32_t reconverge; /* the instruction at which it ends; -1 for the end of its function */
    uint32_t mask;
    uint32_t waits_for; /* WAITS_WARP: lanes; WAITS_BLOCK: number of the barrier */
    int16_t parent;     /* -1 for the first */
    int16_t children;
    uint8_t state;
    uint8_t depth; /* the depth in the tree */
    bool callee;   /* it began with a call, and ends with a return */
    int32_t call;  /* PARENT because of a call: the call's number; else -1 */
};

enum warp_state { WARP_READY, WARP_AT_BARRIER, WARP_DONE };

struct block;

struct warp {
    uint8_t *base[AREAS]; /* the bases of the slots */
    uint8_t *local;       /* local memory: lane after lane */
    struct block *block;
    struct block *shares; /* block whose shared memory is used: this, or one of the cluster */
    uint32_t launched;    /* lanes */
    uint32_t live;        /* lanes that have not exited */
    int index;            /* the index in its block */
    enum warp_state state;
    int32_t at;             /* the instruction that executes, for messages */
    int current;            /* split */
    int split_count;        /* splits[0 … split_count - 1] may be in use */
    int32_t spin_at;        /* the last instruction that read memory of other threads */
    uint32_t spins;         /* how many times in a row it did so */
    uint64_t executed;      /* instructions, and their charges */
    uint32_t epoch;         /* warp barriers passed, for the race detector */
    uint32_t unfenced;      /* lanes with plain writes since their last fence that other blocks can
                               see, for the race detector */
    uint32_t fenced;        /* lanes that have executed a fence and written nothing since */
    uint32_t launch_failed; /* lanes whose last launch from the device found the pool full */
    uint32_t arrived;       /* lanes at the cluster's barrier, in the current phase */
    uint32_t must_wait;     /* lanes that have not waited since they arrived */
    uint32_t again[MAX_LATCHES + 1]; /* lanes that execute a loop again: follow.h */
    bool apart;           /* set by a vote, match or reduction with several masks: see `group` */
    uint8_t group[LANES]; /* the first lane that had a lane's mask */
    struct split splits[MAX_SPLITS];
};

struct barrier {
    uint32_t arrived;  /* threads */
    uint32_t expected; /* 0: all threads of the block */
    uint32_t votes, voters;
};

struct block {
    struct launch_state *launch;
    uint64_t number;
    uint64_t turn; /* the number of blocks taken before: its place in a sample */
    unsigned index[3];
    struct warp *warps;
    int warp_count, done, next_warp;
    uint8_t *registers, *local;
    uint8_t *shared, *written; /* written has 1 for each byte of shared that was written */
    uint32_t shared_bytes;
    uint32_t epoch; /* block barriers passed, for the race detector */
    uint32_t ended; /* threads */
    struct barrier barriers[MAX_BARRIERS];
    struct cluster *cluster; /* NULL: only the block itself */
    struct block *next;      /* the worker's next resident block */
};

enum fault_kind { FAULT_NONE, FAULT_LAUNCH, FAULT_UNSUPPORTED, FAULT_TIMEOUT, FAULT_MEMORY };

/* The origin of a launch from the device, for the race detector. */
struct launch_origin {
    struct races
        *races; /* the race detector of the launching grid; NULL if races are not detected */
    const struct warp
        *warp; /* the launching thread; NULL: the grid begins when that one has ended */
    unsigned lane;
};

/* The destination of lines that a kernel prints; NULL: none. */
struct printer {
    void (*print)(void *context, const char *line);
    void *context;
};

/* Everything that the workers of a launch share. */
struct launch_state {
    const struct program *p;
    const struct memory *memory;
    unsigned grid[3], threads[3];
    unsigned block_threads;
    uint64_t blocks;
    unsigned cluster; /* blocks per cluster; 1 if there are no clusters */
    uint32_t shared_bytes, dynamic_bytes;
    uint32_t reserved_at;     /* CUDA's part of shared memory, if used: it is zero */
    uint32_t multiprocessors; /* reported to the kernel */
    uint8_t *area;            /* the filled launch area */
    uint8_t *parameters;      /* p->parameter_bytes */
    struct races *races;      /* NULL: no race detection */
    struct runtime *runtime;  /* NULL: the kernel launches no kernels */
    int depth;                /* number of grids above that led to it */
    struct launch_origin origin;
    int *tails; /* launches that begin when this grid has ended, in order */
    int tail_count;
    char *
        unwritten; /* NULL: reading shared memory that nobody has written is an error; else as in struct trial */
    uint64_t budget;             /* warp instructions, after which a kernel counts as endless */
    uint64_t instruction_limit;  /* the same for one warp */
    uint64_t max_resident;       /* blocks that a worker may have begun but not ended */
    struct block_sample *sample; /* NULL: all blocks are executed */
    struct counts *sampled;      /* one for each block of the sample */
    uint64_t turns;              /* blocks to be executed */
    struct printer printer;
    /* shared by threads */
    uint64_t printed;     /* atomic; lines */
    uint64_t next_block;  /* atomic */
    uint64_t executed;    /* atomic; warp instructions */
    int stop;             /* atomic; after a fault all workers stop */
    pthread_mutex_t lock; /* guards fault */
    enum fault_kind fault;
    char fault_text[1024];
};

struct worker {
    struct launch_state *launch;
    struct counts counts, before;    /* `before`: as the last block was taken */
    const struct allocation *recent; /* the allocation of the last access */
    struct block *resident, *spare;
    uint64_t timer;          /* %globaltimer */
    uint64_t resident_count; /* including the running one */
    int number;
};

/*
 * Operations that take the host much longer than an instruction of a warp (about 16 ns, or 60 million
 * per second) are charged the number of instructions that take as long. An endless kernel therefore
 * reaches its limits (instruction_limit, budget) after a similar time whatever it does. Charges do
 * not depend on the host: they were measured once, with one thread. An operation that costs less
 * than about 30 instructions is not charged.
 */
static inline void charge(struct worker *w, struct warp *warp, uint64_t instructions)
{
    w->counts.charged += instructions;
    warp->executed += instructions;
}

/* Returns the work of a worker in instructions and charges, including the grids that its threads launched. */
static inline uint64_t work_done(const struct worker *w)
{
    return w->counts.instructions + w->counts.charged;
}

/* Why warp_run() returned. */
enum stop { STOP_DONE, STOP_BARRIER, STOP_YIELD, STOP_CLUSTER, STOP_FAULT };

/* Runs a warp until it waits, ends, or has executed about `limit` instructions. */
enum stop warp_run(struct worker *w, struct warp *warp, uint64_t limit);

/*
 * Sets a fault, and adds the thread, block, source line and PTX line to its text. Only the first fault
 * of a launch is kept. Its place is warp->at; `lane` -1 means the whole warp. Returns false.
 */
bool fault_set(struct worker *w, const struct warp *warp, int lane, enum fault_kind kind,
               const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Handles a read of shared memory that nobody has written: it is a fault, or with launch->unwritten it is noted
 * there, and true is returned. */
bool fault_unwritten(struct worker *w, const struct warp *warp, int lane, uint64_t offset);

/* Memory accesses of the lanes of `exec` (access.c). They return false after a fault. */
bool access_load(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool access_store(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool access_atomic(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
/* Does an atomic at host addresses, lane after lane (atomics.c). */
void atomic_lanes(const struct program *p, struct warp *warp, const struct instruction *i,
                  uint32_t exec, uint8_t *const host[LANES]);

/* Barriers in shared memory, and copies that report to them (async.c). They return false after a fault. */
bool async_barrier(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool async_copy(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool async_group(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
bool async_bulk_copy(struct worker *w, struct warp *warp, const struct instruction *i,
                     uint32_t exec);

/* Executes an instruction of KIND_LANES_FLOAT (float_mode.c). */
void run_float(struct warp *warp, const struct instruction *i, uint32_t exec);

/* Exchanges data between lanes (exchange.c). Returns false after a fault. */
bool exchange(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);
/* Exchanges data between lanes that are at different instructions of one kind. */
bool exchange_mixed(struct worker *w, struct warp *warp, const struct instruction *const at[LANES],
                    uint32_t lanes);

/*
 * The lanes of `exec` arrive at a barrier of their block (block.c). The last lanes let the others
 * continue; until then `split` waits.
 */
enum arrival { ARRIVAL_WAITS, ARRIVAL_GOES_ON, ARRIVAL_FAULT };
enum arrival block_barrier(struct worker *w, struct warp *warp, struct split *split,
                           const struct instruction *i, uint32_t exec);
/* Notes that these lanes of a warp have ended; barriers that waited only for them let the others
 * continue. */
void block_threads_end(struct block *b, uint32_t lanes);

/* Executes printf and assert (print.c). Returns false after a fault. */
bool print_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec);

/* Makes a block of the worker ready to run (block.c); NULL, after a fault, if there is no memory. */
struct block *block_start(struct worker *w, uint64_t number);
void block_free(struct block *b);

/*
 * Runs a block's warps until all have ended (STOP_DONE), or until none can continue without another
 * block or the block has used its share (STOP_YIELD). STOP_CLUSTER means that none can continue without
 * another block of its cluster.
 */
enum stop block_run(struct worker *w, struct block *b);

/* Runs the grid on `threads` workers and adds up their counts. */
bool grid_run(struct launch_state *launch, int threads, struct counts *counts, struct error *e);

#endif
