/*
 * Readers of the kinds of values that a config holds: see reading.h and configs/README.md.
 */
#include "config/reading.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum {
    MAX_VALUES = 65536, /* of one axis, ranges written out */
    LONGEST_NAME = 100, /* bytes */
    LONGEST_METRIC = 127,
};

static bool no_memory(struct reading *r)
{
    return FAIL(r->e, ERROR_MEMORY, "no memory to read %s", r->config->path);
}

static void *member(struct reading *r, size_t offset)
{
    return (char *)r->config + offset;
}

bool is_identifier(const char *s)
{
    if (!isascii(s[0]) || !(isalpha((unsigned char)s[0]) || s[0] == '_'))
        return false;
    for (; *s != '\0'; s++)
        if (!isascii(*s) || !(isalnum((unsigned char)*s) || *s == '_'))
            return false;
    return true;
}

/* ---- Numbers ----------------------------------------------------------------------------------
 */

const char *number_text(double number, char buffer[48])
{
    int exponent;
    if (number >= 1048576 && frexp(number, &exponent) == 0.5)
        snprintf(buffer, 48, "%.0f (2^%d)", number, exponent - 1);
    else if (floor(number) == number)
        snprintf(buffer, 48, "%.0f", number);
    else
        snprintf(buffer, 48, "%.15g", number);
    return buffer;
}

bool read_whole(struct reading *r, const struct place *at, const cJSON *value, double least,
                double most, double *out)
{
    char range[120], one[160], lo[48], hi[48], shown[80];
    snprintf(range, sizeof range, "from %s to %s", number_text(least, lo), number_text(most, hi));
    snprintf(one, sizeof one, "a whole number %s", range);
    if (!cJSON_IsNumber(value))
        return REFUSE_TYPE(r, at, value, one);
    double number = value->valuedouble;
    if (!(number >= least && number <= most))
        return REFUSE(r, at, "%s is out of range; allowed are whole numbers %s",
                      value_text(value, shown), range);
    if (number != floor(number))
        return REFUSE(r, at, "%s is no whole number; allowed are whole numbers %s",
                      value_text(value, shown), range);
    *out = number;
    return true;
}

bool read_int(struct reading *r, const struct option *o, const struct place *at, const cJSON *value)
{
    double number;
    if (!read_whole(r, at, value, o->least, o->most, &number))
        return false;
    *(int *)member(r, o->offset) = (int)number;
    return true;
}

bool read_uint64(struct reading *r, const struct option *o, const struct place *at,
                 const cJSON *value)
{
    double number;
    if (!read_whole(r, at, value, o->least, o->most, &number))
        return false;
    *(uint64_t *)member(r, o->offset) = (uint64_t)number;
    return true;
}

bool read_double(struct reading *r, const struct option *o, const struct place *at,
                 const cJSON *value)
{
    char wanted[120], lo[48], hi[48], shown[80];
    snprintf(wanted, sizeof wanted, "a number from %s to %s", number_text(o->least, lo),
             number_text(o->most, hi));
    if (!cJSON_IsNumber(value))
        return REFUSE_TYPE(r, at, value, wanted);
    if (!(value->valuedouble >= o->least && value->valuedouble <= o->most))
        return REFUSE(r, at, "%s is out of range; allowed is %s", value_text(value, shown), wanted);
    *(double *)member(r, o->offset) = value->valuedouble;
    return true;
}

/* ---- Lists of whole numbers -------------------------------------------------------------------
 */

struct numbers {
    uint64_t *values;
    int count, capacity;
    double least, most;
};

static bool add_number(struct reading *r, const struct place *at, struct numbers *list,
                       double value)
{
    if (list->count == MAX_VALUES)
        return REFUSE(r, at, "there are more than %d values", MAX_VALUES);
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 16;
        uint64_t *values = realloc(list->values, (size_t)capacity * sizeof *values);
        if (!values)
            return no_memory(r);
        list->values = values;
        list->capacity = capacity;
    }
    list->values[list->count++] = (uint64_t)value;
    return true;
}

/* The ends of a range: [lo, hi], or one number for both. */
static bool read_ends(struct reading *r, const struct place *at, const cJSON *value, double least,
                      double most, double *lo, double *hi)
{
    if (cJSON_IsNumber(value)) {
        if (!read_whole(r, at, value, least, most, lo))
            return false;
        *hi = *lo;
        return true;
    }
    if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) != 2)
        return REFUSE_TYPE(r, at, value, "a number, or a list of two numbers: [from, to]");
    struct place first = {at, NULL, 0}, second = {at, NULL, 1};
    if (!read_whole(r, &first, value->child, least, most, lo) ||
        !read_whole(r, &second, value->child->next, least, most, hi))
        return false;
    if (*lo > *hi)
        return REFUSE(r, at, "%.0f is greater than %.0f; the smaller one comes first", *lo, *hi);
    return true;
}

