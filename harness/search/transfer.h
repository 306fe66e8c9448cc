/*
 * The strategy `transfer` searches for the fastest point of a group, which consists of all points
 * of one problem at one n. From the measurements so far, it chooses the points to measure next. It
 * measures nothing itself and uses no device. A search has three phases:
 *
 * Start: At the smallest n, the first batch is random. At each larger n, the first batch has some
 * of these random points (probes), the best points of the previous n, and points that the model
 * (model.h) predicts to be fast.
 *
 * Descent: In each small batch, the points that the model predicts to be the fastest are measured
 * together with the best points so far, until a batch brings no improvement.
 *
 * Final: The best points (finalists) get more samples, all in the same rounds.
 *
 * The choice of points depends only on the plan, the config and the measurements; see
 * docs/search.md.
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
    VEC(double) samples; /* from all batches, in µs */
    bool asked;          /* was in a batch */
    bool random;         /* was chosen at random */
    bool failed;         /* its measurement failed, so it is not requested again */
    bool finalist;
    bool compiled;  /* its variant was measured at this n or the previous one */
    uint32_t batch; /* the batch that requested it */
    uint64_t draw;  /* the points with the smallest draws are the random ones */
};

enum { TRANSFER_FEWEST = 2 }; /* the fewest batches that a descent takes */

enum transfer_phase { TRANSFER_START, TRANSFER_DESCENT, TRANSFER_FINAL, TRANSFER_DONE };

struct transfer_search {
    const struct plan *plan; /* borrowed, like the config */
    const struct config_search *config;
    struct group group;
    struct searched *points; /* one for each point of the group */
    uint32_t *tops;          /* positions of the best points at the previous n, best first */
    uint32_t top_count;
    enum transfer_phase phase; /* the phase of the next batch */
    uint32_t batches;          /* number of batches in the descent so far */
    struct model model;
    bool hurry; /* set by the caller to end the descent when time is short */
};

/* Points to measure together, by their numbers in the plan. */
struct search_batch {
    VEC(uint32_t) points;
    struct sampling sampling;
};

/*
 * Begins the search of a group. `tops` are the best points of the problem at the previous n
 * (numbers in the plan), best first, and `before` all measurements at that n. Both are empty at the
 * smallest n. Free the search with transfer_end().
 */
void transfer_begin(struct transfer_search *t, const struct plan *plan, uint32_t group,
                    const struct config_search *config, const uint32_t *tops, uint32_t top_count,
                    const struct observations *before);
void transfer_end(struct transfer_search *t);

/* Chooses the next batch. Returns false if the search of this group has ended. `out` must be
 * zero-initialized before the first call; later calls reuse it. */
bool transfer_next(struct transfer_search *t, struct search_batch *out);

/* Returns the phase of the batch that was chosen last. */
enum transfer_phase transfer_asked(const struct transfer_search *t);

/*
 * transfer_ahead() returns how many points a search will still request in each phase if its descent
 * takes `more` batches beyond the minimum. Before the first batch, it reads only the members
 * config, top_count and group.count of the search. transfer_launches() returns roughly how often
 * each point in a batch of the phase `asked` is launched.
 */
void transfer_ahead(const struct transfer_search *t, double more, double points[TRANSFER_DONE]);
double transfer_launches(const struct config_search *c, enum transfer_phase asked);

/*
 * Receives the result of one point in a batch: its samples in µs, or none if its measurement
 * failed. `point` is its number in the plan. In the final, the samples replace the point's earlier
 * samples, which are biased because they were used to select the point.
 */
void transfer_take(struct transfer_search *t, uint32_t point, const double *samples, size_t count);

/*
 * Returns the point (its number in the plan) with the best median so far, among points with enough
 * samples or, after the final, among the finalists. Returns UINT32_MAX if there is none.
 */
uint32_t transfer_best(const struct transfer_search *t);

/*
 * Writes the finalists (numbers in the plan) by ascending median, and returns how many there are,
 * at most config->finalists.
 */
uint32_t transfer_tops(const struct transfer_search *t, uint32_t *out);

#endif
