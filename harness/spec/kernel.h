/*
 * A kernel is one .cu file (for the CPU: one .c file) whose first comment block states its facts;
 * this struct has these facts.
 *
 * The facts are lines `// key: value` at the top of the file, before any code. A line that starts
 * with `//` and two or more further spaces continues the value above it; `//` alone is skipped.
 * Every key is checked: an unknown key, a missing one, a duplicate one if only one is allowed, or a
 * value out of range is an error that names the file, the line and the allowed values.
 * docs/kernels.md is the manual of the keys for people who write kernels.
 *
 *   kernel:      neighbored_less              name; equals the file's name without .cu
 *   idea:        one sentence                  what distinguishes it
 *   source:      where the algorithm is from
 *   workload:    reduce                        (optional) what it computes: see workload.h;
 *                                              only a reduction needs result, input and uniform
 *   role:        peer                          (optional, by workload) what it is for: see
 *                                              base/role.h
 *   result:      partial | complete            one value per block, or one for the whole input
 *   input:       in place | untouched          does it overwrite its input
 *   output:      written | zeroed              (optional, written) zeroed: it combines into an
 *                                              output that is set to zero before every launch
 *   covers:      BLOCK * UNROLL                elements per block of threads; an expression
 *   grid:        ceil_div(N, COVERS)           (optional; this is the default) blocks; or
 *                EXPR by EXPR [by EXPR]        a grid of two or three dimensions, x first
 *   threads:     BLOCK_X by BLOCK / BLOCK_X    (optional, BLOCK) how a block's threads are
 *                                              arranged; the product must be BLOCK
 *   shared:      BLOCK * SIZEOF                (optional, 0) dynamic shared memory, bytes
 *   workspace:   64                            (optional, 0) zeroed scratch memory, bytes
 *   depth:       log2(BLOCK) + COVERS / BLOCK  (optional; this is the default) the longest chain
 *                                              of operations that one element passes, for the
 *                                              float error bound
 *   code:        reduction.cu                  (optional) a file as its author wrote it, beside this
 *                                              one, which then ends in .facts (device_part.h)
 *   entry:       reduce<element, BLOCK>        (optional; the kernel's name, extern "C") the
 *                                              __global__ function, or an instance of a template
 *   parameters:  input int(N) output           (optional) its parameters in their order: input,
 *                                              output, n, workspace, workspace_bytes, or a scalar,
 *                                              TYPE(EXPR): int unsigned long size_t float double
 *                                              element
 *   blocks:      power of two                  allowed block sizes; or: multiple of 32; or a list,
 *                                              64 128 …; 1 alone: the kernel has no block axis and
 *                                              runs with one thread
 *   constant:    BLOCK                         (optional) the block size is compiled in
 *   unroll:      2 4 8 16                      (optional; without it UNROLL is 1) allowed values
 *   tunable:     LOADS 1 2 4 8                 (optional, repeatable) a macro and its values ≥ 0
 *   default:     LOADS 4 POLICY 1              (optional) the value of each tunable that a config
 *                                              without a word about it takes; else the first one
 *   requires:    BLOCK * LOADS <= 4096         (optional, repeatable) combinations that may run
 *   where:       TILES GRID / (N / ROW_LENGTH) (optional, repeatable) a name for an expression, which
 *                                              `cost` and later lines of `where` may use
 *   cost:        ceil_div(GRID, SMS)           (optional, repeatable) what the time of a kernel by
 *                                              rows depends on, besides a constant, the bytes and the
 *                                              rows: a library fits a coefficient to each
 *   overlap:     ceil_div(GRID, SMS)           (optional, repeatable) the same of what goes on while the
 *                                              input is read: the longer of the two decides
 *   types:       int32 float32                 (optional; default all)
 *   ops:         sum max                       (optional; default all)
 *   min_arch:    sm_90                         (optional, sm_60) minimum compute capability
 *   launch:      plain | cooperative | cluster(EXPR) | dependent     (optional, plain)
 *   link:        device runtime                (optional) needs libcudadevrt
 *   backend:     gpu | cpu                     (optional, gpu) cpu: a function of the host, in a
 *                                              file that ends in .c (kernels/cpu/common.h)
 *   library:     libredsweep_cub.so            (optional) host code that launches kernels itself,
 *                                              built by nvcc from this file: see device.h
 *   standalone:  yes | no                      (optional, no) may a library call it: ANY_OFFSET
 *                                              lets its input begin at any element, and it leaves
 *                                              its whole workspace zeroed
 *   fallback:    yes | no                      (optional, no) a library calls it where nothing that
 *                                              was measured runs: it serves any n, row length and
 *                                              first element, and no elements; each value of its
 *                                              first tunable is a configuration, the more special
 *                                              ones last
 *   uniform:     yes | no                      do all full blocks do the same work (for sampling)
 *   varies:      yes | no                      (optional, no) may a float result differ run to run
 *   invariant:   yes | no                      (optional, no) by rows: the order in which a row is
 *                                              combined depends on type, operation, row length and
 *                                              configuration alone
 *   exact:       yes | no                      (optional, no) a float sum is the exact one, rounded
 *                                              once
 *   counts:      fixed | vary                  (optional, fixed) vary: how often blocks look
 *                                              whether others are done differs from launch to
 *                                              launch
 *   racy:        why                           (optional) a data race that is kept to be studied
 *
 * Names in expressions: N, BLOCK, UNROLL, SIZEOF (bytes per element), ACCUMULATOR (bytes per
 * accumulator), SMS (multiprocessors), COVERS (not in covers), GRID (all blocks; in workspace,
 * depth and parameters), and every tunable.
 */