/* {"log2": [lo, hi], "step": k} or {"range": [lo, hi], "step": k}; the step defaults to 1. */
static bool add_range(struct reading *r, const struct place *at, const cJSON *object,
                      struct numbers *list)
{
    static const char form[] = "{\"log2\": [from, to], \"step\": 1} or "
                               "{\"range\": [from, to], \"step\": 1}";
    const cJSON *entry, *ends = NULL, *step = NULL;
    cJSON_ArrayForEach(entry, object)
    {
        struct place here = {at, entry->string, 0};
        if (strcmp(entry->string, "step") == 0)
            step = entry;
        else if (strcmp(entry->string, "log2") != 0 && strcmp(entry->string, "range") != 0)
            return REFUSE(r, &here, "unknown key; a range is written %s", form);
        else if (ends)
            return REFUSE(r, at, "a range has either log2 or range, not both");
        else
            ends = entry;
    }
    if (!ends)
        return REFUSE(r, at, "the ends are missing; a range is written %s", form);
    bool powers = strcmp(ends->string, "log2") == 0;
    double least = powers ? ceil(log2(fmax(list->least, 1))) : list->least;
    double most = powers ? floor(log2(list->most)) : list->most;
    double lo, hi, by = 1;
    struct place ends_at = {at, ends->string, 0}, step_at = {at, "step", 0};
    if (!read_ends(r, &ends_at, ends, least, most, &lo, &hi) ||
        (step && !read_whole(r, &step_at, step, 1, most, &by)))
        return false;
    for (double x = lo; x <= hi; x += by)
        if (!add_number(r, at, list, powers ? exp2(x) : x))
            return false;
    return true;
}

