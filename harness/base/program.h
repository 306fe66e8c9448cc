/*
 * Runs another program and reads what it prints.
 */
#ifndef REDSWEEP_BASE_PROGRAM_H
#define REDSWEEP_BASE_PROGRAM_H

#include "base/error.h"
#include "base/text.h"

/*
 * Runs a program found in PATH with these arguments (NULL-terminated, the first is its name) and
 * appends its stdout; its stderr is ours. ERROR_SYSTEM when it cannot be started or ends with
 * anything but 0.
 */
bool program_run(const char *const *arguments, struct text *printed, struct error *e);

/* This program as it was called, for commands that a person can type next. */
extern const char *program_name;

/* Appends `word` quoted for a POSIX shell. */
void shell_quote(struct text *t, const char *word);

/* The same, but a word that the shell would not change stays without quotes. */
void shell_word(struct text *t, const char *word);

/* Appends shell commands; each @ stands for the next of `words`, quoted. */
void shell_append(struct text *t, const char *commands, const char *const *words);

#endif
