/*
 * What kind of machine this is, as far as it decides what a user can do about it.
 */
#ifndef REDSWEEP_BASE_HOST_H
#define REDSWEEP_BASE_HOST_H

#include <stdbool.h>

bool host_is_container(void); /* Docker or Podman */
bool host_is_wsl(void);       /* Linux inside Windows */

/* How many processors there are, from 1 to `most`. */
int host_processors(int most);

#endif
