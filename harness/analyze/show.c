/*
 * Implements show.h and the command `redsweep show`.
 *
 * Without --columns, people see the axes, the tunables, the metrics, and the columns that
 * columns.def assigns to all audiences. An axis or a tunable with the same value in all shown rows
 * appears once, above the table. Programs get all columns.
 */
#include "analyze/show.h"

#include "analyze/commands.h"
#include "analyze/info.h"
#include "analyze/view_output.h"
#include "base/expr.h"
#include "base/options.h"
#include "base/pager.h"
#include "record/json.h"

typedef VEC(struct order) order_list;

static bool unknown_column(const struct table *t, const char *name, const char *where,
                           struct error *e)
{
    char suggestion[SUGGESTION_SIZE];
    return FAIL(e, ERROR_USAGE, "%s: unknown column '%s'%s", where, name,
                table_suggestion(t, name, suggestion));
}

static bool select_rows(const struct table *t, const char *where, row_list *rows, struct error *e)
{
    struct expr *x = NULL;
    bool ok = (!where || expr_parse(where, &x, e)) && table_filter(t, x, rows, e);
    expr_free(x);
    return ok || error_prefix(e, "--where");
}

/*
 * Returns the number of bytes of the first item in `list`, which ends before a comma that is not
 * within quotes or parentheses, or at the end of the list.
 */
static size_t item_length(const char *list)
{
    int depth = 0;
    char quote = 0;
    size_t i = 0;
    for (; list[i] && (list[i] != ',' || depth > 0 || quote); i++)
        if (quote)
            quote = list[i] == quote ? 0 : quote;
        else if (list[i] == '"' || list[i] == '\'')
            quote = list[i];
        else
            depth += (list[i] == '(') - (list[i] == ')');
    return i;
}

/*
 * Returns the next item of a comma-separated list, or NULL at its end. The caller frees the item.
 */
static char *next_name(const char **list)
{
    *list += strspn(*list, " ");
    size_t length = item_length(*list);
    char *name = **list ? xstrndup(*list, length) : NULL;
    *list += length + ((*list)[length] == ',');
    return name;
}

static bool read_order(const struct table *t, const char *list, order_list *out, struct error *e)
{
    bool ok = true;
    for (char *name; ok && (name = next_name(&list)); free(name)) {
        bool down = *name == '-';
        int column = table_column_named(t, name + down);
        if (column < 0)
            ok = unknown_column(t, name + down, "--sort", e);
        else
            vec_push(out, (struct order){t->columns.items[column], down});
    }
    return ok;
}

static bool sort_rows(const struct table *t, const char *list, row_list *rows, struct error *e)
{
    order_list order = {0};
    bool ok = read_order(t, list, &order, e);
    if (ok)
        table_sort(order.items, order.count, rows);
    vec_free(&order);
    return ok;
}

static bool is_constant(const struct column *c, const row_list *rows)
{
    for (size_t i = 1; i < rows->count; i++)
        if (!column_same(c, rows->items[0], rows->items[i]))
            return false;
    return rows->count > 1;
}

static bool is_empty(const struct column *c, const row_list *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (!column_is_missing(c, rows->items[i]))
            return false;
    return true;
}

/*
 * Chooses the columns that people see. Axes and tunables with the same value in all rows go into a
 * line above the table.
 */
static bool *choose_columns(const struct results *r, const row_list *rows, struct view *v)
{
    struct text same = {0};
    bool shape = r->known.shape;
    bool *chosen = xcalloc(r->rows.columns.count + 1, sizeof *chosen);
    for (size_t i = 0; i < r->rows.columns.count; i++) {
        const struct column *c = r->rows.columns.items[i];
        bool said = shape && r->columns[i].role == ROLE_AXIS && axis_in_shape(axis_find(c->name));
        if (c->audience != FOR_ALL || said || is_empty(c, rows))
            continue;
        chosen[i] = c->rank == RANK_KEY || !c->names_row || !is_constant(c, rows);
        if (chosen[i])
            continue;
        text_append(&same, "%s%s ", same.length ? ", " : "", c->name);
        column_append(c, rows->items[0], &same);
    }
    if (same.length)
        view_line(v, "%s\n", same.bytes);
    text_free(&same);
    return chosen;
}

static void show_column(struct view_table *t, const struct column *c, const row_list *rows,
                        enum audience audience)
{
    struct column like = *c;
    like.audience = audience;
    like.as_printed = false;
    like.rank = RANK_OTHER;
    table_show(&t->cells, like, c, rows->items);
}

/*
 * Adds the table of rows for a command without --columns. People see some of the columns; programs
 * get all columns.
 */
static void show_all(const struct results *r, const row_list *rows, struct view *v, size_t count)
{
    bool *chosen = choose_columns(r, rows, v);
    struct view_table *t = view_add_table(v, "rows", FOR_ALL, count);
    for (size_t i = 0; i < r->rows.columns.count; i++)
        show_column(t, r->rows.columns.items[i], rows, chosen[i] ? FOR_ALL : FOR_PROGRAMS);
    free(chosen);
}

/* Writes the rows with all their columns, in the format of results.json. */
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

