/*
 * Folds CUDA C++ to the text that the compiler reads: without comments, and without white space
 * that separates nothing.
 *
 * Two texts that fold to the same bytes have the same tokens and preprocessor lines, so they
 * compile to the same code. Differences in a literal, a raw string or a header's name remain. The
 * folded text can itself be compiled. It keeps what code can observe although the tokens are equal:
 *
 *   #define F(x), #define F (x)     differ in whether the parenthesis directly follows the name
 *   #define S(x) #x                 makes white space between tokens observable, so its presence,
 *                                   but not its amount, matters in the whole text
 *   __LINE__, assert                make line numbers observable, so every line end of the text
 *                                   matters
 *
 * Macros of other files are not seen. A text that uses __LINE__ through one is folded as if it did
 * not.
 *
 * The folder in `#include "folder/file"` is left out, because a file may move. The rules are those
 * of C++17 in [lex.phases] and [lex.pptoken], and those of CUDA for <<< >>>.
 */
#ifndef REDSWEEP_BASE_CODE_H
#define REDSWEEP_BASE_CODE_H

#include <stddef.h>

#include "base/text.h"
#include "base/vec.h"

/* The names in #include and __has_include, without "" or <>, in order. */
typedef VEC(char *) code_includes;

/*
 * Appends the folded `code` (any `length` bytes) to `out`. Appends the names to `includes` unless
 * that is NULL; the caller frees them with code_includes_free().
 */
void code_fold(const char *code, size_t length, struct text *out, code_includes *includes);
void code_includes_free(code_includes *includes);

#endif
