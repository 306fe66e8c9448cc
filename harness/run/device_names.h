/*
 * Lists the devices that the option --device names. If there are several, they measure at the same
 * time.
 */
#ifndef REDSWEEP_RUN_DEVICE_NAMES_H
#define REDSWEEP_RUN_DEVICE_NAMES_H

#include "base/error.h"
#include "base/vec.h"

struct device_names {
    VEC(char *) items; /* names that device_open() accepts */
};

/*
 * Lists the devices that `option`, the argument of --device, names. device_list() runs in a
 * separate process, because a process that has looked for GPUs must not fork workers. Free `out`
 * with device_names_free(), even after an error.
 */
bool device_names_find(const char *option, struct device_names *out, struct error *e);
void device_names_free(struct device_names *names);

#endif
