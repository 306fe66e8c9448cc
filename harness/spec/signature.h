/* Finds the kernels in source text, and their parameters. `redsweep import` derives facts from
 * these. */
#ifndef REDSWEEP_SPEC_SIGNATURE_H
#define REDSWEEP_SPEC_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/* A function or template parameter. */
struct signature_parameter {
    /* The type without const, volatile, __restrict__ and *. "typename" for a template's type
     * parameter. */
    char *type;
    char *name; /* the name, or "" if there is none */
    int pointers;
    bool constant; /* for a pointer: what it points to is const */
    bool has_default;
};

typedef VEC(struct signature_parameter) signature_parameters;

struct kernel_signature {
    char *name;
    size_t begin, end; /* where the kernel's definition begins and ends in the text */
    signature_parameters template_parameters, parameters;
};

typedef VEC(struct kernel_signature) signature_list;

/* Finds the kernels that the text defines, in order. Ignores declarations without a body. The
 * caller frees the list with signatures_free(). */
void signatures_read(const char *text, signature_list *out);
void signatures_free(signature_list *list);

#endif
