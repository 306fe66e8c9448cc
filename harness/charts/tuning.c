/* Implements tuning.h. */
#include "charts/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/steps.h"
#include "base/memory.h"

/* Finds the fastest time of each kernel at each n. */
static void find_best(struct tuning *t)
{
    const struct chart_rows *r = t->rows;
    const struct key_column by[] = {{.column = r->kernel}, {.column = r->n}};
    struct row_keys keys = {.column_count = 2};
    VEC(double) best = {0};
    t->best = xcalloc(r->run->rows.row_count + 1, sizeof *t->best);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < t->timed.count; i++) {
            uint32_t row = t->timed.items[i], key = row_keys_number(&keys, by, row);
            double time = chart_time(r, row);
            if (key == best.count)
                vec_push(&best, time);
            best.items[key] = fmin(best.items[key], time);
            t->best[row] = best.items[key];
        }
    vec_free(&best);
    row_keys_free(&keys);
}

void tuning_find(const struct chart_rows *r, struct tuning *out)
{
    const struct results *run = r->run;
    *out = (struct tuning){.rows = r};
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (!isnan(chart_time(r, row)) && strcmp(column_text(r->backend, row), "cpu") != 0)
            vec_push(&out->timed, row);
    }
    vec_push(&out->axes, r->block);
    vec_push(&out->axes, r->unroll);
    for (size_t i = 0; i < run->rows.columns.count; i++)
        if (run->columns[i].role == ROLE_TUNABLE)
            vec_push(&out->axes, run->rows.columns.items[i]);
    find_best(out);
    out->n = tuning_size(out, NULL);
}

void tuning_free(struct tuning *t)
{
    vec_free(&t->timed);
    vec_free(&t->axes);
    free(t->best);
}

const struct column *tuning_axis(const struct tuning *t, const char *name)
{
    const struct results *run = t->rows->run;
    int i = table_column_named(&run->rows, name);
    bool is_axis =
        i >= 0 && (run->columns[i].role == ROLE_AXIS || run->columns[i].role == ROLE_TUNABLE);
    return is_axis ? run->rows.columns.items[i] : NULL;
}

