/*
 * Chooses configurations for the library. This file selects the runs and the rows of results to
 * consider; choose_ranges.c and choose_rows.c contain the rules for choosing.
 */
#include "tuned/choosing.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "plan/shape.h"

static const struct results *run_of(const struct choosing *c, const struct candidate *candidate)
{
    return &c->best->runs[candidate->run];
}

const char *candidate_axis(const struct choosing *c, const struct candidate *candidate,
                           enum axis_index axis)
{
    return results_axis(run_of(c, candidate), candidate->row, axis);
}

static bool lower_equal(const char *upper, const char *lower)
{
    while (*upper && tolower((unsigned char)*upper) == *lower)
        upper++, lower++;
    return *upper == *lower;
}

/* Returns the value of a kernel's tunable in a run, or "" if the run has no column for it. */
static const char *tunable_cell(const struct choosing *c, const struct candidate *candidate,
                                const char *name)
{
    const struct results *r = run_of(c, candidate);
    for (size_t i = 0; i < r->rows.columns.count; i++) {
        const struct column *column = r->rows.columns.items[i];
        if (r->columns[i].role == ROLE_TUNABLE && lower_equal(name, tunable_name(column->name)))
            return column_cell(column, candidate->row);
    }
    return "";
}

double candidate_us(const struct choosing *c, const struct candidate *candidate)
{
    return column_number(run_of(c, candidate)->known.time_us_median, candidate->row);
}

double problem_reference_us(const struct choosing *c, const struct problem *p)
{
    return isnan(p->reference.time.value) ? NAN : candidate_us(c, &p->reference);
}

struct config_shape row_shape(const struct results *r, size_t row)
{
    return (struct config_shape){.n = (uint64_t)column_number(r->known.axes[AXIS_n], row),
                                 .row_length =
                                     strtoull(results_axis(r, row, AXIS_row_length), NULL, 10),
                                 .inner = strtoull(results_axis(r, row, AXIS_inner), NULL, 10)};
}

struct config_shape problem_shape(const struct choosing *c, const struct problem *p)
{
    return row_shape(run_of(c, &p->candidates[0]), p->candidates[0].row);
}

enum tuned_over shape_over(const struct config_shape *at)
{
    return at->row_length == 0 ? OVER_ARRAYS : at->inner > 1 ? OVER_AXES : OVER_ROWS;
}

const char *tuned_over_name(enum tuned_over over)
{
    static const char *const names[OVERS] = {"", "rows_", "axis_"};
    return names[over];
}

struct point shape_point(const struct config_shape *at)
{
    return (struct point){.row_length = at->row_length, .inner = at->inner ? at->inner : 1};
}

bool loses_little(const struct choosing *c, const struct candidate *candidate,
                  const struct candidate *best)
{
    double allowed = candidate->tied && best->tied ? TIED_LOSS_ALLOWED : LOSS_ALLOWED;
    return candidate_us(c, candidate) <= candidate_us(c, best) * (1 + allowed);
}

/*
 * Returns whether a library can call a kernel. A single launch of the kernel must compute complete
 * results, leave its input unchanged, and leave its workspace zeroed. A kernel for whole arrays
 * must also run if its input begins at any element. For rows, the library evaluates the kernel's
 * requirements on the offset at each call. Equal calls must return equal bits, so where the order
 * of combining elements affects the bits, kernels with a varying order are excluded.
 */
static bool library_can_call(const struct kernel *k, enum element_type type, enum operation op)
{
    int vectors = 0;
    for (int i = 0; i < k->parameter_count; i++) {
        vectors += k->parameters[i].kind == PARAMETER_SECOND;
        if (k->parameters[i].kind == PARAMETER_ELEMENT)
            return false;
    }
    if (k->entry || k->library || k->racy || k->output_zeroed || k->device_runtime ||
        k->backend != BACKEND_GPU || k->grid[1] || k->threads[0] ||
        (k->launch != LAUNCH_PLAIN && k->launch != LAUNCH_CLUSTER) ||
        (operation_inputs(op) == 2 && vectors == 0) || (k->varies && order_matters(type, op)))
        return false;
    return k->workload->rows_reference ||
           (k->workload->reduces && k->standalone && k->complete && !k->in_place);
}

