/*
 * Comparing with print: see reproduce.h for the rules.
 */
#include "compare/reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/grid.h"
#include "metrics/metrics.h"

/* One column of the published run that is compared. */
struct quantity {
    const char *name;            /* there */
    char here[128];              /* the run's column; "" when it has none */
    const struct metric *metric; /* NULL: a time */
    bool count;
};

struct comparison {
    const struct results *published, *run;
    size_t *row; /* of the run, by published row; LOOKUP_NONE */
    FILE *out;
    struct reproduction *total;
};

/* The formula that serves a metric on a chip; NULL when there is none. */
static const struct metric_formula *formula_on(const struct metric *m, const char *chip)
{
    for (int f = 0; f < METRIC_MAX_FORMULAS && m->formulas[f].formula; f++)
        if (!m->formulas[f].chip || text_glob_match(m->formulas[f].chip, chip))
            return &m->formulas[f];
    return NULL;
}

static bool same_formula(const struct metric_formula *a, const struct metric_formula *b)
{
    if (!a || !b || strcmp(a->formula, b->formula) != 0)
        return false;
    for (int i = 0; i < METRIC_MAX_COUNTERS; i++) {
        if (!a->counters[i] || !b->counters[i])
            return a->counters[i] == b->counters[i];
        if (strcmp(a->counters[i], b->counters[i]) != 0)
            return false;
    }
    return true;
}

/* The run's column that counts what `q` counted on the published chip. */
static void find_here(const struct comparison *c, struct quantity *q)
{
    char there[64], here[64];
    q->here[0] = '\0';
    if (!q->metric) {
        snprintf(q->here, sizeof q->here, "%s", q->name);
        return;
    }
    results_told(c->published, "provenance.device.chip", there, sizeof there);
    results_told(c->run, "provenance.device.chip", here, sizeof here);
    const struct metric_formula *printed = formula_on(q->metric, there);
    if (same_formula(printed, formula_on(q->metric, here))) {
        snprintf(q->here, sizeof q->here, "%s", q->name);
        return;
    }
    int count;
    const struct metric *table = metric_table(&count);
    for (int i = 0; i < count && !q->here[0]; i++)
        if (same_formula(printed, formula_on(&table[i], here)) &&
            (table_column(&c->run->rows, table[i].name) >= 0))
            snprintf(q->here, sizeof q->here, "%s", table[i].name);
}

/* Whether memory accesses alone decide a metric, so that it must be equal everywhere. */
static bool is_count(const struct metric *m)
{
    if (!m || !m->deterministic)
        return false;
    for (int i = 0; i < METRIC_MAX_COUNTERS && m->formulas[0].counters[i]; i++)
        if (!strstr(m->formulas[0].counters[i], "_mem_"))
            return false;
    return true;
}

static bool equal_where_printed(const struct comparison *c, size_t there, size_t here,
                                const char *column)
{
    const char *printed = results_text(c->published, there, column);
    return !printed[0] || strcmp(printed, results_text(c->run, here, column)) == 0;
}

static bool same_point(const struct comparison *c, size_t there, size_t here)
{
    const struct table *t = &c->published->rows;
    for (size_t i = 0; i < t->column_count; i++) {
        enum column_role role = c->published->columns[i].role;
        if ((role == ROLE_AXIS || role == ROLE_TUNABLE) &&
            !equal_where_printed(c, there, here, t->columns[i]))
            return false;
    }
    return true;
}

/* The first ok row; a row that is not ok only where there is no other. */
static size_t matching_row(const struct comparison *c, size_t there)
{
    size_t found = LOOKUP_NONE;
    for (size_t here = 0; here < c->run->rows.row_count; here++) {
        if (!same_point(c, there, here))
            continue;
        if (results_ok(c->run, here))
            return here;
        if (found == LOOKUP_NONE)
            found = here;
    }
    return found;
}

static double value_here(const struct comparison *c, const struct quantity *q, size_t there)
{
    size_t here = c->row[there];
    if (here == LOOKUP_NONE || !results_ok(c->run, here) || !q->here[0])
        return NAN;
    return results_number(c->run, here, q->here);
}

