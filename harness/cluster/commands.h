/* The commands that run sweeps as jobs on a cluster. */
#ifndef REDSWEEP_CLUSTER_COMMANDS_H
#define REDSWEEP_CLUSTER_COMMANDS_H

#include "base/command.h"

int command_submit(int count, char **arguments, struct error *e);
void help_submit(void);

#endif
