/*
 * Applies the config's `exclude` and `skip` while a plan is built. The axes get their values one
 * level after another. An entry that is true at a level excludes all combinations of the remaining
 * axes at once. One that is false is not evaluated at lower levels. Private to this folder.
 */
#ifndef REDSWEEP_PLAN_EXCLUDES_H
#define REDSWEEP_PLAN_EXCLUDES_H

#include "base/text.h"
#include "plan/plan.h"

/* First the kernel and the axes that make groups, then the block size, the unroll factor, and one
 * tunable per level. */
enum {
    LEVEL_KERNEL,
    LEVEL_BLOCK,
    LEVEL_UNROLL,
    LEVEL_TUNABLES, /* the first tunable's level; the others follow */
    LEVEL_COUNT = LEVEL_TUNABLES + KERNEL_MAX_TUNABLES + 1
};

struct excludes {
    const struct plan *plan;
    int *open[LEVEL_COUNT]; /* the entries that are undecided before each level */
    int open_count[LEVEL_COUNT];
    bool *used; /* which entries have excluded a combination */
};

/* Checks the names in all entries first, because an entry may be evaluated late or never. For an
 * unknown name, fails with an ERROR_CONFIG that suggests the most similar one. */
bool excludes_begin(struct excludes *x, const struct plan *plan, struct error *e);
void excludes_end(struct excludes *x);

/* Returns whether an entry is true for all points that agree with `p` up to this level. */
bool excludes_narrow(struct excludes *x, const struct point *p, int level);

/* Sets *excluded to whether an entry is true for a complete point, with all tunables chosen. An
 * evaluation that fails is an error. */
bool excludes_apply(struct excludes *x, const struct point *p, int level, bool *excluded,
                    struct error *e);

/* Sets *reason to that of the first entry in `skip` that is true for a complete point, or to NULL.
 * An evaluation that fails is an error. */
bool excludes_skip(const struct excludes *x, const struct point *p, const char **reason,
                   struct error *e);

/*
 * Appends a line for each entry that excluded nothing, or only what other entries exclude as well.
 * Entries that use the device are not listed; they may be meant for other devices.
 */
void excludes_note_unused(const struct excludes *x, struct text *notes);

#endif
