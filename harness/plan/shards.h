/*
 * Divides a sweep into shards, parts that several processes or hosts measure in separate folders.
 */
#ifndef REDSWEEP_PLAN_SHARDS_H
#define REDSWEEP_PLAN_SHARDS_H

#include <stdint.h>

#include "base/error.h"
#include "plan/plan.h"

enum { SHARDS_MAX = 100000 };

/* Shard number `index` of `count` shards. With `count` 0, the whole sweep. */
struct shard {
    uint32_t index, count; /* the index is less than the count */
};

/* Parses a shard such as "3/16". Fails with ERROR_USAGE if the text is invalid; the message begins
 * with `option`. */
bool shard_parse(const char *option, const char *text, struct shard *out, struct error *e);

/* Writes the shard, such as "3/16", or "" for the whole sweep. Returns `text`. */
const char *shard_text(struct shard shard, char text[24]);

/*
 * Keeps one shard's points in a plan. Every point of the plan is in exactly one shard.
 *
 * A shard consists of whole curves. A curve contains the groups of all sizes n that agree in type,
 * operation, cache state, workload, backend and run-time axes. If there are fewer than two curves
 * per shard, single groups are distributed instead. Groups are never split, so points that are
 * compared with each other are measured by one process on one card.
 *
 * The curves or groups are distributed in descending order of their estimated cost. Each goes to
 * the shard that costs least so far. The most expensive shard then costs at most 4/3 of what it
 * would in the best division (Graham, Bounds on multiprocessing timing anomalies, 1969). Parts of
 * equal cost are ordered by a hash with the config's seed, so that the shards do not divide the
 * plan along one axis. The division depends only on the config and its kernels, so it is the same
 * on hosts with different devices.
 */
void plan_keep_shard(struct plan *p, struct shard shard);

/* Removes variants that no point needs. */
void plan_keep_used_variants(struct plan *p);

/* Returns the size of a point's input in bytes. */
double plan_point_bytes(const struct point *point);

/*
 * Estimates how long measuring a group takes, in bytes: the number of bytes that could be read in
 * the same time.
 */
double plan_group_cost(const struct plan *p, const struct group *g);

#endif
