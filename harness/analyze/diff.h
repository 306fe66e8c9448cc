/*
 * Compares two runs. It finds which points became faster or slower, which did not change, which
 * cannot be decided, and which are missing. The runs may differ in devices, kernels and axes.
 *
 * On the same device, every pair of ok rows with times gets a verdict (FAST, SLOW, SAME, UNKNOWN).
 * Each kernel in each problem (type, op, n, cache, scope), each kernel, and the run as a whole also
 * get a verdict. times.h states the rules. The following verdicts exist whether or not the devices
 * are the same:
 *
 *   BROKEN      a's row is ok; b's row has any status other than ok, skipped and unsupported
 *   FIXED       the same as BROKEN with a and b exchanged
 *   UNTIMED     both rows are ok and come from one GPU model, and only one of them has a time
 *
 * If a search dropped a point early in one of the runs (FLAG_RACED), the point is UNKNOWN and does
 * not affect other verdicts.
 *
 * Two runs have the same device in two cases. In the first, the device's name and backend are
 * equal, and both runs were measured on one card. In the second, both were measured on the same
 * cards, and the anchors of these cards agree (diff_cards.c). Two cards of one model differ by one
 * or two percent, so times from two cards are judged only if the options ask for it. On different
 * devices, each time is shown as a share of its own device's ceiling. The comparison then shows
 * whether configurations rank in the same order, and how much slower a's winner is on b than b's
 * own winner.
 *
 * diff_findings.c decides which findings cause exit code 1. If run a is a published table, each of
 * its cells is compared (diff_published.c).
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
    VERDICT_NONE, /* One of the runs has no time, or the devices differ. */
    VERDICT_FAST,
    VERDICT_SLOW,
    VERDICT_SAME,
    VERDICT_UNKNOWN,
    VERDICT_BROKEN,
    VERDICT_FIXED,
    VERDICT_UNTIMED,
    VERDICT_COUNT
};
const char *verdict_name(enum verdict v); /* The name of VERDICT_NONE is "". */

/* These findings can cause exit code 1. */
enum diff_failure {
    FAIL_SLOW = 1,  /* A point, a kernel in a problem, a kernel or the whole run is SLOW. */
    FAIL_WRONG = 2, /* A point is ok in a and wrong in b. */
    /*
     * The row is ok in a. In b it is missing, skipped, unsupported or UNTIMED, or its launch
     * failed.
     */
    FAIL_MISSING = 4,
    FAIL_COUNTS = 8, /* A deterministic count rises, or a deterministic share of 100 % falls. */
    /*
     * This is the default. It stands for FAIL_SLOW, FAIL_WRONG and FAIL_MISSING, and also for
     * FAIL_COUNTS if no time is judged. Between two models, it stands for none of these.
     */
    FAIL_BY_DEFAULT = 16,
    FAIL_BITS = 32 /* The bits of a point's results differ. */
};

/* These are the values of the column `bits` for a point that is good in both runs. */
enum bits_verdict {
    BITS_UNKNOWN, /* One of the rows has no bits. */
    BITS_EQUAL,
    BITS_DIFFER, /* The bits differ, or launches disagree in only one of the runs. */
    BITS_VARY,   /* Launches disagree in both runs. */
    BITS_VERDICTS
};
const char *bits_verdict_name(enum bits_verdict v); /* The name of BITS_UNKNOWN is "". */

struct diff_options {
    double minimum_effect; /* a share, for example 0.01 for 1 % */
    double error_rate;     /* the family-wise error rate, for example 0.05 */
    bool across_cards;     /* Two cards of one model are treated as one device. */
    unsigned fail_on;      /* the sum of FAIL_… values */
};

extern const struct diff_options diff_default_options;

/*
 * This struct does not contain the pair's times, because there may be 10^6 pairs. diff_time() and
 * diff_ratio() compute them when they are needed.
 */
struct point_diff {
    const struct point_effect *effect; /* NULL unless the point's times were judged */
    enum verdict verdict;
};

/*
 * This is a point whose times are judged. It contains the numbers of its pair, its problem and its
 * kernel.
 */
