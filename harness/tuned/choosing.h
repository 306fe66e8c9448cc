/*
 * Declares what the choice by ranges of n (choose_ranges.c) and the choice by shapes of rows
 * (choose_rows.c) have in common. A problem is a type, operation and shape with all times that the
 * runs measured for it, and a candidate is one of these times with its configuration
 * (analyze/best.h). Private to this folder.
 */
#ifndef REDSWEEP_TUNED_CHOOSING_H
#define REDSWEEP_TUNED_CHOOSING_H

#include "base/vec.h"
#include "plan/shape.h"
#include "tuned/tuned.h"

struct choosing {
    struct tuned *tuned;
    const struct best *best;
    int sms;
    /* Whether to consider only kernels with the fact `exact: yes`, or only the others. */
    bool exact;
    struct error *e;
};

/*
 * A configuration may be used for a problem at which it is not the fastest if it exceeds the
 * problem's best time by at most this share. LOSS_ALLOWED is for configurations that differ
 * significantly from the best one, and TIED_LOSS_ALLOWED for those that tie with it.
 */
#define LOSS_ALLOWED 0.003
#define TIED_LOSS_ALLOWED 0.01

/* Returns the value of an axis in the row of results from which the candidate comes. */
const char *candidate_axis(const struct choosing *c, const struct candidate *candidate,
                           enum axis_index axis);
/* Returns a candidate's time in microseconds. */
double candidate_us(const struct choosing *c, const struct candidate *candidate);
/* Returns CUB's time for a problem in microseconds, or NaN if it was not measured. */
double problem_reference_us(const struct choosing *c, const struct problem *p);
/* Returns a problem's shape. If the problem has no rows, the row length is 0. */
struct config_shape problem_shape(const struct choosing *c, const struct problem *p);
/*
 * Returns the shape that was measured in row `row` of results, in the same form as problem_shape().
 */
struct config_shape row_shape(const struct results *r, size_t row);
/* Returns the kind of function that handles this shape. */
enum tuned_over shape_over(const struct config_shape *at);

/*
 * Sets the kernel and variant of `out` to those of the candidate. Returns false if a library cannot
 * call this kernel.
 */
bool read_variant(const struct choosing *c, const struct candidate *candidate,
                  struct tuned_range *out);

/* These functions make the arguments of plan/shape.h. shape_point() returns the point of a shape,
 * and range_combination() the combination of a range and a point, both of which it borrows. */
struct point shape_point(const struct config_shape *at);
struct combination range_combination(const struct tuned_range *range, const struct point *point,
                                     int sms, uint64_t n);

/* Returns whether the configuration's facts allow this shape. If `at->row_length` is 0, the shape
 * has no rows. */
bool range_runs_at(const struct choosing *c, const struct tuned_range *range,
                   const struct config_shape *at);
/* Returns whether the configuration's facts allow this shape wherever the first row begins, even
 * between whole packs. */
bool range_runs_anywhere(const struct choosing *c, const struct tuned_range *range,
                         const struct config_shape *at);

/*
 * Returns whether the candidate's time is so close to that of `best` that it may be used instead
 * (LOSS_ALLOWED, TIED_LOSS_ALLOWED).
 */
bool loses_little(const struct choosing *c, const struct candidate *candidate,
                  const struct candidate *best);

/* Adds ranges of n to a function, from the problems in a series (analyze/best.h). */
bool choose_ranges(const struct choosing *c, const struct series *series, struct tuned_function *f);

/* Adds a choice for each shape in a series of problems along rows or along an axis. */
bool choose_rows(const struct choosing *c, const struct series *series, struct tuned_function *f);

/*
 * Finds every configuration for rows or an axis whose result was correct at least once. Each entry
 * has the shortest and longest rows at which it was measured, and one of its shapes as `at`.
 */
typedef VEC(struct tuned_range) known_ranges;
void find_known(const struct choosing *c, known_ranges *out);

/* Returns whether the order of combining elements affects a result's bits. */
bool order_matters(enum element_type type, enum operation op);

/*
 * Chooses configurations for a row-wise function where a row's result must not depend on the other
 * rows in the call.
 */
bool choose_invariant(const struct choosing *c, struct tuned_function *f);

/*
 * Returns whether the library compares the configuration with others at this row length
 * (TUNED_NEAR).
 */
bool range_is_near(const struct tuned_range *range, double row_length);

/* Returns whether the shape consists of a few rows that are much longer than any at which the
 * configuration was measured. leaves_idle() in tuned/find.h applies the same rule. */
bool range_leaves_idle(const struct tuned_range *range, int sms, const struct config_shape *at);

/* Fits a model to the measurements of each configuration for rows or an axis, to predict its time
 * at any shape (model.h). */
void fit_rows(const struct choosing *c, struct tuned_function *f);

/* Removes configurations for rows or an axis that would save little time at every shape. fit_rows()
 * must have been called before. */
void keep_useful(const struct choosing *c, struct tuned_function *f);

/* Adds the function's fallbacks, which run at every shape and offset, if there are any. */
void add_fallbacks(const struct choosing *c, struct tuned_function *f);

/* Returns the kernel with the fact `fallback: yes` for the function's type, operation and shapes,
 * or NULL if there is none. */
const struct kernel *find_fallback(const struct catalogue *kernels, const struct tuned_function *f);

#endif
