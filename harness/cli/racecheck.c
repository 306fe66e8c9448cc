/*
 * `redsweep racecheck` looks for data races in kernels.
 *
 * The fact `racy:` of a kernel says that it has a data race. The command fails if a kernel without
 * this fact has a race, or if it finds no race in a kernel with this fact.
 */
#include "cli/commands.h"
#include "base/options.h"
#include "spec/folders.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "measure/race_check.h"
#include "compile/compile.h"
#include "spec/config.h"
#include "spec/more_kernels.h"
#include "workloads/workload.h"

struct racecheck_arguments {
    const char *device, *kernels;
    struct compile_limits limits;
    uint64_t instruction_limit;
};

#define AT(member) .offset = offsetof(struct racecheck_arguments, member)

static const struct field options[] = {
    {"--device", "sim", field_argument, AT(device), HELP("NAME", "a device that detects races")},
    {"--kernel-folder", NULL, field_argument, AT(kernels),
     HELP("PATH", "another folder of kernels, or the file of one kernel (default: files NAME.cu or "
                  "NAME.facts in the current folder)")},
    COMPILE_LIMIT_OPTIONS(struct racecheck_arguments, limits),
    {"--instruction-limit", "2^32", field_uint64, AT(instruction_limit),
     RANGE(1000, 9007199254740992.0),
     HELP("N", "the maximum number of instructions per warp; a kernel that exceeds it is reported "
               "as one that does not end")},
    {0}};

void help_racecheck(void)
{
    printf("Detects data races. Two threads race if they access the same memory, at least one of\n"
           "them writes, at least one of the accesses is not atomic, and nothing orders the "
           "accesses.\n"
           "Block and warp barriers order accesses, as do fences with a flag or an atomic.\n"
           "KERNEL is a name or a glob. Without KERNEL, all reductions are checked.\n"
           "\n");
    options_print(options);
    printf(
        "\n"
        "Each kernel runs with its smallest and its largest unroll factor and tunables, in three\n"
        "block sizes and with three element counts, or with the nearest ones that its facts "
        "allow.\n"
        "The operations are the int32 sum, or another one if the kernel does not support it, and\n"
        "the float32 mean_var if the kernel supports it. Asynchronous and bulk copies are treated\n"
        "as writes until a thread has waited for them. A race that occurs only with other shapes,\n"
        "operations or values is not found. Every reported race violates CUDA's memory model,\n"
        "even if today's GPUs compute the right result.\n"
        "\n"
        "Exit codes: 0 the kernels with the fact `racy:` have races, and no others; 1 a kernel\n"
        "without this fact has a race, a kernel with it has none, or a kernel failed; 2 usage\n"
        "error, or no kernel could be checked.\n");
}

enum verdict {
    VERDICT_CLEAN,
    VERDICT_EXPECTED,
    VERDICT_RACE,
    VERDICT_MISSING,
    VERDICT_FAILED,
    VERDICT_SKIPPED,
    VERDICT_COUNT
};

/*
 * Prints a place in the source. If it is in the kernel's own file, also prints the text of its
 * line.
 */
static void print_place(const struct kernel *k, const char *place, int line)
{
    const char *file = strrchr(k->path, '/');
    file = file ? file + 1 : k->path;
    size_t length = strlen(file);
    printf("    %s\n", place);
    if (line < 1 || strncmp(place, file, length) != 0 || place[length] != ':')
        return;
    const char *at = k->code;
    for (int i = 1; i < line && at; i++)
        if ((at = strchr(at, '\n')))
            at++;
    if (!at)
        return;
    at += strspn(at, " \t");
    printf("        %.*s\n", (int)strcspn(at, "\r\n"), at);
}

static void print_race(const struct kernel *k, const struct race_found *f)
{
    static const char *const scopes[] = {"threads of one warp", "threads of one block",
                                         "threads of different blocks"};
    const struct race *r = &f->race;
    const char *kind = r->first_writes && r->second_writes ? "two writes"
                       : r->first_writes                   ? "a write, then a read"
                                                           : "a read, then a write";
    printf("  in %s memory, %s: %s, %" PRIu64 " time%s, first with %s\n",
           r->shared ? "shared" : "global", scopes[r->scope], kind, r->times,
           r->times == 1 ? "" : "s", f->shape);
    print_place(k, r->first, r->first_line);
    if (strcmp(r->first, r->second) == 0)
        printf("    and the same instruction in the other thread\n");
    else
        print_place(k, r->second, r->second_line);
    printf("    for example %s\n", r->example);
}

static enum verdict judge(const struct kernel *k, const struct race_check *c)
{
    if (c->skipped[0]) {
        printf("%s was not checked: %s\n", k->name, c->skipped);
        return VERDICT_SKIPPED;
    }
    if (c->count == 0) {
        printf("%s has no race in %d launches%s%s\n", k->name, c->shapes,
               k->racy ? ", but its facts say that it is racy: " : "", k->racy ? k->racy : "");
        return k->racy ? VERDICT_MISSING : VERDICT_CLEAN;
    }
    printf("%s has %s%d race%s in %d launches%s%s\n", k->name, c->more ? "more than " : "",
           c->count, c->count == 1 ? "" : "s", c->shapes,
           k->racy ? ", as expected, because its facts say that it is racy: "
                   : ", and its facts do not say that it is racy",
           k->racy ? k->racy : "");
    for (int i = 0; i < c->count; i++)
        print_race(k, &c->found[i]);
    return k->racy ? VERDICT_EXPECTED : VERDICT_RACE;
}

