/*
 * This is the strategy `transfer` for one problem at one n. It uses the measurements so far to
 * choose the points to measure next. It does not measure anything itself and does not use a device.
 * A search has three phases:
 *
 * Start: At the smallest n, the first batch contains random points. At each larger n it contains
 * some of these random points (probes) and the best points of the previous n. It also contains
 * points that the model (model.h) predicts to be fast.
 *
 * Descent: Small batches of the points that the model predicts to be fastest race against the best
 * points so far, until a batch brings no improvement.
 *
 * Final: The best points get more samples, all in the same rounds.
 *
 * The choice depends only on the plan, the config and the measurements. docs/search.md explains it.
 */
#ifndef REDSWEEP_SEARCH_TRANSFER_H
#define REDSWEEP_SEARCH_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "measure/group.h"
#include "plan/plan.h"
#include "search/model.h"

/* The state of a point of the group. */
struct searched {
    VEC(double) samples; /* the samples from all batches, in µs */
    bool asked;          /* the point was in a batch */
    bool random;         /* the point was chosen at random */
    bool failed;         /* the point has no times and is not requested again */
    bool finalist;
    bool compiled;  /* the point's variant was measured, at this n or at the previous n */
    uint32_t batch; /* the batch in which the point was requested */
    uint64_t draw;  /* random points are those with the smallest draws */
};

enum { TRANSFER_FEWEST = 2 }; /* the minimum number of batches of a descent */

enum transfer_phase { TRANSFER_START, TRANSFER_DESCENT, TRANSFER_FINAL, TRANSFER_DONE };

struct transfer_search {
    const struct plan *plan; /* the plan and the config are borrowed */
    const struct config_search *config;
    struct group group;
    struct searched *points; /* an entry for each point of the group */
    uint32_t *tops;          /* the positions of the best points of the previous n, best first */
    uint32_t top_count;
    enum transfer_phase phase; /* the phase of the next batch */
    uint32_t batches;          /* the number of batches of the descent */
    struct model model;
    bool hurry; /* the descent ends now; the caller sets this when time is short */
};

/* A batch of points to measure together, given by their numbers in the plan. */
struct search_batch {
    VEC(uint32_t) points;
    struct sampling sampling;
};

/*
 * Begins the search of a group. `tops` contains the best points of the problem at the previous n
 * (numbers in the plan), best first. `before` contains all measurements at that n. Both are empty
 * at the smallest n. transfer_end() frees the memory.
 */
void transfer_begin(struct transfer_search *t, const struct plan *plan, uint32_t group,
                    const struct config_search *config, const uint32_t *tops, uint32_t top_count,
                    const struct observations *before);
void transfer_end(struct transfer_search *t);

/* Chooses the next batch. Returns false if the search of this group has ended. `out` must be
 * zero-initialized and is reused. */
bool transfer_next(struct transfer_search *t, struct search_batch *out);

/* Returns the phase for which the latest batch was chosen. */
enum transfer_phase transfer_asked(const struct transfer_search *t);

/*
 * transfer_ahead() returns how many points a search will still request in each phase, if its
 * descent takes `more` batches beyond the minimum. Before the first batch, only the config,
 * top_count and group.count of the search must be set. transfer_launches() returns the approximate
 * number of launches of each point of a batch in a phase.
 */
void transfer_ahead(const struct transfer_search *t, double more, double points[TRANSFER_DONE]);
double transfer_launches(const struct config_search *c, enum transfer_phase asked);

/*
 * Receives the result of a batch for a point (its number in the plan): the samples in µs, or none
 * if the point failed. Samples of the final replace earlier samples. The earlier samples are
 * biased, because they were used to select the point.
 */
void transfer_take(struct transfer_search *t, uint32_t point, const double *samples, size_t count);

/*
 * Returns the point (its number in the plan) with the best median so far. Only points with enough
 * samples are compared. After the final, only the finalists are compared. Returns UINT32_MAX if
 * there is none.
 */
uint32_t transfer_best(const struct transfer_search *t);

/* Writes the finalists (numbers in the plan) in the order of their medians, and returns their
 * number, at most config->finalists. */
uint32_t transfer_tops(const struct transfer_search *t, uint32_t *out);

#endif
