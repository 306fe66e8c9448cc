/*
 * The table of a kernel's facts, and how each is read.
 *
 * `keys` below drives the parser, the messages and the test that the manual (docs/kernels.md)
 * knows every key. kernel.h says what each key may hold.
 */
#include "plan/kernel_facts.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/kernel_names.h"
#include "plan/workload.h"

enum {
    LIBRARY_NAME_MOST = 63,
    NAME_LONGEST = 48, /* kernels and tunables: they are columns, legends and entry names */
    UNROLL_MOST = 64
};

enum need { NEED_ALWAYS, NEED_REDUCTION, OPTIONAL, REPEATABLE };

struct fact_key {
    const char *name;
    enum need need;
    bool (*read)(struct fact_reading *r);
};

bool refuse_fact(const struct fact_reading *r, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return FAIL(r->e, ERROR_CONFIG, "%s:%d: %s: %.200s: %s", r->path, r->fact->line, r->fact->key,
                r->fact->value, message);
}

static bool keep_text(struct fact_reading *r, char **field)
{
    *field = strdup(r->fact->value);
    return *field || FAIL(r->e, ERROR_MEMORY, "%s: no memory left to read the facts", r->path);
}

static bool read_choice(struct fact_reading *r, const char *yes, const char *no, bool *field)
{
    *field = strcmp(r->fact->value, yes) == 0;
    return *field || strcmp(r->fact->value, no) == 0 ||
           refuse_fact(r, "allowed are \"%s\" and \"%s\"", yes, no);
}

/* Parses `source`, which is the fact's value or a part of it; names are checked at the end. */
static bool read_expression(struct fact_reading *r, const char *source, enum names_allowed allowed,
                            struct expr **field)
{
    if (!expr_parse(source, field, r->e))
        return error_prefix(r->e, "%s:%d: %s", r->path, r->fact->line, r->fact->key);
    int i = r->expression_count++;
    r->expressions[i].expression = *field;
    r->expressions[i].fact = r->fact;
    r->expressions[i].allowed = allowed;
    return true;
}

/* One expression a dimension, x first, with the word "by" between them. */
static bool read_dimensions(struct fact_reading *r, struct expr *fields[KERNEL_DIMENSIONS])
{
    const char *part = r->fact->value;
    for (int i = 0; part; i++) {
        if (i == KERNEL_DIMENSIONS)
            return refuse_fact(r, "more than three dimensions");
        const char *end = strstr(part, " by ");
        char *source = end ? strndup(part, (size_t)(end - part)) : strdup(part);
        bool ok = source ? read_expression(r, source, NAMES_WITH_COVERS, &fields[i])
                         : FAIL(r->e, ERROR_MEMORY, "%s: no memory left", r->path);
        free(source);
        if (!ok)
            return false;
        part = end ? end + 4 : NULL;
    }
    return true;
}

/* Whole numbers separated by blanks, each from least to most and none twice. */
static bool read_numbers(struct fact_reading *r, const char *text, long least, long most,
                         struct int_list *out)
{
    out->count = 0;
    for (const char *p = text; *p;) {
        char *end;
        errno = 0;
        long value = strtol(p, &end, 10);
        if (end == p || (*end && !isspace((unsigned char)*end)))
            return refuse_fact(r, "\"%.*s\" is not a whole number; numbers are separated by blanks",
                               (int)strcspn(p, " \t"), p);
        if (errno || value < least || value > most)
            return refuse_fact(r, "%.*s is out of range; allowed are whole numbers from %ld to %ld",
                               (int)(end - p), p, least, most);
        for (int i = 0; i < out->count; i++)
            if (out->values[i] == value)
                return refuse_fact(r, "%ld stands there twice", value);
        if (out->count == KERNEL_MAX_VALUES)
            return refuse_fact(r, "more than %d values", KERNEL_MAX_VALUES);
        out->values[out->count++] = (int)value;
        p = end + strspn(end, " \t");
    }
    return out->count > 0 || refuse_fact(r, "no value is given");
}

static bool read_kernel(struct fact_reading *r)
{
    const char *name = r->fact->value;
    if (!islower((unsigned char)name[0]) ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name) ||
        strlen(name) > NAME_LONGEST)
        return refuse_fact(r,
                           "a kernel's name is a lower-case letter and up to %d further lower-case "
                           "letters, digits and _",
                           NAME_LONGEST - 1);
    const char *slash = strrchr(r->path, '/');
    const char *file = slash ? slash + 1 : r->path;
    const char *dot = strrchr(file, '.');
    bool suffix = dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".c") == 0);
    size_t stem = suffix ? (size_t)(dot - file) : strlen(file);
    if (strlen(name) != stem || strncmp(name, file, stem) != 0)
        return refuse_fact(r, "the name must be that of the file, \"%.*s\"; rename one of them",
                           (int)stem, file);
    return keep_text(r, &r->kernel->name);
}

