/*
 * Names, kinds, units and meanings out of columns.def: see columns.h.
 */
#include "record/columns.h"

#include <stddef.h>
#include <string.h>

#include "base/axes.h"
#include "record/manifest.h"

const char *const cell_kind_names[] = {
    [CELL_TEXT] = "text", [CELL_NUMBER] = "number", [CELL_COUNT] = "count"};

#define TUNABLE_COLUMNS
#define METRIC_COLUMNS
#define AXIS_COLUMNS(first, end)
#define COLUMN(name, kind, range, unit, meaning, expression)                                       \
    {#name, CELL_##kind, CELL_##range, unit, meaning},
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value)                             \
    {#name, CELL_OF_##kind, CELL_RANGE_OF_##kind, unit, meaning},
static const struct known_column known_columns[] = {
#include "base/axes.def"
#include "record/columns.def"
};

const struct known_column *known_column(const char *name)
{
    for (size_t i = 0; i < sizeof known_columns / sizeof *known_columns; i++)
        if (strcmp(known_columns[i].name, name) == 0)
            return &known_columns[i];
    return NULL;
}

const struct known_column *known_column_at(int i)
{
    int count = (int)(sizeof known_columns / sizeof *known_columns);
    return i >= 0 && i < count ? &known_columns[i] : NULL;
}

enum cell_range column_range(const void *run, const char *column)
{
    const struct manifest *described = run;
    const struct known_column *known = known_column(column);
    if (known || !described)
        return known ? known->range : CELL_ANY;
    const struct manifest_column *c = manifest_column(described, column);
    return c && strcmp(c->type, cell_kind_names[CELL_TEXT]) == 0 ? CELL_ANY : CELL_SIGNED;
}
