/*
 * Finds the best configurations in one or more runs.
 *
 * A problem is a combination of device, type, op, n, cache and scope. Rows with different scopes
 * never compete, because their times are not comparable. A problem's candidates are its rows with a
 * correct result and a time. Kernels with a data race (the fact `racy`) are excluded, even if their
 * results were right. Rows whose times are too short for the clock (results_unresolved), rows that
 * the search dropped early (results_raced), and kernels with the role peer, limit or harness
 * (base/role.h) are excluded as well. The winner is the candidate with the smallest median. A
 * candidate is tied with the winner if the rank test on the samples finds no difference, or if the
 * interval of the ratio of medians contains 1. The false-discovery rate over the problem's
 * candidates is 5 %.
 *
 * If energy was measured (timing.energy_s), a candidate is beaten if another candidate for its
 * problem takes both less time and less energy. The intervals of both ratios must lie below 1.
 *
 * A series consists of all problems that differ only in n. Its sizes are split into ranges with one
 * winner each. A configuration that is tied with the winner counts as a winner, too, so a range can
 * continue where another configuration is only insignificantly faster. Each series also has an
 * overall choice: the configuration with the smallest regret, which is the geometric mean of its
 * times divided by the winners' times.
 */
#ifndef REDSWEEP_ANALYZE_BEST_H
#define REDSWEEP_ANALYZE_BEST_H

#include "analyze/rank.h"
#include "analyze/results.h"
#include "table/view.h"

struct candidate {
    uint32_t run, row;
    /* identifies the configuration (kernel, block, unroll and tunables) across problems */
    uint32_t configuration;
    bool tied;
    struct estimate time;  /* the time in µs */
    struct estimate ratio; /* this candidate's time divided by the winner's */
    /* the energy in µJ, or NaN if it was not measured or the metric is not a time */
    struct estimate energy;
    bool beaten; /* Another candidate takes less time and less energy. */
    /* the adjusted p of the test against the winner, or NaN if it was not tested */
    double q;
};

struct problem {
    const struct results *runs; /* the runs of the candidates */
    /* ordered by time; the first is the winner */
    struct candidate *candidates;
    /* `count` is the length of `candidates`; `tied` includes the winner. */
    size_t count, tied;
    size_t metered;             /* candidates with an energy */
    struct candidate reference; /* the fastest peer; its time is NaN if there is none */
    /* the fastest candidate with any bits; its time is NaN unless the option same_bits is set */
    struct candidate fastest;
    /* the slowest kernel with the role limit, because it is the tightest lower bound */
    struct candidate limit;
    double n;
    unsigned axes; /* the same set as in struct best */
};

struct range { /* problems [first, last], where one configuration wins */
    size_t first, last, configuration;
    double regret; /* the configuration's regret in the range, minus 1 */
};

struct series {
    size_t first, count; /* the series' problems in struct best, ordered by n */
    struct range *ranges;
    size_t range_count;
    size_t overall;  /* the configuration of the overall choice */
    size_t measured; /* the number of sizes at which this configuration was measured */
    double regret, worst, worst_n;
};

struct best {
    const struct results *runs;
    size_t run_count;
    unsigned axes; /* the axes that at least one run has, from results_axes() */
    const char *metric;
    struct candidate *pool; /* the memory into which the problems point */
    struct problem *problems;
    size_t problem_count;
    struct series *series;
    size_t series_count;
    size_t configurations;
    const struct best_point *same_bits; /* from the options */
    /* how many rows were excluded for each reason */
    size_t racy, failed, untimed, unresolved, raced;
    /* rows shown only for comparison: peers, limits and the harness */
    size_t beside;
    struct text racy_kernels; /* the names of the kernels of the `racy` rows */
};

/* A point that the user named by its id or a prefix of it. */
struct best_point {
    uint32_t run, row;
    const char *bits;
};

struct run_row; /* analyze/results_columns.h */

