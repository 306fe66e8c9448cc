/*
 * Reads the keys `exclude` and `skip`, which contain expressions. `exclude` leaves combinations out
 * of the plan. `skip` keeps their rows, with a reason instead of a measurement.
 *
 * In earlier versions, an entry of `exclude` could be an object. It excluded a point if all of its
 * keys matched the point. A key with an array matched if one of the array's values did. Objects are
 * now rejected with a message that shows the equivalent expression.
 */
#include "spec/config_fields.h"

#include <string.h>

#include "base/text.h"

/* Appends `axis = value`. Returns false if the value was not valid in earlier versions either. */
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

/* Appends an object as an expression. Returns false if the object was not valid in earlier versions
 * either. */
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
        REFUSE(r, at, "an object is no longer accepted here; write the string \"%s\"", t.bytes);
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

enum { LONGEST_REASON = 200 };

bool config_excludes(const struct reading *r, const struct field *f, const struct field_path *at,
                     const cJSON *value)
{
    (void)f;
    struct config *c = r->object;
    bool many = cJSON_IsArray(value);
    int count = many ? cJSON_GetArraySize(value) : 1;
    if (count > CONFIG_MAX_EXCLUDES)
        return REFUSE(r, at, "the list has more than %d entries; join some of them with \"or\"",
                      CONFIG_MAX_EXCLUDES);
    c->excludes = xcalloc((size_t)count, sizeof *c->excludes);
    const cJSON *entry = many ? value->child : value;
    for (; c->exclude_count < count; c->exclude_count++, entry = entry->next) {
        struct field_path here = {at, NULL, c->exclude_count};
        if (!read_exclude(r, many ? &here : at, entry, &c->excludes[c->exclude_count]))
            return false;
    }
    return true;
}

/* Reads one member of `skip`: an expression and the reason. */
static bool read_skip(const struct reading *r, const struct field_path *at, const cJSON *entry)
{
    struct config *c = r->object;
    struct config_skip *skip = &c->skips[c->skip_count];
    struct error e = {0};
    if (!cJSON_IsString(entry))
        return REFUSE_TYPE(r, at, entry, "a string with the reason");
    if (!entry->valuestring[0])
        return REFUSE(r, at, "the reason is empty; write why the points are skipped");
    if (strlen(entry->valuestring) > LONGEST_REASON)
        return REFUSE(r, at, "the reason has more than %d bytes; shorten it", LONGEST_REASON);
    if (!expr_parse(entry->string, &skip->where, &e))
        return field_refuse_error(r, at, &e);
    skip->reason = xstrdup(entry->valuestring);
    c->skip_count++;
    return true;
}

/* Reads an object that maps expressions to reasons, or, on a command line, a single expression. */
bool config_skips(const struct reading *r, const struct field *f, const struct field_path *at,
                  const cJSON *value)
{
    (void)f;
    struct config *c = r->object;
    cJSON *object = NULL;
    if (cJSON_IsString(value)) {
        object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, value->valuestring, "the config skips it");
    } else if (!cJSON_IsObject(value)) {
        return REFUSE_TYPE(r, at, value,
                           "an object, such as {\"kernel = nested and n > 2^17\": \"too slow\"}");
    }
    const cJSON *entries = object ? object : value, *entry;
    int count = cJSON_GetArraySize(entries);
    bool ok = count <= CONFIG_MAX_EXCLUDES ||
              REFUSE(r, at, "the object has more than %d members; join some of them with \"or\"",
                     CONFIG_MAX_EXCLUDES);
    c->skips = xcalloc((size_t)count + 1, sizeof *c->skips);
    cJSON_ArrayForEach(entry, entries)
    {
        struct field_path here = {at, entry->string, 0};
        ok = ok && read_skip(r, at && !object ? &here : at, entry);
    }
    cJSON_Delete(object);
    return ok;
}
