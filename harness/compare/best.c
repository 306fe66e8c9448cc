/*
 * Winners and ties: see best.h for the rules.
 */
#include "compare/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/match.h"
#include "compare/repeat.h"

static const double FALSE_DISCOVERIES = 0.05;

/*
 * Rows of the library that everybody uses, rows that no sum can beat (reading the input once,
 * launching at all), and other rows of the harness's own.
 */
enum standing { COMPETES, REFERENCE, LIMIT, ASIDE };

static enum standing standing_of(const char *kernel)
{
    static const struct {
        const char *glob;
        enum standing standing;
    } known[] = {{"cub*", REFERENCE}, {"sweep_read", LIMIT}, {"empty", LIMIT}, {"sweep_*", ASIDE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_glob_match(known[i].glob, kernel))
            return known[i].standing;
    return COMPETES;
}

/* A row on its way into a problem. */
struct entry {
    struct candidate candidate;
    enum standing standing;
    const char *family; /* device, type, op, cache, scope */
    double n;
};

struct gather {
    struct best *best;
    const struct best_options *options;
    struct entry *entries;
    size_t count;
    struct lookup points, configurations, last_problems, racy;
    char **texts; /* keys that the tables borrow */
    size_t text_count;
};

static char *keep(struct gather *g, char *text)
{
    if (text)
        g->texts[g->text_count++] = text;
    return text;
}

/* Only kernels that do the same work on the same device compete. */
static char *with_device(const struct results *r, size_t row, const char *rest)
{
    char *text = NULL;
    const char *workload = results_workload(r, results_text(r, row, "kernel"));
    bool reduces = !*workload || strcmp(workload, "reduce") == 0;
    return asprintf(&text, "%s\x1f%s\x1f%s\x1f%s", results_text(r, row, "backend"),
                    results_text(r, row, "device"), reduces ? "" : workload, rest ? rest : "") < 0
               ? NULL
               : text;
}

/* device + parts of the key, kept; NULL: out of memory. */
static char *point_text(struct gather *g, const struct results *r, size_t row, unsigned parts)
{
    char *key = match_key(r, row, parts);
    char *text = key ? with_device(r, row, key) : NULL;
    free(key);
    return keep(g, text);
}

static char *family_text(struct gather *g, const struct results *r, size_t row)
{
    char rest[256];
    snprintf(rest, sizeof rest, "%s\x1f%s\x1f%s\x1f%s", results_text(r, row, "type"),
             results_text(r, row, "op"), results_text(r, row, "cache"),
             results_text(r, row, "scope"));
    return keep(g, with_device(r, row, rest));
}

static bool leave_aside(struct gather *g, const struct results *r, size_t row)
{
    struct best *b = g->best;
    const char *kernel = results_text(r, row, "kernel");
    if (!results_ok(r, row) || isnan(results_number(r, row, "n"))) {
        b->failed++;
        return true;
    }
    if (isnan(results_number(r, row, g->options->metric))) {
        b->untimed++;
        return true;
    }
    if (!*results_racy(r, kernel))
        return false;
    b->racy++;
    if (lookup_find(&g->racy, kernel) == LOOKUP_NONE && lookup_add(&g->racy, kernel, 0))
        text_append(&b->racy_kernels, "%s%s", b->racy_kernels.length ? ", " : "", kernel);
    return true;
}

static struct candidate make_candidate(struct gather *g, size_t run, size_t row)
{
    const struct results *r = &g->best->runs[run];
    struct candidate c = {.run = run, .row = row, .q = NAN};
    c.time = (struct estimate){results_number(r, row, g->options->metric), NAN, NAN};
    if (strcmp(g->options->metric, "time_us_median") == 0) {
        c.time.low = results_number(r, row, "time_us_ci95_lo");
        c.time.high = results_number(r, row, "time_us_ci95_hi");
    }
    c.ratio = (struct estimate){NAN, NAN, NAN};
    return c;
}

/* Takes one row; a point that is there already is replaced, as runs come in order. */
static bool take_row(struct gather *g, size_t run, size_t row)
{
    const struct results *r = &g->best->runs[run];
    if (leave_aside(g, r, row))
        return true;
    char *problem = point_text(g, r, row, KEY_PROBLEM);
    char *point = problem ? point_text(g, r, row, KEY_POINT) : NULL;
    char *configuration = point ? keep(g, match_key(r, row, KEY_CONFIGURATION)) : NULL;
    struct entry entry = {.candidate = make_candidate(g, run, row)};
    entry.family = configuration ? family_text(g, r, row) : NULL;
    if (!entry.family)
        return false;
    entry.n = results_number(r, row, "n");
    entry.standing = standing_of(results_text(r, row, "kernel"));
    if (entry.standing == COMPETES && g->options->last_run_alone && run + 1 < g->best->run_count &&
        lookup_find(&g->last_problems, problem) != LOOKUP_NONE)
        return true;
    size_t id = lookup_find(&g->configurations, configuration);
    if (id == LOOKUP_NONE) {
        id = g->best->configurations++;
        if (!lookup_add(&g->configurations, configuration, id))
            return false;
    }
    entry.candidate.configuration = id;
    size_t at = lookup_find(&g->points, point);
    if (at != LOOKUP_NONE) {
        g->entries[at] = entry;
        return true;
    }
    g->entries[g->count] = entry;
    return lookup_add(&g->points, point, g->count++);
}

/* The problems of the last run, which decides them alone. */
static bool note_last_problems(struct gather *g)
{
    size_t run = g->best->run_count - 1;
    const struct results *r = &g->best->runs[run];
    for (size_t row = 0; row < r->rows.row_count; row++) {
        if (!results_ok(r, row))
            continue;
        char *problem = point_text(g, r, row, KEY_PROBLEM);
        if (!problem || (lookup_find(&g->last_problems, problem) == LOOKUP_NONE &&
                         !lookup_add(&g->last_problems, problem, row)))
            return false;
    }
    return true;
}

static bool gather_rows(struct gather *g)
{
    size_t rows = 0;
    for (size_t i = 0; i < g->best->run_count; i++)
        rows += g->best->runs[i].rows.row_count;
    g->entries = calloc(rows + 1, sizeof *g->entries);
    g->texts = calloc(5 * rows + 1, sizeof *g->texts);
    bool ok = g->entries && g->texts && (!g->options->last_run_alone || note_last_problems(g));
    for (size_t i = 0; ok && i < g->best->run_count; i++)
        for (size_t row = 0; ok && row < g->best->runs[i].rows.row_count; row++)
            ok = take_row(g, i, row);
    return ok && !g->best->racy_kernels.failed;
}

/* By family, n, standing, time; equal times by row, so that the order is always the same. */
static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->family, y->family);
    if (order)
        return order;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->standing != y->standing)
        return x->standing < y->standing ? -1 : 1;
    double s = x->candidate.time.value, t = y->candidate.time.value;
    if (s != t)
        return s < t ? -1 : 1;
    return (x->candidate.row > y->candidate.row) - (x->candidate.row < y->candidate.row);
}

