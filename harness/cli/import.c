/*
 * `redsweep import` writes the facts of a kernel to a file of their own, NAME.facts. The author's
 * file stays unchanged.
 *
 * Some facts follow from the kernel's signature (signature.h), others from trying the kernel on the
 * simulator (import_trial.h). For any other fact, the command asks the user at the terminal.
 * Without a terminal, it fails with a message that names the option for the fact.
 */
#include "cli/commands.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/element.h"
#include "base/file.h"
#include "base/options.h"
#include "base/program.h"
#include "base/transfer.h"
#include "cli/import_trial.h"
#include "spec/device_part.h"
#include "spec/kernel.h"
#include "spec/signature.h"

struct import_arguments {
    const char *name;
    int size;
    named_values parameters, templates, facts;
};

#define AT(member) .offset = offsetof(struct import_arguments, member)

/*
 * Reads an option such as --fact.KEY VALUE, whose name ends with a part that the user chooses.
 * Stores this part (KEY) and the value.
 */
static bool take_named(const struct reading *r, const struct field *f, const struct field_path *at,
                       const cJSON *value)
{
    (void)at;
    named_values *list = field_member(r, f->offset);
    vec_push(list, (struct named_value){xstrdup(strchr(r->prefix, '.') + 1),
                                        xstrdup(value->valuestring)});
    return true;
}

static const struct field options[] = {
    {"--name", NULL, field_argument, AT(name),
     HELP("NAME", "the kernel's name in redsweep (default: the function's name in lower case)")},
    {"--size", "0", field_int, AT(size), RANGE(0, 1 << 30),
     HELP("N", "the only number of elements that the kernel supports, if n is a constant in the "
               "file; 0 means any number")},
    {"--parameter.", NULL, take_named, AT(parameters),
     HELP("NAME VALUE", "the argument to pass for a parameter: input, output, second, workspace, a "
                        "number or an expression")},
    {"--template.", NULL, take_named, AT(templates),
     HELP("NAME VALUE", "the argument for a template parameter")},
    {"--fact.", NULL, take_named, AT(facts),
     HELP("KEY VALUE", "state a fact that the import would otherwise find by trial runs, such as "
                       "--fact.covers '4 * BLOCK'")},
    {0}};

void help_import(void)
{
    printf(
        "Reads FILE.cu as its author wrote it, with host code and main, and writes NAME.facts\n"
        "beside it. The facts state the kernel's arguments, how many elements a block covers,\n"
        "whether the kernel writes one value or one per block, whether it overwrites its input,\n"
        "and which sizes and blocks it supports. The import takes facts from\n"
        "the signature, finds others in trial runs on the simulator, and asks for the rest unless\n"
        "options state them. KERNEL is required if the file contains several kernels.\n"
        "\n");
    options_print(options);
    printf("\n"
           "Then `redsweep run --kernels NAME --kernel-folder NAME.facts` sweeps the kernel.\n"
           "docs/kernels.md explains the facts.\n");
}

/* ---- Words ------------------------------------------------------------------------------------ */

static bool has_part(const char *name, const char *const *parts)
{
    char lower[128];
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof lower; n++)
        lower[n] = (char)tolower((unsigned char)name[n]);
    lower[n] = '\0';
    for (; *parts; parts++)
        if (strstr(lower, *parts))
            return true;
    return false;
}

static bool is_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strcasecmp(name, *words) == 0)
            return true;
    return false;
}

static const char *const output_parts[] = {"out", "odata",   "result", "res", "sum",
                                           "dst", "partial", "total",  "ans", NULL};
static const char *const input_parts[] = {"in", "idata", "src", "data", "arr", NULL};
static const char *const counter_parts[] = {"count",  "ticket",    "mutex",   "lock", "flag",
                                            "retire", "workspace", "scratch", NULL};
static const char *const block_parts[] = {"block", "thread", "tpb", NULL};
static const char *const output_names[] = {"y", "c", "r", NULL};

static bool is_output_name(const char *name)
{
    return is_one_of(name, output_names) || has_part(name, output_parts);
}

/* Returns a function's name in redsweep's style: "reduceUnrolling8" becomes "reduce_unrolling8". */
static char *plain_name(const char *function)
{
    struct text name = {0};
    for (const char *p = function; *p && name.length < 40; p++) {
        if (isupper((unsigned char)*p) && p > function && !isupper((unsigned char)p[-1]) &&
            p[-1] != '_')
            text_append(&name, "_");
        char c = (char)tolower((unsigned char)*p);
        text_append_bytes(&name, &c, 1);
    }
    return name.bytes;
}

