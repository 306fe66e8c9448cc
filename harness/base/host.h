/* Properties of the machine on which redsweep runs. */
#ifndef REDSWEEP_BASE_HOST_H
#define REDSWEEP_BASE_HOST_H

#include <stdbool.h>

bool host_is_container(void); /* true inside Docker or Podman */
bool host_is_wsl(void);       /* true for Linux inside Windows */

/* Returns the number of processors, but at least 1 and at most `most`. */
int host_processors(int most);

#endif