static bool same_problem(const struct entry *x, const struct entry *y)
{
    return x->n == y->n && strcmp(x->family, y->family) == 0;
}

/* Splits the sorted entries into problems and families. Problems without candidates fall out. */
static bool split(struct gather *g)
{
    struct best *b = g->best;
    b->pool = calloc(g->count + 1, sizeof *b->pool);
    b->problems = calloc(g->count + 1, sizeof *b->problems);
    b->families = calloc(g->count + 1, sizeof *b->families);
    if (!b->pool || !b->problems || !b->families)
        return false;
    const char *family = NULL;
    size_t used = 0;
    for (size_t i = 0, end; i < g->count; i = end) {
        struct problem *p = &b->problems[b->problem_count];
        *p = (struct problem){.candidates = &b->pool[used], .n = g->entries[i].n};
        p->reference.time.value = p->limit.time.value = NAN;
        end = i;
        do {
            const struct entry *entry = &g->entries[end++];
            if (entry->standing == COMPETES)
                p->candidates[p->count++] = entry->candidate;
            else if (entry->standing == LIMIT)
                p->limit = entry->candidate;
            else if (entry->standing == REFERENCE && isnan(p->reference.time.value))
                p->reference = entry->candidate;
        } while (end < g->count && same_problem(&g->entries[end], &g->entries[i]));
        if (!p->count)
            continue;
        used += p->count;
        if (!family || strcmp(family, g->entries[i].family) != 0)
            b->families[b->family_count++].first = b->problem_count;
        family = g->entries[i].family;
        b->families[b->family_count - 1].count++;
        b->problem_count++;
    }
    return true;
}

/* Whether two candidates differ: p of the rank test, or of the interval where there are no samples.
 */
