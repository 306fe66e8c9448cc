/* The commands whose code needs several folders of the harness, such as run/ and analyze/. */
#ifndef REDSWEEP_CLI_COMMANDS_H
#define REDSWEEP_CLI_COMMANDS_H

#include "base/command.h"

int command_best(int count, char **arguments, struct error *e);
void help_best(void);
int command_doctor(int count, char **arguments, struct error *e);
void help_doctor(void);
int command_diff(int count, char **arguments, struct error *e); /* analyze/ declares help_diff() */
int command_gate(int count, char **arguments, struct error *e);
void help_gate(void);
int command_list(int count, char **arguments, struct error *e);
void help_list(void);
int command_import(int count, char **arguments, struct error *e);
void help_import(void);
int command_new(int count, char **arguments, struct error *e);
void help_new(void);
int command_plots(int count, char **arguments, struct error *e);
void help_plots(void);
int command_report(int count, char **arguments, struct error *e);
void help_report(void);
int command_run(int count, char **arguments, struct error *e);
void help_run(void);
int command_resume(int count, char **arguments, struct error *e);
void help_resume(void);
int command_racecheck(int count, char **arguments, struct error *e);
void help_racecheck(void);
int command_tuned(int count, char **arguments, struct error *e);
void help_tuned(void);

#endif
