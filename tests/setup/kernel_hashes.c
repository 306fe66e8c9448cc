/*
 * Tells setup/rename_hashes.sh about kernels and runs. Needs no GPU.
 *
 *   kernel_hashes list RUN…
 *       Prints a line for each kernel of each run: the run's folder, the kernel, its file, its
 *       source_hash, the program's git commit (- if unknown), the backend and the compute
 *       capability.
 *   kernel_hashes texts FILE…
 *       Prints three hashes of each kernel file: the one that redsweep 0.1.0 gave its text (of all
 *       bytes), the one that 0.2.0 gave it (without the lines of the fact `default`), and today's.
 *   kernel_hashes compare NEW OLD SUPPORT KERNEL KIND CC MOST RESULTS.csv…
 *       Compiles the variants of KERNEL that these rows have: at most MOST of them, evenly spaced
 *       in the list, or all of them if MOST is 0. Compiles each twice:
 *       from the folder NEW, with headers from kernels/, and from the file OLD, whose headers are
 *       in its folder and in SUPPORT. KIND is cuda or sim. It prints a verdict, the number of
 *       variants, how many were compiled, how many of these differ, and today's hash of NEW's text.
 *       The facts `requires` decide which points exist, and not how a point is compiled, launched
 *       or checked. They may differ if today's facts allow every point of the rows. The verdicts
 *       are: equal; differs; facts (if facts that matter differ); uncompiled (if the old text is
 *       refused today); host (if the code runs on the host and has no image); gone (if NEW has no
 *       such kernel); none (if no row has code).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/axes.h"
#include "base/file.h"
#include "base/host.h"
#include "compile/compile.h"
#include "compile/image_code.h"
#include "plan/shape.h"
#include "record/manifest.h"
#include "spec/facts.h"
#include "spec/kernel_facts.h"
#include "table/table.h"
#include "../table/cells.h"

static struct error e;

static int fail(void)
{
    fprintf(stderr, "kernel_hashes: %s\n", e.text);
    return 2;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static int list_runs(char **folders)
{
    for (; *folders; folders++) {
        struct manifest m;
        char commit[64] = "-";
        if (!manifest_read(*folders, &m, NULL, &e))
            return fail();
        const struct provenance *p = &m.provenance;
        int major = 0, minor = 0;
        (void)sscanf(p->redsweep, "%*s (%12[0-9a-f]", commit);
        (void)sscanf(p->device.compute_capability, "%d.%d", &major, &minor);
        for (size_t i = 0; i < p->kernels.count; i++)
            printf("%s\t%s\t%s\t%s\t%s\t%s\t%d\n", *folders, p->kernels.items[i].name,
                   p->kernels.items[i].file, p->kernels.items[i].source_hash, commit,
                   p->device.backend, 10 * major + minor);
        manifest_free(&m);
    }
    return 0;
}

/* ---- Texts ----------------------------------------------------------------------------------- */

/* Returns the hash that redsweep 0.2.0 gave a kernel's text. It included comments, but not the
 * lines of the fact `default`. */
static uint64_t hash_of_0_2(const char *text, size_t length, const struct fact_list *list)
{
    uint64_t hash = HASH_START;
    size_t fact = 0;
    int line = 1;
    for (const char *p = text, *end = text + length; p < end; line++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p)),
                   *next = newline ? newline + 1 : end;
        while (fact < list->facts.count && (list->facts.items[fact].line < line ||
                                            strcmp(list->facts.items[fact].key, "default") != 0))
            fact++;
        if (fact == list->facts.count || list->facts.items[fact].line != line)
            hash = hash_bytes(hash, p, (size_t)(next - p));
        p = next;
    }
    return hash;
}

static int hash_texts(char **files)
{
    for (; *files; files++) {
        char *text;
        size_t length;
        struct fact_list list;
        if (!file_read(*files, KERNEL_MAX_BYTES, &text, &length, &e))
            return fail();
        if (facts_split(*files, text, length, &list, &e)) {
            printf("%s\t%016" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64 "\n", *files,
                   hash_bytes(HASH_START, text, length), hash_of_0_2(text, length, &list),
                   kernel_hash(text, length, &list));
            facts_free(&list);
        }
        free(text);
    }
    return 0;
}

/* ---- Images ---------------------------------------------------------------------------------- */