static bool difference(const struct best *b, const struct candidate *x, const struct candidate *y,
                       double *p)
{
    size_t count_x, count_y;
    const double *samples_x = results_samples(&b->runs[x->run], x->row, &count_x);
    const double *samples_y = results_samples(&b->runs[y->run], y->row, &count_y);
    struct rank_test test;
    if (!rank_test(samples_x, count_x, samples_y, count_y, &test))
        return false;
    *p = isnan(test.p) ? ratio_p(ratio_of(x->time, y->time)) : test.p;
    return true;
}

/* Would a candidate be as fast as the winner if as many launches had been timed together? */
static void look_at_repeat(const struct best *b, struct problem *p, struct candidate *c)
{
    const struct candidate *winner = p->candidates;
    const struct results *mine = &b->runs[c->run], *its = &b->runs[winner->run];
    p->other_repeat += repeat_of(mine, c->row) != repeat_of(its, winner->row);
    double excess = repeat_excess_us(mine, c->row, its, winner->row);
    c->by_repeat = !c->tied && excess != 0 && !(c->time.value - excess > winner->time.value);
}

static bool find_ties(const struct best *b, struct problem *p, bool tested)
{
    double *list = calloc(2 * p->count + 1, sizeof *list);
    bool ok = list != NULL;
    struct candidate *winner = p->candidates;
    for (size_t i = 0; ok && i < p->count; i++) {
        struct candidate *c = &p->candidates[i];
        c->ratio = ratio_of(winner->time, c->time);
        list[i] = NAN;
        if (i > 0 && tested)
            ok = difference(b, winner, c, &list[i]);
    }
    ok = ok && false_discovery(list, p->count, list + p->count);
    for (size_t i = 0; ok && i < p->count; i++) {
        struct candidate *c = &p->candidates[i];
        c->q = list[p->count + i];
        c->tied = i == 0 || (isnan(c->q) ? !tested && c->time.value == winner->time.value
                                         : c->q > FALSE_DISCOVERIES || c->ratio.low <= 1);
        p->tied += c->tied;
        if (ok && tested)
            look_at_repeat(b, p, c);
    }
    free(list);
    return ok;
}

static void gather_free(struct gather *g)
{
    for (size_t i = 0; i < g->text_count; i++)
        free(g->texts[i]);
    free(g->texts);
    free(g->entries);
    lookup_free(&g->points);
    lookup_free(&g->configurations);
    lookup_free(&g->last_problems);
    lookup_free(&g->racy);
}

static bool known_metric(const struct results *runs, size_t run_count, const char *metric,
                         struct error *e)
{
    for (size_t i = 0; i < run_count; i++) {
        const struct table *t = &runs[i].rows;
        if (table_column(t, metric) >= 0)
            continue;
        const char *nearest =
            text_nearest(metric, (const char *const *)t->columns, t->column_count);
        return FAIL(e, ERROR_USAGE, "--metric: %s has no column '%s'%s%s%s", runs[i].path, metric,
                    nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    }
    return true;
}

static bool refuse_nothing(const struct best *b, const char *metric, struct error *e)
{
    return FAIL(e, ERROR_CONFIG,
                "no row can compete: %zu are not ok, %zu have no %s, %zu are of racy kernels%s",
                b->failed, b->untimed, metric, b->racy,
                b->untimed ? "; a run of the simulator counts and has no times, so name a count: "
                             "--metric gld_transactions"
                           : "");
}

bool best_find(const struct results *runs, size_t run_count, const struct best_options *options,
               struct best *out, struct error *e)
{
    memset(out, 0, sizeof *out);
    out->runs = runs;
    out->run_count = run_count;
    out->metric = options->metric;
    if (!known_metric(runs, run_count, options->metric, e))
        return false;
    struct gather g = {.best = out, .options = options};
    bool tested = strcmp(options->metric, "time_us_median") == 0;
    bool ok = gather_rows(&g);
    if (ok && g.count > 0)
        qsort(g.entries, g.count, sizeof *g.entries, compare_entries);
    ok = ok && split(&g);
    gather_free(&g);
    for (size_t i = 0; ok && i < out->problem_count; i++)
        ok = find_ties(out, &out->problems[i], tested);
    ok = ok && best_families(out);
    if (!ok)
        FAIL(e, ERROR_MEMORY, "out of memory while looking for the best");
    else if (!out->problem_count)
        ok = refuse_nothing(out, options->metric, e);
    if (!ok)
        best_free(out);
    return ok;
}

void best_free(struct best *b)
{
    for (size_t i = 0; i < b->family_count; i++)
        free(b->families[i].ranges);
    free(b->families);
    free(b->problems);
    free(b->pool);
    text_free(&b->racy_kernels);
    memset(b, 0, sizeof *b);
}
