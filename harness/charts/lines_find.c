/* Finds the lines of a chart and their rows (lines.h). */
#include "charts/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

double lines_x(const struct line_chart *l, uint32_t row)
{
    return column_number(l->x, row);
}

/* Returns the code of a row's run, or 0 if there is only one run. */
static size_t run_of(const struct line_chart *l, uint32_t row)
{
    return l->rows->run_column ? l->rows->run_column->codes[row] : 0;
}

static double plain_y(const struct line_chart *l, uint32_t row)
{
    if (l->reached)
        return 100 * column_number(l->rows->gbs, row) / l->reached[run_of(l, row)];
    return l->is_time                                           ? chart_time(l->rows, row)
           : isnan(chart_time(l->rows, row)) && l->is_bandwidth ? NAN
                                                                : column_number(l->y, row);
}

size_t lines_place(const struct line_chart *l, double x)
{
    size_t i = 0;
    while (i < l->places.count && l->places.items[i] != x)
        i++;
    return i;
}

/*
 * Returns the element of base_rows that belongs to `row`. It holds the row of the kernel that
 * --relative-to names, at the same place in the same run.
 */
static uint32_t *base_row(const struct line_chart *l, uint32_t row)
{
    return &l->base_rows[run_of(l, row) * l->places.count + lines_place(l, lines_x(l, row))];
}

double lines_y(const struct line_chart *l, uint32_t row)
{
    uint32_t base = l->base ? *base_row(l, row) : ROW_NONE;
    return !l->base ? plain_y(l, row) : base == ROW_NONE ? NAN : plain_y(l, row) / plain_y(l, base);
}

/*
 * Finds the columns that the options name. Returns false with a reason in `why` if one of them
 * cannot be shown.
 */
static bool find_columns(struct line_chart *l, const char *default_y, char why[256])
{
    const struct chart_options *o = l->rows->options;
    const struct results *run = l->rows->run;
    const struct {
        const char *option, *name;
        const struct column **to;
    } wanted[] = {{"--x", o->x ? o->x : "n", &l->x},
                  {"--y", o->y ? o->y : default_y, &l->y},
                  {"--by",
                   o->by                 ? o->by
                   : l->rows->run_column ? "run"
                                         : "kernel",
                   &l->by}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        int column = table_column_named(&run->rows, wanted[i].name);
        if (column < 0 || (*wanted[i].to = run->rows.columns.items[column],
                           wanted[i].to != &l->by && (*wanted[i].to)->kind == COLUMN_TEXT)) {
            snprintf(why, 256, column < 0 ? "the run has no column %s (%s)" : "%s holds texts (%s)",
                     wanted[i].name, wanted[i].option);
            return false;
        }
    }
    l->is_time = l->y == l->rows->time;
    l->is_bandwidth = l->y == l->rows->gbs;
    l->by_kernel = l->by == l->rows->kernel;
    l->by_run = l->by == l->rows->run_column;
    return true;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * Returns whether the chart shows a row. Charts of times and bandwidths leave out rows that a
 * search dropped after a few samples, because these are too few for a good median.
 */
static bool counts(const struct line_chart *l, uint32_t row)
{
    bool timed = l->is_time || l->is_bandwidth;
    if (l->by_run && strcmp(column_text(l->rows->backend, row), "cpu") == 0)
        return false; /* charts of several runs leave out CPU rows */
    return !isnan(lines_x(l, row)) &&
           (timed ? !isnan(chart_time(l->rows, row)) && !results_raced(l->rows->run, row)
                  : !isnan(plain_y(l, row)));
}

static void find_places(struct line_chart *l)
{
    for (size_t i = 0; i < l->rows->shown.count; i++)
        if (counts(l, l->rows->shown.items[i]))
            vec_push(&l->places, lines_x(l, l->rows->shown.items[i]));
    if (l->places.count)
        qsort(l->places.items, l->places.count, sizeof(double), compare_numbers);
    size_t kept = 0;
    for (size_t i = 0; i < l->places.count; i++)
        if (!kept || l->places.items[i] != l->places.items[kept - 1])
            l->places.items[kept++] = l->places.items[i];
    l->places.count = kept;
}

/*
 * Returns whether the time of `row` is shorter than that of `than`. If one of them has no time,
 * compares their values instead.
 */
static bool is_better(const struct line_chart *l, uint32_t row, uint32_t than)
{
    double a = chart_time(l->rows, row), b = chart_time(l->rows, than);
    return isnan(a) || isnan(b) ? plain_y(l, row) < plain_y(l, than) : a < b;
}

static int compare_names(const void *a, const void *b)
{
    /* strverscmp() sorts 8 before 16. */
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_lines(struct line_chart *l, const struct numbering *names)
{
    const char **sorted = xcalloc(names->texts.count + 1, sizeof *sorted);
    for (size_t i = 0; i < names->texts.count; i++)
        sorted[i] = names->texts.items[i];
    if (l->by_kernel)
        ladder_sort(&l->rows->ladder, sorted, names->texts.count);
    /* Runs stay in the order in which the user named them. */
    else if (names->texts.count && !l->by_run)
        qsort(sorted, names->texts.count, sizeof *sorted, compare_names);
    for (size_t i = 0; i < names->texts.count; i++) {
        struct line line = {.name = xstrdup(sorted[i]), .last = ROW_NONE};
        line.rows = xcalloc(l->places.count, sizeof *line.rows);
        for (size_t k = 0; k < l->places.count; k++)
            line.rows[k] = ROW_NONE;
        vec_push(&l->lines, line);
    }
    free(sorted);
}

bool lines_find_base(struct line_chart *l, char why[256])
{
    const char *kernel = l->rows->options->relative_to;
    size_t runs = l->rows->run_column ? l->rows->run_column->texts->texts.count : 1;
    bool found = false;
    if (!kernel)
        return true;
    l->base_rows = xcalloc(runs * l->places.count, sizeof *l->base_rows);
    for (size_t i = 0; i < runs * l->places.count; i++)
        l->base_rows[i] = ROW_NONE;
    for (size_t i = 0; i < l->rows->shown.count; i++) {
        uint32_t row = l->rows->shown.items[i];
        if (!counts(l, row) || strcmp(column_text(l->rows->kernel, row), kernel) != 0)
            continue;
        uint32_t *base = base_row(l, row);
        if (*base == ROW_NONE || is_better(l, row, *base))
            *base = row;
        found = true;
    }
    if (!found)
        snprintf(why, 256, "no row of %.100s is shown (--relative-to)", kernel);
    l->base = kernel;
    return found;
}

static struct line *lines_named(struct line_chart *l, const char *name)
{
    size_t i = 0;
    while (i < l->lines.count && strcmp(l->lines.items[i].name, name) != 0)
        i++;
    return i < l->lines.count ? &l->lines.items[i] : NULL;
}

static void find_lines(struct line_chart *l)
{
    struct numbering names = {0};
    struct text name = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < l->rows->shown.count; i++) {
            uint32_t row = l->rows->shown.items[i];
            if (!counts(l, row))
                continue;
            name.length = 0;
            column_append(l->by, row, &name);
            text_append(&name, "%s", "");
            if (pass == 0) {
                numbering_add(&names, name.bytes);
                continue;
            }
            struct line *line = lines_named(l, name.bytes);
            uint32_t *at = &line->rows[lines_place(l, lines_x(l, row))];
            if (*at == ROW_NONE || is_better(l, row, *at))
                *at = row;
        }
        if (pass == 0)
            add_lines(l, &names);
    }
    for (size_t i = 0; i < l->lines.count; i++)
        for (size_t k = 0; k < l->places.count; k++)
            if (l->lines.items[i].rows[k] != ROW_NONE)
                l->lines.items[i].last = l->lines.items[i].rows[k];
    text_free(&name);
    numbering_free(&names);
}