static bool add_entry(struct reading *r, const struct place *at, const cJSON *value,
                      struct numbers *list)
{
    double number;
    if (cJSON_IsObject(value))
        return add_range(r, at, value, list);
    return read_whole(r, at, value, list->least, list->most, &number) &&
           add_number(r, at, list, number);
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool add_entries(struct reading *r, const struct place *at, const cJSON *value,
                        struct numbers *list)
{
    if (!cJSON_IsArray(value)) {
        if (cJSON_IsNumber(value) || cJSON_IsObject(value))
            return add_entry(r, at, value, list);
        return REFUSE_TYPE(r, at, value,
                           "a whole number, a list of them, or {\"log2\": [from, to], \"step\": "
                           "1}");
    }
    if (!value->child)
        return REFUSE(r, at, "the list is empty; give at least one number, or leave the key out");
    const cJSON *entry;
    int index = 0;
    cJSON_ArrayForEach(entry, value)
    {
        struct place here = {at, NULL, index++};
        if (!add_entry(r, &here, entry, list))
            return false;
    }
    return true;
}

bool read_whole_list(struct reading *r, const struct place *at, const cJSON *value, double least,
                     double most, uint64_t **out, int *count)
{
    struct numbers list = {.least = least, .most = most};
    if (!add_entries(r, at, value, &list)) {
        free(list.values);
        return false;
    }
    qsort(list.values, (size_t)list.count, sizeof *list.values, by_value);
    int kept = 1;
    for (int i = 1; i < list.count; i++)
        if (list.values[i] != list.values[kept - 1])
            list.values[kept++] = list.values[i];
    *out = list.values;
    *count = kept;
    return true;
}

bool read_sizes(struct reading *r, const struct option *o, const struct place *at,
                const cJSON *value)
{
    return read_whole_list(r, at, value, o->least, o->most, member(r, o->offset),
                           member(r, o->count_offset));
}

static bool int_list(struct reading *r, const struct place *at, const cJSON *value, double least,
                     double most, int **out, int *count)
{
    uint64_t *wide;
    if (!read_whole_list(r, at, value, least, most, &wide, count))
        return false;
    *out = malloc((size_t)*count * sizeof **out);
    for (int i = 0; *out && i < *count; i++)
        (*out)[i] = (int)wide[i];
    free(wide);
    return *out || no_memory(r);
}

bool read_ints(struct reading *r, const struct option *o, const struct place *at,
               const cJSON *value)
{
    return int_list(r, at, value, o->least, o->most, member(r, o->offset),
                    member(r, o->count_offset));
}

static bool says_all(const cJSON *value)
{
    return cJSON_IsString(value) && strcmp(value->valuestring, "all") == 0;
}

/* "all" stands for every number of the range: each kernel then has all of its own. */
bool read_unrolls(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value)
{
    if (!says_all(value))
        return read_ints(r, o, at, value);
    int *count = member(r, o->count_offset), **out = member(r, o->offset);
    int least = (int)o->least;
    *count = (int)o->most - least + 1;
    *out = malloc((size_t)*count * sizeof **out);
    for (int i = 0; *out && i < *count; i++)
        (*out)[i] = least + i;
    return *out || no_memory(r);
}

static bool has_tunable(const struct config *c, const char *name)
{
    for (int i = 0; i < c->tunable_count; i++)
        if (strcasecmp(c->tunables[i].name, name) == 0)
            return true;
    return false;
}

bool read_tunables(struct reading *r, const struct option *o, const struct place *at,
                   const cJSON *value)
{
    struct config *c = r->config;
    if (!cJSON_IsObject(value))
        return REFUSE_TYPE(r, at, value, "an object, such as {\"LOADS\": [1, 2, 4]}");
    int count = cJSON_GetArraySize(value);
    c->tunables = calloc((size_t)count + 1, sizeof *c->tunables);
    if (!c->tunables)
        return no_memory(r);
    const cJSON *entry;
    cJSON_ArrayForEach(entry, value)
    {
        struct place here = {at, entry->string, 0};
        if (!is_identifier(entry->string) || strlen(entry->string) > LONGEST_NAME)
            return REFUSE(r, &here,
                          "no name of a tunable; allowed are letters, digits and _, not "
                          "beginning with a digit");
        if (has_tunable(c, entry->string))
            return REFUSE(r, &here, "the tunable stands twice (capital letters do not matter)");
        struct config_tunable *t = &c->tunables[c->tunable_count++];
        t->name = strdup(entry->string);
        if (!t->name)
            return no_memory(r);
        if (!int_list(r, &here, entry, o->least, o->most, &t->values, &t->count))
            return false;
    }
    return true;
}

/* ---- Names ------------------------------------------------------------------------------------
 */

typedef bool check_text(struct reading *r, const struct place *at, const char *text);

/* A string that is not empty. */
static bool read_text(struct reading *r, const struct place *at, const cJSON *value,
                      const char *wanted, const char **out)
{
    if (!cJSON_IsString(value))
        return REFUSE_TYPE(r, at, value, wanted);
    if (value->valuestring[0] == '\0')
        return REFUSE(r, at, "the text is empty; allowed is %s", wanted);
    *out = value->valuestring;
    return true;
}

static bool add_name(struct reading *r, const struct place *at, const char *name,
                     struct name_list *list)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return REFUSE(r, at, "\"%s\" stands twice", name);
    list->names[list->count] = strdup(name);
    return list->names[list->count++] || no_memory(r);
}

/* One text or a list of texts, none of them twice. */
static bool read_names(struct reading *r, const struct place *at, const cJSON *value,
                       const char *wanted, bool may_be_empty, check_text *check,
                       struct name_list *list)
{
    enum { MAX_NAMES = 1000 };
    bool many = cJSON_IsArray(value);
    if (!many && !cJSON_IsString(value))
        return REFUSE_TYPE(r, at, value, wanted);
    int count = many ? cJSON_GetArraySize(value) : 1;
    if (count == 0 && !may_be_empty)
        return REFUSE(r, at, "the list is empty; give at least one name, or leave the key out");
    if (count > MAX_NAMES)
        return REFUSE(r, at, "the list has more than %d entries", MAX_NAMES);
    list->names = calloc((size_t)count + 1, sizeof *list->names);
    if (!list->names)
        return no_memory(r);
    const cJSON *entry = many ? value->child : value;
    for (int i = 0; i < count; i++, entry = entry->next) {
        struct place entry_at = {at, NULL, i};
        const struct place *here = many ? &entry_at : at;
        const char *text;
        if (!read_text(r, here, entry, wanted, &text) || !check(r, here, text) ||
            !add_name(r, here, text, list))
            return false;
    }
    return true;
}

/* Text, or a list of texts (a paragraph a line), for readers only. */
bool read_comment(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value)
{
    static const char wanted[] = "text, or a list of texts";
    (void)o;
    if (!cJSON_IsArray(value))
        return cJSON_IsString(value) || REFUSE_TYPE(r, at, value, wanted);
    const cJSON *entry;
    int index = 0;
    cJSON_ArrayForEach(entry, value)
    {
        struct place here = {at, NULL, index++};
        if (!cJSON_IsString(entry))
            return REFUSE_TYPE(r, &here, entry, wanted);
    }
    return true;
}