const char *tuning_name(const struct column *axis)
{
    return tunable_name(axis->name);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double tuning_size(const struct tuning *t, const char *kernel)
{
    VEC(double) sizes = {0};
    for (size_t i = 0; i < t->timed.count; i++)
        if (!kernel || strcmp(column_text(t->rows->kernel, t->timed.items[i]), kernel) == 0)
            vec_push(&sizes, column_number(t->rows->n, t->timed.items[i]));
    if (sizes.count)
        qsort(sizes.items, sizes.count, sizeof(double), compare_numbers);
    double best = NAN;
    size_t most = 0;
    for (size_t i = 0, from = 0; i < sizes.count; i++) {
        if (sizes.items[i] != sizes.items[from])
            from = i;
        if (i - from + 1 >= most) {
            most = i - from + 1;
            best = sizes.items[i];
        }
    }
    vec_free(&sizes);
    return best;
}

void tuning_rows(const struct tuning *t, const char *kernel, double n, row_list *out)
{
    for (size_t i = 0; i < t->timed.count; i++) {
        uint32_t row = t->timed.items[i];
        if ((!kernel || strcmp(column_text(t->rows->kernel, row), kernel) == 0) &&
            (isnan(n) || column_number(t->rows->n, row) == n))
            vec_push(out, row);
    }
}

/* ---- Values of an axis ----------------------------------------------------------------------- */

struct axis_value {
    char *name;
    double number;
    size_t rung;  /* for kernels, the position in the ladder */
    uint32_t key; /* the value's number before the values were sorted */
};

static int compare_as_numbers(const void *a, const void *b)
{
    return compare_numbers(&((const struct axis_value *)a)->number,
                           &((const struct axis_value *)b)->number);
}

static int compare_as_names(const void *a, const void *b)
{
    const struct axis_value *x = a, *y = b;
    if (x->rung != y->rung)
        return x->rung < y->rung ? -1 : 1;
    return strcmp(x->name, y->name);
}

void axis_values_find(const struct tuning *t, const struct column *axis, const row_list *rows,
                      struct axis_values *out)
{
    const struct key_column by = {.column = axis};
    struct row_keys keys = {.column_count = 1};
    VEC(struct axis_value) values = {0};
    *out = (struct axis_values){.numeric = true};
    out->places = xcalloc(rows->count + 1, sizeof *out->places);
    for (size_t i = 0; i < rows->count; i++) {
        uint32_t row = rows->items[i];
        out->places[i] = ROW_NONE;
        if (column_is_missing(axis, row))
            continue;
        uint32_t key = out->places[i] = row_keys_number(&keys, &by, row);
        if (key < values.count)
            continue;
        struct text name = {0};
        column_append(axis, row, &name);
        struct axis_value value = {name.bytes, column_number(axis, row), 0, key};
        if (axis == t->rows->kernel)
            value.rung = step_rung(&t->rows->ladder, name.bytes);
        out->numeric = out->numeric && !isnan(value.number);
        vec_push(&values, value);
    }
    if (values.count)
        qsort(values.items, values.count, sizeof *values.items,
              out->numeric ? compare_as_numbers : compare_as_names);
    uint32_t *place = xcalloc(values.count + 1, sizeof *place);
    out->names = xcalloc(values.count + 1, sizeof *out->names);
    out->count = values.count;
    for (size_t i = 0; i < values.count; i++) {
        place[values.items[i].key] = (uint32_t)i;
        out->names[i] = values.items[i].name;
    }
    for (size_t i = 0; i < rows->count; i++)
        if (out->places[i] != ROW_NONE)
            out->places[i] = place[out->places[i]];
    free(place);
    vec_free(&values);
    row_keys_free(&keys);
}

void axis_values_free(struct axis_values *v)
{
    for (size_t i = 0; i < v->count; i++)
        free(v->names[i]);
    free(v->names);
    free(v->places);
}

double tuning_explained(const struct tuning *t, const struct column *axis, const row_list *rows,
                        const struct axis_values *values, bool all)
{
    double *sums = xcalloc(2 * (values->count + 1), sizeof *sums),
           *counts = sums + values->count + 1;
    double count = 0, total = 0, squares = 0, between = 0;
    for (size_t i = 0; i < rows->count; i++) {
        uint32_t row = rows->items[i];
        size_t place = values->places[i] == ROW_NONE ? values->count : values->places[i];
        if (place == values->count && !all)
            continue;
        double x = log(chart_time(t->rows, row) / (axis == t->rows->kernel ? 1 : t->best[row]));
        sums[place] += x;
        counts[place]++;
        count++;
        total += x;
        squares += x * x;
    }
    for (size_t i = 0; i <= values->count; i++)
        if (counts[i] > 0)
            between += sums[i] * sums[i] / counts[i];
    free(sums);
    if (count < 2)
        return 0;
    squares -= total * total / count;
    return squares > 1e-12 ? (between - total * total / count) / squares : 0;
}

static bool is_of_index(const struct tuning *t, const row_list *rows,
                        const struct axis_values *values)
{
    const struct chart_rows *r = t->rows;
    for (size_t i = 0; i < rows->count; i++)
        if (values->places[i] != ROW_NONE &&
            kernel_index_find(&r->ladder, column_text(r->kernel, rows->items[i])) < 0)
            return false;
    return true;
}

void tuning_append_words(const struct tuning *t, const struct column *axis, const row_list *rows,
                         const struct axis_values *values, struct text *out)
{
    const struct kernel_index *index = &t->rows->ladder;
    const char *tunable = tuning_name(axis);
    bool any = false;
    for (size_t i = 0; i < values->count && is_of_index(t, rows, values); i++)
        for (size_t k = 0; k < index->values.count; k++) {
            const struct tunable_value *v = &index->values.items[k];
            if (strcasecmp(v->tunable, tunable) != 0 || strcmp(v->number, values->names[i]) != 0)
                continue;
            text_append(out, any ? ", %s %s" : "; %s: %s %s", any ? v->number : tunable,
                        any ? v->words : v->number, v->words);
            any = true;
        }
}
