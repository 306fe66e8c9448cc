/*
 * Compares two runs: which points are faster or slower in run b than in run a, which are the same,
 * which cannot be decided, and which are missing. The runs may differ in devices, kernels and axes.
 *
 * On the same device, every pair of ok rows with times gets a verdict (FAST, SLOW, SAME, UNKNOWN),
 * and so does each kernel in each problem (type, op, n, cache, scope), each kernel, and the run as
 * a whole. times.h states the rules. Three more verdicts do not depend on the device:
 *
 *   BROKEN      the row is ok in a; in b it is not ok, and its status is neither skipped nor
 *               unsupported
 *   FIXED       like BROKEN, with a and b swapped
 *   UNTIMED     both rows are ok and from the same GPU model, but only one of them has a time
 *
 * A point that a search dropped early in one of the runs (FLAG_RACED) is UNKNOWN and does not
 * affect other verdicts.
 *
 * Runs with equal device names and backends count as having the same device if both were measured
 * on one and the same card. They also do if both were measured on the same set of cards and the
 * anchors (points that every card measures) of these cards agree (diff_cards.c). Two cards of one
 * model differ by one or two percent, so times from two cards are judged only on request. On
 * different devices, each time is shown as a share of the ceiling, the bandwidth that its own
 * device achieves. The comparison then shows whether configurations rank in the same order on both
 * devices, and how much slower the winner in a is on b's device than the winner in b.
 *
 * diff_findings.c decides which findings lead to exit code 1. If run a is a published table, each
 * of its cells is compared (diff_published.c).
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
    VERDICT_NONE, /* A run has no time, or the devices differ. */
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

/* Findings that can lead to exit code 1. */
enum diff_failure {
    FAIL_SLOW = 1,  /* A point, a kernel in a problem, a kernel or the run is SLOW. */
    FAIL_WRONG = 2, /* A point is ok in a and wrong in b. */
    /*
     * The row is ok in a. In b it is missing, skipped, unsupported or UNTIMED, or its launch
     * failed.
     */
    FAIL_MISSING = 4,
    /* A deterministic count is higher in b, or a deterministic percentage is lower. */
    FAIL_COUNTS = 8,
    /*
     * The default: FAIL_SLOW, FAIL_WRONG and FAIL_MISSING, plus FAIL_COUNTS if no time is judged.
     * Between runs on two models of device, none of these.
     */
    FAIL_BY_DEFAULT = 16,
    FAIL_BITS = 32 /* The bits of a point's results differ. */
};

/*
 * How the column `bits` compares for a point that is good in both runs (results_good()). Bits vary
 * if launches of one run disagree.
 */
enum bits_verdict {
    BITS_UNKNOWN, /* One of the rows has no bits. */
    BITS_EQUAL,
    BITS_DIFFER, /* The bits differ, or they vary in only one of the runs. */
    BITS_VARY,   /* The bits vary in both runs. */
    BITS_VERDICTS
};
const char *bits_verdict_name(enum bits_verdict v); /* The name of BITS_UNKNOWN is "". */

struct diff_options {
    double minimum_effect; /* a share, for example 0.01 for 1 % */
    double error_rate;     /* the family-wise error rate, for example 0.05 */
    bool across_cards;     /* Treat two cards of one model as one device. */
    unsigned fail_on;      /* the sum of FAIL_… values */
};

extern const struct diff_options diff_default_options;

/*
 * The judgment of a pair of rows. It does not hold the pair's times, because there may be 10^6
 * pairs. diff_time() and diff_ratio() compute the times on demand.
 */
struct point_diff {
    const struct point_effect *effect; /* NULL unless the point's times were judged */
    enum verdict verdict;
};

/* A point whose times are judged, with the numbers of its pair, problem and kernel. */
struct timed_point {
    uint32_t pair, problem, kernel;
};

