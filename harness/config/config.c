/*
 * The keys of a config, and how its JSON becomes a struct config: see config.h.
 *
 * To add a key, add a row to the table below, a member to struct config (freed in config_free()
 * when it owns memory) and a line to configs/README.md, which a test holds against the table.
 */
#include "config/config.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "config/json.h"
#include "config/reading.h"

enum {
    MAX_KEYS = 1000,  /* of one object: keeps the search for doubles short */
    LONGEST_KEY = 100 /* bytes that a message shows */
};

static const char *type_word(int i)
{
    return element_type_name((enum element_type)i);
}

static const char *op_word(int i)
{
    return operation_name((enum operation)i);
}

static const char *cache_word(int i)
{
    return cache_state_name((enum cache_state)i);
}

static const char *scope_word(int i)
{
    return scope_name((enum scope)i);
}

#define AT(member) .offset = offsetof(struct config, member)
#define ARRAY(member, number) AT(member), .count_offset = offsetof(struct config, number)
#define RANGE(lo, hi) .least = (lo), .most = (hi)
#define WORDS(function, number) .word = (function), .words = (number)

/* clang-format off: a key a row, or two */
static const struct option options[] = {
    {"name", NULL, read_name, AT(name)},
    {"comment", NULL, read_comment, .offset = 0},
    {"kernels", "\"*\"", read_kernels, AT(kernels)},
    {"sizes", "{\"log2\": [14, 22], \"step\": 4}", read_sizes, ARRAY(sizes, size_count),
     RANGE(1, 1099511627776.0)},
    {"blocks", "256", read_ints, ARRAY(blocks, block_count), RANGE(32, 1024)},
    {"unrolls", "\"all\"", read_unrolls, ARRAY(unrolls, unroll_count), RANGE(1, 64)},
    {"types", "\"int32\"", read_words, AT(types), WORDS(type_word, TYPE_COUNT)},
    {"ops", "\"sum\"", read_words, AT(ops), WORDS(op_word, OP_COUNT)},
    {"cache", "\"cold\"", read_words, AT(caches), WORDS(cache_word, CACHE_COUNT)},
    {"scope", "\"kernel\"", read_words, AT(scopes), WORDS(scope_word, SCOPE_COUNT)},
    {"tunables", "{}", read_tunables, ARRAY(tunables, tunable_count), RANGE(0, INT_MAX)},
    {"metrics", "[\"gld_transactions\", \"inst_per_warp\", \"warp_execution_efficiency\"]",
     read_metrics, AT(metrics)},
    {"timing", "{}", read_timing, .offset = 0},
    {"exclude", "[]", read_excludes, ARRAY(excludes, exclude_count)},
    {"kernel_folders", "[]", read_folders, AT(kernel_folders)},
    {"seed", "1", read_uint64, AT(seed), RANGE(0, 9007199254740991.0)},
};

static const struct option timings[] = {
    {"min_samples", "20", read_int, AT(timing.min_samples), RANGE(1, 100000)},
    {"max_samples", "200", read_int, AT(timing.max_samples), RANGE(0, 100000)},
    {"relative_width", "0.01", read_double, AT(timing.relative_width), RANGE(0, 1)},
    {"budget_s", "0.5", read_double, AT(timing.budget_s), RANGE(0.001, 3600)},
    {"point_limit_s", "20", read_double, AT(timing.point_limit_s), RANGE(0.1, 86400)},
    {"warmup", "3", read_int, AT(timing.warmup), RANGE(0, 10000)},
    {"contexts", "12", read_int, AT(timing.contexts), RANGE(1, 64)},
};
/* clang-format on */

const struct option *config_options(int *count)
{
    *count = sizeof options / sizeof options[0];
    return options;
}

const struct option *timing_options(int *count)
{
    *count = sizeof timings / sizeof timings[0];
    return timings;
}

/* ---- Messages ---------------------------------------------------------------------------------
 */

static void place_text(const struct place *at, struct text *t)
{
    if (!at)
        return;
    place_text(at->parent, t);
    if (!at->key) {
        text_append(t, "[%d]", at->index);
        return;
    }
    text_append(t, "%s", at->parent ? "." : "");
    for (size_t i = 0; i < LONGEST_KEY && at->key[i] != '\0'; i++)
        text_append(t, "%c", iscntrl((unsigned char)at->key[i]) ? '?' : at->key[i]);
    text_append(t, "%s", strlen(at->key) > LONGEST_KEY ? "…" : "");
}

