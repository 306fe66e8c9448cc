/* Implements fastest.h. */
#include "charts/fastest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "table/numbering.h"

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool counts(const struct chart_rows *r, uint32_t row)
{
    return !isnan(chart_time(r, row)) && !results_raced(r->run, row);
}

static void find_sizes(const struct chart_rows *r, struct fastest *f)
{
    for (size_t i = 0; i < r->shown.count; i++)
        if (counts(r, r->shown.items[i]))
            vec_push(&f->sizes, column_number(r->n, r->shown.items[i]));
    if (f->sizes.count)
        qsort(f->sizes.items, f->sizes.count, sizeof(double), compare_numbers);
    size_t kept = 0;
    for (size_t i = 0; i < f->sizes.count; i++)
        if (!kept || f->sizes.items[i] != f->sizes.items[kept - 1])
            f->sizes.items[kept++] = f->sizes.items[i];
    f->sizes.count = kept;
}

/*
 * Returns the label of a kernel, with the row's scope if that differs from the scope of the slice.
 */
static char *label_of(const struct chart_rows *r, const char *kernel, uint32_t row)
{
    const char *scope = results_axis(r->run, row, AXIS_scope);
    return strcmp(scope, r->scope) != 0 ? xasprintf("%s (%s)", kernel, scope) : xstrdup(kernel);
}

static void add_kernels(const struct chart_rows *r, struct fastest *f)
{
    struct numbering seen = {0};
    VEC(const char *) names = {0};
    for (size_t i = 0; i < r->shown.count; i++) {
        const char *kernel = column_text(r->kernel, r->shown.items[i]);
        size_t known = seen.texts.count;
        if (counts(r, r->shown.items[i]) && numbering_add(&seen, kernel) == known)
            vec_push(&names, kernel); /* owned by the run, which outlives the list */
    }
    ladder_sort(&r->ladder, names.items, names.count);
    for (size_t i = 0; i < names.count; i++) {
        struct fastest_kernel k = {names.items[i], NULL, NULL};
        k.rows = xcalloc(f->sizes.count + 1, sizeof *k.rows);
        for (size_t s = 0; s < f->sizes.count; s++)
            k.rows[s] = ROW_NONE;
        vec_push(&f->kernels, k);
    }
    vec_free(&names);
    numbering_free(&seen);
}

static struct fastest_kernel *find_kernel(const struct fastest *f, const char *name)
{
    for (size_t i = 0; i < f->kernels.count; i++)
        if (strcmp(f->kernels.items[i].name, name) == 0)
            return &f->kernels.items[i];
    return NULL;
}

void fastest_find(const struct chart_rows *r, struct fastest *out)
{
    *out = (struct fastest){0};
    find_sizes(r, out);
    add_kernels(r, out);
    for (size_t i = 0; i < r->shown.count; i++) {
        uint32_t row = r->shown.items[i];
        if (!counts(r, row))
            continue;
        const char *kernel = column_text(r->kernel, row);
        double n = column_number(r->n, row);
        size_t size = (size_t)((const double *)bsearch(&n, out->sizes.items, out->sizes.count,
                                                       sizeof(double), compare_numbers) -
                               out->sizes.items);
        struct fastest_kernel *k = find_kernel(out, kernel);
        if (k->rows[size] == ROW_NONE || chart_time(r, row) < chart_time(r, k->rows[size]))
            k->rows[size] = row;
        if (!k->label)
            k->label = label_of(r, kernel, row);
    }
}

void fastest_free(struct fastest *f)
{
    for (size_t i = 0; i < f->kernels.count; i++) {
        free(f->kernels.items[i].label);
        free(f->kernels.items[i].rows);
    }
    vec_free(&f->kernels);
    vec_free(&f->sizes);
}

const struct fastest_kernel *fastest_kernel(const struct fastest *f, const char *name)
{
    return find_kernel(f, name);
}

bool fastest_is_cpu(const struct chart_rows *rows, uint32_t row)
{
    return strcmp(column_text(rows->backend, row), "cpu") == 0;
}
