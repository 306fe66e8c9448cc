/*
 * The axes of a sweep, such as kernel, type and n. axes.def lists them. The value of an axis at a
 * point of a plan is returned by plan_axis_value() in plan/plan.h.
 */
#ifndef REDSWEEP_BASE_AXES_H
#define REDSWEEP_BASE_AXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum axis_kind { AXIS_TEXT, AXIS_NUMBER };

enum axis_index {
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value) AXIS_##name,
#include "base/axes.def"
#undef AXIS
    AXIS_COUNT
};

/*
 * In results.csv, two groups of columns are to the left of this axis: the kernels' tunables, and
 * what is known once a kernel is loaded, such as its registers.
 */
#define AXIS_AFTER_TUNABLES AXIS_cache

struct axis {
    const char *name, *key;
    enum axis_kind kind;
    const char *unit, *meaning; /* The unit is "" if the axis has none. */
    /* the default of a run-time axis (see axis_is_run_time()); NULL for other axes */
    const char *fallback;
    int fallback_value; /* `fallback` as a number */
};

extern const struct axis axis_table[AXIS_COUNT];
extern const char *const axis_names[AXIS_COUNT]; /* the names in axis_table */

/*
 * Returns whether the axis is a run-time axis: one that axes.def declares with RUN_TIME_AXIS or
 * RUN_TIME_CHOICE. Kernels are not compiled for the values of such an axis.
 */
static inline bool axis_is_run_time(enum axis_index axis)
{
    return axis_table[axis].fallback != NULL;
}

/* Returns the axis with this name, in upper or lower case, or AXIS_COUNT if there is none. */
enum axis_index axis_find(const char *name);

/*
 * Returns the run-time axis that kernel facts call `name`, which is the axis's name in capitals, or
 * AXIS_COUNT if there is none.
 */
enum axis_index axis_find_fact(const char *name);

/*
 * Returns whether the axis is one of those that the config key `shapes` sets: n, row_length and
 * inner.
 */
static inline bool axis_chosen_by_shapes(enum axis_index axis)
{
    return axis == AXIS_n || axis == AXIS_row_length || axis == AXIS_inner;
}

/*
 * Writes an input's shape: "4096x5120" (rows x columns), or "8x4096x64" (outer x row_length x
 * inner) if inner is more than 1. Writes "" if row_length or inner is 0, or if n is not a multiple
 * of row_length * inner. Returns `out`.
 */
enum { SHAPE_TEXT = 64 };
const char *shape_text(uint64_t n, uint64_t row_length, uint64_t inner, char out[SHAPE_TEXT]);

/*
 * The column of a tunable is named after its macro, in lower case and with this prefix: `t_order`
 * for ORDER. The prefix prevents names that are SQL keywords (order, group) or names of other
 * columns.
 */
#define TUNABLE_PREFIX "t_"

/*
 * Returns `column` without the prefix, if it has one. Users may write tunables with or without it.
 */
const char *tunable_name(const char *column);

#endif