struct scalar_type {
    const char *words[6], *fact, *most; /* `most` limits n */
};
static const struct scalar_type scalars[] = {
    {{"size_t", "unsigned long long", "uint64_t", "unsigned long", "ulong"}, "size_t", ""},
    {{"long long", "int64_t", "long", "long int", "ptrdiff_t"}, "long", ""},
    {{"unsigned", "unsigned int", "uint", "uint32_t"}, "unsigned", "N < 4294967296"},
    {{"int", "int32_t", "signed", "bool"}, "int", "N < 2147483648"},
    {{"float"}, "float", ""},
    {{"double"}, "double", ""},
};

/* Returns a type without its namespace: "std::size_t" becomes "size_t". */
static const char *without_namespace(const char *type)
{
    static const char *const spaces[] = {"cuda::", "::cuda::", "std::", "::std::", "::"};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (strncmp(type, spaces[i], strlen(spaces[i])) == 0)
            return without_namespace(type + strlen(spaces[i]));
    return type;
}

static const struct scalar_type *find_scalar(const char *type)
{
    type = without_namespace(type);
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++)
        for (const char *const *w = scalars[i].words; *w; w++)
            if (strcmp(type, *w) == 0)
                return &scalars[i];
    return NULL;
}

struct element_word {
    const char *words[5], *type;
};
static const struct element_word elements[] = {
    {{"int", "int32_t", "signed"}, "int32"},
    {{"unsigned", "unsigned int", "uint", "uint32_t"}, "uint32"},
    {{"long long", "int64_t", "long long int"}, "int64"},
    {{"unsigned long long", "uint64_t"}, "uint64"},
    {{"float"}, "float32"},
    {{"double"}, "float64"},
    {{"half", "__half"}, "float16"},
    {{"__nv_bfloat16", "nv_bfloat16"}, "bfloat16"},
    {{"char", "int8_t", "signed char"}, "int8"},
    {{"uint8_t", "unsigned char", "uchar"}, "uint8"},
};

static const char *find_element(const char *type)
{
    type = without_namespace(type);
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++)
        for (const char *const *w = elements[i].words; *w; w++)
            if (strcmp(type, *w) == 0)
                return elements[i].type;
    return NULL;
}

/* ---- The signature ---------------------------------------------------------------------------- */

struct importing {
    const struct import_arguments *a;
    const struct kernel_signature *s;
    struct import import;
    VEC(char *) asked; /* answers that the user typed, or that were found in the author's file */
    struct error *e;
};

/*
 * Asks the user for a fact that neither the signature nor a trial run shows. The returned text
 * stays valid until the import ends.
 */
static const char *ask(struct importing *g, const char *option, const char *name, const char *what)
{
    char line[256];
    if (isatty(0)) {
        fprintf(stderr, "%s %s? ", what, name);
        if (fgets(line, sizeof line, stdin)) {
            line[strcspn(line, "\n")] = '\0';
            if (*line) {
                vec_push(&g->asked, xstrdup(line));
                return g->asked.items[g->asked.count - 1];
            }
        }
    }
    FAIL(g->e, ERROR_USAGE, "%s, kernel %s: the import cannot find %s %s; state it with %s%s VALUE",
         g->import.file, g->import.function, what, name, option, name);
    return NULL;
}