bool read_variant(const struct choosing *c, const struct candidate *candidate,
                  struct tuned_range *out)
{
    const struct kernel *k =
        catalogue_find(c->tuned->catalogue, candidate_axis(c, candidate, AXIS_kernel));
    enum element_type type;
    enum operation op;
    *out = (struct tuned_range){.kernel = k};
    if (!k || !element_type_find(candidate_axis(c, candidate, AXIS_type), &type) ||
        !operation_find(candidate_axis(c, candidate, AXIS_op), &op) || k->exact != c->exact ||
        !library_can_call(k, type, op))
        return false;
    out->variant = (struct variant){
        .block =
            (uint16_t)column_number(run_of(c, candidate)->known.axes[AXIS_block], candidate->row),
        .unroll =
            (uint16_t)column_number(run_of(c, candidate)->known.axes[AXIS_unroll], candidate->row),
        .type = (uint8_t)type,
        .op = (uint8_t)op};
    for (int i = 0; i < k->tunable_count; i++) {
        const char *value = tunable_cell(c, candidate, k->tunables[i].name);
        /*
         * If the run has no value for the tunable, the kernel has changed. It is not excluded here,
         * because that would silently replace it with a slower one; leave_out_changed() handles it.
         */
        out->changed = out->changed || !*value;
        out->variant.tunables[i] = *value ? atoi(value) : k->tunables[i].otherwise;
    }
    return true;
}

struct combination range_combination(const struct tuned_range *range, const struct point *point,
                                     int sms, uint64_t n)
{
    const struct variant *v = &range->variant;
    return (struct combination){.kernel = range->kernel,
                                .type = (enum element_type)v->type,
                                .op = (enum operation)v->op,
                                .n = n,
                                .block = v->block,
                                .unroll = v->unroll,
                                .tunables = v->tunables,
                                .point = point,
                                .sms = sms};
}

static bool runs_from(const struct choosing *c, const struct tuned_range *range,
                      const struct config_shape *at, uint8_t first)
{
    struct point point = shape_point(at);
    point.offset = first;
    const struct combination here = range_combination(range, &point, c->sms, at->n);
    struct text reason = {0};
    struct error e = {0};
    bool ok = shape_skip_reason(&here, NULL, &reason, &e) && reason.length == 0;
    text_free(&reason);
    return ok;
}

bool range_runs_at(const struct choosing *c, const struct tuned_range *range,
                   const struct config_shape *at)
{
    return runs_from(c, range, at, 0);
}

bool range_runs_anywhere(const struct choosing *c, const struct tuned_range *range,
                         const struct config_shape *at)
{
    return runs_from(c, range, at, 0) && runs_from(c, range, at, 1);
}

bool range_is_near(const struct tuned_range *range, double row_length)
{
    return row_length * TUNED_NEAR >= (double)range->shortest &&
           row_length <= (double)range->longest * TUNED_NEAR;
}

bool range_leaves_idle(const struct tuned_range *range, int sms, const struct config_shape *at)
{
    const struct point point = shape_point(at);
    const struct combination here = range_combination(range, &point, sms, at->n);
    struct shape shape;
    struct error e = {0};
    if ((double)at->row_length <= (double)range->longest * TUNED_FAR)
        return false;
    bool known = shape_evaluate(&here, &shape, NULL, &e);
    error_clear(&e);
    return known && shape.grid <= at->n / at->row_length && shape.grid < (uint64_t)sms;
}

static bool wanted(const struct choosing *c, const struct series *series,
                   struct tuned_function *out)
{
    const struct candidate *any = c->best->problems[series->first].candidates;
    return strcmp(candidate_axis(c, any, AXIS_cache), "cold") == 0 &&
           strcmp(candidate_axis(c, any, AXIS_scope), "complete") == 0 &&
           strcmp(column_text(run_of(c, any)->known.backend, any->row), "cuda") == 0 &&
           element_type_find(candidate_axis(c, any, AXIS_type), &out->type) &&
           operation_find(candidate_axis(c, any, AXIS_op), &out->op) &&
           atoi(candidate_axis(c, any, AXIS_offset)) == 0 &&
           strcmp(candidate_axis(c, any, AXIS_inputs), axis_table[AXIS_inputs].fallback) == 0;
}

/* Returns the function that computes the same as `wanted`, and adds it if there is none. */
static struct tuned_function *function_of(struct tuned *t, const struct tuned_function *wanted)
{
    size_t i = 0;
    while (i < t->function_count && !tuned_same_function(&t->functions[i], wanted))
        i++;
    if (i == t->function_count)
        t->functions[t->function_count++] = *wanted;
    return &t->functions[i];
}

/* Returns whether the library is invariant and the order of combining elements matters for this
 * function. Its configuration is then chosen by row length, and an array counts as one row. */
static bool is_invariant(const struct choosing *c, const struct tuned_function *f)
{
    return c->tuned->invariant && !f->exact && order_matters(f->type, f->op);
}

static bool choose_function(const struct choosing *c, const struct series *series,
                            const struct tuned_function *kind)
{
    const size_t known = c->tuned->function_count;
    struct tuned_function wanted = *kind;
    if (is_invariant(c, kind) && kind->over == OVER_AXES)
        /* Invariant libraries have no such function, because the number of blocks that combine the
         * same result would depend on outer and inner. */
        return true;
    wanted.over = is_invariant(c, kind) ? OVER_ROWS : kind->over;
    struct tuned_function *f = function_of(c->tuned, &wanted);
    if (is_invariant(c, kind))
        return c->tuned->function_count == known || choose_invariant(c, f);
    return (kind->over ? choose_rows : choose_ranges)(c, series, f);
}

