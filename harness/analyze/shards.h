/*
 * Reads the shards of a sweep: the folders that `redsweep run --shard K/N --out DIR` writes. These
 * functions only read, so a run may be writing a shard at the same time.
 */
#ifndef REDSWEEP_ANALYZE_SHARDS_H
#define REDSWEEP_ANALYZE_SHARDS_H

#include <time.h>

#include "base/error.h"
#include "base/vec.h"
#include "record/manifest.h"
#include "record/rows.h"

struct shard_run {
    char *folder;
    struct manifest manifest;
    uint32_t index, count; /* shard `index` of `count` */
    uint64_t rows, bad;    /* complete rows, and how many of them failed or are wrong */
    bool torn;             /* The last line of results.csv is incomplete. */
    /* A process on this host, or on a host that shares locks, is writing the shard. */
    bool busy;
    time_t changed; /* the time at which results.csv or run.json last changed */
};

struct shard_runs {
    VEC(struct shard_run) items; /* ordered by index, without shards that have not begun */
};

/*
 * Reads the shards in `folders`. Each folder is a shard or contains shards. Fails with ERROR_CONFIG
 * if a folder neither is nor contains a shard, if no shard has begun, or if a row is malformed. The
 * caller must call shard_runs_free() on `out`, even after an error.
 */
bool shard_runs_read(const char *const *folders, int count, struct shard_runs *out,
                     struct error *e);
void shard_runs_free(struct shard_runs *runs);

/* Returns whether a shard's run has ended and each of its points has a row. */
bool shard_complete(const struct shard_run *s);

/*
 * Opens a shard's results.csv for reading row by row. The caller must call rows_close() on `out`,
 * even after an error.
 */
bool shard_rows(const struct shard_run *s, struct rows *out, struct error *e);

#endif
