/*
 * redsweep tuned: the fastest configurations of a run as the sources of a library.
 */
#include "tuned/commands.h"
#include "base/options.h"
#include "spec/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/best.h"
#include "compile/compile.h"
#include "tuned/tuned.h"

enum { MOST_RUNS = 64 };

struct tuned_arguments {
    const char *out, *kernels;
    struct compile_limits limits;
};

#define AT(member) .offset = offsetof(struct tuned_arguments, member)

static const struct field options[] = {
    {"--out", "build/tuned", field_argument, AT(out), HELP("DIR", "output folder")},
    {"--kernel-folder", NULL, field_argument, AT(kernels),
     HELP("DIR", "an additional folder of kernels")},
    COMPILE_LIMIT_OPTIONS(struct tuned_arguments, limits),
    {0}};

void help_tuned(void)
{
    printf(
        "Chooses, for each type and operation of the runs (GPU, cold caches, complete), the\n"
        "configuration for each range of n, compiles them, and writes redsweep_tuned.h, a table\n"
        "with their code, and table.csv. `make tuned RUN=...` builds the library. Runs of GPUs of\n"
        "several compute capabilities make one library, which chooses when it is called: a GPU\n"
        "gets what was measured on the newest capability that is not newer than its own, as PTX\n"
        "where its major version differs.\n\n");
    options_print(options);
}

static bool write_library(const struct tuned *targets, size_t count, const char *kernel_folder,
                          const struct tuned_arguments *a, struct error *e)
{
    char cache[4096];
    struct compiler *compiler;
    find_cache_folder(cache, sizeof cache);
    if (!compiler_open(cache, kernel_folder, &compiler, e))
        return false;
    compiler_limit(compiler, a->limits.seconds, a->limits.mebibytes);
    bool ok = tuned_write(targets, count, compiler, a->out, e);
    compiler_close(compiler);
    return ok;
}

static void print_choice(const struct tuned *t, bool several)
{
    if (several)
        printf("%s, compute capability %d.%d:\n", t->device, t->cc / 10, t->cc % 10);
    for (size_t i = 0; i < t->function_count; i++)
        printf("reduce_%s_%s: %zu range%s\n", operation_name(t->functions[i].op),
               element_suffix(t->functions[i].type), t->functions[i].range_count,
               t->functions[i].range_count == 1 ? "" : "s");
    struct text excluded = {0};
    best_append_unresolved(t->unresolved, &excluded);
    if (excluded.length)
        printf("%s\n", excluded.bytes);
    text_free(&excluded);
}

static bool make_library(struct results *runs, size_t count, const struct tuned_arguments *a,
                         struct error *e)
{
    char kernel_folder[4096];
    struct catalogue kernels = {0}, support = {0};
    struct tuned targets[MOST_RUNS];
    size_t chosen = 0, done = 0;
    if (!find_kernel_folder(kernel_folder, sizeof kernel_folder, e) ||
        !read_catalogues(kernel_folder, &a->kernels, a->kernels != NULL, &kernels, &support, e))
        return false;
    bool ok = true;
    tuned_sort_runs(runs, count);
    for (size_t alike; ok && done < count; done += alike) {
        alike = tuned_alike(&runs[done], count - done);
        ok = tuned_choose(&runs[done], alike, &kernels, &targets[chosen], e);
        chosen += ok;
    }
    ok = ok && write_library(targets, chosen, kernel_folder, a, e);
    for (size_t i = 0; ok && i < chosen; i++)
        print_choice(&targets[i], chosen > 1);
    if (ok)
        printf("%s/table.csv\n", a->out);
    while (chosen > 0)
        tuned_free(&targets[--chosen]);
    catalogue_free(&kernels);
    catalogue_free(&support);
    return ok;
}

int command_tuned(int count, char **arguments, struct error *e)
{
    struct tuned_arguments a = {0};
    const char *paths[MOST_RUNS];
    struct operands operands = {.items = paths, .max = MOST_RUNS};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (operands.count == 0) {
        (void)FAIL(e, ERROR_USAGE, "tuned needs a run, for example results/latest");
        return EXIT_REFUSED;
    }
    struct results runs[MOST_RUNS];
    int read = 0;
    bool ok = true;
    while (ok && read < operands.count && (ok = results_read(paths[read], &runs[read], e)))
        read++;
    ok = ok && make_library(runs, (size_t)read, &a, e);
    while (read > 0)
        results_free(&runs[--read]);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
