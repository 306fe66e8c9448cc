/*
 * Chooses the points to measure next: all points of the plan, a race among them, a search, another
 * program, the anchors. Each is a source in a file of its own, source_NAME.c.
 *
 * A lane without work calls next() for a batch. It measures the batch's points (lane_batch.c),
 * passes each outcome to take(), even if the worker was lost, and calls done() when every point of
 * the batch has one. All functions are called by the sweep's one loop, and return at once: a source
 * that waits for something returns no batch and is called again.
 *
 * To add a strategy: a file with a struct source_kind, and a row in spec/strategies.def
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

/* Points of one group, which are measured together. */
struct batch {
    struct source *source;   /* the source that chose it; NULL: there is no batch */
    const struct plan *plan; /* the plan of the points */
    VEC(uint32_t) points;    /* their numbers in the plan, ascending, none twice */
    struct sampling sampling;
    bool compile;    /* its variants may not be in the cache yet: compile them together first */
    bool expendable; /* may end with its worker: no point is blamed, nothing is measured again, and
                        neither counters nor energy are measured */
};

struct source_kind {
    const char *name;
    struct source *(*make)(struct sweep *s); /* of the sweep's plan */
    /* When a run is resumed: whether a group's rows are removed, because the source cannot continue
     * from them. NULL: it continues from all. */
    bool (*begins_again)(const struct sweep *s, uint32_t group);
    /*
     * Puts the lane's next batch into `out`, which is empty at first (no points, the sweep's plan).
     * No points: there are none for this lane now. The loop ends when no lane is working and the
     * source waits for nothing.
     */
    bool (*next)(struct source *source, struct lane *l, struct batch *out, struct error *e);
    /* The outcome of a point of the lane's batch, with its samples and metrics: borrowed. */
    bool (*take)(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
                 struct error *e);
    /* All points of the lane's batch have their outcome. NULL: nothing to do. */
    bool (*done)(struct source *source, struct lane *l, struct error *e);
    /*
     * The lane's device is given up, and other lanes continue: they get the points of its batch.
     * NULL: there is only one lane.
     */
    bool (*drop)(struct source *source, struct lane *l, struct error *e);
    /* Seconds until it is done; NULL: unknown, or it measures all points of the plan. */
    double (*left_s)(struct source *source);
    void (*end)(struct sweep *s); /* after the last batch: tells s->result. NULL: nothing to tell */
    void (*free)(struct source *source);
    bool by_times; /* it chooses by times: the device must have them, energy is not measured, and a
                      gate, which compares all points, cannot use such a source */
    bool whole;    /* it goes from each n to the next, and cannot be divided into shards */
    bool some; /* it measures only some of the plan's points, whose number and variants are unknown
                  in advance */
};

/* The first members of all sources. */
struct source {
    const struct source_kind *kind;
    struct sweep *sweep;
    int input;  /* a descriptor from which next() waits to read; −1: it waits for nothing … */
    int output; /* … and one to which it waits to write */
};

/* Puts a batch's points in order, each once. */
void batch_sort(struct batch *b);

/* The kind of source that a config requests. */
const struct source_kind *source_kind_of(const struct config *c);

#endif
