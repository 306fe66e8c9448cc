/*
 * What goes to the terminal: texts of files (a config, a kernel's name, a cell) may hold control
 * characters, which would clear the screen, set the title or type for the user.
 */
#ifndef REDSWEEP_BASE_TERMINAL_H
#define REDSWEEP_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/*
 * From here on all that is printed to stdout and stderr is escaped: control characters but line end
 * and tab, and bytes that are not UTF-8, become \x1b or \u009b. A stream that is written to a file
 * is not.
 */
bool terminal_protect(void);

/* The columns of the terminal that stdout or stderr is; 0 where the stream is another one, or no terminal. */
size_t terminal_width(FILE *stream);

/* Prints words and a line's end behind what fills `indent` columns; where a terminal ends they go on below. A line end among
 * the words is escaped: they may be of a file. */
void terminal_print_words(FILE *stream, const char *words, size_t indent);

/*
 * Prints what a function prints to stdout, on a terminal no wider than it is: paragraphs are filled anew, and lines
 * that begin with a blank go on below their last column.
 */
void terminal_print_filled(void (*print)(void));

#endif
