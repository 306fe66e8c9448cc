/* Implements fields.h. */
#include "base/fields.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/notation.h"
#include "base/sorted.h"
#include "base/text.h"
#include "base/utf8.h"

enum {
    MAX_NUMBERS = 65536, /* how many numbers a list may have, after its ranges are expanded */
    SHOWN_KEY = 100,     /* bytes of a key in a message */
    SHOWN_VALUE = 60     /* bytes of a value in a message */
};

/* ---- Messages -------------------------------------------------------------------------------- */

static void append_key(struct text *t, const char *key)
{
    size_t shown = utf8_cut(key, SHOWN_KEY);
    for (size_t i = 0; i < shown; i++)
        text_append(t, "%c", iscntrl((unsigned char)key[i]) ? '?' : key[i]);
    text_append(t, "%s", key[shown] ? "…" : "");
}

static void append_path(struct text *t, const struct field_path *at)
{
    if (!at)
        return;
    append_path(t, at->parent);
    if (!at->key) {
        text_append(t, "[%d]", at->index);
        return;
    }
    text_append(t, "%s", at->parent ? "." : "");
    append_key(t, at->key);
}

/* Fills the error with the prefix, the path and `message`, which may have several lines. */
static void refuse(const struct reading *r, const char *file, int line, const struct field_path *at,
                   const char *message)
{
    struct text path = {0};
    append_path(&path, at);
    error_set_lines(r->e, r->kind, file, line, "%s", message);
    bool member = path.length && path.bytes[0] != '[';
    if (path.length || r->prefix[0])
        error_prefix(r->e, "%s%s%s", r->prefix, member && r->prefix[0] ? ", " : "",
                     text_shown(&path));
    text_free(&path);
}

bool field_refuse(const struct reading *r, const char *file, int line, const struct field_path *at,
                  const char *format, ...)
{
    struct text message = {0};
    va_list arguments;
    va_start(arguments, format);
    text_append_list_safely(&message, format, arguments);
    va_end(arguments);
    refuse(r, file, line, at, message.bytes);
    text_free(&message);
    return false;
}

bool field_refuse_error(const struct reading *r, const struct field_path *at,
                        const struct error *why)
{
    refuse(r, why->file, why->line, at, why->text);
    return false;
}

/* Appends a value as it would be written in a config, cut after about SHOWN_VALUE bytes. */
static void append_value(struct text *t, const cJSON *value)
{
    if (cJSON_IsNumber(value)) {
        double number = value->valuedouble;
        if (isinf(number))
            text_append(t, "a number beyond 1.8e308");
        else if (fabs(number) < 1e18 && number == floor(number))
            text_append(t, "%.0f", number);
        else
            text_number(t, number);
        return;
    }
    char *printed = cJSON_PrintUnformatted(value);
    size_t shown = printed ? utf8_cut(printed, SHOWN_VALUE) : 0;
    text_append(t, "%.*s%s", (int)shown, printed ? printed : "",
                printed && printed[shown] ? "…" : "");
    cJSON_free(printed);
}

bool field_refuse_type(const struct reading *r, const char *file, int line,
                       const struct field_path *at, const cJSON *value, const char *expected)
{
    const char *type = cJSON_IsString(value)   ? "a string"
                       : cJSON_IsNumber(value) ? "a number"
                       : cJSON_IsArray(value)  ? "an array"
                       : cJSON_IsObject(value) ? "an object"
                       : cJSON_IsBool(value)   ? "a boolean"
                                               : "not a value";
    struct text shown = {0};
    append_value(&shown, value);
    field_refuse(r, file, line, at, "%s is %s; write %s", shown.bytes, type, expected);
    text_free(&shown);
    return false;
}

const char *field_limit(double limit, char buffer[32])
{
    int exponent;
    if (limit >= 1048576 && frexp(limit, &exponent) == 0.5)
        snprintf(buffer, 32, "2^%d", exponent - 1);
    else
        snprintf(buffer, 32, limit == floor(limit) ? "%.0f" : "%.15g", limit);
    return buffer;
}

