/*
 * Making one run of the shards of a sweep.
 */
#ifndef REDSWEEP_ANALYZE_MERGE_H
#define REDSWEEP_ANALYZE_MERGE_H

#include "analyze/shards.h"
#include "base/error.h"
#include "base/text.h"

struct merge {
    struct shard_runs shards;
    uint32_t count; /* shards of the sweep, including missing ones */
    uint64_t rows;
    bool doubtful;       /* a shard is doubtful, or its card is slow or unhealthy */
    struct text slow;    /* shards of such cards, and how to measure them again; "" */
    struct text cards;   /* how fast each card is: cards_describe() */
    struct text missing; /* what is still missing, a line each; "" when complete */
};

/*
 * Reads the shards in `folders`, each a shard or a folder of shards, and checks that they are parts
 * of one sweep: the same config, kernels, columns, redsweep, compiler and device model, no shard
 * twice (ERROR_CONFIG), and none being written (ERROR_BUSY). Missing measurements are not an error;
 * merge->missing lists them. Freed by merge_free(), also after an error.
 */
bool merge_read(struct merge *m, const char *const *folders, int count, struct error *e);

/*
 * Cards that are slow (record/anchors.h) or not as they should be (card_doubt()) make the merge
 * doubtful. With everything complete.
 */
bool merge_doubt_cards(struct merge *m, struct error *e);

/*
 * Writes the run into the new or empty folder `out`, which appears whole (making.h): rows in the
 * order of the shards, and within a shard as they were recorded. The bytes depend on the shards
 * alone, not on the order in which they are given. Rows are checked on the way: no point occurs
 * twice, and each has as many samples as its row says. ERROR_BUSY while another merge writes there.
 * Memory: 24 bytes per row.
 */
bool merge_write(struct merge *m, const char *out, struct error *e);

void merge_free(struct merge *m);

#endif
