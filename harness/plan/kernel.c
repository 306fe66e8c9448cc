/*
 * What a kernel's facts mean: the table of keys, and the checks that need all of them.
 *
 * `keys` below drives the parser, the messages and the test that the manual (docs/kernels.md)
 * knows every key. A fact is read by its key's function; what depends on other facts (names in
 * expressions, the entry function) is checked at the end. kernel.h says what each key may hold.
 */
#include "plan/kernel.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/facts.h"
#include "plan/kernel_names.h"
#include "plan/workload.h"

enum {
    LIBRARY_NAME_MOST = 63,
    NAME_LONGEST = 48, /* kernels and tunables: they are columns, legends and entry names */
    EXPRESSIONS_MOST = 5 + 2 * KERNEL_DIMENSIONS + KERNEL_MAX_REQUIRES,
    UNROLL_MOST = 64,
    LEAST_CC = 75, /* what NVRTC 13 compiles for: sm_75 … sm_121 */
    GREATEST_CC = 121
};

/* Which names besides N, BLOCK, UNROLL, SIZEOF, SMS and the tunables an expression may use. */
enum names_allowed { NAMES_BASIC, NAMES_WITH_COVERS, NAMES_WITH_GRID };

struct reading {
    struct kernel *kernel;
    const char *path;
    const struct fact *fact; /* the one that is being read */
    struct {
        const struct expr *expression;
        const struct fact *fact;
        enum names_allowed allowed;
    } expressions[EXPRESSIONS_MOST];
    int expression_count;
    struct error *e;
};

enum need { NEED_ALWAYS, NEED_REDUCTION, OPTIONAL, REPEATABLE };

struct fact_key {
    const char *name;
    enum need need;
    bool (*read)(struct reading *r);
};

/* "file:line: key: value: what is wrong and what is allowed". Returns false. */
__attribute__((format(printf, 2, 3))) static bool refuse(const struct reading *r,
                                                         const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return FAIL(r->e, ERROR_CONFIG, "%s:%d: %s: %.200s: %s", r->path, r->fact->line, r->fact->key,
                r->fact->value, message);
}

static bool keep_text(struct reading *r, char **field)
{
    *field = strdup(r->fact->value);
    return *field || FAIL(r->e, ERROR_MEMORY, "%s: no memory left to read the facts", r->path);
}

static bool read_choice(struct reading *r, const char *yes, const char *no, bool *field)
{
    *field = strcmp(r->fact->value, yes) == 0;
    return *field || strcmp(r->fact->value, no) == 0 ||
           refuse(r, "allowed are \"%s\" and \"%s\"", yes, no);
}

/* Parses `source`, which is the fact's value or a part of it; names are checked at the end. */
static bool read_expression(struct reading *r, const char *source, enum names_allowed allowed,
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
static bool read_dimensions(struct reading *r, struct expr *fields[KERNEL_DIMENSIONS])
{
    const char *part = r->fact->value;
    for (int i = 0; part; i++) {
        if (i == KERNEL_DIMENSIONS)
            return refuse(r, "more than three dimensions");
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
static bool read_numbers(struct reading *r, const char *text, long least, long most,
                         struct int_list *out)
{
    out->count = 0;
    for (const char *p = text; *p;) {
        char *end;
        errno = 0;
        long value = strtol(p, &end, 10);
        if (end == p || (*end && !isspace((unsigned char)*end)))
            return refuse(r, "\"%.*s\" is not a whole number; numbers are separated by blanks",
                          (int)strcspn(p, " \t"), p);
        if (errno || value < least || value > most)
            return refuse(r, "%.*s is out of range; allowed are whole numbers from %ld to %ld",
                          (int)(end - p), p, least, most);
        for (int i = 0; i < out->count; i++)
            if (out->values[i] == value)
                return refuse(r, "%ld stands there twice", value);
        if (out->count == KERNEL_MAX_VALUES)
            return refuse(r, "more than %d values", KERNEL_MAX_VALUES);
        out->values[out->count++] = (int)value;
        p = end + strspn(end, " \t");
    }
    return out->count > 0 || refuse(r, "no value is given");
}

static bool read_kernel(struct reading *r)
{
    const char *name = r->fact->value;
    if (!islower((unsigned char)name[0]) ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name) ||
        strlen(name) > NAME_LONGEST)
        return refuse(r,
                      "a kernel's name is a lower-case letter and up to %d further lower-case "
                      "letters, digits and _",
                      NAME_LONGEST - 1);
    const char *slash = strrchr(r->path, '/');
    const char *file = slash ? slash + 1 : r->path;
    const char *dot = strrchr(file, '.');
    bool suffix = dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".c") == 0);
    size_t stem = suffix ? (size_t)(dot - file) : strlen(file);
    if (strlen(name) != stem || strncmp(name, file, stem) != 0)
        return refuse(r, "the name must be that of the file, \"%.*s\"; rename one of them",
                      (int)stem, file);
    return keep_text(r, &r->kernel->name);
}