/* Assigns a role to each pointer: the input, the output, the second vector or a workspace. */
static void assign_pointers(struct importing *g, const char **roles)
{
    const struct signature_parameter *p = g->s->parameters.items;
    size_t count = g->s->parameters.count, pointers[8], n = 0;
    for (size_t i = 0; i < count && n < 8; i++) {
        roles[i] = named_value(&g->a->parameters, p[i].name);
        if (!roles[i] && p[i].pointers && n > 1 && has_part(p[i].name, counter_parts))
            roles[i] = "workspace";
        if (p[i].pointers && !roles[i])
            pointers[n++] = i;
    }
    /*
     * A pointer to const is not the output. Of the other pointers, the first one with a typical
     * output name is the output. If there is none, the order of the parameters decides.
     */
    size_t output = n;
    for (size_t k = 0; k < n; k++) {
        const struct signature_parameter *q = &p[pointers[k]];
        if (!q->constant && is_output_name(q->name) && output == n)
            output = k;
    }
    for (size_t k = n; output == n && k-- > 0;) /* as in (float *max, float *input) */
        if (!p[pointers[k]].constant && !has_part(p[pointers[k]].name, input_parts))
            output = k;
    for (size_t k = n; output == n && k-- > 0;)
        if (!p[pointers[k]].constant &&
            !(n > 1 && k == 0 && has_part(p[pointers[k]].name, input_parts)))
            output = k;
    for (size_t k = 0, inputs = 0; k < n; k++) {
        if (k == output && n > 1)
            roles[pointers[k]] = "output";
        else
            roles[pointers[k]] = inputs++ == 0 ? "input" : inputs == 2 ? "second" : NULL;
    }
}

static bool read_parameters(struct importing *g)
{
    const struct kernel_signature *s = g->s;
    const char *roles[32] = {NULL};
    static const char *const kinds[] = {"input",           "output", "second", "workspace",
                                        "workspace_bytes", "n",      NULL};
    static const char *const sizes[] = {"n",   "size",     "len",   "length", "count",
                                        "num", "elements", "nelem", NULL};
    struct text list = {0};
    bool sized = false;
    if (s->parameters.count > 32)
        return FAIL(g->e, ERROR_CONFIG,
                    "%s: the kernel %s has more than 32 parameters; pass some of them in a struct",
                    g->import.file, s->name);
    assign_pointers(g, roles);
    size_t integers = 0;
    for (size_t i = 0; i < s->parameters.count; i++)
        integers +=
            !s->parameters.items[i].pointers && strcmp(s->parameters.items[i].type, "bool") != 0;
    for (size_t i = 0; i < s->parameters.count; i++) {
        const struct signature_parameter *p = &s->parameters.items[i];
        const struct scalar_type *type = find_scalar(p->type);
        const char *role = roles[i];
        if (!role && !p->pointers && !sized && type &&
            (integers == 1 || has_part(p->name, sizes))) {
            role = "N";
            sized = true;
            g->import.range = xstrdup(type->most);
        }
        if (!role && !(role = ask(g, "--parameter.", p->name, "the value of the parameter")))
            return text_free(&list), false;
        text_append(&list, "%s", list.length ? " " : "");
        bool kind = false;
        for (const char *const *k = kinds; *k; k++)
            kind = kind || strcmp(role, *k) == 0; /* all other roles are expressions */
        if (kind)
            text_append(&list, "%s", role);
        else if (type)
            text_append(&list, "%s(%s)", type->fact, role);
        else
            text_append(&list, "element(%s)", role);
        if (strcmp(role, "input") == 0)
            g->import.constant_input = p->constant;
    }
    g->import.parameters = list.bytes ? list.bytes : xstrdup("");
    return true;
}

/*
 * Returns the number that the author's file passes for a template parameter when it launches the
 * kernel, such as 20 in sum<512, 20><<<…. Returns NULL if there is no such number.
 */
static const char *launched_with(struct importing *g, size_t parameter)
{
    enum { MOST_BYTES = 1 << 24 };
    struct error none = {0};
    char *all;
    const char *found = NULL;
    size_t length = strlen(g->s->name);
    if (!file_read(g->import.absolute, MOST_BYTES, &all, NULL, &none))
        return NULL;
    for (const char *p = all; !found && (p = strstr(p, g->s->name)); p += length) {
        const char *at = p + length + 1, *close = strchr(p, '>');
        if ((p > all && (isalnum((unsigned char)p[-1]) || p[-1] == '_')) || p[length] != '<' ||
            !close || strncmp(close + 1, "<<<", 3) != 0)
            continue;
        for (size_t i = 0; i < parameter && at < close; i++)
            at += strcspn(at, ",>") + 1;
        at += at < close ? strspn(at, " ") : 0;
        size_t digits = at < close ? strspn(at, "0123456789") : 0;
        if (digits > 0 && strchr(",> ", at[digits])) {
            vec_push(&g->asked, xstrndup(at, digits));
            found = g->asked.items[g->asked.count - 1];
        }
    }
    free(all);
    return found;
}

