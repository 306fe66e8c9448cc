/*
 * Finds the best configurations in the rows of one or more runs.
 *
 * A problem is a combination of device, type, op, n, cache and scope. Times of different scopes are
 * not comparable, so rows of different scopes never compete. The candidates of a problem are those
 * of its rows that are right and have a time. Rows of kernels that contain a data race (the fact
 * `racy`) are excluded, even if their results were right. Rows whose times are too short for the
 * clock (results_unresolved) and rows that lost a race (results_raced) are also excluded, as are
 * rows of kernels with the role peer, limit or harness (base/role.h). The winner has the smallest
 * median. A candidate is tied with the winner if the two are statistically indistinguishable. This
 * is the case if the rank test on the samples finds no difference, or if the interval of the ratio
 * of medians contains 1. The test uses a false-discovery rate of 5 % over the problem's candidates.
 *
 * If rows have an energy (timing.energy_s), a candidate is beaten if another candidate of its
 * problem takes less time and also less energy. The interval of the ratio must lie below 1 both for
 * the times and for the energies.
 *
 * A series consists of all problems that differ only in n. Its sizes are divided into ranges with
 * one winner each, and ties are used to make the number of ranges as small as possible. A series
 * also has one choice for all sizes, which is the configuration with the smallest regret. The
 * regret is the geometric mean of the ratios of the configuration's times to the winners' times.
 */
#ifndef REDSWEEP_ANALYZE_BEST_H
#define REDSWEEP_ANALYZE_BEST_H

#include "analyze/rank.h"
#include "analyze/results.h"
#include "table/view.h"

struct candidate {
    uint32_t run, row;
    /*
     * the number that identifies the configuration (kernel, block, unroll and tunables) in all
     * problems
     */
    uint32_t configuration;
    bool tied;
    struct estimate time;  /* the time in µs */
    struct estimate ratio; /* this time divided by the winner's */
    /* the energy in µJ, or NaN if it was not measured or the metric is not a time */
    struct estimate energy;
    bool beaten; /* Another candidate takes less time and less energy. */
    /* the adjusted p of the test for equality with the winner, or NaN if this was not tested */
    double q;
};

struct problem {
    const struct results *runs; /* the runs of the candidates */
    /* the candidates ordered by time, so that the first is the winner */
    struct candidate *candidates;
    size_t count, tied;         /* The number of tied candidates includes the winner. */
    size_t metered;             /* the number of candidates with an energy */
    struct candidate reference; /* the fastest peer; its time is NaN if there is none */
    /* the fastest candidate regardless of its bits; its time is NaN if no bits were asked for */
    struct candidate fastest;
    /*
     * the slowest limiting kernel: no kernel can be faster than a limiting kernel, so the slowest
     * one is the tightest limit
     */
    struct candidate limit;
    double n;
    unsigned axes; /* the same set as in struct best */
};

struct range { /* the range [first, last] of the problems of a series */
    size_t first, last, configuration;
    double regret; /* the geometric mean over the range, minus 1 */
};

struct series {
    size_t first, count; /* the first of its problems and their number; they are ordered by n */
    struct range *ranges;
    size_t range_count;
    size_t overall;  /* the chosen configuration, to which the regrets below belong */
    size_t measured; /* the number of sizes for which it was measured */
    double regret, worst, worst_n;
};

struct best {
    const struct results *runs;
    size_t run_count;
    unsigned axes; /* the axes that at least one run has: results_axes() */
    const char *metric;
    struct candidate *pool; /* the memory into which the problems point */
    struct problem *problems;
    size_t problem_count;
    struct series *series;
    size_t series_count;
    size_t configurations;
    const struct best_point *same_bits;              /* the same as in the options */
    size_t racy, failed, untimed, unresolved, raced; /* the numbers of excluded rows */
    /*
     * the number of rows that are shown only for comparison: those of peers, limits and the harness
     */
    size_t beside;
    struct text racy_kernels; /* the names of the racy kernels, for the message */
};

/* The user named this point by its id or by the beginning of its id. */
struct best_point {
    uint32_t run, row;
    const char *bits;
};

struct run_row; /* analyze/results_columns.h */