static bool read_idea(struct fact_reading *r)
{
    return keep_text(r, &r->kernel->idea);
}

static bool read_source(struct fact_reading *r)
{
    return keep_text(r, &r->kernel->source);
}

static bool read_workload(struct fact_reading *r)
{
    r->kernel->workload = workload_find(r->fact->value);
    if (r->kernel->workload)
        return true;
    int count;
    const struct workload *table = workload_table(&count);
    struct text names = {0};
    for (int i = 0; i < count; i++)
        text_append(&names, "%s%s", i ? ", " : "", table[i].name);
    refuse_fact(r, "there is no such workload; allowed are: %s", names.failed ? "" : names.bytes);
    text_free(&names);
    return false;
}

static bool read_result(struct fact_reading *r)
{
    return read_choice(r, "complete", "partial", &r->kernel->complete);
}

static bool read_input(struct fact_reading *r)
{
    return read_choice(r, "in place", "untouched", &r->kernel->in_place);
}

static bool read_uniform(struct fact_reading *r)
{
    return read_choice(r, "yes", "no", &r->kernel->uniform);
}

static bool read_repeats(struct fact_reading *r)
{
    return read_choice(r, "yes", "no", &r->kernel->repeats);
}

static bool read_varies(struct fact_reading *r)
{
    return read_choice(r, "yes", "no", &r->kernel->varies);
}

static bool read_standalone(struct fact_reading *r)
{
    return read_choice(r, "yes", "no", &r->kernel->standalone);
}

static bool read_racy(struct fact_reading *r)
{
    return keep_text(r, &r->kernel->racy);
}

static bool read_covers(struct fact_reading *r)
{
    return read_expression(r, r->fact->value, NAMES_BASIC, &r->kernel->covers);
}

static bool read_grid(struct fact_reading *r)
{
    return read_dimensions(r, r->kernel->grid);
}

static bool read_threads(struct fact_reading *r)
{
    return read_dimensions(r, r->kernel->threads);
}

static bool read_shared(struct fact_reading *r)
{
    return read_expression(r, r->fact->value, NAMES_WITH_COVERS, &r->kernel->shared);
}

static bool read_workspace(struct fact_reading *r)
{
    return read_expression(r, r->fact->value, NAMES_WITH_GRID, &r->kernel->workspace);
}

static bool read_depth(struct fact_reading *r)
{
    return read_expression(r, r->fact->value, NAMES_WITH_GRID, &r->kernel->depth);
}

static bool read_requires(struct fact_reading *r)
{
    struct kernel *k = r->kernel;
    if (k->requires_count == KERNEL_MAX_REQUIRES)
        return refuse_fact(r, "more than %d lines; join some with \"and\"", KERNEL_MAX_REQUIRES);
    if (!read_expression(r, r->fact->value, NAMES_WITH_COVERS, &k->requires[k->requires_count]))
        return false;
    k->requires_count++;
    return true;
}

static bool read_blocks(struct fact_reading *r)
{
    struct kernel *k = r->kernel;
    if (strcmp(r->fact->value, "power of two") == 0)
        k->block_rule = BLOCKS_POWER_OF_TWO;
    else if (strcmp(r->fact->value, "multiple of 32") == 0)
        k->block_rule = BLOCKS_MULTIPLE_OF_32;
    else if (isdigit((unsigned char)r->fact->value[0])) {
        k->block_rule = BLOCKS_LISTED;
        return read_numbers(r, r->fact->value, 1, 1024, &k->blocks);
    } else
        return refuse_fact(r,
                           "allowed are \"power of two\", \"multiple of 32\" and a list of block "
                           "sizes from 1 to 1024");
    return true;
}

static bool read_constant(struct fact_reading *r)
{
    r->kernel->block_constant = true;
    return strcmp(r->fact->value, "BLOCK") == 0 ||
           refuse_fact(r, "only BLOCK may be named here; leave the line out when the kernel reads "
                          "blockDim.x");
}

static bool read_unroll(struct fact_reading *r)
{
    return read_numbers(r, r->fact->value, 1, UNROLL_MOST, &r->kernel->unrolls);
}

