/*
 * The tables of a config's keys, and the code that turns a config file into a struct config.
 *
 * The keys of axes are rows of base/axes.def. To add another key, add a row to a table below and a
 * member to struct config (free it in config_free() if it owns memory). Also add a line to
 * configs/README.md; a test compares that page with the tables.
 */
#include "spec/config.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/input.h"
#include "base/memory.h"
#include "spec/config_fields.h"
#include "spec/folders.h"
#include "spec/json.h"

#define AT(member) .offset = offsetof(struct config, member)
#define ARRAY(member, number) AT(member), .count_offset = offsetof(struct config, number)

/*
 * The words that the column `values` of base/axes.def uses. Each expands to initializers of a
 * struct field: the reader of the key, the member that receives the values, and the allowed values.
 */
#define VALUES(axis) ARRAY(axis_values[AXIS_##axis].values, axis_values[AXIS_##axis].count)
#define KERNELS config_kernels, AT(kernels)
#define CHOICES(axis, names, count) config_choices, VALUES(axis), WORDS(names, count)
#define SUPPORTED(axis, names, count) config_supported, VALUES(axis), WORDS(names, count)
#define INTEGERS(axis, min, max) field_uint64s, VALUES(axis), RANGE(min, max)
#define INTEGERS_OR_ALL(axis, min, max) config_integers_or_all, VALUES(axis), RANGE(min, max)

