/*
 * Implements `redsweep best --at`. For each given shape, measured or not, shows which configuration
 * a library made from these runs would choose, and its expected time.
 */
#include "tuned/tuned.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tuned/choosing.h"
#include "tuned/residuals.h"
#include "tuned/writing.h"

struct at_row {
    const struct tuned_function *f;
    const struct config_shape *shape;
    /* NULL if only a fallback can run at the shape. */
    const struct tuned_range *range;
    /* `measured`: the configuration was measured at this shape; `near`: it was measured at rows of
     * about this length. */
    bool measured, near;
    double us, reading; /* NaN if unknown. */
};

/* Chooses like find_for_shape() in tuned/find.h if rows begin at multiples of 256 bytes. */
static void choose_at(const struct tuned *t, struct at_row *at)
{
    const struct choosing c = {.sms = t->sms};
    const struct config_shape *shape = at->shape;
    const size_t ranges = at->f->range_count;
    at->us = INFINITY;
    for (size_t k = 0; k < 2 * ranges; k++) {
        size_t i = k < ranges ? k : k - ranges;
        const struct tuned_range *range = &at->f->ranges[i];
        bool here = memcmp(&range->at, shape, sizeof *shape) == 0;
        bool wanted =
            here || (k < ranges ? range_is_near(range, (double)shape->row_length) : !at->near);
        if (range->fallback || at->measured || !wanted || !range_runs_at(&c, range, shape) ||
            (!here && range_leaves_idle(range, t->sms, shape)))
            continue;
        at->near = at->near || k < ranges;
        double us = here ? range->us[0] : expected_us(range, t->sms, shape);
        if (!here && !(us < at->us))
            continue;
        at->range = range;
        at->us = us;
        at->measured = here;
    }
    at->us = at->range ? at->us : NAN;
}

/*
 * Computes the terms (model.h) of a kernel that only reads the input and writes a result per row.
 */
static void reading_terms(double n, double row_length, enum element_type type,
                          double terms[MODEL_TERMS])
{
    terms[0] = 1;
    terms[1] = n * (double)element_size(type);
    terms[2] = n / row_length;
}

/* Fits a model to the times of the limits in the runs, which only read the input, to predict how
 * long reading an input of any shape takes. Returns false if the runs contain no limits. */
static bool fit_reading(const struct results *runs, size_t count, enum element_type type,
                        double us[MODEL_TERMS])
{
    VEC(struct model_sample) samples = {0};
    for (size_t run = 0; run < count; run++)
        for (size_t row = 0; row < runs[run].rows.row_count; row++) {
            const struct results *r = &runs[run];
            struct role role = results_kernel(r, row)->role;
            struct model_sample s = {.us = column_number(r->known.time_us_median, row),
                                     .weight = 1};
            double length = strtod(results_axis(r, row, AXIS_row_length), NULL);
            if (role.kind != ROLE_LIMIT || strcmp(role.bounds, "rows") != 0 || !(s.us > 0) ||
                !(length > 0) || !results_ok(r, row) ||
                strcmp(results_axis(r, row, AXIS_type), element_type_name(type)) != 0)
                continue;
            reading_terms(column_number(r->known.axes[AXIS_n], row), length, type, s.terms);
            vec_push(&samples, s);
        }
    bool any = samples.count > 0;
    const struct model_form form = model_form_of(NULL);
    model_fit(&form, samples.items, samples.count, NULL, us);
    vec_free(&samples);
    return any;
}

/* Returns a shape's text, which lives as long as the table. */
static const char *shape_at(const struct at_row *at, struct table *t)
{
    char shape[SHAPE_TEXT];
    const struct config_shape *of = at->shape;
    return table_keep(t, xstrdup(shape_text(of->n, of->row_length, of->inner, shape)));
}

static const char *configuration_at(const struct at_row *at, struct table *t)
{
    struct text setting = {0};
    const struct tuned_range *last =
        at->f->range_count ? &at->f->ranges[at->f->range_count - 1] : NULL;
    if (!at->range)
        return last && last->fallback
                   ? table_keep(t, xasprintf("%s, because no measured configuration fits",
                                             last->kernel->name))
                   : "no measured configuration fits";
    text_append(&setting, "%s, ", at->range->kernel->name);
    append_setting(&setting, at->range);
    return table_keep(t, setting.bytes);
}

static const char *basis_at(const struct at_row *at)
{
    return !at->range ? "" : at->measured ? "measured" : "expected";
}

static void add_columns(const struct at_row *of, struct table *t)
{
    table_add_texts(t, i, element_type_name(of[i].f->type), "type");
    table_add_texts(t, i, operation_name(of[i].f->op), "op");
    table_add_texts(t, i, shape_at(&of[i], t), "shape");
    table_add_texts(t, i, configuration_at(&of[i], t), "configuration");
    table_add_numbers(t, i, of[i].us, "time_us", .heading = "µs", .kind = COLUMN_NUMBER,
                      .digits = 4);
    table_add_texts(t, i, basis_at(&of[i]), "basis");
    table_add_numbers(t, i, of[i].reading / of[i].us * 100, "reading_pct",
                      .heading = "% of reading", .kind = COLUMN_NUMBER, .digits = 3,
                      .optional = true);
}

void tuned_add_at(const struct tuned *t, const struct results *runs, size_t count,
                  const struct config_shape *shapes, int shape_count, struct view *v)
{
    VEC(struct at_row) rows = {0};
    for (size_t i = 0; i < t->function_count; i++) {
        const struct tuned_function *f = &t->functions[i];
        double reading[MODEL_TERMS], terms[MODEL_TERMS];
        bool known = f->over && fit_reading(runs, count, f->type, reading);
        for (int s = 0; s < shape_count; s++) {
            if (shape_over(&shapes[s]) != f->over)
                continue;
            struct at_row at = {.f = f, .shape = &shapes[s], .reading = NAN};
            choose_at(t, &at);
            reading_terms((double)shapes[s].n, (double)shapes[s].row_length, f->type, terms);
            for (int k = 0; k < MODEL_COMMON && known; k++)
                at.reading = (k ? at.reading : 0) + reading[k] * terms[k];
            vec_push(&rows, at);
        }
    }
    v->main_table = "at";
    struct view_table *table = view_add_table(v, "at", FOR_ALL, rows.count);
    view_table_title(table,
                     rows.count
                         ? "The configurations that a library made from these runs chooses on %s"
                         : "A library made from these runs has no function for such shapes on %s",
                     t->device);
    add_columns(rows.items, &table->cells);
    vec_free(&rows);
}