struct timed_point {
    uint32_t pair, problem, kernel;
};

/* This summarizes the points of one kernel, or all points. */
struct diff_summary {
    const char *kernel; /* NULL if the summary covers all kernels */
    size_t timed;
    /* the geometric mean of the ratios of the measured medians, or NaN if there are none */
    double geometric_mean;
    double share_a, share_b; /* the medians of the shares, or NaN if they are unknown */
    size_t verdicts[VERDICT_COUNT];
    const struct effect *effect; /* NULL if no point was judged */
};

/* This compares a metric that both runs have. */
struct metric_diff {
    const struct column *a, *b;
    /* The table of metrics calls the metric deterministic, so its values are compared exactly. */
    bool deterministic;
    /* the reason why the two devices count it differently, or "" if they count alike */
    const char *rule;
    /*
     * the number of points that have both values, and the number of those whose values agree
     * (exactly, or within the minimum effect)
     */
    size_t both, equal;
    /* the number of values that are compared exactly and therefore can fail */
    size_t exact;
    size_t worse, better; /* the numbers of exact values that got worse and that got better */
    /* the geometric mean of b / a, and the value of b / a that is furthest from 1 */
    double geometric_mean, largest;
    size_t largest_pair;
};

/* This compares one problem (type, op, n, cache, scope) on two devices. */
struct transfer {
    size_t pair;           /* one of the problem's pairs, which gives the problem's names */
    size_t configurations; /* the number of configurations that were timed on both devices */
    /* Spearman's correlation of their times, or NaN for fewer than 3 configurations */
    double correlation;
    size_t winner_a, winner_b; /* the pairs of the two winners */
    /* the time on b of a's winner divided by the time on b of b's winner */
    double cost;
    double cost_back; /* the time on a of b's winner divided by that of a's winner */
};

/* This compares a printed cell of a published table with the run's value. */
enum figure_kind {
    /* The value follows from the addresses of accesses, so all printed digits must be equal. */
    FIGURE_COUNT,
    /*
     * The value depends on the GPU and the compiler, so only its order among the rows must be the
     * same.
     */
    FIGURE_ORDER
};
enum figure_verdict {
    FIGURE_EQUAL,      /* The count is equal. */
    FIGURE_SAME_ORDER, /* The order is the same. */
    FIGURE_DIFFERS,
    FIGURE_MISSING, /* The run has no value, or no other values to compare its order with. */
    FIGURE_VERDICTS
};
struct figure {
    const struct column *column; /* the column of the table */
    /* the run's column that counts the same quantity, or NULL if there is none */
    const char *column_b;
    size_t row; /* the row of the table */
    enum figure_kind kind;
    enum figure_verdict verdict;
    double value; /* the run's value, or NaN if it is missing */
    /* the reason for a difference or a missing value, or ""; the figure owns the string */
    char *why;
};

/*
 * This counts the lost points of a kernel. A lost point is ok in a. In b, it is missing, was not
 * executed, or has any status other than ok and wrong. UNTIMED points are counted as well. They are
 * ok in both runs, but one run has no time for them.
 */
struct diff_lost {
    const char *kernel;
    size_t vanished, skipped, failed, untimed_a, untimed_b;
};

/*
 * These are the findings of a comparison. The struct also states which of them fail. A member
 * counts points unless its comment says otherwise.
 */
struct diff_findings {
    /* the numbers of points, of kernels in one problem, and of kernels */
    size_t slow, slow_cells, slow_kernels;
    size_t fast, fast_cells, fast_kernels;
    size_t same, unknown;
    enum time_verdict all;
    size_t wrong, fixed;
    size_t wrong_in_both; /* These points fail no gate, because nothing changed. */
    /* The next members are the totals of struct diff_lost over all kernels. */
    size_t vanished, skipped, failed, untimed_a, untimed_b;
    size_t counts_worse, counts_better; /* the numbers of values of deterministic metrics */
    /* the number of points for each value of the column `bits`, even if the devices differ */
    size_t bits[BITS_VERDICTS];
    /* the number of counts of a published table that differ or are missing */
    size_t published_bad;
    unsigned fail_on; /* the requested findings, with the default resolved */
    unsigned fails;   /* the requested findings that were found */
    /* At least one comparison that could have failed was made. */
    bool compared;
};

