/*
 * The commands of this room.
 */
#ifndef REDSWEEP_TUNED_COMMANDS_H
#define REDSWEEP_TUNED_COMMANDS_H

#include "base/command.h"

int command_tuned(int count, char **arguments, struct error *e);
void help_tuned(void);

#endif
