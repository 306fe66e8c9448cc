/* Declares what the files that write the library's sources share. Private to this folder. */
#ifndef REDSWEEP_TUNED_WRITING_H
#define REDSWEEP_TUNED_WRITING_H

#include "base/text.h"
#include "compile/compile.h"
#include "tuned/tuned.h"

/* One of the library's functions. Each target has configurations for this function or, if it is for
 * whole arrays, possibly for the row-wise function that reduces an array as one row instead. */
struct signature {
    enum element_type type;
    enum operation op;
    enum tuned_over over;
    bool exact;
};

/* Lists the functions that were measured on any target, and those for whole arrays that can use a
 * row-wise function with one row. Lists each function once. The caller frees the list. */
struct signature *tuned_signatures(const struct tuned *targets, size_t count, size_t *out);

/* Returns the function of a target that computes what `s` does, or NULL if there is none. If there
 * is no function for whole arrays, the row-wise function is returned. */
const struct tuned_function *tuned_serves(const struct tuned *t, const struct signature *s);

/* Appends a name such as "rows_sum_f16" or "rows_sum_f16_exact", without the prefix. */
void append_name(struct text *out, const struct signature *s);

/* Appends a declaration such as "redsweep_status redsweep_sum_f16(…)", without a semicolon. */
void append_declaration(struct text *out, const char *prefix, const struct signature *s);

/* Appends a configuration's values, such as "block 256 LOADS 4". */
void append_setting(struct text *t, const struct tuned_range *range);

/*
 * Writes the expressions in the kernel's facts as a C function `shape_NUMBER`. For a given shape
 * and offset, this function computes whether the configuration can run, its launch, and its scalar
 * arguments. Fails with ERROR_CONFIG for expressions that C cannot represent.
 */
bool append_shape(struct text *out, size_t number, const struct tuned_range *range,
                  struct error *e);

/* Writes the residuals of a row-wise range as a C array `off_NUMBER`, or nothing if it has none. */
void append_residuals(struct text *out, size_t number, const struct tuned_range *range);

/*
 * A library's images (images.c). Call images_get() for each image, then images_compile(), and then
 * images_get() for each image again. In the first round, *out is set to NULL; in the second, to the
 * image, which belongs to `m`. images_get() fails if compiling the image failed.
 */
struct images;
struct images *images_new(struct compiler *c);
bool images_get(struct images *m, const struct kernel *k, const struct variant *wanted,
                const struct compile_target *target, const struct image **out, struct error *e);
void images_compile(struct images *m,
                    void (*progress)(void *context, uint32_t done, uint32_t total), void *context);
void images_free(struct images *m);

/*
 * Appends a letter for each of the kernel's parameters. tuned/redsweep_tuned.c defines the letters.
 */
void append_parameter_letters(struct text *out, const struct kernel *k);

/* Appends the comment at the top of a written file. */
void append_heading(struct text *out, const struct tuned *targets, size_t count, const char *what);

/* Appends PREFIX_tuned.h. */
void append_header(struct text *out, const struct tuned *targets, size_t count, const char *prefix);

/* Appends text in which @ stands for the prefix and $ for the prefix in capitals. */
void append_prefixed(struct text *out, const char *prefix, const char *text);

#endif
