/*
 * The strategy `transfer`, for one problem at one n: chooses the points to measure next, from the
 * measurements so far. It measures nothing itself and uses no device.
 *
 * Start: at the smallest n random points; at each larger n some of these (probes), the best ones of
 * the previous n, and those that the model (model.h) predicts to be fast.
 *
 * Descent: small batches of the points that the model predicts to be fastest race against the best
 * so far, until a batch brings no improvement.
 *
 * Final: more samples for the best ones, all in the same rounds.
 *
 * The choice is a function of the plan, the config and the measurements. docs/search.md explains
 * it.
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

/* A point of the group. */
struct searched {
    VEC(double) samples; /* µs, of all batches */
    bool asked;          /* it was in a batch */
    bool random;         /* it was chosen at random */
    bool failed;         /* it has no times and is not requested again */
    bool finalist;
    bool compiled;  /* its variant was measured, here or at the n before */
    uint32_t batch; /* the batch in which it was requested */
    uint64_t draw;  /* random points are those with the smallest */
};

enum { TRANSFER_FEWEST = 2 /* batches of a descent */ };

enum transfer_phase { TRANSFER_START, TRANSFER_DESCENT, TRANSFER_FINAL, TRANSFER_DONE };

struct transfer_search {
    const struct plan *plan; /* borrowed, like the config */
    const struct config_search *config;
    struct group group;
    struct searched *points; /* by position in the group */
    uint32_t *tops;          /* positions: the best points of the previous n, best first */
    uint32_t top_count;
    enum transfer_phase phase; /* phase of the next batch */
    uint32_t batches;          /* of the descent */
    struct model model;
    bool hurry; /* no further descent: set by the caller when time is short */
};

/* Points to measure together, by their numbers in the plan. */
struct search_batch {
    VEC(uint32_t) points;
    struct sampling sampling;
};

/*
 * Begins the search of a group. `tops` are points (numbers in the plan) of the problem at the
 * previous n, best first, and `before` all measurements there; none at the smallest n.
 * transfer_end() frees its memory.
 */
void transfer_begin(struct transfer_search *t, const struct plan *plan, uint32_t group,
                    const struct config_search *config, const uint32_t *tops, uint32_t top_count,
                    const struct observations *before);
void transfer_end(struct transfer_search *t);

/* The next batch; false if the search of this group is over. `out` starts zeroed and is reused. */
bool transfer_next(struct transfer_search *t, struct search_batch *out);

/* The purpose of the latest batch. */
enum transfer_phase transfer_asked(const struct transfer_search *t);

/*
 * For each purpose (but TRANSFER_DONE), how many points a search will request if `more` batches of descent
 * come beyond the minimum; and the approximate number of launches of each point. Without a batch yet, only
 * the config, top_count and group.count of the search need to be set.
 */
void transfer_ahead(const struct transfer_search *t, double more, double points[TRANSFER_DONE]);
double transfer_launches(const struct config_search *c, enum transfer_phase asked);

/*
 * Takes the result of a batch for a point (its number in the plan): samples in µs, none if it
 * failed. Samples of the final replace earlier ones, which selected the point and are therefore
 * biased.
 */
void transfer_take(struct transfer_search *t, uint32_t point, const double *samples, size_t count);

/*
 * The best point so far (its number in the plan) by its median, among those with enough samples;
 * after the final, among the finalists. UINT32_MAX if there is none.
 */
uint32_t transfer_best(const struct transfer_search *t);

/* The finalists (numbers in the plan) by median, the best first; at most config->finalists. */
uint32_t transfer_tops(const struct transfer_search *t, uint32_t *out);

#endif
