/*
 * Rows of other libraries by shape, for the chart shapes: from a run, kernels with the role peer; or
 * from peers.csv, as experiments/rows/peers.py writes it, whose calls are cold and complete.
 */
#ifndef REDSWEEP_CHARTS_PEERS_H
#define REDSWEEP_CHARTS_PEERS_H

#include "base/error.h"
#include "base/vec.h"
#include "table/numbering.h"

struct peer_row {
    const char *kernel, *type, *op, *cache, *scope; /* of `names` */
    double n, row_length, time, gbs;                /* µs; NaN: no GB/s */
};

struct peers {
    VEC(struct peer_row) rows;
    struct numbering names;
};

/* ERROR_CONFIG for a file that is neither, and if no row of a peer has a row length and a time. */
bool peers_read(const char *path, struct peers *out, struct error *e);
void peers_free(struct peers *p);

#endif
