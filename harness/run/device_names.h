/*
 * The devices that --device names: one, or several that measure at the same time.
 */
#ifndef REDSWEEP_RUN_DEVICE_NAMES_H
#define REDSWEEP_RUN_DEVICE_NAMES_H

#include "base/error.h"
#include "base/vec.h"

struct device_names {
    VEC(char *) items; /* each as device_open() takes it */
};

/*
 * Lists them (device_list()) in a separate process, because a process that has looked for GPUs must
 * not fork workers. Freed by device_names_free(), also after an error.
 */
bool device_names_find(const char *option, struct device_names *out, struct error *e);
void device_names_free(struct device_names *names);

#endif