bool refuse(const struct reading *r, const char *file, int line, const struct place *at,
            const char *format, ...)
{
    struct text t = {0};
    text_append(&t, "%s: ", r->config->path);
    place_text(at, &t);
    text_append(&t, "%s", at ? ": " : "");
    char message[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    error_set(r->e, ERROR_CONFIG, file, line, "%s%s", t.failed ? "" : t.bytes, message);
    text_free(&t);
    return false;
}

/* The shortest decimal number that reads back equal; whole ones without an exponent. */
static void double_text(double number, char buffer[80])
{
    if (number - number != 0) {
        snprintf(buffer, 80, "a number beyond 1.8e308");
        return;
    }
    if (number == (double)(long long)fmax(-1e18, fmin(1e18, number))) {
        snprintf(buffer, 80, "%.0f", number);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buffer, 80, "%.*g", digits, number);
        if (strtod(buffer, NULL) == number)
            return;
    }
}

const char *value_text(const cJSON *value, char buffer[80])
{
    enum { SHOWN = 60 };
    if (cJSON_IsNumber(value)) {
        double_text(value->valuedouble, buffer);
        return buffer;
    }
    char *text = cJSON_PrintUnformatted(value);
    size_t length = text ? strlen(text) : 0;
    bool cut = length > SHOWN;
    if (cut) {
        length = SHOWN;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
            length--; /* not within a character */
    }
    snprintf(buffer, 80, "%.*s%s", (int)length, text ? text : "", cut ? "…" : "");
    cJSON_free(text);
    return buffer;
}

bool refuse_type(const struct reading *r, const char *file, int line, const struct place *at,
                 const cJSON *value, const char *wanted)
{
    const char *type = cJSON_IsString(value)   ? "text"
                       : cJSON_IsNumber(value) ? "a number"
                       : cJSON_IsArray(value)  ? "a list"
                       : cJSON_IsObject(value) ? "an object"
                       : cJSON_IsNull(value)   ? "nothing"
                                               : "a truth value";
    char shown[80];
    return refuse(r, file, line, at, "%s is %s; allowed is %s", value_text(value, shown), type,
                  wanted);
}

/* ---- Objects by the table ---------------------------------------------------------------------
 */

static bool unknown_key(struct reading *r, const struct option *known, int count,
                        const struct place *at, const char *key)
{
    const char *names[sizeof options / sizeof options[0]];
    struct text list = {0};
    for (int i = 0; i < count; i++) {
        names[i] = known[i].key;
        text_append(&list, "%s%s", i > 0 ? ", " : "", known[i].key);
    }
    const char *nearest = text_nearest(key, names, (size_t)count);
    REFUSE(r, at, "unknown key%s%s%s; the keys here are %s", nearest ? ", did you mean \"" : "",
           nearest ? nearest : "", nearest ? "\"?" : "", list.failed ? "" : list.bytes);
    text_free(&list);
    return false;
}

static bool read_fallback(struct reading *r, const struct option *o, const struct place *at)
{
    cJSON *value = cJSON_Parse(o->fallback);
    if (!value)
        return FAIL(r->e, ERROR_MEMORY, "no memory to read a config");
    bool ok = o->read(r, o, at, value);
    cJSON_Delete(value);
    return ok;
}

bool read_object(struct reading *r, const struct option *known, int count, const struct place *at,
                 const cJSON *object)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, object)
    {
        struct place here = {at, entry->string, 0};
        bool found = false;
        for (int i = 0; i < count && !found; i++)
            found = strcmp(known[i].key, entry->string) == 0;
        if (!found)
            return unknown_key(r, known, count, &here, entry->string);
    }
    for (int i = 0; i < count; i++) {
        struct place here = {at, known[i].key, 0};
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, known[i].key);
        if (value ? !known[i].read(r, &known[i], &here, value)
                  : known[i].fallback && !read_fallback(r, &known[i], &here))
            return false;
    }
    return true;
}

/* No key twice in one object: cJSON keeps both, and which one would count is anybody's guess. */
static bool check_doubles(struct reading *r, const struct place *at, const cJSON *value)
{
    int index = 0;
    const cJSON *entry, *other;
    if (cJSON_IsObject(value) && cJSON_GetArraySize(value) > MAX_KEYS)
        return REFUSE(r, at, "an object has more than %d keys", MAX_KEYS);
    cJSON_ArrayForEach(entry, value)
    {
        struct place here = {at, entry->string, index++};
        if (cJSON_IsObject(value))
            for (other = value->child; other != entry; other = other->next)
                if (strcmp(other->string, entry->string) == 0)
                    return REFUSE(r, &here, "the key stands twice in one object; keep one of them");
        if (!check_doubles(r, &here, entry))
            return false;
    }
    return true;
}

/* ---- Timing -----------------------------------------------------------------------------------
 */