static bool only_characters(struct reading *r, const struct place *at, const char *text,
                            const char *others, size_t longest, const char *what)
{
    if (strlen(text) > longest)
        return REFUSE(r, at, "the name has %zu bytes; allowed are %zu", strlen(text), longest);
    for (const char *p = text; *p != '\0'; p++)
        if (!isascii(*p) || !(isalnum((unsigned char)*p) || strchr(others, *p)))
            return REFUSE(r, at, "\"%s\" is no %s; allowed are letters, digits and %s", text, what,
                          others);
    return true;
}

bool read_name(struct reading *r, const struct option *o, const struct place *at,
               const cJSON *value)
{
    const char *text;
    char **name = member(r, o->offset);
    if (!read_text(r, at, value, "text that can be a part of a folder's name", &text) ||
        !only_characters(r, at, text, "._-", LONGEST_NAME, "name for a sweep"))
        return false;
    if (text[0] == '.')
        return REFUSE(r, at, "\"%s\" begins with a dot, but is to be a part of a folder's name",
                      text);
    *name = strdup(text);
    return *name || no_memory(r);
}

static bool check_kernel(struct reading *r, const struct place *at, const char *text)
{
    return only_characters(r, at, text, "_*?[]!-", LONGEST_NAME, "kernel's name or glob");
}

bool read_kernels(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value)
{
    return read_names(r, at, value, "a kernel's name, a glob, or a list of them", false,
                      check_kernel, member(r, o->offset));
}

static bool check_metric(struct reading *r, const struct place *at, const char *text)
{
    return only_characters(r, at, text, "_.", LONGEST_METRIC, "metric's name");
}

bool read_metrics(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value)
{
    return read_names(r, at, value, "a metric's name, or a list of them ([] for none)", true,
                      check_metric, member(r, o->offset));
}

static bool check_folder(struct reading *r, const struct place *at, const char *text)
{
    enum { LONGEST_PATH = 4000 };
    return strlen(text) <= LONGEST_PATH ||
           REFUSE(r, at, "the path has more than %d bytes", LONGEST_PATH);
}

/* Paths that are not absolute begin at the config's folder. */
bool read_folders(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value)
{
    struct name_list *list = member(r, o->offset);
    if (!read_names(r, at, value, "a folder's path, or a list of them", true, check_folder, list))
        return false;
    const char *slash = strrchr(r->config->path, '/');
    int length = slash ? (int)(slash - r->config->path) + 1 : 0;
    for (int i = 0; i < list->count; i++) {
        struct text t = {0};
        if (list->names[i][0] == '/')
            continue;
        text_append(&t, "%.*s%s", length, r->config->path, list->names[i]);
        if (t.failed) {
            text_free(&t);
            return no_memory(r);
        }
        free(list->names[i]);
        list->names[i] = t.bytes;
    }
    return true;
}

/* ---- Words of a known few ---------------------------------------------------------------------
 */

static bool set_word(struct reading *r, const struct option *o, const struct place *at,
                     const cJSON *value, bool *set)
{
    const char *names[16], *text;
    struct text list = {0};
    for (int i = 0; i < o->words; i++) {
        names[i] = o->word(i);
        text_append(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    bool ok = read_text(r, at, value, list.failed ? "a known word" : list.bytes, &text);
    bool found = false;
    for (int i = 0; ok && i < o->words; i++)
        if (strcmp(names[i], text) == 0)
            found = set[i] = true;
    if (ok && !found) {
        const char *nearest = text_nearest(text, names, (size_t)o->words);
        char shown[80];
        ok = REFUSE(r, at, "%s is not known here%s%s%s; allowed are %s", value_text(value, shown),
                    nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                    nearest ? "\"?" : "", list.failed ? "" : list.bytes);
    }
    text_free(&list);
    return ok;
}

/* One word, a list of words, or "all". */
bool read_words(struct reading *r, const struct option *o, const struct place *at,
                const cJSON *value)
{
    bool *set = member(r, o->offset);
    if (says_all(value)) {
        for (int i = 0; i < o->words; i++)
            set[i] = true;
        return true;
    }
    if (!cJSON_IsArray(value))
        return set_word(r, o, at, value, set);
    if (!value->child)
        return REFUSE(r, at, "the list is empty; give at least one word, or leave the key out");
    const cJSON *entry;
    int index = 0;
    cJSON_ArrayForEach(entry, value)
    {
        struct place here = {at, NULL, index++};
        if (!set_word(r, o, &here, entry, set))
            return false;
    }
    return true;
}
