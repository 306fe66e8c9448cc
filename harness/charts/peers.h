/*
 * Reads rows of other libraries for the chart `shapes`. They come from a run, as rows of kernels
 * with the role `peer`, or from a file peers.csv, which experiments/rows/peers.py writes. The times
 * in this file have the cache state `cold` and the scope `complete`.
 */
#ifndef REDSWEEP_CHARTS_PEERS_H
#define REDSWEEP_CHARTS_PEERS_H

#include "base/error.h"
#include "base/vec.h"
#include "table/numbering.h"

struct peer_row {
    /* These strings belong to `names` in struct peers. */
    const char *kernel, *type, *op, *cache, *scope;
    double n, row_length, time, gbs; /* `time` is in µs. `gbs` is NaN if the GB/s are not known. */
};

struct peers {
    VEC(struct peer_row) rows;
    struct numbering names;
};

/*
 * Reads the rows of peers from a run or from peers.csv. The error is ERROR_CONFIG if the path names
 * neither, or if no row of a peer has a row length and a time.
 */
bool peers_read(const char *path, struct peers *out, struct error *e);
void peers_free(struct peers *p);

#endif
