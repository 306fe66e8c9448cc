/*
 * Reads the times of other libraries (peers) for the chart `shapes`, either from the rows of a run
 * whose kernels have the role `peer`, or from a file peers.csv that experiments/rows/peers.py
 * wrote. Times in such a file have the cache state `cold` and the scope `complete`.
 */
#ifndef REDSWEEP_CHARTS_PEERS_H
#define REDSWEEP_CHARTS_PEERS_H

#include "base/error.h"
#include "base/vec.h"
#include "table/numbering.h"

struct peer_row {
    /* owned by `names` in struct peers */
    const char *kernel, *type, *op, *cache, *scope;
    double n, row_length, time, gbs; /* `time` is in µs; `gbs` is NaN if unknown */
};

struct peers {
    VEC(struct peer_row) rows;
    struct numbering names;
};

/*
 * Reads the rows of peers from a run or a peers.csv. Fails with ERROR_CONFIG if `path` is neither
 * of them, or if no row of a peer has a row length and a time.
 */
bool peers_read(const char *path, struct peers *out, struct error *e);
void peers_free(struct peers *p);

#endif
