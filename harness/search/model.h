/*
 * What the points that were measured say of the others: a Gaussian process over configurations.
 *
 * The logarithm of the time is a random function whose values at two configurations are the more
 * alike the less these differ: their covariance is exp(-0.3 d), d being a sum over block, unroll
 * and tunables of the square root of how many times 2 the values differ by, at most 2; another
 * kernel counts 1, a tunable that only one of them has 2. What was measured at the previous n
 * counts as a function of its own, with half of that covariance. Prediction is then the usual
 * kriging: weights that solve a linear system of the points measured.
 *
 * (Rasmussen & Williams, Gaussian Processes for Machine Learning, 2006, section 2.2.)
 */
#ifndef REDSWEEP_SEARCH_MODEL_H
#define REDSWEEP_SEARCH_MODEL_H

#include <stdbool.h>

#include "base/vec.h"
#include "plan/plan.h"

/* A point (its number in the plan) with its time. */
struct observed {
    uint32_t point;
    double us;      /* median */
    double scatter; /* standard deviation of its samples, in µs; NaN: unknown */
    size_t samples;
};
struct observations {
    VEC(struct observed) list;
};

/*
 * Kernel, block, unroll, or a tunable: its different values, and which of them each point has. What
 * all points have in common is left out.
 */
struct dimension {
    VEC(int32_t) values;
    uint16_t *of_point;  /* by position in the group */
    uint16_t *of_before; /* by position in `before` */
    float *distances;    /* of value a from value b: [a * values.count + b] */
};

/*
 * Neighboring dimensions whose values have few combinations, so that what a point's likeness to
 * another takes from them is looked up once.
 */
struct aspect {
    int first, end; /* dimensions */
    size_t combinations;
    uint16_t *of_point; /* which combination each point of the group has */
};

struct model {
    const struct plan *plan; /* borrowed */
    struct group group;
    struct dimension *dimensions;
    int dimension_count;
    struct aspect *aspects;
    int aspect_count;
    struct observations before; /* at the n before */
    float **alike_before;       /* of each of them: exp(-0.3 d) to each point of the group */
    double *among_before;       /* exp(-0.3 d) of each two of them, by rows; j <= i only */
    float **alike;              /* of each point of the group, where it was needed */
};

/* `before` (copied): what was measured at the previous n; none at the first. */
void model_begin(struct model *m, const struct plan *plan, struct group group,
                 const struct observations *before);
void model_end(struct model *m);

/*
 * The predicted logarithm of the time of each point of the group, up to a constant, into `out`; all
 * 0 where nothing was measured. `now`: what was measured of the group.
 */
void model_predict(struct model *m, const struct observations *now, double *out);

/* Whether two points, of any n, have the same kernel, block, unroll, tunables and scope. */
bool points_are_alike(const struct point *a, const struct point *b);

#endif
