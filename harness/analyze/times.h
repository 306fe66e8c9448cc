/*
 * Verdicts on times: of points, of a kernel in one group (a problem: type, op, n, cache, scope), of
 * kernels, and of everything together.
 *
 *   SLOW, FAST  b is certainly slower (faster), and by more than the minimum effect m
 *   SAME        the interval of the ratio lies inside (1/(1+m), 1+m)
 *   UNKNOWN     none of these; `detectable` is the smallest effect that would have been found
 *
 * "Certainly" means: the test is significant in its family (adjust.h), and the interval, widened by
 * the allowance, excludes 1. The printed interval is the tested one.
 *
 *   point    The test is the rank test (rank.h) of a against b, after b is moved towards a by the group's
 *            offset (problem_offset.h) and by the allowance A, at most until the medians meet. Between
 *            two processes, p is at least that of the medians with their errors times the group's
 *            inflation. Within one process only its kernel moves a point, so the rank test decides
 *            alone, because medians move in steps of the clock. The interval is that of the ratio of
 *            medians (rank.h), after half of the offset is added to a and half is subtracted from b. Each
 *            half-width is multiplied by the inflation and widened by A, or by M if the offset is
 *            unknown. p is adjusted by Holm over all points.
 *            Between two processes whose samples alternated between placements, the test is Student's
 *            t test of the trimmed means, whose errors include the placements (docs/measuring.md). If
 *            other points around a point moved, too, its allowance grows with the longest of their
 *            movements (unrest.h). Within one process placements are shared.
 *   cell     A cell is a kernel in one group, from 3 points on. Its value is the median over its points of
 *            the logarithm of the ratio without the offset. The test compares it with the standard errors
 *            of that median and of the offset, both inflated, and with the error that its points share
 *            by their placements. The interval is widened by one clock step, which exceeds anything else
 *            that a kernel's points were seen to share, or by M if the offset is unknown. p is adjusted by
 *            Holm over all cells. Cells show what a kernel loses at some sizes only. Between two processes
 *            a SLOW (FAST) cell is UNKNOWN, without an interval, if it is alone: no other cell of its kernel
 *            is slower (faster) at the error rate with Bonferroni's correction. The reason is that an
 *            input's place in memory can also move a kernel at one size.
 *   kernel   There is one value per group, that of the cell, because points of a group are correlated. The
 *            test is the sign-flip test of their mean, with its interval (sign_flip.h) widened as for a
 *            cell; p is at least that from the error that all of the kernel's points share by their
 *            placements. p is adjusted by Holm over all kernels. Weights say what a group can decide: each
 *            is the inverse square of the group's allowance, its error and m together. Because of m,
 *            groups that decide far smaller effects than m do not weigh far more. The effect is the
 *            weighted geometric mean.
 *   all      There is one value per group, the median over kernels, including the offset. The interval is
 *            widened by M: contexts do not explain a larger change. Weights are as for a kernel.
 *
 * Comparing b with a gives the reciprocal ratios, the same p, and the opposite verdicts.
 */
#ifndef REDSWEEP_ANALYZE_TIMES_H
#define REDSWEEP_ANALYZE_TIMES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/problem_offset.h"
#include "analyze/rank.h"

enum time_verdict { TIME_UNKNOWN, TIME_FAST, TIME_SLOW, TIME_SAME, TIME_VERDICTS };

struct times_rule {
    double minimum_effect; /* a share: 0.01 is 1 % */
    double error_rate;     /* the rate of each family: points, cells, kernels, everything */
    struct run_margins margins;
};

struct point_effect {
    double offset_us;      /* the part that is subtracted */
    double allowance_us;   /* the amount by which the interval is widened */
    struct estimate ratio; /* b / a without the offset; ends NaN: unknown */
    double p, p_family;    /* p of this test, and adjusted for all points; NaN: none */
    double unrest;         /* movement of points around it, in the allowance; NaN: one process */
    double detectable;     /* a share; NaN: no effect of any size would have been found */
    bool from_interval;    /* p comes from the interval, because there were no samples */
    bool held;             /* would be SLOW or FAST if no others had moved */
    enum time_verdict verdict;
};

/* The effect on a cell, a kernel, or all points. */
struct effect {
    size_t kernel, group;  /* a cell has both, a kernel only the kernel */
    size_t points, groups; /* number of values that it is computed from */
    struct estimate ratio; /* b / a; ends NaN: unknown */
    double p, p_family, detectable;
    bool alone; /* a cell that would be SLOW or FAST if another cell of its kernel agreed */
    enum time_verdict verdict;
};

struct times {
    struct problem_offset *groups;
    struct point_effect *points; /* one for each pair */
    struct effect *cells; /* ordered by kernel, then by group; cells without points are left out */
    struct effect *kernels;
    struct effect all;
    size_t group_count, point_count, cell_count, kernel_count;
    size_t cells_alone, points_held; /* number of verdicts that need a second process per side */
};

/* Groups and kernels of `pairs` are numbered below `groups` and `kernels`.
 * Free with times_free(). */
void times_judge(struct timed_pairs pairs, size_t groups, size_t kernels,
                 const struct times_rule *rule, struct times *out);
void times_free(struct times *t);

/*
 * Returns the verdict by the table above; `significant` refers to its family. The verdict is UNKNOWN if the
 * interval has NaN.
 */
enum time_verdict time_verdict(bool significant, struct estimate ratio, double minimum_effect);

#endif
