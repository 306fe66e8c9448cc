/*
 * A kernel from its file: the facts are read (kernel_facts.c), then what needs all of them is
 * checked: the file's ending, the entry function.
 */
#include "spec/kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "spec/kernel_facts.h"
#include "spec/kernel_names.h"

/* A file's ending says who compiles it, so it must agree with the backend. */
static bool check_ending(const struct kernel *k, struct error *e)
{
    size_t length = strlen(k->path);
    bool host_file = length > 2 && strcmp(k->path + length - 2, ".c") == 0;
    if (host_file == (k->backend == BACKEND_CPU))
        return true;
    return FAIL(e, ERROR_CONFIG,
                "%s: a kernel for the CPU is in a file that ends in .c and has the fact "
                "\"backend: cpu\"; one for the GPU ends in .cu and does not have it",
                k->path);
}

/* Names go into messages, tables and code. */
static bool check_name(const struct kernel *k, struct error *e)
{
    for (const char *c = k->name; *c; c++)
        if (iscntrl((unsigned char)*c))
            return FAIL(e, ERROR_CONFIG,
                        "%s: the file's name has a control character; rename the kernel", k->path);
    return true;
}

static bool check_code(const struct kernel *k, const char *code, struct error *e)
{
    bool host = k->backend == BACKEND_CPU;
    if (host ? code_has_host_entry(code, k->name)
             : k->library || k->entry || code_has_entry(code, k->name))
        return true; /* a library: the linker will say; another entry: the compiler will */
    return FAIL(e, ERROR_CONFIG,
                "%s: the code has no function with the kernel's name; expected %svoid %s(element "
                "*input, …)%s",
                k->path, host ? "" : "extern \"C\" __global__ ", k->name,
                host ? "" : ", or the fact \"entry:\" with the name of a __global__ function");
}

bool kernel_parse(const char *path, const char *code, size_t length, struct kernel **out,
                  struct error *e)
{
    struct fact_list list = {0};
    *out = NULL;
    if (length > KERNEL_MAX_BYTES)
        return FAIL(e, ERROR_CONFIG,
                    "%s: the file has %zu bytes; a kernel's file may have at most %d (1 MiB)", path,
                    length, KERNEL_MAX_BYTES);
    struct kernel *k = xcalloc(1, sizeof *k);
    k->path = xstrdup(path);
    k->code = xmalloc(length + 1);
    memcpy(k->code, code, length);
    k->code[length] = '\0';
    k->code_length = length;
    bool ok = facts_split(path, code, length, &list, e) && kernel_read_facts(k, path, &list, e) &&
              check_name(k, e) && check_ending(k, e) &&
              check_code(k, k->code + list.code_begins, e);
    if (ok)
        k->code_hash = kernel_hash(code, length, &list);
    if (ok)
        source_names(k->source, &k->aliases, &k->alias_count);
    facts_free(&list);
    if (ok)
        *out = k;
    else
        kernel_free(k);
    return ok;
}

bool kernel_matches(const struct kernel *k, const char *pattern)
{
    bool found = text_glob_match(pattern, k->name);
    for (int i = 0; !found && i < k->alias_count; i++)
        found = text_glob_match(pattern, k->aliases[i]);
    return found;
}

bool kernel_supports(const struct kernel *k, enum element_type type, enum operation op)
{
    return k->types[type] && k->ops[op] && operation_allows(op, type);
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
    for (int i = 0; i < k->parameter_count; i++)
        expr_free(k->parameters[i].value);
    for (int i = 0; i < k->tunable_count; i++)
        free(k->tunables[i].name);
    free(k->name);
    free(k->path);
    free(k->family);
    free(k->idea);
    free(k->source);
    for (int i = 0; i < k->alias_count; i++)
        free(k->aliases[i]);
    free(k->aliases);
    free(k->racy);
    free(k->role);
    free(k->library);
    free(k->entry);
    free(k->code);
    free(k);
}
