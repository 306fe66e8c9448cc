/*
 * Keeps loaded kernels in a store for later groups, so that each worker loads a variant only once.
 *
 * Loading takes about a millisecond, and a profiler that instruments machine code must do so again
 * after every load. The store is emptied when it has more than MODULES_MAX modules, so that a run
 * with many variants does not fill the device with code.
 */
#ifndef REDSWEEP_MEASURE_MODULES_H
#define REDSWEEP_MEASURE_MODULES_H

#include "measure/group.h"

enum { MODULES_MAX = 2048 };

/* Compiles a variant, or takes it from the cache on disk, and loads it. `info` may be NULL. */
bool module_load(const struct bench *b, const struct kernel *k, const struct variant *v,
                 struct module **module, struct module_info *info, struct error *e);

struct modules; /* one store per worker; NULL before the first module */

/*
 * Compiles the points' variants that are not in the store yet, on b->threads threads. modules_get()
 * loads them later. If a variant does not compile, every modules_get() for this variant fails.
 */
void modules_compile(struct bench *b, const struct task_point *points, uint32_t count);

/* Returns a variant's module, and loads it if it is not in the store. The store owns it. */
bool modules_get(struct bench *b, const struct variant *variant, struct module **module,
                 struct module_info *info, struct error *e);

/* Empties the store if it has more than MODULES_MAX modules. Call this only between groups, when no
 * module is in use. */
void modules_trim(struct bench *b);

/* Unloads all modules, or, if `device_lost` is true, forgets them without a call to the device. */
void modules_free(struct bench *b, bool device_lost);

#endif
