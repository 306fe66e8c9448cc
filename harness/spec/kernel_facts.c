/*
 * The table of a kernel's facts, and readers for values that only facts have.
 *
 * Each fact is a row in `kernel_facts` and a line in docs/kernels.md; a test compares that page
 * with the table. kernel.h describes the values of each key.
 */
#include "spec/kernel_facts.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/axes.h"
#include "base/code.h"
#include "base/fields.h"
#include "base/memory.h"
#include "base/role.h"
#include "base/text.h"
#include "base/utf8.h"
#include "spec/fact_expressions.h"
#include "spec/kernel_names.h"
#include "workloads/workload.h"

enum {
    /* Pascal is the oldest architecture that NVRTC 12 compiles for. NVRTC 13 starts at sm_75. */
    MIN_CC = 60,
    MAX_CC = 121,
    LONGEST_LIBRARY = 63,
    PREFIX_SIZE = 4500
};

enum fact_flags {
    ALWAYS = FIELD_OWN,         /* every kernel must state the fact */
    REDUCTION = FIELD_OWN << 1, /* every reduction must state the fact */
    REPEATABLE = FIELD_OWN << 2,
    WITH_COVERS = FIELD_OWN << 3,             /* the expression may use COVERS */
    WITH_GRID = WITH_COVERS | FIELD_OWN << 4, /* the expression may use COVERS and GRID */
    /* The expression may also use names from earlier lines of `where`. */
    WITH_WHERES = WITH_GRID | FIELD_OWN << 6,
    /* The fact does not affect how the kernel is compiled, launched or checked, so kernel_hash()
     * omits it. */
    DESCRIBES = FIELD_OWN << 5
};

/* Writes "file:line: key: value", with which all messages about a fact begin. Returns `buffer`. */
static const char *fact_prefix(const struct fact_reading *reading, char buffer[PREFIX_SIZE])
{
    const struct fact *fact = reading->fact;
    if (fact)
        snprintf(buffer, PREFIX_SIZE, "%.*s:%d, \"%s: %.*s\"", (int)utf8_cut(reading->path, 4096),
                 reading->path, fact->line, fact->key, (int)utf8_cut(fact->value, 200),
                 fact->value);
    return fact ? buffer : reading->path;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Reads a list of numbers into a struct int_list. Keeps the order and rejects duplicates. */
static bool read_numbers(const struct reading *r, const struct field *f,
                         const struct field_path *at, const cJSON *value)
{
    struct int_list *list = field_member(r, f->offset);
    field_number_list numbers = {0};
    bool ok = field_numbers(r, at, value, f->min, f->max, &numbers);
    if (ok && numbers.count > KERNEL_MAX_VALUES)
        ok = REFUSE(r, at, "the fact has more than %d values; leave some out", KERNEL_MAX_VALUES);
    for (size_t i = 0; ok && i < numbers.count; i++) {
        int number = (int)numbers.items[i];
        for (int j = 0; ok && j < list->count; j++)
            ok = list->values[j] != number ||
                 REFUSE(r, at, "the fact contains %d twice; remove one of them", number);
        list->values[list->count++] = number;
    }
    vec_free(&numbers);
    return ok;
}

static bool read_blocks(const struct reading *r, const struct field *f, const struct field_path *at,
                        const cJSON *value)
{
    static const struct field listed = {"blocks",       NULL,
                                        read_numbers,   .offset = offsetof(struct kernel, blocks),
                                        RANGE(1, 1024), .flags = FIELD_LIST};
    if (!isdigit((unsigned char)value->valuestring[0]))
        return field_choice(r, f, at, value);
    ((struct kernel *)r->object)->block_rule = BLOCKS_LISTED;
    return field_read_text(r, &listed, value->valuestring, FACT_BLANKS);
}

/* Reads an architecture such as sm_90. */
static bool read_architecture(const struct reading *r, const struct field *f,
                              const struct field_path *at, const cJSON *value)
{
    const char *text = value->valuestring;
    char *end = NULL;
    long cc = strncmp(text, "sm_", 3) == 0 && isdigit((unsigned char)text[3])
                  ? strtol(text + 3, &end, 10)
                  : 0;
    if (!end || *end || cc < f->min || cc > f->max)
        return REFUSE(r, at,
                      "not an architecture; write sm_%.0f to sm_%.0f, such as sm_90 for compute "
                      "capability 9.0",
                      f->min, f->max);
    *(int *)field_member(r, f->offset) = (int)cc;
    return true;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static bool read_kernel_name(const struct reading *r, const struct field *f,
                             const struct field_path *at, const cJSON *value)
{
    const struct fact_reading *reading = r->context;
    const char *name = value->valuestring;
    if (!islower((unsigned char)name[0]) ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name) ||
        strlen(name) > FACT_LONGEST_NAME)
        return REFUSE(r, at,
                      "invalid kernel name; write a lower-case letter and up to %d more lower-case "
                      "letters, digits and _",
                      FACT_LONGEST_NAME - 1);
    const char *slash = strrchr(reading->path, '/');
    const char *file = slash ? slash + 1 : reading->path;
    const char *dot = strrchr(file, '.');
    bool suffix =
        dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".c") == 0 || strcmp(dot, ".facts") == 0);
    size_t stem = suffix ? (size_t)(dot - file) : strlen(file);
    if (strlen(name) != stem || strncmp(name, file, stem) != 0)
        return REFUSE(r, at,
                      "the name of the kernel differs from the name of its file, \"%.*s\"; rename "
                      "one of them",
                      (int)stem, file);
    return field_text(r, f, at, value);
}

