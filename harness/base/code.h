/*
 * These functions reduce CUDA C++ to the text that the compiler reads: without comments, and
 * without white space that separates nothing.
 *
 * Two texts that fold to the same bytes are the same tokens and the same lines of the preprocessor,
 * so they compile to the same code. A difference inside a literal, a raw string or the name of a
 * header remains a difference. The folded text is code itself and can be compiled. It keeps the
 * properties that code can observe although the tokens are equal:
 *
 *   #define F(x), #define F (x)     differ in whether the parenthesis follows the name
 *   #define S(x) #x                 shows white space between tokens: throughout the text it counts whether
 *                                   there is any, but not how much
 *   __LINE__, assert                show the numbers of lines, so every line end of the text counts
 *
 * The functions do not see macros of other files. A text that uses a __LINE__ in such a macro folds
 * like one that does not.
 *
 * The folder in `#include "folder/file"` is left out, because a file may move. The rules are those
 * of C++17 in [lex.phases] and [lex.pptoken], and those of CUDA for <<< >>>.
 */
#ifndef REDSWEEP_BASE_CODE_H
#define REDSWEEP_BASE_CODE_H

#include <stddef.h>

#include "base/text.h"
#include "base/vec.h"

/* These are the names that #include and __has_include contain, without "" or <>, in order. */
typedef VEC(char *) code_includes;

/*
 * Appends the folded `code` (any `length` bytes) to `out`. If `includes` is not NULL, the names are
 * appended to it, and the caller frees them with code_includes_free().
 */
void code_fold(const char *code, size_t length, struct text *out, code_includes *includes);
void code_includes_free(code_includes *includes);

#endif
