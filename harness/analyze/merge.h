/* Merges the shards of a sweep into one run. */
#ifndef REDSWEEP_ANALYZE_MERGE_H
#define REDSWEEP_ANALYZE_MERGE_H

#include "analyze/shards.h"
#include "base/error.h"
#include "base/text.h"

struct merge {
    struct shard_runs shards;
    uint32_t count; /* shards in the sweep, including missing ones */
    uint64_t rows;
    bool doubtful;     /* At least one shard is doubtful, or its card is slow or unhealthy. */
    struct text slow;  /* shards on slow cards and how to measure them again, or "" */
    struct text cards; /* the speed of each card: cards_describe() */
    /* what is missing, one item per line, or "" */
    struct text missing;
};

/*
 * Reads the shards in `folders`, each of which is a shard or a folder of shards, and checks that
 * they belong to one sweep. They must have the same config, kernels, columns, redsweep version,
 * compiler and device model, and no shard may occur twice; otherwise, fails with ERROR_CONFIG.
 * Fails with ERROR_BUSY if a process is still writing a shard. Missing measurements are not an
 * error; m->missing lists them. The caller must call merge_free() on `m`, even after an error.
 */
bool merge_read(struct merge *m, const char *const *folders, int count, struct error *e);

/*
 * Marks the merge as doubtful if cards are slow (record/anchors.h) or in a doubtful state
 * (card_doubt()). Must not be called if measurements are missing.
 */
bool merge_doubt_cards(struct merge *m, struct error *e);

/*
 * Writes the run into the new or empty folder `out`, which appears only when it is complete
 * (making.h). Rows are in shard order and, within a shard, in recorded order, so the order of the
 * arguments does not matter. Also checks that no point occurs twice, and that each row has as many
 * samples as it states. Fails with ERROR_BUSY while another merge writes to `out`. Needs 24 bytes
 * of memory per row.
 */
bool merge_write(struct merge *m, const char *out, struct error *e);

void merge_free(struct merge *m);

#endif
