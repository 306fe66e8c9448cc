/* Makes the table of known columns from columns.def. */
#include "record/columns.h"

#include <stddef.h>
#include <string.h>

#include "base/axes.h"
#include "record/manifest.h"

const char *const column_kind_names[] = {
    [COLUMN_TEXT] = "text", [COLUMN_NUMBER] = "number", [COLUMN_COUNT] = "count"};

#define TUNABLE_COLUMNS
#define METRIC_COLUMNS
#define AXIS_COLUMNS(first, end)
#define COLUMN(name, kind, range, audience, rank, unit, meaning, expression)                       \
    {#name, COLUMN_##kind, CELL_##range, FOR_##audience, RANK_##rank, unit, meaning},
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value)                             \
    {#name, CELL_OF_##kind, CELL_RANGE_OF_##kind, FOR_ALL, RANK_OTHER, unit, meaning},
static const struct known_column known_columns[] = {
#include "base/axes.def"
#include "record/columns.def"
};

#undef COLUMN
#undef AXIS
void known_columns_find(const struct table *t, struct known_columns *out)
{
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        out->axes[i] = table_find(t, axis_table[i].name);
#define COLUMN(name, kind, range, audience, rank, unit, meaning, expression)                       \
    out->name = table_find(t, #name);
#include "record/columns.def"
#undef COLUMN
}

const char *unit_for_people(const char *unit)
{
    static const char *const words[][2] = {
#define COLUMN(name, kind, range, audience, rank, unit, meaning, expression)
#define UNIT(unit, words) {unit, words},
#include "record/columns.def"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], unit) == 0)
            return words[i][1];
    return unit;
}

enum column_rank axis_rank(enum axis_index axis)
{
    return axis == AXIS_kernel                                           ? RANK_KEY
           : axis == AXIS_n || axis == AXIS_block || axis == AXIS_unroll ? RANK_PROBLEM
                                                                         : RANK_OTHER;
}

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

/* Returns the kind that the manifest gives for a column, or COLUMN_NUMBER if it gives none. */
static enum column_kind kind_in(const struct manifest *run, const char *column)
{
    const struct manifest_column *c = manifest_column(run, column);
    for (int kind = COLUMN_TEXT; c && kind <= COLUMN_COUNT; kind++)
        if (strcmp(c->type, column_kind_names[kind]) == 0)
            return (enum column_kind)kind;
    return COLUMN_NUMBER;
}

bool columns_describe_table(void *run, struct table *t, struct error *e)
{
    (void)e;
    for (size_t i = 0; i < t->columns.count; i++) {
        struct column *c = t->columns.items[i];
        const struct known_column *known = known_column(c->name);
        enum axis_index axis = axis_find(c->name);
        if (known) {
            c->kind = known->kind;
            c->range = known->range;
            c->audience = known->audience;
            c->rank = axis == AXIS_COUNT ? known->rank : axis_rank(axis);
        } else if (run) {
            c->kind = kind_in(run, c->name);
            c->range = c->kind == COLUMN_TEXT ? CELL_ANY : CELL_SIGNED;
        }
    }
    return true;
}