/* clang-format off: each key has one row, or two */
const struct field config_fields[] = {
    {"name", NULL, config_name, AT(name)},
    {"comment", NULL, config_comment, .offset = 0},
    {"$schema", NULL, config_schema, .offset = 0},
#define AXIS(name, key, otherwise, values, kind, unit, meaning, value)                             \
    {#key, otherwise, values, .flags = FIELD_LIST},
#include "base/axes.def"
#undef AXIS
    {"shapes", "[]", config_shapes, ARRAY(shapes, shape_count), RANGE(1, 1099511627776.0),
     .flags = MAY_BE_EMPTY | FIELD_LIST},
    {"tunables", "{}", config_tunables, ARRAY(tunables, tunable_count), RANGE(0, INT_MAX)},
    {"metrics", "[\"gld_transactions\", \"inst_per_warp\", \"warp_execution_efficiency\"]",
     config_metrics, AT(metrics), .flags = MAY_BE_EMPTY | FIELD_LIST},
    {"count_wrong", "false", field_switch, AT(count_wrong)},
    {"timing", "{}", config_timing, AT(timing)},
    {"search", "{}", config_search, AT(search)},
    {"points", "\"all\"", config_points, AT(points)},
    {"exclude", "[]", config_excludes, ARRAY(excludes, exclude_count)},
    {"skip", "{}", config_skips, ARRAY(skips, skip_count)},
    {"kernel_folders", "[]", config_folders, AT(kernel_folders), .flags = MAY_BE_EMPTY},
    {"seed", "1", field_uint64, AT(seed), RANGE(0, 9007199254740991.0)},
    {0}};

const struct field timing_fields[] = {
    {"min_samples", "20", field_int, AT(timing.min_samples), RANGE(1, 100000)},
    {"max_samples", "200", field_int, AT(timing.max_samples), RANGE(0, 100000)},
    {"relative_width", "0.01", field_double, AT(timing.relative_width), RANGE(0, 1)},
    {"budget_s", "0.5", field_double, AT(timing.budget_s), RANGE(0.001, 3600)},
    {"point_limit_s", "20", field_double, AT(timing.point_limit_s), RANGE(0.1, 86400)},
    {"compile_limit_s", "120", field_double, AT(timing.compile_limit_s), RANGE(1, 86400)},
    {"compile_memory_mib", "4096", field_int, AT(timing.compile_memory_mib), RANGE(256, 1048576)},
    {"instruction_limit", "\"2^32\"", field_uint64, AT(timing.instruction_limit),
     RANGE(1000, 9007199254740992.0)},
    {"cpu_limit_s", "600", field_double, AT(timing.cpu_limit_s), RANGE(0.1, 8640000)},
    {"memory_limit_mib", "4096", field_int, AT(timing.memory_limit_mib), RANGE(64, 1048576)},
    {"warmup", "3", field_int, AT(timing.warmup), RANGE(0, 10000)},
    {"contexts", "12", field_int, AT(timing.contexts), RANGE(1, 64)},
    {"placements", "8", field_int, AT(timing.placements), RANGE(1, PLACEMENTS_MAX)},
    {"energy_s", "0", field_double, AT(timing.energy_s), RANGE(0, 60)},
    {0}};

const char *const search_strategy_names[SEARCH_STRATEGIES] = {
#define STRATEGY(name, word, source) word,
#include "spec/strategies.def"
};

#define SEARCH_KEY(type, key, otherwise, reader, min, max)                                         \
    {#key, otherwise, reader, AT(search.key), RANGE(min, max)},
#define SEARCH_INTS(key, number, otherwise, min, max)                                              \
    {#key,                                                                                         \
     otherwise,                                                                                    \
     field_ints,                                                                                   \
     ARRAY(search.key, search.number),                                                             \
     RANGE(min, max),                                                                              \
     .flags = FIELD_LIST},
/* clang-format off */
const struct field search_fields[] = {
    {"strategy", "\"exhaustive\"", field_choice, AT(search.strategy),
     WORDS(search_strategy_names, SEARCH_STRATEGIES)},
#include "spec/strategies.def"
    {0}};
/* clang-format on */

/*
 * Reads the key `timing`. If only one of min_samples and max_samples is given and the default of
 * the other one contradicts it, the other one gets the same value. energy_s must be 0 or at least
 * 1.
 */
bool config_timing(const struct reading *r, const struct field *f, const struct field_path *at,
                   const cJSON *value)
{
    struct config_timing *t = field_member(r, f->offset);
    if (!cJSON_IsObject(value))
        return REFUSE_TYPE(r, at, value, "an object, such as {\"min_samples\": 30}");
    if (!fields_read_object(r, timing_fields, at, value))
        return false;
    if (t->energy_s > 0 && t->energy_s < 1) {
        struct field_path here = {at, "energy_s", 0};
        return REFUSE(r, &here,
                      "%g s is too short, because a GPU updates its energy counter only every 20 "
                      "to 100 ms; write 0 (energy is not measured) or 1 to 60",
                      t->energy_s);
    }
    bool min_given = cJSON_GetObjectItemCaseSensitive(value, "min_samples");
    bool max_given = cJSON_GetObjectItemCaseSensitive(value, "max_samples");
    if (t->max_samples == 0 || t->max_samples >= t->min_samples)
        return true;
    if (min_given && max_given) {
        struct field_path here = {at, "max_samples", 0};
        return REFUSE(r, &here,
                      "%d is less than min_samples, which is %d; write 0 (nothing is timed) or at "
                      "least min_samples",
                      t->max_samples, t->min_samples);
    }
    if (max_given)
        t->min_samples = t->max_samples;
    else
        t->max_samples = t->min_samples;
    return true;
}

/* Reads the key `search`: a strategy's name, or an object with the strategy and its parameters. */
bool config_search(const struct reading *r, const struct field *f, const struct field_path *at,
                   const cJSON *value)
{
    struct config_search *s = field_member(r, f->offset);
    cJSON *object = NULL;
    if (cJSON_IsString(value)) {
        object = cJSON_CreateObject();
        cJSON_AddItemToObject(object, "strategy", cJSON_Duplicate(value, true));
    } else if (!cJSON_IsObject(value)) {
        return REFUSE_TYPE(r, at, value,
                           "a strategy or an object, such as {\"strategy\": \"race\"}");
    }
    bool ok = fields_read_object(r, search_fields, at, object ? object : value);
    cJSON_Delete(object);
    struct field_path here = {at, "rungs", 0};
    return ok && (s->rung_count <= SEARCH_RUNGS_MAX ||
                  REFUSE(r, &here, "the list has %d numbers; write at most %d", s->rung_count,
                         SEARCH_RUNGS_MAX));
}

/* ---- Whole configs --------------------------------------------------------------------------- */

/* Returns the file's name without its folder and without .json, with dashes for characters that a
 * name must not contain. */
static char *name_from_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    if (length > 5 && strcmp(base + length - 5, ".json") == 0)
        length -= 5;
    if (length > 100)
        length = 100;
    char *name = length > 0 ? xstrndup(base, length) : xstrdup("sweep");
    for (char *p = name; *p != '\0'; p++)
        if (!isascii(*p) || !(isalnum((unsigned char)*p) || strchr("._-", *p)))
            *p = '-';
    if (name[0] == '.')
        name[0] = '-';
    return name;
}

static bool names_key(const cJSON *config, enum axis_index axis)
{
    return cJSON_GetObjectItemCaseSensitive(config, axis_table[axis].key);
}

/* Sets only_shapes for a config with shapes but no sizes. Fails if such a config sets row_lengths
 * or inners, since the shapes are its only inputs. */
static bool check_shapes(const struct reading *r, struct config *c, const cJSON *json)
{
    c->only_shapes = c->shape_count > 0 && !names_key(json, AXIS_n);
    for (enum axis_index i = 0; i < AXIS_COUNT && c->only_shapes; i++) {
        struct field_path at = {NULL, axis_table[i].key, 0};
        if (axis_chosen_by_shapes(i) && names_key(json, i))
            return REFUSE(r, &at,
                          "the config has shapes, but no sizes with which this key could be "
                          "combined; add sizes, or leave the key out");
    }
    return true;
}

bool config_parse(const char *path, const char *text, struct config **out, struct error *e)
{
    cJSON *json;
    if (text[strspn(text, " \t\r\n")] == '\0')
        return FAIL(e, ERROR_CONFIG, "%s: the config is empty; the shortest config is {}", path);
    if (!json_parse(path, text, &json, e))
        return false;
    struct config *c = xcalloc(1, sizeof *c);
    c->path = xstrdup(path);
    c->text = xstrdup(text);
    const struct reading r = {.object = c, .prefix = path, .kind = ERROR_CONFIG, .e = e};
    bool ok = cJSON_IsObject(json) ? fields_read_object(&r, config_fields, NULL, json)
                                   : REFUSE_TYPE(&r, NULL, json, "an object: { … }");
    ok = ok && check_shapes(&r, c, json);
    cJSON_Delete(json);
    bool several = ok && c->axis_values[AXIS_scope].count > 1;
    if (several && c->search.strategy != SEARCH_EXHAUSTIVE)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s, search.strategy: %s compares times, but times of two scopes are not "
                  "comparable; choose one scope",
                  path, search_strategy_names[c->search.strategy]);
    if (ok && c->points.asked && c->search.strategy != SEARCH_EXHAUSTIVE)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s, search.strategy: %s chooses points itself, but with \"points\": \"asked\" "
                  "another program chooses them; write exhaustive",
                  path, search_strategy_names[c->search.strategy]);
    if (!ok) {
        config_free(c);
        return false;
    }
    if (!c->name)
        c->name = name_from_path(path);
    *out = c;
    return true;
}

