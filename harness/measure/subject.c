/*
 * Prepares a group's points (code, launch shapes, memory), and finishes them.
 *
 * A group's kernels share their buffers. A guard follows each buffer: elements that make a result
 * wrong if a kernel reads them.
 */
#include "measure/subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/buffer_pool.h"
#include "measure/modules.h"
#include "plan/arguments.h"
#include "plan/sample.h"
#include "plan/shape.h"

enum { SECOND_PASS_BLOCK = 1024 };

enum status status_of_error(const struct error *e)
{
    switch (e->kind) {
    case ERROR_COMPILE:
        return STATUS_COMPILE_ERROR;
    case ERROR_MEMORY:
        return STATUS_OOM;
    case ERROR_UNSUPPORTED:
        return STATUS_UNSUPPORTED;
    case ERROR_TIMEOUT:
        return STATUS_TIMEOUT;
    case ERROR_SKIPPED:
        return STATUS_SKIPPED;
    default:
        return STATUS_LAUNCH_ERROR;
    }
}

bool report_event(struct group_run *s, enum report_type type, uint32_t point, struct error *e)
{
    struct report r = {.type = type, .point = point};
    return s->emit(s->context, &r, e);
}

bool report_values(struct group_run *s, enum report_type type, uint32_t point, const double *values,
                   size_t count, struct error *e)
{
    struct report r = {.type = type, .point = point, .count = (uint32_t)count, .values = values};
    return s->emit(s->context, &r, e);
}

bool subject_finish(struct group_run *s, struct subject *subject, enum status status,
                    const char *reason, struct error *e)
{
    struct outcome *o = &subject->outcome;
    subject->active = false;
    if (subject->reported)
        return true;
    subject->reported = true;
    o->status = status;
    if (reason)
        snprintf(o->reason, sizeof o->reason, "%.1023s", reason);
    struct report r = {.type = REPORT_DONE, .point = subject->index, .outcome = o};
    return s->emit(s->context, &r, e);
}

/*
 * Finishes a point after an error. Passes on ERROR_PROCESS, which is not the point's fault: the
 * machine cannot start a process for compiling. Returns false in this case, or if emit() returns
 * false.
 */
static bool finish_with(struct group_run *s, struct subject *subject, const struct error *why,
                        struct error *e)
{
    if (why->kind == ERROR_PROCESS) {
        *e = *why;
        return false;
    }
    return subject_finish(s, subject, status_of_error(why), why->text, e);
}

static bool load_subject(struct group_run *s, struct subject *subject, struct error *e)
{
    struct bench *b = s->bench;
    const struct point *point = subject->point;
    if (!point_shape(subject->kernel, point, b->info.limits.sms, &subject->shape, e))
        return false;
    struct outcome *o = &subject->outcome;
    o->grid = (int64_t)subject->shape.grid;
    o->dynamic_smem = (int64_t)subject->shape.dynamic_smem;
    o->workspace = (int64_t)subject->shape.workspace;
    if (!modules_get(b, subject->variant, &subject->module, &subject->module_info, e))
        return false;
    if (b->info.sample_blocks)
        (void)sample_choose(subject->kernel, s->input.type, point->n, &subject->shape,
                            b->info.sample_blocks, &subject->sample);
    o->registers = subject->module_info.registers;
    if (subject->module_info.compile_ms > 0)
        o->compile_ms = subject->module_info.compile_ms;
    o->code = subject->module_info.code;
    o->static_smem = subject->module_info.static_smem_bytes;
    if (subject->module_info.max_block > 0 && point->block > subject->module_info.max_block)
        return FAIL(e, ERROR_UNSUPPORTED,
                    "the compiled kernel runs at most %d threads per block (it uses %d registers "
                    "per thread), but block is %d",
                    subject->module_info.max_block, subject->module_info.registers, point->block);
    return true;
}

static bool second_pass_shape(struct group_run *s, uint64_t partials, struct shape *out,
                              struct error *e)
{
    struct combination c = {.kernel = s->second_pass_kernel,
                            .type = s->input.type,
                            .op = s->input.op,
                            .n = partials,
                            .block = SECOND_PASS_BLOCK,
                            .unroll = 1,
                            .sms = s->bench->info.limits.sms};
    return shape_evaluate(&c, out, NULL, e);
}