typedef VEC(struct variant) variants;

static bool has_code(const char *status)
{
    static const char *const without[] = {"skipped", "compile_error", "unsupported"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (strcmp(status, without[i]) == 0)
            return false;
    return true;
}

/* Returns false if the kernel has a tunable today that the row has no value for, or if its facts
 * `requires` rule out the point. */
static bool variant_of_row(const struct table *t, size_t row, const struct kernel *k, int sms,
                           struct variant *v)
{
#define CELL(name) table_cell(t, row, table_column(t, name))
    enum element_type type = 0;
    enum operation op = 0;
    while (type < TYPE_COUNT && strcmp(CELL("type"), element_type_name(type)) != 0)
        type++;
    while (op < OP_COUNT && strcmp(CELL("op"), operation_name(op)) != 0)
        op++;
    if (type == TYPE_COUNT || op == OP_COUNT)
        return false;
    *v = (struct variant){.block = k->block_constant ? atoi(CELL("block")) : 0,
                          .unroll = atoi(CELL("unroll")),
                          .type = (uint8_t)type,
                          .op = (uint8_t)op,
                          .wide = table_number(t, row, table_column(t, "n")) > 2147483648.0};
    for (int i = 0; i < k->tunable_count; i++) {
        char column[80] = "t_";
        for (size_t c = 0; k->tunables[i].name[c] && c < 60; c++)
            column[2 + c] =
                (char)(k->tunables[i].name[c] |
                       ('A' <= k->tunables[i].name[c] && k->tunables[i].name[c] <= 'Z' ? 32 : 0));
        int at = table_column(t, column);
        /* redsweep 0.1.0 wrote these columns' names without the prefix t_. */
        const char *cell = table_cell(t, row, at < 0 ? table_column(t, column + 2) : at);
        if (!*cell)
            return false;
        v->tunables[i] = atoi(cell);
    }
    const char *inner = CELL("inner");
    struct point p = {.n = (uint64_t)atoll(CELL("n")),
                      .row_length = (uint64_t)atoll(CELL("row_length")),
                      .inner = *inner ? (uint64_t)atoll(inner) : 1,
                      .block = (uint16_t)atoi(CELL("block")),
                      .unroll = v->unroll,
                      .type = v->type,
                      .op = v->op,
                      .offset = (uint8_t)atoi(CELL("offset"))};
    memcpy(p.tunables, v->tunables, sizeof p.tunables);
    struct combination c = combination_of(k, &p, sms);
    struct text reason = {0};
    bool allowed = shape_skip_reason(&c, NULL, &reason, &e) && !reason.length;
    text_free(&reason);
    return allowed;
#undef CELL
}

/* Returns how many multiprocessors the GPU had that made the run with this results.csv. */
static bool read_sms(const char *results, int *sms)
{
    char folder[4096];
    struct manifest m;
    const char *slash = strrchr(results, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - results) : 1,
             slash ? results : ".");
    if (!manifest_read(folder, &m, NULL, &e))
        return false;
    *sms = m.provenance.device.multiprocessors;
    manifest_free(&m);
    return true;
}

static bool add_variants(const char *path, const struct kernel *k, const char *backend,
                         variants *list, bool *comparable)
{
    struct table t;
    int sms;
    if (!read_sms(path, &sms) || !table_read(path, &t, &e))
        return false;
    for (size_t row = 0; row < t.row_count; row++) {
        struct variant v;
        if (strcmp(table_cell(&t, row, table_column(&t, "kernel")), k->name) != 0 ||
            strcmp(table_cell(&t, row, table_column(&t, "backend")), backend) != 0 ||
            !has_code(table_cell(&t, row, table_column(&t, "status"))))
            continue;
        if (!variant_of_row(&t, row, k, sms, &v)) {
            *comparable = false;
            continue;
        }
        size_t i = 0;
        while (i < list->count && !variant_same(&list->items[i], &v))
            i++;
        if (i == list->count)
            vec_push(list, v);
    }
    table_free(&t);
    return true;
}

static bool compile_all(const struct kernel *k, const char *support, const variants *list,
                        const struct compile_target *target, struct compiled *out)
{
    struct compiler *compiler;
    struct kernel *kernels[] = {(struct kernel *)k};
    struct catalogue catalogue = {kernels, 1};
    if (!compiler_open(NULL, support, &compiler, &e))
        return false;
    compile_many(compiler, &catalogue, list->items, (uint32_t)list->count, target,
                 host_processors(COMPILE_THREADS), NULL, NULL, out);
    compiler_close(compiler);
    return true;
}

