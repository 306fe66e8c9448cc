/* Runs another program and reads what it prints. */
#ifndef REDSWEEP_BASE_PROGRAM_H
#define REDSWEEP_BASE_PROGRAM_H

#include "base/error.h"
#include "base/text.h"

/*
 * Runs a program found in PATH with these arguments (NULL-terminated, beginning with its name), and
 * appends what it prints on stdout. The program inherits this process's stderr. Fails with
 * ERROR_SYSTEM if the program cannot be started or does not exit with 0.
 */
bool program_run(const char *const *arguments, struct text *printed, struct error *e);

/* The name with which this program was called, for messages that tell the user what to type. */
extern const char *program_name;

/* Appends `word` quoted for a POSIX shell. */
void shell_quote(struct text *t, const char *word);

/* Like shell_quote(), but leaves a word unquoted if the shell would not change it. */
void shell_word(struct text *t, const char *word);

/*
 * Appends `commands`, in which the first @ is replaced by the first of `words`, quoted for the
 * shell, the second @ by the second word, and so on.
 */
void shell_append(struct text *t, const char *commands, const char *const *words);

#endif