struct best_options {
    const char *metric;  /* the metric to minimize: time_us_median, or another column */
    bool last_run_alone; /* If the last run contains a problem, that run alone decides it. */
    /*
     * If this is not NULL, only rows whose results equal this point's result in every bit compete.
     */
    const struct best_point *same_bits;
};

/*
 * Finds the point that the user named by its id, for the option `same_bits`. If several runs
 * contain it, the last run's row is used. The error is ERROR_USAGE if no point or several points
 * match the id. It is ERROR_CONFIG if the point has no bits or if its launches disagree.
 */
bool best_find_point(const struct results *runs, size_t run_count, const char *id,
                     struct best_point *out, struct error *e);
/*
 * Returns whether a row has the same bits as the point, and the same problem apart from the device
 * and the cache state.
 */
bool best_same_bits(const struct results *runs, const struct best_point *point,
                    const struct results *r, size_t row);

/*
 * Finds the best configurations. The runs must outlive the result. If several runs contain the same
 * point of the same device, the last run's row is used. The error is ERROR_CONFIG if no row can
 * compete, and ERROR_USAGE if the metric is unknown.
 */
bool best_find(const struct results *runs, size_t run_count, const struct best_options *options,
               struct best *out, struct error *e);
void best_free(struct best *b);

/* Returns whether a row competes for the shortest median time according to the rules above. */
bool best_competes(const struct results *r, size_t row);

/* Fills in the ranges and the overall choice of each series. The problems must already be known. */
void best_series(struct best *b);

/*
 * Returns a configuration's candidate in a problem, or NULL if the configuration was not measured
 * there.
 */
const struct candidate *best_candidate(const struct problem *p, size_t configuration);

/* Appends the name of a configuration, such as "unroll, block 128, unroll 4". */
void best_name(const struct best *b, const struct candidate *c, struct text *out);

/*
 * Adds the whole answer: a table `winners` for each series, and the ties, ranges and choices. For
 * programs, it also adds the table `configurations`, which contains each winner, each configuration
 * that is tied with it, the references and the limits.
 */
void best_view(const struct best *b, struct view *v);

/*
 * Adds a short answer, which contains the winner of each problem and takes at most one screen for
 * each device. If a run's device is not the CPU, functions on the CPU are left out. If there is no
 * winner, the function adds nothing and returns false.
 */
bool best_add_brief(const struct best *b, struct view *v);

/*
 * These functions read a row's energy, mark the candidates that are beaten and, if any candidates
 * have an energy, add a table of these candidates.
 */
#define BEST_ENERGY "energy_uj"
struct estimate best_energy_of(const struct results *r, size_t row);
void best_find_beaten(struct problem *p);
void best_add_energy(const struct best *b, struct view *v);

/*
 * Tables of candidates use these functions. best_row() returns the source of a row, and
 * best_add_device() adds the columns that describe the rows' devices.
 */
struct run_row best_row(const struct best *b, const struct candidate *c);
void best_add_device(struct table *t, const struct run_row *rows, enum audience audience);

/*
 * These functions add parts of the answer that a report also contains. These parts are the winners
 * of all problems in one table, the choices for all sizes with an introductory line, and the number
 * of excluded rows. Only series with several sizes have a choice.
 */
void best_add_winners(const struct best *b, struct view *v);
void best_add_choices(const struct best *b, struct view *v);
void best_add_excluded(const struct best *b, struct view *v);

/* Appends the name of a series, such as "float32 sum, cache cold, scope kernel". */
void best_append_series(const struct best *b, const struct series *f, struct text *out);

/*
 * Appends a sentence that begins with "Excluded: N rows whose time is …". If no rows are excluded,
 * it appends nothing.
 */
void best_append_unresolved(size_t rows, struct text *out);

/* These options select what is measured again. */
struct remeasure {
    size_t fastest;  /* the number of configurations per problem; 0 selects the tied ones */
    double energy_s; /* the duration of the blocks that measure energy; 0 stands for none */
};

/*
 * Writes a config that measures again only the selected configurations of every problem, and
 * interleaves them. If there are no such configurations, `out` remains empty.
 */
void best_remeasure_config(const struct best *b, const struct remeasure *how, struct text *out);

#endif