/* Summarizes the points of one kernel, or all points. */
struct diff_summary {
    const char *kernel; /* NULL if the summary covers all kernels */
    size_t timed;
    /* the geometric mean of the ratios of the measured medians, or NaN if there are none */
    double geometric_mean;
    double share_a, share_b; /* the medians over the points of diff_share(), or NaN if unknown */
    size_t verdicts[VERDICT_COUNT];
    const struct effect *effect; /* NULL if no point was judged */
};

/* Compares a metric that both runs have. */
struct metric_diff {
    const struct column *a, *b;
    /* Values are compared exactly, because the table of metrics calls the metric deterministic. */
    bool deterministic;
    /* why the two devices count the metric differently, or "" if they count alike */
    const char *rule;
    /*
     * how many points have a value in both runs, and for how many of them the two values agree
     * (exactly, or within the minimum effect)
     */
    size_t both, equal;
    /* how many values are compared exactly and can therefore fail */
    size_t exact;
    size_t worse, better; /* how many of the `exact` values got worse or better */
    /* the geometric mean of b / a, and the value of b / a that is furthest from 1 */
    double geometric_mean, largest;
    size_t largest_pair;
};

/* Compares one problem (type, op, n, cache, scope) on two devices. */
struct transfer {
    size_t pair;           /* any pair of the problem, to look up the problem's axes */
    size_t configurations; /* timed on both devices */
    /*
     * Spearman's correlation of the configurations' times on the two devices, or NaN for fewer than
     * 3 configurations
     */
    double correlation;
    size_t winner_a, winner_b; /* the pairs of a's winner and of b's winner */
    /* on b's device, the time of a's winner divided by the time of b's winner */
    double cost;
    double cost_back; /* on a's device, the time of b's winner divided by the time of a's winner */
};

/* How a figure, a printed cell of a published table, is compared with the run's value. */
enum figure_kind {
    /* determined by the access addresses alone, so all printed digits must be equal */
    FIGURE_COUNT,
    /* depends on the GPU and the compiler, so only the order of the rows must be the same */
    FIGURE_ORDER
};
enum figure_verdict {
    FIGURE_EQUAL,      /* The count is equal. */
    FIGURE_SAME_ORDER, /* The order is the same. */
    FIGURE_DIFFERS,
    FIGURE_MISSING, /* The run lacks the value, or all values to rank it against. */
    FIGURE_VERDICTS
};
struct figure {
    const struct column *column; /* the column of the cell in the table */
    /* the run's column for the same quantity, or NULL */
    const char *column_b;
    size_t row; /* the row of the cell in the table */
    enum figure_kind kind;
    enum figure_verdict verdict;
    double value; /* the run's value, or NaN if it is missing */
    /* why the value differs or is missing, or ""; owned by the figure */
    char *why;
};

/*
 * Counts a kernel's lost points. A lost point is ok in a; in b it is missing, was not executed, or
 * has a status other than ok and wrong. UNTIMED points, which are ok in both runs but have a time
 * in only one of them, count as lost, too.
 */
struct diff_lost {
    const char *kernel;
    size_t vanished, skipped, failed, untimed_a, untimed_b;
};

/*
 * What a comparison found, and which of the findings make it fail. Members with numbers count
 * points unless their comment says otherwise.
 */
struct diff_findings {
    /* SLOW points, cells (kernels in one problem), and kernels */
    size_t slow, slow_cells, slow_kernels;
    size_t fast, fast_cells, fast_kernels;
    size_t same, unknown;
    enum time_verdict all;
    size_t wrong, fixed;
    /*
     * Points that are wrong in both runs did not change, so they do not make the comparison fail.
     */
    size_t wrong_in_both;
    /* totals of struct diff_lost over all kernels */
    size_t vanished, skipped, failed, untimed_a, untimed_b;
    size_t counts_worse, counts_better; /* values of deterministic metrics */
    /* the number of points for each value of the column `bits`, even if the devices differ */
    size_t bits[BITS_VERDICTS];
    /* counts of a published table that differ or are missing */
    size_t published_bad;
    unsigned fail_on; /* the requested FAIL_… values, with FAIL_BY_DEFAULT replaced */
    unsigned fails;   /* the values of `fail_on` that were found */
    /* At least one thing was compared that could have failed. */
    bool compared;
};