#ifndef REDSWEEP_SPEC_KERNEL_H
#define REDSWEEP_SPEC_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/element.h"
#include "base/error.h"
#include "base/expr.h"
#include "base/text.h"

enum {
    KERNEL_MAX_VALUES = 16,  /* values of one tunable */
    KERNEL_MAX_TUNABLES = 8, /* tunables of one kernel */
    KERNEL_MAX_REQUIRES = 8,
    KERNEL_MAX_COSTS = 9,
    KERNEL_MAX_WHERES = 6,
    KERNEL_DIMENSIONS = 3,
    KERNEL_MAX_PARAMETERS = 12,
    KERNEL_MAX_BYTES = 1 << 20 /* of its file */
};

enum block_rule { BLOCKS_POWER_OF_TWO, BLOCKS_MULTIPLE_OF_32, BLOCKS_LISTED };
/* A parameter of the entry function; the scalars follow PARAMETER_INT. */
enum parameter_kind {
    PARAMETER_INPUT,
    PARAMETER_OUTPUT,
    PARAMETER_N, /* index_t */
    PARAMETER_WORKSPACE,
    PARAMETER_WORKSPACE_BYTES,
    PARAMETER_SECOND, /* the second vector of a dot product; NULL for other operations */
    PARAMETER_INT,
    PARAMETER_UNSIGNED,
    PARAMETER_LONG,
    PARAMETER_SIZE_T,
    PARAMETER_FLOAT,
    PARAMETER_DOUBLE,
    PARAMETER_ELEMENT,
    PARAMETER_KINDS
};

struct kernel_parameter {
    enum parameter_kind kind;
    struct expr *value; /* of a scalar; else NULL */
};

enum backend { BACKEND_GPU, BACKEND_CPU }; /* kind of its code; a simulator runs a GPU's */

struct int_list {
    int values[KERNEL_MAX_VALUES];
    int count;
};

struct tunable {
    char *name; /* the macro: upper case; the CSV column is its lower case */
    struct int_list allowed;
    int otherwise; /* the default: for configs that do not name the tunable */
};

