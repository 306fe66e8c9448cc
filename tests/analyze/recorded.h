/* Reads recorded runs of configs/aa.json, on which tests check the verdicts of comparisons. Each
 * run was made by its own process on one card. tests/analyze/aa-h200.csv.gz contains six runs, and
 * aa-h100.csv.gz contains eight. On the H100, all cold times of run s2 are 0.3 us longer, as are
 * the cold times at one or two sizes in the runs s4, s5 and c3, because these launches began at a
 * different position in the launch cycle.
 *
 * When the other files were recorded, redsweep already timed all launches in the same position.
 * aa8-h200.csv.gz and aa12-h100.csv.gz contain the runs of results/reference/h200-aa and h100-aa.
 * In their runs s3 and c1, a few points of two kernels differ from the other runs by up to 0.7 us.
 * aa13-h200.csv.gz contains the runs of h200-aa-2. At 2^22 with a warm cache, all points of
 * smem_unroll differ by 2 % between these runs.
 *
 * Each run tried 12 contexts. The second line of a file gives, for each run, how long a tiny
 * launch took in the fastest and in the slowest of these contexts, in us. Every later line is a
 * point (kernel, n, block, unroll, cache) and its samples in each run. The samples are sorted
 * and counted in clock steps of 0.032 us. Each sample is written as the difference from the
 * previous one, and "x3" repeats a value three times. */
#ifndef TESTS_ANALYZE_RECORDED_H
#define TESTS_ANALYZE_RECORDED_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/times.h"
#include "base/statistics.h"

#include "listed_pairs.h"

enum { RECORDED_POINTS = 792, RECORDED_RUNS = 13, RECORDED_SAMPLES = 30 };

#define RECORDED_STEP 0.032

struct recorded_point {
    size_t kernel, group;
    long n;
    double samples[RECORDED_RUNS][RECORDED_SAMPLES]; /* samples in us */
};

struct recorded {
    size_t points, runs, kernels, groups;
    char run_names[RECORDED_RUNS][8];
    double context_sd[RECORDED_RUNS]; /* standard deviation between contexts, in us */
    char kernel_names[8][32], group_names[32][32];
    struct recorded_point point[RECORDED_POINTS];
};

/* Returns the index of `name` in the list, adding it if necessary. */
static inline size_t recorded_number(char (*names)[32], size_t *count, const char *name)
{
    size_t i = 0;
    while (i < *count && strcmp(names[i], name) != 0)
        i++;
    if (i == *count)
        snprintf(names[(*count)++], sizeof names[0], "%s", name);
    return i;
}

static inline void recorded_samples(char *text, double *samples)
{
    long value = 0;
    int filled = 0;
    for (char *at = text; *at && *at != '\n';) {
        value += strtol(at, &at, 10);
        long times = *at == 'x' ? strtol(at + 1, &at, 10) : 1;
        while (times-- > 0 && filled < RECORDED_SAMPLES)
            samples[filled++] = round((double)value * RECORDED_STEP * 1e6) / 1e6;
        at += *at == ' ';
    }
    if (filled != RECORDED_SAMPLES)
        abort();
}

static inline void recorded_line(struct recorded *r, char *line)
{
    char *field[5 + RECORDED_RUNS], group[32];
    size_t count = 0;
    for (char *at = strtok(line, ",\n"); at && count < 5 + RECORDED_RUNS; at = strtok(NULL, ",\n"))
        field[count++] = at;
    if (r->runs == 0) {
        r->runs = count - 5;
        for (size_t i = 0; i < r->runs; i++)
            snprintf(r->run_names[i], sizeof r->run_names[i], "%s", field[5 + i]);
        return;
    }
    if (strcmp(field[0], "launch") == 0) {
        for (size_t i = 0; i < r->runs; i++) {
            char *longest;
            double shortest = strtod(field[5 + i], &longest);
            r->context_sd[i] = context_sd(shortest, strtod(longest + 1, NULL), 12);
        }
        return;
    }
    struct recorded_point *p = &r->point[r->points++];
    snprintf(group, sizeof group, "%s %s", field[1], field[4]);
    p->n = strtol(field[1], NULL, 10);
    p->kernel = recorded_number(r->kernel_names, &r->kernels, field[0]);
    p->group = recorded_number(r->group_names, &r->groups, group);
    for (size_t i = 0; i < r->runs; i++)
        recorded_samples(field[5 + i], p->samples[i]);
}

