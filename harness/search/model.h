/*
 * What measured points say about the others: a Gaussian process over configurations.
 *
 * The logarithm of the time is a random function, and similar configurations have similar values:
 * the covariance of two is exp(-0.3 d). d is a sum over block, unroll and tunables of the square
 * root of the number of doublings between the values, at most 2; another kernel adds 1, a tunable
 * that only one of them has adds 2. Measurements at the previous n are a function of their own,
 * with half of that covariance. Prediction is the usual kriging: weights that solve a linear system
 * of the measured points.
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
 * Kernel, block, unroll, or a tunable: its different values, and the value of each point. A
 * dimension that is the same for all points is left out.
 */
struct dimension {
    VEC(int32_t) values;
    uint16_t *of_point;  /* by position in the group */
    uint16_t *of_before; /* by position in `before` */
    float *distances;    /* of value a from value b: [a * values.count + b] */
};

/*
 * Neighboring dimensions whose values have few combinations, so that their share of the similarity
 * between two points is looked up once.
 */
struct aspect {
    int first, end; /* dimensions */
    size_t combinations;
    uint16_t *of_point; /* the combination of each point of the group */
};

struct model {
    const struct plan *plan; /* borrowed */
    struct group group;
    struct dimension *dimensions;
    int dimension_count;
    struct aspect *aspects;
    int aspect_count;
    struct observations before; /* at the n before */
    float **alike_before;       /* for each of them: exp(-0.3 d) to each point of the group */
    double *among_before;       /* exp(-0.3 d) of each pair of them, by rows; only j <= i */
    float **alike;              /* for each point of the group, if it was needed */
};

/* `before` (copied): the measurements at the previous n; none at the first. */
void model_begin(struct model *m, const struct plan *plan, struct group group,
                 const struct observations *before);
void model_end(struct model *m);

/*
 * Writes the predicted logarithm of the time of each point of the group, up to a constant, to
 * `out`; all 0 if nothing was measured. `now`: the measurements of the group.
 */
void model_predict(struct model *m, const struct observations *now, double *out);

/* Whether two points, of any n, have the same kernel, block, unroll, tunables and scope. */
bool points_are_alike(const struct point *a, const struct point *b);

#endif
