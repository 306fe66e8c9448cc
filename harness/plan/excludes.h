/*
 * The config's excludes, and what it skips, while a plan is built. Axes are chosen one after another (levels); an entry
 * that is true whatever the rest will be excludes all combinations of the rest at once, and one
 * that is false whatever the rest will be is not looked at again below. Private to this room.
 */
#ifndef REDSWEEP_PLAN_EXCLUDES_H
#define REDSWEEP_PLAN_EXCLUDES_H

#include "base/text.h"
#include "plan/plan.h"

/* What has just been chosen: what groups differ in, and the kernel; its block; … */
enum {
    LEVEL_KERNEL,
    LEVEL_BLOCK,
    LEVEL_UNROLL,
    LEVEL_TUNABLES, /* the first tunable; the next one is at the next level */
    LEVEL_COUNT = LEVEL_TUNABLES + KERNEL_MAX_TUNABLES + 1
};

struct excludes {
    const struct plan *plan;
    int *open[LEVEL_COUNT]; /* entries that are not decided before a level, by their numbers … */
    int open_count[LEVEL_COUNT];
    bool *used; /* by entry: it has excluded something */
};

/*
 * Checks the names in all entries (ERROR_CONFIG with the nearest known one): an entry may be
 * evaluated late, or never.
 */
bool excludes_begin(struct excludes *x, const struct plan *plan, struct error *e);
void excludes_end(struct excludes *x);

/* True where an entry is true of all points that are as `p` up to this level. */
bool excludes_narrow(struct excludes *x, const struct point *p, int level);

/* The same for a whole point whose tunables are chosen,
 * where an evaluation that fails is an error. */
bool excludes_apply(struct excludes *x, const struct point *p, int level, bool *excluded,
                    struct error *e);

/* Why the config skips a whole point: the reason of the first entry that is true of it; NULL: it does
 * not. An evaluation that fails is an error. */
bool excludes_skip(const struct excludes *x, const struct point *p, const char **reason,
                   struct error *e);

/* Appends a line for each entry that has excluded nothing that another had not excluded before. One
 * that asks for the device is meant for others, too. */
void excludes_note_unused(const struct excludes *x, struct text *notes);

#endif
