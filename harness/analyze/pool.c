/* Implements pool.h. */
#include "analyze/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/adjust.h"
#include "analyze/diff_cards.h"
#include "analyze/match.h"
#include "base/memory.h"
#include "base/program.h"
#include "base/statistics.h"
#include "base/text.h"
#include "record/members.h"
#include "record/outcome.h"

bool process_times_of_placements(const struct results *r, size_t row, struct process_times *out)
{
    double us = column_number(r->known.time_us_trimmed, row);
    double error = column_number(r->known.time_us_trimmed_error, row);
    double between = column_number(r->known.placement_us_stdev, row);
    double placements = column_number(r->known.placements, row);
    *out = (struct process_times){.processes = 1,
                                  .us = us,
                                  .median = column_number(r->known.time_us_median, row),
                                  .variance = error * error,
                                  .freedom = placements - 1,
                                  .shared = between * between / placements,
                                  .shortest = us,
                                  .longest = us};
    return placements >= 2 && us > 0 && isfinite(error) && between >= 0 && out->median > 0;
}

/*
 * Fills in the times of a row in a single run, from its trimmed mean if its samples alternated
 * between placements and otherwise from its median. Returns false if the row has no time.
 */
static bool times_of(const struct results *r, size_t row, struct process_times *out)
{
    if (!results_good(r, row))
        return false;
    if (process_times_of_placements(r, row, out))
        return true;
    double us = column_number(r->known.time_us_median, row);
    double error = (column_number(r->known.time_us_ci95_hi, row) -
                    column_number(r->known.time_us_ci95_lo, row)) /
                   2 / Z_95;
    *out = (struct process_times){.processes = 1,
                                  .us = us,
                                  .median = us,
                                  .variance = error * error,
                                  .freedom = INFINITY,
                                  .shortest = us,
                                  .longest = us};
    return us > 0;
}

/*
 * Adds the times of one process to `all`. Until end_sums() is called, the members of `all` are
 * running means or sums over processes, and `freedom` is the sum in the denominator of Welch's
 * formula.
 */
static void add_process(const struct process_times *one, struct process_times *all)
{
    double delta = one->us - all->us;
    all->processes++;
    all->us += delta / all->processes; /* Welford, Technometrics 4 (1962) */
    all->deviations += delta * (one->us - all->us);
    all->median += (one->median - all->median) / all->processes;
    all->variance += one->variance;
    all->freedom += one->variance * one->variance / one->freedom;
    all->shared += one->shared;
    all->shortest = fmin(all->shortest, one->us);
    all->longest = fmax(all->longest, one->us);
}

/*
 * Turns the sums over processes into the variances of the mean over processes and its degrees of
 * freedom.
 */
static void end_sums(struct process_times *t)
{
    double square = (double)t->processes * t->processes;
    t->freedom = t->freedom > 0 ? t->variance * t->variance / t->freedom : INFINITY;
    t->variance /= square;
    t->shared /= square;
}

/*
 * The columns of the pool that change when runs are added, or NULL for columns that the pool lacks.
 */
struct pool_columns {
    struct column *status, *reason, *bits, *median, *low, *high;
};

static struct pool_columns pool_columns_of(struct table *t)
{
    return (struct pool_columns){.status = table_find(t, "status"),
                                 .reason = table_find(t, "reason"),
                                 .bits = table_find(t, "bits"),
                                 .median = table_find(t, "time_us_median"),
                                 .low = table_find(t, "time_us_ci95_lo"),
                                 .high = table_find(t, "time_us_ci95_hi")};
}

static void set_number(struct column *c, size_t row, double number)
{
    if (c && c->numbers)
        c->numbers[row] = number;
}

/* Writes the pooled median and interval into the row, for tables and charts. */
static void write_times(const struct pool_columns *pool, size_t row, const struct process_times *t)
{
    double between = t->processes > 1 ? t->deviations / (t->processes - 1) / t->processes : 0;
    double half = Z_95 * sqrt(fmax(t->variance, between));
    set_number(pool->median, row, t->median);
    set_number(pool->low, row, t->median - half);
    set_number(pool->high, row, t->median + half);
}