static bool read_tunable(struct fact_reading *r)
{
    struct kernel *k = r->kernel;
    const char *value = r->fact->value;
    size_t length = strcspn(value, " \t");
    if (k->tunable_count == KERNEL_MAX_TUNABLES)
        return refuse_fact(r, "more than %d tunables", KERNEL_MAX_TUNABLES);
    if (!isupper((unsigned char)value[0]) || length > NAME_LONGEST ||
        strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
        return refuse_fact(r,
                           "a tunable is a macro's name and its values, as in \"LOADS 1 2 4 8\"; "
                           "the name is an upper-case letter and up to %d further upper-case "
                           "letters, digits and _",
                           NAME_LONGEST - 1);
    struct tunable *t = &k->tunables[k->tunable_count];
    t->name = strndup(value, length);
    if (!t->name)
        return FAIL(r->e, ERROR_MEMORY, "%s: no memory left to read the facts", r->path);
    k->tunable_count++;
    if (tunable_name_is_taken(t->name))
        return refuse_fact(r, "the name %s is already used by redsweep itself; choose another one",
                           t->name);
    for (int i = 0; i + 1 < k->tunable_count; i++)
        if (strcmp(k->tunables[i].name, t->name) == 0)
            return refuse_fact(r, "there is a tunable %s already; give all its values in one line",
                               t->name);
    const char *values = value + length + strspn(value + length, " \t");
    return read_numbers(r, values, 0, INT_MAX, &t->allowed);
}

/* Calls `choose` for each blank-separated word; it says false for an unknown word. */
static bool read_words(struct fact_reading *r, bool (*choose)(struct kernel *k, const char *word),
                       const char *allowed)
{
    char word[32];
    for (const char *p = r->fact->value; *p; p += strspn(p, " \t")) {
        size_t length = strcspn(p, " \t");
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        if (length >= sizeof word || !choose(r->kernel, word))
            return refuse_fact(r, "\"%.*s\" is not known or stands there twice; allowed are: %s",
                               (int)length, p, allowed);
        p += length;
    }
    return true;
}

static bool choose_type(struct kernel *k, const char *word)
{
    enum element_type type;
    if (!element_type_find(word, &type) || k->types[type])
        return false;
    return k->types[type] = true;
}

static bool choose_op(struct kernel *k, const char *word)
{
    enum operation op;
    if (!operation_find(word, &op) || k->ops[op])
        return false;
    return k->ops[op] = true;
}

static bool read_types(struct fact_reading *r)
{
    memset(r->kernel->types, 0, sizeof r->kernel->types);
    return read_words(r, choose_type, "int32 uint32 int64 float32 float64");
}

static bool read_ops(struct fact_reading *r)
{
    memset(r->kernel->ops, 0, sizeof r->kernel->ops);
    return read_words(r, choose_op, "sum max min prod");
}

static bool read_least(struct fact_reading *r)
{
    const char *value = r->fact->value;
    char *end = NULL;
    long cc = strncmp(value, "sm_", 3) == 0 && isdigit((unsigned char)value[3])
                  ? strtol(value + 3, &end, 10)
                  : 0;
    if (!end || *end || cc < LEAST_CC || cc > GREATEST_CC)
        return refuse_fact(
            r, "allowed are sm_%d to sm_%d, for example sm_90 for compute capability 9.0", LEAST_CC,
            GREATEST_CC);
    r->kernel->least_cc = (int)cc;
    return true;
}

static bool read_launch(struct fact_reading *r)
{
    const char *value = r->fact->value;
    size_t length = strlen(value);
    struct kernel *k = r->kernel;
    if (strcmp(value, "plain") == 0)
        k->launch = LAUNCH_PLAIN;
    else if (strcmp(value, "cooperative") == 0)
        k->launch = LAUNCH_COOPERATIVE;
    else if (strcmp(value, "dependent") == 0)
        k->launch = LAUNCH_DEPENDENT;
    else if (length > 9 && strncmp(value, "cluster(", 8) == 0 && value[length - 1] == ')') {
        k->launch = LAUNCH_CLUSTER;
        char *inside = strndup(value + 8, length - 9);
        bool ok = inside ? read_expression(r, inside, NAMES_WITH_COVERS, &k->cluster)
                         : FAIL(r->e, ERROR_MEMORY, "%s: no memory left", r->path);
        free(inside);
        return ok;
    } else
        return refuse_fact(r, "allowed are \"plain\", \"cooperative\", \"dependent\" and "
                              "\"cluster(blocks per cluster)\"");
    return true;
}

static bool read_backend(struct fact_reading *r)
{
    bool gpu;
    if (!read_choice(r, "gpu", "cpu", &gpu))
        return false;
    r->kernel->backend = gpu ? BACKEND_GPU : BACKEND_CPU;
    return true;
}

static bool read_library(struct fact_reading *r)
{
    const char *name = r->fact->value;
    size_t length = strlen(name);
    if (length < 7 || length > LIBRARY_NAME_MOST || strncmp(name, "lib", 3) != 0 ||
        strcmp(name + length - 3, ".so") != 0 || strpbrk(name, "/ \t"))
        return refuse_fact(r, "a library is the name of a file, lib….so, without a folder");
    return keep_text(r, &r->kernel->library);
}

static bool read_link(struct fact_reading *r)
{
    r->kernel->device_runtime = true;
    return strcmp(r->fact->value, "device runtime") == 0 ||
           refuse_fact(r,
                       "only \"device runtime\" may be linked; leave the line out when the kernel "
                       "launches no kernels");
}

static const struct fact_key keys[] = {
    {"kernel", NEED_ALWAYS, read_kernel},
    {"idea", NEED_ALWAYS, read_idea},
    {"source", NEED_ALWAYS, read_source},
    {"workload", OPTIONAL, read_workload},
    {"result", NEED_REDUCTION, read_result},
    {"input", NEED_REDUCTION, read_input},
    {"covers", NEED_ALWAYS, read_covers},
    {"grid", OPTIONAL, read_grid},
    {"shared", OPTIONAL, read_shared},
    {"workspace", OPTIONAL, read_workspace},
    {"depth", OPTIONAL, read_depth},
    {"blocks", NEED_ALWAYS, read_blocks},
    {"constant", OPTIONAL, read_constant},
    {"unroll", OPTIONAL, read_unroll},
    {"tunable", REPEATABLE, read_tunable},
    {"requires", REPEATABLE, read_requires},
    {"types", OPTIONAL, read_types},
    {"ops", OPTIONAL, read_ops},
    {"least", OPTIONAL, read_least},
    {"launch", OPTIONAL, read_launch},
    {"link", OPTIONAL, read_link},
    {"library", OPTIONAL, read_library},
    {"uniform", NEED_REDUCTION, read_uniform},
    {"varies", OPTIONAL, read_varies},
    {"repeats", OPTIONAL, read_repeats},
    {"standalone", OPTIONAL, read_standalone},
    {"racy", OPTIONAL, read_racy},
    {"threads", OPTIONAL, read_threads},
    {"backend", OPTIONAL, read_backend},
};
enum { KEY_COUNT = sizeof keys / sizeof *keys };

const char *kernel_fact_key(int i)
{
    return i >= 0 && i < KEY_COUNT ? keys[i].name : NULL;
}

static int find_key(const char *name)
{
    for (int i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].name, name) == 0)
            return i;
    return -1;
}

