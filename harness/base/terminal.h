/*
 * Output to the terminal: texts from files (a config, a kernel's name, a cell) may contain control
 * characters, which could clear the screen, set the title or type for the user.
 */
#ifndef REDSWEEP_BASE_TERMINAL_H
#define REDSWEEP_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/*
 * From this call on, everything printed to stdout and stderr is escaped: control characters except
 * line end and tab, and bytes that are not UTF-8, become \x1b or \u009b. A stream that is written
 * to a file stays unescaped.
 */
bool terminal_protect(void);

/* The columns of the terminal behind stdout or stderr; 0 if the stream is neither of them, or is not a
 * terminal. */
size_t terminal_width(FILE *stream);

/* Prints words and a line end after `indent` columns; on a terminal, words that do not fit continue on the next line at
 * that column. A line end among the words is escaped, because they may come from a file. */
void terminal_print_words(FILE *stream, const char *words, size_t indent);

/*
 * Prints the output of a function to stdout, on a terminal no wider than the terminal: paragraphs are refilled, and
 * lines that begin with a blank continue below their last column.
 */
void terminal_print_filled(void (*print)(void));

#endif
