/* Makes the points at which a program's own shapes are measured, for `redsweep tuned --shapes
 * FILE`. */
#include "tuned/tuned.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "base/vec.h"
#include "spec/config_fields.h"
#include "tuned/choosing.h"

enum { MOST_BYTES = 1 << 20 };

/* A line in the file. */
struct own_shape {
    enum element_type type;
    enum operation op;
    struct config_shape shape;
    int line;
};

typedef VEC(struct own_shape) shape_list;

/* Receives the shape in a word of a line, which is read like the value of an option. */
struct shape_option {
    struct config_shape *items;
    int count;
};

static const struct field shape_field[] = {
    {"--shape", NULL, config_shapes, .offset = offsetof(struct shape_option, items),
     .count_offset = offsetof(struct shape_option, count), RANGE(1, 1099511627776.0),
     .flags = FIELD_LIST, HELP("SHAPE", "the shape: rows x columns, or outer x length x inner")},
    {0}};

static bool read_shape(char *word, struct config_shape *out, struct error *e)
{
    char name[] = "--shape";
    char *arguments[] = {name, word};
    struct shape_option found = {0};
    bool ok = options_read(shape_field, &found, 2, arguments, NULL, e);
    if (ok)
        *out = found.items[0];
    free(found.items);
    return ok;
}

static bool read_line(const char *path, char *text, struct own_shape *out, struct error *e)
{
    char *rest = text, *words[4];
    int count = 0;
    while (count < 4 && (words[count] = strtok_r(rest, " \t\r", &rest)))
        count++;
    if (count != 3 || !element_type_find(words[0], &out->type) ||
        !operation_find(words[1], &out->op))
        return FAIL(e, ERROR_CONFIG,
                    "%s:%d: expected a type, an operation and a shape, such as \"float32 sum "
                    "4096x5120\"",
                    path, out->line);
    struct error why = {0};
    if (read_shape(words[2], &out->shape, &why))
        return true;
    FAIL(e, ERROR_CONFIG, "%s:%d: %s", path, out->line, why.text);
    error_clear(&why);
    return false;
}

/* Reads the file. Ignores empty lines, and text after a #. */
static bool read_file(const char *path, shape_list *out, struct error *e)
{
    char *bytes, *rest, *line;
    size_t length;
    bool ok = file_read(path, MOST_BYTES, &bytes, &length, e);
    if (!ok)
        return false;
    rest = bytes;
    for (int number = 1; ok && (line = strsep(&rest, "\n")); number++) {
        struct own_shape s = {.line = number};
        line[strcspn(line, "#")] = '\0';
        if (line[strspn(line, " \t\r")] == '\0')
            continue;
        ok = read_line(path, line, &s, e);
        if (ok)
            vec_push(out, s);
    }
    free(bytes);
    return ok &&
           (out->count > 0 ||
            FAIL(e, ERROR_CONFIG,
                 "%s contains no shapes; write one per line, such as \"float32 sum 4096x5120\"",
                 path));
}

/* The names of all kernels' tunables, each listed once. */
typedef VEC(const char *) name_list;

static void find_tunables(const known_ranges *known, name_list *out)
{
    for (size_t i = 0; i < known->count; i++)
        for (int t = 0; t < known->items[i].kernel->tunable_count; t++) {
            const char *name = known->items[i].kernel->tunables[t].name;
            size_t k = 0;
            while (k < out->count && strcmp(out->items[k], name) != 0)
                k++;
            if (k == out->count)
                vec_push(out, name);
        }
}

static void append_header(const name_list *tunables, struct text *out)
{
    text_append(out, "kernel,type,op,n,row_length,inner,block,unroll");
    for (size_t i = 0; i < tunables->count; i++) {
        text_append(out, ",t_");
        for (const char *p = tunables->items[i]; *p; p++)
            text_append(out, "%c", tolower((unsigned char)*p));
    }
    text_append(out, "\n");
}

static void append_point(const struct own_shape *s, const struct tuned_range *range,
                         const name_list *tunables, struct text *out)
{
    const struct variant *v = &range->variant;
    text_append(out, "%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%d", range->kernel->name,
                element_type_name(s->type), operation_name(s->op), s->shape.n, s->shape.row_length,
                s->shape.inner, v->block, v->unroll);
    for (size_t i = 0; i < tunables->count; i++) {
        int t = 0;
        while (t < range->kernel->tunable_count &&
               strcmp(range->kernel->tunables[t].name, tunables->items[i]) != 0)
            t++;
        text_append(out, ",");
        if (t < range->kernel->tunable_count)
            text_append(out, "%d", (int)v->tunables[t]);
    }
    text_append(out, "\n");
}

