/*
 * A share of a reduction, computed on the CPU: elements can be added to it, it can be merged with others, and its
 * result can be finished.
 */
#ifndef REDSWEEP_WORKLOADS_REDUCE_SHARE_H
#define REDSWEEP_WORKLOADS_REDUCE_SHARE_H

#include "workloads/exact_sum.h"
#include "workloads/workloads.h"

/* Compensated: the value is sum + lost. */
struct long_sum {
    double sum, lost;
    double infinite; /* sum of the values that are not finite; 0 otherwise */
};

/* It covers the elements [first, last). */
struct share {
    const struct input *input;
    uint64_t first, last;
    uint64_t bits;           /* integers: the value, see struct reference */
    struct exact_sum *exact; /* instead of the next: sums of inputs of all kinds; owned */
    struct long_sum total;   /* floats: of x, x², x·y, x − shift or exp(x − shift) */
    struct long_sum squares; /* mean_var: of (x − shift)² */
    double magnitude;        /* floats: the sum of the absolute values of all added values */
    double extreme;          /* floats: for max, min and the indices */
    uint64_t index;          /* of the extreme */
    long double product;     /* floats */
};

/* Without elements yet. A piece adds to the exact sum of the share that it is a part of, which `exact` is. */
struct share share_make(const struct input *input, uint64_t first, uint64_t last);
struct share share_of_piece(const struct input *input, uint64_t first, uint64_t last);

/* Adds elements from `first` on of two vectors; for one vector, x and y are the same. Earlier elements
 * must be added before. */
void share_add_integers(struct share *s, uint64_t first, uint64_t count, const void *x,
                        const void *y);
void share_add_floats(struct share *s, uint64_t first, uint64_t count, const double *x,
                      const double *y);

/* Joins b, which follows a, to a. Pieces of one share add to the same exact sum. */
void share_merge(struct share *a, const struct share *b);

/* `n`: elements of the share, or of the shares that were merged into it. Frees the memory of the
 * share. */
void share_finish(struct share *s, uint64_t n, struct reference *out);

#endif
