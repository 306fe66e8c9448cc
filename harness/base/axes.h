/*
 * The axes of a sweep are data (axes.def). Code that only reads results uses this list; plan/ adds
 * an axis's value at a point (plan_axis_value()).
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
 * In front of this axis's column are two groups of columns: the tunables, and what is known once a
 * kernel is loaded.
 */
#define AXIS_AFTER_TUNABLES AXIS_cache

struct axis {
    const char *name, *key;
    enum axis_kind kind;
    const char *unit, *meaning; /* The unit is "" if the axis has none. */
    const char *fallback;       /* a run-time axis's default; NULL for other axes */
    int fallback_value;         /* the default as a number */
};

extern const struct axis axis_table[AXIS_COUNT];
extern const char *const axis_names[AXIS_COUNT]; /* the same names, for suggestions */

/*
 * Returns whether only the harness knows the axis's values, as for RUN_TIME_AXIS and
 * RUN_TIME_CHOICE in axes.def.
 */
static inline bool axis_is_run_time(enum axis_index axis)
{
    return axis_table[axis].fallback != NULL;
}

/* Returns the axis with this name, in upper or lower case, or AXIS_COUNT. */
enum axis_index axis_find(const char *name);

/*
 * Returns the run-time axis with this name in kernel facts, which is the axis's name in capitals,
 * or AXIS_COUNT.
 */
enum axis_index axis_find_fact(const char *name);

/* Returns whether a shape can set the axis, like n, row_length and inner. */
static inline bool axis_chosen_by_shapes(enum axis_index axis)
{
    return axis == AXIS_n || axis == AXIS_row_length || axis == AXIS_inner;
}

/*
 * Writes an input's shape: "4096x5120" (rows x columns), or "8x4096x64" (outer x length x inner) if
 * inner is more than 1. Writes "" if row_length is 0, or if n is not a multiple of the row length.
 * Returns `out`.
 */
enum { SHAPE_TEXT = 64 };
const char *shape_text(uint64_t n, uint64_t row_length, uint64_t inner, char out[SHAPE_TEXT]);

/*
 * A tunable's column is named by this prefix and its macro in lower case: `t_order` for ORDER. So
 * no column is named like an SQL keyword (order, group) or another column.
 */
#define TUNABLE_PREFIX "t_"

/* Returns the tunable's name without the prefix; users may write either form. */
const char *tunable_name(const char *column);

#endif
