/*
 * Compares two runs: which points became faster or slower, which are the same, which cannot be
 * decided, and which are gone. The runs may differ in devices, kernels and axes.
 *
 * On the same device every pair of ok rows with times gets a verdict (FAST, SLOW, SAME, UNKNOWN),
 * and so does each kernel in each problem (type, op, n, cache, scope), each kernel, and the run as
 * a whole: times.h has the rules. On any devices there are also these verdicts:
 *
 *   BROKEN      a's row is ok, b's is not (and neither skipped nor unsupported)
 *   FIXED       b's row is ok, a's is not: the opposite of BROKEN
 *   UNTIMED     both are ok, of one model, and only one of them has a time
 *
 * A point that lost a race in one of the runs (FLAG_RACED) is UNKNOWN and does not affect other
 * verdicts.
 *
 * Two runs have the same device if name and backend are equal and they ran on one card, or on the
 * same cards and their anchors agree (diff_cards.c). Two cards of one model differ by a percent or
 * two, so their times are judged only if the options ask for it. On different devices each time is
 * shown as a share of its own device's ceiling; the comparison shows whether configurations rank
 * alike and what a's winner costs on b.
 *
 * diff_findings.c decides which findings end in exit code 1. If a is a published table, each of its
 * cells is compared: see diff_published.c.
 */
#ifndef REDSWEEP_ANALYZE_DIFF_H
#define REDSWEEP_ANALYZE_DIFF_H

#include "analyze/diff_cards.h"
#include "analyze/launch.h"
#include "analyze/match.h"
#include "table/numbering.h"
#include "analyze/rank.h"
#include "analyze/times.h"
#include "table/view.h"

enum verdict {
    VERDICT_NONE, /* no times in one of the runs, or different devices */
    VERDICT_FAST,
    VERDICT_SLOW,
    VERDICT_SAME,
    VERDICT_UNKNOWN,
    VERDICT_BROKEN,
    VERDICT_FIXED,
    VERDICT_UNTIMED,
    VERDICT_COUNT
};
const char *verdict_name(enum verdict v); /* "" for VERDICT_NONE */

/* Findings that can end in exit code 1. */
enum diff_failure {
    FAIL_SLOW = 1,  /* a point, a kernel in a problem, a kernel or everything is SLOW */
    FAIL_WRONG = 2, /* a point is ok in a and wrong in b */
    /* The row is ok in a, and in b it is missing, skipped, unsupported or UNTIMED, or its launch
     * failed. */
    FAIL_MISSING = 4,
    FAIL_COUNTS = 8, /* a deterministic count rises, a deterministic share of 100 % falls */
    /* The default: slow, wrong and missing, and also counts if no time is judged; none of these
     * between two models. */
    FAIL_BY_DEFAULT = 16,
    FAIL_BITS = 32 /* a point's results differ in their bits */
};

/* The values of the column `bits` for a point that is good in both runs. */
enum bits_verdict {
    BITS_UNKNOWN, /* one of the rows has no bits */
    BITS_EQUAL,
    BITS_DIFFER, /* the bits differ, or launches disagree in one run only */
    BITS_VARY,   /* launches disagree in both runs */
    BITS_VERDICTS
};
const char *bits_verdict_name(enum bits_verdict v); /* "" for BITS_UNKNOWN */

struct diff_options {
    double minimum_effect; /* a share: 0.01 is 1 % */
    double error_rate;     /* family-wise error rate: 0.05 */
    bool across_cards;     /* two cards of one model count as one device */
    unsigned fail_on;      /* FAIL_…, added up */
};

extern const struct diff_options diff_default_options;

/* A pair's times are computed on demand (diff_time, diff_ratio), because there may be 10^6 pairs. */
struct point_diff {
    const struct point_effect *effect; /* NULL unless the point has judged times */
    enum verdict verdict;
};

/* A judged point with times: its pair, and the numbers of its problem and kernel. */
struct timed_point {
    uint32_t pair, problem, kernel;
};

/* Numbers of a kernel's points, or of all points. */
struct diff_summary {
    const char *kernel; /* NULL: all kernels */
    size_t timed;
    double geometric_mean;   /* mean ratio of medians as measured; NaN if there is none */
    double share_a, share_b; /* medians; NaN if unknown */
    size_t verdicts[VERDICT_COUNT];
    const struct effect *effect; /* NULL: no judged point */
};

/* One metric that both runs have. */
struct metric_diff {
    const struct column *a, *b;
    bool deterministic;   /* deterministic by the table of metrics: compared exactly */
    const char *rule;     /* why the two devices count it differently; "" if they do not */
    size_t both, equal;   /* points with both values; equal ones, or within the effect */
    size_t exact;         /* number of values compared exactly, which can fail */
    size_t worse, better; /* number of these that differ, by direction */
    double geometric_mean, largest; /* the mean of b / a, and the b / a that is furthest from 1 */
    size_t largest_pair;
};