struct best_options {
    const char *metric;  /* the metric to minimize: time_us_median, or another column */
    bool last_run_alone; /* For a problem that the last run has, earlier runs are ignored. */
    /* If not NULL, only rows whose result is bitwise equal to this point's compete. */
    const struct best_point *same_bits;
};

/*
 * Looks up the point for the option `same_bits` by its id or a prefix of the id. If several runs
 * have this point, the last run's row is used. Fails with ERROR_USAGE if the id matches no point or
 * more than one, and with ERROR_CONFIG if the point has no bits or its launches disagree.
 */
bool best_find_point(const struct results *runs, size_t run_count, const char *id,
                     struct best_point *out, struct error *e);
/*
 * Returns whether a row has the same bits as the point and the same problem. The device and the
 * cache state may differ.
 */
bool best_same_bits(const struct results *runs, const struct best_point *point,
                    const struct results *r, size_t row);

/*
 * Finds the best configurations. The runs must outlive the result. If several runs have the same
 * point on the same device, the last run's row is used. Fails with ERROR_CONFIG if no row can
 * compete, and with ERROR_USAGE if the metric is unknown.
 */
bool best_find(const struct results *runs, size_t run_count, const struct best_options *options,
               struct best *out, struct error *e);
void best_free(struct best *b);

/* Returns whether a row competes for the shortest median time (see the top of this file). */
bool best_competes(const struct results *r, size_t row);

/* Fills in the ranges and the overall choice of each series. b->problems must have been filled. */
void best_series(struct best *b);

/* Returns a configuration's candidate for a problem, or NULL if it was not measured there. */
const struct candidate *best_candidate(const struct problem *p, size_t configuration);

/* Appends the name of a configuration, such as "unroll, block 128, unroll 4". */
void best_name(const struct best *b, const struct candidate *c, struct text *out);

/*
 * Adds the whole answer: a table `winners` for each series, and the ties, ranges and overall
 * choices. Programs also get the table `configurations` with each winner, the configurations tied
 * with it, the references and the limits.
 */
void best_view(const struct best *b, struct view *v);

/*
 * Adds a short answer: the winner of each problem, on at most one screen per device. CPU functions
 * are left out unless the run's device is the CPU. Returns false and adds nothing if there is no
 * winner.
 */
bool best_add_brief(const struct best *b, struct view *v);

/*
 * best_energy_of() returns a row's energy. best_find_beaten() marks the candidates that are beaten.
 * best_add_energy() adds a table of the candidates that have an energy.
 */
#define BEST_ENERGY "energy_uj"
struct estimate best_energy_of(const struct results *r, size_t row);
void best_find_beaten(struct problem *p);
void best_add_energy(const struct best *b, struct view *v);

/*
 * best_row() returns the row of a run that a candidate stands for. best_add_device() adds the
 * columns that describe the rows' devices.
 */
struct run_row best_row(const struct best *b, const struct candidate *c);
void best_add_device(struct table *t, const struct run_row *rows, enum audience audience);

/*
 * Add the parts of the answer that a report shows too: one table with the winners of all problems,
 * the overall choices with an introductory line, and the number of excluded rows. Only series with
 * several sizes have an overall choice.
 */
void best_add_winners(const struct best *b, struct view *v);
void best_add_choices(const struct best *b, struct view *v);
void best_add_excluded(const struct best *b, struct view *v);

/* Appends the name of a series, such as "float32 sum, cache cold, scope kernel". */
void best_append_series(const struct best *b, const struct series *f, struct text *out);

/* Appends a sentence such as "Excluded: N rows whose time is …", or nothing if `rows` is 0. */
void best_append_unresolved(size_t rows, struct text *out);

/* What to measure again. */
struct remeasure {
    size_t fastest;  /* how many of the fastest configurations per problem; 0: the tied ones */
    double energy_s; /* how long each energy measurement takes; 0 for none */
};

/*
 * Writes a config that measures only the configurations selected by `how` again. If none are
 * selected, `out` stays empty.
 */
void best_remeasure_config(const struct best *b, const struct remeasure *how, struct text *out);

#endif
