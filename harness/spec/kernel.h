/*
 * A kernel is one .cu file, or one .c file for the CPU. Its first comment block states its facts,
 * which struct kernel stores.
 *
 * Facts are lines `// key: value` at the top of the file, before any code. A line that starts with
 * `//` and two or more spaces continues the value above it. A line with only `//` is skipped.
 * Errors are an unknown key, a missing key, a value out of range, and a second occurrence of a key
 * that is not repeatable; the message names the file, the line and the allowed values.
 * docs/kernels.md documents the keys for kernel authors.
 *
 * Below, parentheses contain the default of an optional key. "Repeatable" keys may occur on several
 * lines.
 *
 *   kernel:      neighbored_less              the file's name without .cu
 *   idea:        one sentence                  what distinguishes the kernel from others
 *   source:      a reference                   where the algorithm comes from
 *   workload:    reduce                        (reduce) what the kernel computes: see workload.h;
 *                                              only a reduction needs result, input and uniform
 *   role:        peer                          (set by the workload) what the kernel is used for:
 *                                              see base/role.h
 *   result:      partial | complete            one value per block, or one for the whole input
 *   input:       in place | untouched          whether the kernel overwrites its input
 *   output:      written | zeroed              (written) zeroed: the kernel combines its results
 *                                              into an output that is zeroed before every launch
 *   covers:      BLOCK * UNROLL                the number of elements per block, an expression
 *   grid:        ceil_div(N, COVERS)           (this expression) the number of blocks; or
 *                EXPR by EXPR [by EXPR]        a grid of two or three dimensions, x first
 *   threads:     BLOCK_X by BLOCK / BLOCK_X    (BLOCK) the dimensions of a block; their product
 *                                              must be BLOCK
 *   shared:      BLOCK * SIZEOF                (0) the size of dynamic shared memory in bytes
 *   workspace:   64                            (0) the size of zeroed scratch memory in bytes
 *   depth:       log2(BLOCK) + COVERS / BLOCK  (this expression) the length of the longest chain of
 *                                              operations on one element, for the error bound of
 *                                              floats
 *   code:        reduction.cu                  (none) a source file in the same folder, as its
 *                                              author wrote it; the kernel's file is then
 *                                              named *.facts (device_part.h)
 *   entry:       reduce<element, BLOCK>        (the kernel's name, extern "C") the __global__
 *                                              function, or an instance of a template
 *   parameters:  input int(N) output           (see parameter_count) the parameters of the entry in
 *                                              order: input, output, n, workspace,
 *                                              workspace_bytes, second, or a scalar TYPE(EXPR) with
 *                                              the type int, unsigned, long, size_t, float, double
 *                                              or element
 *   blocks:      power of two                  the allowed block sizes: "power of two",
 *                                              "multiple of 32", or a list such as 64 128.
 *                                              A kernel whose list is 1 has no block axis and
 *                                              runs with one thread
 *   constant:    BLOCK                         (none) the block size is a compile-time constant
 *   unroll:      2 4 8 16                      (none; UNROLL is then 1) the allowed unroll factors
 *   tunable:     LOADS 1 2 4 8                 (none; repeatable) a macro and its values, which are
 *                                              not negative
 *   default:     LOADS 4 POLICY 1              (the first values) the values of tunables that a
 *                                              config does not name
 *   requires:    BLOCK * LOADS <= 4096         (none; repeatable) a condition that combinations
 *                                              must satisfy to run
 *   where:       TILES GRID / (N / ROW_LENGTH) (none; repeatable) a name for an expression; `cost`,
 *                                              `overlap` and later lines of `where` may use it
 *   cost:        ceil_div(GRID, SMS)           (none; repeatable) a quantity on which the time of a
 *                                              row-wise kernel depends, besides a constant, the
 *                                              bytes and the rows; `redsweep tuned` fits its
 *                                              coefficient
 *   overlap:     ceil_div(GRID, SMS)           (none; repeatable) like cost, but for work that
 *                                              overlaps with reading the input: only the longer of
 *                                              the two, this work or the reading, counts
 *   types:       int32 float32                 (the plain types) the supported types
 *   ops:         sum max                       (the plain operations) the supported operations
 *   min_arch:    sm_90                         (sm_60) the minimum compute capability
 *   launch:      plain | cooperative | cluster(EXPR) | dependent    (plain) the kind of launch
 *   link:        device runtime                (none) the kernel needs libcudadevrt
 *   backend:     gpu | cpu                     (gpu) cpu: the kernel is a CPU function, in
 *                                              a file named *.c (kernels/cpu/common.h)
 *   library:     libredsweep_cub.so            (none) host code that launches kernels itself and
 *                                              that nvcc builds from this file: see device.h
 *   standalone:  yes | no                      (no) whether a library may call the kernel. With
 *                                              ANY_OFFSET its input may begin at any element, and
 *                                              it leaves its whole workspace zeroed
 *   fallback:    yes | no                      (no) a library calls the kernel if no measured
 *                                              configuration can run. The kernel accepts any n, row
 *                                              length and first element, even an empty input. Each
 *                                              value of its first tunable is a configuration; later
 *                                              values in the list are more specialized
 *   uniform:     yes | no                      whether all full blocks do the same work; only then
 *                                              may a simulator execute just some of them
 *   varies:      yes | no                      (no) whether a float result may differ between runs
 *   invariant:   yes | no                      (no) for row-wise kernels: the order in which a row
 *                                              is combined depends only on type, operation, row
 *                                              length and configuration
 *   exact:       yes | no                      (no) a float sum is the exact sum, rounded once
 *   counts:      fixed | vary                  (fixed) vary: counters differ between launches,
 *                                              because blocks wait for each other in a loop
 *   racy:        why                           (none) why the kernel has a data race; it is kept
 *                                              for study
 *
 * Expressions may use N, BLOCK, UNROLL, SIZEOF (bytes per element), ACCUMULATOR (bytes per
 * accumulator) and SMS (the number of multiprocessors). Run-time axes in capitals, such as
 * ROW_LENGTH, and tunables are allowed as well. grid, threads, shared, requires and launch may also
 * use COVERS. workspace, depth, parameters, where, cost and overlap may use both COVERS and GRID
 * (the number of blocks).
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
    KERNEL_MAX_VALUES = 16,  /* the maximum number of values of one tunable */
    KERNEL_MAX_TUNABLES = 8, /* the maximum number of tunables of one kernel */
    KERNEL_MAX_REQUIRES = 8,
    KERNEL_MAX_COSTS = 9,
    KERNEL_MAX_WHERES = 6,
    KERNEL_DIMENSIONS = 3,
    KERNEL_MAX_PARAMETERS = 12,
    KERNEL_MAX_BYTES = 1 << 20 /* the maximum size of a kernel's file */
};