/* One problem (type, op, n, cache, scope) on two devices. */
struct transfer {
    size_t pair;               /* one of the problem's pairs, for its names */
    size_t configurations;     /* number timed on both devices */
    double correlation;        /* Spearman's correlation of their times; NaN below 3 */
    size_t winner_a, winner_b; /* pairs */
    double cost;      /* time on b of a's winner over that of b's winner; 1: nothing lost */
    double cost_back; /* the same on a, with b's winner */
};

/* A printed cell of a published table, and the run's value. */
enum figure_kind {
    FIGURE_COUNT, /* follows from the addresses of accesses: must be equal as printed */
    FIGURE_ORDER  /* depends on GPU and compiler: only the order of its rows must be the same */
};
enum figure_verdict {
    FIGURE_EQUAL,      /* a count that is equal */
    FIGURE_SAME_ORDER, /* an order that is the same */
    FIGURE_DIFFERS,
    FIGURE_MISSING, /* the run has no value, or nothing to order it by */
    FIGURE_VERDICTS
};
struct figure {
    const struct column *column; /* of the table */
    const char *column_b;        /* the run's column that counts the same; NULL: none */
    size_t row;                  /* of the table */
    enum figure_kind kind;
    enum figure_verdict verdict;
    double value; /* the run's value; NaN if missing */
    char *why;    /* reason for a difference or a missing value, else ""; owned */
};

/*
 * Numbers of a kernel's points that are ok in a, and in b are missing, did not run, or have any other
 * status except wrong; and of UNTIMED points, which are ok in both but have no time in a, or in b.
 */
struct diff_lost {
    const char *kernel;
    size_t vanished, skipped, failed, untimed_a, untimed_b;
};

/* The findings, and which of them fail. Members count points unless stated otherwise. */
struct diff_findings {
    size_t slow, slow_cells, slow_kernels; /* points, kernels in one problem, kernels */
    size_t fast, fast_cells, fast_kernels;
    size_t same, unknown;
    enum time_verdict all;
    size_t wrong, fixed;
    /* Totals of struct diff_lost over all kernels. */
    size_t vanished, skipped, failed, untimed_a, untimed_b;
    size_t counts_worse, counts_better; /* values of deterministic metrics */
    size_t bits[BITS_VERDICTS];         /* points, whatever the devices */
    size_t published_bad;               /* counts of a published table that differ or are missing */
    unsigned fail_on;                   /* the findings asked for, with the default resolved */
    unsigned fails;                     /* those among them that were found */
    bool compared;                      /* something was compared that could have failed */
};

/* Points into itself (a summary's effect): never copy one. */
struct diff {
    const struct results *a, *b;
    unsigned axes; /* axes that one of the runs has: results_axes() */
    struct diff_options options;
    struct match match;
    bool same_device; /* Times are judged only on the same device. */
    bool other_card;  /* one model, but two cards, or several that do not agree */
    struct diff_cards cards;
    struct run_margins margins;    /* 0 between devices */
    bool of_peak;                  /* shares are peak_pct, because not both runs have ceiling_pct */
    struct point_diff *points;     /* one per pair */
    struct times times;            /* the verdicts on the judged points with times */
    VEC(struct timed_point) timed; /* the pairs of these points */
    struct numbering kernels;      /* the kernels of judged times */
    struct row_keys
        problems; /* the problems of judged times: type, op, n, cache, scope, device of the row */
    key_columns problem_columns; /* columns of a that identify a row's problem */
    VEC(size_t) problem_pairs;   /* one pair of each problem, for its names */
    VEC(struct diff_summary)
    summaries; /* the summaries of kernels with times, of all points, and of other kernels */
    size_t timed_kernels;
    const struct diff_summary *all;
    VEC(struct metric_diff) metrics;
    VEC(struct transfer) transfers; /* one per problem; on one device, for its winners */
    VEC(struct figure) figures;     /* only if a is a published table */
    struct text changes;            /* differences in provenance, one per line */
    VEC(struct diff_lost) lost;     /* one per kernel that lost points */
    struct diff_findings findings;
};

/*
 * Compares the runs, which are borrowed and must outlive the result. ERROR_CONFIG if no point is in
 * both runs (unless a is a published table, whose points are then all missing), or if a published
 * table has no figures.
 */
bool diff_runs(const struct results *a, const struct results *b, const struct diff_options *options,
               struct diff *out, struct error *e);
void diff_free(struct diff *d);

/*
 * Computes the minimum effect that follows from two runs of the same config: 95 of 100 of their points differ
 * by less than this share (the 95th percentile of |ln ratio|, as a ratio). The error is ERROR_CONFIG if they
 * have no times in common or are of different devices.
 */
