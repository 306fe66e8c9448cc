/*
 * Makes runs from a list of rows with known times, with which tests check what a comparison finds
 * and prints.
 */
#ifndef REDSWEEP_TESTS_ANALYZE_PLANNED_H
#define REDSWEEP_TESTS_ANALYZE_PLANNED_H

#include <math.h>

#include "base/statistics.h"
#include "diff_fixture.h"

#define HEADER                                                                                     \
    "id,backend,device,kernel,type,op,n,block,unroll,grid,cache,scope,status,reason,"              \
    "time_us_median,time_us_ci95_lo,time_us_ci95_hi,peak_pct,sampled_share,gld_transactions,"      \
    "achieved_occupancy,result\n"

/*
 * A row: its status and its samples. The samples are evenly spaced between median · (1 − width) and
 * median · (1 + width).
 */
struct planned {
    const char *kernel, *status;
    double median, width;
    int count;
};

static inline struct results planned_run(const char *folder, const struct planned *rows, int count)
{
    struct text csv = {0}, samples = {0};
    text_append(&csv, HEADER);
    text_append(&samples, "id,sample,time_us\n");
    for (int i = 0; i < count; i++) {
        const struct planned *p = &rows[i];
        double list[256];
        for (int s = 0; s < p->count; s++) {
            list[s] = p->median * (1 + p->width * (2.0 * s / (p->count - 1) - 1));
            text_append(&samples, "%d,%d,%.17g\n", i, s, list[s]);
        }
        struct summary sum;
        assert_true(summarize(list, (size_t)p->count, &sum));
        text_append(&csv, "%d,cuda,D,%s,int32,sum,16,64,1,1,cold,kernel,%s,,", i, p->kernel,
                    p->status);
        if (p->count)
            text_append(&csv, "%.17g", sum.median);
        if (!isnan(sum.ci95_lo))
            text_append(&csv, ",%.17g,%.17g", sum.ci95_lo, sum.ci95_hi);
        else
            text_append(&csv, ",,");
        text_append(&csv, ",,,,,\n");
    }
    put(folder, "samples.csv", samples.bytes);
    struct results r = read_run(put(folder, "results.csv", csv.bytes));
    text_free(&csv);
    text_free(&samples);
    return r;
}

static const struct planned before[] = {
    {"slow", "ok", 10, 0.02, 100}, {"fast", "ok", 10, 0.02, 100}, {"tiny", "ok", 10, 0.001, 100},
    {"same", "ok", 10, 0.02, 100}, {"noisy", "ok", 10, 0.3, 20},  {"vague", "ok", 10, 0.02, 200},
    {"few", "ok", 10, 0.01, 3},    {"breaks", "ok", 10, 0.02, 9}, {"heals", "wrong", 10, 0.02, 9},
    {"left", "ok", 10, 0.02, 9},
};
static const struct planned after[] = {
    {"slow", "ok", 10.5, 0.02, 100},   {"fast", "ok", 9.5, 0.02, 100},
    {"tiny", "ok", 10.03, 0.001, 100}, /* 0.3 % slower, beyond doubt */
    {"same", "ok", 10, 0.02, 100},     {"noisy", "ok", 10.2, 0.3, 20},
    {"vague", "ok", 10.08, 0.02, 200}, /* certainly slower, but perhaps by less than 1 % */
    {"few", "ok", 11, 0.01, 3},        /* with 3 samples per side, p is at least 0.1 */
    {"breaks", "wrong", 9, 0.02, 9},   {"heals", "ok", 10, 0.02, 9},
    {"left", "skipped", 10, 0.02, 0},
};
enum { PLANNED = sizeof before / sizeof *before };

#endif
