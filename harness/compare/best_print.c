/*
 * What best found, for people and as CSV.
 */
#include "compare/best.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/grid.h"
#include "record/csv.h"

enum { NAMES_SHOWN = 6 };

static const struct results *run_of(const struct best *b, const struct candidate *c)
{
    return &b->runs[c->run];
}

void best_name(const struct best *b, const struct candidate *c, struct text *out)
{
    text_append(out, "%s, ", results_text(run_of(b, c), c->row, "kernel"));
    results_setting(run_of(b, c), c->row, out);
}

void best_size(double n, char out[32])
{
    int power = n >= 1024 ? (int)lround(log2(n)) : 0;
    if (power && exp2(power) == n)
        snprintf(out, 32, "2^%d", power);
    else
        snprintf(out, 32, "%.0f", n);
}

static void add_name(struct grid *g, const struct best *b, const struct candidate *c)
{
    struct text name = {0};
    best_name(b, c, &name);
    grid_add(g, "%s", text_shown(&name));
    text_free(&name);
}

/* "1.39 (1.37 to 1.41)": how many times the winner's time another one takes. */
static void add_margin(struct grid *g, const struct problem *p, const struct candidate *other)
{
    struct estimate r = ratio_of(p->candidates[0].time, other->time);
    if (isnan(r.value))
        grid_add(g, "%s", "");
    else if (isnan(r.low))
        grid_add(g, "%.3f", r.value);
    else
        grid_add(g, "%.3f (%.3f to %.3f)", r.value, r.low, r.high);
}

static bool any_value(const struct best *b, const struct family *f, const char *column)
{
    for (size_t i = f->first; i < f->first + f->count; i++) {
        const struct candidate *c = &b->problems[i].candidates[0];
        if (!isnan(results_number(run_of(b, c), c->row, column)))
            return true;
    }
    return false;
}

/* Which columns a family's table has besides n, the winner, its time and its ties. */
struct shown {
    bool bandwidth, ceiling, peak, reference, limit;
};

static struct shown what_to_show(const struct best *b, const struct family *f)
{
    struct shown s = {any_value(b, f, "bandwidth_gbs"), any_value(b, f, "ceiling_pct"),
                      any_value(b, f, "peak_pct"), false, false};
    for (size_t i = f->first; i < f->first + f->count; i++) {
        s.reference = s.reference || !isnan(b->problems[i].reference.time.value);
        s.limit = s.limit || !isnan(b->problems[i].limit.time.value);
    }
    return s;
}

static void add_headings(struct grid *g, const struct shown *s, const char *metric)
{
    grid_add(g, "n");
    grid_add(g, "winner");
    grid_add(g, "%s", strcmp(metric, "time_us_median") == 0 ? "µs" : metric);
    if (s->bandwidth)
        grid_add(g, "GB/s");
    if (s->ceiling)
        grid_add(g, "%% of ceiling");
    if (s->peak)
        grid_add(g, "%% of peak");
    grid_add(g, "tied");
    if (s->reference)
        grid_add(g, "CUB takes … times as long");
    if (s->limit)
        grid_add(g, "the limit, as a share");
    g->columns = g->count;
}

static void add_problem(struct grid *g, const struct best *b, const struct problem *p,
                        const struct shown *s)
{
    const struct candidate *winner = &p->candidates[0];
    const struct results *r = run_of(b, winner);
    char size[32];
    best_size(p->n, size);
    grid_add(g, "%s", size);
    add_name(g, b, winner);
    grid_number(g, winner->time.value, 5);
    if (s->bandwidth)
        grid_number(g, results_number(r, winner->row, "bandwidth_gbs"), 4);
    if (s->ceiling)
        grid_number(g, results_number(r, winner->row, "ceiling_pct"), 3);
    if (s->peak)
        grid_number(g, results_number(r, winner->row, "peak_pct"), 3);
    grid_add(g, "%zu of %zu", p->tied, p->count);
    if (s->reference)
        add_margin(g, p, &p->reference);
    if (s->limit)
        add_margin(g, p, &p->limit);
}

static bool is_tied(const struct candidate *c)
{
    return c->tied;
}

static bool is_by_repeat(const struct candidate *c)
{
    return c->by_repeat;
}