/* Appends the entries of an array, or a single value. */
static void append_entries(cJSON *array, const cJSON *from)
{
    const cJSON *entry;
    if (!cJSON_IsArray(from))
        cJSON_AddItemToArray(array, cJSON_Duplicate(from, true));
    cJSON_ArrayForEach(entry, from)
    {
        cJSON_AddItemToArray(array, cJSON_Duplicate(entry, true));
    }
}

/* Merges the overrides into a config: merges objects key by key, appends entries of `exclude`, and
 * replaces all other values. */
static void merge_objects(cJSON *into, const cJSON *overrides)
{
    const cJSON *from;
    cJSON_ArrayForEach(from, overrides)
    {
        cJSON *here = cJSON_GetObjectItemCaseSensitive(into, from->string);
        if (here && cJSON_IsObject(here) && cJSON_IsObject(from)) {
            merge_objects(here, from);
        } else if (here && strcmp(from->string, "exclude") == 0) {
            cJSON *both = cJSON_CreateArray();
            append_entries(both, here);
            append_entries(both, from);
            cJSON_ReplaceItemInObjectCaseSensitive(into, from->string, both);
        } else {
            cJSON_DeleteItemFromObjectCaseSensitive(into, from->string);
            cJSON_AddItemToObject(into, from->string, cJSON_Duplicate(from, true));
        }
    }
}

/*
 * Handles a key such as `search` that is a word in the config but an object in the overrides.
 * Replaces the word with an object in which it is the value of `member`, so that the overrides are
 * merged into this object and replace the word only if they contain `member`.
 */
