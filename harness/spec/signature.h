/*
 * The signatures of the kernels in a text: `redsweep import` derives facts from them.
 */
#ifndef REDSWEEP_SPEC_SIGNATURE_H
#define REDSWEEP_SPEC_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

/* A parameter of the function, or of its template. */
struct signature_parameter {
    char *
        type; /* without const, volatile, __restrict__ and *; of a template's type parameter "typename" */
    char *name; /* "" if it has none */
    int pointers;
    bool constant; /* for a pointer: what it points to */
    bool has_default;
};

typedef VEC(struct signature_parameter) signature_parameters;

struct kernel_signature {
    char *name;
    size_t begin, end; /* of its definition in the text */
    signature_parameters template_parameters, parameters;
};

typedef VEC(struct kernel_signature) signature_list;

/* The kernels that the text defines, in its order; declarations without a body are left out. The list is
 * the caller's: signatures_free(). */
void signatures_read(const char *text, signature_list *out);
void signatures_free(signature_list *list);

#endif
