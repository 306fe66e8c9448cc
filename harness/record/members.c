/* Converts structs to JSON and back, driven by tables of members. */
#include "record/members.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/utf8.h"

/* Most programs cannot read larger numbers in JSON exactly. */
#define LARGEST_COUNT 9007199254740992.0

/* The layout of any VEC() (base/vec.h). */
struct list {
    char *items;
    size_t count, capacity;
};

static struct list list_at(const void *at)
{
    struct list list;
    memcpy(&list, at, sizeof list);
    return list;
}

static const void *at_of(const struct member *m, const void *object)
{
    return (const char *)object + m->offset;
}

/* Returns whether the member is an object and is present. */
static bool is_object(const struct member *m, const void *at)
{
    return m->kind == MEMBER_OBJECT ||
           (m->kind == MEMBER_OPTIONAL && *((const char *)at + m->of->offset));
}

static char *string_at(const void *at)
{
    char *s;
    memcpy(&s, at, sizeof s);
    return s;
}

void member_set(char **string, const char *value)
{
    char *copy = xstrdup(value ? value : "");
    free(*string);
    *string = copy;
}

void members_clear(const struct member *table, void *object)
{
    for (const struct member *m = table; m->name; m++) {
        void *at = (char *)object + m->offset;
        switch (m->kind) {
        case MEMBER_TEXT:
            memset(at, 0, m->size);
            break;
        case MEMBER_STRING:
        case MEMBER_JSON:
            *(char **)at = xstrdup("");
            break;
        case MEMBER_NUMBER:
            *(double *)at = NAN;
            break;
        case MEMBER_COUNT:
            *(int64_t *)at = -1;
            break;
        case MEMBER_BOOL:
            *(bool *)at = false;
            break;
        case MEMBER_OBJECT:
        case MEMBER_OPTIONAL:
            members_clear(m->of, at);
            break;
        case MEMBER_LIST:
            memset(at, 0, sizeof(struct list));
            break;
        }
    }
}

void members_free(const struct member *table, void *object)
{
    for (const struct member *m = table; m->name; m++) {
        void *at = (char *)object + m->offset;
        if (m->kind == MEMBER_STRING || m->kind == MEMBER_JSON) {
            free(*(char **)at);
            *(char **)at = NULL;
        } else if (m->kind == MEMBER_OBJECT || m->kind == MEMBER_OPTIONAL) {
            members_free(m->of, at);
        } else if (m->kind == MEMBER_LIST) {
            struct list list = list_at(at);
            for (size_t i = 0; i < list.count; i++)
                members_free(m->of, list.items + i * m->size);
            free(list.items);
            memset(at, 0, sizeof list);
        }
    }
}

/* ---- Writing --------------------------------------------------------------------------------- */

enum { ONE_LINE = -1 }; /* an indentation that means "without line breaks" */

static void line_end(int indent, struct text *out)
{
    if (indent != ONE_LINE)
        text_append(out, "\n%*s", indent, "");
}

static void write_list(const struct member *m, const void *at, int indent, struct text *out)
{
    struct list list = list_at(at);
    text_append(out, "[");
    for (size_t i = 0; i < list.count; i++) {
        text_append(out, "%s", i ? "," : "");
        line_end(indent == ONE_LINE ? ONE_LINE : indent + 2, out);
        members_write(m->of, list.items + i * m->size, ONE_LINE, out);
    }
    if (list.count)
        line_end(indent, out);
    text_append(out, "]");
}

static void write_value(const struct member *m, const void *object, int indent, struct text *out)
{
    const void *at = at_of(m, object);
    const char *text = m->kind == MEMBER_TEXT                               ? at
                       : m->kind == MEMBER_STRING || m->kind == MEMBER_JSON ? string_at(at)
                                                                            : NULL;
    if (m->kind == MEMBER_LIST)
        write_list(m, at, indent, out);
    else if (is_object(m, at))
        members_write(m->of, at, indent, out);
    else if (m->kind == MEMBER_NUMBER && isfinite(*(const double *)at))
        text_number(out, *(const double *)at);
    else if (m->kind == MEMBER_COUNT && *(const int64_t *)at >= 0)
        text_append(out, "%" PRId64, *(const int64_t *)at);
    else if (m->kind == MEMBER_BOOL)
        text_append(out, "%s", *(const bool *)at ? "true" : "false");
    else if (text && *text && m->kind == MEMBER_JSON)
        text_append_bytes(out, text, strlen(text));
    else if (text && *text)
        text_append_json(out, text);
    else
        text_append(out, "null");
}

