/*
 * Each command has a table of fields (fields.h) that describes its options. It is used to parse
 * them and to print --help. Two rows of such a table:
 *
 *     {"--head", NULL, field_uint64, AT(head), RANGE(1, 1e15),
 *      HELP("ROWS", "at most this many rows")},
 *     {"--strict", NULL, field_switch, AT(strict), HELP(NULL, "exit with 3 when …")},
 */
#ifndef REDSWEEP_BASE_OPTIONS_H
#define REDSWEEP_BASE_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/fields.h"

#define HELP(placeholder, line) .value = (placeholder), .help = (line)

/*
 * A row whose name ends with a dot ("--tunables.") stands for all options that begin with that
 * name. The row's reader finds the option's whole name in `prefix` (struct reading).
 */

/* Arguments that are not options, such as the folders of runs. */
struct operands {
    const char **items;
    int count, max;
};

/*
 * Sets the defaults, then reads options into `object` and other arguments into `operands`. The
 * strings still belong to `arguments`. Fails with ERROR_USAGE for an unknown option, an invalid or
 * missing value, or more operands than `operands->max`.
 */
bool options_read(const struct field *rows, void *object, int count, char **arguments,
                  struct operands *operands, struct error *e);

/* Prints one line per option, with its default. */
void options_print(const struct field *rows);

#endif