/* The chosen ones of each problem after its winner, by name; the rest of a long list is counted. */
static void print_names(const struct best *b, const struct family *f,
                        bool (*chosen)(const struct candidate *c), FILE *to)
{
    for (size_t i = f->first; i < f->first + f->count; i++) {
        const struct problem *p = &b->problems[i];
        size_t found = 0;
        char size[32];
        best_size(p->n, size);
        for (size_t c = 1; c < p->count; c++) {
            if (!chosen(&p->candidates[c]) || found++ >= NAMES_SHOWN)
                continue;
            struct text name = {0};
            best_name(b, &p->candidates[c], &name);
            if (found == 1)
                fprintf(to, "  n = %s:", size);
            fprintf(to, "%s %s (+%.1f %%)", found > 1 ? ";" : "", text_shown(&name),
                    (p->candidates[c].ratio.value - 1) * 100);
            text_free(&name);
        }
        if (found > NAMES_SHOWN)
            fprintf(to, "; and %zu more", found - NAMES_SHOWN);
        if (found)
            fprintf(to, "\n");
    }
}

static void print_ties(const struct best *b, const struct family *f, FILE *to)
{
    bool any = false;
    for (size_t i = f->first; i < f->first + f->count; i++)
        any = any || b->problems[i].tied > 1;
    if (any)
        fprintf(to, "\n  Cannot be told apart from the winner (with --csv: all):\n");
    print_names(b, f, is_tied, to);
}

/* Times of other numbers of launches than the winner's, and which of them may be as fast. */
static void print_repeats(const struct best *b, const struct family *f, FILE *to)
{
    size_t rows = 0;
    bool any = false;
    for (size_t i = f->first; i < f->first + f->count; i++) {
        const struct problem *p = &b->problems[i];
        rows += p->other_repeat;
        for (size_t c = 0; c < p->count; c++)
            any = any || p->candidates[c].by_repeat;
    }
    if (rows)
        fprintf(to,
                "\n  %zu times are of another number of launches than their winner's (column "
                "repeat).%s\n",
                rows, any ? " These may be\n  longer than the winner's by that alone:" : "");
    print_names(b, f, is_by_repeat, to);
}

static void print_configuration(const struct best *b, const struct problem *p, size_t configuration,
                                FILE *to)
{
    const struct candidate *c = best_candidate(p, configuration);
    struct text name = {0};
    if (c)
        best_name(b, c, &name);
    fprintf(to, "%s", text_shown(&name));
    text_free(&name);
}

static void print_choices(const struct best *b, const struct family *f, FILE *to)
{
    if (f->count < 2)
        return;
    fprintf(to, "\n  A winner per range of n:\n");
    for (size_t i = 0; i < f->range_count; i++) {
        const struct range *r = &f->ranges[i];
        char first[32], last[32];
        best_size(b->problems[r->first].n, first);
        best_size(b->problems[r->last].n, last);
        fprintf(to, "  %s%s%s: ", first, r->last > r->first ? " to " : "",
                r->last > r->first ? last : "");
        print_configuration(b, &b->problems[r->first], r->configuration, to);
        fprintf(to, " (regret %.1f %%)\n", r->regret * 100);
    }
    const struct problem *with = &b->problems[f->first];
    while (!best_candidate(with, f->overall))
        with++;
    char size[32];
    best_size(f->worst_n, size);
    fprintf(to, "  One for all sizes: ");
    print_configuration(b, with, f->overall, to);
    fprintf(to, ": %.1f %% slower than the winners on geometric mean, at most %.1f %% (n = %s)",
            f->regret * 100, f->worst * 100, size);
    if (f->measured < f->count)
        fprintf(to, "; measured at %zu of %zu sizes only", f->measured, f->count);
    fprintf(to, "\n");
}

static void print_family(const struct best *b, const struct family *f, const char *metric, FILE *to)
{
    const struct candidate *first = &b->problems[f->first].candidates[0];
    const struct results *r = run_of(b, first);
    const char *workload = results_workload(r, results_text(r, first->row, "kernel"));
    bool reduces = !*workload || strcmp(workload, "reduce") == 0;
    fprintf(to, "%s (%s): %s%s%s %s, cache %s, scope %s\n\n", results_text(r, first->row, "device"),
            results_text(r, first->row, "backend"), reduces ? "" : workload, reduces ? "" : " of ",
            results_text(r, first->row, "type"), results_text(r, first->row, "op"),
            results_text(r, first->row, "cache"), results_text(r, first->row, "scope"));
    struct shown s = what_to_show(b, f);
    struct grid g = {0};
    add_headings(&g, &s, metric);
    for (size_t i = f->first; i < f->first + f->count; i++)
        add_problem(&g, b, &b->problems[i], &s);
    grid_print(&g, 2, to);
    grid_free(&g);
    print_ties(b, f, to);
    print_repeats(b, f, to);
    print_choices(b, f, to);
    fprintf(to, "\n");
}

