/*
 * Compares a published table (a) with a run of the same points, cell by cell.
 *
 *   counts   Metrics of memory accesses depend only on the addresses, so they are the same in every
 *            launch. All printed digits must be equal.
 *   orders   All other columns, such as times, throughputs and instructions, depend on the GPU and
 *            the compiler. A cell keeps its order if the rows with larger values in its column are
 *            the same in the run as in the printed table, and the rows with smaller values are the
 *            same, too.
 *
 * One name can mean different units on different GPUs: transactions are 128-byte lines on Kepler,
 * but 32-byte sectors on later GPUs. The table of metrics states which column of the run
 * corresponds to the printed column.
 */
#include "analyze/diff.h"

#include <math.h>
#include <string.h>

#include "table/numbering.h"
#include "metrics/metrics.h"

/* A column of the table, and its counterpart in the run. */
struct quantity {
    const struct column *column;
    /* the metric's name in the run, or NULL if the run lacks it */
    const char *here;
    const struct column *values; /* the run's values, or NULL if the run has no such column */
    const char *missing;         /* why all cells of that column are missing, or "" */
    const struct metric *metric; /* the metric, or NULL for a time */
    enum figure_kind kind;
};

/* Returns the formula for a metric on a chip, or NULL if there is none. */
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

/*
 * Returns the run's column that counts what the metric counts on the chip of the published table,
 * or NULL if there is none.
 */
static const char *counterpart_of(const struct diff *d, const struct metric *m)
{
    const char *there = d->a->manifest.provenance.device.chip;
    const char *here = d->b->manifest.provenance.device.chip;
    const struct metric_formula *printed = formula_on(m, there);
    if (same_formula(printed, formula_on(m, here)))
        return m->name;
    int count;
    const struct metric *table = metric_table(&count);
    for (int i = 0; i < count; i++)
        if (same_formula(printed, formula_on(&table[i], here)) &&
            table_column(&d->b->rows, table[i].name) >= 0)
            return table[i].name;
    return NULL;
}

/*
 * Returns whether a metric depends only on memory accesses and must therefore be equal on all GPUs.
 */
static bool is_access_count(const struct metric *m)
{
    if (!m || !m->deterministic)
        return false;
    for (int i = 0; i < METRIC_MAX_COUNTERS && m->formulas[0].counters[i]; i++)
        if (!strstr(m->formulas[0].counters[i], "_mem_"))
            return false;
    return true;
}

static double value_here(const struct diff *d, const struct quantity *q, size_t here)
{
    bool good = here != NUMBERING_NONE && results_good(d->b, here);
    return good ? column_number(q->values, here) : NAN;
}

/* Appends why the run has no value of the quantity in row `here`. */
static void explain_missing(const struct diff *d, const struct quantity *q, size_t here,
                            struct text *why)
{
    if (here == NUMBERING_NONE) {
        text_append(why, "the run contains no such row");
        return;
    }
    const char *reason = column_text(d->b->known.reason, here);
    if (!results_good(d->b, here))
        text_append(why, "%s here: %s", column_text(d->b->known.status, here), reason);
    else if (!q->values)
        text_append(why, "the run did not count this");
    else if (*q->missing)
        text_append(why, "%s", q->missing);
    else if (*reason)
        text_append(why, "%s", reason);
    else
        text_append(why, "no value was recorded on %s", column_text(d->b->known.device, here));
}

/* Returns whether the 95 % intervals of two rows' times overlap. */
static bool intervals_overlap(const struct results *r, size_t i, size_t j)
{
    return column_number(r->known.time_us_ci95_lo, i) <=
               column_number(r->known.time_us_ci95_hi, j) &&
           column_number(r->known.time_us_ci95_lo, j) <= column_number(r->known.time_us_ci95_hi, i);
}

