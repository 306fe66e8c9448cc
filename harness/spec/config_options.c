/* Turns the keys of a config into options. */
#include "spec/config_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "spec/config_fields.h"

static const char tunable_prefix[] = "--tunables.";

/* Keys whose values are objects. The keys in these objects become options. */
static const struct {
    const char *key, *prefix;
    const struct field *fields;
} nested[] = {{"timing", "--timing.", timing_fields}, {"search", "--search.", search_fields}};
enum { NESTED = sizeof nested / sizeof *nested };

/*
 * Returns whether a key becomes an option. Comments and schemas mean nothing on a command line.
 * Kernel folders have an option in several commands (--kernel-folder), and points are read from a
 * file (run --points).
 */
static bool has_option(const struct field *key)
{
    for (int i = 0; i < NESTED; i++)
        if (strcmp(key->name, nested[i].key) == 0)
            return false;
    return key->read != config_comment && key->read != config_schema &&
           key->read != config_folders && key->read != config_points;
}

/* Returns the key of a config that an option sets. Sets *inner to the name of the object that
 * contains the key, or to NULL if the key is at the top of the config. */
static const struct field *key_of(const char *option, const char **inner)
{
    for (int i = 0; i < NESTED; i++) {
        size_t length = strlen(nested[i].prefix);
        *inner = nested[i].key;
        if (strncmp(option, nested[i].prefix, length) == 0)
            return field_find(nested[i].fields, option + length);
    }
    bool tunable = strncmp(option, tunable_prefix, strlen(tunable_prefix)) == 0;
    *inner = tunable ? "tunables" : NULL;
    return field_find(config_fields, tunable ? "tunables" : option + 2);
}

/* Checks an option's value by reading it like a config's, so that errors have the same messages. */
static bool check(const struct reading *r, const struct field *key, const cJSON *value)
{
    struct config *scratch = xcalloc(1, sizeof *scratch);
    scratch->path = xstrdup("");
    const struct reading own = {scratch, r->prefix, ERROR_USAGE, NULL, r->e};
    bool ok = key->read(&own, key, NULL, value);
    config_free(scratch);
    return ok;
}

/* Returns the member with this name, and adds it if there is none. */
static cJSON *member(cJSON *object, const char *name, cJSON *(*create)(void))
{
    cJSON *found = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!found) {
        found = create();
        cJSON_AddItemToObject(object, name, found);
    }
    return found;
}

static void put(cJSON *object, const char *name, cJSON *value)
{
    cJSON_DeleteItemFromObjectCaseSensitive(object, name);
    cJSON_AddItemToObject(object, name, value);
}

/* Reads an option's value and stores it in the overrides. */
static bool take(const struct reading *r, const struct field *f, const struct field_path *at,
                 const cJSON *given)
{
    cJSON **overrides = field_member(r, f->offset);
    const char *inner;
    const struct field *key = key_of(r->prefix, &inner);
    const char *name = strrchr(r->prefix, inner ? '.' : '-') + 1;
    (void)at;
    const cJSON *only =
        cJSON_IsArray(given) && given->child && !given->child->next ? given->child : given;
    cJSON *value = cJSON_Duplicate(only, true), *tunable = NULL;
    if (key->read == config_tunables && inner) {
        tunable = cJSON_CreateObject();
        cJSON_AddItemReferenceToObject(tunable, name, value);
    }
    bool ok = check(r, key, tunable ? tunable : value);
    cJSON_Delete(tunable);
    if (!ok) {
        cJSON_Delete(value);
        return false;
    }
    if (!*overrides)
        *overrides = cJSON_CreateObject();
    if (key->read == config_excludes)
        cJSON_AddItemToArray(member(*overrides, name, cJSON_CreateArray), value);
    else
        put(inner ? member(*overrides, inner, cJSON_CreateObject) : *overrides, name, value);
    return true;
}

/* Makes the option for one key. The option's name is never freed. */
static struct field option_of(const struct field *key, const char *prefix, size_t offset)
{
    return (struct field){.name = xasprintf("%s%s", prefix, key->name),
                          .read = take,
                          .offset = offset,
                          .value = key->flags & FIELD_LIST ? "LIST" : "VALUE",
                          .flags = key->flags & FIELD_LIST};
}

const struct field *config_options(const struct field *own, size_t offset)
{
    static VEC(struct field) rows;
    if (rows.count > 0)
        return rows.items;
    for (; own->name; own++)
        vec_push(&rows, *own);
    for (const struct field *key = config_fields; key->name; key++)
        if (has_option(key))
            vec_push(&rows, option_of(key, "--", offset));
    for (int i = 0; i < NESTED; i++)
        for (const struct field *key = nested[i].fields; key->name; key++)
            vec_push(&rows, option_of(key, nested[i].prefix, offset));
    const struct field tunable = {.name = "", .flags = FIELD_LIST};
    vec_push(&rows, option_of(&tunable, tunable_prefix, offset));
    vec_push(&rows, (struct field){0});
    return rows.items;
}

/*
 * Appends prefix and name to the line. If the line is full, prints it first and begins a new one.
 */
static void print_word(struct text *line, const char *prefix, const char *name)
{
    if (line->length + strlen(prefix) + strlen(name) > 78) {
        printf("%s\n", line->bytes);
        line->length = 0;
    }
    text_append(line, "%s%s%s", line->length ? " " : "  ", prefix, name);
}

void config_options_print(void)
{
    struct text line = {0};
    for (const struct field *key = config_fields; key->name; key++)
        if (has_option(key))
            print_word(&line, "--", key->name);
    print_word(&line, tunable_prefix, "NAME");
    for (int i = 0; i < NESTED; i++)
        for (const struct field *key = nested[i].fields; key->name; key++)
            print_word(&line, nested[i].prefix, key->name);
    printf("%s\n", line.bytes);
    text_free(&line);
}

bool config_from_options(const char *command, const char *path, const cJSON *overrides,
                         struct config **out, struct error *e)
{
    if (!path && !overrides)
        return FAIL(e, ERROR_USAGE,
                    "%s needs a config, for example configs/quick.json, or options in its place, "
                    "for example --kernels unroll --sizes 2^20",
                    command);
    if (!overrides)
        return config_read(path, out, e);
    char *text = cJSON_PrintUnformatted(overrides);
    bool ok = config_read_with(path, text, out, e);
    cJSON_free(text);
    return ok;
}