/*
 * Adds the second pass to a kernel with partial results: a launch of the harness's own kernel,
 * which combines the partial results into one value. With `launch: dependent` in a kernel's facts,
 * the second pass may begin before the kernel has ended.
 */
static bool add_second_pass(struct group_run *s, struct subject *subject, struct error *e)
{
    struct shape shape;
    if (subject->shape.grid == 1 && !operation_finishes(s->input.op))
        return true;
    if (!second_pass_shape(s, subject->shape.grid, &shape, e))
        return false;
    for (int p = 0; p < s->placements; p++) {
        struct launch *l = &subject->launches[p][1 + subject->launch_count];
        *l = kernel_launch(s->second_pass, s->second_pass_kernel, &shape,
                           &(struct kernel_arguments){.input = s->output[p].address,
                                                      .output = s->total.address,
                                                      .workspace = s->second_workspace.address,
                                                      .n = subject->shape.grid,
                                                      .wide = true,
                                                      .type = s->input.type});
        if (subject->kernel->launch == LAUNCH_DEPENDENT)
            l->kind = LAUNCH_DEPENDENT;
    }
    subject->launch_count++;
    subject->depth += shape.depth;
    subject->result = s->total;
    subject->result_elements = 1;
    subject->result_size = result_size(s->input.op, s->input.type);
    subject->finished = true;
    subject->padded = false;
    return true;
}

struct work subject_work(const struct group_run *s, const struct subject *subject)
{
    const struct point *point = subject->point;
    return (struct work){.input = &s->input,
                         .n = point->n,
                         .row_length = point->row_length,
                         .inner = point->inner,
                         .grid = subject->shape.grid,
                         .block = point->block,
                         .complete = subject->finished,
                         .depth = subject->depth,
                         .threads = s->bench->threads,
                         .kernel = subject->kernel,
                         .tunables = point->tunables};
}

static uint64_t output_bytes(const struct group_run *s, const struct subject *subject)
{
    struct work work = subject_work(s, subject);
    work.complete = subject->kernel->complete;
    const struct workload *w = subject->kernel->workload;
    return w->output_elements(&work) * workload_output_size(w, &work);
}

/*
 * For a kernel that combines its results into a zeroed output, adds a launch that zeroes it. This
 * launch is part of the time, because the point is not complete without it. Adds no launch if only
 * the kernel's own time is requested.
 */
static bool add_zeroing(struct group_run *s, struct subject *subject, struct error *e)
{
    enum { ZERO_BLOCK = 512, ZERO_BLOCKS_PER_SM = 4 };
    struct bench *b = s->bench;
    const struct kernel *k = catalogue_find(b->support, "zero");
    if (!subject->kernel->output_zeroed || !b->info.can_time ||
        subject->point->scope != SCOPE_COMPLETE)
        return true;
    if (!k)
        return FAIL(
            e, ERROR_SYSTEM,
            "kernels/support/zero.cu is missing, although it is part of redsweep; restore it");
    if (!pool_support(b, k, TYPE_INT32, OP_SUM, &s->zero, e)) /* 0 has the same bits in all types */
        return false;
    uint64_t n = output_bytes(s, subject) / element_size(TYPE_INT32);
    uint64_t blocks = (n + ZERO_BLOCK - 1) / ZERO_BLOCK;
    uint64_t most = (uint64_t)b->info.limits.sms * ZERO_BLOCKS_PER_SM;
    for (int p = 0; p < s->placements; p++) {
        struct launch *l = &subject->launches[p][0];
        *l = (struct launch){.module = s->zero,
                             .grid = {(unsigned)(blocks < most ? blocks : most), 1, 1},
                             .block = {ZERO_BLOCK, 1, 1},
                             .kind = LAUNCH_PLAIN,
                             .cluster = 1};
        add_argument(l, s->output[p].address, 8);
        add_argument(l, s->output[p].address, 8);
        add_argument(l, n, 8);
    }
    subject->zeroing_timed = true;
    return true;
}

/* Returns the address of the second vector in this input, or 0 if there is none. */
static uint64_t second_vector(const struct group_run *s, struct buffer input)
{
    uint64_t elements = s->input.second;
    return elements ? input.address + elements * element_size(s->input.type) : 0;
}

