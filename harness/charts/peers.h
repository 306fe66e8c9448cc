/*
 * Reads rows of other libraries for the chart shapes. They come from a run, as the rows of the
 * kernels with the role peer, or from a file peers.csv that experiments/rows/peers.py wrote. The
 * calls in such a file are cold and complete.
 */
#ifndef REDSWEEP_CHARTS_PEERS_H
#define REDSWEEP_CHARTS_PEERS_H

#include "base/error.h"
#include "base/vec.h"
#include "table/numbering.h"

struct peer_row {
    /* These texts belong to `names` of struct peers. */
    const char *kernel, *type, *op, *cache, *scope;
    double n, row_length, time, gbs; /* `time` is in µs. `gbs` is NaN if the GB/s are not known. */
};

struct peers {
    VEC(struct peer_row) rows;
    struct numbering names;
};

/* Fails with ERROR_CONFIG if the file is neither a run nor peers.csv, and if no row of a peer has a
 * row length and a time. */
bool peers_read(const char *path, struct peers *out, struct error *e);
void peers_free(struct peers *p);

#endif
