/* What the writers of the library's sources share. Private to this folder. */
#ifndef REDSWEEP_TUNED_WRITING_H
#define REDSWEEP_TUNED_WRITING_H

#include "base/text.h"
#include "compile/compile.h"
#include "tuned/tuned.h"

/* One of the library's functions. A target has configurations for it, or for the row-wise function
 * that reduces an array as one row. */
struct signature {
    enum element_type type;
    enum operation op;
    enum tuned_over over;
    bool exact;
};

/* Lists each function once: those that were measured, and those for whole arrays that can use a
 * row-wise function with one row. The caller frees the list. */
struct signature *tuned_signatures(const struct tuned *targets, size_t count, size_t *out);

/* Returns a target's data for a function, or NULL if there is none. A row-wise function also
 * handles whole arrays. */
const struct tuned_function *tuned_serves(const struct tuned *t, const struct signature *s);

/* Appends a name such as "rows_sum_f16" or "rows_sum_f16_exact", without the prefix. */
void append_name(struct text *out, const struct signature *s);

/* Appends "redsweep_status redsweep_sum_f16(…)", without anything after it. */
void append_declaration(struct text *out, const char *prefix, const struct signature *s);

/* Appends a configuration's values, such as "block 256 LOADS 4". */
void append_setting(struct text *t, const struct tuned_range *range);

/*
 * Writes the expressions in the facts as a C function `shape_NUMBER`, which computes for a place
 * whether the configuration can run, its launch, and its scalar arguments. Fails with ERROR_CONFIG
 * for expressions that C cannot represent.
 */
bool append_shape(struct text *out, size_t number, const struct tuned_range *range,
                  struct error *e);

/* Writes a row-wise range's grid as `off_NUMBER`, or nothing if the range has no residuals. */
void append_residuals(struct text *out, size_t number, const struct tuned_range *range);

/*
 * A library's images (images.c). Call images_get() for each image, then images_compile(), and then
 * images_get() for each image again. *out is NULL in the first round, and the image, which belongs
 * to `m`, in the second. images_get() fails if compiling the image failed.
 */
struct images;
struct images *images_new(struct compiler *c);
bool images_get(struct images *m, const struct kernel *k, const struct variant *wanted,
                const struct compile_target *target, const struct image **out, struct error *e);
void images_compile(struct images *m,
                    void (*progress)(void *context, uint32_t done, uint32_t total), void *context);
void images_free(struct images *m);

/* Appends a letter for each of the kernel's parameters, as tuned/redsweep_tuned.c defines them. */
void append_parameter_letters(struct text *out, const struct kernel *k);

/* Appends the comment at the top of a written file. */
void append_heading(struct text *out, const struct tuned *targets, size_t count, const char *what);

/* Appends PREFIX_tuned.h. */
void append_header(struct text *out, const struct tuned *targets, size_t count, const char *prefix);

/* Appends text in which @ stands for the prefix and $ for the prefix in capitals. */
void append_prefixed(struct text *out, const char *prefix, const char *text);

#endif