/* Reads a file or aborts. Paths are relative to the repository root, where the tests run. */
static inline struct recorded *recorded_open(const char *path)
{
    char command[256], line[8192];
    snprintf(command, sizeof command, "gzip -dc %s", path);
    struct recorded *r = calloc(1, sizeof *r);
    FILE *from = popen(command, "r");
    while (r && from && fgets(line, sizeof line, from))
        recorded_line(r, line);
    if (!r || !from || pclose(from) != 0 || r->points != RECORDED_POINTS)
        abort();
    return r;
}

/*
 * A change planted in the second run. It adds a share of the median to each sample.
 */
struct planted {
    double effect;
    int kernel;            /* kernel that changes; -1: all kernels */
    long largest_n, point; /* 0: all sizes; -1: all points */
    double unrest;         /* share by which half of the other points move up or down */
};

static inline struct estimate recorded_estimate(const double *samples)
{
    struct summary s;
    summarize(samples, RECORDED_SAMPLES, &s);
    return (struct estimate){s.median, s.ci95_lo, s.ci95_hi};
}

/* Judges run b against run a with a minimum effect of 1 % and an error rate of 5 %. */
static inline void recorded_judge(const struct recorded *r, size_t a, size_t b,
                                  const struct planted *planted, struct times *out)
{
    const struct times_rule rule = {
        0.01, 0.05, {RECORDED_STEP, fmax(r->context_sd[a], r->context_sd[b]), false}};
    struct timed_pair *pairs = calloc(r->points, sizeof *pairs);
    double(*changed)[RECORDED_SAMPLES] = calloc(r->points, sizeof *changed);
    for (size_t i = 0; i < r->points; i++) {
        const struct recorded_point *p = &r->point[i];
        memcpy(changed[i], p->samples[b], sizeof changed[i]);
        if (planted && (planted->kernel < 0 || (size_t)planted->kernel == p->kernel) &&
            (planted->largest_n == 0 || p->n <= planted->largest_n) &&
            (planted->point < 0 || (size_t)planted->point == i)) {
            double more = planted->effect * recorded_estimate(p->samples[b]).value;
            for (size_t s = 0; s < RECORDED_SAMPLES; s++)
                changed[i][s] += more;
        }
        if (planted && planted->unrest > 0 && i % 2 && (long)i != planted->point)
            for (size_t s = 0; s < RECORDED_SAMPLES; s++)
                changed[i][s] *= i % 4 == 1 ? 1 + planted->unrest : 1 - planted->unrest;
        pairs[i] = (struct timed_pair){.group = p->group,
                                       .kernel = p->kernel,
                                       .a = recorded_estimate(p->samples[a]),
                                       .b = recorded_estimate(changed[i]),
                                       .samples_a = p->samples[a],
                                       .samples_b = changed[i],
                                       .count_a = RECORDED_SAMPLES,
                                       .count_b = RECORDED_SAMPLES};
    }
    times_judge(listed(pairs, r->points), r->groups, r->kernels, &rule, out);
    free(changed);
    free(pairs);
}

static inline bool changed(enum time_verdict v)
{
    return v == TIME_SLOW || v == TIME_FAST;
}

/*
 * The numbers of verdicts that are FAST or SLOW: on points, on cells (one kernel in one group), on
 * kernels, and on the whole run.
 */
struct found {
    size_t points, cells, kernels, all;
};

/* Counts the verdicts that report a change, except those on the kernel `but` (-1: counts all
 * kernels). */
static inline struct found found(const struct times *t, const struct timed_pair *pairs, long but)
{
    struct found f = {0};
    for (size_t i = 0; i < t->point_count; i++)
        f.points += (long)pairs[i].kernel != but && changed(t->points[i].verdict);
    for (size_t i = 0; i < t->cell_count; i++)
        f.cells += (long)t->cells[i].kernel != but && changed(t->cells[i].verdict);
    for (size_t i = 0; i < t->kernel_count; i++)
        f.kernels += (long)i != but && changed(t->kernels[i].verdict);
    f.all = changed(t->all.verdict);
    return f;
}

static inline size_t sum(struct found f)
{
    return f.points + f.cells + f.kernels + f.all;
}

#endif
