/*
 * Rows as a table: see show.h. And redsweep show.
 *
 * Without --columns people get what names a point, whether it is right, its time and its counts;
 * names that are the same in all rows shown appear once, above the table. Programs get all columns.
 */
#include "analyze/show.h"

#include <math.h>

#include "analyze/commands.h"
#include "analyze/info.h"
#include "analyze/results_columns.h"
#include "analyze/view_output.h"
#include "base/expr.h"
#include "base/options.h"
#include "base/pager.h"
#include "record/json.h"

static const char *const useful[] = {"status",          "time_us_median", "time_us_ci95_lo",
                                     "time_us_ci95_hi", "bandwidth_gbs",  "ceiling_pct",
                                     "peak_pct",        "shape"};

static bool unknown_column(const struct results *r, const char *name, const char *where,
                           struct error *e)
{
    char suggestion[SUGGESTION_SIZE];
    return FAIL(e, ERROR_USAGE, "%s: unknown column '%s'%s", where, name,
                table_suggestion(&r->rows, name, suggestion));
}

/* A row as names to look up: text columns are text, others numbers, empty is missing. */
struct row_context {
    const struct results *r;
    size_t row;
};

static bool look_up_cell(void *context, const char *name, struct expr_value *value)
{
    const struct row_context *c = context;
    int column = results_column(c->r, name);
    if (column < 0)
        return false;
    *value = (struct expr_value){.number = NAN};
    if (c->r->rows.columns.items[column]->kind == COLUMN_TEXT)
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

static void check_column(void *context, const char *name)
{
    struct name_check *c = context;
    if (c->ok && results_column(c->r, name) < 0)
        c->ok = unknown_column(c->r, name, "--where", c->e);
}

static bool select_rows(struct show *s, const char *where, struct error *e)
{
    struct expr *x = NULL;
    if (where && !expr_parse(where, &x, e))
        return error_prefix(e, "--where");
    struct name_check check = {s->r, e, true};
    if (x)
        expr_names(x, check_column, &check);
    struct row_context c = {s->r, 0};
    bool ok = check.ok;
    for (; ok && c.row < s->r->rows.row_count; c.row++) {
        double keep = 1;
        ok = !x || expr_number(x, look_up_cell, &c, &keep, e);
        if (ok && keep != 0 && !isnan(keep))
            vec_push(&s->rows, c.row);
    }
    expr_free(x);
    return ok;
}

/* Takes one name, or a glob, of the list. */
static bool take_column(struct show *s, const char *name, struct error *e)
{
    bool any = false;
    int named = results_column(s->r, name);
    for (size_t i = 0; i < s->r->rows.columns.count; i++)
        if ((int)i == named || text_glob_match(name, s->r->rows.columns.items[i]->name)) {
            vec_push(&s->columns, (int)i);
            any = true;
        }
    return any || unknown_column(s->r, name, "--columns", e);
}

/* Calls `take` for each name of a list with commas. */
static bool each_name(struct show *s, const char *list, struct error *e,
                      bool (*take)(struct show *, const char *, struct error *))
{
    bool ok = true;
    while (ok && *list) {
        list += strspn(list, " ");
        size_t length = strcspn(list, ",");
        char *name = xstrndup(list, length);
        ok = take(s, name, e);
        free(name);
        list += length + (list[length] == ',');
    }
    return ok;
}

static bool take_order(struct show *s, const char *name, struct error *e)
{
    bool down = *name == '-';
    int column = results_column(s->r, name + down);
    if (column < 0)
        return unknown_column(s->r, name + down, "--sort", e);
    vec_push(&s->order, down ? -(column + 1) : column + 1);
    return true;
}

static int compare_cells(const struct show *s, int column, size_t a, size_t b, bool down)
{
    const struct table *t = &s->r->rows;
    int order;
    if (s->r->rows.columns.items[column]->kind == COLUMN_TEXT) {
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
    const struct show *s = context;
    size_t a = *(const size_t *)x, b = *(const size_t *)y;
    for (size_t i = 0; i < s->order.count; i++) {
        int by = s->order.items[i], order = compare_cells(s, abs(by) - 1, a, b, by < 0);
        if (order)
            return order;
    }
    return (a > b) - (a < b); /* as recorded */
}

static bool is_constant(const struct show *s, int column)
{
    for (size_t i = 1; i < s->rows.count; i++)
        if (strcmp(table_cell(&s->r->rows, s->rows.items[0], column),
                   table_cell(&s->r->rows, s->rows.items[i], column)) != 0)
            return false;
    return s->rows.count > 1;
}

static bool is_empty(const struct show *s, int column)
{
    for (size_t i = 0; i < s->rows.count; i++)
        if (*table_cell(&s->r->rows, s->rows.items[i], column))
            return false;
    return true;
}

/* Chooses the columns for people; names that are the same everywhere become a line. */
static void choose_columns(struct show *s, struct view *v)
{
    const struct results *r = s->r;
    struct text same = {0};
    for (size_t i = 0; i < r->rows.columns.count; i++) {
        enum column_role role = r->columns[i].role;
        bool names = role == ROLE_AXIS || role == ROLE_TUNABLE,
             shown = names || role == ROLE_METRIC;
        for (size_t j = 0; j < sizeof useful / sizeof *useful; j++)
            shown = shown || strcmp(useful[j], r->rows.columns.items[i]->name) == 0;
        bool said = role == ROLE_AXIS && axis_in_shape(axis_find(r->rows.columns.items[i]->name)) &&
                    table_column(&r->rows, "shape") >= 0;
        if (!shown || said || is_empty(s, (int)i))
            continue;
        if (names && (int)i != table_column(&r->rows, axis_table[AXIS_kernel].name) &&
            is_constant(s, (int)i))
            text_append(&same, "%s%s %s", same.length ? ", " : "", r->rows.columns.items[i]->name,
                        table_cell(&r->rows, s->rows.items[0], (int)i));
        else
            vec_push(&s->columns, (int)i);
    }
    if (same.length)
        view_line(v, "%s\n", same.bytes);
    text_free(&same);
}

static void put_row(const void *rows, size_t row, struct view_row *out)
{
    const struct show *s = rows;
    for (size_t i = 0; i < s->all.count; i++)
        results_put(out, s->r, s->rows.items[row], s->all.items[i]);
}

static bool shown_is_bad(const void *rows, size_t row)
{
    const struct show *s = rows;
    return !results_good(s->r, s->rows.items[row]);
}

static void add_column(struct show *s, struct view_table *t, int column, enum audience readers)
{
    vec_push(&s->all, column);
    vec_push(&t->columns, results_view_column(s->r, (size_t)column, readers));
}

/* The rows with all their columns, as results.json has them. */
static void write_json(const void *context, FILE *to)
{
    const struct show *s = context;
    const struct table *t = &s->r->rows;
    struct text *texts = xcalloc(t->columns.count, sizeof *texts);
    const char **cells = xcalloc(t->columns.count, sizeof *cells);
    json_begin(to, &s->r->manifest);
    for (size_t i = 0; i < s->shown; i++) {
        for (size_t c = 0; c < t->columns.count; c++) {
            texts[c].length = 0;
            column_append(t->columns.items[c], s->rows.items[i], &texts[c]);
            cells[c] = texts[c].bytes;
        }
        json_row(to, &s->r->manifest, cells, i == 0);
    }
    json_end(to);
    for (size_t c = 0; c < t->columns.count; c++)
        text_free(&texts[c]);
    free(texts);
    free(cells);
}

bool show_rows(const struct results *r, const struct show_options *o, struct show *out,
               struct view *v, struct error *e)
{
    *out = (struct show){.r = r};
    if (!select_rows(out, o->where, e) || (o->sort && !each_name(out, o->sort, e, take_order)) ||
        (o->columns && !each_name(out, o->columns, e, take_column)))
        return false;
    if (out->rows.count)
        qsort_r(out->rows.items, out->rows.count, sizeof *out->rows.items, compare_rows, out);
    if (!o->columns)
        choose_columns(out, v);
    size_t count = o->max_rows && o->max_rows < out->rows.count ? o->max_rows : out->rows.count;
    struct view_table *t = view_table(v, "rows", FOR_ALL, put_row, out, count);
    t->is_bad = shown_is_bad;
    out->shown = count;
    if (!o->columns) {
        v->json_writer = write_json;
        v->json_context = out;
    }
    for (size_t i = 0; o->columns && i < out->columns.count; i++)
        add_column(out, t, out->columns.items[i], FOR_ALL);
    for (size_t i = 0, next = 0; !o->columns && i < r->rows.columns.count; i++) {
        bool chosen = next < out->columns.count && out->columns.items[next] == (int)i;
        add_column(out, t, (int)i, chosen ? FOR_ALL : FOR_PROGRAMS);
        next += chosen;
    }
    if (r->rows.row_count == 0)
        view_line(v, "the run has no rows yet");
    else if (out->rows.count == 0)
        view_line(v, "none of the %zu rows matches %s", r->rows.row_count, o->where);
    else if (count < out->rows.count && o->by_default)
        view_line(v, "the first %zu of %zu rows; --head %zu shows all", count, out->rows.count,
                  out->rows.count);
    else
        view_line(v, "%zu of %zu rows", count, r->rows.row_count);
    return true;
}

void show_free(struct show *s)
{
    vec_free(&s->rows);
    vec_free(&s->columns);
    vec_free(&s->all);
    vec_free(&s->order);
}

struct show_arguments {
    struct show_options options;
    struct view_output output;
    bool info, no_pager;
};

enum { DEFAULT_ROWS = 100 };

#define AT(member) .offset = offsetof(struct show_arguments, member)

static const struct field options[] = {
    {"--where", NULL, field_argument, AT(options.where),
     HELP("EXPR", "only rows for which EXPR is true: 'kernel = unroll and n >= 2^20'")},
    {"--columns", NULL, field_argument, AT(options.columns),
     HELP("LIST", "these columns, in this order: kernel,n,'time_us_*'")},
    {"--sort", NULL, field_argument, AT(options.sort),
     HELP("LIST", "by these columns, descending after a dash: n,-time_us_median")},
    {"--head", NULL, field_uint64, AT(options.max_rows), RANGE(1, 1099511627776.0),
     HELP("ROWS", "at most this many rows (default: 100 as text, all in a file)")},
    VIEW_OPTIONS(struct show_arguments, output, "the rows"),
    {"--no-pager", NULL, field_switch, AT(no_pager),
     HELP(NULL, "on a terminal, print to it directly, not through $PAGER (less)")},
    {"--info", NULL, field_switch, AT(info),
     HELP(NULL, "the manifest instead of rows: name<TAB>value lines, for scripts")},
    {0}};

void help_show(void)
{
    printf("Prints rows of a run (its folder or its results.csv; default: results/latest).\n\n");
    options_print(options);
    printf(
        "\nEXPR is made of columns, numbers (2^20), strings, = != < <= > >=, and, or, not, and\n"
        "+ - * / %% ^. Text may be a glob in quotes: 'kernel = \"smem_*\"'. A comparison with an\n"
        "empty cell is false.\n");
}

int command_show(int count, char **arguments, struct error *e)
{
    struct show_arguments a = {0};
    const char *run = "results/latest";
    struct operands operands = {.items = &run, .max = 1};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (a.info)
        return info_print(run, stdout, e) ? EXIT_FINE : EXIT_REFUSED;
    a.options.by_default = a.options.max_rows == 0 && !view_has_files(&a.output);
    if (a.options.by_default)
        a.options.max_rows = DEFAULT_ROWS;
    struct results r;
    if (!results_read(run, &r, e))
        return EXIT_REFUSED;
    struct show s;
    struct view v = {.main_table = "rows"};
    view_title(&v, "%s", r.path);
    bool paged = !a.no_pager && !view_takes_stdout(&a.output);
    bool ok = show_rows(&r, &a.options, &s, &v, e) && (!paged || pager_begin(e)) &&
              view_output(&v, &a.output, e);
    ok = pager_end(ok ? e : NULL) && ok;
    view_free(&v);
    show_free(&s);
    results_free(&r);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