/* Returns whether the kernel gets a scratch buffer with a fresh input before each launch. */
static bool needs_restoring(const struct group_run *s, const struct subject *subject)
{
    return subject->kernel->in_place || !s->pristine[0].address;
}

static struct launch launch_on(const struct group_run *s, struct subject *subject, int placement)
{
    const struct buffer *inputs = needs_restoring(s, subject) ? s->scratch : s->pristine;
    struct buffer in = inputs[placement];
    struct launch l =
        kernel_launch(subject->module, subject->kernel, &subject->shape,
                      &(struct kernel_arguments){.input = in.address,
                                                 .second = second_vector(s, in),
                                                 .output = s->output[placement].address,
                                                 .workspace = s->workspace[placement].address,
                                                 .n = subject->point->n,
                                                 .wide = subject->variant->wide,
                                                 .type = s->input.type});
    if (subject->sample.count)
        l.sample = &subject->sample;
    return l;
}

static bool build_launches(struct group_run *s, struct subject *subject, struct error *e)
{
    const struct point *point = subject->point;
    const struct shape *shape = &subject->shape;
    const struct kernel *k = subject->kernel;
    for (int p = 0; p < s->placements; p++)
        subject->launches[p][1] = launch_on(s, subject, p);
    subject->launch_count = 1;
    subject->depth = shape->depth;
    subject->result = s->output[0];
    subject->finished = k->complete;
    struct work work = subject_work(s, subject);
    subject->result_elements = k->workload->output_elements(&work);
    subject->result_size = workload_output_size(k->workload, &work);
    subject->padded =
        k->workload->reduces && !k->complete && accumulator_is_padded(s->input.op, s->input.type);
    if (!k->complete && point->scope == SCOPE_COMPLETE && !add_second_pass(s, subject, e))
        return false;
    if (!add_zeroing(s, subject, e))
        return false;
    subject->outcome.placements = s->placements;
    return true;
}

/* Which buffers the group needs, and the buffers' sizes in bytes without guards. */
struct need {
    uint64_t input, output, workspace;
    bool pristine, scratch, second_pass;
    bool whole; /* a kernel reads the whole input */
};

static void add_need(struct need *need, const struct group_run *s, const struct subject *subject)
{
    const struct kernel *k = subject->kernel;
    uint64_t output = output_bytes(s, subject);
    if (output > need->output)
        need->output = output;
    if (subject->shape.workspace > need->workspace)
        need->workspace = subject->shape.workspace;
    need->pristine |= !k->in_place;
    need->scratch |= k->in_place;
    need->whole |= subject->sample.count == 0;
    need->second_pass |= !k->complete && subject->point->scope == SCOPE_COMPLETE;
}

static bool alloc_guarded(struct group_run *s, enum purpose purpose, uint64_t bytes,
                          struct buffer *out, struct error *e)
{
    struct bench *b = s->bench;
    return pool_buffer(b, purpose, bytes + BUFFER_GUARD_BYTES, out, e) &&
           b->driver->fill(b->device, *out, input_poison(s->input.type, s->input.op), e);
}

/*
 * Allocates an input. The input begins `offset` elements after a multiple of 256 bytes, where
 * `offset` is the group's value on that axis. The memory before it is poisoned like the guard after
 * it.
 */
static bool alloc_input(struct group_run *s, enum purpose purpose, uint64_t bytes,
                        struct buffer *out, struct error *e)
{
    uint64_t skipped = s->task->points[0].point.offset * element_size(s->input.type);
    if (!alloc_guarded(s, purpose, skipped + bytes, out, e))
        return false;
    out->address += skipped;
    out->bytes -= skipped;
    return true;
}

static bool check_memory(const struct group_run *s, struct need *need, struct error *e)
{
    uint64_t free_bytes = s->bench->info.free_bytes;
    uint64_t rest = need->output + need->workspace;
    if (!need->whole)
        return true; /* parts of buffers that no executed block uses need no memory */
    uint64_t both = 2 * need->input + rest;
    if (need->pristine && need->scratch && free_bytes && both > free_bytes)
        need->pristine = false; /* every kernel gets a fresh input, as in-place kernels do */
    uint64_t total = (uint64_t)(need->pristine + need->scratch) * need->input + rest;
    if (free_bytes && total > free_bytes)
        return FAIL(e, ERROR_MEMORY,
                    "n = %" PRIu64 " of %s needs %.2f GiB of device memory, but only %.2f GiB are "
                    "free; choose smaller sizes",
                    s->input.n, element_type_name(s->input.type), (double)total / (1 << 30),
                    (double)free_bytes / (1 << 30));
    return true;
}

