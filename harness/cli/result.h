/*
 * The end of `run` and `resume`: what was found, and what to type next.
 */
#ifndef REDSWEEP_CLI_RESULT_H
#define REDSWEEP_CLI_RESULT_H

/* Prints the winners of the run in a folder, or its counts; nothing for one that cannot be read. */
void show_result(const char *folder);

#endif
