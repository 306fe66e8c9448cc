/*
 * Points that were chosen elsewhere, as lines of CSV: those of `run --points`.
 *
 * The header names the columns that identify a point, as in results.csv: axes (kernel, n, block …)
 * and tunables (t_loads …); other columns are ignored. A tunable that a kernel does not have is
 * ignored in its lines. Axes without a column keep the config's values.
 */
#ifndef REDSWEEP_RUN_POINTS_H
#define REDSWEEP_RUN_POINTS_H

#include <cjson/cJSON.h>

#include "base/axes.h"
#include "base/vec.h"
#include "plan/plan.h"
#include "table/csv.h"

/* The meaning of a header's columns. */
struct point_columns {
    struct point_column {
        size_t column;
        enum axis_index axis; /* AXIS_COUNT: a tunable */
        char *tunable;        /* the name of its column, without t_ */
    } * items;
    size_t count, capacity;
    size_t kernel; /* the column of the kernel's name */
};

/*
 * Reads a header; ERROR_CONFIG, with `path`, if it has no column `kernel`. Columns of tunables may
 * have the prefix t_ or not. Free with point_columns_free().
 */
bool point_columns_read(const char *path, const struct csv_row *header,
                        const struct catalogue *kernels, struct point_columns *out,
                        struct error *e);
void point_columns_free(struct point_columns *c);

/* A plan's points, indexed by the values of these columns. */
struct point_index {
    const struct plan *plan; /* borrowed, like the columns */
    const struct point_columns *columns;
    struct point_key {
        uint64_t key;
        uint32_t point;
    } * keys; /* ascending */
};

void point_index_make(const struct plan *plan, const struct point_columns *columns,
                      struct point_index *out);
void point_index_free(struct point_index *index);

/* The points that a line names, from keys[*first] on; returns their number. */
size_t point_index_find(const struct point_index *index, const struct csv_row *line, size_t *first);

struct config;

/*
 * Puts the points of a CSV file into a config's overrides: the values of its axes and tunables, and
 * the ids of its points. `config` is the file's path, NULL for none. ERROR_CONFIG names a line that
 * is not a point of the kernels.
 */
bool points_override(const char *file, const char *config, const char *more_kernels,
                     cJSON *overrides, struct error *e);

#endif