static bool read_workload(const struct reading *r, const struct field *f,
                          const struct field_path *at, const cJSON *value)
{
    const struct workload *found = workload_find(value->valuestring);
    *(const struct workload **)field_member(r, f->offset) = found;
    if (found)
        return true;
    int count;
    const struct workload *table = workload_table(&count);
    VEC(const char *) names = {0};
    for (int i = 0; i < count; i++)
        vec_push(&names, table[i].name);
    const struct field choice = {"workload", WORDS(names.items, count)};
    (void)field_choice(r, &choice, at, value); /* only sets the error message */
    vec_free(&names);
    return false;
}

/* Reads a role. If the role is a limit, the workload whose time it bounds must exist. */
static bool read_role(const struct reading *r, const struct field *f, const struct field_path *at,
                      const cJSON *value)
{
    struct role role;
    const struct field any = {f->name, WORDS(role_names, ROLE_COUNT)};
    if (!role_parse(value->valuestring, &role))
        return field_choice(r, &any, at, value); /* only sets the error message */
    if (role.kind == ROLE_LIMIT && !workload_find(role.bounds))
        return REFUSE(r, at, "unknown workload \"%s\"; docs/kernels.md lists the workloads",
                      role.bounds);
    return field_text(r, f, at, value);
}

static bool read_tunable(const struct reading *r, const struct field *f,
                         const struct field_path *at, const cJSON *value)
{
    struct kernel *k = r->object;
    const char *text = value->valuestring;
    size_t length = strcspn(text, FACT_BLANKS);
    if (k->tunable_count == KERNEL_MAX_TUNABLES)
        return REFUSE(r, at, "the kernel has more than %d tunables; make some of them constants",
                      KERNEL_MAX_TUNABLES);
    if (!isupper((unsigned char)text[0]) || length > FACT_LONGEST_NAME ||
        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
        return REFUSE(r, at,
                      "expected a tunable; write a macro's name and its values, such as \"LOADS 1 "
                      "2 4 8\". The name is an upper-case letter and up to %d more upper-case "
                      "letters, digits and _",
                      FACT_LONGEST_NAME - 1);
    struct tunable *t = &k->tunables[k->tunable_count++];
    t->name = xstrndup(text, length);
    if (tunable_name_is_taken(t->name))
        return REFUSE(r, at, "the name %s is reserved; choose another one", t->name);
    for (int i = 0; i + 1 < k->tunable_count; i++)
        if (strcmp(k->tunables[i].name, t->name) == 0)
            return REFUSE(r, at,
                          "the tunable %s is declared twice; write all its values in one line",
                          t->name);
    struct reading own = *r;
    own.object = t;
    const struct field values = {"tunable",
                                 NULL,
                                 read_numbers,
                                 .offset = offsetof(struct tunable, allowed),
                                 RANGE(f->min, f->max),
                                 .flags = FIELD_LIST};
    if (!field_read_text(&own, &values, text + length, FACT_BLANKS))
        return false;
    t->otherwise = t->allowed.values[0];
    return true;
}

/* Reads values of tunables that are declared further up, such as "LOADS 4 POLICY 1". */
static bool read_default(const struct reading *r, const struct field *f,
                         const struct field_path *at, const cJSON *value)
{
    struct kernel *k = r->object;
    const cJSON *entry = value->child;
    for (; entry && entry->next; entry = entry->next->next) {
        struct tunable *t = NULL;
        double number;
        bool allowed = false;
        for (int i = 0; i < k->tunable_count; i++)
            if (strcmp(k->tunables[i].name, entry->valuestring) == 0)
                t = &k->tunables[i];
        if (!t)
            return REFUSE(
                r, at,
                "no tunable %s is declared above this line; declare it with the fact \"tunable:\"",
                entry->valuestring);
        if (!field_integer(r, at, entry->next, f->min, f->max, &number))
            return false;
        for (int i = 0; i < t->allowed.count; i++)
            allowed = allowed || t->allowed.values[i] == (int)number;
        if (!allowed)
            return REFUSE(r, at,
                          "%d is not a value of the tunable %s; choose one of its declared values",
                          (int)number, t->name);
        t->otherwise = (int)number;
    }
    return !entry || REFUSE(r, at,
                            "a tunable has no value here; write tunables with their values, such "
                            "as \"LOADS 4\"");
}

static bool read_library(const struct reading *r, const struct field *f,
                         const struct field_path *at, const cJSON *value)
{
    const char *name = value->valuestring;
    size_t length = strlen(name);
    if (length < 7 || length > LONGEST_LIBRARY || strncmp(name, "lib", 3) != 0 ||
        strcmp(name + length - 3, ".so") != 0 || strpbrk(name, "/ \t"))
        return REFUSE(r, at, "invalid library name; write lib….so without a folder");
    return field_text(r, f, at, value);
}

/* ---- The table ------------------------------------------------------------------------------- */

static const char *const no_yes[] = {"no", "yes"};
static const char *const fixed_vary[] = {"fixed", "vary"};
static const char *const results[] = {"partial", "complete"};
static const char *const inputs[] = {"untouched", "in place"};
static const char *const outputs[] = {"written", "zeroed"};
static const char *const block_rules[] = {"power of two", "multiple of 32", "1024 512 …"};
static const char *const constants[] = {"BLOCK"};
static const char *const launches[] = {"plain", "cooperative", "cluster(blocks per cluster)",
                                       "dependent"};
static const char *const links[] = {"device runtime"};
static const char *const backends[] = {"gpu", "cpu"};

#define AT(member) .offset = offsetof(struct kernel, member)
#define CHOICES(list) WORDS(list, sizeof list / sizeof *list)

/* clang-format off: each fact has one row */
static const struct field kernel_facts[] = {
    {"kernel", NULL, read_kernel_name, AT(name), .flags = ALWAYS},
    {"idea", NULL, field_text, AT(idea), .flags = ALWAYS | DESCRIBES},
    {"source", NULL, field_text, AT(source), .flags = ALWAYS | DESCRIBES},
    {"workload", "reduce", read_workload, AT(workload)},
    {"role", NULL, read_role, AT(role), .flags = DESCRIBES},
    {"result", NULL, field_flag, AT(complete), CHOICES(results), .flags = REDUCTION},
    {"input", NULL, field_flag, AT(in_place), CHOICES(inputs), .flags = REDUCTION},
    {"output", "written", field_flag, AT(output_zeroed), CHOICES(outputs)},
    {"covers", NULL, fact_read_expression, AT(covers), .flags = ALWAYS},
    {"grid", NULL, fact_read_dimensions, AT(grid), .flags = WITH_COVERS},
    {"shared", NULL, fact_read_expression, AT(shared), .flags = WITH_COVERS},
    {"workspace", NULL, fact_read_expression, AT(workspace), .flags = WITH_GRID},
    {"depth", NULL, fact_read_expression, AT(depth), .flags = WITH_GRID},
    /* The name of the code file is not hashed, because the code itself is. */
    {"code", NULL, field_text, AT(code_file), .flags = DESCRIBES},
    {"entry", NULL, field_text, AT(entry)},
    {"parameters", NULL, fact_read_parameters, AT(parameters), .flags = WITH_GRID},
    {"blocks", NULL, read_blocks, AT(block_rule), CHOICES(block_rules), .flags = ALWAYS},
    {"constant", NULL, field_flag, AT(block_constant), CHOICES(constants)},
    {"unroll", NULL, read_numbers, AT(unrolls), RANGE(1, 64), .flags = FIELD_LIST},
    {"tunable", NULL, read_tunable, AT(tunables), RANGE(0, INT_MAX), .flags = REPEATABLE},
    {"default", NULL, read_default, RANGE(0, INT_MAX), .flags = FIELD_LIST | DESCRIBES},
    {"requires", NULL, fact_read_requires, AT(requires), .flags = REPEATABLE | WITH_COVERS},
    {"where", NULL, fact_read_where, AT(wheres), .flags = REPEATABLE | WITH_WHERES | DESCRIBES},
    {"cost", NULL, fact_read_cost, AT(costs), .flags = REPEATABLE | WITH_WHERES | DESCRIBES},
    {"overlap", NULL, fact_read_overlap, AT(costs), .flags = REPEATABLE | WITH_WHERES | DESCRIBES},
    {"types", plain_types, field_choices, AT(types), WORDS(element_type_names, TYPE_COUNT),
     .flags = FIELD_LIST},
    {"ops", plain_operations, field_choices, AT(ops), WORDS(operation_names, OP_COUNT),
     .flags = FIELD_LIST},
    {"min_arch", "sm_60", read_architecture, AT(min_cc), RANGE(MIN_CC, MAX_CC), .was = "least"},
    {"launch", "plain", fact_read_launch, AT(launch), CHOICES(launches), .flags = WITH_COVERS},
    {"link", NULL, field_flag, AT(device_runtime), CHOICES(links)},
    {"library", NULL, read_library, AT(library)},
    {"uniform", NULL, field_flag, AT(uniform), CHOICES(no_yes), .flags = REDUCTION},
    {"varies", "no", field_flag, AT(varies), CHOICES(no_yes), .flags = DESCRIBES},
    {"invariant", "no", field_flag, AT(invariant), CHOICES(no_yes), .flags = DESCRIBES},
    {"exact", "no", field_flag, AT(exact), CHOICES(no_yes), .flags = DESCRIBES},
    {"counts", "fixed", field_flag, AT(counts_vary), CHOICES(fixed_vary), .flags = DESCRIBES},
    {"standalone", "no", field_flag, AT(standalone), CHOICES(no_yes)},
    {"fallback", "no", field_flag, AT(fallback), CHOICES(no_yes), .flags = DESCRIBES},
    {"racy", NULL, field_text, AT(racy), .flags = DESCRIBES},
    {"threads", NULL, fact_read_dimensions, AT(threads), .flags = WITH_COVERS},
    {"backend", "gpu", field_choice, AT(backend), CHOICES(backends)},
    {0}};
/* clang-format on */
enum { FACT_COUNT = sizeof kernel_facts / sizeof *kernel_facts - 1 };

const char *kernel_fact_key(int i)
{
    return i >= 0 && i < FACT_COUNT ? kernel_facts[i].name : NULL;
}

/* ---- All facts of a file --------------------------------------------------------------------- */

/* Stores a fact's value, or its default, in the kernel. */
static bool read_value(struct fact_reading *reading, const struct field *f, const char *value)
{
    char prefix[PREFIX_SIZE];
    const struct reading r = {reading->kernel, fact_prefix(reading, prefix), ERROR_CONFIG, reading,
                              reading->e};
    return field_read_text(&r, f, value, FACT_BLANKS);
}

static bool read_each(struct fact_reading *reading, const struct fact_list *list)
{
    const struct fact *seen[FACT_COUNT] = {NULL};
    if (list->facts.count == 0)
        return FAIL(reading->e, ERROR_CONFIG,
                    "%s:1: the file has no facts; write them at its top (docs/kernels.md explains "
                    "them), or let redsweep import %s write them",
                    reading->path, reading->path);
    for (const struct field *f = kernel_facts; f->name; f++)
        if (f->fallback && !read_value(reading, f, f->fallback))
            return false;
    for (size_t i = 0; i < list->facts.count; i++) {
        const struct fact *fact = reading->fact = &list->facts.items[i];
        const struct field *f = field_find(kernel_facts, fact->key);
        if (!f) {
            char place[4200];
            snprintf(place, sizeof place, "%s:%d", reading->path, fact->line);
            const struct reading r = {.prefix = place, .kind = ERROR_CONFIG, .e = reading->e};
            return field_unknown(&r, kernel_facts, NULL, "fact", fact->key);
        }
        const struct fact **earlier = &seen[f - kernel_facts];
        if (*earlier && !(f->flags & REPEATABLE))
            return FAIL(reading->e, ERROR_CONFIG,
                        "%s:%d: the fact \"%s\" is also on line %d; remove one of them",
                        reading->path, fact->line, fact->key, (*earlier)->line);
        *earlier = fact;
        if (!read_value(reading, f, fact->value))
            return false;
    }
    bool reduces = reading->kernel->workload->reduces;
    for (const struct field *f = kernel_facts; f->name; f++)
        if (!seen[f - kernel_facts] && (f->flags & ALWAYS || (f->flags & REDUCTION && reduces)))
            return FAIL(reading->e, ERROR_CONFIG,
                        "%s:1: the fact \"%s\" is missing; add a line \"// %s: …\" at the top of "
                        "the file (docs/kernels.md explains the facts)",
                        reading->path, f->name, f->name);
    if (!reduces && !seen[field_find(kernel_facts, "result") - kernel_facts])
        reading->kernel->complete = true; /* nothing has to be combined after the kernel */
    if (!reading->kernel->role)
        reading->kernel->role =
            xstrdup(reduces || reading->kernel->workload->by_rows ? "reduction" : "teaching");
    return true;
}

struct name_search {
    const struct kernel *kernel;
    int count;           /* how many fact_expression_names the expression may use */
    int wheres;          /* how many names from `where` the expression may use */
    const char *unknown; /* the first unknown name */
};

static void search_name(void *context, const char *name)
{
    struct name_search *s = context;
    for (int i = 0; i < s->count; i++)
        if (strcmp(fact_expression_names[i], name) == 0)
            return;
    for (int i = 0; i < s->kernel->tunable_count; i++)
        if (strcmp(s->kernel->tunables[i].name, name) == 0)
            return;
    for (int i = 0; i < s->wheres; i++)
        if (strcmp(s->kernel->wheres[i].name, name) == 0)
            return;
    if (axis_find_fact(name) != AXIS_COUNT)
        return;
    if (!s->unknown)
        s->unknown = name;
}

static bool refuse_name(const struct fact_reading *reading, const struct name_search *s)
{
    char prefix[PREFIX_SIZE];
    struct text names = {0};
    for (int i = 0; i < s->count; i++)
        text_append(&names, "%s, ", fact_expression_names[i]);
    for (int i = 0; i < s->kernel->tunable_count; i++)
        text_append(&names, "%s, ", s->kernel->tunables[i].name);
    for (enum axis_index i = 0; i < AXIS_COUNT; i++)
        for (const char *c = axis_is_run_time(i) ? axis_table[i].name : ""; *c; c++)
            text_append(&names, "%c%s", toupper((unsigned char)*c), c[1] ? "" : ", ");
    FAIL(reading->e, ERROR_CONFIG,
         "%s: unknown name %s; use one of %sor declare a tunable with this name",
         fact_prefix(reading, prefix), s->unknown, names.bytes);
    text_free(&names);
    return false;
}

/*
 * Returns how many names from `where` the expression x may use. An expression in a line of `where`
 * may use the names from earlier lines, and any other expression may use all names.
 */
static int wheres_before(const struct kernel *k, const struct expr *x)
{
    int i = 0;
    while (i < k->where_count && k->wheres[i].value != x)
        i++;
    return i;
}

/* Checks the names in all expressions, after all tunables have been read. */
static bool check_names(struct fact_reading *reading)
{
    for (int i = 0; i < reading->expression_count; i++) {
        unsigned flags = reading->expressions[i].flags;
        struct name_search s = {
            reading->kernel,
            (flags & WITH_GRID) == WITH_GRID ? 8
            : flags & WITH_COVERS            ? 7
                                             : 6,
            (flags & WITH_WHERES) == WITH_WHERES
                ? wheres_before(reading->kernel, reading->expressions[i].expression)
                : 0,
            NULL};
        expr_names(reading->expressions[i].expression, search_name, &s);
        reading->fact = reading->expressions[i].fact;
        if (s.unknown)
            return refuse_name(reading, &s);
    }
    return true;
}

/* Returns whether the kernel supports a float type narrower than 32 bits. */
static bool takes_halves(const struct kernel *k)
{
    for (int t = 0; t < TYPE_COUNT; t++)
        if (k->types[t] && element_is_float((enum element_type)t) &&
            element_size((enum element_type)t) < 4)
            return true;
    return false;
}

/*
 * Rejects a parameter element(EXPR) if the kernel supports 16-bit floats: the value is passed as a
 * number, but a 16-bit float is a struct (types.cuh). Call this after all types have been read.
 */
static bool check_elements(struct fact_reading *reading)
{
    const struct kernel *k = reading->kernel;
    char prefix[PREFIX_SIZE];
    if (!takes_halves(k))
        return true;
    for (int i = 0; i < reading->expression_count; i++)
        for (int p = 0; p < k->parameter_count; p++) {
            if (k->parameters[p].kind != PARAMETER_ELEMENT ||
                k->parameters[p].value != reading->expressions[i].expression)
                continue;
            reading->fact = reading->expressions[i].fact;
            return FAIL(reading->e, ERROR_CONFIG,
                        "%s: element(%s) cannot be passed as a float16 or bfloat16; write "
                        "float(%s), or leave these types out",
                        fact_prefix(reading, prefix), expr_source(k->parameters[p].value),
                        expr_source(k->parameters[p].value));
        }
    return true;
}

/* Rejects a kernel whose facts promise the same bits in every launch (`invariant` or `exact`), but
 * also say that its results vary. */
static bool check_bits(const struct fact_reading *reading)
{
    const struct kernel *k = reading->kernel;
    return !k->varies || !(k->invariant || k->exact) ||
           FAIL(
               reading->e, ERROR_CONFIG,
               "%s: \"varies: yes\" contradicts \"%s: yes\", which promises the same bits in every "
               "launch; leave out one of the two facts",
               reading->path, k->invariant ? "invariant" : "exact");
}

static char *folded(const char *value)
{
    struct text out = {0};
    code_fold(value, strlen(value), &out, NULL);
    text_append(&out, "%s", "");
    return out.bytes;
}

/* Adds a fact to the hash, unless its value equals the default. So a new fact in the table does not
 * change the hashes of existing kernels. */
static uint64_t hash_fact(uint64_t hash, const struct field *f, const struct fact *fact)
{
    char *value = folded(fact->value), *fallback = folded(f->fallback ? f->fallback : "");
    if (strcmp(value, fallback) != 0)
        hash = hash_text(hash_text(hash, f->name), value);
    free(value);
    free(fallback);
    return hash;
}

uint64_t kernel_hash(const char *code, size_t length, const struct fact_list *list)
{
    struct text text = {0};
    uint64_t hash = HASH_START;
    for (const struct field *f = kernel_facts; f->name; f++)
        for (size_t i = 0; !(f->flags & DESCRIBES) && i < list->facts.count; i++)
            /* Old files use the fact's former name. */
            if (strcmp(list->facts.items[i].key, f->name) == 0 ||
                (f->was && strcmp(list->facts.items[i].key, f->was) == 0))
                hash = hash_fact(hash, f, &list->facts.items[i]);
    code_fold(code, length, &text, NULL);
    hash = hash_bytes(hash, text.bytes, text.length);
    text_free(&text);
    return hash;
}

bool kernel_read_facts(struct kernel *k, const char *path, const struct fact_list *list,
                       struct error *e)
{
    struct fact_reading reading = {.kernel = k, .path = path, .e = e};
    return read_each(&reading, list) && check_names(&reading) && check_elements(&reading) &&
           check_bits(&reading);
}