static bool read_idea(struct reading *r)
{
    return keep_text(r, &r->kernel->idea);
}

static bool read_source(struct reading *r)
{
    return keep_text(r, &r->kernel->source);
}

static bool read_workload(struct reading *r)
{
    r->kernel->workload = workload_find(r->fact->value);
    if (r->kernel->workload)
        return true;
    int count;
    const struct workload *table = workload_table(&count);
    struct text names = {0};
    for (int i = 0; i < count; i++)
        text_append(&names, "%s%s", i ? ", " : "", table[i].name);
    refuse(r, "there is no such workload; allowed are: %s", names.failed ? "" : names.bytes);
    text_free(&names);
    return false;
}

static bool read_result(struct reading *r)
{
    return read_choice(r, "complete", "partial", &r->kernel->complete);
}

static bool read_input(struct reading *r)
{
    return read_choice(r, "in place", "untouched", &r->kernel->in_place);
}

static bool read_uniform(struct reading *r)
{
    return read_choice(r, "yes", "no", &r->kernel->uniform);
}

static bool read_repeats(struct reading *r)
{
    return read_choice(r, "yes", "no", &r->kernel->repeats);
}

static bool read_varies(struct reading *r)
{
    return read_choice(r, "yes", "no", &r->kernel->varies);
}

static bool read_standalone(struct reading *r)
{
    return read_choice(r, "yes", "no", &r->kernel->standalone);
}

static bool read_racy(struct reading *r)
{
    return keep_text(r, &r->kernel->racy);
}

static bool read_covers(struct reading *r)
{
    return read_expression(r, r->fact->value, NAMES_BASIC, &r->kernel->covers);
}

static bool read_grid(struct reading *r)
{
    return read_dimensions(r, r->kernel->grid);
}

static bool read_threads(struct reading *r)
{
    return read_dimensions(r, r->kernel->threads);
}

static bool read_shared(struct reading *r)
{
    return read_expression(r, r->fact->value, NAMES_WITH_COVERS, &r->kernel->shared);
}

static bool read_workspace(struct reading *r)
{
    return read_expression(r, r->fact->value, NAMES_WITH_GRID, &r->kernel->workspace);
}

static bool read_depth(struct reading *r)
{
    return read_expression(r, r->fact->value, NAMES_WITH_GRID, &r->kernel->depth);
}

static bool read_requires(struct reading *r)
{
    struct kernel *k = r->kernel;
    if (k->requires_count == KERNEL_MAX_REQUIRES)
        return refuse(r, "more than %d lines; join some with \"and\"", KERNEL_MAX_REQUIRES);
    if (!read_expression(r, r->fact->value, NAMES_WITH_COVERS, &k->requires[k->requires_count]))
        return false;
    k->requires_count++;
    return true;
}

static bool read_blocks(struct reading *r)
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
        return refuse(r, "allowed are \"power of two\", \"multiple of 32\" and a list of block "
                         "sizes from 1 to 1024");
    return true;
}

static bool read_constant(struct reading *r)
{
    r->kernel->block_constant = true;
    return strcmp(r->fact->value, "BLOCK") == 0 ||
           refuse(r, "only BLOCK may be named here; leave the line out when the kernel reads "
                     "blockDim.x");
}

static bool read_unroll(struct reading *r)
{
    return read_numbers(r, r->fact->value, 1, UNROLL_MOST, &r->kernel->unrolls);
}

