/* Runs one launch: checks its shape, stores parameters and special registers where the kernel reads
 * them, and runs the grid. */
#include "base/memory.h"
#include "devices/sim/machine/cluster.h"
#include "devices/sim/machine/device_runtime.h"
#include "devices/sim/sim_device.h"

#include <stdlib.h>
#include <string.h>

/* The size of the memory that the grid barrier of a cooperative launch uses. The kernel finds its
 * address in %envreg1 and %envreg2. */
enum { GRID_BARRIER_BYTES = 256 };

bool sim_check_shape(const struct program *p, const unsigned grid[3], const unsigned block[3],
                     uint64_t dynamic_smem, struct error *e)
{
    uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    uint64_t shared = (p->shared_bytes + 15) / 16 * 16 + dynamic_smem;
    unsigned max = p->max_threads ? (unsigned)p->max_threads : 1024;
    if (threads < 1 || threads > max)
        return FAIL(
            e, ERROR_LAUNCH,
            "the kernel %s is launched with %llu threads per block, but 1 to %u are allowed",
            p->name, (unsigned long long)threads, max);
    if (blocks < 1 || grid[1] > 65535 || grid[2] > 65535)
        return FAIL(e, ERROR_LAUNCH,
                    "the kernel %s cannot be launched with a grid of %u x %u x %u blocks", p->name,
                    grid[0], grid[1], grid[2]);
    if (shared > MAX_SHARED)
        return FAIL(
            e, ERROR_LAUNCH,
            "the kernel %s needs %llu bytes of shared memory per block, but the maximum is %d",
            p->name, (unsigned long long)shared, MAX_SHARED);
    return true;
}

static bool check_kind(const struct program *p, const struct launch *l, int multiprocessors,
                       struct error *e)
{
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (l->kind == LAUNCH_CLUSTER &&
        (l->cluster < 1 || l->cluster > MAX_CLUSTER || l->grid[0] % l->cluster))
        return FAIL(e, ERROR_LAUNCH,
                    "the kernel %s is launched with clusters of %u blocks in a grid of %u blocks, "
                    "but a cluster has 1 to %d blocks, and the number of blocks in the grid must "
                    "be a multiple of the cluster's size",
                    p->name, l->cluster, l->grid[0], MAX_CLUSTER);
    if (l->kind == LAUNCH_COOPERATIVE &&
        blocks * ((threads + 31) / 32) > (uint64_t)multiprocessors * 64)
        return FAIL(e, ERROR_LAUNCH,
                    "the kernel %s is launched with a cooperative grid of %llu blocks of %llu "
                    "threads, which does not fit on %d multiprocessors of 2048 threads at once",
                    p->name, (unsigned long long)blocks, (unsigned long long)threads,
                    multiprocessors);
    return true;
}

static bool fill_parameters(const struct program *p, const struct launch *l, uint8_t *out,
                            struct error *e)
{
    if (p->parameter_count > l->argument_count)
        return FAIL(e, ERROR_LAUNCH,
                    "the kernel %s has %d parameters, but was launched with %d arguments", p->name,
                    p->parameter_count, l->argument_count);
    for (int k = 0; k < p->parameter_count; k++) {
        if (p->parameters[k].bytes != l->arguments[k].size)
            return FAIL(e, ERROR_LAUNCH,
                        "in the kernel %s, parameter %d has %u bytes, but the argument has %u",
                        p->name, k + 1, p->parameters[k].bytes, l->arguments[k].size);
        memcpy(out + p->parameters[k].offset, &l->arguments[k].bits, l->arguments[k].size);
    }
    return true;
}

static void fill_slot(uint8_t *area, slot_reference slot, bool wide, uint64_t bits)
{
    uint8_t *to = area + (slot & ~3u);
    for (int lane = 0; lane < LANES; lane++)
        memcpy(to + (size_t)lane * (wide ? 8 : 4), &bits, wide ? 8 : 4);
}

/* Stores the kernel's parameters, and those special registers that have the same value in all
 * warps, in their slots of the launch area. */
