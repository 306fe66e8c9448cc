/*
 * The end of `run` and `resume`: what was found, and what to type next.
 */
#ifndef REDSWEEP_CLI_RESULT_H
#define REDSWEEP_CLI_RESULT_H

/* Prints the summary of the run in a folder; one that cannot be read has none. */
void show_result(const char *folder);

#endif