/*
 * This struct must not be copied, because it contains pointers into itself (the effects of
 * summaries).
 */
struct diff {
    const struct results *a, *b;
    unsigned axes; /* the axes that at least one of the runs has: results_axes() */
    struct diff_options options;
    struct match match;
    bool same_device; /* Times are judged only on the same device. */
    /*
     * The model is the same, but there are two cards, or several cards whose anchors do not agree.
     */
    bool other_card;
    struct diff_cards cards;
    struct run_margins margins; /* The margins are 0 between two devices. */
    /* The shares are peak_pct, because at least one run lacks ceiling_pct. */
    bool of_peak;
    struct point_diff *points;     /* an entry for each pair */
    struct times times;            /* the verdicts on the judged points with times */
    VEC(struct timed_point) timed; /* the pairs of these points */
    struct numbering kernels;      /* the kernels whose times were judged */
    struct row_keys
        /* the problems whose times were judged: type, op, n, cache, scope, and the row's device */
        problems;
    key_columns problem_columns; /* the columns of a that identify a row's problem */
    VEC(size_t) problem_pairs;   /* one pair of each problem, which gives the problem's names */
    VEC(struct diff_summary)
    /*
     * the summaries of kernels with times, then the summary of all points, then those of kernels
     * without times
     */
    summaries;
    size_t timed_kernels;
    const struct diff_summary *all;
    VEC(struct metric_diff) metrics;
    /* an entry for each problem; on one device, only the winners are used */
    VEC(struct transfer) transfers;
    VEC(struct figure) figures; /* empty unless a is a published table */
    struct text changes;        /* the differences in provenance, one per line */
    VEC(struct diff_lost) lost; /* an entry for each kernel that lost points */
    struct diff_findings findings;
};

/*
 * Compares the runs, which must outlive the result. The error is ERROR_CONFIG if the runs have no
 * point in common, or if a published table has no figures. A published table can be compared with a
 * run that contains none of the table's points. All of these points are then missing.
 */
bool diff_runs(const struct results *a, const struct results *b, const struct diff_options *options,
               struct diff *out, struct error *e);
void diff_free(struct diff *d);

/*
 * Computes the minimum effect from two runs of the same config. It is the 95th percentile of |ln
 * ratio| over their points, converted to a share, so 95 % of the points differ by no more than this
 * share. The error is ERROR_CONFIG if the runs have no times in common or come from different
 * devices.
 */
bool diff_spread(const struct results *a, const struct results *again, double *share,
                 struct error *e);

/*
 * Returns a row's median in µs and its interval. The median and the interval are NaN if the row is
 * not good.
 */
struct estimate diff_time(const struct results *r, size_t row);
/*
 * Returns the ratio b / a of a pair. For judged points, this is the tested ratio, without the
 * offset and with the widened interval. If there are no times, it is NaN.
 */
struct estimate diff_ratio(const struct diff *d, size_t pair);
/* Returns a row's median as a percentage of its device's ceiling. */
double diff_share(const struct diff *d, const struct results *r, size_t row);

/*
 * Writes to `out` the differences between the provenance of the two runs, one per line. If there
 * are none, `out` is "", or its bytes are NULL.
 */
void diff_provenance(const struct results *a, const struct results *b, struct text *out);

/* These fill d->metrics, d->transfers and d->figures. */
void diff_metrics(struct diff *d);
void diff_transfers(struct diff *d);
void diff_published(struct diff *d);

/*
 * Returns whether two values are equal if one of them was printed with this many decimal places.
 * This is the case if they differ by at most half a unit of the last place.
 */
bool diff_equal_as_printed(double a, double b, int places);
int diff_places(const char *cell); /* the number of decimal places; 0 for an integer */

