/* Names for expressions in tests. Their values are numbers and strings, and one value is
 * missing. */
#ifndef REDSWEEP_TESTS_BASE_TOY_NAMES_H
#define REDSWEEP_TESTS_BASE_TOY_NAMES_H

#include <math.h>
#include <string.h>

#include "base/expr.h"

/* Looks up a name; this is an expr_lookup. */
static inline bool toy_name(void *context, const char *name, struct expr_value *value)
{
    (void)context;
    static const struct {
        const char *name;
        struct expr_value value;
    } names[] = {
        {"BLOCK", {.number = 256}},
        {"UNROLL", {.number = 8}},
        {"N", {.number = 1000000}},
        {"unroll", {.number = 4}},
        {"kernel", {.text = "unroll"}},
        {"op", {.text = "min"}},
        {"zero", {.number = 0}},
        {"missing", {.number = NAN}},
        {"gpu__time.sum", {.number = 12.5}},
        {"device", {.text = "NVIDIA H200"}},
        {"odd", {.text = "a[b"}},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0) {
            *value = names[i].value;
            return true;
        }
    return false;
}

#endif
