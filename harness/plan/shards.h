/*
 * Divides a sweep into shards: see shard_keep().
 */
#ifndef REDSWEEP_PLAN_SHARDS_H
#define REDSWEEP_PLAN_SHARDS_H

#include <stdint.h>

#include "base/error.h"
#include "plan/plan.h"

enum { SHARDS_MAX = 100000 };

/* A part of a sweep that is measured in several folders; count 0: the whole sweep. */
struct shard {
    uint32_t index, count; /* index < count */
};

/* "3/16". ERROR_USAGE, which begins with `option`, for an invalid text. */
bool shard_parse(const char *option, const char *text, struct shard *out, struct error *e);

/* "3/16"; "" for the whole sweep. Returns `text`. */
const char *shard_text(struct shard shard, char text[24]);

/*
 * Keeps the points of one shard of a plan. Every point of the plan is in exactly one shard.
 *
 * Whole curves are distributed: all sizes of one type, operation, cache state, workload, backend
 * and run-time axes. If there are fewer than two curves per shard, groups (one size of a curve) are
 * distributed instead. A group is never split, so points that are ranked against each other are
 * measured by one process on one card.
 *
 * The parts go to the shards by estimated cost, the most expensive first, each to the shard with
 * the least so far (Graham, Bounds on multiprocessing timing anomalies, 1969: at most 4/3 of the
 * best division). Parts of equal cost are ordered by the config's seed, so that no axis coincides
 * with the shards. The division depends only on the config and its kernels, so it is the same on
 * hosts with different devices.
 */
void plan_keep_shard(struct plan *p, struct shard shard);

/* Drops the variants that no point needs any more. */
void plan_keep_used_variants(struct plan *p);

/* Bytes of a point's input. */
double plan_point_bytes(const struct point *point);

/* The approximate cost of a group, in bytes that could be read in the same time: to compare
 * groups. */
double plan_group_cost(const struct plan *p, const struct group *g);

#endif