enum bits_verdict diff_bits(const struct diff *d, size_t pair);
/* Fills d->findings.bits. */
void diff_count_bits(struct diff *d);
/*
 * Adds a line that states how many points have equal bits, and in which kernels the bits differ. It
 * adds nothing if no bits are known.
 */
void diff_view_bits(const struct diff *d, struct view *v);

/* Fills d->findings. */
void diff_find(struct diff *d);

/*
 * Returns the ids of the points that should be measured again, because a SLOW verdict depends on
 * them. The verdict may concern a point, a kernel in a problem, a kernel, or the whole run. The ids
 * are in ascending order, and *count may be 0. The caller frees the array.
 */
uint64_t *diff_slow_points(const struct diff *d, size_t *count);

/*
 * Keeps the SLOW verdicts that `again` also contains, and changes all other SLOW verdicts to
 * UNKNOWN. `again` compares the same two versions, but another process measured them.
 */
void diff_confirm(struct diff *d, const struct diff *again);

/*
 * Returns the exit code. It is 0 if no finding fails, 1 if a finding fails, and 2 if nothing was
 * compared. With `strict`, it is 3 if no finding fails but at least one point is UNKNOWN.
 */
enum { DIFF_FINE = 0, DIFF_FAILS = 1, DIFF_NOTHING = 2, DIFF_UNDECIDED = 3 };
int diff_exit_code(const struct diff *d, bool strict);

/* Returns all findings and the reason for the exit code, in one line. The caller frees it. */
char *diff_conclusion(const struct diff *d, bool strict);

/* Returns the headline: the verdict and its cause, in one line. The caller frees it. */
char *diff_headline(const struct diff *d, bool strict, enum view_verdict *verdict);

/* Returns whether a metric that is compared exactly got worse for a pair. */
bool diff_count_is_worse(const struct diff *d, const struct metric_diff *m, size_t pair);
/*
 * Appends the names of the metrics that got worse for a pair, and returns their number. If `names`
 * is NULL, it returns 1 if there is at least one, and 0 otherwise.
 */
size_t diff_worse_counts(const struct diff *d, size_t pair, struct text *names);

/*
 * Lists at most `max` pairs with the given verdict, sorted from the largest change to the smallest,
 * and returns their number.
 */
size_t diff_largest(const struct diff *d, enum verdict v, size_t *pairs, size_t max);

/*
 * Adds the whole comparison. `d` must outlive the view. `charts` are the charts of a page
 * (view_html_charts()), or NULL if there are none.
 */
void diff_view(const struct diff *d, bool strict, const char *charts, struct view *v);

/*
 * These functions add parts of the comparison: the published figures, the links at the beginning of
 * the page, the winners of both runs, and the tables of kernels and problems. The links lead to the
 * points behind the verdicts.
 */
void diff_view_published(const struct diff *d, struct view *v);
void diff_view_links(const struct diff *d, struct view *v);
void diff_view_winners(const struct diff *d, struct view *v);
void diff_view_times(const struct diff *d, struct view *v);
void diff_view_changed_problems(const struct diff *d, struct view *v);

/*
 * Lists findings that may exist only because processes differ. These are UNKNOWN kernels whose
 * change exceeds the minimum effect. The list also contains points, and kernels in one problem,
 * that would be SLOW or FAST if each side had several processes. Below the list, it adds commands
 * that measure more processes, so that these findings can be decided. If there are no such
 * findings, or if both sides have several processes, it adds nothing.
 */
void diff_view_waits(const struct diff *d, struct view *v);
/*
 * Returns the number of kernels that are UNKNOWN although they changed by more than the minimum
 * effect.
 */
size_t diff_kernels_waiting(const struct diff *d);

/* Returns, for each transfer, a row that names its problem. The caller frees the array. */
struct run_row *diff_transfer_rows(const struct diff *d);
/* Returns the time in µs of a's winner in a, or of b's winner in b. */
double diff_winner_time(const struct diff *d, const struct transfer *of, bool b);
/* Returns the configuration of a's or b's winner as a string, which the table owns. */
const char *diff_winner(const struct diff *d, struct table *t, const struct transfer *of, bool b);

#endif
