/*
 * Implements device_runtime.h.
 */
#include "base/vec.h"
#include "devices/sim/machine/device_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* the number of places in the pool */
    PENDING_MOST = 1 << 14,
    DEEPEST = 24, /* how many levels of launches may be nested, as on a GPU */
    STREAM_DEFAULT = 0,
    STREAM_TAIL = 3,
    STREAM_FIRE_AND_FORGET = 4,
    ERROR_PENDING = 69, /* cudaErrorLaunchPendingCountExceeded */
    /* the charges for a launch, which takes 1.7 µs, and for each of its warps, which takes 0.2
     * µs */
    LAUNCH_CHARGE = 100,
    WARP_CHARGE = 12
};

/* A place in the pool of launches. It is taken when a thread calls GetParameterBuffer, and given
 * back when the child has ended. */
struct place {
    int next_free; /* the next free place, if this one is free; -1: none */
    int function;  /* the function's number in the module */
    unsigned grid[3], block[3];
    uint32_t dynamic_smem;
};

struct runtime {
    pthread_mutex_t lock; /* guards first_free, next_free, and the tails of all grids */
    struct program *const *entries;
    int entry_count;
    /* the device address of the parameter buffers, with `stride` bytes for each place */
    uint64_t buffers;
    uint32_t stride;
    int first_free; /* -1: the pool is full */
    struct place places[PENDING_MOST];
};

bool runtime_open(struct device *d, const struct module *m, struct runtime **out, struct error *e)
{
    struct runtime *r = xcalloc(1, sizeof *r);
    r->entries = m->entries;
    r->entry_count = m->entry_count;
    for (int k = 0; k < m->entry_count; k++)
        if (m->entries[k] && m->entries[k]->parameter_bytes > r->stride)
            r->stride = m->entries[k]->parameter_bytes;
    r->stride =
        /* leaves a gap behind the parameters, so that a kernel that writes too many does not
         * overwrite those in the next place */
        (r->stride + 63) / 64 * 64 + 64;
    for (int k = 0; k < PENDING_MOST; k++)
        r->places[k].next_free = k + 1 < PENDING_MOST ? k + 1 : -1;
    if (!memory_alloc(&d->memory, (uint64_t)r->stride * PENDING_MOST, &r->buffers, e)) {
        free(r);
        return false;
    }
    pthread_mutex_init(&r->lock, NULL);
    *out = r;
    return true;
}

void runtime_close(struct device *d, struct runtime *r)
{
    if (!r)
        return;
    memory_free(&d->memory, r->buffers);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

/*
 * Runs the child in a place of the pool on `threads` host threads, one of which is the calling one.
 * `warp` and `lane` say which thread launched it. `warp` is NULL if the launching grid has ended.
 */
static bool run_child(const struct launch_state *parent, int place, const struct warp *warp,
                      unsigned lane, int threads, struct counts *counts, struct error *e)
{
    struct runtime *r = parent->runtime;
    const struct place *at = &r->places[place];
    const struct program *p = r->entries[at->function];
    if (parent->depth == DEEPEST)
        return FAIL(e, ERROR_LAUNCH,
                    "the kernel %s is launched %d levels deep, but the maximum is %d", p->name,
                    DEEPEST + 1, DEEPEST);
    if (!sim_check_shape(p, at->grid, at->block, at->dynamic_smem, e))
        return false;
    struct launch_state s = {
        .p = p,
        .memory = parent->memory,
        .grid = {at->grid[0], at->grid[1], at->grid[2]},
        .threads = {at->block[0], at->block[1], at->block[2]},
        .dynamic_bytes = at->dynamic_smem,
        .budget = parent->budget,
        .instruction_limit = parent->instruction_limit,
        .printer = parent->printer,
        .unwritten = parent->unwritten,
        .multiprocessors = parent->multiprocessors,
        .runtime = r,
        .depth = parent->depth + 1,
        .origin = {.races = parent->races, .warp = warp, .lane = lane},
    };
    const uint8_t *parameters =
        memory_host(parent->memory, r->buffers + (uint64_t)place * r->stride, p->parameter_bytes);
    return sim_run_grid(&s, parameters, 0, NULL, threads, counts, e);
}

static void give_back(struct runtime *r, int place)
{
    pthread_mutex_lock(&r->lock);
    r->places[place].next_free = r->first_free;
    r->first_free = place;
    pthread_mutex_unlock(&r->lock);
}

bool runtime_run_tails(struct launch_state *s, int threads, struct counts *counts, struct error *e)
{
    bool ok = true;
    for (int k = 0; ok && k < s->tail_count; k++) {
        ok = run_child(s, s->tails[k], NULL, 0, threads, counts, e);
        give_back(s->runtime, s->tails[k]);
    }
    return ok;
}

static void add_tail(struct launch_state *s, int place)
{
    pthread_mutex_lock(&s->runtime->lock);
    array_push(s->tails, s->tail_count, place);
    pthread_mutex_unlock(&s->runtime->lock);
}

/* Returns argument k of a call to the device runtime. `local` is the local memory of the calling
 * thread. */
static const uint8_t *argument(const struct launch_state *l, const uint8_t *local,
                               const struct instruction *i, int k)
{
    return local + l->p->copies[i->target + k].from;
}

static bool take_buffer(struct worker *w, struct warp *warp, const struct instruction *i, int lane,
                        const uint8_t *local, uint64_t *result)
{
    struct launch_state *l = w->launch;
    struct runtime *r = l->runtime;
    uint64_t function;
    memcpy(&function, argument(l, local, i, 0), 8);
    function -= FUNCTION_ADDRESSES;
    if (function >= (uint64_t)r->entry_count || !r->entries[function])
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "the thread launches something that is not a kernel");
    pthread_mutex_lock(&r->lock);
    int place = r->first_free;
    if (place >= 0)
        r->first_free = r->places[place].next_free;
    pthread_mutex_unlock(&r->lock);
    *result = 0;
    if (place < 0) {
        warp->launch_failed |= 1u << lane;
        return true;
    }
    struct place *at = &r->places[place];
    at->function = (int)function;
    memcpy(at->grid, argument(l, local, i, 1), sizeof at->grid);
    memcpy(at->block, argument(l, local, i, 2), sizeof at->block);
    memcpy(&at->dynamic_smem, argument(l, local, i, 3), sizeof at->dynamic_smem);
    *result = r->buffers + (uint64_t)place * r->stride;
    return true;
}