void best_print(const struct best *b, FILE *to)
{
    for (size_t i = 0; i < b->family_count; i++)
        print_family(b, &b->families[i], b->metric, to);
    if (b->racy)
        fprintf(to,
                "Left aside: %zu rows of kernels that may be wrong although they passed (%s).\n",
                b->racy, b->racy_kernels.bytes);
    if (b->failed || b->untimed)
        fprintf(to, "Left aside: %zu rows that are not ok, %zu without %s.\n", b->failed,
                b->untimed, b->metric);
}

static const char *const axes[] = {"backend", "device", "kernel", "type",  "op",
                                   "n",       "block",  "unroll", "cache", "scope"};
enum { AXES = 10 };

/* The tunables of all runs, each once, in the order of the runs' columns. */
static bool all_tunables(const struct best *b, const char ***names, size_t *count)
{
    size_t most = 0;
    for (size_t r = 0; r < b->run_count; r++)
        most += b->runs[r].rows.column_count;
    *names = calloc(most + 1, sizeof **names);
    *count = 0;
    for (size_t r = 0; *names && r < b->run_count; r++)
        for (size_t i = 0; i < b->runs[r].rows.column_count; i++) {
            const char *name = b->runs[r].rows.columns[i];
            bool fresh = b->runs[r].columns[i].role == ROLE_TUNABLE;
            for (size_t j = 0; j < *count; j++)
                fresh = fresh && strcmp((*names)[j], name) != 0;
            if (fresh)
                (*names)[(*count)++] = name;
        }
    return *names != NULL;
}

static void append_candidate(const struct best *b, const struct candidate *c, const char *standing,
                             const char *const *tunables, size_t tunable_count, struct text *t)
{
    const struct results *r = run_of(b, c);
    for (int i = 0; i < AXES; i++) {
        csv_append_text(t, results_text(r, c->row, axes[i]));
        text_append(t, ",");
    }
    for (size_t i = 0; i < tunable_count; i++) {
        csv_append_text(t, results_text(r, c->row, tunables[i]));
        text_append(t, ",");
    }
    text_append(t, "%s", standing);
    const double numbers[] = {c->time.value,
                              c->time.low,
                              c->time.high,
                              c->ratio.value,
                              c->ratio.low,
                              c->ratio.high,
                              c->q,
                              results_number(r, c->row, "bandwidth_gbs"),
                              results_number(r, c->row, "repeat")};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        text_append(t, ",");
        csv_append_number(t, numbers[i]);
    }
    text_append(t, "\n");
}

static void append_problem(const struct best *b, const struct problem *p,
                           const char *const *tunables, size_t count, struct text *t)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->candidates[i].tied)
            append_candidate(b, &p->candidates[i], i ? "tied" : "winner", tunables, count, t);
    const struct candidate *others[] = {&p->reference, &p->limit};
    for (int i = 0; i < 2; i++) {
        if (isnan(others[i]->time.value))
            continue;
        struct candidate c = *others[i];
        c.ratio = ratio_of(p->candidates[0].time, c.time);
        c.q = NAN;
        append_candidate(b, &c, i ? "limit" : "reference", tunables, count, t);
    }
}

bool best_write_csv(const struct best *b, FILE *to)
{
    const char **tunables;
    size_t count;
    struct text t = {0};
    if (!all_tunables(b, &tunables, &count))
        return false;
    for (int i = 0; i < AXES; i++)
        text_append(&t, "%s,", axes[i]);
    for (size_t i = 0; i < count; i++) {
        csv_append_text(&t, tunables[i]);
        text_append(&t, ",");
    }
    text_append(&t, "standing,%s,lo,hi,ratio,ratio_lo,ratio_hi,q,bandwidth_gbs,repeat\n",
                b->metric);
    for (size_t i = 0; i < b->problem_count; i++)
        append_problem(b, &b->problems[i], tunables, count, &t);
    bool ok = !t.failed && fwrite(t.bytes, 1, t.length, to) == t.length;
    text_free(&t);
    free(tunables);
    return ok;
}