static void take_text(struct column *c, size_t row, const char *text)
{
    if (c)
        column_set_text(c, row, text);
}

/*
 * Copies a row's status and reason from another run if the row is good in the pool but not in that
 * run. A row that is not good in one of the runs is therefore not good in the pool.
 */
static void take_worse(struct results *pool, const struct pool_columns *to, size_t row,
                       const struct results *other, size_t other_row)
{
    if (results_good(pool, row) && !results_good(other, other_row)) {
        take_text(to->status, row, column_text(other->known.status, other_row));
        take_text(to->reason, row, column_text(other->known.reason, other_row));
    }
    const char *bits = column_text(pool->known.bits, row);
    if (*bits && strcmp(bits, column_text(other->known.bits, other_row)) != 0)
        take_text(to->bits, row, RECORD_VARIES);
    pool->flags[row] |= other->flags[other_row] & FLAG_RACED;
}

static bool refuse_runs(const struct results *a, const struct results *b, bool across_cards,
                        struct error *e)
{
    if (strcmp(a->folder, b->folder) == 0)
        return FAIL(e, ERROR_CONFIG, "%s is named twice; each run must come from its own process",
                    b->path);
    struct diff_cards cards = {0};
    if (strcmp(results_device(a), results_device(b)) != 0 ||
        strcmp(results_backend(a), results_backend(b)) != 0)
        return FAIL(e, ERROR_CONFIG,
                    "%s was measured on %s, but %s on %s; all runs of one side must be measured on "
                    "the same card",
                    a->path, results_device(a), b->path, results_device(b));
    if (!across_cards && !diff_cards(a, b, HUGE_VAL, &cards, e))
        return false;
    if (cards.other)
        return FAIL(e, ERROR_CONFIG,
                    "%s and %s were measured on two cards; name runs of one card for each side, or "
                    "add --across-cards",
                    a->path, b->path);
    return true;
}

static void take_sessions(struct results *pool, struct results *other)
{
    text_append(&pool->pooled_words, " ");
    shell_word(&pool->pooled_words, other->path);
    for (size_t i = 0; i < other->manifest.sessions.count; i++)
        vec_push(&pool->manifest.sessions, other->manifest.sessions.items[i]);
    other->manifest.sessions.count = 0;
    char *path = xasprintf("%s, %s", pool->path, other->path);
    free(pool->path);
    pool->path = path;
    /* A pool is not the work of one process, even if one process measured two of its runs. */
    member_set(&pool->manifest.provenance.process, "");
}

/* Adds a run's times to those of the pool's rows. */
static void add_run(struct results *pool, const struct pool_columns *to,
                    const struct results *other)
{
    struct match match;
    struct process_times one;
    match_runs(pool, other, &match);
    for (size_t i = 0; i < match.pairs.count; i++) {
        struct pair rows = match.pairs.items[i];
        if (pool != other)
            take_worse(pool, to, rows.a, other, rows.b);
        if (times_of(other, rows.b, &one))
            add_process(&one, &pool->pooled[rows.a]);
    }
    match_free(&match);
}

bool results_pool(struct results *runs, size_t count, bool across_cards, struct error *e)
{
    struct results *pool = &runs[0];
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (!refuse_runs(&runs[j], &runs[i], across_cards, e))
                return false;
    if (count < 2)
        return true;
    pool->pooled = xcalloc(pool->rows.row_count + 1, sizeof *pool->pooled);
    for (size_t row = 0; row < pool->rows.row_count; row++)
        pool->pooled[row] = (struct process_times){.shortest = HUGE_VAL};
    const struct pool_columns to = pool_columns_of(&pool->rows);
    for (size_t i = 0; i < count; i++)
        add_run(pool, &to, &runs[i]);
    for (size_t row = 0; row < pool->rows.row_count; row++) {
        struct process_times *t = &pool->pooled[row];
        if (t->processes == 0)
            continue;
        end_sums(t);
        write_times(&to, row, t);
    }
    shell_word(&pool->pooled_words, pool->path);
    for (size_t i = 1; i < count; i++)
        take_sessions(pool, &runs[i]);
    return true;
}
