/*
 * `redsweep best` finds the fastest configurations of runs, and all configurations that are
 * statistically tied with them.
 */
#include "cli/commands.h"
#include "base/options.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/best.h"
#include "analyze/portability.h"
#include "base/memory.h"
#include "cli/changed.h"
#include "measure/energy.h"
#include "record/output.h"
#include "run/commands.h"
#include "spec/config_fields.h"
#include "spec/folders.h"
#include "tuned/tuned.h"

enum { MOST_RUNS = 64 };

struct best_arguments {
    const char *metric, *remeasure, *device, *same_bits_as;
    bool across_cards, energy, brief;
    int finalists;
    struct config_shape *at;
    int at_count;
    struct view_output output;
};

#define AT(member) .offset = offsetof(struct best_arguments, member)

static const struct field options[] = {
    {"--metric", "time_us_median", field_argument, AT(metric),
     HELP("COLUMN", "the metric to minimize")},
    VIEW_OPTIONS(struct best_arguments, output,
                 "the winners, the configurations tied with them, and the reference and limit "
                 "kernels"),
    {"--remeasure", NULL, field_argument, AT(remeasure),
     HELP("DIR",
          "measure tied configurations again, with alternating launches, in a new run in DIR, "
          "and rank them by the new times")},
    {"--energy", NULL, field_switch, AT(energy),
     HELP(NULL, "with --remeasure, also measure energy: run the fastest configurations of each "
                "problem, tied or not, in blocks of one second")},
    {"--finalists", "10", field_int, AT(finalists), RANGE(1, ENERGY_FINALISTS),
     HELP("N", "with --energy, measure this many configurations per problem")},
    {"--at", NULL, config_shapes, AT(at), .count_offset = offsetof(struct best_arguments, at_count),
     RANGE(1, 1099511627776.0), .flags = FIELD_LIST,
     HELP("SHAPE,...", "for each shape, such as 4096x5120 or 32x256x3136, print the configuration "
                       "that a library built from these runs would choose, its time, and its "
                       "percentage of the achievable read bandwidth; the shape need not have been "
                       "measured")},
    {"--same-bits-as", NULL, field_argument, AT(same_bits_as),
     HELP("POINT",
          "rank only configurations whose results are bit-identical to those of the point with "
          "this id (a prefix is enough), and print how much slower they are than the fastest with "
          "any bits (docs/bits.md)")},
    {"--brief", NULL, field_switch, AT(brief),
     HELP(NULL, "print only the winners, as a run does at its end")},
    {"--across-cards", NULL, field_switch, AT(across_cards),
     HELP(NULL,
          "for runs on several cards, print the configuration that is best across all cards, how "
          "much slower it is than the fastest one on each card, and its performance portability "
          "(the harmonic mean of its efficiencies; its efficiency on a card is the fastest time on "
          "this card divided by its own)")},
    {"--device", NULL, field_argument, AT(device),
     HELP("NAME", "the device for --remeasure (default: auto)")},
    {0}};

void help_best(void)
{
    printf("Finds the fastest configuration for every device, type, op, n, cache and scope of the\n"
           "runs, and all configurations that are statistically indistinguishable from it. Then\n"
           "prints the winner for each range of n, and the configuration that is best over all\n"
           "sizes. Its regret is the mean factor by which it is slower than the winners. Wrong\n"
           "rows and racy kernels never win. If several runs contain the same point, the last of\n"
           "these runs counts.\n"
           "\n");
    options_print(options);
}

static bool write_config(const char *path, const struct text *t, struct error *e)
{
    FILE *f;
    if (!output_open(path, &f, e))
        return false;
    fwrite(t->bytes, 1, t->length, f);
    return output_close(f, path, e);
}

#define ENERGY_BLOCK_S 1.0

/* Prints how long measuring energy will take. The new run will show its progress. */
static void say_energy(const struct best *b, size_t most)
{
    size_t finalists = 0;
    double seconds = 0;
    for (size_t i = 0; i < b->problem_count; i++) {
        size_t count = b->problems[i].count < most ? b->problems[i].count : most;
        finalists += count;
        seconds += energy_estimate_s(count, 1, ENERGY_BLOCK_S);
    }
    fprintf(stderr, "measuring the energy of %zu finalist%s of %zu problem%s takes about %.0f s\n",
            finalists, finalists == 1 ? "" : "s", b->problem_count,
            b->problem_count == 1 ? "" : "s", seconds);
}

/*
 * Measures the configurations that are tied, or for --energy the fastest ones, in a new run. Sets
 * *measured to false if there is nothing to measure.
 */
static bool measure_again(const struct best_arguments *a, const struct best *b, bool *measured,
                          struct error *e)
{
    struct text config = {0};
    char *path = xasprintf("%s.config.json", a->remeasure);
    bool ok = true;
    struct remeasure how = {0};
    if (a->energy) {
        how = (struct remeasure){.fastest = (size_t)a->finalists, .energy_s = ENERGY_BLOCK_S};
        say_energy(b, how.fastest);
    }
    best_remeasure_config(b, &how, &config);
    *measured = config.length > 0;
    if (*measured) {
        char *arguments[] = {path, "--out", (char *)(uintptr_t)a->remeasure, "--device",
                             (char *)(uintptr_t)(a->device ? a->device : "auto")};
        ok = write_config(path, &config, e);
        ok = ok && command_run(5, arguments, e) != EXIT_REFUSED;
    } else {
        fprintf(stderr, "no configurations are tied, so nothing is measured again\n");
    }
    free(path);
    text_free(&config);
    return ok;
}

/*
 * Checks that the new run, the last of `runs`, was measured on the same device as one of the
 * `count` runs before it. Times from another device cannot break ties.
 */
