/*
 * Estimates how much the times of two runs differ even when their kernels take equally long.
 *
 * Each run has its own context, with memory, code and queues at different addresses, and its times
 * are multiples of a clock step. Between two processes on one card, all times of a problem differ
 * by the same offset, whatever the kernel. Differences beyond the offset are due to the placement
 * of individual points in memory. The terms are:
 *
 *   offset      Each group, the points of one type, op, n, cache and scope, has an offset: the
 *               median over its kernels of each kernel's median of b − a. A change in one kernel
 *               does not change this median. The offset is known if the group has at least three
 *               kernels. It is subtracted from each point's difference, but no more of it than M.
 *   contexts    Each run tries k contexts and records its shortest and longest tiny launch. The
 *               standard deviation sd is the range divided by d2(k), where d2 is the expected range
 *               of k normal values (Montgomery, Introduction to Statistical Quality Control,
 *               appendix VI).
 *   M           The largest difference that two contexts can explain: 2·√2·sd (two standard
 *               deviations of a difference) + one step of the clock. Within one process, there is
 *               only one context and M is 0.
 *   A           The largest difference that the placement of one point can explain: one step of the
 *               clock + sd.
 *   inflation   The factor by which points of one kernel scatter more than their samples suggest. A
 *               kernel's scatter in a group is the scaled median absolute value of (d − m) / se,
 *               where d = b − a, m is the median of d, and se is the standard error of d. The
 *               inflation is the median scatter over the kernels. It is raised to at least 1 and,
 *               because a single group has few points, to at least the median of all groups'
 *               inflations. Only the majority of the points decides the inflation, as in Devlin &
 *               Roeder, Biometrics 55 (1999). For small counts, it is corrected as in Croux &
 *               Rousseeuw, Time-efficient algorithms for two highly robust estimators of scale,
 *               Computational Statistics 1 (1992).
 *
 * All times are in µs. Swapping a and b flips the signs of offsets and changes nothing else.
 */
#ifndef REDSWEEP_ANALYZE_PROBLEM_OFFSET_H
#define REDSWEEP_ANALYZE_PROBLEM_OFFSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/rank.h"

struct run_margins {
    double step_us; /* the step of the clock with the larger step, or 0 if unknown */
    /*
     * the standard deviation of launch times between contexts; 0 if it is unknown or if one process
     * measured both runs
     */
    double context_sd_us;
    /* One process measured both runs in one context. */
    bool one_process;
};

/* Return the margins M and A defined at the top of this file. */
double margin_of_contexts(const struct run_margins *m);
double margin_of_placement(const struct run_margins *m);

/* Returns d2(k) for k from 2 to 25, d2(25) for larger k, and NaN for smaller k. */
double expected_normal_range(int values);

/*
 * Returns the standard deviation of launch times between contexts, given the shortest and the
 * longest launch in `contexts` contexts, or 0 if these are unknown.
 */
double context_sd(double shortest_us, double longest_us, int contexts);

/* A point that was timed in both runs. */
struct timed_pair {
    uint32_t group, kernel; /* counted from 0 */
    struct estimate a, b;   /* times in µs with 95 % intervals, whose ends may be NaN */
    const double *samples_a,
        /* the samples in µs, borrowed; if there are none, the intervals are used */
        *samples_b;
    uint32_t count_a, count_b;
    /*
     * `a` and `b` are means over placements or processes; the members below are set only in this
     * case
     */
    bool placed;
    double median_a, median_b;
    double least_us, most_us; /* the extremes of b − a over all processes of both sides */
    uint32_t processes;       /* the number of processes on the side that has fewer */
    double shared;  /* the part of the standard error of ln(b / a) that the kernel's points share */
    double freedom; /* the degrees of freedom of the variance within processes */
    /*
     * the part of the standard error of ln(b / a) due to differences between processes beyond their
     * own errors; 0 with one process per side
     */
    double beyond;
    double beyond_freedom; /* the degrees of freedom of `beyond` */
};

/*
 * A list of pairs. get() computes each pair on demand, because storing 10^6 pairs would take 80 MB.
 */
struct timed_pairs {
    size_t count;
    struct timed_pair (*get)(const void *context, size_t i);
    const void *context;
};

/*
 * Returns the standard error of the median of `count` values from a normal distribution, in
 * standard deviations of this distribution. Uses √(π/2) / √count, the formula for large counts
 * (Kendall & Stuart, The Advanced Theory of Statistics 1, §10).
 */
double median_error(size_t count);

/*
 * Returns the standard error of the difference of two medians from their 95 % intervals, or NaN
 * without intervals. The result is at least the error of rounding a median to half a step of the
 * clock.
 */
double pair_standard_error(const struct timed_pair *pair, double step_us);

struct problem_offset {
    size_t kernels; /* kernels timed in both runs */
    /* the offset: the median over kernels, or NaN if no kernel was timed in both runs */
    double observed_us;
    double removed_us; /* the part of observed_us that is subtracted from each point */
    double error_us;   /* the standard error of observed_us, or 0 if unknown */
    double inflation;  /* 1 or more */
};

enum { OFFSET_KERNELS_MIN = 3 };

/* Fills in an entry of `out` for each group. */
void problem_offsets(struct timed_pairs pairs, size_t groups, const struct run_margins *margins,
                     struct problem_offset *out);

#endif