static bool is_about_as_long(const struct tuned_range *range, uint64_t length)
{
    return (double)length * TUNED_NEAR >= (double)range->shortest &&
           (double)length <= (double)range->longest * TUNED_NEAR;
}

/* Returns whether a configuration belongs to the function for which `s` names a shape. */
static bool is_function_of(const struct tuned_range *range, const struct own_shape *s)
{
    return range->variant.type == (uint8_t)s->type && range->variant.op == (uint8_t)s->op &&
           shape_over(&range->at) == shape_over(&s->shape);
}

/* Appends the function's configurations that were measured at rows of about this length or, if
 * there are none, all of them. Returns how many. */
static size_t append_shape_points(const struct own_shape *s, const known_ranges *known,
                                  const name_list *tunables, struct text *out)
{
    size_t near = 0, count = 0;
    for (int all = 0; all < 2 && near == 0; all++)
        for (size_t i = 0; i < known->count; i++) {
            const struct tuned_range *range = &known->items[i];
            if (!is_function_of(range, s) || !(all || is_about_as_long(range, s->shape.row_length)))
                continue;
            append_point(s, range, tunables, out);
            near += !all;
            count++;
        }
    return count;
}

/*
 * Returns whether number `range` is the first configuration of its kernel for which there are
 * points.
 */
static bool is_first_of_kernel(const known_ranges *known, size_t range, const shape_list *shapes)
{
    bool has = false;
    for (size_t s = 0; s < shapes->count; s++) {
        has = has || is_function_of(&known->items[range], &shapes->items[s]);
        for (size_t i = 0; i < range; i++)
            if (known->items[i].kernel == known->items[range].kernel &&
                is_function_of(&known->items[i], &shapes->items[s]))
                return false;
    }
    return has;
}

/* Appends a config with the kernels for which there are points. */
static void append_config(const known_ranges *known, const shape_list *shapes, struct text *out)
{
    const char *comma = "";
    text_append(out, "{\"name\": \"shapes\", \"metrics\": [], \"search\": \"race\",\n"
                     " \"timing\": {\"min_samples\": 10, \"max_samples\": 31, "
                     "\"relative_width\": 0.005, \"budget_s\": 0.1},\n \"kernels\": [");
    for (size_t i = 0; i < known->count; i++) {
        if (!is_first_of_kernel(known, i, shapes))
            continue;
        text_append(out, "%s\"%s\"", comma, known->items[i].kernel->name);
        comma = ", ";
    }
    text_append(out, "]}\n");
}

static bool append_points(const char *path, const shape_list *shapes, const known_ranges *known,
                          struct text *out, struct error *e)
{
    name_list tunables = {0};
    bool ok = true;
    find_tunables(known, &tunables);
    append_header(&tunables, out);
    for (size_t i = 0; ok && i < shapes->count; i++) {
        const struct own_shape *s = &shapes->items[i];
        ok =
            append_shape_points(s, known, &tunables, out) > 0 ||
            FAIL(e, ERROR_CONFIG,
                 "%s:%d: the runs contain no configuration %s for %s %s; measure some, for example "
                 "with configs/rows.json",
                 path, s->line, shape_over(&s->shape) == OVER_AXES ? "along an axis" : "along rows",
                 element_type_name(s->type), operation_name(s->op));
    }
    vec_free(&tunables);
    return ok;
}

bool tuned_race_at(const char *path, const struct results *runs, size_t count,
                   const struct catalogue *catalogue, struct tuned_race *out, struct error *e)
{
    struct tuned t = {.catalogue = catalogue};
    const struct best b = {.runs = runs, .run_count = count};
    const struct choosing c = {.tuned = &t, .best = &b, .e = e};
    shape_list shapes = {0};
    known_ranges known = {0};
    bool ok = read_file(path, &shapes, e);
    if (ok) {
        find_known(&c, &known);
        append_config(&known, &shapes, &out->config);
        ok = append_points(path, &shapes, &known, &out->points, e);
    }
    vec_free(&shapes);
    vec_free(&known);
    return ok;
}
