/*
 * Who chooses the points to measure next: all points of the plan, a race among them, a search,
 * another program, the anchors. Each is a source in a file of its own, source_NAME.c.
 *
 * A lane without work asks next() for a batch. It measures the batch's points (lane_batch.c),
 * gives each outcome to take(), whatever became of the worker meanwhile, and calls done() when
 * every point of the batch has one. All functions are called by the sweep's one loop, and return
 * at once: a source that waits for something returns no batch and is asked again.
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
    struct source *source;   /* that chose it; NULL: there is no batch */
    const struct plan *plan; /* that the points are of */
    VEC(uint32_t) points;    /* their numbers in the plan, ascending, none twice */
    struct sampling sampling;
    bool compile;    /* its variants may not be in the cache yet: compile them together first */
    bool expendable; /* ends with its worker: no point is blamed, nothing is measured again, and
                        neither counters nor energy are measured */
};

struct source_kind {
    const char *name;
    struct source *(*make)(struct sweep *s); /* of the sweep's plan */
    /* When a run is resumed: whether a group's rows are taken out, since it cannot go on from them.
     * NULL: it goes on from all. */
    bool (*begins_again)(const struct sweep *s, uint32_t group);
    /*
     * Puts the lane's next batch into `out`, which comes empty (no points, plan the sweep's). No
     * points: there are none for this lane now. The loop ends when no lane is at work and the
     * source waits for nothing.
     */
    bool (*next)(struct source *source, struct lane *l, struct batch *out, struct error *e);
    /* The outcome of a point of the lane's batch, with its samples and metrics: borrowed. */
    bool (*take)(struct source *source, struct lane *l, uint32_t point, struct outcome *o,
                 struct error *e);
    /* All points of the lane's batch have their outcome. NULL: nothing is to be done. */
    bool (*done)(struct source *source, struct lane *l, struct error *e);
    /*
     * The lane's device is given up, and other lanes go on: the points of its batch are theirs.
     * NULL: there is only one lane.
     */
    bool (*drop)(struct source *source, struct lane *l, struct error *e);
    /* Seconds until it is done; NULL: nobody knows, or it measures all points of the plan. */
    double (*left_s)(struct source *source);
    void (*end)(struct sweep *s); /* after the last batch: tells s->result. NULL: nothing to tell */
    void (*free)(struct source *source);
    bool by_times; /* it chooses by times: the device must have some, energy is not measured, and a
                      gate, which compares all points, has no such source */
    bool whole;    /* it goes from each n to the next, and cannot be divided into shards */
    bool some; /* it measures some of the plan's points: nobody knows how many, nor what they need
                  compiled */
};

/* What all sources begin with. */
struct source {
    const struct source_kind *kind;
    struct sweep *sweep;
    int input;  /* a descriptor that next() waits to read from; −1: it waits for nothing … */
    int output; /* … and one that it waits to write to */
};

/* Puts a batch's points in order, each once. */
void batch_sort(struct batch *b);

/* The kind of source that a config asks for. */
const struct source_kind *source_kind_of(const struct config *c);

#endif