char *lines_label(const struct line_chart *l, const struct line *line)
{
    const char *scope = results_axis(l->rows->run, line->last, AXIS_scope);
    return l->by_run                            ? xstrdup(line->name)
           : !l->by_kernel                      ? xasprintf("%s %s", l->by->name, line->name)
           : strcmp(scope, l->rows->scope) != 0 ? xasprintf("%s (%s)", line->name, scope)
                                                : xstrdup(line->name);
}

double lines_end(const struct line_chart *l, uint32_t row, const struct column *end)
{
    double value = l->is_time && !l->base ? column_number(end, row) : NAN;
    return isnan(value) ? lines_y(l, row) : value;
}

void lines_range(struct line_chart *l)
{
    l->low = INFINITY;
    l->high = 0;
    for (size_t i = 0; i < l->lines.count; i++)
        for (size_t k = 0; k < l->places.count; k++) {
            uint32_t row = l->lines.items[i].rows[k];
            if (row == ROW_NONE)
                continue;
            l->low = fmin(l->low, fmin(lines_y(l, row), lines_end(l, row, l->rows->low)));
            if (l->lines.items[i].color > 0)
                l->high = fmax(l->high, fmax(lines_y(l, row), lines_end(l, row, l->rows->high)));
        }
}

void lines_free(struct line_chart *l)
{
    for (size_t i = 0; i < l->lines.count; i++) {
        free((char *)l->lines.items[i].name);
        free(l->lines.items[i].label);
        free(l->lines.items[i].rows);
    }
    free(l->named);
    free(l->reached);
    free(l->base_rows);
    vec_free(&l->lines);
    vec_free(&l->places);
}

bool lines_find(struct line_chart *l, const char *y, char why[256])
{
    if (!find_columns(l, y, why))
        return false;
    find_places(l);
    bool any = l->places.count > 0;
    if (any)
        find_lines(l);
    else
        snprintf(why, 256, "%s",
                 l->is_time || l->is_bandwidth ? chart_no_times(l->rows) : "no row has a value");
    return any;
}
