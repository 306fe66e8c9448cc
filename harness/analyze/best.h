/*
 * Finds which configuration to use, from the rows of one run or more.
 *
 * A problem is (device, type, op, n, cache, scope). Times of different scopes are not comparable,
 * so they never compete. Its candidates are the right rows with a time, except kernels that may be
 * wrong although they passed (the fact `racy`), times that the clock hardly resolves
 * (results_unresolved), rows that lost a race (results_raced), and rows of kernels with the role
 * peer, limit or harness (base/role.h). The winner has the smallest median. A candidate ties with
 * it if the two are statistically indistinguishable. They are if the rank test on the samples, with
 * a false-discovery rate of 5 % over the problem's candidates, finds no difference, or if the
 * interval of the ratio of medians contains 1.
 *
 * If rows have an energy (timing.energy_s), a candidate is beaten if another one of its problem
 * takes less time and less energy, both beyond the interval of the ratio.
 *
 * A series is all problems that differ only in n. It has a winner for each range of its sizes
 * (as few ranges as ties allow), and one choice for all sizes: the configuration with the smallest
 * regret, the geometric mean of its time over the winner's.
 */
#ifndef REDSWEEP_ANALYZE_BEST_H
#define REDSWEEP_ANALYZE_BEST_H

#include "analyze/rank.h"
#include "analyze/results.h"
#include "table/view.h"

struct candidate {
    uint32_t run, row;
    uint32_t configuration; /* number of its kernel, block, unroll and tunables, for all problems */
    bool tied;
    struct estimate time;   /* µs */
    struct estimate ratio;  /* this time over the winner's */
    struct estimate energy; /* µJ; NaN if not measured, or if the metric is no time */
    bool beaten;            /* another candidate takes less time and less energy */
    double q;               /* adjusted p of equality with the winner; NaN: not tested */
};

struct problem {
    const struct results *runs;   /* the runs of the candidates */
    struct candidate *candidates; /* ordered by time; the first is the winner */
    size_t count, tied;           /* tied includes the winner */
    size_t metered;               /* number of candidates with an energy */
    struct candidate reference;   /* the fastest peer; its time is NaN if there is none */
    struct candidate fastest;     /* fastest with any bits; NaN unless bits were asked for */
    struct candidate limit;       /* the slowest limiting kernel: no kernel can beat all of them */
    double n;
    unsigned axes; /* the same as in struct best */
};

struct range { /* problems of a series: [first, last] */
    size_t first, last, configuration;
    double regret; /* geometric mean − 1 over the range */
};

struct series {
    size_t first, count; /* its problems, by n */
    struct range *ranges;
    size_t range_count;
    size_t overall;  /* the chosen configuration, which has the regrets below */
    size_t measured; /* number of sizes at which it was measured */
    double regret, worst, worst_n;
};

struct best {
    const struct results *runs;
    size_t run_count;
    unsigned axes; /* axes that some run has: results_axes() */
    const char *metric;
    struct candidate *pool; /* owns the memory that problems point into */
    struct problem *problems;
    size_t problem_count;
    struct series *series;
    size_t series_count;
    size_t configurations;
    const struct best_point *same_bits;              /* the same as in the options */
    size_t racy, failed, untimed, unresolved, raced; /* number of excluded rows */
    size_t beside; /* rows of peers, limits and the harness, with which others are compared */
    struct text racy_kernels; /* their names, for the message */
};

/* A point that the user named by its id or the beginning of one. */
struct best_point {
    uint32_t run, row;
    const char *bits;
};

struct run_row; /* analyze/results_columns.h */

struct best_options {
    const char *metric;  /* the metric to minimize: time_us_median, or another column */
    bool last_run_alone; /* a problem that the last run has is decided by the last run alone */
    const struct best_point *same_bits; /* only rows compete whose results equal this point's in
                                           every bit; NULL: all rows do */
};

/*
 * Finds the point whose bits are asked for; if several runs have it, the last run's row counts.
 * ERROR_USAGE for an id that matches no point or several, ERROR_CONFIG for a point that has no bits,
 * or whose launches disagree.
 */
bool best_find_point(const struct results *runs, size_t run_count, const char *id,
                     struct best_point *out, struct error *e);
/*
 * Returns whether a row belongs to the point's problem, on any device and with any cache, and has its bits.
 */
bool best_same_bits(const struct results *runs, const struct best_point *point,
                    const struct results *r, size_t row);

/*
 * `runs` are borrowed. If several runs have the same point of the same device, the last run's row
 * counts. ERROR_CONFIG when no row can compete, ERROR_USAGE for an unknown metric.
 */
bool best_find(const struct results *runs, size_t run_count, const struct best_options *options,
               struct best *out, struct error *e);
void best_free(struct best *b);

/* Returns whether a row competes by its median time, by the rules above. */
bool best_competes(const struct results *r, size_t row);

/* Fills ranges and overall choices of series whose problems are known. */
void best_series(struct best *b);

/* Returns the candidate of a configuration in a problem, or NULL if it was not measured there. */
const struct candidate *best_candidate(const struct problem *p, size_t configuration);

/* Appends "kernel, block 128, unroll 4". */
void best_name(const struct best *b, const struct candidate *c, struct text *out);

/*
 * Adds the whole answer: a table `winners` per series, ties, ranges and choices. Programs get the table
 * `configurations`, with each winner, each configuration that ties with it, references and limits.
 */
void best_view(const struct best *b, struct view *v);

/*
 * Adds the answer in at most a screen for each device: the winner of each problem, without functions of
 * the CPU in a run on another device. Returns false, and adds nothing, if there is no winner.
 */
bool best_add_brief(const struct best *b, struct view *v);

/* best_energy.c reads a row's energy, marks the candidates that are beaten, and adds the table of all
 * candidates that have an energy, unless there are none. */
#define BEST_ENERGY "energy_uj"
struct estimate best_energy_of(const struct results *r, size_t row);
void best_find_beaten(struct problem *p);
void best_add_energy(const struct best *b, struct view *v);

/* For tables of candidates: the source of each row, and the columns of its device. */
struct run_row best_row(const struct best *b, const struct candidate *c);
void best_add_device(struct table *t, const struct run_row *rows, enum audience audience);

/*
 * Parts that a report shows as well: the winners of all problems in one table; for each series of
 * several sizes the one choice for all of them, under a line that introduces it; and the number of
 * excluded rows.
 */
void best_add_winners(const struct best *b, struct view *v);
void best_add_choices(const struct best *b, struct view *v);
void best_add_excluded(const struct best *b, struct view *v);

/* Appends "float32 sum, cache cold, scope kernel": the name of a series. */
void best_append_series(const struct best *b, const struct series *f, struct text *out);

/* Appends "Excluded: N rows whose time is …", or nothing for 0 rows. */
void best_append_unresolved(size_t rows, struct text *out);

/* The choice of what to measure again. */
struct remeasure {
    size_t fastest;  /* number of configurations per problem; 0: the tied ones */
    double energy_s; /* length of blocks that measure their energy; 0: none */
};

/*
 * Writes a config that measures only these configurations of every problem again, interleaved. Leaves
 * `out` empty if there are none.
 */
void best_remeasure_config(const struct best *b, const struct remeasure *how, struct text *out);

#endif