static bool unknown_key(const struct fact_reading *r)
{
    const char *names[KEY_COUNT];
    struct text all = {0};
    for (int i = 0; i < KEY_COUNT; i++) {
        names[i] = keys[i].name;
        text_append(&all, "%s%s", i ? ", " : "", names[i]);
    }
    const char *nearest = text_nearest(r->fact->key, names, KEY_COUNT);
    FAIL(r->e, ERROR_CONFIG, "%s:%d: there is no fact \"%.60s\"%s%s%s; the facts are: %s", r->path,
         r->fact->line, r->fact->key, nearest ? " (did you mean \"" : "", nearest ? nearest : "",
         nearest ? "\"?)" : "", all.failed ? "" : all.bytes);
    text_free(&all);
    return false;
}

bool read_facts(struct fact_reading *r, const struct fact_list *list)
{
    const struct fact *seen[KEY_COUNT] = {NULL};
    for (int i = 0; i < list->count; i++) {
        r->fact = &list->facts[i];
        int key = find_key(r->fact->key);
        if (key < 0)
            return unknown_key(r);
        if (seen[key] && keys[key].need != REPEATABLE)
            return refuse_fact(r, "%s stands in line %d already; remove one of them", r->fact->key,
                               seen[key]->line);
        seen[key] = r->fact;
        if (!keys[key].read(r))
            return false;
    }
    if (!r->kernel->workload->reduces && !seen[find_key("result")])
        r->kernel->complete = true; /* nothing is left to be combined */
    for (int i = 0; i < KEY_COUNT; i++) {
        bool needed = keys[i].need == NEED_ALWAYS ||
                      (keys[i].need == NEED_REDUCTION && r->kernel->workload->reduces);
        if (needed && !seen[i])
            return FAIL(r->e, ERROR_CONFIG,
                        "%s:1: the fact \"%s\" is missing; add a line \"// %s: …\" at the top of "
                        "the file (docs/kernels.md explains the facts)",
                        r->path, keys[i].name, keys[i].name);
    }
    return true;
}
