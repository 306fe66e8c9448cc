/*
 * Estimates how much the times of two runs differ even if their kernels take equally long.
 *
 * Each run is measured in its own context, in which memory, code and queues have different
 * addresses, and its times are multiples of a clock step. Between two processes on one card, all
 * times of a problem differ by the same offset, whatever the kernel. The remaining differences come
 * from the placement of individual points. The terms are:
 *
 *   offset      An offset belongs to a group, which consists of the points of one type, op, n,
 *               cache and scope. Each kernel has a median of b − a over its points. The offset is
 *               the median of these medians over the kernels. A change of one kernel does not move
 *               the offset. The offset is known if the group has at least three kernels. It is
 *               subtracted from each point's difference, but only as far as contexts explain it.
 *   contexts    Each run tries k contexts and records its shortest and longest tiny launch. The
 *               standard deviation sd is the range divided by d2(k), where d2 is the expected range
 *               of k normal values (Montgomery, Introduction to Statistical Quality Control,
 *               appendix VI).
 *   M           This is the largest difference that two contexts explain. It is 2·√2·sd (two
 *               standard deviations of a difference) + one step of the clock. Within one process,
 *               it is 0, because contexts do not differ.
 *   A           This is the largest difference that the placement of one point explains. It is one
 *               step of the clock + sd.
 *   inflation   This is the factor by which points of one kernel scatter more than their samples
 *               suggest. Each kernel of a group has a scatter, which is the scaled median absolute
 *               value of (d − m) / se, where d = b − a and m is the median of d. The inflation is
 *               the median of the scatter over the kernels. It is at least 1, and at least the
 *               median over groups, because one group has few points. It is estimated from the
 *               majority of the points as in Devlin & Roeder, Biometrics 55 (1999), and is
 *               corrected for few points as in Croux & Rousseeuw, Time-efficient algorithms for two
 *               highly robust estimators of scale, Computational Statistics 1 (1992).
 *
 * All times are in µs. Comparing b with a gives the negative of the result of comparing a with b.
 */
#ifndef REDSWEEP_ANALYZE_PROBLEM_OFFSET_H
#define REDSWEEP_ANALYZE_PROBLEM_OFFSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/rank.h"

struct run_margins {
    double step_us; /* the step of the coarser clock, or 0 if it is unknown */
    /*
     * the standard deviation of launch times between contexts; 0 if one process measured both runs,
     * or if it is unknown
     */
    double context_sd_us;
    /* One process measured both runs, with the memory and code of one context. */
    bool one_process;
};

/* Returns the margins M and A, which the comment at the top of this file defines. */
double margin_of_contexts(const struct run_margins *m);
double margin_of_placement(const struct run_margins *m);

/*
 * Returns d2(k) for 2 to 25 values. For more values it returns d2(25), and for fewer than 2 it
 * returns NaN.
 */
double expected_normal_range(int values);

/*
 * Returns the standard deviation of launch times between contexts, computed from the shortest and
 * the longest launch in `contexts` contexts. It returns 0 if these launches are unknown.
 */
double context_sd(double shortest_us, double longest_us, int contexts);

/* This is a point that was timed in both runs. */
struct timed_pair {
    uint32_t group, kernel; /* the numbers of the group and the kernel, counted from 0 */
    struct estimate a, b;   /* the times in µs with 95 % intervals, whose ends may be NaN */
    const double *samples_a,
        /* the samples in µs, which are borrowed; without samples the intervals are used */
        *samples_b;
    uint32_t count_a, count_b;
    /* The following members describe means over placements or processes. */
    bool placed;
    double median_a, median_b;
    double least_us, most_us; /* the extremes of b − a over all processes of both sides */
    uint32_t processes;       /* the number of processes on the side that has fewer */
    double shared;  /* the part of the standard error of ln(b / a) that the kernel's points share */
    double freedom; /* the degrees of freedom of the variance within processes */
    /*
     * the part of the difference between processes that their own errors do not explain; 0 with one
     * process per side
     */
    double beyond;
    double beyond_freedom; /* the degrees of freedom of `beyond` */
};

/* Pairs are computed whenever they are needed, because storing 10^6 pairs would take 80 MB. */
struct timed_pairs {
    size_t count;
    struct timed_pair (*get)(const void *context, size_t i);
    const void *context;
};

/*
 * Returns the standard error of the median of `count` normal values, in standard deviations of one
 * value. For large counts it is √(π/2) / √count (Kendall & Stuart, The Advanced Theory of
 * Statistics 1, §10).
 */
double median_error(size_t count);

/*
 * Returns the standard error of the difference of two medians, computed from their 95 % intervals.
 * The result is at least the error of rounding a median to half steps. It is NaN if there are no
 * intervals.
 */
double pair_standard_error(const struct timed_pair *pair, double step_us);

struct problem_offset {
    size_t kernels;     /* the number of kernels that were timed in both runs */
    double observed_us; /* the median over kernels, or NaN if there are none */
    double removed_us;  /* the part that is subtracted from each point */
    double error_us;    /* the standard error of that median of medians, or 0 if it is unknown */
    double inflation;   /* the inflation, which is 1 or more */
};

enum { OFFSET_KERNELS_MIN = 3 };

/* Fills in an entry of `out` for each group. */
void problem_offsets(struct timed_pairs pairs, size_t groups, const struct run_margins *margins,
                     struct problem_offset *out);

#endif