static uint64_t warps_of(const struct place *p)
{
    uint64_t threads = (uint64_t)p->block[0] * p->block[1] * p->block[2];
    return (uint64_t)p->grid[0] * p->grid[1] * p->grid[2] * ((threads + LANES - 1) / LANES);
}

/*
 * Ends a grid after a fault in its child, with the error of the child, which says where the fault
 * happened.
 */
static bool pass_fault(struct launch_state *l, const struct error *why)
{
    pthread_mutex_lock(&l->lock);
    if (l->fault == FAULT_NONE) {
        l->fault = why->kind == ERROR_TIMEOUT       ? FAULT_TIMEOUT
                   : why->kind == ERROR_MEMORY      ? FAULT_MEMORY
                   : why->kind == ERROR_UNSUPPORTED ? FAULT_UNSUPPORTED
                                                    : FAULT_LAUNCH;
        snprintf(l->fault_text, sizeof l->fault_text, "%.*s", (int)sizeof l->fault_text - 1,
                 why->text);
    }
    pthread_mutex_unlock(&l->lock);
    __atomic_store_n(&l->stop, 1, __ATOMIC_SEQ_CST);
    return false;
}

static bool start_child(struct worker *w, struct warp *warp, const struct instruction *i, int lane,
                        const uint8_t *local, uint64_t *result)
{
    struct launch_state *l = w->launch;
    struct runtime *r = l->runtime;
    uint64_t buffer, stream;
    memcpy(&buffer, argument(l, local, i, 0), 8);
    memcpy(&stream, argument(l, local, i, 1), 8);
    uint64_t place = (buffer - r->buffers) / r->stride;
    if (buffer < r->buffers || place >= PENDING_MOST || (buffer - r->buffers) % r->stride)
        return fault_set(w, warp, lane, FAULT_LAUNCH,
                         "the thread launches a kernel with parameters at 0x%llx, which is not a "
                         "parameter buffer",
                         (unsigned long long)buffer);
    *result = 0;
    charge(w, warp, LAUNCH_CHARGE);
    if (stream == STREAM_TAIL) {
        add_tail(l, (int)place);
        return true;
    }
    if (stream != STREAM_FIRE_AND_FORGET && stream != STREAM_DEFAULT)
        return fault_set(w, warp, lane, FAULT_UNSUPPORTED,
                         "the thread launches a kernel into a stream of its own (0x%llx)",
                         (unsigned long long)stream);
    struct error e = {0};
    bool ok = run_child(l, (int)place, warp, (unsigned)lane, 1, &w->counts, &e);
    if (ok)
        charge(w, warp, WARP_CHARGE * warps_of(&r->places[place]));
    /* While the simulator looks for races, places are not reused. Otherwise, the parameters of two
     * children could have the same addresses. */
    if (!l->races)
        give_back(r, (int)place);
    return ok || pass_fault(l, &e);
}

bool runtime_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    struct launch_state *l = w->launch;
    const struct call_copy *to = &l->p->copies[i->target + i->elements];
    if (!l->runtime)
        return fault_set(w, warp, -1, FAULT_UNSUPPORTED, "the kernel launches another kernel");
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint8_t *local = warp->local + (size_t)lane * l->p->local_bytes;
        uint64_t result = 0;
        if (i->operation == RUNTIME_LAST_ERROR) { /* reading the error also clears it */
            result = warp->launch_failed >> lane & 1 ? ERROR_PENDING : 0;
            warp->launch_failed &= ~(1u << lane);
        }
        if (i->operation == RUNTIME_BUFFER && !take_buffer(w, warp, i, lane, local, &result))
            return false;
        if (i->operation == RUNTIME_LAUNCH && !start_child(w, warp, i, lane, local, &result))
            return false;
        memcpy(local + to->to, &result, to->bytes);
    }
    return true;
}
