/*
 * The key `exclude`: which combinations are left out, as expressions.
 *
 * An entry could once be an object as well: all of its keys had to hold, and of an array any value.
 * Such an entry is refused with the expression that means the same.
 */
#include "spec/config_fields.h"

#include <string.h>

#include "base/text.h"

/* Appends `axis = value`; false for what was not a value there. */
static bool append_comparison(struct text *t, const char *axis, const cJSON *value)
{
    if (cJSON_IsNumber(value))
        text_append(t, "%s = %.0f", axis, value->valuedouble);
    else if (cJSON_IsString(value) && !strpbrk(value->valuestring, "'\"\\"))
        text_append(t, "%s = '%s'", axis, value->valuestring);
    else
        return false;
    return true;
}

/* Appends an object as an expression; false where it never was one. */
static bool append_object(struct text *t, const cJSON *object)
{
    const cJSON *key, *value;
    cJSON_ArrayForEach(key, object)
    {
        bool many = cJSON_IsArray(key);
        text_append(t, "%s%s", key == object->child ? "" : " and ", many ? "(" : "");
        for (value = many ? key->child : key; value; value = many ? value->next : NULL) {
            text_append(t, "%s", many && value != key->child ? " or " : "");
            if (!append_comparison(t, key->string, value))
                return false;
        }
        text_append(t, "%s", many ? ")" : "");
    }
    return object->child != NULL;
}

static bool refuse_object(const struct reading *r, const struct field_path *at, const cJSON *object)
{
    struct text t = {0};
    struct expr *same = NULL;
    if (append_object(&t, object) && expr_parse(t.bytes, &same, NULL))
        REFUSE(r, at, "an object is no longer accepted; write \"%s\"", t.bytes);
    else
        REFUSE_TYPE(r, at, object, "a string with an expression");
    expr_free(same);
    text_free(&t);
    return false;
}

static bool read_exclude(const struct reading *r, const struct field_path *at, const cJSON *value,
                         struct expr **out)
{
    struct error e = {0};
    if (cJSON_IsObject(value))
        return refuse_object(r, at, value);
    if (!cJSON_IsString(value))
        return REFUSE_TYPE(r, at, value, "a string with an expression");
    return expr_parse(value->valuestring, out, &e) || field_refuse_error(r, at, &e);
}

bool config_excludes(const struct reading *r, const struct field *f, const struct field_path *at,
                     const cJSON *value)
{
    enum { MAX_EXCLUDES = 1000 };
    (void)f;
    struct config *c = r->object;
    bool many = cJSON_IsArray(value);
    int count = many ? cJSON_GetArraySize(value) : 1;
    if (count > MAX_EXCLUDES)
        return REFUSE(r, at, "the list has more than %d entries", MAX_EXCLUDES);
    c->excludes = xcalloc((size_t)count, sizeof *c->excludes);
    const cJSON *entry = many ? value->child : value;
    for (; c->exclude_count < count; c->exclude_count++, entry = entry->next) {
        struct field_path here = {at, NULL, c->exclude_count};
        if (!read_exclude(r, many ? &here : at, entry, &c->excludes[c->exclude_count]))
            return false;
    }
    return true;
}
