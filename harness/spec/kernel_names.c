/*
 * Checks names in a kernel's file.
 *
 * A tunable is a compile-time macro (kernels/lib/common.cuh), a name in expressions (kernel.h), and
 * a CSV column, t_ followed by the macro's name in lower case (record/columns.def). --where also
 * accepts a tunable's name without t_. So the name must differ from all other names that --where
 * accepts.
 */
#include "spec/kernel_names.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/axes.h"
#include "base/memory.h"
#include "base/vec.h"

static const char *const taken[] = {
    "SIZEOF",   "SMS",        "COVERS",  "CLUSTER",       "WORKLOAD",
    "IDENTITY", "INDEX_BITS", "ELEMENT", "ELEMENT_LEAST", "ELEMENT_GREATEST",
/* The names of all columns, from the table of columns. */
#define AXIS_COLUMNS(first, end)
#define TUNABLE_COLUMNS
#define METRIC_COLUMNS
#define COLUMN(name, kind, range, audience, rank, unit, meaning, value) #name,
#include "record/columns.def"
};
static const char *const taken_beginnings[] = {
    "TYPE_", "OP_", "CUDA_", "INPUT_", "TIME_", "REDSWEEP_", "DYNAMIC_SMEM", "STATIC_SMEM", "T_"};

bool tunable_name_is_taken(const char *name)
{
    /* Some kernels had a tunable SHAPE before the column `shape` existed. The tunable's column is
     * t_shape, so the two columns do not collide. */
    if (strcmp(name, "SHAPE") == 0)
        return false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcasecmp(name, taken[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof taken_beginnings / sizeof *taken_beginnings; i++)
        if (strncmp(name, taken_beginnings[i], strlen(taken_beginnings[i])) == 0)
            return true;
    return axis_find(name) != AXIS_COUNT;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns whether an upper-case letter follows a lower-case letter, as in reduceUnrolling2 and
 * TwoSum. */
static bool is_mixed_case(const char *word, size_t length)
{
    bool mixed = false;
    for (size_t i = 0; i < length; i++) {
        if (!is_word(word[i]))
            return false;
        mixed = mixed ||
                (i > 0 && isupper((unsigned char)word[i]) && islower((unsigned char)word[i - 1]));
    }
    return mixed;
}

void source_names(const char *source, char ***names, int *count)
{
    const char *last = "";
    for (const char *item = strchr(source, '('); item; item = strpbrk(item, "(,")) {
        item++;
        item += strspn(item, " ");
        size_t length = strcspn(item, "(),");
        size_t stem = strlen(last);
        while (stem > 0 && isdigit((unsigned char)last[stem - 1]))
            stem--;
        if (is_mixed_case(item, length))
            array_push(*names, *count, xstrndup(item, length));
        else if (*last && length > 0 && strspn(item, "0123456789") == length)
            array_push(*names, *count, xasprintf("%.*s%.*s", (int)stem, last, (int)length, item));
        else
            continue;
        last = (*names)[*count - 1];
    }
}

bool code_has_entry(const char *code, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = code; (p = strstr(p, "extern \"C\"")) != NULL; p++) {
        const char *end = p + strcspn(p, "{;");
        bool global = false;
        for (const char *q = p + 1; q < end; q++) {
            bool begins = !is_word(q[-1]);
            global = global || (begins && strncmp(q, "__global__", 10) == 0);
            if (global && begins && strncmp(q, name, length) == 0 &&
                q[length + strspn(q + length, " \t\r\n")] == '(')
                return true;
        }
    }
    return false;
}

bool code_has_host_entry(const char *code, const char *name)
{
    size_t length = strlen(name);
    for (const char *p = strstr(code, name); p; p = strstr(p + 1, name)) {
        const char *before = p;
        while (before > code && isspace((unsigned char)before[-1]))
            before--;
        bool returns_void = before - code >= 4 && before < p && strncmp(before - 4, "void", 4) == 0;
        if (returns_void && p[length + strspn(p + length, " \t\r\n")] == '(')
            return true;
    }
    return false;
}
