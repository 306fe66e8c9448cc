/*
 * A kernel from its file: the facts are read (kernel_facts.c), then what needs all of them is
 * checked: the names in expressions, the file's ending, the entry function.
 */
#include "plan/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plan/kernel_facts.h"
#include "plan/kernel_names.h"
#include "plan/workload.h"

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

static bool check_expressions(struct fact_reading *r)
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
        refuse_fact(
            r,
            "the name %s is not known here; allowed are %s and every tunable that the facts "
            "declare",
            c.unknown, names.failed ? "" : names.bytes);
        text_free(&names);
        return false;
    }
    return true;
}

/* A file's ending says who compiles it, so it must agree with the backend. */
static bool check_ending(struct fact_reading *r)
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

static bool check_code(struct fact_reading *r, const char *code)
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

static bool fill(struct fact_reading *r, const char *code, size_t length, struct fact_list *list)
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
    struct fact_reading r = {.kernel = k, .path = path, .e = e};
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
