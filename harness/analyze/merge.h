/* Merges the shards of a sweep into one run. */
#ifndef REDSWEEP_ANALYZE_MERGE_H
#define REDSWEEP_ANALYZE_MERGE_H

#include "analyze/shards.h"
#include "base/error.h"
#include "base/text.h"

struct merge {
    struct shard_runs shards;
    uint32_t count; /* the number of shards in the sweep, including missing ones */
    uint64_t rows;
    bool doubtful;     /* A shard is doubtful, or its card is slow or unhealthy. */
    struct text slow;  /* the shards of slow cards, and how to measure them again; or "" */
    struct text cards; /* the speed of each card: cards_describe() */
    /* a list of what is missing, one item per line, or "" if nothing is missing */
    struct text missing;
};

/*
 * Reads the shards in `folders`, each of which is a shard or a folder of shards, and checks that
 * they are parts of one sweep. They must have the same config, kernels, columns, version of
 * redsweep, compiler and device model, and no shard may occur twice. Otherwise the error is
 * ERROR_CONFIG. If a process is writing to a shard, the error is ERROR_BUSY. Missing measurements
 * are not an error, and merge->missing lists them. The caller must call merge_free() on `m`, even
 * after an error.
 */
bool merge_read(struct merge *m, const char *const *folders, int count, struct error *e);

/*
 * Marks the merge as doubtful if cards are slow (record/anchors.h) or in a doubtful state
 * (card_doubt()). The function must be called only if no measurements are missing.
 */
bool merge_doubt_cards(struct merge *m, struct error *e);

/*
 * Writes the run into the new or empty folder `out`, which appears only when it is complete
 * (making.h). Rows are in the order of the shards and, within a shard, in the order in which they
 * were recorded. The files do not depend on the order of the arguments. The function also checks
 * that no point occurs twice, and that the number of each row's samples is the number that the row
 * states. The error is ERROR_BUSY while another merge writes to `out`. The function needs 24 bytes
 * of memory per row.
 */
bool merge_write(struct merge *m, const char *out, struct error *e);

void merge_free(struct merge *m);

#endif