/* Why there is no value here. */
static void explain_missing(const struct comparison *c, const struct quantity *q, size_t there,
                            struct text *why)
{
    size_t here = c->row[there];
    if (here == LOOKUP_NONE) {
        text_append(why, "no such row in the run");
        return;
    }
    if (!results_ok(c->run, here)) {
        text_append(why, "%s here: %.200s", results_text(c->run, here, "status"),
                    results_text(c->run, here, "reason"));
        return;
    }
    int column = q->here[0] ? table_column(&c->run->rows, q->here) : -1;
    const char *missing = column >= 0 ? c->run->columns[column].missing : "";
    const char *reason = results_text(c->run, here, "reason");
    if (column < 0)
        text_append(why, "the run did not count it");
    else if (missing[0])
        text_append(why, "%s", missing);
    else if (reason[0])
        text_append(why, "%.200s", reason);
    else
        text_append(why, "%s has none", results_text(c->run, here, "device"));
}

/* Equal to the digits that were printed: within half a unit of the last one. */
static bool equal_as_printed(const char *printed, double here)
{
    const char *point = strchr(printed, '.');
    int decimals = point ? (int)strlen(point + 1) : 0;
    double half = decimals ? 0.5 * pow(10, -decimals) * (1 + 1e-9) : 0;
    return fabs(strtod(printed, NULL) - here) <= half;
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/* Whether two rows' 95 % intervals of the time overlap. */
static bool cannot_be_told_apart(const struct comparison *c, const struct quantity *q, size_t i,
                                 size_t j)
{
    if (q->metric)
        return false;
    double lo_i = results_number(c->run, c->row[i], "time_us_ci95_lo");
    double hi_i = results_number(c->run, c->row[i], "time_us_ci95_hi");
    double lo_j = results_number(c->run, c->row[j], "time_us_ci95_lo");
    double hi_j = results_number(c->run, c->row[j], "time_us_ci95_hi");
    return lo_i <= hi_j && lo_j <= hi_i;
}

/* What another order comes from, as far as the two runs' provenance tells. */
static void append_cause(const struct comparison *c, const struct quantity *q, struct text *why)
{
    char there[128], compiler[128], ptx[16];
    results_told(c->published, "provenance.device.name", there, sizeof there);
    results_told(c->run, "provenance.compiler", compiler, sizeof compiler);
    results_told(c->run, "provenance.device.exact_counts", ptx, sizeof ptx);
    if (q->metric && q->metric->deterministic && strcmp(ptx, "yes") == 0)
        text_append(why, ", because instructions are PTX's here and were machine code's on the %s",
                    there);
    else if (q->metric && q->metric->deterministic)
        text_append(why, ", because %s made other machine code than there was on the %s", compiler,
                    there);
    else
        text_append(why, ", because %s is another GPU than the %s", results_device(c->run), there);
}

static void append_row_name(const struct comparison *c, size_t row, struct text *t)
{
    text_append(t, "%s", results_text(c->published, row, "kernel"));
    if (strcmp(results_text(c->published, row, "unroll"), "1") != 0)
        text_append(t, " %s", results_text(c->published, row, "unroll"));
}

/* An order: against every other row of the column that has both values. */
static enum verdict judge_order(const struct comparison *c, const struct quantity *q, size_t i,
                                struct text *why)
{
    size_t compared = 0, differing = 0, apart = 0;
    double printed = results_number(c->published, i, q->name), here = value_here(c, q, i);
    for (size_t j = 0; j < c->published->rows.row_count; j++) {
        double other = results_number(c->published, j, q->name), other_here = value_here(c, q, j);
        if (j == i || isnan(other) || isnan(other_here) || other == printed)
            continue;
        compared++;
        if (sign_of(printed - other) == sign_of(here - other_here))
            continue;
        text_append(why, "%s%s ", differing++ ? ", " : "",
                    here == other_here  ? "here equal to"
                    : here > other_here ? "here above"
                                        : "here below");
        append_row_name(c, j, why);
        apart += !cannot_be_told_apart(c, q, i, j);
    }
    if (compared == 0) {
        text_append(why, "no other row has a value here");
        return VERDICT_MISSING;
    }
    if (differing == 0)
        return VERDICT_SAME_ORDER;
    if (apart == 0)
        text_append(why, ", because their intervals overlap: they cannot be told apart");
    else
        append_cause(c, q, why);
    return VERDICT_DIFFERS;
}

static enum verdict judge(const struct comparison *c, const struct quantity *q, size_t row,
                          struct text *why)
{
    double here = value_here(c, q, row);
    if (isnan(here)) {
        explain_missing(c, q, row, why);
        return VERDICT_MISSING;
    }
    if (!q->count)
        return judge_order(c, q, row, why);
    if (equal_as_printed(results_text(c->published, row, q->name), here))
        return VERDICT_EQUAL;
    text_append(why, "a count must be equal");
    return VERDICT_DIFFERS;
}

static void add_setting(struct grid *g, const struct results *r, size_t row)
{
    struct text setting = {0};
    results_setting(r, row, &setting);
    grid_add(g, "%s", text_shown(&setting));
    text_free(&setting);
}

static void add_quantity(struct comparison *c, const struct quantity *q, struct grid *g)
{
    static const char *const words[VERDICT_COUNT] = {"equal", "same order", "differs", "missing"};
    for (size_t row = 0; row < c->published->rows.row_count; row++) {
        const char *printed = results_text(c->published, row, q->name);
        if (!printed[0])
            continue;
        struct text why = {0};
        enum verdict v = judge(c, q, row, &why);
        double here = value_here(c, q, row);
        char number[40] = "";
        if (!isnan(here))
            snprintf(number, sizeof number, q->count && here == floor(here) ? "%.0f" : "%.6g",
                     here);
        (q->count ? c->total->counts : c->total->orders)[v]++;
        grid_add(g, "%s%s%s", q->name, strcmp(q->here, q->name) != 0 && q->here[0] ? " as " : "",
                 strcmp(q->here, q->name) != 0 ? q->here : "");
        grid_add(g, "%s", results_text(c->published, row, "kernel"));
        add_setting(g, c->published, row);
        grid_add(g, "%s", printed);
        grid_add(g, "%s", number);
        grid_add(g, "%s%s%s", words[v], why.bytes ? ": " : "", text_shown(&why));
        text_free(&why);
    }
}

static bool has_cells(const struct results *r, size_t column)
{
    for (size_t row = 0; row < r->rows.row_count; row++)
        if (!isnan(table_number(&r->rows, row, (int)column)))
            return true;
    return false;
}

static void print_heading(const struct comparison *c)
{
    char title[256], tool[64], source[512], device[128];
    results_told(c->published, "provenance.title", title, sizeof title);
    results_told(c->published, "provenance.tool", tool, sizeof tool);
    results_told(c->published, "provenance.source", source, sizeof source);
    results_told(c->published, "provenance.device.name", device, sizeof device);
    fprintf(c->out, "%s\npublished: %s, %s, in %s\nhere:      %s, %s\n\n",
            title[0] ? title : c->published->path, device, tool[0] ? tool : "tool unknown",
            source[0] ? source : "source unknown", results_device(c->run), c->run->path);
}

bool reproduce(const struct results *published, const struct results *run, FILE *out,
               struct reproduction *total, struct error *e)
{
    struct comparison c = {.published = published, .run = run, .out = out, .total = total};
    size_t rows = published->rows.row_count, compared = 0;
    c.row = calloc(rows + 1, sizeof *c.row);
    if (!c.row)
        return FAIL(e, ERROR_MEMORY, "%s: out of memory for %zu rows", published->path, rows);
    for (size_t i = 0; i < rows; i++)
        c.row[i] = matching_row(&c, i);
    struct grid g = {.columns = 6};
    static const char *const heads[] = {"quantity",  "kernel", "setting",
                                        "published", "here",   "verdict"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        grid_add(&g, "%s", heads[i]);
    for (size_t i = 0; i < published->rows.column_count; i++) {
        struct quantity q = {.name = published->rows.columns[i]};
        bool time = strcmp(q.name, "time_us_median") == 0;
        if ((!time && published->columns[i].role != ROLE_METRIC) || !has_cells(published, i))
            continue;
        q.metric = time ? NULL : metric_find(q.name);
        q.count = is_count(q.metric);
        find_here(&c, &q);
        add_quantity(&c, &q, &g);
        compared++;
    }
    bool ok =
        compared > 0 ||
        FAIL(e, ERROR_CONFIG, "%s: it has no time and no metric to compare with", published->path);
    if (ok) {
        print_heading(&c);
        grid_print(&g, 0, out);
        ok = !g.failed || FAIL(e, ERROR_MEMORY, "out of memory for the comparison");
    }
    grid_free(&g);
    free(c.row);
    return ok;
}
