/*
 * Folds CUDA C++ to the text that the compiler reads: without comments, and without white space
 * that separates nothing.
 *
 * Two texts that fold to the same bytes have the same tokens and preprocessor lines, so they
 * compile to the same code. Literals, raw strings and the file names of headers are kept unchanged.
 * The folded text can itself be compiled. Some code can observe the white space or the line numbers
 * of its text. What it can observe is kept:
 *
 *   #define F(x), #define F (x)     differ in whether the parenthesis directly follows the name
 *   #define S(x) #x                 makes white space between tokens observable, so its presence,
 *                                   but not its amount, matters in the whole text
 *   __LINE__, assert                make line numbers observable, so every line end of the text
 *                                   matters
 *
 * Macros from other files are not expanded. If the text uses __LINE__ only through such a macro,
 * its line ends are dropped nevertheless.
 *
 * `#include "folder/file"` becomes `#include "file"`, so that a file can move to another folder.
 * The rules are those of C++17 in [lex.phases] and [lex.pptoken], and those of CUDA for <<< >>>.
 */
#ifndef REDSWEEP_BASE_CODE_H
#define REDSWEEP_BASE_CODE_H

#include <stddef.h>

#include "base/text.h"
#include "base/vec.h"

/* The names in #include and __has_include, without "" or <>, in the order of the text. */
typedef VEC(char *) code_includes;

/*
 * Folds the `length` bytes at `code`, which need not be valid code, and appends the result to
 * `out`. If `includes` is not NULL, also appends the names of the included files to it; the caller
 * frees them with code_includes_free().
 */
void code_fold(const char *code, size_t length, struct text *out, code_includes *includes);
void code_includes_free(code_includes *includes);

#endif
