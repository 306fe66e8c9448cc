/*
 * Fits models to the times of a function's configurations for rows or an axis, to predict times at
 * unmeasured shapes. Each model is fitted to all times of its configuration in the runs, including
 * the times from races (searches that drop slow points early) that it lost.
 */
#include "tuned/choosing.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tuned/residuals.h"

/* A median of fewer samples than this weighs less in the fit. */
enum { FULL_SAMPLES = 7 };
/*
 * The fit of a configuration is pulled towards the common fit of all of its kernel's
 * configurations. The common fit weighs as much as this many samples of the configuration. For
 * rows, results/reference/shapes-plane/README.md shows the effect of other values. Along an axis,
 * each configuration is measured at only a few shapes.
 */
static const double COMMON_STRENGTH[OVERS] = {[OVER_ROWS] = 2, [OVER_AXES] = 4};

struct fitting {
    const struct choosing *c;
    struct tuned_function *f;
    /* Each range's samples. If several ranges have the same code, the first of them has all their
     * samples. */
    VEC(struct model_sample) * samples;
    VEC(struct residual_place) * places; /* each sample's place */
};

/*
 * Returns the index of the function's first range with the same code as `range`, or the number of
 * ranges if there is none.
 */
static size_t range_of(const struct tuned_function *f, const struct tuned_range *range)
{
    size_t i = 0;
    while (i < f->range_count && !tuned_same_code(&f->ranges[i], range))
        i++;
    return i;
}

static bool is_wanted(const struct fitting *x, const struct results *r, size_t row)
{
    const struct tuned_function *f = x->f;
    return results_ok(r, row) && !results_unresolved(r, row) &&
           strcmp(results_axis(r, row, AXIS_type), element_type_name(f->type)) == 0 &&
           strcmp(results_axis(r, row, AXIS_op), operation_name(f->op)) == 0 &&
           strcmp(results_axis(r, row, AXIS_cache), "cold") == 0 &&
           strcmp(results_axis(r, row, AXIS_scope), "complete") == 0 &&
           strcmp(results_axis(r, row, AXIS_offset), axis_table[AXIS_offset].fallback) == 0 &&
           strcmp(results_axis(r, row, AXIS_inputs), axis_table[AXIS_inputs].fallback) == 0 &&
           column_number(r->known.time_us_median, row) > 0;
}

/* Reads the shape and the configuration in a row of a run's results. Returns false if the row does
 * not belong to this function. */
static bool read_row(const struct fitting *x, size_t run, size_t row, struct config_shape *at,
                     struct tuned_range *found)
{
    const struct results *r = &x->c->best->runs[run];
    const struct candidate candidate = {.run = (uint32_t)run, .row = (uint32_t)row};
    *at = row_shape(r, row);
    return shape_over(at) == x->f->over && is_wanted(x, r, row) &&
           read_variant(x->c, &candidate, found);
}

/*
 * Adds every measured configuration to the function; keep_useful() later removes some.
 * Configurations that were not the fastest at any shape are added too, because the fastest ones may
 * not run at shapes with another length or inner.
 */
static void add_measured(struct fitting *x)
{
    struct config_shape at;
    struct tuned_range found;
    for (size_t run = 0; run < x->c->best->run_count; run++)
        for (size_t row = 0; row < x->c->best->runs[run].rows.row_count; row++)
            if (read_row(x, run, row, &at, &found) && range_of(x->f, &found) == x->f->range_count)
                array_push(x->f->ranges, x->f->range_count, found);
}

static void take_row(struct fitting *x, size_t run, size_t row)
{
    const struct results *r = &x->c->best->runs[run];
    struct tuned_range found;
    struct config_shape at;
    if (!read_row(x, run, row, &at, &found))
        return;
    const uint64_t length = at.row_length;
    size_t i = range_of(x->f, &found);
    struct model_sample s = {.us = column_number(r->known.time_us_median, row)};
    s.weight = fmin(1, column_number(r->known.samples, row) / FULL_SAMPLES);
    if (i == x->f->range_count || !model_terms(&found, x->c->sms, &at, s.terms))
        return;
    struct tuned_range *range = &x->f->ranges[i];
    range->shortest = range->shortest && range->shortest < length ? range->shortest : length;
    range->longest = range->longest > length ? range->longest : length;
    vec_push(&x->samples[i], s);
    vec_push(&x->places[i], residual_place_of(&found, &at));
}