enum { COMPUTED_DIGITS = 4 }; /* significant digits that people see */

/*
 * Adds the column that `item` defines as "NAME = EXPR". The name may be in quotes. `equals` points
 * to the "=".
 */
static bool show_computed(const struct results *r, char *item, char *equals, const row_list *rows,
                          struct view_table *t, struct error *e)
{
    struct expr *x = NULL;
    bool quoted = *item == '"' || *item == '\'';
    size_t length = (size_t)(equals - item);
    while (length > 0 && item[length - 1] == ' ')
        length--;
    if (quoted && length > 1 && item[length - 1] == *item)
        item++, length -= 2;
    char *name = table_keep(&t->cells, xstrndup(item, length));
    bool ok = expr_parse(equals + 1, &x, e) &&
              table_compute(&r->rows, rows->items, x, &t->cells,
                            (struct column){.name = name,
                                            .kind = COLUMN_NUMBER,
                                            .digits = COMPUTED_DIGITS,
                                            .meaning = table_keep(&t->cells, xstrdup(equals + 1))},
                            e);
    expr_free(x);
    return ok || error_prefix(e, "--columns");
}

/* Returns the "=" between an item's name and expression, or NULL if the item is just a name. */
static char *find_equals(char *item)
{
    char *from = *item == '"' || *item == '\'' ? strchr(item + 1, *item) : item;
    return from ? strchr(from, '=') : NULL;
}

/*
 * Adds a table of the columns in a list of names, globs and expressions, in the order of the list
 * and for all audiences.
 */
static bool show_named(const struct results *r, const char *list, const row_list *rows,
                       struct view *v, size_t count, struct error *e)
{
    bool ok = true;
    struct view_table *t = view_add_table(v, "rows", FOR_ALL, count);
    for (char *name, *equals; ok && (name = next_name(&list)); free(name)) {
        size_t before = t->cells.columns.count;
        int named = table_column_named(&r->rows, name);
        if ((equals = find_equals(name))) {
            ok = show_computed(r, name, equals, rows, t, e);
            continue;
        }
        for (size_t i = 0; i < r->rows.columns.count; i++)
            if ((int)i == named || text_glob_match(name, r->rows.columns.items[i]->name))
                show_column(t, r->rows.columns.items[i], rows, FOR_ALL);
        ok = t->cells.columns.count > before || unknown_column(&r->rows, name, "--columns", e);
    }
    return ok;
}

static void mark_bad_rows(struct view *v, const struct show *s)
{
    struct view_table *t = &v->items.items[v->items.count - 1]->table;
    t->bad = view_marks(t);
    for (size_t i = 0; i < s->shown; i++)
        t->bad[i] = !results_good(s->r, s->rows.items[i]);
}

bool show_rows(const struct results *r, const struct show_options *o, struct show *out,
               struct view *v, struct error *e)
{
    *out = (struct show){.r = r};
    if (!select_rows(&r->rows, o->where, &out->rows, e) ||
        (o->sort && !sort_rows(&r->rows, o->sort, &out->rows, e)))
        return false;
    size_t count = o->max_rows && o->max_rows < out->rows.count ? o->max_rows : out->rows.count;
    out->shown = count;
    if (o->columns && !show_named(r, o->columns, &out->rows, v, count, e))
        return false;
    if (!o->columns) {
        show_all(r, &out->rows, v, count);
        v->json_writer = write_json;
        v->json_context = out;
    }
    mark_bad_rows(v, out);
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
     HELP("EXPR",
          "print only rows for which EXPR is true, such as 'kernel = unroll and n >= 2^20'")},
    {"--columns", NULL, field_argument, AT(options.columns),
     HELP("LIST", "print these columns in this order; LIST may compute columns: "
                  "kernel,n,'time_us_*','loaded MB = gld_transactions * 32 / 10^6'")},
    {"--sort", NULL, field_argument, AT(options.sort),
     HELP("LIST", "sort by these columns; a dash before a column sorts it in descending order: "
                  "n,-time_us_median")},
    {"--head", NULL, field_uint64, AT(options.max_rows), RANGE(1, 1099511627776.0),
     HELP("ROWS", "print at most this many rows (default: 100 as text, all rows in a file)")},
    VIEW_OPTIONS(struct show_arguments, output, "the rows"),
    {"--markdown", NULL, field_argument, AT(output.markdown),
     HELP("FILE", "write the rows as a Markdown table")},
    {"--no-pager", NULL, field_switch, AT(no_pager),
     HELP(NULL, "print directly to the terminal, without $PAGER (less)")},
    {"--info", NULL, field_switch, AT(info),
     HELP(NULL, "print the manifest instead of rows, as name<TAB>value lines for scripts")},
    {0}};

void help_show(void)
{
    printf("Prints rows of a run (its folder or its results.csv; default: results/latest).\n\n");
    options_print(options);
    printf(
        "\n"
        "EXPR consists of columns, numbers (2^20), strings, the comparisons = != < <= > >=, the\n"
        "words \"and\", \"or\" and \"not\", and the operators + - * / %% ^. Text may be a glob in\n"
        "quotes: 'kernel = \"smem_*\"'. A comparison with an empty cell is false.\n");
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
