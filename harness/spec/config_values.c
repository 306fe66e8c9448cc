/*
 * Reads values that occur only in configs. config_fields.h lists the readers, and configs/README.md
 * describes the values.
 */
#include "spec/config_fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- Names ----------------------------------------------------------------------------------- */

/* Checks that the value is a string of letters, digits and characters in `others`. If `others` is
 * NULL, any character is allowed. */
static bool check_name(const struct reading *r, const struct field_path *at, const cJSON *value,
                       const char *what, const char *others, size_t longest)
{
    if (!cJSON_IsString(value))
        return REFUSE_TYPE(r, at, value, what);
    if (value->valuestring[0] == '\0')
        return REFUSE(r, at, "the string is empty; write %s", what);
    const char *text = value->valuestring;
    if (strlen(text) > longest)
        return REFUSE(r, at, "the string has %zu bytes; write %s of at most %zu bytes",
                      strlen(text), what, longest);
    for (const char *p = text; others && *p != '\0'; p++)
        if (!isascii(*p) || !(isalnum((unsigned char)*p) || strchr(others, *p)))
            return REFUSE(r, at, "\"%s\" is not %s; write only letters, digits and %s", text, what,
                          others);
    return true;
}

/* Reads one name, or an array of names without duplicates. */
static bool read_names(const struct reading *r, const struct field *f, const struct field_path *at,
                       const cJSON *value, const char *what, const char *others, size_t longest)
{
    struct name_list *list = field_member(r, f->offset);
    bool many = cJSON_IsArray(value);
    int count = many ? cJSON_GetArraySize(value) : 1;
    if (count == 0 && !(f->flags & MAY_BE_EMPTY))
        return REFUSE(r, at, "the list is empty; write at least one name");
    if (count > CONFIG_MAX_NAMES)
        return REFUSE(r, at, "the list has more than %d entries; shorten it", CONFIG_MAX_NAMES);
    list->names = xcalloc((size_t)count, sizeof *list->names);
    const cJSON *entry = many ? value->child : value;
    for (; list->count < count; entry = entry->next) {
        struct field_path entry_at = {at, NULL, list->count};
        const struct field_path *here = many ? &entry_at : at;
        if (!check_name(r, here, entry, what, others, longest))
            return false;
        for (int i = 0; i < list->count; i++)
            if (strcmp(list->names[i], entry->valuestring) == 0)
                return REFUSE(r, here, "the list contains \"%s\" twice; remove one of them",
                              entry->valuestring);
        list->names[list->count++] = xstrdup(entry->valuestring);
    }
    return true;
}

bool config_kernels(const struct reading *r, const struct field *f, const struct field_path *at,
                    const cJSON *value)
{
    return read_names(r, f, at, value, "a kernel's name or glob", "_*?[]!-", CONFIG_LONGEST_NAME);
}

bool config_metrics(const struct reading *r, const struct field *f, const struct field_path *at,
                    const cJSON *value)
{
    return read_names(r, f, at, value, "a metric's name", "_.", CONFIG_LONGEST_METRIC);
}

/* Reads folder paths. Relative paths start at the config's folder. */
bool config_folders(const struct reading *r, const struct field *f, const struct field_path *at,
                    const cJSON *value)
{
    const struct config *c = r->object;
    struct name_list *list = field_member(r, f->offset);
    if (!read_names(r, f, at, value, "a folder's path", NULL, CONFIG_LONGEST_PATH))
        return false;
    const char *slash = strrchr(c->path, '/');
    int length = slash ? (int)(slash - c->path) + 1 : 0;
    for (int i = 0; i < list->count; i++) {
        char *given = list->names[i];
        if (given[0] == '/')
            continue;
        list->names[i] = xasprintf("%.*s%s", length, c->path, given);
        free(given);
    }
    return true;
}

bool config_name(const struct reading *r, const struct field *f, const struct field_path *at,
                 const cJSON *value)
{
    if (!check_name(r, at, value, "a part of a folder's name", "._-", CONFIG_LONGEST_NAME))
        return false;
    if (value->valuestring[0] == '.')
        return REFUSE(
            r, at, "\"%s\" begins with a dot, but becomes part of a folder's name; remove the dot",
            value->valuestring);
    return field_text(r, f, at, value);
}

/*
 * Checks a comment: a string, or an array of strings, one per paragraph. Comments are for people
 * and are not stored.
 */
bool config_comment(const struct reading *r, const struct field *f, const struct field_path *at,
                    const cJSON *value)
{
    static const char expected[] = "a string or an array of strings";
    (void)f;
    if (!cJSON_IsArray(value))
        return cJSON_IsString(value) || REFUSE_TYPE(r, at, value, expected);
    const cJSON *entry;
    int index = 0;
    cJSON_ArrayForEach(entry, value)
    {
        struct field_path here = {at, NULL, index++};
        if (!cJSON_IsString(entry))
            return REFUSE_TYPE(r, &here, entry, expected);
    }
    return true;
}