/*
 * Fits all of a kernel's configurations together. Along rows, most configurations were measured at
 * dozens of shapes. Along an axis, each configuration was measured at only a few shapes, because
 * its width must suit inner.
 */
static void pool(const struct fitting *x, const struct kernel *k, struct model_prior *out)
{
    const struct model_form form = model_form_of(k);
    VEC(struct model_sample) all = {0};
    for (size_t i = 0; i < x->f->range_count; i++)
        for (size_t s = 0; s < x->samples[i].count && x->f->ranges[i].kernel == k; s++)
            vec_push(&all, x->samples[i].items[s]);
    model_pool(&form, all.items, all.count, COMMON_STRENGTH[x->f->over], out);
    vec_free(&all);
}

/*
 * Fits a range's model to its own times, or copies the fit of another range with the same code.
 * Along an axis, configurations are compared at any length, because each was measured at few
 * shapes, and because the kernel's terms describe how a length is split.
 */
static void fit_range(const struct fitting *x, size_t i)
{
    struct tuned_range *range = &x->f->ranges[i], *first = &x->f->ranges[range_of(x->f, range)];
    if (range == first) {
        const struct model_form form = model_form_of(range->kernel);
        struct model_prior prior;
        pool(x, range->kernel, &prior);
        model_fit(&form, x->samples[i].items, x->samples[i].count, &prior, range->model);
    }
    memcpy(range->model, first->model, sizeof range->model);
    range->shortest = x->f->over == OVER_AXES ? 1 : first->shortest;
    range->longest = x->f->over == OVER_AXES ? (uint64_t)1 << TUNED_MOST_LOG2 : first->longest;
}

/*
 * Fits the errors that remain (residuals.h) after all of a kernel's configurations have been
 * fitted.
 */
static void fit_residuals(const struct fitting *x, const struct kernel *k)
{
    VEC(struct residual_sample) all = {0};
    for (size_t i = 0; i < x->f->range_count; i++)
        for (size_t s = 0; s < x->samples[i].count && x->f->ranges[i].kernel == k; s++)
            vec_push(&all, residual_sample_of(&x->f->ranges[i], &x->samples[i].items[s],
                                              x->places[i].items[s]));
    for (size_t i = 0; i < x->f->range_count; i++) {
        struct tuned_range *range = &x->f->ranges[i], *first = &x->f->ranges[range_of(x->f, range)];
        if (range->kernel == k && range == first)
            residuals_fit(range, all.items, all.count);
        else if (range->kernel == k)
            range->residuals = first->residuals;
    }
    vec_free(&all);
}

static bool is_first_of_kernel(const struct tuned_function *f, size_t i)
{
    size_t first = 0;
    while (f->ranges[first].kernel != f->ranges[i].kernel)
        first++;
    return first == i;
}

void fit_rows(const struct choosing *c, struct tuned_function *f)
{
    struct fitting x = {.c = c, .f = f};
    if (!f->invariant)
        add_measured(&x);
    x.samples = xcalloc(f->range_count + 1, sizeof *x.samples);
    x.places = xcalloc(f->range_count + 1, sizeof *x.places);
    for (size_t run = 0; run < c->best->run_count; run++)
        for (size_t row = 0; row < c->best->runs[run].rows.row_count; row++)
            take_row(&x, run, row);
    for (size_t i = 0; i < f->range_count; i++)
        fit_range(&x, i);
    for (size_t i = 0; i < f->range_count; i++)
        if (f->over == OVER_ROWS && !f->invariant && is_first_of_kernel(f, i))
            fit_residuals(&x, f->ranges[i].kernel);
    for (size_t i = 0; i < f->range_count; i++) {
        vec_free(&x.samples[i]);
        vec_free(&x.places[i]);
    }
    free(x.samples);
    free(x.places);
    if (!f->invariant)
        keep_useful(c, f);
}