static enum verdict check_kernel(const struct bench *checker, const struct kernel *k)
{
    static struct race_check found; /* static, because it is too large for the stack */
    static struct error why;
    error_clear(&why);
    bool ok = race_check_kernel(checker, k, &found, &why);
    if (ok)
        return judge(k, &found);
    if (found.count)
        judge(k, &found);
    printf("%s failed: %s\n", k->name, why.text);
    return VERDICT_FAILED;
}

/*
 * Marks in `chosen` the kernels that `names` lists. Without names, marks all GPU reductions,
 * including reductions along rows.
 */
static bool choose_kernels(const char *const *names, int count, const struct catalogue *c,
                           bool *chosen, struct error *e)
{
    for (int i = 0; i < c->count && count == 0; i++)
        chosen[i] = c->kernels[i]->backend == BACKEND_GPU &&
                    (c->kernels[i]->workload->reduces || c->kernels[i]->workload->by_rows);
    for (int k = 0; k < count; k++) {
        char suggestion[SUGGESTION_SIZE];
        bool any = false;
        for (int i = 0; i < c->count; i++)
            if (kernel_matches(c->kernels[i], names[k]))
                any = chosen[i] = true;
        if (!any)
            return FAIL(e, ERROR_USAGE,
                        "there is no kernel '%s'; redsweep list kernels prints all names%s",
                        names[k], catalogue_suggestion(c, names[k], suggestion));
    }
    return true;
}

static int check_chosen(const struct bench *checker, const struct catalogue *kernels,
                        const bool *chosen, struct error *e)
{
    static const char *const words[VERDICT_COUNT] = {"without a race", "with the expected races",
                                                     "with a race",    "without the expected race",
                                                     "failed",         "not checked"};
    int counts[VERDICT_COUNT] = {0}, all = 0;
    for (int i = 0; i < kernels->count; i++) {
        if (!chosen[i])
            continue;
        counts[check_kernel(checker, kernels->kernels[i])]++;
        fflush(stdout);
        all++;
    }
    printf("%d kernel%s:", all, all == 1 ? "" : "s");
    for (int v = 0, written = 0; v < VERDICT_COUNT; v++)
        if (counts[v])
            printf("%s %d %s", written++ ? "," : "", counts[v], words[v]);
    printf("\n");
    if (counts[VERDICT_SKIPPED] == all) {
        FAIL(e, ERROR_UNSUPPORTED,
             "none of these kernels can be checked on %s; the lines above give the reasons",
             checker->info.name);
        return EXIT_REFUSED;
    }
    bool fine = !counts[VERDICT_RACE] && !counts[VERDICT_MISSING] && !counts[VERDICT_FAILED];
    return fine ? EXIT_FINE : EXIT_POINTS_FAILED;
}

/* Checks the requested kernels on the open device. */
static int check_on(struct bench *checker, const struct catalogue *kernels,
                    const char *const *names, int name_count, struct error *e)
{
    bool *chosen = xcalloc((size_t)kernels->count + 1, sizeof *chosen);
    int code = EXIT_REFUSED;
    checker->driver->describe(checker->device, &checker->info);
    if (!checker->driver->check)
        FAIL(e, ERROR_USAGE, "%s cannot detect races; use the simulator with --device sim",
             checker->info.name);
    else if (choose_kernels(names, name_count, kernels, chosen, e))
        code = check_chosen(checker, kernels, chosen, e);
    free(chosen);
    return code;
}

/* Shows a line that a kernel printed. */
static void show_printed(void *context, const char *line)
{
    (void)context;
    printf("    the kernel printed: %s\n", line);
}

int command_racecheck(int count, char **arguments, struct error *e)
{
    enum { MOST_NAMES = 256 };
    struct racecheck_arguments a = {0};
    const char *names[MOST_NAMES];
    char kernel_folder[4096], cache_folder[4096], more[PATH_MAX];
    int code = EXIT_REFUSED;
    struct operands operands = {.items = names, .max = MOST_NAMES};
    struct catalogue kernels, support;
    if (!options_read(options, &a, count, arguments, &operands, e) ||
        !find_kernel_folder(kernel_folder, sizeof kernel_folder, e) ||
        !find_more_kernels(a.kernels,
                           &(struct name_list){.names = (char **)names, .count = operands.count},
                           kernel_folder, more, e) ||
        !read_catalogues(kernel_folder, (const char *[]){more}, *more ? 1 : 0, &kernels, &support,
                         e))
        return EXIT_REFUSED;
    find_cache_folder(cache_folder, sizeof cache_folder);
    struct bench checker = {0};
    if (compiler_open(cache_folder, kernel_folder, &checker.compiler, e)) {
        struct device_setup setup = {.compiler = checker.compiler,
                                     .support = &support,
                                     .print = show_printed,
                                     .instruction_limit = a.instruction_limit};
        compiler_limit(checker.compiler, a.limits.seconds, a.limits.mebibytes);
        if (device_open(a.device, &setup, &checker.driver, &checker.device, NULL, e)) {
            code = check_on(&checker, &kernels, names, operands.count, e);
            checker.driver->close(checker.device);
        }
        compiler_close(checker.compiler);
    }
    catalogue_free(&kernels);
    catalogue_free(&support);
    return code;
}