bool config_schema(const struct reading *r, const struct field *f, const struct field_path *at,
                   const cJSON *value)
{
    (void)f;
    return cJSON_IsString(value) || REFUSE_TYPE(r, at, value, "a string with the schema's address");
}

/* ---- Numbers --------------------------------------------------------------------------------- */

bool config_choices(const struct reading *r, const struct field *f, const struct field_path *at,
                    const cJSON *value)
{
    bool *chosen = xcalloc((size_t)f->word_count, sizeof *chosen);
    struct reading own = *r;
    struct field words = *f;
    own.object = chosen;
    words.offset = 0;
    bool ok = field_choices(&own, &words, at, value);
    field_number_list list = {0};
    for (int i = 0; ok && i < f->word_count; i++)
        if (chosen[i])
            vec_push(&list, (uint64_t)i);
    *(uint64_t **)field_member(r, f->offset) = list.items;
    *(int *)field_member(r, f->count_offset) = (int)list.count;
    free(chosen);
    return ok;
}

/* Reads words, or "supported", which selects all words and sets a flag so that each kernel gets
 * only those that it supports. */
bool config_supported(const struct reading *r, const struct field *f, const struct field_path *at,
                      const cJSON *value)
{
    const cJSON *only = cJSON_GetArraySize(value) == 1 ? value->child : value;
    if (!cJSON_IsString(only) || strcmp(only->valuestring, "supported") != 0)
        return config_choices(r, f, at, value);
    struct config *c = r->object;
    *(strcmp(f->name, "types") == 0 ? &c->supported_types : &c->supported_ops) = true;
    cJSON *all = cJSON_CreateString("all");
    bool ok = config_choices(r, f, at, all);
    cJSON_Delete(all);
    return ok;
}

