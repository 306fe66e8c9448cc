/*
 * Finds out what an imported kernel does. A proposal is a set of facts about the kernel. The kernel
 * runs on the simulator with one proposal after another, until the checks of a sweep find its
 * results right.
 */
#ifndef REDSWEEP_CLI_IMPORT_TRIAL_H
#define REDSWEEP_CLI_IMPORT_TRIAL_H

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

/*
 * The name and the value in an option --parameter.NAME VALUE, --template.NAME VALUE or --fact.KEY
 * VALUE.
 */
struct named_value {
    char *name, *value;
};
typedef VEC(struct named_value) named_values;

/* Returns the value that belongs to `name`, or NULL if the list does not contain it. */
const char *named_value(const named_values *list, const char *name);

enum import_grid { GRID_COVERING, GRID_RESIDENT, GRID_ONE_BLOCK, GRID_KINDS };

/* A set of facts to try. Facts that the user gave replace those in the proposal. */
struct proposal {
    bool complete, zeroed, in_place, any_order;
    int items; /* elements per thread */
    enum import_grid grid;
};

struct import {
    const char *file; /* the author's file, as given */
    char *absolute;   /* the absolute path of `file` */
    char *name;       /* the kernel's name in redsweep */
    const char *function;
    char *entry, *parameters, *types, *ops; /* these members are written as in a file of facts */
    char *range;                            /* the limit on n that the type of the parameter n
                                               implies, for the fact `requires`; "": no limit */
    bool template_type;                     /* the element type is a template argument, so `types`
                                               is found by trying */
    bool block_constant;                    /* the block size is a template argument */
    bool shared, atomics, strides, constant_input;
    int block; /* block size to try first; 0: no preference */
    int items; /* elements per thread to try first; 0: no preference */
    int size;  /* the only supported n, if the user gave one; 0: any n */
    const named_values *facts;
    /* the following members are found by trying */
    struct proposal found;
    char *blocks, *requires; /* `requires` is "" if the kernel is right at any n */
};

/*
 * Appends a file of facts to `out`. `code` is the value of the fact `code`, the path of the
 * author's file.
 */
void import_write_facts(const struct import *i, const struct proposal *p, const char *code,
                        struct text *out);

/*
 * Fills in the members of `i` that are found by trying. If no proposal gives right results, fails
 * with ERROR_CONFIG. The message says why the first proposal failed.
 */
bool import_try(struct import *i, struct error *e);

#endif
