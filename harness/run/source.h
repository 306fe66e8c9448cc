/*
 * A source chooses the points to measure next. There are sources for all points of the plan, for a
 * race among them, for a search, for points that another program requests, and for the anchors,
 * each in its own file source_NAME.c.
 *
 * An idle lane calls next() for a batch and measures its points (lane_batch.c). It passes the
 * outcome of each point to take(), even if the worker was lost, and calls done() when every point
 * of the batch has an outcome. All of these run in the sweep's only loop, so they must return
 * immediately. A source that waits for something returns no batch and is called again.
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
    struct source *source;   /* the source of the batch; NULL: there is none */
    const struct plan *plan; /* the plan that contains the points */
    VEC(uint32_t) points;    /* their numbers in the plan, ascending and without duplicates */
    struct sampling sampling;
    /* the variants may not be in the cache, so compile all of them before measuring */
    bool compile;
    bool expendable; /* the batch ends if its worker is lost: no point is blamed, and nothing is
                        measured again. Measured without counters and energy */
};

struct source_kind {
    const char *name;
    struct source *(*make)(struct sweep *s); /* makes a source for the sweep's plan */
    /*
     * Returns whether to remove the group's rows when a run is resumed, because the source cannot
     * continue from them. `recorded` of the group's points have a row. NULL: the source can always
     * continue.
     */
    bool (*begins_again)(const struct sweep *s, uint32_t group, size_t recorded);
    /*
     * Puts the lane's next batch into `out`, which has the sweep's plan and no points yet. If it
     * stays empty, this lane has nothing to measure now. The loop ends when no lane is working and
     * the source waits for nothing.
     */
    bool (*next)(struct source *source, struct lane *l, struct batch *out, struct error *e);
    /* Receives the outcome of a point of the lane's batch. The outcome's samples and metrics are
     * borrowed. */
    bool (*take)(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
                 struct error *e);
    /* Called when all points of the lane's batch have an outcome. May be NULL. */
    bool (*done)(struct source *source, struct lane *l, struct error *e);
    /*
     * Called when the lane's device is given up while other lanes continue, which must then get the
     * points of the lane's batch. NULL: the source has only one lane.
     */
    bool (*drop)(struct source *source, struct lane *l, struct error *e);
    /*
     * Returns in how many seconds the source has no more points. NULL: unknown, or the source
     * measures all points of the plan.
     */
    double (*left_s)(struct source *source);
    void (*end)(struct sweep *s); /* called after the last batch, to add to s->result; may be
                                     NULL */
    void (*free)(struct source *source);
    /*
     * chooses points by their times: the device must measure times, energy is not measured, and a
     * gate cannot use it, because it compares all points
     */
    bool by_times;
    /* chooses points for the next n from the results so far, so it cannot be split into shards */
    bool whole;
    bool some; /* measures only some points, and neither how many nor which variants is known in
                  advance */
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
