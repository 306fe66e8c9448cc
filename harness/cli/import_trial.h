/*
 * Finds out what an imported kernel does by trying it on the simulator with the checks of a sweep.
 * These functions propose facts until all results are right.
 */
#ifndef REDSWEEP_CLI_IMPORT_TRIAL_H
#define REDSWEEP_CLI_IMPORT_TRIAL_H

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

/* The name and the value of an option: --parameter.NAME VALUE, --template.NAME VALUE or --fact.KEY
 * VALUE. */
struct named_value {
    char *name, *value;
};
typedef VEC(struct named_value) named_values;

/* Returns the value of a name, or NULL if the list does not contain it. */
const char *named_value(const named_values *list, const char *name);

enum import_grid { GRID_COVERING, GRID_RESIDENT, GRID_ONE_BLOCK, GRID_KINDS };

/* The facts to try, without those that the user has stated. */
struct proposal {
    bool complete, zeroed, in_place, any_order;
    int items; /* the number of elements per thread */
    enum import_grid grid;
};

struct import {
    const char *file; /* the path of the author's file, as the user gave it */
    char *absolute;   /* the absolute path of that file */
    char *name;       /* the kernel's name in redsweep */
    const char *function;
    char *entry, *parameters, *types, *ops; /* these strings are in the notation of the facts */
    char *range;                            /* the limit of n that the type of the parameter n
                                               implies, for the fact `requires`; "" if there is
                                               none */
    bool template_type;                     /* the element type is a template argument; `types`
                                               is found by trying */
    bool block_constant;                    /* the block size is a template argument */
    bool shared, atomics, strides, constant_input;
    int block; /* the block size that is tried first; 0: no preference */
    int items; /* the number of elements per thread that is tried first; 0: no preference */
    int size;  /* the only supported n, which the user has stated; 0: any n */
    const named_values *facts;
    /* The following members are found by trying. */
    struct proposal found;
    char *blocks, *requires; /* `requires` is "" if the kernel is right at any n */
};

/*
 * Writes the facts as a file of facts. `code` is the path of the author's file that the fact `code`
 * names.
 */
void import_write_facts(const struct import *i, const struct proposal *p, const char *code,
                        struct text *out);

/*
 * Fills in the facts that are found by trying. If no proposal gives right results, the function
 * fails with ERROR_CONFIG. The message contains the compiler's message, or the reason why the first
 * proposal failed.
 */
bool import_try(struct import *i, struct error *e);

#endif