/* Finds the kernel's name with its template arguments, such as reduce6<element, BLOCK, false>. */
static bool read_entry(struct importing *g)
{
    const struct kernel_signature *s = g->s;
    struct text entry = {0};
    text_append(&entry, "%s", s->name);
    bool open = false;
    for (size_t i = 0; i < s->template_parameters.count; i++) {
        const struct signature_parameter *p = &s->template_parameters.items[i];
        bool type = strncmp(p->type, "typename", 8) == 0 || strncmp(p->type, "class", 5) == 0;
        const char *value = named_value(&g->a->templates, p->name);
        bool block = !type && has_part(p->name, block_parts);
        if (!value && type && i == 0) {
            value = "element";
            g->import.template_type = true;
        } else if (!value && block) {
            value = "BLOCK";
        } else if (!value && strcmp(p->type, "bool") == 0) {
            value = "false";
        } else if (!value && p->has_default) {
            break; /* the parameters after this one have defaults, too */
        }
        if (!value && !type)
            value = launched_with(g, i);
        if (value && !type && !block)
            g->import.items = atoi(value);
        if (!value &&
            !(value = ask(g, "--template.", p->name, "the argument for the template parameter")))
            return text_free(&entry), false;
        g->import.block_constant = g->import.block_constant || strstr(value, "BLOCK") != NULL;
        text_append(&entry, "%s%s", open ? ", " : "<", value);
        open = true;
    }
    text_append(&entry, "%s", open ? ">" : "");
    g->import.entry = entry.bytes;
    return true;
}

static bool read_types(struct importing *g)
{
    const struct signature_parameter *input = NULL;
    for (size_t i = 0; i < g->s->parameters.count; i++) {
        const struct signature_parameter *p = &g->s->parameters.items[i];
        const char *role = named_value(&g->a->parameters, p->name);
        if (p->pointers && (!input || (role && strcmp(role, "input") == 0)))
            input = p;
    }
    const char *element = input ? find_element(input->type) : NULL;
    const char *stated = named_value(&g->a->facts, "types");
    if (g->import.template_type)
        element = "int32 uint32 int64 uint64 float32 float64";
    else if (!element && !stated &&
             !(element = ask(g, "--fact.", "types", "the element type for the fact")))
        return false;
    static const char *const maxima[] = {"max", NULL}, *const minima[] = {"min", NULL};
    g->import.types = xstrdup(element ? element : stated);
    g->import.ops =
        xstrdup(strstr(g->import.parameters, "second")                             ? "dot"
                : has_part(g->import.file, maxima) || has_part(g->s->name, maxima) ? "max"
                : has_part(g->s->name, minima)                                     ? "min"
                                                                                   : "sum");
    return true;
}

/*
 * Returns the block size that the text defines, or 0. This is the first plausible value of a
 * constant whose name is about blocks or threads, as in #define BLOCK_SIZE 128.
 */
static int stated_block(const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char name[64];
        int value = 0;
        if ((sscanf(line, " # define %63[A-Za-z0-9_] %d", name, &value) == 2 ||
             sscanf(line, " const int %63[A-Za-z0-9_] = %d", name, &value) == 2 ||
             sscanf(line, " constexpr int %63[A-Za-z0-9_] = %d", name, &value) == 2) &&
            has_part(name, block_parts) && value >= 32 && value <= 1024 &&
            (value & (value - 1)) == 0)
            return value;
    }
    return 0;
}

static const struct kernel_signature *choose(const char *file, const signature_list *list,
                                             const char *kernel, struct error *e)
{
    struct text names = {0};
    const struct kernel_signature *found = NULL;
    for (size_t i = 0; i < list->count; i++) {
        text_append(&names, "%s%s", i ? ", " : "", list->items[i].name);
        if (kernel ? strcmp(list->items[i].name, kernel) == 0 : list->count == 1)
            found = &list->items[i];
    }
    if (!found && list->count == 0)
        FAIL(e, ERROR_CONFIG, "%s contains no kernel; a kernel is a function with __global__",
             file);
    else if (!found && kernel)
        FAIL(e, ERROR_USAGE, "%s contains no kernel %s; choose one of %s", file, kernel,
             names.bytes);
    else if (!found)
        FAIL(e, ERROR_USAGE,
             "%s contains several kernels; choose one, and write its name after the file: %s", file,
             names.bytes);
    text_free(&names);
    return found;
}

/* ---- The command ------------------------------------------------------------------------------ */

