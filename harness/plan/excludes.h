/*
 * The config's `exclude` and `skip`, applied while a plan is built. Axes are chosen one after another (levels). An
 * entry that is already true excludes all combinations of the remaining axes at once, and one that is already false is
 * not evaluated again at lower levels. Private to this room.
 */
#ifndef REDSWEEP_PLAN_EXCLUDES_H
#define REDSWEEP_PLAN_EXCLUDES_H

#include "base/text.h"
#include "plan/plan.h"

/* The axes chosen at a level: those of groups, and the kernel; its block; … */
enum {
    LEVEL_KERNEL,
    LEVEL_BLOCK,
    LEVEL_UNROLL,
    LEVEL_TUNABLES, /* the first tunable; the next one is at the next level */
    LEVEL_COUNT = LEVEL_TUNABLES + KERNEL_MAX_TUNABLES + 1
};

struct excludes {
    const struct plan *plan;
    int *open[LEVEL_COUNT]; /* numbers of the entries that are undecided before a level … */
    int open_count[LEVEL_COUNT];
    bool *used; /* for each entry: it has excluded something */
};

/*
 * Checks the names in all entries (ERROR_CONFIG with the nearest known one), because an entry may
 * be evaluated late, or never.
 */
bool excludes_begin(struct excludes *x, const struct plan *plan, struct error *e);
void excludes_end(struct excludes *x);

/* True where an entry is true of all points that are as `p` up to this level. */
bool excludes_narrow(struct excludes *x, const struct point *p, int level);

/* The same for a complete point whose tunables are chosen; an evaluation that fails is then an
 * error. */
bool excludes_apply(struct excludes *x, const struct point *p, int level, bool *excluded,
                    struct error *e);

/* Why the config skips a complete point: the reason of the first entry that is true for it; NULL: it
 * does not. An evaluation that fails is an error. */
bool excludes_skip(const struct excludes *x, const struct point *p, const char **reason,
                   struct error *e);

/* Appends a line for each entry that has excluded nothing that another entry had not already
 * excluded. An entry that uses the device is not listed, because it is meant for others as well. */
void excludes_note_unused(const struct excludes *x, struct text *notes);

#endif
