/*
 * redsweep reproduce: published tables against a run of the same points.
 */
#include "commands/commands.h"

#include <stdio.h>

#include "compare/reproduce.h"

enum { PUBLISHED_MOST = 32 };

void help_reproduce(void)
{
    printf(
        "Compares RUN with published tables (folders such as results/published/k80-reduce), cell\n"
        "by cell: counts of memory accesses must be equal, everything else is compared as an\n"
        "order among the rows of its column. `make reproduce` makes the runs first.\n"
        "\nExit codes: 0 every count is equal, 1 one differs or is missing, 2 usage.\n");
}

static bool compare_with(const char *path, const struct results *run, struct reproduction *total,
                         struct error *e)
{
    struct results published;
    if (!results_read(path, &published, e))
        return false;
    bool ok = reproduce(&published, run, stdout, total, e);
    printf("\n");
    results_free(&published);
    return ok;
}

int command_reproduce(int count, char **arguments, struct error *e)
{
    static const struct option_row rows[] = {{0}};
    const char *rest[PUBLISHED_MOST + 1];
    int rest_count;
    if (!options_take(rows, count, arguments, rest, PUBLISHED_MOST + 1, &rest_count, e))
        return EXIT_REFUSED;
    if (rest_count < 2) {
        FAIL(e, ERROR_USAGE,
             "reproduce takes a run and at least one published table: redsweep "
             "reproduce results/latest results/published/k80-reduce");
        return EXIT_REFUSED;
    }
    struct results run;
    if (!results_read(rest[0], &run, e))
        return EXIT_REFUSED;
    struct reproduction total = {0};
    bool ok = true;
    for (int i = 1; ok && i < rest_count; i++)
        ok = compare_with(rest[i], &run, &total, e);
    results_free(&run);
    if (!ok)
        return EXIT_REFUSED;
    printf("counts: %d equal, %d differ, %d missing; orders: %d the same, %d differ, %d missing\n",
           total.counts[VERDICT_EQUAL], total.counts[VERDICT_DIFFERS],
           total.counts[VERDICT_MISSING], total.orders[VERDICT_SAME_ORDER],
           total.orders[VERDICT_DIFFERS], total.orders[VERDICT_MISSING]);
    bool equal = total.counts[VERDICT_DIFFERS] == 0 && total.counts[VERDICT_MISSING] == 0;
    return equal ? EXIT_FINE : EXIT_POINTS_FAILED;
}
