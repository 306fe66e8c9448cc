/*
 * Applies the config's `exclude` and `skip` while a plan is built. The values of the axes are
 * chosen one level after another. If an entry is already true at a level, it excludes all
 * combinations of the remaining axes at once. If it is already false, it is not evaluated at lower
 * levels. This header is private to the folder.
 */
#ifndef REDSWEEP_PLAN_EXCLUDES_H
#define REDSWEEP_PLAN_EXCLUDES_H

#include "base/text.h"
#include "plan/plan.h"

/* The kernel, and the values of the axes that make groups, are chosen at the first level. The next
 * levels choose the block size, the unroll factor, and then one tunable each. */
enum {
    LEVEL_KERNEL,
    LEVEL_BLOCK,
    LEVEL_UNROLL,
    LEVEL_TUNABLES, /* the level of the first tunable; each further tunable has the next level */
    LEVEL_COUNT = LEVEL_TUNABLES + KERNEL_MAX_TUNABLES + 1
};

struct excludes {
    const struct plan *plan;
    int *open[LEVEL_COUNT]; /* the indices of the entries that are undecided before each level */
    int open_count[LEVEL_COUNT];
    bool *used; /* whether each entry has excluded a combination */
};

/* Checks the names in all entries in advance, because an entry may be evaluated late, or never. If
 * a name is unknown, fails with an ERROR_CONFIG that suggests the most similar known name. */
bool excludes_begin(struct excludes *x, const struct plan *plan, struct error *e);
void excludes_end(struct excludes *x);

/* Returns whether an entry is true for all points that agree with `p` up to this level. */
bool excludes_narrow(struct excludes *x, const struct point *p, int level);

/* Sets *excluded to true if an entry is true for a complete point, whose tunables have all been
 * chosen, and to false otherwise. An evaluation that fails is an error. */
bool excludes_apply(struct excludes *x, const struct point *p, int level, bool *excluded,
                    struct error *e);

/* Sets *reason to the reason of the first entry of `skip` that is true for a complete point, or to
 * NULL if there is none. An evaluation that fails is an error. */
bool excludes_skip(const struct excludes *x, const struct point *p, const char **reason,
                   struct error *e);

/*
 * Appends a line for each entry that excluded nothing, or only combinations that other entries
 * exclude as well. Entries that use the device are not listed, because they are also meant for
 * other devices.
 */
void excludes_note_unused(const struct excludes *x, struct text *notes);

#endif
