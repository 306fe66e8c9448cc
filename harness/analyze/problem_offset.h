/*
 * What the times of two runs differ by though their kernels take the same.
 *
 * Each run is measured in a context of its own (memory, code and queues at other addresses), and
 * its times go in steps of a clock. Between two processes on one card, all times of a problem
 * differ by one offset whatever the kernel; what remains is placement of single points. So
 *
 *   offset      of a group (points of one type, op, n, cache and scope): the median over kernels
 *               of the median over the kernel's points of b − a. One changed kernel does not move
 *               it. Known from three kernels on, and taken out of each point's difference, but no
 *               more of it than contexts explain.
 *   contexts    each run tries k contexts and records its shortest and longest tiny launch: the
 *               standard deviation is the range / d2(k), d2 the expected range of k normal values
 *               (Montgomery, Introduction to Statistical Quality Control, appendix VI).
 *   M           what two contexts explain: 2·√2·sd + one step of the clock (two standard deviations
 *               of a difference). 0 where contexts are not known to differ: within one process.
 *   A           what the placement of one point explains: one step + sd.
 *   inflation   by how much points of one kernel scatter more than their samples say: in each group
 *               the median over kernels of the scaled median absolute value of (d − m) / se, m the
 *               kernel's own median of d = b − a; at least 1, and at least the median over groups,
 *               since one group has few points. Taken from the bulk of the points as
 *               in Devlin & Roeder, Biometrics 55 (1999); corrected for few points as in Croux &
 *               Rousseeuw, Time-efficient algorithms for two highly robust estimators of scale,
 *               Computational Statistics 1 (1992).
 *
 * All times in µs. b against a gives the negative of a against b, always.
 */
#ifndef REDSWEEP_ANALYZE_PROBLEM_OFFSET_H
#define REDSWEEP_ANALYZE_PROBLEM_OFFSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/rank.h"

struct run_margins {
    double step_us;       /* of the coarser clock; 0: unknown */
    double context_sd_us; /* of launches between contexts; 0: one process, or unknown */
    bool one_process;     /* measured both: memory and code of one context */
};

/* M and A, as above. */
double margin_of_contexts(const struct run_margins *m);
double margin_of_placement(const struct run_margins *m);

/* d2(k) for 2 to 25 values, that of 25 above; NaN below 2. */
double expected_normal_range(int values);

/* A context's standard deviation, from the shortest and the longest launch in `contexts` of them;
 * 0 when they do not tell. */
double context_sd(double shortest_us, double longest_us, int contexts);

/* One point that was timed in both runs. */
struct timed_pair {
    uint32_t group, kernel; /* numbers from 0 */
    struct estimate a, b;   /* times in µs with 95 % intervals, whose ends may be NaN */
    const double *samples_a, *samples_b; /* µs, borrowed; counts of 0: the intervals speak alone */
    uint32_t count_a, count_b;
    /* Where a and b are means over placements or processes, and only there: */
    bool placed;
    double median_a, median_b;
    double least_us, most_us; /* of b − a over all processes of both sides */
    uint32_t processes;       /* of the side that has fewer */
    double shared;  /* the part of the standard error of ln(b / a) that the kernel's points share */
    double freedom; /* degrees of freedom of what is within processes */
    double beyond; /* the part of it by which processes differ beyond that; 0: one of each side … */
    double beyond_freedom; /* … with these degrees of freedom */
};

/* Pairs that are made when they are asked for, several times: 10^6 of them take 80 MB. */
struct timed_pairs {
    size_t count;
    struct timed_pair (*get)(const void *context, size_t i);
    const void *context;
};

/* A median of `count` values varies as much as this share of one of them (normal values, many of
 * them: √(π/2) / √count; Kendall & Stuart, The Advanced Theory of Statistics 1, §10). */
double median_error(size_t count);

/* The median's standard errors of both, from their 95 % intervals, and at least what rounding a
 * median to half steps leaves. NaN without intervals. */
double pair_standard_error(const struct timed_pair *pair, double step_us);

struct problem_offset {
    size_t kernels;     /* that were timed in both */
    double observed_us; /* median over kernels; NaN without any */
    double removed_us;  /* the part that is taken out of each point */
    double error_us;    /* its standard error: of a median of medians; 0: unknown */
    double inflation;   /* 1 or more */
};

enum { OFFSET_KERNELS_MIN = 3 };

/* One entry of `out` for each group. */
void problem_offsets(struct timed_pairs pairs, size_t groups, const struct run_margins *margins,
                     struct problem_offset *out);

#endif