/* Where only one end of the samples' range is given, the other's default gives way to it. */
bool read_timing(struct reading *r, const struct option *o, const struct place *at,
                 const cJSON *value)
{
    (void)o;
    if (!cJSON_IsObject(value))
        return REFUSE_TYPE(r, at, value, "an object, such as {\"min_samples\": 30}");
    int count;
    const struct option *known = timing_options(&count);
    if (!read_object(r, known, count, at, value))
        return false;
    struct config_timing *t = &r->config->timing;
    bool least_given = cJSON_GetObjectItemCaseSensitive(value, "min_samples");
    bool most_given = cJSON_GetObjectItemCaseSensitive(value, "max_samples");
    if (t->max_samples == 0 || t->max_samples >= t->min_samples)
        return true;
    if (least_given && most_given) {
        struct place here = {at, "max_samples", 0};
        return REFUSE(r, &here,
                      "%d is less than min_samples, %d; allowed are 0 (no timing) and numbers "
                      "from min_samples",
                      t->max_samples, t->min_samples);
    }
    if (most_given)
        t->min_samples = t->max_samples;
    else
        t->max_samples = t->min_samples;
    return true;
}

/* ---- Whole configs ----------------------------------------------------------------------------
 */

/* The file's name without folder and .json, in the characters that a name may have. */
static bool name_from_path(struct reading *r)
{
    struct config *c = r->config;
    const char *slash = strrchr(c->path, '/');
    const char *base = slash ? slash + 1 : c->path;
    size_t length = strlen(base);
    if (length > 5 && strcmp(base + length - 5, ".json") == 0)
        length -= 5;
    if (length > 100)
        length = 100;
    c->name = length > 0 ? strndup(base, length) : strdup("sweep");
    if (!c->name)
        return FAIL(r->e, ERROR_MEMORY, "no memory to read a config");
    for (char *p = c->name; *p != '\0'; p++)
        if (!isascii(*p) || !(isalnum((unsigned char)*p) || strchr("._-", *p)))
            *p = '-';
    if (c->name[0] == '.')
        c->name[0] = '-';
    return true;
}

static bool read_config(struct reading *r, const cJSON *json)
{
    int count;
    const struct option *known = config_options(&count);
    if (!cJSON_IsObject(json))
        return REFUSE_TYPE(r, NULL, json, "an object: { … }");
    return check_doubles(r, NULL, json) && read_object(r, known, count, NULL, json) &&
           (r->config->name || name_from_path(r));
}

bool config_parse(const char *path, const char *text, struct config **out, struct error *e)
{
    cJSON *json;
    size_t length = strlen(text);
    if (strspn(text, " \t\r\n") == length)
        return FAIL(e, ERROR_CONFIG, "%s: the config is empty; the least config is {}", path);
    if (!json_parse(path, text, length, &json, e))
        return false;
    struct config *c = calloc(1, sizeof *c);
    if (c) {
        c->path = strdup(path);
        c->text = strdup(text);
    }
    struct reading r = {.config = c, .e = e};
    bool ok = c && c->path && c->text ? read_config(&r, json)
                                      : FAIL(e, ERROR_MEMORY, "no memory to read %s", path);
    cJSON_Delete(json);
    if (ok)
        *out = c;
    else
        config_free(c);
    return ok;
}

bool config_read(const char *path, struct config **out, struct error *e)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return FAIL(e, ERROR_CONFIG, "%s: the config cannot be opened: %s", path, strerror(errno));
    char *text = malloc(JSON_MAX_BYTES + 2); /* one byte more shows that there is more */
    if (!text) {
        fclose(f);
        return FAIL(e, ERROR_MEMORY, "no memory to read %s", path);
    }
    errno = 0;
    size_t length = fread(text, 1, JSON_MAX_BYTES + 1, f);
    text[length] = '\0';
    bool ok;
    if (ferror(f))
        ok = FAIL(e, ERROR_CONFIG, "%s: the config cannot be read: %s", path, strerror(errno));
    else if (length > JSON_MAX_BYTES)
        ok = FAIL(e, ERROR_CONFIG, "%s: the file is longer than 1 MiB; is it a config?", path);
    else if (strlen(text) < length)
        ok = FAIL(e, ERROR_CONFIG, "%s: byte %zu is 0x00, so this is no text; is it a config?",
                  path, strlen(text) + 1);
    else
        ok = config_parse(path, text, out, e);
    free(text);
    fclose(f);
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
    free(c->name);
    free_names(&c->kernels);
    free_names(&c->metrics);
    free_names(&c->kernel_folders);
    free(c->sizes);
    free(c->blocks);
    free(c->unrolls);
    for (int i = 0; i < c->tunable_count; i++) {
        free(c->tunables[i].name);
        free(c->tunables[i].values);
    }
    free(c->tunables);
    for (int i = 0; i < c->exclude_count; i++)
        expr_free(c->excludes[i]);
    free(c->excludes);
    free(c);
}
