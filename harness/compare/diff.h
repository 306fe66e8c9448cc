/*
 * Two runs against each other: what became faster or slower, what is the same, and what cannot
 * be said. Whatever their devices, kernels and axes.
 *
 * On the same device (backend and name) every pair of right rows with times gets a verdict:
 *
 *   FAST, SLOW  b differs from a: the rank test finds it among all points at a false-discovery rate
 *               of 5 %, the interval of the ratio excludes 1, and the ratio of medians is further
 *               from 1 than the least effect that matters
 *   SAME        no difference is found, or a certain one that is smaller than the least effect
 *   AMBIG       a difference is found but its size is not known well enough to be one of the
 *               above; or there are too few samples to find any, and the medians differ by more;
 *               or the change may come from timing another number of launches together (repeat.h)
 *   BROKEN      a's row was right, b's is not (and not merely skipped or unsupported)
 *   FIXED       the other way round
 *
 * Only what exceeds the difference of the two runs' contexts and one step of the clock (launch.h)
 * is tested: b's samples and interval are moved towards a's by it first, at most until the medians
 * meet. So two runs of the same thing come out SAME in 95 of 100 cases, whatever the number of points.
 * On different devices times are not judged: each is shown as a share of its own device's ceiling,
 * and what counts is whether configurations rank alike and what a's winner costs on b.
 */
#ifndef REDSWEEP_COMPARE_DIFF_H
#define REDSWEEP_COMPARE_DIFF_H

#include <stdio.h>

#include "compare/launch.h"
#include "compare/match.h"
#include "compare/rank.h"

enum verdict {
    VERDICT_NONE, /* no times in one of them, or different devices */
    VERDICT_FAST,
    VERDICT_SLOW,
    VERDICT_SAME,
    VERDICT_AMBIG,
    VERDICT_BROKEN,
    VERDICT_FIXED,
    VERDICT_COUNT
};
const char *verdict_name(enum verdict v); /* "" for VERDICT_NONE */

struct diff_options {
    double least_effect; /* a share: 0.01 is 1 % */
    double rate;         /* false discoveries: 0.05 */
};

struct point_diff {
    struct estimate a, b, ratio; /* medians in µs with their intervals, and b / a */
    struct estimate beyond;      /* b / a, when b is moved towards a by the launches' margin */
    double p, q;                 /* of the rank test, and adjusted; NaN: none */
    double least_p;
    double share_a, share_b;   /* percent of the device's own ceiling; NaN: unknown */
    double repeat_a, repeat_b; /* launches that were timed together */
    double excess_a, excess_b; /* µs that a time may be too long by, next to the other: repeat.h */
    enum verdict verdict;
    bool judged;        /* both rows are of one device */
    bool from_interval; /* there were no samples: p is that of the interval */
    bool blind;         /* SAME, but a change of the least effect would not have been seen */
    bool by_repeat;     /* AMBIG only because other numbers of launches were timed together */
};

/* Numbers of a group of points. */
struct diff_summary {
    const char *kernel; /* NULL: of all */
    size_t timed;
    double geometric_mean;   /* of the ratios; NaN without any */
    double share_a, share_b; /* medians; NaN */
    size_t verdicts[VERDICT_COUNT];
    size_t blind;
    size_t other_repeat, by_repeat; /* timed with other numbers of launches; AMBIG because of it */
};

/* One metric that both runs have. */
struct metric_diff {
    int column_a, column_b;
    bool deterministic; /* by the table of metrics: compared exactly */
    const char *rule;   /* why the two devices count it differently; "" when they do not */
    size_t both, equal; /* points with both values; equal, or within the least effect */
    double geometric_mean, largest; /* of b / a; the ratio furthest from 1 */
    size_t largest_pair;
};

/* One problem (type, op, n, cache, scope) on two devices. */
struct transfer {
    size_t pair;               /* one of the problem's pairs, for its names */
    size_t configurations;     /* timed on both */
    double correlation;        /* of their times: Spearman's; NaN below 3 */
    size_t winner_a, winner_b; /* pairs */
    double cost; /* b's time of a's winner over b's time of its own; 1: nothing lost */
};

struct diff {
    const struct results *a, *b;
    struct diff_options options;
    struct match match;
    bool same_device;
    struct launch_margin margin; /* 0 between devices */
    const char *ceiling;       /* the column that shares come from: ceiling_pct or peak_pct */
    struct point_diff *points; /* one per pair */
    struct diff_summary all;
    struct diff_summary *kernels;
    size_t kernel_count;
    struct metric_diff *metrics;
    size_t metric_count;
    struct transfer *transfers; /* only between devices */
    size_t transfer_count;
    struct text changes; /* what differs in provenance, a line each */
};

/*
 * Compares; the runs are borrowed and must outlive the result. ERROR_CONFIG when no point is in
 * both runs.
 */
bool diff_runs(const struct results *a, const struct results *b, const struct diff_options *options,
               struct diff *out, struct error *e);
void diff_free(struct diff *d);

/*
 * The least effect that two runs of the same thing allow: 95 of 100 of their points differ by less
 * than this share (the 95th percentile of |ln ratio|, as a ratio). ERROR_CONFIG when they have no
 * times in common or are of different devices.
 */
bool diff_spread(const struct results *a, const struct results *again, double *share,
                 struct error *e);

/* What differs in what the runs were made with, one line each; nothing: "" (or NULL bytes). */
void diff_provenance(const struct results *a, const struct results *b, struct text *out);

/* Fills d->metrics and d->transfers; false: out of memory. */
bool diff_metrics(struct diff *d);
bool diff_transfers(struct diff *d);

/* The pairs of a verdict, largest change first, at most `most`; their number. */
size_t diff_largest(const struct diff *d, enum verdict v, size_t *pairs, size_t most);

/* The comparison for people. */
void diff_print(const struct diff *d, FILE *to);
/* Everything, for programs. False: memory ran out, or `to` cannot be written. */
bool diff_write_csv(const struct diff *d, FILE *to);
bool diff_write_json(const struct diff *d, FILE *to);

#endif
