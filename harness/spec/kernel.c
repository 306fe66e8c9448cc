/*
 * Makes a kernel from its file: reads the facts (kernel_facts.c), and then checks the kernel's
 * name, the file's extension and the entry function, which depend on several facts.
 */
#include "spec/kernel.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "spec/device_part.h"
#include "spec/kernel_facts.h"
#include "spec/kernel_names.h"

/* Macros of redsweep whose names a source file in the fact `code` may use for something else. */
static const char *const own_macros[] = {"BLOCK", "UNROLL"};

static bool is_passed(const struct kernel *k, const char *macro)
{
    bool stated = strcmp(macro, "BLOCK") == 0 ? k->block_constant : k->unrolls.count > 0;
    return stated && !(k->entry && strstr(k->entry, macro));
}

/*
 * Uses the device part of the file that the fact `code` names as the kernel's code. Names such as
 * UNROLL are common template parameters (template <int UNROLL>). So BLOCK and UNROLL are macros in
 * this code only if a fact states them and the fact `entry` does not contain them.
 */
static bool read_code_file(struct kernel *k, struct error *e)
{
    struct text text = {0}, behind = {0};
    const char *slash = strrchr(k->path, '/');
    bool beside = slash && k->code_file[0] != '/';
    char *path =
        xasprintf("%.*s%s", beside ? (int)(slash + 1 - k->path) : 0, k->path, k->code_file);
    for (size_t i = 0; i < sizeof own_macros / sizeof own_macros[0]; i++) {
        const char *name = own_macros[i];
        if (is_passed(k, name))
            continue;
        text_append(&text, "#ifdef %s\nconstexpr int redsweep_%s = %s;\n#undef %s\n#endif\n", name,
                    name, name, name);
        text_append(&behind, "#undef %s\n#define %s redsweep_%s\n", name, name, name);
    }
    bool ok = device_part(path, k->code_file, &text, e) || error_prefix(e, "%s: code", k->path);
    text_append(&text, "%s", behind.bytes ? behind.bytes : "");
    /* The header is included after the file's own code, which may define the same names. */
    if (k->entry && strstr(k->entry, "element"))
        text_append(&text, "#include \"common.cuh\"\n");
    text_free(&behind);
    free(path);
    free(k->code);
    k->code = text.bytes;
    k->code_length = text.length;
    return ok;
}

/* Checks that the file's extension, which selects the compiler, matches the backend. */
static bool check_ending(const struct kernel *k, struct error *e)
{
    size_t length = strlen(k->path);
    bool facts_file = length > 6 && strcmp(k->path + length - 6, ".facts") == 0;
    if (facts_file != (k->code_file != NULL))
        return FAIL(e, ERROR_CONFIG,
                    "%s: a .facts file must have the fact \"code:\", which names the file with the "
                    "code; other files must not have it",
                    k->path);
    bool host_file = length > 2 && strcmp(k->path + length - 2, ".c") == 0;
    if (host_file == (k->backend == BACKEND_CPU))
        return true;
    return FAIL(e, ERROR_CONFIG,
                "%s: the file extension contradicts the fact \"backend:\"; a CPU kernel is a .c "
                "file with the fact \"backend: cpu\", and a GPU kernel is a .cu file without it",
                k->path);
}

/* Checks that the name contains no control characters, because it appears in messages, tables and
 * code. */
static bool check_name(const struct kernel *k, struct error *e)
{
    for (const char *c = k->name; *c; c++)
        if (iscntrl((unsigned char)*c))
            return FAIL(e, ERROR_CONFIG,
                        "%s: the file's name contains a control character; rename the kernel",
                        k->path);
    return true;
}

static bool check_code(const struct kernel *k, const char *code, struct error *e)
{
    bool host = k->backend == BACKEND_CPU;
    /* The linker checks the entry of a library, and the compiler checks an entry that a fact
     * names. */
    if (host ? code_has_host_entry(code, k->name)
             : k->library || k->entry || code_has_entry(code, k->name))
        return true;
    return FAIL(e, ERROR_CONFIG,
                "%s: the code contains no function with the kernel's name; write %svoid %s(element "
                "*input, …)%s",
                k->path, host ? "" : "extern \"C\" __global__ ", k->name,
                host ? "" : ", or name a __global__ function in the fact \"entry:\"");
}

bool kernel_parse(const char *path, const char *code, size_t length, struct kernel **out,
                  struct error *e)
{
    struct fact_list list = {0};
    *out = NULL;
    if (length > KERNEL_MAX_BYTES)
        return FAIL(e, ERROR_CONFIG,
                    "%s: the file has %zu bytes, but a kernel's file may have at most %d (1 MiB); "
                    "is this the right file?",
                    path, length, KERNEL_MAX_BYTES);
    struct kernel *k = xcalloc(1, sizeof *k);
    k->path = xstrdup(path);
    k->code = xmalloc(length + 1);
    memcpy(k->code, code, length);
    k->code[length] = '\0';
    k->code_length = length;
    bool ok = facts_split(path, code, length, &list, e) && kernel_read_facts(k, path, &list, e) &&
              check_name(k, e) && check_ending(k, e) && (!k->code_file || read_code_file(k, e)) &&
              check_code(k, k->code + (k->code_file ? 0 : list.code_begins), e);
    if (ok)
        k->code_hash = kernel_hash(k->code, k->code_length, &list);
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
    for (int i = 0; i < k->where_count; i++) {
        free(k->wheres[i].name);
        expr_free(k->wheres[i].value);
    }
    for (int i = 0; i < k->cost_count; i++)
        expr_free(k->costs[i].value);
    for (int i = 0; i < k->parameter_count; i++)
        expr_free(k->parameters[i].value);
    for (int i = 0; i < k->tunable_count; i++)
        free(k->tunables[i].name);
    free(k->name);
    free(k->path);
    free(k->family);
    free(k->code_file);
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