static bool write_facts(const struct import *i, char path[PATH_MAX], struct error *e)
{
    struct text text = {0};
    const char *slash = strrchr(i->file, '/');
    snprintf(path, PATH_MAX, "%.*s%s.facts", slash ? (int)(slash + 1 - i->file) : 0, i->file,
             i->name);
    import_write_facts(i, &i->found, slash ? slash + 1 : i->file, &text);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool ok = file >= 0 && write_exactly(file, text.bytes, text.length, NO_DEADLINE);
    ok = (file < 0 || close(file) == 0) && ok;
    if (!ok)
        FAIL(e, ERROR_SYSTEM, "%s: %s%s", path, strerror(errno),
             file < 0 && errno == EEXIST ? "; remove it, or choose another --name" : "");
    else
        printf("%s\n", text.bytes);
    text_free(&text);
    return ok;
}

/*
 * Overwrites all kernels of the file except `s` with spaces, because their code says nothing about
 * `s`.
 */
static void blank_others(struct text *part, const signature_list *list,
                         const struct kernel_signature *s)
{
    for (size_t k = 0; k < list->count; k++)
        if (&list->items[k] != s)
            memset(part->bytes + list->items[k].begin, ' ',
                   list->items[k].end - list->items[k].begin);
}

static bool import_kernel(struct importing *g, const struct text *part)
{
    struct import *i = &g->import;
    char path[PATH_MAX];
    i->function = g->s->name;
    i->name = g->a->name ? xstrdup(g->a->name) : plain_name(g->s->name);
    i->facts = &g->a->facts;
    i->size = g->a->size;
    i->shared = strstr(part->bytes, "extern __shared__") != NULL;
    i->atomics = strstr(part->bytes, "atomic") != NULL;
    i->strides = strstr(part->bytes, "gridDim") != NULL;
    i->block = stated_block(part->bytes);
    if (!read_parameters(g) || !read_entry(g) || !read_types(g) || !import_try(i, g->e) ||
        !write_facts(i, path, g->e))
        return false;
    printf("The import has written %s. To sweep the kernel, run\n\n  %s run --kernels %s "
           "--kernel-folder %s%s%.*s%s%s\n",
           path, program_name, i->name, path, strncmp(i->types, "int32", 5) == 0 ? "" : " --types ",
           strncmp(i->types, "int32", 5) == 0 ? 0 : (int)strcspn(i->types, " "), i->types,
           strcmp(i->ops, "sum") == 0 ? "" : " --ops ", strcmp(i->ops, "sum") == 0 ? "" : i->ops);
    return true;
}

static void free_import(struct importing *g)
{
    struct import *i = &g->import;
    char *const owned[] = {i->absolute, i->name,  i->entry,  i->parameters, i->types,
                           i->ops,      i->range, i->blocks, i->requires};
    for (size_t k = 0; k < sizeof owned / sizeof owned[0]; k++)
        free(owned[k]);
    for (size_t k = 0; k < g->asked.count; k++)
        free(g->asked.items[k]);
    vec_free(&g->asked);
}

static void free_named(named_values *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].value);
    }
    vec_free(list);
}

int command_import(int count, char **arguments, struct error *e)
{
    struct import_arguments a = {0};
    const char *given[2] = {NULL, NULL};
    struct operands operands = {.items = given, .max = 2};
    struct importing g = {.a = &a, .e = e};
    struct text part = {0};
    signature_list list = {0};
    bool ok =
        options_read(options, &a, count, arguments, &operands, e) &&
        (given[0] || FAIL(e, ERROR_USAGE,
                          "import needs a kernel's file; write redsweep import FILE.cu [KERNEL]"));
    if (ok) {
        g.import.file = given[0];
        g.import.absolute = realpath(given[0], NULL);
        ok = (g.import.absolute || FAIL(e, ERROR_USAGE, "%s: %s", given[0], strerror(errno))) &&
             device_part(given[0], given[0], &part, e);
    }
    if (ok) {
        signatures_read(part.bytes, &list);
        g.s = choose(given[0], &list, given[1], e);
        if (g.s)
            blank_others(&part, &list, g.s);
        ok = g.s && import_kernel(&g, &part);
    }
    free_import(&g);
    signatures_free(&list);
    text_free(&part);
    free_named(&a.parameters);
    free_named(&a.templates);
    free_named(&a.facts);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
