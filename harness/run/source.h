/*
 * A source chooses the points to measure next. One source measures all points of the plan, and
 * others run a race among all points, run a search, measure the points that another program
 * requests, or measure the anchors. Each source has a file of its own, source_NAME.c.
 *
 * A lane without work calls next() for a batch and measures its points (lane_batch.c). The lane
 * passes the outcome of each point to take(), even if the worker was lost, and calls done() when
 * every point of the batch has an outcome. The sweep's only loop calls all these functions, so they
 * must return immediately. If a source waits for something, it returns no batch and is called
 * again.
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
    struct source *source;   /* the source that chose the batch; NULL: there is no batch */
    const struct plan *plan; /* the plan that contains the points */
    VEC(uint32_t) points;    /* their numbers in the plan, ascending and without duplicates */
    struct sampling sampling;
    /*
     * the points' variants might not be in the cache yet, so all of them must be compiled before
     * the points are measured
     */
    bool compile;
    bool expendable; /* the batch ends if its worker is lost: no point is blamed, and nothing is
                        measured again. Its points are measured without counters and energy */
};

struct source_kind {
    const char *name;
    struct source *(*make)(struct sweep *s); /* makes a source that chooses points of the sweep's
                                                plan */
    /*
     * Returns whether the group's rows must be removed when a run is resumed, because the source
     * cannot continue from them. `recorded` of the group's points have a row. If the function is
     * NULL, the source continues from all rows.
     */
    bool (*begins_again)(const struct sweep *s, uint32_t group, size_t recorded);
    /*
     * Puts the lane's next batch into `out`, which initially contains the sweep's plan and no
     * points. If `out` remains without points, there is nothing for this lane to measure now. The
     * loop ends when no lane is working and the source waits for nothing.
     */
    bool (*next)(struct source *source, struct lane *l, struct batch *out, struct error *e);
    /* Receives the outcome of a point of the lane's batch. The outcome's samples and metrics are
     * borrowed. */
    bool (*take)(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
                 struct error *e);
    /*
     * This function is called when all points of the lane's batch have an outcome. NULL means that
     * nothing needs to be done.
     */
    bool (*done)(struct source *source, struct lane *l, struct error *e);
    /*
     * This function is called when the lane's device is given up while other lanes continue. The
     * other lanes must then get the points of the lane's batch. NULL means that the source has only
     * one lane.
     */
    bool (*drop)(struct source *source, struct lane *l, struct error *e);
    /*
     * Returns the seconds until the source has no more points. If the function is NULL, that time
     * is unknown, or the source measures all points of the plan.
     */
    double (*left_s)(struct source *source);
    void (*end)(struct sweep *s); /* this is called after the last batch and adds to s->result;
                                     NULL: it adds nothing */
    void (*free)(struct source *source);
    /*
     * it chooses points by their times. The device must therefore be able to measure times, and
     * energy is not measured. A gate cannot use such a source, because a gate compares all points
     */
    bool by_times;
    /*
     * it uses the results for each n to choose points for the next n, so its points cannot be
     * divided into shards
     */
    bool whole;
    bool some; /* it measures only some points of the plan; their number and their variants
                      are not known in advance */
};

/* The first member of every source. */
struct source {
    const struct source_kind *kind;
    struct sweep *sweep;
    int input;  /* the descriptor from which next() waits to read; −1: it waits for nothing */
    int output; /* the descriptor to which next() waits to write; −1: it waits for nothing */
};

/* Sorts a batch's points and removes duplicates. */
void batch_sort(struct batch *b);

/* Returns the kind of source that a config requests. */
const struct source_kind *source_kind_of(const struct config *c);

#endif
