/*
 * redsweep merge: makes one run of the shards of a sweep.
 */
#include "analyze/commands.h"
#include "analyze/merge.h"
#include "base/options.h"

#include <inttypes.h>
#include <stdio.h>

enum { FOLDERS_MOST = 4096 };

struct merge_arguments {
    const char *out;
};

static const struct field options[] = {
    {"--out", NULL, field_argument, .offset = offsetof(struct merge_arguments, out),
     HELP("RUN", "the folder of the merged run, which must be new or empty")},
    {0}};

void help_merge(void)
{
    printf(
        "Makes one run from the shards that `redsweep run --shard K/N --out DIR` measured. Each\n"
        "DIR is such a folder of shards, or a single shard. The shards must belong to one sweep\n"
        "(config, kernels, redsweep, compiler and device model) and be complete; otherwise what\n"
        "is missing is listed, and nothing is written. The result is an ordinary run, with the\n"
        "same bytes whatever the order of the folders.\n\n");
    options_print(options);
    printf("\nExit codes: 0 merged, 1 merged and a shard is doubtful (or its card is more\n"
           "than 3 %% slower than the median card, or unhealthy), 2 the shards do not belong\n"
           "together, 3 some are incomplete, 4 some are still being written.\n");
}

static int write_merged(struct merge *m, const char *out, struct error *e)
{
    if (!merge_doubt_cards(m, e) || !merge_write(m, out, e))
        return EXIT_REFUSED;
    fprintf(stderr, "%" PRIu64 " points of %" PRIu32 " shards\n", m->rows, m->count);
    fprintf(stderr, "%s%s", text_shown(&m->cards), text_shown(&m->slow));
    if (m->doubtful && !m->slow.length)
        fprintf(stderr, "warning: a shard is doubtful; its run.json says why\n");
    print_safely(stdout, "%s/results.csv\n", out);
    return m->doubtful ? EXIT_POINTS_FAILED : EXIT_FINE;
}

int command_merge(int count, char **arguments, struct error *e)
{
    static const char *folders[FOLDERS_MOST];
    struct merge_arguments a = {0};
    struct operands operands = {.items = folders, .max = FOLDERS_MOST};
    if (!options_read(options, &a, count, arguments, &operands, e))
        return EXIT_REFUSED;
    if (operands.count == 0 || !a.out) {
        FAIL(e, ERROR_USAGE, "merge needs the folder of the shards and --out RUN");
        return EXIT_REFUSED;
    }
    struct merge m;
    int code = EXIT_REFUSED;
    if (merge_read(&m, folders, operands.count, e)) {
        if (m.missing.length) {
            fprintf(stderr, "incomplete; nothing was written:\n%s", m.missing.bytes);
            code = EXIT_STOPPED;
        } else {
            code = write_merged(&m, a.out, e);
        }
    }
    merge_free(&m);
    return code;
}