static bool read_tunable(struct reading *r)
{
    struct kernel *k = r->kernel;
    const char *value = r->fact->value;
    size_t length = strcspn(value, " \t");
    if (k->tunable_count == KERNEL_MAX_TUNABLES)
        return refuse(r, "more than %d tunables", KERNEL_MAX_TUNABLES);
    if (!isupper((unsigned char)value[0]) || length > NAME_LONGEST ||
        strspn(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
        return refuse(r,
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
        return refuse(r, "the name %s is already used by redsweep itself; choose another one",
                      t->name);
    for (int i = 0; i + 1 < k->tunable_count; i++)
        if (strcmp(k->tunables[i].name, t->name) == 0)
            return refuse(r, "there is a tunable %s already; give all its values in one line",
                          t->name);
    const char *values = value + length + strspn(value + length, " \t");
    return read_numbers(r, values, 0, INT_MAX, &t->allowed);
}

/* Calls `choose` for each blank-separated word; it says false for an unknown word. */
static bool read_words(struct reading *r, bool (*choose)(struct kernel *k, const char *word),
                       const char *allowed)
{
    char word[32];
    for (const char *p = r->fact->value; *p; p += strspn(p, " \t")) {
        size_t length = strcspn(p, " \t");
        snprintf(word, sizeof word, "%.*s", (int)length, p);
        if (length >= sizeof word || !choose(r->kernel, word))
            return refuse(r, "\"%.*s\" is not known or stands there twice; allowed are: %s",
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

static bool read_types(struct reading *r)
{
    memset(r->kernel->types, 0, sizeof r->kernel->types);
    return read_words(r, choose_type, "int32 uint32 int64 float32 float64");
}

static bool read_ops(struct reading *r)
{
    memset(r->kernel->ops, 0, sizeof r->kernel->ops);
    return read_words(r, choose_op, "sum max min prod");
}

static bool read_least(struct reading *r)
{
    const char *value = r->fact->value;
    char *end = NULL;
    long cc = strncmp(value, "sm_", 3) == 0 && isdigit((unsigned char)value[3])
                  ? strtol(value + 3, &end, 10)
                  : 0;
    if (!end || *end || cc < LEAST_CC || cc > GREATEST_CC)
        return refuse(r, "allowed are sm_%d to sm_%d, for example sm_90 for compute capability 9.0",
                      LEAST_CC, GREATEST_CC);
    r->kernel->least_cc = (int)cc;
    return true;
}

static bool read_launch(struct reading *r)
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
        return refuse(r, "allowed are \"plain\", \"cooperative\", \"dependent\" and "
                         "\"cluster(blocks per cluster)\"");
    return true;
}

static bool read_backend(struct reading *r)
{
    bool gpu;
    if (!read_choice(r, "gpu", "cpu", &gpu))
        return false;
    r->kernel->backend = gpu ? BACKEND_GPU : BACKEND_CPU;
    return true;
}

static bool read_library(struct reading *r)
{
    const char *name = r->fact->value;
    size_t length = strlen(name);
    if (length < 7 || length > LIBRARY_NAME_MOST || strncmp(name, "lib", 3) != 0 ||
        strcmp(name + length - 3, ".so") != 0 || strpbrk(name, "/ \t"))
        return refuse(r, "a library is the name of a file, lib….so, without a folder");
    return keep_text(r, &r->kernel->library);
}

static bool read_link(struct reading *r)
{
    r->kernel->device_runtime = true;
    return strcmp(r->fact->value, "device runtime") == 0 ||
           refuse(r, "only \"device runtime\" may be linked; leave the line out when the kernel "
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

static bool unknown_key(const struct reading *r)
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

static bool read_facts(struct reading *r, const struct fact_list *list)
{
    const struct fact *seen[KEY_COUNT] = {NULL};
    for (int i = 0; i < list->count; i++) {
        r->fact = &list->facts[i];
        int key = find_key(r->fact->key);
        if (key < 0)
            return unknown_key(r);
        if (seen[key] && keys[key].need != REPEATABLE)
            return refuse(r, "%s stands in line %d already; remove one of them", r->fact->key,
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

struct name_check {
    const struct kernel *kernel;
    enum names_allowed allowed;
    const char *unknown; /* the first name that is not allowed */
};

static void check_name(void *context, const char *name)
{
    static const char *const known[] = {"N", "BLOCK", "UNROLL", "SIZEOF", "SMS", "COVERS", "GRID"};
    struct name_check *c = context;
    int known_count = c->allowed == NAMES_BASIC ? 5 : c->allowed == NAMES_WITH_COVERS ? 6 : 7;
    for (int i = 0; i < known_count; i++)
        if (strcmp(known[i], name) == 0)
            return;
    for (int i = 0; i < c->kernel->tunable_count; i++)
        if (strcmp(c->kernel->tunables[i].name, name) == 0)
            return;
    if (!c->unknown)
        c->unknown = name;
}

static bool check_expressions(struct reading *r)
{
    for (int i = 0; i < r->expression_count; i++) {
        struct name_check c = {r->kernel, r->expressions[i].allowed, NULL};
        expr_names(r->expressions[i].expression, check_name, &c);
        if (!c.unknown)
            continue;
        r->fact = r->expressions[i].fact;
        struct text names = {0};
        text_append(&names, "N, BLOCK, UNROLL, SIZEOF, SMS%s%s",
                    c.allowed >= NAMES_WITH_COVERS ? ", COVERS" : "",
                    c.allowed >= NAMES_WITH_GRID ? ", GRID" : "");
        for (int j = 0; j < r->kernel->tunable_count; j++)
            text_append(&names, ", %s", r->kernel->tunables[j].name);
        refuse(r,
               "the name %s is not known here; allowed are %s and every tunable that the facts "
               "declare",
               c.unknown, names.failed ? "" : names.bytes);
        text_free(&names);
        return false;
    }
    return true;
}

/* A file's ending says who compiles it, so it must agree with the backend. */
static bool check_ending(struct reading *r)
{
    size_t length = strlen(r->path);
    bool host_file = length > 2 && strcmp(r->path + length - 2, ".c") == 0;
    if (host_file == (r->kernel->backend == BACKEND_CPU))
        return true;
    return FAIL(r->e, ERROR_CONFIG,
                "%s: a kernel for the CPU stands in a file that ends in .c and has the fact "
                "\"backend: cpu\"; one for the GPU ends in .cu and has not",
                r->path);
}

static bool check_code(struct reading *r, const char *code)
{
    if (r->kernel->backend == BACKEND_CPU) {
        if (code_has_host_entry(code, r->kernel->name))
            return true;
        return FAIL(r->e, ERROR_CONFIG,
                    "%s: the code has no function of the kernel's name; it must hold "
                    "void %s(element *input, …)",
                    r->path, r->kernel->name);
    }
    if (r->kernel->library)
        return true; /* the linker will say what it lacks */
    if (code[0] != '\0' && code_has_entry(code, r->kernel->name))
        return true;
    return FAIL(r->e, ERROR_CONFIG,
                "%s: the code has no function of the kernel's name; it must hold "
                "extern \"C\" __global__ void %s(element *input, …)",
                r->path, r->kernel->name);
}

static bool fill(struct reading *r, const char *code, size_t length, struct fact_list *list)
{
    struct kernel *k = r->kernel;
    k->path = strdup(r->path);
    k->code = malloc(length + 1);
    if (!k->path || !k->code)
        return FAIL(r->e, ERROR_MEMORY, "%s: no memory left to read the kernel", r->path);
    memcpy(k->code, code, length);
    k->code[length] = '\0';
    k->code_length = length;
    k->code_hash = hash_bytes(HASH_START, code, length);
    k->workload = workload_find("reduce");
    k->least_cc = LEAST_CC;
    for (int i = 0; i < TYPE_COUNT; i++)
        k->types[i] = true;
    for (int i = 0; i < OP_COUNT; i++)
        k->ops[i] = true;
    return facts_split(r->path, code, length, list, r->e) && read_facts(r, list) &&
           check_expressions(r) && check_ending(r) && check_code(r, k->code + list->code_begins);
}

bool kernel_parse(const char *path, const char *code, size_t length, struct kernel **out,
                  struct error *e)
{
    *out = NULL;
    if (length > KERNEL_MAX_BYTES)
        return FAIL(e, ERROR_CONFIG,
                    "%s: the file has %zu bytes; a kernel's file may have at most %d (1 MiB)", path,
                    length, KERNEL_MAX_BYTES);
    struct kernel *k = calloc(1, sizeof *k);
    if (!k)
        return FAIL(e, ERROR_MEMORY, "%s: no memory left to read the kernel", path);
    struct reading r = {.kernel = k, .path = path, .e = e};
    struct fact_list list = {0};
    bool ok = fill(&r, code, length, &list);
    facts_free(&list);
    if (ok)
        *out = k;
    else
        kernel_free(k);
    return ok;
}

void kernel_free(struct kernel *k)
{
    if (!k)
        return;
    struct expr *expressions[] = {k->covers, k->shared, k->workspace, k->depth, k->cluster};
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
        expr_free(expressions[i]);
    for (int i = 0; i < KERNEL_DIMENSIONS; i++) {
        expr_free(k->grid[i]);
        expr_free(k->threads[i]);
    }
    for (int i = 0; i < k->requires_count; i++)
        expr_free(k->requires[i]);
    for (int i = 0; i < k->tunable_count; i++)
        free(k->tunables[i].name);
    free(k->name);
    free(k->path);
    free(k->idea);
    free(k->source);
    free(k->racy);
    free(k->library);
    free(k->code);
    free(k);
}