bool diff_spread(const struct results *a, const struct results *again, double *share,
                 struct error *e);

/* Returns a row's median in µs with its interval, or NaN if the row is not good. */
struct estimate diff_time(const struct results *r, size_t row);
/*
 * Returns a pair's b / a; for judged points this is the tested ratio, without the offset and with a widened
 * interval. The result is NaN without times.
 */
struct estimate diff_ratio(const struct diff *d, size_t pair);
/* Returns a row's median as percent of the device's own ceiling. */
double diff_share(const struct diff *d, const struct results *r, size_t row);

/* Differences in how the runs were made, one line each; "" (or NULL bytes) if there are none. */
void diff_provenance(const struct results *a, const struct results *b, struct text *out);

/* These fill d->metrics, d->transfers and d->figures. */
void diff_metrics(struct diff *d);
void diff_transfers(struct diff *d);
void diff_published(struct diff *d);

/* Printed cells with this many decimal places are equal if they differ by at most half a unit of
 * the last place. */
bool diff_equal_as_printed(double a, double b, int places);
int diff_places(const char *cell); /* number of decimal places; 0: none */

enum bits_verdict diff_bits(const struct diff *d, size_t pair);
/* Fills d->findings.bits. */
void diff_count_bits(struct diff *d);
/* Adds a line that states how many points have equal bits, and in which kernels they differ; nothing
 * if no bits are known. */
void diff_view_bits(const struct diff *d, struct view *v);

/* Fills d->findings. */
void diff_find(struct diff *d);

/*
 * Returns the ids of the points behind a SLOW verdict (on a point, a kernel at a problem, a kernel, or all),
 * which should be measured again. They ascend, and the caller frees them; *count may be 0.
 */
uint64_t *diff_slow_points(const struct diff *d, size_t *count);

/*
 * Keeps the SLOW verdicts that `again` has as well; the others become UNKNOWN. `again` compares the
 * same two versions, measured by another process.
 */
void diff_confirm(struct diff *d, const struct diff *again);

/*
 * Exit codes. 0: nothing fails; 1: something does; 2: nothing was compared; 3: nothing fails, but with
 * `strict` a point is UNKNOWN.
 */
enum { DIFF_FINE = 0, DIFF_FAILS = 1, DIFF_NOTHING = 2, DIFF_UNDECIDED = 3 };
int diff_exit_code(const struct diff *d, bool strict);

/* All findings and the reason for the exit code, in one line; the caller frees it. */
char *diff_conclusion(const struct diff *d, bool strict);

/* Returns the verdict and its cause, in one line. The caller frees it. */
char *diff_headline(const struct diff *d, bool strict, enum view_verdict *verdict);

/* Returns whether a metric that is compared exactly got worse at a pair. */
bool diff_count_is_worse(const struct diff *d, const struct metric_diff *m, size_t pair);
/* Appends the names of the metrics that got worse and returns their number; if `names` is NULL, returns
 * whether there is one. */
size_t diff_worse_counts(const struct diff *d, size_t pair, struct text *names);

/* Lists at most `max` pairs of a verdict, the largest change first, and returns their number. */
size_t diff_largest(const struct diff *d, enum verdict v, size_t *pairs, size_t max);

/* Adds the whole comparison. The view needs `d`. `charts` are the charts of a page (view_html_charts());
 * NULL if there are none. */
void diff_view(const struct diff *d, bool strict, const char *charts, struct view *v);

/* Parts of the comparison: published figures; the beginning of its page, with links to the points
 * behind the verdicts; the winners of both runs; and kernels and problems. */
void diff_view_published(const struct diff *d, struct view *v);
void diff_view_links(const struct diff *d, struct view *v);
void diff_view_winners(const struct diff *d, struct view *v);
void diff_view_times(const struct diff *d, struct view *v);
void diff_view_changed_problems(const struct diff *d, struct view *v);

/*
 * Lists kernels, kernels at one problem, and points that would be SLOW or FAST, or are beyond the
 * minimum effect, but may differ only because processes differ. Commands to be pasted follow, which
 * measure more processes, so that these findings can be decided. Prints nothing if there are none, or
 * if both sides have several processes.
 */
void diff_view_waits(const struct diff *d, struct view *v);
/* Returns the number of kernels that are UNKNOWN, though they changed by more than the minimum effect. */
size_t diff_kernels_waiting(const struct diff *d);

/* Returns the rows that name the problems of the transfers. The caller frees them. */
struct run_row *diff_transfer_rows(const struct diff *d);
/* Returns the time, in µs, of a's winner in a, or of b's in b. */
double diff_winner_time(const struct diff *d, const struct transfer *of, bool b);
/* Returns the configuration of a's or b's winner, which the table keeps. */
const char *diff_winner(const struct diff *d, struct table *t, const struct transfer *of, bool b);

#endif
