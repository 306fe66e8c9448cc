/*
 * Names that must fit with names elsewhere: see kernel_names.h.
 *
 * A tunable is a macro of the compilation (kernels/common.cuh), a name in expressions (kernel.h)
 * and, in lower case after T_, a CSV column (record/columns.def). --where takes it without T_ as
 * well, so it must not be any other of these names.
 */
#include "spec/kernel_names.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/axes.h"

static const char *const taken[] = {
    "SIZEOF",   "SMS",        "COVERS",  "CLUSTER",       "WORKLOAD",
    "IDENTITY", "INDEX_BITS", "ELEMENT", "ELEMENT_LEAST", "ELEMENT_GREATEST",
/* The columns of results.csv: as data, so that a new one is one entry there. */
#define AXIS_COLUMNS(first, end)
#define TUNABLE_COLUMNS
#define METRIC_COLUMNS
#define COLUMN(name, kind, range, unit, meaning, value) #name,
#include "record/columns.def"
};
static const char *const taken_beginnings[] = {
    "TYPE_", "OP_", "CUDA_", "INPUT_", "TIME_", "REDSWEEP_", "DYNAMIC_SMEM", "STATIC_SMEM", "T_"};

bool tunable_name_is_taken(const char *name)
{
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
