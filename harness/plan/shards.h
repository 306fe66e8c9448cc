/*
 * Divides a sweep into shards: see plan_keep_shard().
 */
#ifndef REDSWEEP_PLAN_SHARDS_H
#define REDSWEEP_PLAN_SHARDS_H

#include <stdint.h>

#include "base/error.h"
#include "plan/plan.h"

enum { SHARDS_MAX = 100000 };

/*
 * A shard is one part of a sweep that is measured in several folders. If `count` is 0, the shard is
 * the whole sweep.
 */
struct shard {
    uint32_t index, count; /* the index is less than the count */
};

/* Parses a shard such as "3/16". If the text is invalid, fails with ERROR_USAGE and a message that
 * begins with `option`. */
bool shard_parse(const char *option, const char *text, struct shard *out, struct error *e);

/* Writes the shard as a string such as "3/16", or "" for the whole sweep. Returns `text`. */
const char *shard_text(struct shard shard, char text[24]);

/*
 * Keeps the points of one shard of a plan. Every point of the plan is in exactly one shard.
 *
 * Whole curves are distributed. A curve contains all sizes of one type, operation, cache state,
 * workload, backend and combination of run-time axes. If there are fewer than two curves per shard,
 * groups are distributed instead; a group is one size of a curve. A group is never split, so points
 * that are ranked against each other are measured by one process on one card.
 *
 * The parts are distributed by estimated cost, the most expensive first. Each part goes to the
 * shard with the lowest cost so far. The cost of the most expensive shard is at most 4/3 of what it
 * would be in the best division (Graham, Bounds on multiprocessing timing anomalies, 1969). Parts
 * of equal cost are ordered by a hash with the config's seed, so that the shards do not divide the
 * plan along one axis. The division depends only on the config and its kernels, so it is the same
 * on hosts with different devices.
 */
void plan_keep_shard(struct plan *p, struct shard shard);

/* Removes the variants that no point needs. */
void plan_keep_used_variants(struct plan *p);

/* Returns the size of a point's input in bytes. */
double plan_point_bytes(const struct point *point);

/*
 * Estimates the cost of a group, as the number of bytes that could be read in the same time. The
 * estimate is used to compare groups.
 */
double plan_group_cost(const struct plan *p, const struct group *g);

#endif