static bool load_second_pass(struct group_run *s, struct error *e)
{
    s->second_pass_kernel = catalogue_find(s->bench->support, "second_pass");
    if (!s->second_pass_kernel)
        return FAIL(e, ERROR_SYSTEM,
                    "kernels/support/second_pass.cu is missing, although it is part of redsweep; "
                    "restore it");
    return pool_support(s->bench, s->second_pass_kernel, s->input.type, s->input.op,
                        &s->second_pass, e);
}

/* Loads the second pass, and allocates memory for its result and its scratch memory. The second
 * pass expects zeroed scratch memory and leaves it zeroed. */
static bool open_second_pass(struct group_run *s, uint64_t partial_bytes, struct error *e)
{
    struct bench *b = s->bench;
    struct shape largest;
    return load_second_pass(s, e) &&
           second_pass_shape(s, partial_bytes / accumulator_size(s->input.op, s->input.type),
                             &largest, e) &&
           alloc_guarded(s, BUFFER_SCALAR, result_size(s->input.op, s->input.type), &s->total, e) &&
           pool_buffer(b, BUFFER_SECOND_WORKSPACE, largest.workspace, &s->second_workspace, e) &&
           b->driver->fill(b->device, s->second_workspace, 0, e);
}

/* Allocates one placement's inputs. Fills the pristine input now; the scratch input is filled
 * before each launch. */
static bool alloc_inputs(struct group_run *s, const struct need *need, int p, struct error *e)
{
    struct bench *b = s->bench;
    enum purpose pristine = (enum purpose)(BUFFER_PRISTINE + p);
    enum purpose scratch = (enum purpose)(BUFFER_SCRATCH + p);
    if (need->pristine &&
        (!alloc_input(s, pristine, need->input, &s->pristine[p], e) ||
         (s->input.n > 0 && !b->driver->generate(b->device, s->pristine[p], &s->input, e))))
        return false;
    return (need->pristine && !need->scratch) ||
           alloc_input(s, scratch, need->input, &s->scratch[p], e);
}

/* Allocates another set of the buffers that the kernels under test use. */
static bool alloc_placement(struct group_run *s, const struct need *need, int p, struct error *e)
{
    enum purpose output = (enum purpose)(BUFFER_OUTPUT + p);
    enum purpose workspace = (enum purpose)(BUFFER_WORKSPACE + p);
    return alloc_inputs(s, need, p, e) &&
           alloc_guarded(s, output, need->output, &s->output[p], e) &&
           (!need->workspace || alloc_guarded(s, workspace, need->workspace, &s->workspace[p], e));
}

/*
 * Allocates more placements. The address of an input changes a kernel's time by up to 3 %, and the
 * address of the word that all blocks update changes it by up to 8 % (docs/measuring.md). A process
 * cannot choose these addresses, so samples alternate between several sets of buffers that exist at
 * the same time. The config says how many, but together they take at most half of the free memory.
 * If an allocation fails even so, only the sets that could be allocated are used.
 */
static bool alloc_more_placements(struct group_run *s, const struct need *need, struct error *e)
{
    const struct bench *b = s->bench;
    bool several = b->info.cheap_inputs && b->timing->max_samples > 0;
    uint64_t each = need->input * (uint64_t)(need->pristine + (need->scratch || !need->pristine)) +
                    need->output + need->workspace;
    s->placements = 1;
    while (several && s->placements < b->timing->placements &&
           (uint64_t)(s->placements + 1) * each <= b->info.free_bytes / 2) {
        struct error full = {0};
        if (!alloc_placement(s, need, s->placements, &full)) {
            if (full.kind == ERROR_MEMORY && !full.device_lost)
                break;
            *e = full;
            return false;
        }
        s->placements++;
    }
    return true;
}

