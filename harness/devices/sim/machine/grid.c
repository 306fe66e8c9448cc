/*
 * Runs a grid, whose blocks are distributed to workers (host threads).
 *
 * A worker takes the next block, or all blocks of the next cluster. It runs a block until that ends
 * or yields. A block yields if it sleeps, has used up its time slice, or waits in a loop for a
 * change of memory. The worker then takes another block, and continues with the first one later, so
 * that whatever the first block is waiting for can happen. Blocks that have been started and have
 * not ended are called resident.
 */
#include "base/memory.h"
#include "devices/device.h"
#include "devices/sim/machine/cluster.h"
#include "devices/sim/machine/machine.h"
#include "devices/sim/sim_device.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* After about so many instructions, a worker adds their number to that of the launch, and checks it
 * against the budget. */
enum { BUDGET_STEP = 1 << 20 };

/* about how much memory all resident blocks together may use */
#define MAX_RESIDENT_BYTES (1ull << 30)

/*
 * Starts the next block, or the blocks of the next cluster, and puts them in front of the worker's
 * resident blocks. Returns false if there are no more, or after a fault.
 */
static bool take_blocks(struct worker *w)
{
    struct launch_state *l = w->launch;
    struct block *blocks[MAX_CLUSTER];
    uint64_t turn = __atomic_fetch_add(&l->next_block, l->cluster, __ATOMIC_SEQ_CST);
    if (turn >= l->turns)
        return false;
    uint64_t number = l->sample ? l->sample->blocks[turn].block : turn;
    unsigned begun = 0;
    w->before = w->counts;
    while (begun < l->cluster && (blocks[begun] = block_start(w, number + begun)))
        begun++;
    bool ok = begun == l->cluster && (begun == 1 || cluster_form(blocks, (int)begun));
    for (unsigned k = begun; k-- > 0;) {
        blocks[k]->turn = turn;
        blocks[k]->next = w->resident;
        w->resident = blocks[k];
        w->resident_count++;
    }
    if (ok)
        return true;
    pthread_mutex_lock(&l->lock);
    if (l->fault == FAULT_NONE) {
        l->fault = FAULT_MEMORY;
        strcpy(l->fault_text, "not enough memory for the registers of a block");
    }
    pthread_mutex_unlock(&l->lock);
    __atomic_store_n(&l->stop, 1, __ATOMIC_SEQ_CST);
    return false;
}

static void append(struct block **list, struct block *b)
{
    while (*list)
        list = &(*list)->next;
    b->next = NULL;
    *list = b;
}

/* If the worker has executed many instructions since the last update, adds their number to that of
 * the launch. Sets a fault and returns false if that exceeds the budget. *reported is the worker's
 * number at the last update, and b is a block to name in the message. */
static bool within_budget(struct worker *w, struct block *b, uint64_t *reported)
{
    struct launch_state *l = w->launch;
    uint64_t now = work_done(w);
    if (now - *reported < (l->budget < BUDGET_STEP ? l->budget : BUDGET_STEP))
        return true;
    uint64_t sum = __atomic_add_fetch(&l->executed, now - *reported, __ATOMIC_RELAXED);
    *reported = now;
    if (sum <= l->budget)
        return true;
    const struct warp *warp = &b->warps[0];
    for (int k = 0; k < b->warp_count; k++)
        if (b->warps[k].state == WARP_READY)
            warp = &b->warps[k];
    return fault_set(w, warp, -1, FAULT_TIMEOUT,
                     "the kernel has done the work of %llu warp instructions without ending; the "
                     "limit is REDSWEEP_SIM_BUDGET=%llu",
                     (unsigned long long)sum, (unsigned long long)l->budget);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    struct launch_state *l = w->launch;
    uint64_t reported = 0;
    while (!__atomic_load_n(&l->stop, __ATOMIC_RELAXED)) {
        if (!w->resident && !take_blocks(w))
            break;
        struct block *b = w->resident;
        w->resident = b->next;
        enum stop stop = block_run(w, b);
        if (stop == STOP_DONE) {
            within_budget(w, b, &reported);
            if (l->sampled) /* no other block ran in the meantime, because max_resident is 1 */
                counts_subtract(&w->counts, &w->before, &l->sampled[b->turn]);
            cluster_leave(b);
            b->next = w->spare;
            w->spare = b;
            w->resident_count--;
            continue;
        }
        append(&w->resident, b);
        if (stop == STOP_FAULT || !within_budget(w, b, &reported))
            break;
        /* Continues with another block. If there is none, lets other host threads run. */
        if (stop != STOP_CLUSTER && w->resident_count < w->launch->max_resident && take_blocks(w))
            continue;
        if (w->resident == b)
            sched_yield();
    }
    return NULL;
}