static bool same_device(const struct results *runs, size_t count, struct error *e)
{
    const struct results *last = &runs[count];
    for (size_t i = 0; i < count; i++)
        if (strcmp(results_device(last), results_device(&runs[i])) == 0 &&
            strcmp(results_backend(last), results_backend(&runs[i])) == 0)
            return true;
    return FAIL(e, ERROR_CONFIG,
                "%s was measured on %s, but the other runs were measured on %s; choose that "
                "device with --device",
                last->path, results_device(last), results_device(&runs[0]));
}

/*
 * Finds the winners. With --remeasure, measures the tied configurations again, and then finds the
 * winners of all runs including the new one.
 */
static bool find_best(const struct best_arguments *a, struct results *runs, size_t *count,
                      struct best_point *point, struct best *b, struct error *e)
{
    struct best_options how = {.metric = a->metric};
    if (a->same_bits_as) {
        if (!best_find_point(runs, *count, a->same_bits_as, point, e))
            return false;
        how.same_bits = point;
    }
    if (!best_find(runs, *count, &how, b, e))
        return false;
    bool measured = false;
    bool ok = !a->remeasure || measure_again(a, b, &measured, e);
    if (ok && !measured)
        return true;
    best_free(b);
    if (!ok || !results_read(a->remeasure, &runs[*count], e))
        return false;
    (*count)++;
    if (!same_device(runs, *count - 1, e))
        return false;
    how.last_run_alone = true;
    return best_find(runs, *count, &how, b, e);
}

/* Shows which configurations `redsweep tuned` would choose for the shapes that --at names. */
static bool show_at(const struct best_arguments *a, const struct results *runs, size_t count,
                    struct error *e)
{
    char kernel_folder[4096];
    struct catalogue kernels = {0}, support = {0};
    struct tuned t;
    if (!find_kernel_folder(kernel_folder, sizeof kernel_folder, e) ||
        !read_catalogues(kernel_folder, NULL, 0, &kernels, &support, e))
        return false;
    bool ok = tuned_choose(runs, count, &kernels, false, &t, e);
    if (ok) {
        struct view v = {0};
        tuned_add_at(&t, runs, count, a->at, a->at_count, &v);
        ok = view_output(&v, &a->output, e);
        view_free(&v);
        tuned_free(&t);
    }
    catalogue_free(&kernels);
    catalogue_free(&support);
    return ok;
}

static int show_across_cards(const struct best_arguments *a, const char *const *paths, int count,
                             bool by_median, struct error *e)
{
    if (count < 2) {
        FAIL(e, ERROR_USAGE,
             "--across-cards compares runs on several cards; name two or more runs");
        return EXIT_REFUSED;
    }
    if (!by_median || a->remeasure) {
        FAIL(e, ERROR_USAGE,
             "--across-cards compares the times of several cards, but %s applies to one card; "
             "leave it out",
             a->remeasure ? "--remeasure" : "--metric");
        return EXIT_REFUSED;
    }
    return portability_show(paths, count, &a->output, e);
}

/* Checks that the options are compatible. */
static bool options_fit(const struct best_arguments *a, bool by_median, struct error *e)
{
    if (a->device && !a->remeasure)
        return FAIL(e, ERROR_USAGE,
                    "--device needs --remeasure DIR, because nothing is measured without it");
    if (a->energy && !a->remeasure)
        return FAIL(e, ERROR_USAGE,
                    "--energy measures the fastest configurations in a new run, so it needs the "
                    "run's folder; add --remeasure DIR");
    if (a->energy && !by_median)
        return FAIL(e, ERROR_USAGE,
                    "--energy ranks by time and energy, so --metric does not apply; leave it out");
    if (!a->energy && a->finalists != ENERGY_FINALISTS)
        return FAIL(e, ERROR_USAGE,
                    "--finalists needs --energy, because without it, --remeasure measures only "
                    "tied configurations");
    return true;
}

static bool show_best(struct best_arguments *a, struct results *runs, size_t *run_count,
                      struct error *e)
{
    struct best b;
    struct best_point point;
    if (!find_best(a, runs, run_count, &point, &b, e))
        return false;
    changed_find(runs, *run_count);
    struct view v = {0};
    if (!a->brief)
        best_view(&b, &v);
    else if (!best_add_brief(&b, &v))
        view_line(&v, "only CPU kernels have times in this run; redsweep best without --brief "
                      "prints them");
    bool ok = view_output(&v, &a->output, e);
    view_free(&v);
    best_free(&b);
    return ok;
}

static int answer(struct best_arguments *a, const char **paths, int count, struct error *e)
{
    bool by_median = strcmp(a->metric, "time_us_median") == 0;
    if (!options_fit(a, by_median, e))
        return EXIT_REFUSED;
    if (a->across_cards)
        return show_across_cards(a, paths, count, by_median, e);
    /* static, because the array is too large for the stack */
    static struct results runs[MOST_RUNS + 1];
    size_t run_count = 0, wanted = count ? (size_t)count : 1;
    bool ok = true;
    while (ok && run_count < wanted) {
        ok = results_read(paths[run_count], &runs[run_count], e);
        run_count += ok;
    }
    if (ok)
        ok = a->at_count ? show_at(a, runs, run_count, e) : show_best(a, runs, &run_count, e);
    while (run_count > 0)
        results_free(&runs[--run_count]);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}

int command_best(int count, char **arguments, struct error *e)
{
    struct best_arguments a = {0};
    const char *paths[MOST_RUNS] = {"results/latest"};
    struct operands operands = {.items = paths, .max = MOST_RUNS};
    bool read = options_read(options, &a, count, arguments, &operands, e);
    int code = read ? answer(&a, paths, operands.count, e) : EXIT_REFUSED;
    free(a.at);
    return code;
}