/* Do not copy this struct: its summaries point to effects within it. */
struct diff {
    const struct results *a, *b;
    unsigned axes; /* the axes that at least one of the runs has: results_axes() */
    struct diff_options options;
    struct match match;
    bool same_device; /* Times are judged only on the same device. */
    /* The runs are from different cards of one model, or from cards whose anchors do not agree. */
    bool other_card;
    struct diff_cards cards;
    struct run_margins margins; /* The margins are 0 between two devices. */
    /* Shares are peak_pct, because at least one run lacks ceiling_pct. */
    bool of_peak;
    struct point_diff *points; /* an entry for each pair */
    /* the verdicts on these points, and on their cells and kernels */
    struct times times;
    VEC(struct timed_point) timed; /* the points whose times were judged */
    struct numbering kernels;      /* the kernels whose times were judged */
    struct row_keys
        /* the problems whose times were judged: type, op, n, cache, scope, and the row's device */
        problems;
    key_columns problem_columns; /* columns of a that identify a problem */
    VEC(size_t) problem_pairs;   /* any pair of each problem, to look up the problem's axes */
    VEC(struct diff_summary)
    /*
     * the summaries of kernels with times, then the summary of all points, then those of kernels
     * without times
     */
    summaries;
    size_t timed_kernels;
    const struct diff_summary *all;
    VEC(struct metric_diff) metrics;
    /* an entry for each problem; if the device is the same, only the winners are used */
    VEC(struct transfer) transfers;
    VEC(struct figure) figures; /* empty unless a is a published table */
    struct text changes;        /* the differences in provenance, one per line */
    VEC(struct diff_lost) lost; /* an entry for each kernel that lost points */
    struct diff_findings findings;
};

/*
 * Compares the runs, which must outlive the result. Fails with ERROR_CONFIG if the runs have no
 * point in common, or if a published table has no figures. A published table may be compared with a
 * run that has none of its points; all of them are then missing.
 */
bool diff_runs(const struct results *a, const struct results *b, const struct diff_options *options,
               struct diff *out, struct error *e);
void diff_free(struct diff *d);

/*
 * Derives the minimum effect from two runs of the same config: 95 % of the points differ by at most
 * *share. Fails with ERROR_CONFIG if the runs have no times in common or are from different
 * devices.
 */
bool diff_spread(const struct results *a, const struct results *again, double *share,
                 struct error *e);

/* Returns a row's median in µs with its interval, or NaN if the row is not good. */
struct estimate diff_time(const struct results *r, size_t row);
/*
 * Returns the ratio b / a of a pair, or NaN if there are no times. For a judged point, this is the
 * tested ratio, without the offset and with the widened interval (times.h).
 */
struct estimate diff_ratio(const struct diff *d, size_t pair);
/* Returns a row's bandwidth in % of its device's ceiling or, if d->of_peak is true, of its peak. */
double diff_share(const struct diff *d, const struct results *r, size_t row);

/*
 * Writes the differences in provenance to `out`, one per line. If there are no differences, `out`
 * is "", or its bytes are NULL.
 */
void diff_provenance(const struct results *a, const struct results *b, struct text *out);

/* Fill d->metrics, d->transfers and d->figures. */
void diff_metrics(struct diff *d);
void diff_transfers(struct diff *d);
void diff_published(struct diff *d);

/*
 * Returns whether two values are equal when printed with this many decimal places. They may differ
 * by half a unit of the last place.
 */
bool diff_equal_as_printed(double a, double b, int places);
int diff_places(const char *cell); /* decimal places; 0 for an integer */

