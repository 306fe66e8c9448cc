#include "spec/schema.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/axes.h"
#include "base/memory.h"
#include "spec/config_fields.h"

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Matches the numbers that notation_number() accepts as text. A schema cannot check the range of
 * such a number. */
#define NUMBER_TEXT "[+-]?[0-9.]+([eE][+-]?[0-9]+)?(\\\\^[+-]?[0-9.]+)?([KMGT]i)?"

static const char definitions[] =
    "{\"number_text\": {\"type\": \"string\", \"pattern\": \"^" NUMBER_TEXT "$\"},"
    "\"range_text\": {\"type\": \"string\","
    "\"pattern\": \"^" NUMBER_TEXT "\\\\.\\\\." NUMBER_TEXT "(:" NUMBER_TEXT ")?$\"},"
    "\"text\": {\"type\": \"string\", \"minLength\": 1}}";

static void append_bounds(struct text *t, const char *type, double min, double max)
{
    text_append(t, "{\"type\": \"%s\", \"minimum\": %.17g, \"maximum\": %.17g}", type, min, max);
}

static void append_number(struct text *t, const char *type, double min, double max)
{
    text_append(t, "{\"anyOf\": [");
    append_bounds(t, type, min, max);
    text_append(t, ", {\"$ref\": \"#/$defs/number_text\"}]}");
}

static void integer_schema(const struct field *f, struct text *t)
{
    append_number(t, "integer", f->min, f->max);
}

static void number_schema(const struct field *f, struct text *t)
{
    append_number(t, "number", f->min, f->max);
}

/* Appends the schema of a range such as {"log2": [4, 10], "step": 2}, or the same with the key
 * "range". */
static void append_range(struct text *t, const char *key, double min, double max)
{
    struct text end = {0};
    append_number(&end, "integer", min, max);
    text_append(t,
                "{\"type\": \"object\", \"required\": [\"%s\"], \"additionalProperties\": false, "
                "\"properties\": {\"%s\": {\"anyOf\": [%s, {\"type\": \"array\", \"items\": %s, "
                "\"minItems\": 2, \"maxItems\": 2}]}, \"step\": ",
                key, key, end.bytes, end.bytes);
    append_number(t, "integer", 1, max);
    text_append(t, "}}");
    text_free(&end);
}

/* Appends the schema of the values that field_numbers() accepts. `more` holds further schemas, each
 * followed by a comma. */
static void append_integers(struct text *t, const struct field *f, const char *more)
{
    struct text one = {0};
    append_number(&one, "integer", f->min, f->max);
    text_append(&one, ", {\"$ref\": \"#/$defs/range_text\"}, ");
    append_range(&one, "log2", ceil(log2(fmax(f->min, 1))), floor(log2(f->max)));
    text_append(&one, ", ");
    append_range(&one, "range", f->min, f->max);
    text_append(t,
                "{\"anyOf\": [%s%s, {\"type\": \"array\", \"minItems\": 1, "
                "\"items\": {\"anyOf\": [%s]}}]}",
                more, one.bytes, one.bytes);
    text_free(&one);
}

static void integers_schema(const struct field *f, struct text *t)
{
    append_integers(t, f, "");
}

static void integers_or_all_schema(const struct field *f, struct text *t)
{
    append_integers(t, f, "{\"const\": \"all\"}, ");
}

/* ---- Words and names ------------------------------------------------------------------------- */

static void append_words(struct text *t, const struct field *f)
{
    text_append(t, "{\"enum\": [");
    for (int i = 0; i < f->word_count; i++)
        text_append(t, "%s\"%s\"", i > 0 ? ", " : "", f->words[i]);
    text_append(t, "]}");
}

static void choice_schema(const struct field *f, struct text *t)
{
    append_words(t, f);
}

static void append_choices(struct text *t, const struct field *f, const char *others)
{
    struct text words = {0};
    append_words(&words, f);
    text_append(t,
                "{\"anyOf\": [%s, {\"enum\": [%s]}, {\"type\": \"array\", \"items\": %s, "
                "\"minItems\": 1, \"uniqueItems\": true}]}",
                words.bytes, others, words.bytes);
    text_free(&words);
}

static void choices_schema(const struct field *f, struct text *t)
{
    append_choices(t, f, "\"all\"");
}

