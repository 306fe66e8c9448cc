/* The commands in harness/analyze. */
#ifndef REDSWEEP_ANALYZE_COMMANDS_H
#define REDSWEEP_ANALYZE_COMMANDS_H

#include "base/command.h"

int command_export(int count, char **arguments, struct error *e);
void help_export(void);
int command_merge(int count, char **arguments, struct error *e);
void help_merge(void);
int command_status(int count, char **arguments, struct error *e);
void help_status(void);
int command_log(int count, char **arguments, struct error *e);
void help_log(void);
int command_history(int count, char **arguments, struct error *e);
void help_history(void);
int command_show(int count, char **arguments, struct error *e);
void help_show(void);
void help_diff(void);

#endif