/* Appends why the order differs, if the provenance of the two runs explains it. */
static void append_cause(const struct diff *d, const struct quantity *q, struct text *why)
{
    const char *there = d->a->manifest.provenance.device.name;
    const struct provenance *here = &d->b->manifest.provenance;
    if (q->metric && q->metric->deterministic && here->device.exact_counts)
        text_append(why,
                    ", because PTX instructions are counted here, and machine instructions were "
                    "counted on the %s",
                    there);
    else if (q->metric && q->metric->deterministic)
        text_append(why, ", because %s does not generate the machine code that ran on the %s",
                    here->compiler, there);
    else
        text_append(why, ", because %s is not the same GPU as the %s", results_device(d->b), there);
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

/*
 * Judges the order of row i of the table. Compares the row with every other row that has a printed
 * value and a value in the run.
 */
static enum figure_verdict judge_order(const struct diff *d, const struct quantity *q,
                                       const size_t *row_here, size_t i, struct text *why)
{
    size_t compared = 0, differing = 0, apart = 0;
    double printed = column_number(q->column, i), here = value_here(d, q, row_here[i]);
    for (size_t j = 0; j < d->a->rows.row_count; j++) {
        double other = column_number(q->column, j), other_here = value_here(d, q, row_here[j]);
        if (j == i || isnan(other) || isnan(other_here) || other == printed)
            continue;
        compared++;
        if (sign_of(printed - other) == sign_of(here - other_here))
            continue;
        const char *unroll = results_axis(d->a, j, AXIS_unroll);
        bool unrolled = strcmp(unroll, "1") != 0;
        text_append(why, "%s%s %s%s%s", differing++ ? ", " : "",
                    here == other_here  ? "here equal to"
                    : here > other_here ? "here above"
                                        : "here below",
                    results_axis(d->a, j, AXIS_kernel), unrolled ? " " : "",
                    unrolled ? unroll : "");
        apart += q->metric || !intervals_overlap(d->b, row_here[i], row_here[j]);
    }
    if (compared == 0)
        text_append(why, "no other row has a value in this run");
    else if (differing && apart)
        append_cause(d, q, why);
    else if (differing)
        text_append(
            why, ", because their intervals overlap, so they are statistically indistinguishable");
    return compared == 0 ? FIGURE_MISSING : differing ? FIGURE_DIFFERS : FIGURE_SAME_ORDER;
}

static enum figure_verdict judge_figure(const struct diff *d, const struct quantity *q,
                                        const size_t *row_here, size_t row, struct text *why)
{
    double here = value_here(d, q, row_here[row]);
    if (isnan(here)) {
        explain_missing(d, q, row_here[row], why);
        return FIGURE_MISSING;
    }
    if (q->kind == FIGURE_ORDER)
        return judge_order(d, q, row_here, row, why);
    const char *printed = column_cell(q->column, row);
    if (diff_equal_as_printed(strtod(printed, NULL), here, diff_places(printed)))
        return FIGURE_EQUAL;
    text_append(why, "a count must be equal");
    return FIGURE_DIFFERS;
}

static void add_figures(struct diff *d, const struct quantity *q, const size_t *row_here)
{
    for (size_t row = 0; row < d->a->rows.row_count; row++) {
        if (column_is_missing(q->column, row))
            continue;
        struct text why = {0};
        struct figure f = {.column = q->column,
                           .column_b = q->here,
                           .row = row,
                           .kind = q->kind,
                           .verdict = judge_figure(d, q, row_here, row, &why),
                           .value = value_here(d, q, row_here[row])};
        f.why = xstrdup(text_shown(&why));
        vec_push(&d->figures, f);
        text_free(&why);
    }
}

void diff_published(struct diff *d)
{
    const struct results *a = d->a;
    size_t *row_here = xcalloc(a->rows.row_count + 1, sizeof *row_here);
    for (size_t i = 0; i < a->rows.row_count; i++)
        row_here[i] = NUMBERING_NONE;
    for (size_t i = 0; i < d->match.pairs.count; i++)
        row_here[d->match.pairs.items[i].a] = d->match.pairs.items[i].b;
    for (size_t i = 0; i < a->rows.columns.count; i++) {
        const struct column *c = a->rows.columns.items[i];
        bool time = c == a->known.time_us_median;
        if (!time && a->columns[i].role != ROLE_METRIC)
            continue;
        const struct metric *metric = time ? NULL : metric_find(c->name);
        struct quantity q = {.column = c,
                             .here = metric ? counterpart_of(d, metric) : c->name,
                             .metric = metric,
                             .kind = is_access_count(metric) ? FIGURE_COUNT : FIGURE_ORDER};
        int here = q.here ? table_column(&d->b->rows, q.here) : -1;
        q.values = here < 0 ? NULL : d->b->rows.columns.items[here];
        q.missing = here < 0 ? "" : d->b->columns[here].missing;
        add_figures(d, &q, row_here);
    }
    free(row_here);
}
