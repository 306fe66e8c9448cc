/*
 * Shared by the writers of the library's sources. Private to this room.
 */
#ifndef REDSWEEP_TUNED_WRITING_H
#define REDSWEEP_TUNED_WRITING_H

#include "base/text.h"
#include "compile/compile.h"
#include "tuned/tuned.h"

/* One function of the library, which a target may have measured directly or as one row. */
struct signature {
    enum element_type type;
    enum operation op;
    enum tuned_over over;
    bool exact;
};

/* Each function once: those that were measured, and those that can be called as one row; the
 * caller's, to be freed. */
struct signature *tuned_signatures(const struct tuned *targets, size_t count, size_t *out);

/* A target's data for it; NULL if there is none. A function by rows that also serves whole
 * arrays. */
const struct tuned_function *tuned_serves(const struct tuned *t, const struct signature *s);

/* "rows_sum_f16" or "rows_sum_f16_exact", without the prefix. */
void append_name(struct text *out, const struct signature *s);

/* "redsweep_status redsweep_sum_f16(…)", without anything after it. */
void append_declaration(struct text *out, const char *prefix, const struct signature *s);

/* "block 256 LOADS 4": a configuration's values. */
void append_setting(struct text *t, const struct tuned_range *range);

/*
 * Writes the facts' expressions as a C function `shape_NUMBER`: whether the configuration can run
 * at a place, its launch and the scalars among its arguments. ERROR_CONFIG for expressions that C
 * cannot represent.
 */
bool append_shape(struct text *out, size_t number, const struct tuned_range *range,
                  struct error *e);

/* The grid of a range by rows, as `off_NUMBER`; nothing where its times leave none. */
void append_residuals(struct text *out, size_t number, const struct tuned_range *range);

/*
 * The images of a library (images.c): call images_get() for each, images_compile(), then
 * images_get() for each again. *out is NULL at first, then the image; it belongs to `m`. Fails as
 * compiling it did.
 */
struct images;
struct images *images_new(struct compiler *c);
bool images_get(struct images *m, const struct kernel *k, const struct variant *wanted,
                const struct compile_target *target, const struct image **out, struct error *e);
void images_compile(struct images *m,
                    void (*progress)(void *context, uint32_t done, uint32_t total), void *context);
void images_free(struct images *m);

/* A letter for each of the kernel's parameters, as tuned/redsweep_tuned.c knows them. */
void append_parameter_letters(struct text *out, const struct kernel *k);

/* The comment at the top of a written file. */
void append_heading(struct text *out, const struct tuned *targets, size_t count, const char *what);

/* PREFIX_tuned.h. */
void append_header(struct text *out, const struct tuned *targets, size_t count, const char *prefix);

/* A text in which @ is the prefix and $ the prefix in capitals. */
void append_prefixed(struct text *out, const char *prefix, const char *text);

#endif