/* Returns whether any kernel that was measured for the problem may be chosen. */
static bool has_any(const struct choosing *c, const struct problem *p)
{
    struct tuned_range range;
    for (size_t i = 0; i < p->count; i++)
        if (read_variant(c, &p->candidates[i], &range))
            return true;
    return false;
}

/* Returns the problems of a series for which a kernel that may be chosen was measured. The caller
 * frees the array. */
static struct problem *problems_with_any(const struct choosing *c, const struct series *series,
                                         size_t *count)
{
    struct problem *found = xcalloc(series->count + 1, sizeof *found);
    *count = 0;
    for (size_t i = 0; i < series->count; i++)
        if (has_any(c, &c->best->problems[series->first + i]))
            found[(*count)++] = c->best->problems[series->first + i];
    return found;
}

/*
 * Chooses configurations for two functions, one with exact kernels and one with all others. The
 * function with exact kernels is made from the problems for which exact kernels were measured. The
 * other function is left out if exact kernels were measured and a library can call no other kernel.
 */
static bool choose_both(const struct choosing *c, const struct series *series,
                        const struct tuned_function *kind)
{
    struct series part = {.first = 0};
    struct best found = *c->best;
    struct choosing exact = *c;
    struct tuned_function wanted = *kind;
    size_t others;
    exact.exact = wanted.exact = true;
    free(problems_with_any(c, series, &others));
    found.problems = problems_with_any(&exact, series, &part.count);
    exact.best = &found;
    bool ok = (others == 0 && part.count > 0) || choose_function(c, series, kind);
    ok = ok && (part.count == 0 || choose_function(&exact, &part, &wanted));
    free(found.problems);
    return ok;
}

static bool finish_function(const struct choosing *c, struct tuned_function *f)
{
    struct choosing of = *c;
    of.exact = f->exact;
    const struct kernel *any = find_fallback(c->tuned->catalogue, f);
    if (f->range_count == 0)
        return FAIL(c->e, ERROR_CONFIG,
                    "the runs contain no configuration for %s %s along %s that a library can use; "
                    "measure %s%s",
                    operation_name(f->op), element_type_name(f->type),
                    f->over == OVER_AXES ? "an axis" : "rows", any ? any->name : "such a kernel",
                    any ? " or a faster kernel" : "");
    if (f->over && !f->invariant)
        fit_rows(&of, f);
    add_fallbacks(&of, f);
    return true;
}

static bool choose_functions(const struct choosing *c)
{
    struct tuned *t = c->tuned;
    bool ok = true;
    t->functions = xcalloc(2 * c->best->series_count + 1, sizeof *t->functions);
    for (size_t i = 0; ok && i < c->best->series_count; i++) {
        const struct series *series = &c->best->series[i];
        struct tuned_function kind = {0};
        if (!wanted(c, series, &kind))
            continue;
        const struct config_shape at = problem_shape(c, &c->best->problems[series->first]);
        kind.over = shape_over(&at);
        ok = choose_both(c, series, &kind);
    }
    for (size_t i = 0; ok && i < t->function_count; i++)
        ok = finish_function(c, &t->functions[i]);
    return ok && (t->function_count > 0 ||
                  FAIL(c->e, ERROR_CONFIG,
                       "the runs contain no GPU times with cold caches and the scope complete; "
                       "measure them with configs/fastest-final.json"));
}

bool tuned_is_current(const struct results *r, const struct kernel *k)
{
    char now[32];
    snprintf(now, sizeof now, "%016" PRIx64, k->code_hash);
    const struct manifest_kernel *recorded = manifest_kernel(&r->manifest, k->name);
    return !recorded || !*recorded->source_hash || strcmp(recorded->source_hash, now) == 0;
}

/* Returns the compute capability, such as 90 for 9.0, or 0 if the run does not record it. */
static int capability_of(const struct results *r)
{
    int major = 0, minor = 0;
    const char *text = r->manifest.provenance.device.compute_capability;
    return sscanf(text, "%d.%d", &major, &minor) == 2 ? 10 * major + minor : 0;
}

void tuned_sort_runs(struct results *runs, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct results run = runs[i];
        size_t k = i;
        for (; k > 0 && capability_of(&runs[k - 1]) < capability_of(&run); k--)
            runs[k] = runs[k - 1];
        runs[k] = run;
    }
}

size_t tuned_alike(const struct results *runs, size_t count)
{
    size_t alike = 1;
    while (alike < count && capability_of(&runs[alike]) == capability_of(&runs[0]))
        alike++;
    return alike;
}

