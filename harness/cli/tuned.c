/* `redsweep tuned` writes the sources of a library that uses the fastest configurations of runs. */
#include "cli/commands.h"
#include "cli/tuned_wheel.h"
#include "base/options.h"
#include "spec/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/best.h"
#include "compile/compile.h"
#include "base/library.h"
#include "base/memory.h"
#include "record/output.h"
#include "run/commands.h"
#include "run/progress.h"
#include "tuned/pack.h"
#include "tuned/tuned.h"

enum { MOST_RUNS = 64 };

struct tuned_arguments {
    const char *out, *kernels, *prefix, *shapes, *device;
    bool invariant, wheel;
    struct compile_limits limits;
};

#define AT(member) .offset = offsetof(struct tuned_arguments, member)

static const struct field options[] = {
    {"--out", "build/tuned", field_argument, AT(out), HELP("DIR", "output folder")},
    {"--prefix", "redsweep", field_argument, AT(prefix),
     HELP("NAME", "the prefix for function, type and file names")},
    {"--kernel-folder", NULL, field_argument, AT(kernels),
     HELP("PATH", "another folder of kernels, or the file of one kernel")},
    {"--shapes", NULL, field_argument, AT(shapes),
     HELP("FILE", "first measure the shapes that your program uses; FILE has lines such as float32 "
                  "sum 4096x5120")},
    {"--device", NULL, field_argument, AT(device),
     HELP("NAME", "the device for --shapes (default: auto)")},
    {"--invariant", NULL, field_switch, AT(invariant),
     HELP(NULL, "give a row the same result, bit for bit, in every batch, by combining "
                "floats in an order that depends only on the type, the operation and the row "
                "length")},
    {"--wheel", NULL, field_switch, AT(wheel),
     HELP(NULL, "also build the Python package OUT/NAME_tuned-….whl for PyTorch, CuPy and JAX")},
    COMPILE_LIMIT_OPTIONS(struct tuned_arguments, limits),
    {0}};

void help_tuned(void)
{
    printf(
        "Chooses configurations for each type and operation of the runs: one for each range of n,\n"
        "and one for each measured shape of row reductions. Uses only times on a GPU, with cold\n"
        "caches and the scope complete. Compiles the configurations, and writes redsweep_tuned.h,\n"
        "a second header that contains their code, and table.csv, which lists the choices.\n"
        "`make tuned RUN=...` builds the library; with NAMES=mine its functions are called\n"
        "mine_sum_f32 ... and are declared in mine_tuned.h.\n"
        "\n"
        "Runs on GPUs of several compute capabilities yield a single library. On a GPU, the\n"
        "library uses the configurations that were measured at the GPU's own capability or, if\n"
        "there are none, at the newest older one. If that one has another major version than the\n"
        "GPU, the configurations are loaded as PTX.\n"
        "\n"
        "With --shapes FILE, the configurations of the runs first compete in a race on this\n"
        "machine, at the shapes that FILE lists. The run OUT-shapes records the race, and the\n"
        "library uses the winners.\n"
        "\n");
    options_print(options);
}

static void show_compiled(void *context, uint32_t done, uint32_t total)
{
    struct progress *p = context;
    if (p->total == 0)
        progress_start(p, "compiling", total, false);
    progress_show(p, done, "");
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
    struct progress progress = {0};
    char packer[LIBRARY_PATH_SIZE];
    if (!pack_find(packer))
        fputs("note: the library's code is not compressed, because the CUDA Toolkit's "
              "bin/fatbinary was not found\n",
              stderr);
    const struct tuned_output to = {a->prefix, a->out, packer, show_compiled, &progress};
    bool ok = tuned_write(targets, count, &to, compiler, e);
    progress_clear(&progress);
    compiler_close(compiler);
    return ok;
}

/* Returns how many different configurations a function of the library uses, without fallbacks. */
static size_t count_configurations(const struct tuned_function *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->range_count; i++) {
        size_t earlier = 0;
        while (earlier < i && !tuned_same_code(&f->ranges[earlier], &f->ranges[i]))
            earlier++;
        count += earlier == i && !f->ranges[i].fallback;
    }
    return count;
}

static void print_function(const struct tuned_function *f, const char *prefix)
{
    size_t measured = 0, configurations = count_configurations(f);
    for (size_t i = 0; i < f->range_count; i++)
        measured += !f->ranges[i].fallback && f->ranges[i].last > 0;
    if (f->invariant) {
        printf("%s_rows_%s_%s: %zu configuration%s, chosen by row length alone\n", prefix,
               operation_name(f->op), element_suffix(f->type), measured, measured == 1 ? "" : "s");
        return;
    }
    printf("%s_%s%s_%s%s: %zu %s%s, %zu configuration%s\n", prefix, tuned_over_name(f->over),
           operation_name(f->op), element_suffix(f->type), f->exact ? "_exact" : "", measured,
           f->over ? "shape" : "range", measured == 1 ? "" : "s", configurations,
           configurations == 1 ? "" : "s");
}

static void print_left_out(const struct tuned *t, const char *prefix)
{
    for (size_t i = 0; i < t->left_out.count; i++) {
        const struct tuned_left_out *l = &t->left_out.items[i];
        const struct tuned_function *f = &l->function;
        print_safely(stdout,
                     "%s_%s%s_%s%s is left out, because the kernel %s has changed since the run %s "
                     "was measured; measure the kernel again\n",
                     prefix, tuned_over_name(f->over), operation_name(f->op),
                     element_suffix(f->type), f->exact ? "_exact" : "", l->kernel->name, l->run);
    }
}