static void fill_area(const struct program *p, const struct launch_state *s, uint64_t workspace)
{
    for (int k = 0; k < p->parameter_slot_count; k++) {
        const struct parameter_slot *slot = &p->parameter_slots[k];
        uint64_t bits = 0;
        memcpy(&bits, s->parameters + slot->offset, slot->bytes);
        unsigned unused = 64 - slot->bytes * 8;
        if (slot->is_signed)
            bits = (uint64_t)((int64_t)(bits << unused) >> unused);
        fill_slot(s->area, slot->slot, slot->wide, bits);
    }
    const struct {
        enum special special;
        uint32_t value;
    } values[] = {
        {SPECIAL_NTID_X, s->threads[0]},
        {SPECIAL_NTID_Y, s->threads[1]},
        {SPECIAL_NTID_Z, s->threads[2]},
        {SPECIAL_NCTAID_X, s->grid[0]},
        {SPECIAL_NCTAID_Y, s->grid[1]},
        {SPECIAL_NCTAID_Z, s->grid[2]},
        {SPECIAL_NWARPID, 64},
        {SPECIAL_WARP_SIZE, LANES},
        {SPECIAL_NSMID, s->multiprocessors},
        {SPECIAL_DYNAMIC_SMEM_SIZE, s->dynamic_bytes},
        {SPECIAL_TOTAL_SMEM_SIZE, s->shared_bytes},
        {SPECIAL_CLUSTER_SIZE, s->cluster},
        {SPECIAL_NCLUSTERID_X, s->grid[0] / s->cluster},
        {SPECIAL_RESERVED_SMEM_BEGIN, s->reserved_at},
        {SPECIAL_RESERVED_SMEM_END, s->reserved_at + RESERVED_SHARED_BYTES},
        {SPECIAL_RESERVED_SMEM_CAP, RESERVED_SHARED_BYTES},
        {SPECIAL_RESERVED_SMEM_0, s->reserved_at},
        {SPECIAL_RESERVED_SMEM_1, s->reserved_at + RESERVED_SHARED_1},
        {SPECIAL_ENVREG1, (uint32_t)(workspace >> 32)},
        {SPECIAL_ENVREG2, (uint32_t)workspace},
    };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if (p->specials[values[k].special] != SLOT_NONE)
            fill_slot(s->area, p->specials[values[k].special], false, values[k].value);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const uint32_t below = (1u << lane) - 1, itself = 1u << lane;
        const struct {
            enum special special;
            uint32_t value;
        } masks[] = {{SPECIAL_LANEID, lane},
                     {SPECIAL_LANEMASK_EQ, itself},
                     {SPECIAL_LANEMASK_LE, below | itself},
                     {SPECIAL_LANEMASK_LT, below},
                     {SPECIAL_LANEMASK_GE, ~below},
                     {SPECIAL_LANEMASK_GT, ~below & ~itself}};
        for (size_t k = 0; k < sizeof masks / sizeof *masks; k++)
            if (p->specials[masks[k].special] != SLOT_NONE)
                memcpy(s->area + (p->specials[masks[k].special] & ~3u) + lane * 4, &masks[k].value,
                       4);
    }
}

/* Runs the grid on one host thread, and looks for data races. If the grid was launched by a kernel,
 * adds the races to those of the launching grid. Otherwise, writes them to `out`. */
static bool run_checked(struct launch_state *s, struct race_report *out, struct counts *counts,
                        struct error *e)
{
    if (s->blocks > MAX_RACE_BLOCKS)
        return FAIL(e, ERROR_USAGE,
                    "races can be detected in at most %d blocks, but the kernel %s has %llu; "
                    "choose a smaller n",
                    MAX_RACE_BLOCKS, s->p->name, (unsigned long long)s->blocks);
    s->races = races_new(s);
    if (!s->races)
        return FAIL(e, ERROR_MEMORY, "not enough memory to detect races in the kernel %s",
                    s->p->name);
    bool ok = grid_run(s, 1, counts, e) && (!s->runtime || runtime_run_tails(s, 1, counts, e));
    if (s->origin.races)
        races_merge(s->origin.races, s->races);
    else
        races_report(s->races, out);
    races_free(s->races);
    s->races = NULL;
    return ok;
}

/* Runs the grid on `threads` host threads, and then its tail launches. */
static bool run_plain(struct launch_state *s, int threads, struct counts *counts, struct error *e)
{
    return grid_run(s, threads, counts, e) &&
           (!s->runtime || runtime_run_tails(s, threads, counts, e));
}