static bool read_device(struct choosing *c, const struct results *runs, size_t count)
{
    struct tuned *t = c->tuned;
    const struct results *last = &runs[count - 1];
    for (size_t i = 0; i < count; i++)
        if (strcmp(results_device(&runs[i]), results_device(last)) != 0)
            return FAIL(c->e, ERROR_CONFIG,
                        "%s (%s) and %s (%s) were measured on different devices of one compute "
                        "capability; name only the runs of one device",
                        runs[i].path, results_device(&runs[i]), last->path, results_device(last));
    for (size_t i = 0; i < count; i++)
        if (results_recalled(&runs[i]))
            return FAIL(c->e, ERROR_CONFIG,
                        "the times of %s were not measured, but drawn from another run; name the "
                        "run that was measured",
                        runs[i].path);
    const struct provenance *made = &last->manifest.provenance;
    c->sms = t->sms = (int)made->device.multiprocessors;
    t->cc = capability_of(last);
    if (t->cc == 0 || c->sms <= 0)
        return FAIL(c->e, ERROR_CONFIG,
                    "%s does not state the compute capability and the number of multiprocessors of "
                    "a GPU (" MANIFEST_FILE ")",
                    last->path);
    snprintf(t->device, sizeof t->device, "%.63s", results_device(last));
    snprintf(t->started, sizeof t->started, "%s", made->started);
    snprintf(t->run, sizeof t->run, "%s", made->run);
    return true;
}

/* Returns a run that measured a version of the kernel other than the one to be compiled, or NULL if
 * there is none. */
static const char *changed_since(const struct tuned_range *range, const struct results *runs,
                                 size_t count)
{
    const char *since = range->changed ? runs[0].path : NULL;
    for (size_t r = count; r-- > 0;)
        if (!tuned_is_current(&runs[r], range->kernel))
            since = runs[r].path;
    return since;
}

/* Returns whether all of the function's kernels are unchanged since they were measured. Otherwise
 * adds the function to `left_out`. */
static bool is_unchanged(struct tuned *t, const struct tuned_function *f,
                         const struct results *runs, size_t count)
{
    for (size_t j = 0; j < f->range_count; j++) {
        const char *since = changed_since(&f->ranges[j], runs, count);
        if (!since)
            continue;
        struct tuned_left_out left = {*f, f->ranges[j].kernel, since};
        left.function.ranges = NULL;
        vec_push(&t->left_out, left);
        return false;
    }
    return true;
}

static bool leave_out_changed(const struct choosing *c, const struct results *runs, size_t count)
{
    struct tuned *t = c->tuned;
    size_t kept = 0;
    for (size_t i = 0; i < t->function_count; i++) {
        if (is_unchanged(t, &t->functions[i], runs, count))
            t->functions[kept++] = t->functions[i];
        else
            free(t->functions[i].ranges);
    }
    t->function_count = kept;
    return kept > 0 || FAIL(c->e, ERROR_CONFIG,
                            "%s has changed since the run %s was measured. Measure again, or "
                            "restore the kernels of that run. If redsweep 0.2.0 measured the run, "
                            "perhaps only comments have changed; then try setup/rename_hashes.sh",
                            t->left_out.items[0].kernel->path, t->left_out.items[0].run);
}

bool tuned_same_function(const struct tuned_function *a, const struct tuned_function *b)
{
    return a->type == b->type && a->op == b->op && a->over == b->over && a->exact == b->exact;
}

bool tuned_same_code(const struct tuned_range *a, const struct tuned_range *b)
{
    return a->kernel == b->kernel && a->variant.block == b->variant.block &&
           a->variant.unroll == b->variant.unroll && a->variant.type == b->variant.type &&
           a->variant.op == b->variant.op &&
           memcmp(a->variant.tunables, b->variant.tunables, sizeof a->variant.tunables) == 0;
}

bool tuned_choose(const struct results *runs, size_t count, const struct catalogue *catalogue,
                  bool invariant, struct tuned *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    out->catalogue = catalogue;
    out->invariant = invariant;
    struct best best;
    struct best_options options = {.metric = "time_us_median"};
    struct choosing c = {.tuned = out, .best = &best, .e = e};
    if (!read_device(&c, runs, count) || !best_find(runs, count, &options, &best, e))
        return false;
    out->unresolved = best.unresolved;
    bool ok = choose_functions(&c) && leave_out_changed(&c, runs, count);
    best_free(&best);
    if (!ok)
        tuned_free(out);
    return ok;
}

void tuned_free(struct tuned *t)
{
    for (size_t i = 0; i < t->function_count; i++)
        free(t->functions[i].ranges);
    free(t->functions);
    vec_free(&t->left_out);
    memset(t, 0, sizeof *t);
}
