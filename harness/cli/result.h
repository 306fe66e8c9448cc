/*
 * The end of `run` and `resume`: what was found, what that says, and what to type next.
 */
#ifndef REDSWEEP_CLI_RESULT_H
#define REDSWEEP_CLI_RESULT_H

#include "analyze/conclusion.h"

/* What a conclusion needs beside the run, from the folder of the shipped kernels; empty without one. */
void conclusion_sources_find(const struct results *r, struct conclusion_sources *out);

/* Prints the winners of the run in a folder, or its counts; nothing for one that cannot be read. */
void show_result(const char *folder);

#endif
