/*
 * A source chooses the points that a sweep measures next. Each kind of source has a file
 * source_NAME.c: one for all points of the plan, one for a race among these points, one for a
 * search, one for points that another program requests, and one for the anchors, the points by
 * which cards are compared.
 *
 * An idle lane calls next() to get a batch, and measures the batch's points (lane_batch.c). The
 * lane passes the outcome of each point to take(), even if the worker was lost, and calls done()
 * when every point of the batch has an outcome. The event loop of all lanes calls these functions,
 * so they must return immediately. A source that waits for something returns no batch, and next()
 * is called again later.
 *
 * To add a strategy, write a file with a struct source_kind, and add a row to spec/strategies.def
 * (docs/internals.md, "A strategy").
 */
#ifndef REDSWEEP_RUN_SOURCE_H
#define REDSWEEP_RUN_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "measure/group.h"
#include "record/outcome.h"

struct lane;
struct sweep;
struct source;

/* The points of one group that are measured together. */
struct batch {
    struct source *source;   /* the source that chose the points; NULL: the lane has no batch */
    const struct plan *plan; /* the plan that contains the points */
    VEC(uint32_t) points;    /* indices in the plan's points, ascending and without duplicates */
    struct sampling sampling;
    /* compile the points' variants before measuring, because they may not be in the cache */
    bool compile;
    bool expendable; /* if the worker is lost, the batch ends: no point is blamed, and no point is
                        measured again. Counters and energy are not measured */
};

struct source_kind {
    const char *name;
    struct source *(*make)(struct sweep *s); /* makes a source for the sweep's plan */
    /*
     * Returns, when a run is resumed, whether a group must be measured again from the start,
     * because the source cannot continue from the group's rows. `recorded` points of the group have
     * a row. NULL: the source can always continue.
     */
    bool (*begins_again)(const struct sweep *s, uint32_t group, size_t recorded);
    /*
     * Puts the lane's next batch into `out`, which already has the sweep's plan, but no points. If
     * `out` stays empty, the lane has nothing to measure now. The stage ends when no lane is
     * working and the source does not wait for input or output.
     */
    bool (*next)(struct source *source, struct lane *l, struct batch *out, struct error *e);
    /*
     * Receives the outcome of a point of the lane's batch. The caller keeps the ownership of the
     * outcome's samples and metrics.
     */
    bool (*take)(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
                 struct error *e);
    /* Called when all points of the lane's batch have an outcome. May be NULL. */
    bool (*done)(struct source *source, struct lane *l, struct error *e);
    /*
     * Called when the lane's device is given up while other lanes continue. The source must later
     * give the points of the lane's batch to another lane. NULL: the source has only one lane.
     */
    bool (*drop)(struct source *source, struct lane *l, struct error *e);
    /*
     * Returns how many seconds it will take until all points of the source are measured. NULL: the
     * time is unknown, or the source measures all points of the plan, so that requests_left_s() can
     * estimate it.
     */
    double (*left_s)(struct source *source);
    void (*end)(struct sweep *s); /* called after the last batch, to complete s->result; may be
                                     NULL */
    void (*free)(struct source *source);
    /*
     * The source chooses points by their times. The device must measure times, and energy is not
     * measured. A gate cannot use such a source, because a gate compares all points.
     */
    bool by_times;
    /* the points for an n depend on the results at smaller n, so the sweep has no shards */
    bool whole;
    bool some; /* the source measures only some points; their number and their variants are not
                  known in advance */
};

/* The first member of every source. */
struct source {
    const struct source_kind *kind;
    struct sweep *sweep;
    int input;  /* the descriptor that next() waits to read from; −1: none */
    int output; /* the descriptor that next() waits to write to; −1: none */
};

/* Sorts a batch's points and removes duplicates. */
void batch_sort(struct batch *b);

/* Returns the kind of source that a config requests. */
const struct source_kind *source_kind_of(const struct config *c);

#endif
