/* Implements redsweep merge, which merges the shards of a sweep into one run. */
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
        "Merges the shards that `redsweep run --shard K/N --out DIR` measured into one run. Each\n"
        "DIR is a folder of shards or a single shard. The shards must be complete and belong to\n"
        "one sweep, so they must have the same config, kernels, version of redsweep, compiler\n"
        "and device model. Otherwise redsweep lists what is missing and writes nothing. The result "
        "is an\n"
        "ordinary run, whose bytes do not depend on the order of the folders.\n"
        "\n");
    options_print(options);
    printf(
        "\n"
        "Exit codes: 0 the shards were merged, 1 they were merged, but a shard is doubtful,\n"
        "or a card is unhealthy or more than 3 %% slower than the median card, 2 the shards do "
        "not\n"
        "belong together, 3 some shards are incomplete, 4 some shards are still being written.\n");
}

static int write_merged(struct merge *m, const char *out, struct error *e)
{
    if (!merge_doubt_cards(m, e) || !merge_write(m, out, e))
        return EXIT_REFUSED;
    fprintf(stderr, "merged %" PRIu64 " points of %" PRIu32 " shards\n", m->rows, m->count);
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
        FAIL(e, ERROR_USAGE,
             "merge needs the folder of the shards and the merged run; write redsweep "
             "merge DIR --out RUN");
        return EXIT_REFUSED;
    }
    struct merge m;
    int code = EXIT_REFUSED;
    if (merge_read(&m, folders, operands.count, e)) {
        if (m.missing.length) {
            fprintf(stderr, "the shards are incomplete, so nothing was written:\n%s",
                    m.missing.bytes);
            code = EXIT_STOPPED;
        } else {
            code = write_merged(&m, a.out, e);
        }
    }
    merge_free(&m);
    return code;
}