/* Returns the hash of all facts that affect the kernel, except `requires`. */
static uint64_t hash_facts(const struct fact_list *list)
{
    struct fact_list others = {0};
    for (size_t i = 0; i < list->facts.count; i++)
        if (strcmp(list->facts.items[i].key, "requires") != 0)
            vec_push(&others.facts, list->facts.items[i]);
    uint64_t hash = kernel_hash("", 0, &others);
    vec_free(&others.facts);
    return hash;
}

static bool same_facts(const struct kernel *a, const char *b, size_t b_length)
{
    struct fact_list x, y;
    if (!facts_split(a->path, a->code, a->code_length, &x, &e))
        return false;
    bool same = facts_split("", b, b_length, &y, &e) && hash_facts(&x) == hash_facts(&y);
    facts_free(&x);
    facts_free(&y);
    return same;
}

static const char *compare_images(const struct kernel *now, const struct kernel *then,
                                  const char *support, const variants *list,
                                  const struct compile_target *target, size_t *differing)
{
    struct compiled *a = xcalloc(list->count, sizeof *a), *b = xcalloc(list->count, sizeof *b);
    bool refused = false;
    if (!compile_all(now, "kernels", list, target, a) ||
        !compile_all(then, support, list, target, b))
        exit(fail());
    for (size_t i = 0; i < list->count; i++) {
        uint64_t x = 0, y = 0;
        refused = refused || a[i].error || b[i].error;
        *differing += a[i].error || b[i].error || !image_code(&a[i].image, &x) ||
                      !image_code(&b[i].image, &y) || x != y;
        compiled_free(&a[i]);
        compiled_free(&b[i]);
    }
    free(a);
    free(b);
    return refused ? "uncompiled" : *differing ? "differs" : "equal";
}

static int compare(char **arguments)
{
    const char *folder = arguments[0], *file = arguments[1], *support = arguments[2];
    const char *backend = arguments[4];
    struct catalogue kernels;
    struct compile_target target = {strcmp(backend, "sim") == 0 ? IMAGE_PTX : IMAGE_CUBIN,
                                    atoi(arguments[5])};
    size_t most = (size_t)atoi(arguments[6]), found = 0, differing = 0;
    variants list = {0};
    bool comparable = true;
    if (!catalogue_read(&folder, 1, &kernels, &e))
        return fail();
    const struct kernel *now = catalogue_find(&kernels, arguments[3]);
    const char *verdict = !now                                          ? "gone"
                          : now->library || now->backend == BACKEND_CPU ? "host"
                                                                        : NULL;
    struct kernel then = now ? *now : (struct kernel){0};
    if (!file_read(file, KERNEL_MAX_BYTES, &then.code, &then.code_length, &e))
        return fail();
    then.path = (char *)file;
    if (!verdict && !same_facts(now, then.code, then.code_length))
        verdict = "facts";
    for (char **path = arguments + 7; !verdict && *path; path++)
        if (!add_variants(*path, now, backend, &list, &comparable))
            return fail();
    found = list.count;
    if (most && list.count > most) {
        for (size_t i = 0; i < most; i++)
            list.items[i] = list.items[i * found / most];
        list.count = most;
    }
    if (!verdict)
        verdict = !comparable ? "facts"
                  : list.count == 0
                      ? "none"
                      : compare_images(now, &then, support, &list, &target, &differing);
    printf("%s\t%zu\t%zu\t%zu\t%016" PRIx64 "\n", verdict, found, list.count, differing,
           now ? now->code_hash : 0);
    vec_free(&list);
    free(then.code);
    catalogue_free(&kernels);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "list") == 0)
        return list_runs(argv + 2);
    if (argc > 2 && strcmp(argv[1], "texts") == 0)
        return hash_texts(argv + 2);
    if (argc > 9 && strcmp(argv[1], "compare") == 0)
        return compare(argv + 2);
    fprintf(stderr, "usage: kernel_hashes list RUN… | texts FILE… | compare NEW OLD SUPPORT KERNEL "
                    "KIND CC MOST RESULTS.csv…\n");
    return 2;
}
