/*
 * Computes a share of a reduction on the CPU: adds elements to a share, merges shares, and finishes
 * the result.
 */
#ifndef REDSWEEP_WORKLOADS_REDUCE_SHARE_H
#define REDSWEEP_WORKLOADS_REDUCE_SHARE_H

#include "workloads/exact_sum.h"
#include "workloads/workloads.h"

/* A compensated sum, with the value sum + lost. */
struct long_sum {
    double sum, lost;
    double infinite; /* the sum of the values that are not finite; 0 if there are none */
};

/* A share covers the elements [first, last). */
struct share {
    const struct input *input;
    uint64_t first, last;
    uint64_t bits; /* for integers (see struct reference) */
    /* If not NULL, replaces `total`, for sums of inputs that are not of the kind uniform. Owned. */
    struct exact_sum *exact;
    /* For floats: the sum of x, x², x·y, x − shift or exp(x − shift). */
    struct long_sum total;
    struct long_sum squares; /* for mean_var: the sum of (x − shift)² */
    double magnitude;        /* for floats: the sum of all added values' absolute values */
    double extreme;          /* for floats: the extreme of max, min and the indices */
    uint64_t index;          /* the extreme's index */
    long double product;     /* for floats */
};

/* Makes a share without elements. A piece is a part of a share, and its `exact` is that share's
 * exact sum. */
struct share share_make(const struct input *input, uint64_t first, uint64_t last);
struct share share_of_piece(const struct input *input, uint64_t first, uint64_t last);

/*
 * Adds `count` elements of two vectors from element `first` on. For an operation of one vector, x
 * and y are the same. All earlier elements must have been added.
 */
void share_add_integers(struct share *s, uint64_t first, uint64_t count, const void *x,
                        const void *y);
void share_add_floats(struct share *s, uint64_t first, uint64_t count, const double *x,
                      const double *y);

/* Merges b, which follows a, into a. Pieces of one share add to the same exact sum. */
void share_merge(struct share *a, const struct share *b);

/* Finishes the result. `n` counts the share's elements, including those of shares merged into it.
 * Frees the share's memory. */
void share_finish(struct share *s, uint64_t n, struct reference *out);

#endif