static void spread_word(cJSON *config, const cJSON *overrides, const char *key, const char *member)
{
    const cJSON *word = cJSON_GetObjectItemCaseSensitive(config, key);
    if (!cJSON_IsString(word) || !cJSON_IsObject(cJSON_GetObjectItemCaseSensitive(overrides, key)))
        return;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, member, cJSON_Duplicate(word, true));
    cJSON_ReplaceItemInObjectCaseSensitive(config, key, object);
}

/* Removes the inputs that the overrides replace: shapes replace all of the config's inputs, and
 * sizes replace its shapes. */
static void replace_inputs(cJSON *config, const cJSON *overrides)
{
    if (cJSON_GetObjectItemCaseSensitive(overrides, "shapes"))
        for (enum axis_index i = 0; i < AXIS_COUNT; i++) {
            if (axis_chosen_by_shapes(i))
                cJSON_DeleteItemFromObjectCaseSensitive(config, axis_table[i].key);
        }
    else if (names_key(overrides, AXIS_n))
        cJSON_DeleteItemFromObjectCaseSensitive(config, "shapes");
}

bool config_override(const char *path, const char *text, const char *overrides, char **out,
                     struct error *e)
{
    cJSON *config = NULL, *given = NULL;
    bool ok = json_parse(path, text, &config, e) && json_parse("options", overrides, &given, e);
    if (ok && !cJSON_IsObject(config))
        *out = xstrdup(text); /* config_parse() reports the error */
    else if (ok) {
        spread_word(config, given, "tunables", "*");
        spread_word(config, given, "search", "strategy");
        replace_inputs(config, given);
        merge_objects(config, given);
        *out = cJSON_Print(config);
    }
    cJSON_Delete(config);
    cJSON_Delete(given);
    return ok;
}

static bool read_text(const char *path, char **text, struct error *e)
{
    size_t length;
    if (!file_read(path, JSON_MAX_BYTES, text, &length, e)) {
        char hint[CONFIG_HINT];
        struct error why = e ? *e : (struct error){0};
        return access(path, F_OK) == 0 ? error_prefix(e, "cannot read the config")
                                       : FAIL(e, why.kind, "cannot read the config: %s%s", why.text,
                                              suggest_config(path, hint));
    }
    if (strlen(*text) == length)
        return true;
    FAIL(e, ERROR_CONFIG,
         "%s: byte %zu is 0x00, which a config cannot contain; is this the right file?", path,
         strlen(*text) + 1);
    free(*text);
    return false;
}

bool config_read(const char *path, struct config **out, struct error *e)
{
    char *text;
    if (!read_text(path, &text, e))
        return false;
    bool ok = config_parse(path, text, out, e);
    free(text);
    return ok;
}

bool config_read_with(const char *path, const char *overrides, struct config **out, struct error *e)
{
    char *text = NULL, *merged;
    if (!path)
        text = xstrdup("{\"name\": \"sweep\"}"), path = "command line";
    else if (!read_text(path, &text, e))
        return false;
    bool ok = config_override(path, text, overrides, &merged, e);
    free(text);
    if (!ok)
        return false;
    ok = config_parse(path, merged, out, e);
    if (ok)
        (*out)->overrides = xstrdup(overrides);
    free(merged);
    return ok;
}

static void free_names(struct name_list *list)
{
    for (int i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
}

void config_free(struct config *c)
{
    if (!c)
        return;
    free(c->path);
    free(c->text);
    free(c->overrides);
    free(c->name);
    free_names(&c->kernels);
    free_names(&c->metrics);
    free_names(&c->kernel_folders);
    for (int i = 0; i < c->tunable_count; i++) {
        free(c->tunables[i].name);
        free(c->tunables[i].values);
    }
    free(c->shapes);
    free(c->tunables);
    free(c->search.rungs);
    free(c->points.ids);
    for (int i = 0; i < AXIS_COUNT; i++)
        free(c->axis_values[i].values);
    for (int i = 0; i < c->exclude_count; i++)
        expr_free(c->excludes[i]);
    free(c->excludes);
    for (int i = 0; i < c->skip_count; i++) {
        expr_free(c->skips[i].where);
        free(c->skips[i].reason);
    }
    free(c->skips);
    free(c);
}