void members_write(const struct member *table, const void *object, int indent, struct text *out)
{
    if (!*table->name) {
        write_value(table, object, indent, out);
        return;
    }
    int inner = indent == ONE_LINE ? ONE_LINE : indent + 2;
    text_append(out, "{");
    for (const struct member *m = table; m->name; m++) {
        text_append(out, "%s", m == table ? "" : ",");
        line_end(inner, out);
        text_append(out, inner == ONE_LINE ? "\"%s\":" : "\"%s\": ", m->name);
        write_value(m, object, inner, out);
    }
    line_end(indent, out);
    text_append(out, "}");
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool wrong_kind(const char *name, const char *expected, struct error *e)
{
    return FAIL(e, ERROR_CONFIG, "the member %s must be %s", name, expected);
}

static bool read_list(const struct member *m, void *at, const cJSON *json, const char *name,
                      struct error *e)
{
    struct list list = {0};
    const cJSON *item;
    bool ok = cJSON_IsArray(json) || wrong_kind(name, "an array", e);
    if (ok)
        list.items = xcalloc((size_t)cJSON_GetArraySize(json) + 1, m->size);
    list.capacity = ok ? (size_t)cJSON_GetArraySize(json) + 1 : 0;
    cJSON_ArrayForEach(item, json)
    {
        char inner[256];
        snprintf(inner, sizeof inner, "%.200s.%zu", name, list.count);
        if (!ok)
            break;
        void *object = list.items + list.count++ * m->size;
        members_clear(m->of, object);
        ok = members_read(m->of, object, item, inner, e);
    }
    memcpy(at, &list, sizeof list);
    return ok;
}

static bool read_string(const struct member *m, void *at, const cJSON *json, const char *name,
                        struct error *e)
{
    if (!cJSON_IsString(json))
        return wrong_kind(name, "a string", e);
    const char *s = json->valuestring;
    if (m->kind == MEMBER_STRING)
        member_set(at, s);
    else
        snprintf(at, m->size, "%.*s", (int)utf8_cut(s, m->size - 1), s);
    return true;
}

static bool read_count(void *at, const cJSON *json, const char *name, struct error *e)
{
    double value = cJSON_IsNumber(json) ? json->valuedouble : -1;
    if (!(value >= 0 && value <= LARGEST_COUNT && floor(value) == value))
        return wrong_kind(name, "a non-negative integer", e);
    *(int64_t *)at = (int64_t)value;
    return true;
}

static void read_json(void *at, const cJSON *json)
{
    char *text = cJSON_PrintUnformatted(json);
    member_set(at, text);
    cJSON_free(text);
}

static bool read_value(const struct member *m, void *object, const cJSON *json, const char *name,
                       struct error *e)
{
    void *at = (char *)object + m->offset;
    if (!json || cJSON_IsNull(json))
        return true;
    switch (m->kind) {
    case MEMBER_TEXT:
    case MEMBER_STRING:
        return read_string(m, at, json, name, e);
    case MEMBER_NUMBER:
        *(double *)at = json->valuedouble;
        return cJSON_IsNumber(json) || wrong_kind(name, "a number", e);
    case MEMBER_COUNT:
        return read_count(at, json, name, e);
    case MEMBER_BOOL:
        *(bool *)at = cJSON_IsTrue(json);
        return cJSON_IsBool(json) || wrong_kind(name, "true or false", e);
    case MEMBER_JSON:
        read_json(at, json);
        return true;
    case MEMBER_OBJECT:
    case MEMBER_OPTIONAL:
        return members_read(m->of, at, json, name, e);
    case MEMBER_LIST:
        return read_list(m, at, json, name, e);
    }
    return true;
}

bool members_read(const struct member *table, void *object, const cJSON *json, const char *where,
                  struct error *e)
{
    if (!*table->name)
        return read_value(table, object, json, where, e);
    if (!cJSON_IsObject(json))
        return wrong_kind(where, "an object", e);
    for (const struct member *m = table; m->name; m++) {
        char name[256];
        snprintf(name, sizeof name, "%.180s%s%.64s", where, *where ? "." : "", m->name);
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(json, m->name);
        if (!value && m->was)
            value = cJSON_GetObjectItemCaseSensitive(json, m->was);
        if (!read_value(m, object, value, name, e))
            return false;
    }
    return true;
}

/* ---- Listing --------------------------------------------------------------------------------- */

struct listing {
    member_visit *visit;
    void *context;
};

static void each_of(const struct member *table, const void *object, const char *prefix,
                    const struct listing *l);

static void each_item(const struct member *m, const void *at, const char *name,
                      const struct listing *l)
{
    struct list list = list_at(at);
    for (size_t i = 0; i < list.count; i++) {
        char inner[256];
        snprintf(inner, sizeof inner, "%.200s.%zu", name, i);
        each_of(m->of, list.items + i * m->size, inner, l);
    }
}

static void each_value(const struct member *m, const void *object, const char *name,
                       const struct listing *l)
{
    const void *at = at_of(m, object);
    struct text value = {0};
    const char *text = NULL;
    if (m->kind == MEMBER_LIST)
        each_item(m, at, name, l);
    else if (is_object(m, at))
        each_of(m->of, at, name, l);
    else if (m->kind == MEMBER_NUMBER && isfinite(*(const double *)at))
        text_number(&value, *(const double *)at);
    else if (m->kind == MEMBER_COUNT && *(const int64_t *)at >= 0)
        text_append(&value, "%" PRId64, *(const int64_t *)at);
    else if (m->kind == MEMBER_BOOL)
        text = *(const bool *)at ? "yes" : "no";
    else if (m->kind == MEMBER_TEXT)
        text = at;
    else if (m->kind == MEMBER_STRING || m->kind == MEMBER_JSON)
        text = string_at(at);
    text = value.bytes ? value.bytes : text;
    if (text && *text)
        l->visit(l->context, name, text);
    text_free(&value);
}

static void each_of(const struct member *table, const void *object, const char *prefix,
                    const struct listing *l)
{
    for (const struct member *m = table; m->name; m++) {
        char name[256];
        snprintf(name, sizeof name, "%.180s%s%.64s", prefix, *prefix && *m->name ? "." : "",
                 m->name);
        each_value(m, object, name, l);
    }
}

void members_each(const struct member *table, const void *object, member_visit *visit,
                  void *context)
{
    const struct listing l = {visit, context};
    each_of(table, object, "", &l);
}
