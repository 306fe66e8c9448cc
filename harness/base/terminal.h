/*
 * Escapes control characters in output. Strings from files (a config, a kernel's name, a table's
 * cell) may contain control characters that clear the terminal's screen, change its title, or act
 * as if the user had typed something.
 */
#ifndef REDSWEEP_BASE_TERMINAL_H
#define REDSWEEP_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/*
 * From now on, escapes what is printed to stdout and stderr: control characters except line end and
 * tab, and bytes that are not UTF-8, become text such as \x1b or \u009b. Other streams are not
 * affected. Returns false if the streams cannot be replaced.
 */
bool terminal_protect(void);

/*
 * Returns the width in columns of the terminal to which `stream` (stdout or stderr) is connected.
 * Returns 0 if it is not connected to a terminal, or if `stream` is another stream.
 */
size_t terminal_width(FILE *stream);

/*
 * Prints `words` and a line end. The caller has already printed `indent` columns of the line. On a
 * terminal, words that do not fit continue on the next line, indented by `indent` columns. Control
 * characters in `words`, including line ends, are escaped, because the words may come from a file.
 */
void terminal_print_words(FILE *stream, const char *words, size_t indent);

/*
 * Prints the output of a function to stdout. On a terminal, the output is no wider than the
 * terminal: paragraphs are wrapped anew. If a line begins with a space and is too long, its last
 * column is wrapped, and the other columns are left as they are.
 */
void terminal_print_filled(void (*print)(void));

#endif
