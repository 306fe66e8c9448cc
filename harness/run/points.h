/*
 * Reads points that were chosen elsewhere and written as lines of CSV, for `run --points`.
 *
 * The header names the columns that identify a point, as in results.csv: axes (kernel, n, block, …)
 * and tunables (t_loads, …). Other columns are ignored. If a kernel does not have a tunable, the
 * cells of its lines in that tunable's column are ignored. If an axis has no column, the config's
 * values for this axis are used.
 */
#ifndef REDSWEEP_RUN_POINTS_H
#define REDSWEEP_RUN_POINTS_H

#include <cjson/cJSON.h>

#include "base/axes.h"
#include "base/vec.h"
#include "plan/plan.h"
#include "table/csv.h"

/* The columns of a header that identify a point. */
struct point_columns {
    struct point_column {
        size_t column;
        enum axis_index axis; /* AXIS_COUNT: the column is a tunable */
        char *tunable;        /* the name of a tunable's column, without t_ */
    } * items;
    size_t count, capacity;
    size_t kernel; /* the index of the column that contains the kernel's name */
};

/* Reads a header. If it has no column `kernel`, the function fails with ERROR_CONFIG and names
 * `path`. Columns of tunables may have the prefix t_. point_columns_free() frees the result. */
bool point_columns_read(const char *path, const struct csv_row *header,
                        const struct catalogue *kernels, struct point_columns *out,
                        struct error *e);
void point_columns_free(struct point_columns *c);

/* An index that finds a plan's points by the values of these columns. */
struct point_index {
    const struct plan *plan; /* the plan and the columns are borrowed */
    const struct point_columns *columns;
    struct point_key {
        uint64_t key;
        uint32_t point;
    } * keys; /* sorted by key, in ascending order */
};

void point_index_make(const struct plan *plan, const struct point_columns *columns,
                      struct point_index *out);
void point_index_free(struct point_index *index);

/* Finds the points that a line names. They begin at keys[*first]; the function returns how many
 * there are. */
size_t point_index_find(const struct point_index *index, const struct csv_row *line, size_t *first);

struct config;

/*
 * Adds the points of a CSV file to a config's overrides. The overrides then contain the values of
 * the points' axes and tunables, and the points' ids. `config` is the path of the config, or NULL.
 * If a line names no point of the kernels, the function fails with ERROR_CONFIG and names the line.
 */
bool points_override(const char *file, const char *config, const char *more_kernels,
                     cJSON *overrides, struct error *e);

#endif