enum block_rule { BLOCKS_POWER_OF_TWO, BLOCKS_MULTIPLE_OF_32, BLOCKS_LISTED };
/* The kinds of an entry function's parameters. From PARAMETER_INT on, they are scalars. */
enum parameter_kind {
    PARAMETER_INPUT,
    PARAMETER_OUTPUT,
    PARAMETER_N, /* the number of elements, an index_t */
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
    struct expr *value; /* the value of a scalar; NULL for other parameters */
};

/* The kind of processor that a kernel is written for. The simulator runs GPU kernels. */
enum backend { BACKEND_GPU, BACKEND_CPU };

struct int_list {
    int values[KERNEL_MAX_VALUES];
    int count;
};

struct tunable {
    /* The macro's name, in upper case. In the name of the CSV column, it is in lower case. */
    char *name;
    struct int_list allowed;
    int otherwise; /* the default, for configs that do not name the tunable */
};

struct kernel {
    char *name;
    char *path; /* where the kernel's file was found */
    /* The kernel's family in its folder's index (kernel_index.h). "" or NULL if it has none. */
    char *family;
    int place; /* the kernel's position in that index; INT_MAX if it is not listed */
    char *idea;
    char *source;
    const struct workload *workload;
    char *role;         /* a role that role_parse() accepts */
    bool complete;      /* the kernel writes one scalar instead of one partial result per block */
    bool in_place;      /* the kernel overwrites its input */
    bool output_zeroed; /* the kernel combines its results into a zeroed output */
    bool uniform;
    bool varies;
    bool exact; /* the result is the exact sum, rounded once */
    /* For row-wise kernels: the order in which a row is combined depends only on the row length and
     * the configuration. */
    bool invariant;
    bool counts_vary;
    bool standalone;     /* the library that `redsweep tuned` writes may call the kernel */
    bool fallback;       /* that library calls the kernel if no measured configuration can run */
    bool device_runtime; /* the kernel launches other kernels and is linked with libcudadevrt */
    char *racy;          /* the reason for its data race; NULL if it has none */
    /* The function's name in C++. NULL if the function is called `name` and is extern "C". */
    char *entry;
    struct kernel_parameter parameters[KERNEL_MAX_PARAMETERS];
    /* 0: the parameters are input, output, n, workspace and workspace_bytes, or the first few of
     * these. */
    int parameter_count;
    /* The file that the fact `code` names, in the same folder. NULL if the kernel's own file
     * contains the code. */
    char *code_file;
    /* The library with the kernel's host code, in the program's folder. NULL if there is none. */
    char *library;
    enum backend backend;
    /* Which version the kernel belongs to after catalogue_combine(), 0 or 1; otherwise 0. */
    int side;
    struct expr *covers, *shared, *workspace, *depth; /* NULL for the default */
    struct expr *grid[KERNEL_DIMENSIONS];    /* x, y and z; NULL for each missing dimension */
    struct expr *threads[KERNEL_DIMENSIONS]; /* x, y and z; NULL for each missing dimension */
    struct expr *requires[KERNEL_MAX_REQUIRES];
    int requires_count;
    struct {
        char *name;
        struct expr *value;
    } wheres[KERNEL_MAX_WHERES]; /* named expressions, for use in costs and in later wheres */
    int where_count;
    struct {
        struct expr *value;
        bool overlaps; /* the work overlaps with reading the input */
        /* what the kernel's time depends on, besides bytes and rows */
    } costs[KERNEL_MAX_COSTS];
    int cost_count;
    enum block_rule block_rule;
    struct int_list blocks;  /* the block sizes, if the rule is BLOCKS_LISTED */
    bool block_constant;     /* whether BLOCK is a compile-time macro */
    struct int_list unrolls; /* the unroll factors; empty if the kernel has none */
    struct tunable tunables[KERNEL_MAX_TUNABLES];
    int tunable_count;
    bool types[TYPE_COUNT];
    bool ops[OP_COUNT];
    int min_cc; /* the minimum compute capability, such as 75 for 7.5 */
    enum launch_kind launch;
    struct expr *cluster; /* blocks per cluster, for LAUNCH_CLUSTER */
    char **aliases;       /* the function names in the fact `source` (source_names()) */
    int alias_count;
    char *code; /* the whole file, or the device part of code_file if there is one */
    size_t code_length;
    uint64_t code_hash; /* the hash of the kernel's code and facts (kernel_hash()) */
};