struct kernel {
    char *name;
    char *path;   /* of its file, as found */
    char *family; /* in its folder's index (kernel_index.h); "" or NULL: in none */
    int place;    /* its position there; INT_MAX: not in it */
    char *idea;
    char *source;
    const struct workload *workload;
    char *role;         /* a role that role_parse() reads */
    bool complete;      /* leaves one scalar rather than one partial result per block */
    bool in_place;      /* overwrites its input */
    bool output_zeroed; /* combines into an output that was set to zero */
    bool uniform;
    bool varies;
    bool exact;     /* the exact sum, rounded once */
    bool invariant; /* by rows: a row's order depends on its length and the configuration alone */
    bool counts_vary;
    bool standalone;     /* may be called by the library of redsweep tuned */
    bool fallback;       /* … which calls it where no measured configuration runs */
    bool device_runtime; /* launches kernels itself; linked with libcudadevrt */
    char *racy;          /* NULL: not racy */
    char *entry;         /* the function's name in C++; NULL: `name`, extern "C" */
    struct kernel_parameter parameters[KERNEL_MAX_PARAMETERS];
    int parameter_count; /* 0: input, output, n, workspace, workspace_bytes, or the first of them */
    char *code_file;     /* the author's file, beside its own; NULL: the code is in its own */
    char *library;       /* file with its host code, beside the program; NULL: none */
    enum backend backend;
    int side; /* its version among the two that catalogue_combine() combines; 0 */
    struct expr *covers, *shared, *workspace, *depth; /* NULL: the default */
    struct expr *grid[KERNEL_DIMENSIONS];    /* x, y, z; NULL from the first missing one on */
    struct expr *threads[KERNEL_DIMENSIONS]; /* the same */
    struct expr *requires[KERNEL_MAX_REQUIRES];
    int requires_count;
    struct {
        char *name;
        struct expr *value;
    } wheres[KERNEL_MAX_WHERES]; /* names for expressions; costs and later ones may use them */
    int where_count;
    struct {
        struct expr *value;
        bool overlaps;         /* with reading the input */
    } costs[KERNEL_MAX_COSTS]; /* quantities that its time depends on, besides bytes and rows */
    int cost_count;
    enum block_rule block_rule;
    struct int_list blocks;  /* for BLOCKS_LISTED */
    bool block_constant;     /* BLOCK is a macro of the compilation */
    struct int_list unrolls; /* empty: the kernel has no unroll factor */
    struct tunable tunables[KERNEL_MAX_TUNABLES];
    int tunable_count;
    bool types[TYPE_COUNT];
    bool ops[OP_COUNT];
    int min_cc; /* 75 for compute capability 7.5 */
    enum launch_kind launch;
    struct expr *cluster; /* blocks per cluster, for LAUNCH_CLUSTER */
    char **aliases;       /* names in its source: source_names() of the fact `source` */
    int alias_count;
    char *code; /* the whole file; with a code_file, the device part of that */
    size_t code_length;
    uint64_t code_hash; /* of its code and facts: kernel_hash() */
};

/*
 * Parses one kernel's text. `path` is used in messages and to check the name. The kernel is the
 * caller's: kernel_free().
 */
bool kernel_parse(const char *path, const char *code, size_t length, struct kernel **out,
                  struct error *e);
void kernel_free(struct kernel *k);

/*
 * Whether a name or a pattern (text_glob_match()) refers to this kernel: its own name, or one from
 * its source. Several kernels may come from one source.
 */
bool kernel_matches(const struct kernel *k, const char *pattern);

/* Whether its facts list the type and the operation, and the two are compatible. */
bool kernel_supports(const struct kernel *k, enum element_type type, enum operation op);

/* All kernels of some folders, in the order of their names. */
struct catalogue {
    struct kernel **kernels;
    int count;
};

/*
 * Reads every *.cu and *.c of the `folder_count` folders, and of the sub-folders that a folder's
 * index names (kernel_index.h). Two kernels of one name are an error that names both files.
 */
bool catalogue_read(const char *const *folders, int folder_count, struct catalogue *out,
                    struct error *e);
/*
 * Two versions of the same kernels as one catalogue, each kernel with its side, 0 or 1; kernels of
 * one name are neighbors. The kernels are moved: both catalogues are then empty.
 */
void catalogue_combine(struct catalogue sides[2], struct catalogue *out);

/* The first kernel of this name, or NULL. */
const struct kernel *catalogue_find(const struct catalogue *c, const char *name);

/* text_suggestion() among the names of all kernels and those of their sources; returns `buffer`. */
const char *catalogue_suggestion(const struct catalogue *c, const char *name,
                                 char buffer[SUGGESTION_SIZE]);
void catalogue_free(struct catalogue *c);

#endif