static bool alloc_buffers(struct group_run *s, struct need *need, struct error *e)
{
    need->input = s->input.n * element_size(s->input.type);
    if (!check_memory(s, need, e))
        return false;
    if (!alloc_placement(s, need, 0, e))
        return false;
    if (need->second_pass && !open_second_pass(s, need->output, e))
        return false;
    return alloc_more_placements(s, need, e);
}

/*
 * Handles a failure to allocate the group's memory. If the input alone is too large, or there is
 * only one point, all points finish with this error. Otherwise a single point may be the cause, for
 * example because of its workspace or second pass. The points are then measured one at a time.
 */
static bool without_memory(struct group_run *s, const struct need *need, const struct error *why,
                           struct error *e)
{
    uint64_t free_bytes = s->bench->info.free_bytes;
    bool alike = s->count == 1 || (free_bytes && need->input > free_bytes);
    for (uint32_t i = 0; alike && i < s->count; i++)
        if (!finish_with(s, &s->subjects[i], why, e))
            return false;
    if (alike && !why->device_lost)
        return true;
    *e = *why;
    return false;
}

static bool load_all(struct group_run *s, struct need *need, struct error *e)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        struct error why = {0};
        if (!report_event(s, REPORT_BEGIN, subject->index, e))
            return false;
        if (load_subject(s, subject, &why)) {
            subject->active = true;
            add_need(need, s, subject);
            continue;
        }
        if (!finish_with(s, subject, &why, e))
            return false;
        if (why.device_lost) {
            *e = why;
            return false;
        }
    }
    return true;
}

bool group_prepare(struct group_run *s, struct error *e)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        const struct task_point *given = &s->task->points[i];
        subject->index = given->index;
        subject->point = &given->point;
        subject->variant = &given->variant;
        subject->kernel = s->bench->catalogue->kernels[given->point.kernel];
        subject->warmup_left = s->bench->timing->warmup;
        outcome_clear(&subject->outcome);
    }
    struct need need = {0};
    if (s->task->compile) {
        if (!report_event(s, REPORT_BEGIN, POINT_BATCH, e))
            return false;
        modules_compile(s->bench, s->task->points, s->count);
    }
    if (!load_all(s, &need, e))
        return false;
    if (!need.pristine && !need.scratch)
        return true; /* no point could be loaded */
    if (!report_event(s, REPORT_BEGIN, POINT_BATCH, e))
        return false;
    struct error why = {0};
    if (!alloc_buffers(s, &need, &why))
        return without_memory(s, &need, &why, e);
    for (uint32_t i = 0; i < s->count; i++) {
        struct subject *subject = &s->subjects[i];
        if (subject->active && !build_launches(s, subject, &why) &&
            !finish_with(s, subject, &why, e))
            return false;
    }
    return true;
}

void subject_take_bits(struct subject *subject, uint64_t bits)
{
    struct outcome *o = &subject->outcome;
    if (bits && o->bits && bits != o->bits)
        o->varies = true;
    else if (bits)
        o->bits = bits;
}

struct trial subject_trial(const struct group_run *s, const struct subject *subject,
                           enum trial_purpose purpose, int placement)
{
    bool restore = needs_restoring(s, subject);
    bool zeroing = purpose == TRIAL_TIMED && subject->zeroing_timed;
    bool total = subject->result.address == s->total.address;
    struct trial t = {
        .point = subject->point->id,
        .restore = restore && s->input.n > 0 ? &s->input : NULL,
        .input = restore ? s->scratch[placement] : s->pristine[placement],
        .cache = (enum cache_state)subject->point->cache,
        .launches = &subject->launches[placement][zeroing ? 0 : 1],
        .launch_count = subject->launch_count + zeroing,
        .result = {total ? s->total.address : s->output[placement].address,
                   subject->result_elements * subject->result_size},
    };
    if (subject->shape.workspace)
        t.zero = (struct buffer){s->workspace[placement].address, subject->shape.workspace};
    if (subject->kernel->output_zeroed && !zeroing)
        t.zero_output = (struct buffer){s->output[placement].address, output_bytes(s, subject)};
    return t;
}

void group_release(struct group_run *s, bool device_lost)
{
    struct bench *b = s->bench;
    for (uint32_t i = 0; i < s->count; i++) {
        free(s->subjects[i].samples);
        sample_free(&s->subjects[i].sample);
    }
    free(s->subjects);
    pool_return(b, device_lost);
}