bool config_integers_or_all(const struct reading *r, const struct field *f,
                            const struct field_path *at, const cJSON *value)
{
    if (!cJSON_IsString(value) || strcmp(value->valuestring, "all") != 0)
        return field_uint64s(r, f, at, value);
    field_number_list all = {0};
    for (uint64_t i = (uint64_t)f->min; i <= (uint64_t)f->max; i++)
        vec_push(&all, i);
    *(uint64_t **)field_member(r, f->offset) = all.items;
    *(int *)field_member(r, f->count_offset) = (int)all.count;
    return true;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

enum { SHAPE_DIMENSIONS = 3 };
static const char shape_expected[] =
    "rows x columns or outer x length x inner, such as \"4096x5120\" or [8, 4096, 64]";

/* Reads the dimensions of one shape, outermost first. Returns how many there are, or 0 after an
 * error. */
static int read_dimensions(const struct reading *r, const struct field *f,
                           const struct field_path *at, const cJSON *value, double *out)
{
    cJSON *parts = cJSON_CreateArray();
    const cJSON *part;
    int count = 0;
    bool ok = true;
    if (cJSON_IsString(value)) {
        char *text = xstrdup(value->valuestring), *rest = text;
        while (rest)
            cJSON_AddItemToArray(parts, cJSON_CreateString(strsep(&rest, "x")));
        free(text);
    } else if (cJSON_IsArray(value)) {
        cJSON_Delete(parts);
        parts = cJSON_Duplicate(value, true);
    }
    int given = cJSON_GetArraySize(parts);
    if (given < 2 || given > SHAPE_DIMENSIONS) {
        char *shown = cJSON_PrintUnformatted(value);
        ok = REFUSE(r, at, "%s is not a shape; write %s", shown, shape_expected);
        cJSON_free(shown);
    }
    for (part = parts->child; ok && part; part = part->next)
        ok = field_integer(r, at, part, f->min, f->max, &out[count++]);
    cJSON_Delete(parts);
    return ok ? count : 0;
}

static bool read_shape(const struct reading *r, const struct field *f, const struct field_path *at,
                       const cJSON *value, struct config_shape *out)
{
    double d[SHAPE_DIMENSIONS] = {1, 1, 1};
    if (!read_dimensions(r, f, at, value, d))
        return false;
    if (d[0] * d[1] * d[2] > f->max) {
        char limit[32];
        return REFUSE(
            r, at,
            "the shape has %.0f elements, but at most %s are allowed; choose a smaller shape",
            d[0] * d[1] * d[2], field_limit(f->max, limit));
    }
    *out = (struct config_shape){(uint64_t)(d[0] * d[1] * d[2]), (uint64_t)d[1], (uint64_t)d[2]};
    return true;
}

static int compare_shapes(const void *a, const void *b)
{
    const struct config_shape *x = a, *y = b;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    if (x->row_length != y->row_length)
        return x->row_length < y->row_length ? -1 : 1;
    return (x->inner > y->inner) - (x->inner < y->inner);
}

/* Reads one shape, given as text, or an array of shapes. */
bool config_shapes(const struct reading *r, const struct field *f, const struct field_path *at,
                   const cJSON *value)
{
    bool many = cJSON_IsArray(value);
    int count = many ? cJSON_GetArraySize(value) : 1, kept = 0;
    if (many && cJSON_IsNumber(value->child))
        return REFUSE(r, at, "a list of numbers is not a list of shapes; write %s in a list",
                      shape_expected);
    if (count > CONFIG_MAX_SHAPES)
        return REFUSE(r, at, "the list has more than %d entries; shorten it", CONFIG_MAX_SHAPES);
    struct config_shape *shapes = xcalloc((size_t)count + 1, sizeof *shapes),
                        **member = field_member(r, f->offset);
    free(*member); /* not NULL if an option is given twice; the last one counts */
    *member = shapes;
    const cJSON *entry = many ? value->child : value;
    for (int i = 0; i < count; i++, entry = entry->next) {
        struct field_path entry_at = {at, NULL, i};
        if (!read_shape(r, f, many && at ? &entry_at : at, entry, &shapes[i]))
            return false;
    }
    qsort(shapes, (size_t)count, sizeof *shapes, compare_shapes);
    for (int i = 0; i < count; i++)
        if (kept == 0 || compare_shapes(&shapes[i], &shapes[kept - 1]) != 0)
            shapes[kept++] = shapes[i];
    *(int *)field_member(r, f->count_offset) = kept;
    return true;
}

static bool is_identifier(const char *s)
{
    if (!(isascii(s[0]) && isalpha((unsigned char)s[0])) && s[0] != '_')
        return false;
    while (isascii(*s) && (isalnum((unsigned char)*s) || *s == '_'))
        s++;
    return *s == '\0';
}

static bool is_all(const cJSON *value)
{
    return cJSON_IsString(value) && strcmp(value->valuestring, "all") == 0;
}

/*
 * Reads one member of `tunables`: a tunable's name with its values or "all". The name "*" with
 * "all" selects all values of all tunables that the config does not name.
 */
static bool read_tunable(const struct reading *r, const struct field *f,
                         const struct field_path *at, const cJSON *entry)
{
    struct config *c = r->object;
    if (strcmp(entry->string, "*") == 0) {
        c->all_tunables = true;
        return is_all(entry) || REFUSE_TYPE(r, at, entry, "\"all\"");
    }
    if (!is_identifier(entry->string) || strlen(entry->string) > CONFIG_LONGEST_NAME)
        return REFUSE(r, at,
                      "invalid tunable name; use letters, digits and _, beginning with a letter or "
                      "_");
    for (int i = 0; i < c->tunable_count; i++)
        if (strcasecmp(c->tunables[i].name, entry->string) == 0)
            return REFUSE(r, at,
                          "duplicate tunable (names are case-insensitive); remove one of them");
    struct config_tunable *t = &c->tunables[c->tunable_count++];
    t->name = xstrdup(entry->string);
    t->all = is_all(entry);
    const struct reading own = {t, r->prefix, r->kind, NULL, r->e};
    const struct field values = {"", .offset = offsetof(struct config_tunable, values),
                                 .count_offset = offsetof(struct config_tunable, count),
                                 RANGE(f->min, f->max)};
    return t->all || field_ints(&own, &values, at, entry);
}

bool config_tunables(const struct reading *r, const struct field *f, const struct field_path *at,
                     const cJSON *value)
{
    struct config *c = r->object;
    c->all_tunables = is_all(value);
    if (c->all_tunables)
        return true;
    if (!cJSON_IsObject(value))
        return REFUSE_TYPE(r, at, value, "\"all\" or an object, such as {\"LOADS\": [1, 2, 4]}");
    c->tunables = xcalloc((size_t)cJSON_GetArraySize(value), sizeof *c->tunables);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, value)
    {
        struct field_path here = {at, entry->string, 0};
        if (!read_tunable(r, f, at ? &here : NULL, entry))
            return false;
    }
    return true;
}

/* ---- Points ---------------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Reads "all", "asked", or a list of point ids as in results.csv. */
bool config_points(const struct reading *r, const struct field *f, const struct field_path *at,
                   const cJSON *value)
{
    enum { DIGITS = 16 };
    static const char expected[] = "\"all\", \"asked\" or a list of points' ids";
    struct config_points *points = field_member(r, f->offset);
    if (cJSON_IsString(value)) {
        points->asked = strcmp(value->valuestring, "asked") == 0;
        return points->asked || strcmp(value->valuestring, "all") == 0 ||
               REFUSE(r, at, "unknown value \"%s\"; write %s", value->valuestring, expected);
    }
    if (!cJSON_IsArray(value))
        return REFUSE_TYPE(r, at, value, expected);
    points->ids = xcalloc((size_t)cJSON_GetArraySize(value) + 1, sizeof *points->ids);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, value)
    {
        struct field_path here = {at, NULL, points->count};
        const char *id = cJSON_IsString(entry) ? entry->valuestring : "";
        if (strlen(id) != DIGITS || strspn(id, "0123456789abcdef") != DIGITS)
            return REFUSE(r, &here, "not a point id; write 16 lower-case hexadecimal digits");
        points->ids[points->count++] = strtoull(id, NULL, 16);
    }
    qsort(points->ids, (size_t)points->count, sizeof *points->ids, compare_ids);
    return points->count > 0 || REFUSE(r, at, "the list is empty; write %s", expected);
}