static void supported_schema(const struct field *f, struct text *t)
{
    append_choices(t, f, "\"all\", \"supported\", [\"supported\"]");
}

static void switch_schema(const struct field *f, struct text *t)
{
    (void)f;
    text_append(t, "{\"type\": \"boolean\"}");
}

/* Appends the schema of one name or an array of names, as read_names() in config_values.c accepts
 * them. */
static void append_names(struct text *t, const struct field *f, const char *pattern, int longest)
{
    struct text name = {0};
    text_append(&name, "{\"type\": \"string\", \"pattern\": \"%s\", \"maxLength\": %d}", pattern,
                longest);
    text_append(t,
                "{\"anyOf\": [%s, {\"type\": \"array\", \"items\": %s, \"uniqueItems\": true, "
                "\"minItems\": %d, \"maxItems\": %d}]}",
                name.bytes, name.bytes, f->flags & MAY_BE_EMPTY ? 0 : 1, CONFIG_MAX_NAMES);
    text_free(&name);
}

static void kernels_schema(const struct field *f, struct text *t)
{
    append_names(t, f, "^[A-Za-z0-9_*?!\\\\[\\\\]-]+$", CONFIG_LONGEST_NAME);
}

static void metrics_schema(const struct field *f, struct text *t)
{
    append_names(t, f, "^[A-Za-z0-9_.]+$", CONFIG_LONGEST_METRIC);
}

static void folders_schema(const struct field *f, struct text *t)
{
    append_names(t, f, ".", CONFIG_LONGEST_PATH);
}

static void name_schema(const struct field *f, struct text *t)
{
    (void)f;
    text_append(t,
                "{\"type\": \"string\", \"pattern\": \"^[A-Za-z0-9_-][A-Za-z0-9._-]*$\", "
                "\"maxLength\": %d}",
                CONFIG_LONGEST_NAME);
}

static void text_schema(const struct field *f, struct text *t)
{
    (void)f;
    text_append(t, "{\"type\": \"string\"}");
}

static void comment_schema(const struct field *f, struct text *t)
{
    (void)f;
    text_append(t, "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", "
                   "\"items\": {\"type\": \"string\"}}]}");
}

/* ---- Values of a config alone ---------------------------------------------------------------- */

static void shapes_schema(const struct field *f, struct text *t)
{
    static const char text[] =
        "{\"type\": \"string\", \"pattern\": \"^" NUMBER_TEXT "(x" NUMBER_TEXT "){1,2}$\"}";
    text_append(
        t,
        "{\"anyOf\": [%s, {\"type\": \"array\", \"maxItems\": %d, \"items\": {\"anyOf\": [%s, "
        "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 3, \"items\": ",
        text, CONFIG_MAX_SHAPES, text);
    append_number(t, "integer", f->min, f->max);
    text_append(t, "}]}}]}");
}

static void tunables_schema(const struct field *f, struct text *t)
{
    text_append(t, "{\"anyOf\": [{\"const\": \"all\"}, {\"type\": \"object\", "
                   "\"properties\": {\"*\": {\"const\": \"all\"}}, "
                   "\"patternProperties\": {\"^[A-Za-z_][A-Za-z0-9_]*$\": ");
    append_integers(t, f, "{\"const\": \"all\"}, ");
    text_append(t, "}, \"additionalProperties\": false}]}");
}

static void points_schema(const struct field *f, struct text *t)
{
    (void)f;
    text_append(
        t,
        "{\"anyOf\": [{\"enum\": [\"all\", \"asked\"]}, {\"type\": \"array\", "
        "\"minItems\": 1, \"items\": {\"type\": \"string\", \"pattern\": \"^[0-9a-f]{16}$\"}}]}");
}

static void excludes_schema(const struct field *f, struct text *t)
{
    (void)f;
    text_append(t,
                "{\"anyOf\": [{\"$ref\": \"#/$defs/text\"}, {\"type\": \"array\", "
                "\"items\": {\"$ref\": \"#/$defs/text\"}, \"maxItems\": %d}]}",
                CONFIG_MAX_EXCLUDES);
}

static void skips_schema(const struct field *f, struct text *t)
{
    (void)f;
    text_append(t,
                "{\"anyOf\": [{\"$ref\": \"#/$defs/text\"}, {\"type\": \"object\", "
                "\"additionalProperties\": {\"$ref\": \"#/$defs/text\"}, "
                "\"maxProperties\": %d}]}",
                CONFIG_MAX_EXCLUDES);
}