static void print_choice(const struct tuned *t, const char *prefix, bool several)
{
    if (several)
        print_safely(stdout, "%s, compute capability %d.%d:\n", t->device, t->cc / 10, t->cc % 10);
    for (size_t i = 0; i < t->function_count; i++)
        print_function(&t->functions[i], prefix);
    print_left_out(t, prefix);
    struct text excluded = {0};
    best_append_unresolved(t->unresolved, &excluded);
    if (excluded.length)
        printf("%s\n", excluded.bytes);
    text_free(&excluded);
}

static bool write_file(const char *path, const char *bytes, struct error *e)
{
    FILE *f;
    if (!output_open(path, &f, e))
        return false;
    fputs(bytes, f);
    return output_close(f, path, e);
}

/*
 * Measures the configurations of the runs in a race at the shapes of --shapes, and reads the run
 * that records the race.
 */
static bool measure_shapes(const struct tuned_arguments *a, const struct results *runs,
                           size_t count, const struct catalogue *kernels, struct results *out,
                           struct error *e)
{
    struct tuned_race race = {0};
    char *folder = xasprintf("%s-shapes", a->out), *config = xasprintf("%s.config.json", folder),
         *file = xasprintf("%s.points.csv", folder);
    char *arguments[] = {config,
                         "--points",
                         file,
                         "--out",
                         folder,
                         "--device",
                         (char *)(uintptr_t)(a->device ? a->device : "auto"),
                         "--kernel-folder",
                         (char *)(uintptr_t)a->kernels};
    bool ok = tuned_race_at(a->shapes, runs, count, kernels, &race, e) &&
              write_file(file, race.points.bytes, e) && write_file(config, race.config.bytes, e) &&
              command_run(a->kernels ? 9 : 7, arguments, e) != EXIT_REFUSED &&
              results_read(folder, out, e);
    text_free(&race.config);
    text_free(&race.points);
    free(folder);
    free(config);
    free(file);
    return ok;
}

static bool choose_library(struct results *runs, size_t count, const struct catalogue *kernels,
                           bool invariant, struct tuned targets[MOST_RUNS], size_t *chosen,
                           struct error *e)
{
    bool ok = true;
    size_t done = 0;
    tuned_sort_runs(runs, count);
    if (invariant && tuned_alike(runs, count) < count)
        return FAIL(
            e, ERROR_CONFIG,
            "--invariant: %s and %s were measured on GPUs of different compute capabilities, so "
            "the same row could give different results on them; name runs of one capability",
            runs[0].path, runs[count - 1].path);
    for (size_t alike; ok && done < count; done += alike) {
        alike = tuned_alike(&runs[done], count - done);
        ok = tuned_choose(&runs[done], alike, kernels, invariant, &targets[*chosen], e);
        *chosen += ok;
    }
    return ok;
}

/*
 * Makes the library from `count` runs. With --shapes, a run is measured first and added to `runs`,
 * which must have room for it.
 */
static bool make_library(struct results *runs, size_t *count, const struct tuned_arguments *a,
                         struct error *e)
{
    char kernel_folder[4096];
    struct catalogue kernels = {0}, support = {0};
    struct tuned targets[MOST_RUNS];
    size_t chosen = 0;
    if (!find_kernel_folder(kernel_folder, sizeof kernel_folder, e) ||
        !read_catalogues(kernel_folder, &a->kernels, a->kernels != NULL, &kernels, &support, e))
        return false;
    bool ok = !a->shapes || measure_shapes(a, runs, *count, &kernels, &runs[*count], e);
    *count += ok && a->shapes;
    ok = ok && choose_library(runs, *count, &kernels, a->invariant, targets, &chosen, e);
    ok = ok && write_library(targets, chosen, kernel_folder, a, e);
    for (size_t i = 0; ok && i < chosen; i++)
        print_choice(&targets[i], a->prefix, chosen > 1);
    if (ok)
        print_safely(stdout, "%s/table.csv\n", a->out);
    ok = ok && (!a->wheel || tuned_wheel(a->out, a->prefix, e));
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
        (void)FAIL(e, ERROR_USAGE,
                   "tuned needs a run; write, for example, redsweep tuned results/latest");
        return EXIT_REFUSED;
    }
    if (!tuned_prefix_valid(a.prefix)) {
        (void)FAIL(e, ERROR_USAGE,
                   "--prefix %s is not a valid prefix; write a lower-case letter and further "
                   "lower-case letters, digits and _, at most %d characters in all",
                   a.prefix, TUNED_PREFIX_MOST);
        return EXIT_REFUSED;
    }
    if (a.device && !a.shapes) {
        (void)FAIL(e, ERROR_USAGE,
                   "--device needs --shapes FILE, because nothing is measured without it");
        return EXIT_REFUSED;
    }
    /* static, because the array is too large for the stack */
    static struct results runs[MOST_RUNS + 1];
    size_t read = 0, wanted = (size_t)operands.count;
    bool ok = true;
    while (ok && read < wanted && (ok = results_read(paths[read], &runs[read], e)))
        read++;
    ok = ok && make_library(runs, &read, &a, e);
    while (read > 0)
        results_free(&runs[--read]);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