/* Returns a string as a cJSON value that does not own the bytes. */
static cJSON borrowed_string(const char *text)
{
    return (cJSON){.type = cJSON_String | cJSON_IsReference,
                   .valuestring = (char *)(uintptr_t)text};
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/*
 * Appends a suggestion for a string that is not a number. If it is an entry of a list, the other
 * entries matter, too, because "1,000,000" on a command line arrives as a list of three strings.
 */
static void suggest_notation(const cJSON *value, double min, double max, struct text *t)
{
    VEC(const char *) list = {0};
    const cJSON *first = value;
    while (first->prev && first->prev->next == first)
        first = first->prev;
    for (; first && cJSON_IsString(first); first = first->next)
        vec_push(&list, first->valuestring);
    if (!first)
        notation_suggest_joined(t, list.items, list.count, value->valuestring);
    if (!t->length)
        notation_suggest(t, value->valuestring, min, max);
    vec_free(&list);
}

static bool read_number(const struct reading *r, const struct field_path *at, const cJSON *value,
                        double min, double max, bool integer, double *out)
{
    const char *type = integer ? "an integer" : "a number";
    char expected[120], lo[32], hi[32];
    snprintf(expected, sizeof expected, "%s in [%s, %s]", type, field_limit(min, lo),
             field_limit(max, hi));
    bool is_text = cJSON_IsString(value);
    if (!is_text && !cJSON_IsNumber(value))
        return REFUSE_TYPE(r, at, value, expected);
    bool is_number = !is_text || notation_number(value->valuestring, out);
    if (!is_text)
        *out = value->valuedouble;
    if (is_number && *out >= min && *out <= max && !(integer && *out != floor(*out)))
        return true;
    struct text shown = {0}, notation = {0};
    append_value(&shown, value);
    if (!is_number)
        suggest_notation(value, min, max, &notation);
    if (!is_number || (integer && *out != floor(*out)))
        REFUSE(r, at, "%s is not %s; write %s%s", shown.bytes, type, expected,
               text_shown(&notation));
    else
        REFUSE(r, at, "%s is out of range; write %s", shown.bytes, expected);
    text_free(&notation);
    text_free(&shown);
    return false;
}

bool field_integer(const struct reading *r, const struct field_path *at, const cJSON *value,
                   double min, double max, double *out)
{
    return read_number(r, at, value, min, max, true, out);
}

bool field_int(const struct reading *r, const struct field *f, const struct field_path *at,
               const cJSON *value)
{
    double number;
    if (!field_integer(r, at, value, f->min, f->max, &number))
        return false;
    *(int *)field_member(r, f->offset) = (int)number;
    return true;
}

bool field_uint64(const struct reading *r, const struct field *f, const struct field_path *at,
                  const cJSON *value)
{
    double number;
    if (!field_integer(r, at, value, f->min, f->max, &number))
        return false;
    *(uint64_t *)field_member(r, f->offset) = (uint64_t)number;
    return true;
}

bool field_double(const struct reading *r, const struct field *f, const struct field_path *at,
                  const cJSON *value)
{
    return read_number(r, at, value, f->min, f->max, false, field_member(r, f->offset));
}

bool field_share(const struct reading *r, const struct field *f, const struct field_path *at,
                 const cJSON *value)
{
    double *share = field_member(r, f->offset);
    const char *given = cJSON_IsString(value) ? value->valuestring : "";
    char *digits = xstrndup(given, strcspn(given, " %"));
    const char *unit = given + strlen(digits);
    bool bare = strcmp(unit, "%") == 0 || strcmp(unit, " %") == 0;
    const cJSON number = borrowed_string(digits);
    bool ok = read_number(r, at, bare ? &number : value, f->min, f->max, false, share);
    if (ok)
        *share /= 100;
    free(digits);
    return ok;
}

/* ---- Lists of integers ----------------------------------------------------------------------- */

/* Reads the two ends of a range from [lo, hi], or from one number, which is then both ends. */
static bool read_ends(const struct reading *r, const struct field_path *at, const cJSON *value,
                      double min, double max, double ends[2])
{
    if (!cJSON_IsArray(value)) {
        bool ok = field_integer(r, at, value, min, max, &ends[0]);
        ends[1] = ends[0];
        return ok;
    }
    if (cJSON_GetArraySize(value) != 2)
        return REFUSE_TYPE(r, at, value, "a number or a pair [from, to]");
    struct field_path first = {at, NULL, 0}, second = {at, NULL, 1};
    return field_integer(r, &first, value->child, min, max, &ends[0]) &&
           field_integer(r, &second, value->child->next, min, max, &ends[1]) &&
           (ends[0] <= ends[1] ||
            REFUSE(r, at, "%.0f is greater than %.0f; write the smaller number first", ends[0],
                   ends[1]));
}

static bool refuse_long_list(const struct reading *r, const struct field_path *at)
{
    return REFUSE(r, at, "the list has more than %d values; shorten it, or increase its steps",
                  MAX_NUMBERS);
}

/* Reads {"log2": [lo, hi], "step": k} or {"range": [lo, hi], "step": k}. The step defaults to 1. */
static bool add_range(const struct reading *r, const struct field_path *at, const cJSON *object,
                      double min, double max, field_number_list *list)
{
    static const char form[] = "{\"log2\": [from, to], \"step\": 1} or "
                               "{\"range\": [from, to], \"step\": 1}";
    const cJSON *entry, *ends = NULL, *step = NULL;
    cJSON_ArrayForEach(entry, object)
    {
        if (strcmp(entry->string, "step") == 0)
            step = entry;
        else if (ends ||
                 (strcmp(entry->string, "log2") != 0 && strcmp(entry->string, "range") != 0))
            return REFUSE(r, at, "not a range; write %s", form);
        else
            ends = entry;
    }
    if (!ends)
        return REFUSE(r, at, "not a range; write %s", form);
    bool powers = strcmp(ends->string, "log2") == 0;
    if (powers)
        min = ceil(log2(fmax(min, 1))), max = floor(log2(max));
    double from_to[2], by = 1;
    struct field_path ends_at = {at, ends->string, 0}, step_at = {at, "step", 0};
    if (!read_ends(r, &ends_at, ends, min, max, from_to) ||
        (step && !field_integer(r, &step_at, step, 1, max, &by)))
        return false;
    for (double x = from_to[0]; x <= from_to[1]; x += by) {
        if (list->count == MAX_NUMBERS)
            return refuse_long_list(r, at);
        vec_push(list, (uint64_t)(powers ? exp2(x) : x));
    }
    return true;
}

/*
 * Reads a range from text: "2^20..2^24", where each number is twice the previous one, or
 * "1000..2000:100", where it is 100 more.
 */
static bool add_text_range(const struct reading *r, const struct field_path *at, const char *text,
                           double min, double max, field_number_list *list)
{
    char *from = xstrdup(text), *to = strstr(from, ".."), *step = strchr(from, ':');
    *to = '\0', to += 2;
    if (step)
        *step++ = '\0';
    const char *const parts[] = {from, to, step};
    double numbers[3] = {0};
    bool ok = true;
    for (int i = 0; ok && i < (step ? 3 : 2); i++) {
        const cJSON part = borrowed_string(parts[i]);
        ok = field_integer(r, at, &part, i == 2 ? 1 : min, max, &numbers[i]);
    }
    free(from);
    if (!ok)
        return false;
    if (numbers[0] > numbers[1])
        return REFUSE(r, at,
                      "\"%s\" begins with the larger number; write FROM..TO or FROM..TO:STEP with "
                      "FROM at most TO",
                      text);
    if (!step && numbers[0] == 0)
        return REFUSE(r, at, "\"%s\" begins at 0, which cannot be doubled; write FROM..TO:STEP",
                      text);
    for (double x = numbers[0]; x <= numbers[1]; x = step ? x + numbers[2] : 2 * x) {
        if (list->count == MAX_NUMBERS)
            return refuse_long_list(r, at);
        vec_push(list, (uint64_t)x);
    }
    return true;
}

bool field_numbers(const struct reading *r, const struct field_path *at, const cJSON *value,
                   double min, double max, field_number_list *out)
{
    static const char expected[] =
        "an integer, an array of integers, or {\"log2\": [from, to], \"step\": 1}";
    if (cJSON_IsObject(value))
        return add_range(r, at, value, min, max, out);
    if (cJSON_IsString(value) && strstr(value->valuestring, ".."))
        return add_text_range(r, at, value->valuestring, min, max, out);
    if (!cJSON_IsArray(value)) {
        double number;
        if (!cJSON_IsNumber(value) && !cJSON_IsString(value))
            return REFUSE_TYPE(r, at, value, expected);
        if (out->count == MAX_NUMBERS)
            return refuse_long_list(r, at);
        if (!field_integer(r, at, value, min, max, &number))
            return false;
        vec_push(out, (uint64_t)number);
        return true;
    }
    if (!value->child)
        return REFUSE(r, at, "the list is empty; write at least one number");
    const cJSON *entry;
    int index = 0;
    cJSON_ArrayForEach(entry, value)
    {
        struct field_path here = {at, NULL, index++};
        if (cJSON_IsArray(entry))
            return REFUSE_TYPE(r, &here, entry, "an integer or a range");
        if (!field_numbers(r, at ? &here : NULL, entry, min, max, out))
            return false;
    }
    return true;
}

/* Reads a list of integers and sorts it. Removes duplicates, because ranges may overlap. */
static bool read_axis(const struct reading *r, const struct field *f, const struct field_path *at,
                      const cJSON *value, field_number_list *list)
{
    if (!field_numbers(r, at, value, f->min, f->max, list)) {
        vec_free(list);
        return false;
    }
    sorted_make(list->items, list->count);
    size_t kept = 1;
    for (size_t i = 1; i < list->count; i++)
        if (list->items[i] != list->items[kept - 1])
            list->items[kept++] = list->items[i];
    list->count = kept;
    *(int *)field_member(r, f->count_offset) = (int)kept;
    return true;
}

bool field_uint64s(const struct reading *r, const struct field *f, const struct field_path *at,
                   const cJSON *value)
{
    field_number_list list = {0};
    if (!read_axis(r, f, at, value, &list))
        return false;
    *(uint64_t **)field_member(r, f->offset) = list.items;
    return true;
}

bool field_ints(const struct reading *r, const struct field *f, const struct field_path *at,
                const cJSON *value)
{
    field_number_list list = {0};
    if (!read_axis(r, f, at, value, &list))
        return false;
    int *ints = xcalloc(list.count, sizeof *ints);
    for (size_t i = 0; i < list.count; i++)
        ints[i] = (int)list.items[i];
    vec_free(&list);
    *(int **)field_member(r, f->offset) = ints;
    return true;
}

/* ---- Strings and words ----------------------------------------------------------------------- */

bool field_text(const struct reading *r, const struct field *f, const struct field_path *at,
                const cJSON *value)
{
    if (!cJSON_IsString(value) || value->valuestring[0] == '\0')
        return REFUSE_TYPE(r, at, value, "a string that is not empty");
    *(char **)field_member(r, f->offset) = xstrdup(value->valuestring);
    return true;
}

bool field_argument(const struct reading *r, const struct field *f, const struct field_path *at,
                    const cJSON *value)
{
    (void)at;
    *(const char **)field_member(r, f->offset) = value->valuestring;
    return true;
}

bool field_switch(const struct reading *r, const struct field *f, const struct field_path *at,
                  const cJSON *value)
{
    if (!cJSON_IsBool(value))
        return REFUSE_TYPE(r, at, value, "a boolean");
    *(bool *)field_member(r, f->offset) = cJSON_IsTrue(value);
    return true;
}

static void append_words(struct text *t, const char *const *words, int count)
{
    for (int i = 0; i < count; i++)
        text_append(t, "%s%s", i > 0 ? ", " : "", words[i]);
}

/*
 * Returns the position of `value` among the words that the row allows. Fills the error and returns
 * −1 if it is not one of them.
 */
static int find_word(const struct reading *r, const struct field *f, const struct field_path *at,
                     const cJSON *value)
{
    for (int i = 0; i < f->word_count; i++)
        if (cJSON_IsString(value) && strcmp(f->words[i], value->valuestring) == 0)
            return i;
    struct text words = {0}, shown = {0};
    char suggestion[SUGGESTION_SIZE];
    text_append(&words, "%s", f->word_count > 1 ? "one of " : "");
    append_words(&words, f->words, f->word_count);
    append_value(&shown, value);
    if (cJSON_IsString(value))
        REFUSE(r, at, "unknown value %s; write %s%s", shown.bytes, words.bytes,
               text_suggestion(value->valuestring, f->words, (size_t)f->word_count, suggestion));
    else
        REFUSE_TYPE(r, at, value, words.bytes);
    text_free(&words);
    text_free(&shown);
    return -1;
}

bool field_choice(const struct reading *r, const struct field *f, const struct field_path *at,
                  const cJSON *value)
{
    int word = find_word(r, f, at, value);
    if (word >= 0)
        memcpy(field_member(r, f->offset), &word, sizeof word);
    return word >= 0;
}

bool field_flag(const struct reading *r, const struct field *f, const struct field_path *at,
                const cJSON *value)
{
    int word = find_word(r, f, at, value);
    if (word >= 0)
        *(bool *)field_member(r, f->offset) = word == f->word_count - 1;
    return word >= 0;
}

bool field_choices(const struct reading *r, const struct field *f, const struct field_path *at,
                   const cJSON *value)
{
    bool *chosen = field_member(r, f->offset);
    bool many = cJSON_IsArray(value);
    if (many && !value->child)
        return REFUSE(r, at, "the list is empty; write at least one word");
    const cJSON *only = many && !value->child->next ? value->child : value;
    bool all = cJSON_IsString(only) && strcmp(only->valuestring, "all") == 0;
    for (int i = 0; i < f->word_count; i++)
        chosen[i] = all;
    int index = 0;
    for (const cJSON *entry = many ? value->child : value; entry && !all;
         entry = many ? entry->next : NULL) {
        struct field_path entry_at = {at, NULL, index++};
        const struct field_path *here = at && many ? &entry_at : at;
        int word = find_word(r, f, here, entry);
        if (word < 0)
            return false;
        if (chosen[word])
            return REFUSE(r, here, "the list contains \"%s\" twice; remove one of them",
                          f->words[word]);
        chosen[word] = true;
    }
    return true;
}

/* ---- Front ends ------------------------------------------------------------------------------ */

const struct field *field_find(const struct field *rows, const char *name)
{
    while (rows->name && strcmp(rows->name, name) != 0)
        rows++;
    return rows->name ? rows : NULL;
}

enum { MOST_LISTED = 30 };

bool field_unknown(const struct reading *r, const struct field *rows, const struct field_path *at,
                   const char *what, const char *name)
{
    for (const struct field *f = rows; f->name; f++)
        if (f->was && strcmp(f->was, name) == 0)
            return REFUSE(r, at, "the %s \"%s\" is now called \"%s\"; use the new name", what, name,
                          f->name);
    VEC(const char *) names = {0};
    struct text list = {0}, shown = {0};
    char suggestion[SUGGESTION_SIZE];
    for (; rows->name; rows++)
        vec_push(&names, rows->name);
    append_words(&list, names.items, (int)names.count);
    append_key(&shown, name);
    text_suggestion(name, names.items, names.count, suggestion);
    if (*suggestion && names.count > MOST_LISTED) /* A long list would hide the suggestion. */
        REFUSE(r, at, "unknown %s \"%s\"%s", what, text_shown(&shown), suggestion);
    else
        REFUSE(r, at, "unknown %s \"%s\"%s%s one of %s", what, text_shown(&shown), suggestion,
               *suggestion ? " Write" : "; write", text_shown(&list));
    vec_free(&names);
    text_free(&list);
    text_free(&shown);
    return false;
}

bool fields_read_object(const struct reading *r, const struct field *rows,
                        const struct field_path *at, const cJSON *object)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, object)
    {
        if (!field_find(rows, entry->string))
            return field_unknown(r, rows, at, "key", entry->string);
    }
    for (const struct field *f = rows; f->name; f++) {
        struct field_path here = {at, f->name, 0};
        const cJSON *given = cJSON_GetObjectItemCaseSensitive(object, f->name);
        cJSON *absent = given || !f->fallback ? NULL : cJSON_Parse(f->fallback);
        bool ok = (!given && !absent) || f->read(r, f, &here, given ? given : absent);
        cJSON_Delete(absent);
        if (!ok)
            return false;
    }
    return true;
}

bool field_read_text(const struct reading *r, const struct field *f, const char *text,
                     const char *separators)
{
    cJSON value = borrowed_string(text);
    if (!(f->flags & FIELD_LIST))
        return f->read(r, f, NULL, &value);
    char *copy = xstrdup(text), *rest = copy;
    cJSON *items = xcalloc(strlen(text) / 2 + 1, sizeof *items), *last = NULL;
    value = (cJSON){.type = cJSON_Array};
    for (char *item; (item = strsep(&rest, separators));) {
        if (*item == '\0')
            continue;
        cJSON *here = last ? last + 1 : items;
        *here = borrowed_string(item);
        *(last ? &last->next : &value.child) = here;
        last = here;
    }
    bool ok = f->read(r, f, NULL, &value);
    free(items);
    free(copy);
    return ok;
}