bool sim_run_grid(struct launch_state *s, const uint8_t *parameters, uint64_t workspace,
                  struct race_report *races, int threads, struct counts *counts, struct error *e)
{
    const struct program *p = s->p;
    s->block_threads = s->threads[0] * s->threads[1] * s->threads[2];
    s->blocks = (uint64_t)s->grid[0] * s->grid[1] * s->grid[2];
    s->shared_bytes = p->shared_bytes;
    if (!s->cluster)
        s->cluster = 1;
    if (p->uses_dynamic)
        s->shared_bytes = (p->shared_bytes + 15) / 16 * 16 + s->dynamic_bytes;
    s->reserved_at = (s->shared_bytes + 15) / 16 * 16;
    if (p->uses_reserved)
        s->shared_bytes = s->reserved_at + RESERVED_SHARED_BYTES;
    s->area = aligned_alloc(64, (p->launch_bytes + 63) / 64 * 64);
    s->parameters = xcalloc(p->parameter_bytes + 8, 1);
    bool ok = s->area;
    if (ok) {
        memcpy(s->parameters, parameters, p->parameter_bytes);
        memcpy(s->area, p->launch_area, p->launch_bytes);
        fill_area(p, s, workspace);
        ok = races || s->origin.races ? run_checked(s, races, counts, e)
                                      : run_plain(s, threads, counts, e);
    } else {
        FAIL(e, ERROR_MEMORY, "not enough memory to launch the kernel %s", p->name);
    }
    free(s->area);
    free(s->parameters);
    free(s->tails);
    return ok;
}

/* Runs the grid after creating what the kernel may need besides its parameters: memory for the grid
 * barrier, and the device runtime. */
static bool run_with_extras(struct device *d, const struct launch *l, struct launch_state *s,
                            const uint8_t *parameters, struct race_report *races,
                            struct counts *counts, struct error *e)
{
    uint64_t workspace = 0;
    if (l->kind == LAUNCH_COOPERATIVE &&
        !memory_alloc(&d->memory, GRID_BARRIER_BYTES, &workspace, e))
        return false;
    bool ok = !l->module->entries || runtime_open(d, l->module, &s->runtime, e);
    ok = ok && sim_run_grid(s, parameters, workspace, races, d->threads, counts, e);
    runtime_close(d, s->runtime);
    if (workspace)
        memory_free(&d->memory, workspace);
    return ok;
}

/* If the assembler has added loads or stores that are not in the PTX, marks the counts of such
 * accesses as unknown. */
static void note_added(const struct program *p, struct counts *counts)
{
    static const enum access_kind kinds[2] = {ACCESS_LOAD, ACCESS_STORE};
    for (int k = 0; k < 2; k++) {
        counts->global[kinds[k]].unknown += p->added[SPACE_GLOBAL][k];
        counts->shared[kinds[k]].unknown += p->added[SPACE_SHARED][k];
        counts->local[kinds[k]].unknown += p->added[SPACE_LOCAL][k];
    }
}

bool sim_launch(struct device *d, const struct launch *l, struct race_report *races,
                struct counts *counts, struct error *e)
{
    const struct program *p = l->module->program;
    if (!sim_check_shape(p, l->grid, l->block, l->dynamic_smem, e) ||
        !check_kind(p, l, d->multiprocessors, e))
        return false;
    struct launch_state s = {
        .p = p,
        .memory = &d->memory,
        .grid = {l->grid[0], l->grid[1], l->grid[2]},
        .threads = {l->block[0], l->block[1], l->block[2]},
        .dynamic_bytes = (uint32_t)l->dynamic_smem,
        .budget = d->budget,
        .instruction_limit = d->instruction_limit,
        .printer = d->printer,
        .unwritten = d->unwritten,
        .multiprocessors = (uint32_t)d->multiprocessors,
        .cluster = l->kind == LAUNCH_CLUSTER ? l->cluster : 1,
    };
    struct counts executed = {0};
    uint8_t *parameters = xcalloc(p->parameter_bytes + 8, 1);
    if (l->sample) {
        s.sample = l->sample;
        s.sampled = xcalloc(l->sample->count, sizeof *s.sampled);
    }
    bool ok = fill_parameters(p, l, parameters, e) &&
              run_with_extras(d, l, &s, parameters, races, l->sample ? &executed : counts, e);
    ok = ok && (!l->sample || sim_scale_sample(p->name, l->sample, s.sampled, counts, e));
    note_added(p, counts);
    /* The kernels that this one may launch. Other functions of the module are NULL. */
    for (int k = 0; k < l->module->entry_count; k++)
        if (l->module->entries[k])
            note_added(l->module->entries[k], counts);
    free(s.sampled);
    free(parameters);
    return ok;
}
