/* The common part of the sources that measure all points of a plan, `exhaustive` and `race`. */
#ifndef REDSWEEP_RUN_SOURCE_ALL_H
#define REDSWEEP_RUN_SOURCE_ALL_H

#include "run/agenda.h"
#include "run/source.h"

struct all_points {
    struct source source;
    struct agenda agenda;
    uint32_t *group; /* each lane's current group */
};

extern const struct source_kind source_all;

/*
 * all_begin() fills a zeroed struct all_points, which all_free() frees. all_next(), all_take() and
 * all_drop() are members of source_all; source_race uses them, too.
 */
void all_begin(struct all_points *a, const struct source_kind *kind, struct sweep *s);
bool all_next(struct source *source, struct lane *l, struct batch *out, struct error *e);
bool all_take(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
              struct error *e);
bool all_drop(struct source *source, struct lane *l, struct error *e);
void all_free(struct source *source);

#endif