static void free_blocks(struct block *b)
{
    while (b) {
        struct block *next = b->next;
        block_free(b);
        b = next;
    }
}

static bool report(const struct launch_state *l, struct error *e)
{
    switch (l->fault) {
    case FAULT_NONE:
        return true;
    case FAULT_LAUNCH:
        return FAIL(e, ERROR_LAUNCH, "%s", l->fault_text);
    case FAULT_UNSUPPORTED:
        return FAIL(e, ERROR_UNSUPPORTED,
                    "%s. The simulator does not support this; run the kernel on a GPU",
                    l->fault_text);
    case FAULT_TIMEOUT:
        return FAIL(e, ERROR_TIMEOUT, "%s", l->fault_text);
    case FAULT_MEMORY:
        return FAIL(e, ERROR_MEMORY, "kernel %s: %s", l->p->name, l->fault_text);
    }
    return FAIL(e, ERROR_INTERNAL, "unknown kind of fault");
}

/* Runs all workers. The calling thread is worker 0. */
static void run_workers(struct worker *workers, pthread_t *ids, int threads)
{
    int started = 1;
    for (; started < threads; started++)
        if (pthread_create(&ids[started], NULL, work, &workers[started]) != 0)
            break; /* the threads that were started do the work of the missing ones */
    work(&workers[0]);
    for (int k = 1; k < started; k++)
        pthread_join(ids[k], NULL);
}

/*
 * Runs the first block of a sample, and then removes blocks from the sample if this one executed
 * many instructions (sim_thin_sample()).
 */
static void run_first(struct launch_state *l, struct worker *workers)
{
    l->turns = 1;
    work(&workers[0]);
    sim_thin_sample(l->sample, l->sampled[0].instructions);
    l->turns = l->sample->count;
    l->next_block = 1;
}

bool grid_run(struct launch_state *l, int threads, struct counts *counts, struct error *e)
{
    uint64_t blocks = l->sample ? l->sample->count : l->blocks;
    if ((uint64_t)threads > blocks)
        threads = (int)blocks;
    struct worker *workers = xcalloc((size_t)threads, sizeof *workers);
    pthread_t *ids = xcalloc((size_t)threads, sizeof *ids);
    uint64_t block_bytes =
        sizeof(struct block) + l->shared_bytes * 2ull +
        (l->block_threads + LANES - 1) / LANES *
            (sizeof(struct warp) + l->p->register_bytes + (uint64_t)LANES * l->p->local_bytes);
    l->max_resident = l->sample ? 1 : MAX_RESIDENT_BYTES / block_bytes / (unsigned)threads + 1;
    pthread_mutex_init(&l->lock, NULL);
    for (int k = 0; k < threads; k++)
        workers[k] = (struct worker){.launch = l, .number = k};
    l->turns = l->blocks;
    if (l->sample)
        run_first(l, workers);
    run_workers(workers, ids, threads);
    uint64_t executed = 0;
    for (int k = 0; k < threads; k++) {
        executed += work_done(&workers[k]);
        counts_add(counts, &workers[k].counts);
        free_blocks(workers[k].resident);
        free_blocks(workers[k].spare);
    }
    pthread_mutex_destroy(&l->lock);
    free(workers);
    free(ids);
    /* Unlike within_budget(), this sum is exact, so whether it exceeds the budget does not depend
     * on the number of workers. */
    if (l->fault == FAULT_NONE && executed > l->budget)
        return FAIL(e, ERROR_TIMEOUT,
                    "the kernel %s has done the work of %llu warp instructions, but the limit is "
                    "REDSWEEP_SIM_BUDGET=%llu",
                    l->p->name, (unsigned long long)executed, (unsigned long long)l->budget);
    return report(l, e);
}
