/*
 * All points of a plan, for sources that measure them in another way or another order.
 */
#ifndef REDSWEEP_RUN_SOURCE_ALL_H
#define REDSWEEP_RUN_SOURCE_ALL_H

#include "run/agenda.h"
#include "run/source.h"

struct all_points {
    struct source source;
    struct agenda agenda;
    uint32_t *group; /* for each lane: its current group */
};

extern const struct source_kind source_all;

/* Fills a zeroed one; all_free() frees it. The other functions are those of source_all. */
void all_begin(struct all_points *a, const struct source_kind *kind, struct sweep *s);
bool all_next(struct source *source, struct lane *l, struct batch *out, struct error *e);
bool all_take(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
              struct error *e);
bool all_drop(struct source *source, struct lane *l, struct error *e);
void all_free(struct source *source);

#endif
