/*
 * The key `exclude`: which combinations are left out.
 *
 * An entry is an expression, or an object that stands for one: all of its keys must hold, and of a
 * list any value. {"kernel": "unroll", "block": [512, 1024]} becomes
 * `kernel = "unroll" and (block = 512 or block = 1024)`. Whoever evaluates an exclusion sees one
 * language only.
 */
#include "config/reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* What an axis' values are; names beyond these are tunables and hold whole numbers. */
static const struct {
    const char *name;
    bool text;
    const char *option; /* the row of the table that knows the words or the range; NULL: any */
} axes[] = {
    {"kernel", true, NULL},     {"type", true, "types"},      {"op", true, "ops"},
    {"cache", true, "cache"},   {"scope", true, "scope"},     {"n", false, "sizes"},
    {"block", false, "blocks"}, {"unroll", false, "unrolls"},
};
enum { AXES = sizeof axes / sizeof axes[0] };

static const struct option *find_option(const char *key)
{
    int count;
    const struct option *known = config_options(&count);
    for (int i = 0; i < count; i++)
        if (strcmp(known[i].key, key) == 0)
            return &known[i];
    return NULL;
}

/* A word that this axis can never have would exclude nothing, in silence. Globs are left alone. */
static bool check_word(struct reading *r, const struct place *at, const struct option *o,
                       const char *word)
{
    const char *names[16];
    for (int i = 0; i < o->words; i++) {
        names[i] = o->word(i);
        if (strcmp(names[i], word) == 0)
            return true;
    }
    const char *nearest = text_nearest(word, names, (size_t)o->words);
    return text_is_glob(word) || REFUSE(r, at, "\"%.60s\" is not known here%s%s%s; see the key %s",
                                        word, nearest ? ", did you mean \"" : "",
                                        nearest ? nearest : "", nearest ? "\"?" : "", o->key);
}

/* Appends `axis = value`. */
static bool add_comparison(struct reading *r, const struct place *at, const char *axis,
                           const cJSON *value, struct text *source)
{
    int i = 0;
    while (i < AXES && strcmp(axes[i].name, axis) != 0)
        i++;
    const struct option *o = i < AXES && axes[i].option ? find_option(axes[i].option) : NULL;
    if (i < AXES && axes[i].text) {
        if (!cJSON_IsString(value))
            return REFUSE_TYPE(r, at, value, "text, or a list of texts");
        const char *word = value->valuestring;
        if (o && !check_word(r, at, o, word))
            return false;
        if (strchr(word, '"'))
            return REFUSE(r, at, "the text may not hold a double quote");
        text_append(source, "%s = \"%s\"", axis, word);
        return true;
    }
    if (i == AXES && cJSON_IsString(value)) {
        const char *names[AXES];
        for (int j = 0; j < AXES; j++)
            names[j] = axes[j].name;
        const char *nearest = text_nearest(axis, names, AXES);
        return REFUSE(r, at,
                      "unknown key%s%s%s; there are kernel, type, op, cache, scope, n, block, "
                      "unroll, and tunables, whose values are numbers",
                      nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                      nearest ? "\"?" : "");
    }
    double number;
    if (!read_whole(r, at, value, o ? o->least : 0, o ? o->most : 2147483647.0, &number))
        return false;
    text_append(source, "%s = %.0f", axis, number);
    return true;
}

/* Appends one key of an object: its value, or any of its values. */
static bool add_condition(struct reading *r, const struct place *at, const cJSON *value,
                          struct text *source)
{
    if (!is_identifier(value->string))
        return REFUSE(r, at,
                      "unknown key; there are kernel, type, op, cache, scope, n, block, "
                      "unroll and tunables");
    if (!cJSON_IsArray(value))
        return add_comparison(r, at, value->string, value, source);
    if (!value->child)
        return REFUSE(r, at, "the list is empty; give at least one value");
    text_append(source, "(");
    const cJSON *entry;
    int index = 0;
    cJSON_ArrayForEach(entry, value)
    {
        struct place here = {at, NULL, index++};
        text_append(source, "%s", entry == value->child ? "" : " or ");
        if (!add_comparison(r, &here, value->string, entry, source))
            return false;
    }
    text_append(source, ")");
    return true;
}

static bool object_source(struct reading *r, const struct place *at, const cJSON *object,
                          struct text *source)
{
    if (!object->child)
        return REFUSE(r, at, "the object is empty, which would exclude everything");
    const cJSON *entry;
    cJSON_ArrayForEach(entry, object)
    {
        struct place here = {at, entry->string, 0};
        text_append(source, "%s", entry == object->child ? "" : " and ");
        if (!add_condition(r, &here, entry, source))
            return false;
    }
    return !source->failed || FAIL(r->e, ERROR_MEMORY, "no memory to read a config");
}

static bool read_exclude(struct reading *r, const struct place *at, const cJSON *value,
                         struct expr **out)
{
    struct text source = {0};
    struct error e = {0};
    bool ok;
    if (cJSON_IsString(value)) {
        ok = expr_parse(value->valuestring, out, &e);
    } else if (cJSON_IsObject(value)) {
        if (!object_source(r, at, value, &source)) {
            text_free(&source);
            return false;
        }
        ok = expr_parse(source.bytes, out, &e);
    } else {
        return REFUSE_TYPE(r, at, value,
                           "an expression in quotes, or an object such as {\"kernel\": \"unroll\", "
                           "\"block\": [1024]}");
    }
    text_free(&source);
    if (!ok && e.kind == ERROR_MEMORY)
        return FAIL(r->e, ERROR_MEMORY, "%s", e.text);
    return ok || REFUSE(r, at, "%s", e.text);
}

bool read_excludes(struct reading *r, const struct option *o, const struct place *at,
                   const cJSON *value)
{
    enum { MAX_EXCLUDES = 1000 };
    (void)o;
    struct config *c = r->config;
    bool many = cJSON_IsArray(value);
    int count = many ? cJSON_GetArraySize(value) : 1;
    if (count > MAX_EXCLUDES)
        return REFUSE(r, at, "the list has more than %d entries", MAX_EXCLUDES);
    c->excludes = calloc((size_t)count + 1, sizeof(struct expr *));
    if (!c->excludes)
        return FAIL(r->e, ERROR_MEMORY, "no memory to read a config");
    const cJSON *entry = many ? value->child : value;
    for (int i = 0; i < count; i++, entry = entry->next) {
        struct place here = {at, NULL, i};
        if (!read_exclude(r, many ? &here : at, entry, &c->excludes[i]))
            return false;
        c->exclude_count = i + 1;
    }
    return true;
}
