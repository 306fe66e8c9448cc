/*
 * Finds out what an imported kernel does by trying it on the simulator, with the checks of every sweep:
 * facts are proposed until all results are right.
 */
#ifndef REDSWEEP_CLI_IMPORT_TRIAL_H
#define REDSWEEP_CLI_IMPORT_TRIAL_H

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

/* --parameter.NAME VALUE, --template.NAME VALUE, --fact.KEY VALUE. */
struct named_value {
    char *name, *value;
};
typedef VEC(struct named_value) named_values;

/* The value of this name, or NULL. */
const char *named_value(const named_values *list, const char *name);

enum import_grid { GRID_COVERING, GRID_RESIDENT, GRID_ONE_BLOCK, GRID_KINDS };

/* The facts to try; those that the user gave are not included. */
struct proposal {
    bool complete, zeroed, in_place, any_order;
    int items; /* elements per thread */
    enum import_grid grid;
};

struct import {
    const char *file; /* the author's */
    char *absolute;   /* the same */
    char *name;       /* its name in redsweep */
    const char *function;
    char *entry, *parameters, *types, *ops; /* as the facts have them */
    char *range;                            /* `requires`: the limit of n by its type; "" if none */
    bool template_type;                     /* its type is swept: `types` are found by trying */
    bool block_constant;                    /* the block size is an argument of its template */
    bool shared, atomics, strides, constant_input;
    int block; /* the value that is tried first; 0: no preference */
    int items; /* the number of elements per thread that is tried first; 0: no preference */
    int size;  /* the only supported n, stated by the user; 0: any */
    const named_values *facts;
    /* Found by trying: */
    struct proposal found;
    char *blocks, *requires; /* "" where any n is right */
};

/* The facts as a file has them, `code` being how it names the author's file. */
void import_write_facts(const struct import *i, const struct proposal *p, const char *code,
                        struct text *out);

/*
 * Fills the facts that are found by trying. ERROR_CONFIG when no proposal is right, with the compiler's
 * message or the best proposal's reason.
 */
bool import_try(struct import *i, struct error *e);

#endif