enum bits_verdict diff_bits(const struct diff *d, size_t pair);
/* Fills d->findings.bits. */
void diff_count_bits(struct diff *d);
/*
 * Adds a line that says how many points have equal bits, and in which kernels the bits differ. Adds
 * nothing if no bits are known.
 */
void diff_view_bits(const struct diff *d, struct view *v);

/* Fills d->findings. */
void diff_find(struct diff *d);

/*
 * Returns the ids of the points to measure again because a SLOW verdict depends on them, be it on a
 * point, a kernel in a problem, a kernel, or the whole run. The ids are in ascending order; *count
 * may be 0. The caller frees the array.
 */
uint64_t *diff_slow_points(const struct diff *d, size_t *count);

/*
 * Turns SLOW verdicts into UNKNOWN unless `again` confirms them. `again` compares the same two
 * versions, measured by another process.
 */
void diff_confirm(struct diff *d, const struct diff *again);

/*
 * Returns the exit code. With `strict`, this is DIFF_UNDECIDED if no finding makes the comparison
 * fail, but at least one point is UNKNOWN.
 */
enum { DIFF_FINE = 0, DIFF_FAILS = 1, DIFF_NOTHING = 2, DIFF_UNDECIDED = 3 };
int diff_exit_code(const struct diff *d, bool strict);

/* Returns one line with all findings and the reason for the exit code. The caller frees it. */
char *diff_conclusion(const struct diff *d, bool strict);

/* Returns the headline, one line with the verdict and its cause. The caller frees it. */
char *diff_headline(const struct diff *d, bool strict, enum view_verdict *verdict);

/* Returns whether a metric that is compared exactly got worse for a pair. */
bool diff_count_is_worse(const struct diff *d, const struct metric_diff *m, size_t pair);
/*
 * Appends the names of the metrics that got worse for a pair, and returns how many there are. If
 * `names` is NULL, returns 1 if any metric got worse, and 0 otherwise.
 */
size_t diff_worse_counts(const struct diff *d, size_t pair, struct text *names);

/*
 * Stores in `pairs` at most `max` pairs with the given verdict, largest change first, and returns
 * their number.
 */
size_t diff_largest(const struct diff *d, enum verdict v, size_t *pairs, size_t max);

/*
 * Adds the whole comparison. `d` must outlive the view. `charts` is the JSON for
 * view_html_charts(), or NULL.
 */
void diff_view(const struct diff *d, bool strict, const char *charts, struct view *v);

/*
 * Add parts of the comparison: the published figures, the links to the points with each verdict,
 * the winners of both runs, and the tables of kernels and problems.
 */
void diff_view_published(const struct diff *d, struct view *v);
void diff_view_links(const struct diff *d, struct view *v);
void diff_view_winners(const struct diff *d, struct view *v);
void diff_view_times(const struct diff *d, struct view *v);
void diff_view_changed_problems(const struct diff *d, struct view *v);

/*
 * Lists what more processes could decide: UNKNOWN kernels whose change exceeds the minimum effect,
 * and points and kernels in one problem that would be SLOW or FAST if each side had several
 * processes. Below the list, adds commands that measure more processes. Adds nothing if the list is
 * empty, or if both sides have several processes.
 */
void diff_view_waits(const struct diff *d, struct view *v);
/* Returns how many kernels are UNKNOWN although they changed by more than the minimum effect. */
size_t diff_kernels_waiting(const struct diff *d);

/*
 * Returns an array with a row for each of d->transfers. The row identifies the transfer's problem.
 * The caller frees the array.
 */
struct run_row *diff_transfer_rows(const struct diff *d);
/* Returns the time of a's winner in a, or of b's winner in b, in µs. */
double diff_winner_time(const struct diff *d, const struct transfer *of, bool b);
/* Returns the configuration of a's or b's winner. The table owns the string. */
const char *diff_winner(const struct diff *d, struct table *t, const struct transfer *of, bool b);

#endif
