/*
 * Finds out what an imported kernel does: tries it on the simulator with the checks of a sweep, and
 * proposes facts until all results are right.
 */
#ifndef REDSWEEP_CLI_IMPORT_TRIAL_H
#define REDSWEEP_CLI_IMPORT_TRIAL_H

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

/* From an option --parameter.NAME VALUE, --template.NAME VALUE or --fact.KEY VALUE. */
struct named_value {
    char *name, *value;
};
typedef VEC(struct named_value) named_values;

/* Returns the value of a name, or NULL. */
const char *named_value(const named_values *list, const char *name);

enum import_grid { GRID_COVERING, GRID_RESIDENT, GRID_ONE_BLOCK, GRID_KINDS };

/* The facts to try, except those that the user gave. */
struct proposal {
    bool complete, zeroed, in_place, any_order;
    int items; /* elements per thread */
    enum import_grid grid;
};

struct import {
    const char *file; /* the author's file, as given */
    char *absolute;   /* its absolute path */
    char *name;       /* the kernel's name in redsweep */
    const char *function;
    char *entry, *parameters, *types, *ops; /* as written in facts */
    char *range;                            /* the limit that n's type implies, for the fact
                                               `requires`; "" if none */
    bool template_type;                     /* the element type is a template argument; `types`
                                               is found by trying */
    bool block_constant;                    /* the block size is a template argument */
    bool shared, atomics, strides, constant_input;
    int block; /* block size to try first; 0: no preference */
    int items; /* elements per thread to try first; 0: no preference */
    int size;  /* the only supported n, if the user gave one; 0: any n */
    const named_values *facts;
    /* found by trying */
    struct proposal found;
    char *blocks, *requires; /* `requires` is "" if the kernel is right at any n */
};

/* Writes a file of facts. `code` is the path of the author's file, for the fact of that name. */
void import_write_facts(const struct import *i, const struct proposal *p, const char *code,
                        struct text *out);

/*
 * Fills in the facts that are found by trying. If no proposal gives right results, fails with
 * ERROR_CONFIG and the compiler's message or why the first proposal failed.
 */
bool import_try(struct import *i, struct error *e);

#endif
