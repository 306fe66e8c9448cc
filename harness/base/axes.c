/* Expands the list of axes in axes.def. */
#include "base/axes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct axis axis_table[AXIS_COUNT] = {
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value)                             \
    {#name, #key, kind, unit, meaning, NULL, 0},
#define RUN_TIME_AXIS(name, key, otherwise, min, max, unit, meaning)                               \
    {#name, #key, AXIS_NUMBER, unit, meaning, #otherwise, otherwise},
#define RUN_TIME_CHOICE(name, key, otherwise, names, count, meaning, value)                        \
    {#name, #key, AXIS_TEXT, "", meaning, otherwise, 0},
#include "base/axes.def"
#undef AXIS
#undef RUN_TIME_AXIS
#undef RUN_TIME_CHOICE
};

const char *const axis_names[AXIS_COUNT] = {
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value) #name,
#include "base/axes.def"
#undef AXIS
};

enum axis_index axis_find(const char *name)
{
    int i = 0;
    while (i < AXIS_COUNT && strcasecmp(axis_table[i].name, name) != 0)
        i++;
    return (enum axis_index)i;
}

enum axis_index axis_find_fact(const char *name)
{
    for (const char *c = name; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            return AXIS_COUNT;
    enum axis_index axis = axis_find(name);
    return axis != AXIS_COUNT && axis_is_run_time(axis) ? axis : AXIS_COUNT;
}

const char *shape_text(uint64_t n, uint64_t row_length, uint64_t inner, char out[SHAPE_TEXT])
{
    out[0] = '\0';
    if (row_length == 0 || inner == 0 || n % row_length != 0 || n / row_length % inner != 0)
        return out;
    uint64_t outer = n / row_length / inner;
    if (inner > 1)
        snprintf(out, SHAPE_TEXT, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, outer, row_length, inner);
    else
        snprintf(out, SHAPE_TEXT, "%" PRIu64 "x%" PRIu64, outer, row_length);
    return out;
}

const char *tunable_name(const char *column)
{
    size_t length = strlen(TUNABLE_PREFIX);
    return strncmp(column, TUNABLE_PREFIX, length) == 0 ? column + length : column;
}
