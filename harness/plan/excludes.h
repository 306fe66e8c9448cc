/*
 * Applies the config's `exclude` and `skip` while a plan is built. Each entry is an expression that
 * may name axes. The builder of the plan gives the axes their values in several levels. An entry
 * that is true as soon as a level's axes have values excludes all combinations of the remaining
 * axes at once. An entry that is false at a level is not evaluated again at later levels. Private
 * to this folder.
 */
#ifndef REDSWEEP_PLAN_EXCLUDES_H
#define REDSWEEP_PLAN_EXCLUDES_H

#include "base/text.h"
#include "plan/plan.h"

/* The levels in order: the first one has the kernel and all axes on which groups differ, and each
 * later one has a single axis or tunable. */
enum {
    LEVEL_KERNEL,
    LEVEL_BLOCK,
    LEVEL_UNROLL,
    LEVEL_TUNABLES, /* the first tunable's level; those of the other tunables follow */
    LEVEL_COUNT = LEVEL_TUNABLES + KERNEL_MAX_TUNABLES + 1
};

struct excludes {
    const struct plan *plan;
    int *open[LEVEL_COUNT]; /* the entries that are undecided before each level */
    int open_count[LEVEL_COUNT];
    bool *used; /* which entries have excluded a combination */
};

/* Checks the names in all entries, because an entry may be evaluated late or never. If a name is
 * unknown, fails with ERROR_CONFIG and suggests the most similar known name. */
bool excludes_begin(struct excludes *x, const struct plan *plan, struct error *e);
void excludes_end(struct excludes *x);

/* Returns whether an entry is true for all points that have the same values as `p` on the axes up
 * to this level. */
bool excludes_narrow(struct excludes *x, const struct point *p, int level);

/* Sets *excluded to whether an entry is true for `p`, whose axes and tunables all have values.
 * Returns an error if an entry cannot be evaluated. */
bool excludes_apply(struct excludes *x, const struct point *p, int level, bool *excluded,
                    struct error *e);

/* Sets *reason to the reason in the first entry of `skip` that is true for `p`, whose axes and
 * tunables all have values, or to NULL. Returns an error if an entry cannot be evaluated. */
bool excludes_skip(const struct excludes *x, const struct point *p, const char **reason,
                   struct error *e);

/*
 * Appends a line for each entry that excluded no point: either it was never true, or other entries
 * had excluded the points before it was evaluated. Entries that use the device are not listed,
 * because they may be meant for other devices.
 */
void excludes_note_unused(const struct excludes *x, struct text *notes);

#endif
