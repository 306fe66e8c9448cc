/*
 * Escapes control characters in output. Strings from files (a config, a kernel's name, a cell) may
 * contain some, which could clear the screen, set the title, or type for the user.
 */
#ifndef REDSWEEP_BASE_TERMINAL_H
#define REDSWEEP_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/*
 * From now on, escapes everything printed to stdout and stderr. Control characters except line end
 * and tab, and bytes that are not UTF-8, become escapes such as \x1b or \u009b. A stream that goes
 * to a file is not escaped.
 */
bool terminal_protect(void);

/*
 * Returns how many columns the terminal behind stdout or stderr has, or 0 for other streams and if
 * it is not a terminal.
 */
size_t terminal_width(FILE *stream);

/*
 * Prints words and a line end after `indent` columns. On a terminal, words that do not fit continue
 * on the next line at that column. Escapes line ends among the words, which may come from a file.
 */
void terminal_print_words(FILE *stream, const char *words, size_t indent);

/*
 * Prints the output of a function to stdout. On a terminal, the output is no wider than the
 * terminal: paragraphs are rewrapped, and lines that begin with a space continue below their last
 * column.
 */
void terminal_print_filled(void (*print)(void));

#endif