/* Parses the text of one kernel. `path` is used in messages and to check the name. The caller frees
 * the kernel with kernel_free(). */
bool kernel_parse(const char *path, const char *code, size_t length, struct kernel **out,
                  struct error *e);
void kernel_free(struct kernel *k);

/* Returns whether `pattern`, a name or a glob (text_glob_match()), matches the kernel's name or one
 * of its aliases. Several kernels may have the same alias. */
bool kernel_matches(const struct kernel *k, const char *pattern);

/* Returns whether the kernel's facts list both the type and the operation, and the type has that
 * operation. */
bool kernel_supports(const struct kernel *k, enum element_type type, enum operation op);

/* The kernels of several folders, sorted by name. */
struct catalogue {
    struct kernel **kernels;
    int count;
};

/* Reads the kernels in `folder_count` folders or files, and in the sub-folders that a folder's
 * index names (kernel_index.h). If two kernels have the same name, the error names both files. */
bool catalogue_read(const char *const *folders, int folder_count, struct catalogue *out,
                    struct error *e);
/*
 * Combines two versions of the same kernels into one catalogue, in which kernels of the same name
 * are adjacent. Sets each kernel's `side` to 0 or 1. Moves the kernels, so both inputs are empty
 * afterwards.
 */
void catalogue_combine(struct catalogue sides[2], struct catalogue *out);

/* Returns the first kernel with this name, or NULL. */
const struct kernel *catalogue_find(const struct catalogue *c, const char *name);

/* Writes the kernel name or alias that is most similar to the unknown `name`, as text_suggestion()
 * does. Returns `buffer`. */
const char *catalogue_suggestion(const struct catalogue *c, const char *name,
                                 char buffer[SUGGESTION_SIZE]);
void catalogue_free(struct catalogue *c);

#endif
