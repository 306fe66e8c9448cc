/*
 * Makes one run of the shards of a sweep.
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
    struct text slow;    /* shards of slow cards, and how to measure them again; or "" */
    struct text cards;   /* the speed of each card: cards_describe() */
    struct text missing; /* what is missing, one per line; "" if nothing is */
};

/*
 * Reads the shards in `folders`, each a shard or a folder of shards, and checks that they are parts
 * of one sweep. They must have the same config, kernels, columns, redsweep, compiler and device model,
 * and no shard may occur twice (ERROR_CONFIG) or be written to (ERROR_BUSY). Missing measurements are
 * no error; merge->missing lists them. The caller frees `m` with merge_free(), also after an error.
 */
bool merge_read(struct merge *m, const char *const *folders, int count, struct error *e);

/*
 * Makes the merge doubtful if cards are slow (record/anchors.h) or in a doubtful state (card_doubt()).
 * Nothing may be missing when it is called.
 */
bool merge_doubt_cards(struct merge *m, struct error *e);

/*
 * Writes the run into the new or empty folder `out`, which appears whole (making.h): rows in the
 * order of the shards, and within a shard as they were recorded. The bytes depend on the shards
 * alone, not on the order in which they are given. Rows are checked meanwhile: no point may occur
 * twice, and each must have as many samples as its row says. ERROR_BUSY while another merge writes
 * there. It needs 24 bytes of memory per row.
 */
bool merge_write(struct merge *m, const char *out, struct error *e);

void merge_free(struct merge *m);

#endif