static void append_object(struct text *t, const struct field *rows);

static void timing_schema(const struct field *f, struct text *t)
{
    (void)f;
    append_object(t, timing_fields);
}

/* Appends the schema of a strategy's name, or of an object with a strategy and its parameters. */
static void search_schema(const struct field *f, struct text *t)
{
    (void)f;
    text_append(t, "{\"anyOf\": [");
    append_words(t, field_find(search_fields, "strategy"));
    text_append(t, ", ");
    append_object(t, search_fields);
    text_append(t, "]}");
}

/* ---- Objects --------------------------------------------------------------------------------- */

/* One row per reader that a config's tables use. */
static const struct {
    field_reader *read;
    void (*append)(const struct field *f, struct text *t);
} schemas[] = {
    {field_int, integer_schema},      {field_uint64, integer_schema},
    {field_double, number_schema},    {field_ints, integers_schema},
    {field_uint64s, integers_schema}, {field_switch, switch_schema},
    {field_choice, choice_schema},    {config_integers_or_all, integers_or_all_schema},
    {config_choices, choices_schema}, {config_supported, supported_schema},
    {config_name, name_schema},       {config_comment, comment_schema},
    {config_schema, text_schema},     {config_kernels, kernels_schema},
    {config_metrics, metrics_schema}, {config_folders, folders_schema},
    {config_shapes, shapes_schema},   {config_tunables, tunables_schema},
    {config_points, points_schema},   {config_excludes, excludes_schema},
    {config_skips, skips_schema},     {config_timing, timing_schema},
    {config_search, search_schema},
};

/* Returns an axis's meaning from base/axes.def, or NULL for other keys. */
static const char *axis_meaning(const char *key)
{
    for (int i = 0; i < AXIS_COUNT; i++)
        if (strcmp(axis_table[i].key, key) == 0)
            return axis_table[i].meaning;
    return NULL;
}

/* Appends a value's schema with its default and, for an axis, the axis's meaning. */
static void append_value(struct text *t, const struct field *f, bool axes)
{
    const char *meaning = axes ? axis_meaning(f->name) : NULL;
    text_append(t, "\"%s\": {", f->name);
    if (meaning) {
        text_append(t, "\"description\": ");
        text_append_json(t, meaning);
        text_append(t, ", ");
    }
    if (f->fallback)
        text_append(t, "\"default\": %s, ", f->fallback);
    text_append(t, "\"allOf\": [");
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++)
        if (schemas[i].read == f->read)
            schemas[i].append(f, t);
    text_append(t, "]}");
}

static void append_properties(struct text *t, const struct field *rows)
{
    text_append(t, "\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    for (const struct field *f = rows; f->name; f++) {
        text_append(t, "%s", f > rows ? ", " : "");
        append_value(t, f, rows == config_fields);
    }
    text_append(t, "}");
}

static void append_object(struct text *t, const struct field *rows)
{
    text_append(t, "{");
    append_properties(t, rows);
    text_append(t, "}");
}

/* Prints JSON with one line per member. cJSON would print 16-digit numbers inexactly. */
static void append_indented(const char *json, struct text *out)
{
    int depth = 0;
    bool quoted = false;
    for (const char *p = json; *p; p++) {
        bool opens = !quoted && strchr("{[", *p), closes = !quoted && strchr("}]", *p);
        if (*p == '"' && (p == json || p[-1] != '\\'))
            quoted = !quoted;
        depth += opens - closes;
        bool empty = opens && strchr("}]", p[1]);
        if (closes && !strchr("{[", p[-1]))
            text_append(out, "\n%*s", 2 * depth, "");
        if (quoted || *p != ' ' || p[-1] != ',')
            text_append_bytes(out, p, 1);
        if ((opens && !empty) || (!quoted && *p == ','))
            text_append(out, "\n%*s", 2 * depth, "");
    }
    text_append(out, "\n");
}

void config_append_schema(struct text *out)
{
    struct text t = {0};
    text_append(&t, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", "
                    "\"title\": \"A config of redsweep\", ");
    append_properties(&t, config_fields);
    text_append(&t, ", \"$defs\": %s}", definitions);
    append_indented(t.bytes, out);
    text_free(&t);
}
