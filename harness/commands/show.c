/*
 * redsweep show: a run's rows in the terminal.
 */
#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/show.h"

struct show_arguments {
    struct show_options options;
    const char *most;
};

static void fill_options(struct show_arguments *a, struct option_row rows[5])
{
    const struct option_row filled[5] = {
        {"where", "EXPR", "only rows for which it holds: 'kernel = unroll and n >= 2^20'",
         &a->options.where, NULL},
        {"columns", "LIST", "these columns, in this order: kernel,n,'time_us_*'",
         &a->options.columns, NULL},
        {"sort", "LIST", "by these columns; a dash before a name turns it round: n,-time_us_median",
         &a->options.sort, NULL},
        {"head", "ROWS", "not more than so many rows", &a->most, NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    memcpy(rows, filled, sizeof filled);
}

void help_show(void)
{
    struct show_arguments a = {0};
    struct option_row rows[5];
    fill_options(&a, rows);
    printf("Prints rows of a run (its folder or its results.csv; default: results/latest).\n\n");
    options_print(rows);
    printf(
        "\nEXPR is made of columns, numbers (2^20), texts, = != < <= > >=, and, or, not, and\n"
        "+ - * / %% ^. Text may be a glob in quotes: 'kernel = \"smem_*\"'. A comparison with an\n"
        "empty cell does not hold.\n");
}

int command_show(int count, char **arguments, struct error *e)
{
    struct show_arguments a = {0};
    struct option_row rows[5];
    const char *rest[1] = {"results/latest"};
    int rest_count;
    fill_options(&a, rows);
    if (!options_take(rows, count, arguments, rest, 1, &rest_count, e))
        return EXIT_REFUSED;
    if (a.most) {
        char *end;
        a.options.most = strtoul(a.most, &end, 10);
        if (*end || a.options.most == 0 || a.most[0] == '-') {
            FAIL(e, ERROR_USAGE, "--head %s: it takes a number of rows from 1", a.most);
            return EXIT_REFUSED;
        }
    }
    struct results r;
    if (!results_read(rest[0], &r, e))
        return EXIT_REFUSED;
    bool ok = show_rows(&r, &a.options, stdout, e);
    results_free(&r);
    return ok ? EXIT_FINE : EXIT_REFUSED;
}
