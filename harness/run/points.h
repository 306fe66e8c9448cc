/*
 * Reads points from lines of CSV, for `run --points`, where another program or a person chooses the
 * points of a sweep.
 *
 * The header names the columns that identify a point, as in results.csv: axes (kernel, n, block, …)
 * and tunables (t_loads, …). Other columns are ignored. A line's cell for a tunable is ignored if
 * the line's kernel does not have that tunable. If an axis has no column, the config's values
 * apply.
 */
#ifndef REDSWEEP_RUN_POINTS_H
#define REDSWEEP_RUN_POINTS_H

#include <cjson/cJSON.h>

#include "base/axes.h"
#include "base/vec.h"
#include "plan/plan.h"
#include "table/csv.h"

/* The columns that identify a point. */
struct point_columns {
    struct point_column {
        size_t column;
        enum axis_index axis; /* AXIS_COUNT: the column is a tunable */
        char *tunable;        /* the name of a tunable, without t_ */
    } * items;
    size_t count, capacity;
    size_t kernel; /* the index of the column with the kernel's name */
};

/*
 * Reads a header. Fails with ERROR_CONFIG, naming `path`, if it has no column `kernel`. Tunables
 * may have the prefix t_. Free the result with point_columns_free().
 */
bool point_columns_read(const char *path, const struct csv_row *header,
                        const struct catalogue *kernels, struct point_columns *out,
                        struct error *e);
void point_columns_free(struct point_columns *c);

/* An index that finds the points of a plan by the values in the columns of struct point_columns. */
struct point_index {
    const struct plan *plan; /* borrowed, like the columns */
    const struct point_columns *columns;
    struct point_key {
        uint64_t key;
        uint32_t point;
    } * keys; /* sorted by key, in ascending order */
};

void point_index_make(const struct plan *plan, const struct point_columns *columns,
                      struct point_index *out);
void point_index_free(struct point_index *index);

/*
 * Finds the points that a line names, and returns how many there are. The first of them is
 * keys[*first] of the index, and the others follow it.
 */
size_t point_index_find(const struct point_index *index, const struct csv_row *line, size_t *first);

struct config;

/*
 * Reads points from the CSV file `file`, and adds the values of their axes and tunables, and their
 * ids, to `overrides`, which replace values of the config. `config` is the path of the config, or
 * NULL. Fails with ERROR_CONFIG, naming the line, if the kernel in a line does not allow the line's
 * values or the config excludes them.
 */
bool points_override(const char *file, const char *config, const char *more_kernels,
                     cJSON *overrides, struct error *e);

#endif
