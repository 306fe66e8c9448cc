/*
 * Loaded kernels, kept from group to group: a variant is loaded once per worker.
 *
 * Loading takes about a millisecond, and a profiler that instruments machine code repeats its work
 * for every load. Beyond MODULES_MAX the store is emptied, so that a run over many variants does
 * not fill the device with code.
 */
#ifndef REDSWEEP_MEASURE_MODULES_H
#define REDSWEEP_MEASURE_MODULES_H

#include "measure/group.h"

enum { MODULES_MAX = 2048 };

/* Compiles a variant, or takes it from the cache on disk, and loads it. `info` may be NULL. */
bool module_load(const struct bench *b, const struct kernel *k, const struct variant *v,
                 struct module **module, struct module_info *info, struct error *e);

struct modules; /* one per worker; NULL before the first module */

/*
 * Compiles the variants of these points that are not in the store, all at once with the bench's
 * threads; modules_get() then loads them. If a variant does not compile, modules_get() fails, each
 * time it is called.
 */
void modules_compile(struct bench *b, const struct task_point *points, uint32_t count);

/*
 * The module of a variant; it is loaded if it is not in the store yet. It stays the store's.
 */
bool modules_get(struct bench *b, const struct variant *variant, struct module **module,
                 struct module_info *info, struct error *e);

/* Makes room: call between groups only, when no module is in use. */
void modules_trim(struct bench *b);

/* Unloads everything. `device_lost`: forgets it without a call to the device. */
void modules_free(struct bench *b, bool device_lost);

#endif
