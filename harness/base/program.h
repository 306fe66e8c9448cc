/* These functions run another program and read what it prints. */
#ifndef REDSWEEP_BASE_PROGRAM_H
#define REDSWEEP_BASE_PROGRAM_H

#include "base/error.h"
#include "base/text.h"

/*
 * Runs a program that is found in PATH with these arguments (NULL-terminated; the first is its
 * name) and appends what it prints on stdout. The program inherits this process's stderr. The error
 * is ERROR_SYSTEM if the program cannot be started or does not exit with 0.
 */
bool program_run(const char *const *arguments, struct text *printed, struct error *e);

/* The name by which this program was called, for commands that a person can type next. */
extern const char *program_name;

/* Appends `word` quoted for a POSIX shell. */
void shell_quote(struct text *t, const char *word);

/* Does the same, but leaves a word without quotes if the shell would not change it. */
void shell_word(struct text *t, const char *word);

/* Appends shell commands. Each @ is replaced by the next of `words`, quoted. */
void shell_append(struct text *t, const char *commands, const char *const *words);

#endif
