/*
 * Rows as an aligned table: see show.h.
 *
 * Without --columns a reader gets what names a point, whether it is right, its time and its
 * counts. Names that are the same in all rows shown stand once, above the table.
 */
#include "compare/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "compare/grid.h"

static const char *const useful[] = {"status",          "time_us_median", "time_us_ci95_lo",
                                     "time_us_ci95_hi", "bandwidth_gbs",  "ceiling_pct",
                                     "peak_pct"};

/* What is shown: rows and columns by index. */
struct view {
    const struct results *r;
    size_t *rows, row_count;
    int *columns;
    size_t column_count;
    int *order; /* columns to sort by: 1 + column, negative for downwards; ends with 0 */
};

static bool unknown_column(const struct results *r, const char *name, const char *where,
                           struct error *e)
{
    const char *nearest =
        text_nearest(name, (const char *const *)r->rows.columns, r->rows.column_count);
    return FAIL(e, ERROR_USAGE, "%s: there is no column '%s'%s%s%s", where, name,
                nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

/* A row as names to look up: text columns are text, others numbers, empty is missing. */
struct row_context {
    const struct results *r;
    size_t row;
};

static bool look_up(void *context, const char *name, struct expr_value *value)
{
    const struct row_context *c = context;
    int column = table_column(&c->r->rows, name);
    if (column < 0)
        return false;
    *value = (struct expr_value){.number = NAN};
    if (c->r->columns[column].kind == CELL_TEXT)
        value->text = table_cell(&c->r->rows, c->row, column);
    else
        value->number = table_number(&c->r->rows, c->row, column);
    return true;
}

struct name_check {
    const struct results *r;
    struct error *e;
    bool ok;
};

static void check_name(void *context, const char *name)
{
    struct name_check *c = context;
    if (c->ok && table_column(&c->r->rows, name) < 0)
        c->ok = unknown_column(c->r, name, "--where", c->e);
}

static bool select_rows(struct view *v, const char *where, struct error *e)
{
    struct expr *x = NULL;
    if (where && !expr_parse(where, &x, e))
        return error_prefix(e, "--where");
    struct name_check check = {v->r, e, true};
    if (x)
        expr_names(x, check_name, &check);
    struct row_context c = {v->r, 0};
    bool ok = check.ok;
    for (; ok && c.row < v->r->rows.row_count; c.row++) {
        double keep = 1;
        ok = !x || expr_number(x, look_up, &c, &keep, e);
        if (ok && keep != 0 && !isnan(keep))
            v->rows[v->row_count++] = c.row;
    }
    expr_free(x);
    return ok;
}

/* Takes one name, or a glob, of the list. */
static bool take_column(struct view *v, const char *name, struct error *e)
{
    bool any = false;
    for (size_t i = 0; i < v->r->rows.column_count; i++)
        if (text_glob_match(name, v->r->rows.columns[i])) {
            v->columns[v->column_count++] = (int)i;
            any = true;
        }
    return any || unknown_column(v->r, name, "--columns", e);
}

/* Calls `take` for each name of a list with commas. */
static bool each_name(struct view *v, const char *list, struct error *e,
                      bool (*take)(struct view *, const char *, struct error *))
{
    bool ok = true;
    while (ok && *list) {
        char name[256];
        size_t length = strcspn(list, ",");
        while (*list == ' ') {
            list++;
            length--;
        }
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        ok = take(v, name, e);
        list += length + (list[length] == ',');
    }
    return ok;
}

static bool take_order(struct view *v, const char *name, struct error *e)
{
    bool down = *name == '-';
    int column = table_column(&v->r->rows, name + down), *at = v->order;
    if (column < 0)
        return unknown_column(v->r, name + down, "--sort", e);
    size_t count = 0;
    for (; *at; at++)
        count++;
    if (count < v->r->rows.column_count)
        *at = down ? -(column + 1) : column + 1;
    return true;
}

static int compare_cells(const struct view *v, int column, size_t a, size_t b, bool down)
{
    const struct table *t = &v->r->rows;
    int order;
    if (v->r->columns[column].kind == CELL_TEXT) {
        order = strcmp(table_cell(t, a, column), table_cell(t, b, column));
    } else {
        double x = table_number(t, a, column), y = table_number(t, b, column);
        if (isnan(x) || isnan(y)) /* what is missing comes last, both ways */
            return isnan(x) - isnan(y);
        order = (x > y) - (x < y);
    }
    return down ? -order : order;
}

static int compare_rows(const void *x, const void *y, void *context)
{
    const struct view *v = context;
    size_t a = *(const size_t *)x, b = *(const size_t *)y;
    for (const int *at = v->order; *at; at++) {
        int order = compare_cells(v, abs(*at) - 1, a, b, *at < 0);
        if (order)
            return order;
    }
    return (a > b) - (a < b); /* as recorded */
}

static bool constant(const struct view *v, int column)
{
    for (size_t i = 1; i < v->row_count; i++)
        if (strcmp(table_cell(&v->r->rows, v->rows[0], column),
                   table_cell(&v->r->rows, v->rows[i], column)) != 0)
            return false;
    return v->row_count > 1;
}

static bool empty(const struct view *v, int column)
{
    for (size_t i = 0; i < v->row_count; i++)
        if (*table_cell(&v->r->rows, v->rows[i], column))
            return false;
    return true;
}

/* Chooses the columns, and prints those names that are the same everywhere. */
static void choose_columns(struct view *v, FILE *to)
{
    const struct results *r = v->r;
    bool any = false;
    for (size_t i = 0; i < r->rows.column_count; i++) {
        enum column_role role = r->columns[i].role;
        bool names = role == ROLE_AXIS || role == ROLE_TUNABLE,
             shown = names || role == ROLE_METRIC;
        for (size_t j = 0; j < sizeof useful / sizeof *useful; j++)
            shown = shown || strcmp(useful[j], r->rows.columns[i]) == 0;
        if (!shown || empty(v, (int)i))
            continue;
        if (names && strcmp(r->rows.columns[i], "kernel") != 0 && constant(v, (int)i)) {
            fprintf(to, "%s%s %s", any ? ", " : "", r->rows.columns[i],
                    table_cell(&r->rows, v->rows[0], (int)i));
            any = true;
        } else {
            v->columns[v->column_count++] = (int)i;
        }
    }
    if (any)
        fprintf(to, "\n\n");
}

static void print_table(const struct view *v, size_t most, FILE *to)
{
    struct grid g = {.columns = v->column_count};
    size_t count = most && most < v->row_count ? most : v->row_count;
    for (size_t c = 0; c < v->column_count; c++)
        grid_add(&g, "%s", v->r->rows.columns[v->columns[c]]);
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < v->column_count; c++) {
            if (v->r->columns[v->columns[c]].kind == CELL_NUMBER)
                grid_number(&g, table_number(&v->r->rows, v->rows[i], v->columns[c]), 5);
            else
                grid_add(&g, "%s", table_cell(&v->r->rows, v->rows[i], v->columns[c]));
        }
    grid_print(&g, 0, to);
    grid_free(&g);
    fprintf(to, "%zu of %zu rows\n", count, v->r->rows.row_count);
}

bool show_rows(const struct results *r, const struct show_options *o, FILE *to, struct error *e)
{
    struct view v = {.r = r};
    size_t names = o->columns ? strlen(o->columns) + 1 : 1;
    v.rows = malloc((r->rows.row_count + 1) * sizeof *v.rows);
    v.columns = malloc(r->rows.column_count * names * sizeof *v.columns);
    v.order = calloc(r->rows.column_count + 1, sizeof *v.order);
    bool ok = (v.rows && v.columns && v.order) ||
              FAIL(e, ERROR_MEMORY, "out of memory for %zu rows", r->rows.row_count);
    ok = ok && select_rows(&v, o->where, e) &&
         (!o->sort || each_name(&v, o->sort, e, take_order)) &&
         (!o->columns || each_name(&v, o->columns, e, take_column));
    if (ok) {
        qsort_r(v.rows, v.row_count, sizeof *v.rows, compare_rows, &v);
        if (!o->columns)
            choose_columns(&v, to);
        if (v.column_count)
            print_table(&v, o->most, to);
    }
    free(v.rows);
    free(v.columns);
    free(v.order);
    return ok;
}
