/*
 * Declares the PTX parser and its result, a struct ptx_module, which the decoder (program/decode.h)
 * reads.
 *
 * One module is one PTX file. The parser resolves register and variable names in their scopes.
 * Labels and functions may be used before they are declared, so the decoder resolves those. The
 * elements of a module are in growing arrays, and refer to each other by index. Names are slices of
 * the module's own copy of the text. Sizes are limited (PTX_MAX_…), so the memory that the parser
 * needs is proportional to the length of the text.
 */
#ifndef REDSWEEP_DEVICES_SIM_PTX_PTX_H
#define REDSWEEP_DEVICES_SIM_PTX_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    PTX_MAX_TEXT = 1 << 26,      /* bytes of PTX text per module */
    PTX_MAX_REGISTERS = 1 << 14, /* registers per function */
    PTX_MAX_SHARED = 227 * 1024, /* bytes of static shared memory, as on sm_90 */
    PTX_MAX_LOCAL = 512 * 1024,  /* bytes of local memory per thread, as on hardware */
    PTX_MAX_VARIABLE = 1 << 26,  /* bytes per variable */
    PTX_MAX_PARAMETERS = 4096,   /* bytes of parameters */
    PTX_MAX_OPERANDS = 8,
    PTX_MAX_VECTOR = 8
};

struct slice {
    const char *at; /* The text is not NUL-terminated. */
    int length;
};
bool slice_is(struct slice s, const char *text);
bool slice_equal(struct slice a, struct slice b);
/* Expands to the arguments that printf's "%.*s" needs for a slice. */
#define SLICE(s) (s).length, (s).at

/* The width of a register. CLASS_16 includes 8-bit registers. Both occupy slots of 32 bits per
 * lane. */
enum register_class { CLASS_PREDICATE, CLASS_16, CLASS_32, CLASS_64 };

enum space {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_CONST,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_PARAM,
    SPACE_CLUSTER, /* the shared memory of a cluster's blocks */
    SPACE_COUNT
};
extern const char *const space_names[SPACE_COUNT];

/* Describes a variable in any state space. */
struct ptx_variable {
    struct slice name;
    enum space space;
    /* the offset within static shared memory, the function's local memory, the kernel's parameters,
     * or (for global and const) the image of the module's variables */
    uint64_t offset;
    uint64_t bytes;
    unsigned align;
    bool dynamic; /* an extern array without a size: dynamic shared memory */
    bool external;
    /* where in ptx_module.initial the initial contents begin, and how many bytes they have */
    uint32_t initial, initial_count;
};

enum ptx_operand_kind {
    OPERAND_REGISTER,
    OPERAND_PAIR,     /* %r|%p: two results */
    OPERAND_INTEGER,  /* two's complement */
    OPERAND_FLOAT32,  /* the bits of a 0f literal */
    OPERAND_FLOAT64,  /* the bits of a 0d or decimal literal */
    OPERAND_SPECIAL,  /* %tid.x … : index is an enum special */
    OPERAND_ADDRESS,  /* [r + bits], where r is a register, a variable or nothing */
    OPERAND_VARIABLE, /* the address of a variable, plus bits */
    OPERAND_VECTOR,   /* {a, b, …}: operands index … index + count - 1 */
    OPERAND_LIST,     /* (a, b, …) of a call */
    OPERAND_NAME,     /* a label or function */
    OPERAND_SINK      /* _ */
};

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;  /* !%p */
    int index;     /* the register, variable (-1: none), special register or first element */
    int second;    /* PAIR: the second register; ADDRESS: the register, or -1 if there is none */
    int count;     /* VECTOR, LIST: the number of elements */
    uint64_t bits; /* the literal or the offset */
    struct slice name;
};

/* The special registers that the simulator supports. */
enum special {
    SPECIAL_TID_X,
    SPECIAL_TID_Y,
    SPECIAL_TID_Z,
    SPECIAL_NTID_X,
    SPECIAL_NTID_Y,
    SPECIAL_NTID_Z,
    SPECIAL_CTAID_X,
    SPECIAL_CTAID_Y,
    SPECIAL_CTAID_Z,
    SPECIAL_NCTAID_X,
    SPECIAL_NCTAID_Y,
    SPECIAL_NCTAID_Z,
    SPECIAL_LANEID,
    SPECIAL_WARPID,
    SPECIAL_NWARPID,
    SPECIAL_WARP_SIZE,
    SPECIAL_SMID,
    SPECIAL_NSMID,
    SPECIAL_GRIDID,
    SPECIAL_LANEMASK_EQ,
    SPECIAL_LANEMASK_LE,
    SPECIAL_LANEMASK_LT,
    SPECIAL_LANEMASK_GE,
    SPECIAL_LANEMASK_GT,
    SPECIAL_DYNAMIC_SMEM_SIZE,
    SPECIAL_TOTAL_SMEM_SIZE,
    SPECIAL_ENVREG1,
    SPECIAL_ENVREG2,
    SPECIAL_CLUSTER_RANK,
    SPECIAL_CLUSTER_SIZE,
    SPECIAL_CLUSTERID_X,
    SPECIAL_NCLUSTERID_X,
    SPECIAL_RESERVED_SMEM_BEGIN,
    SPECIAL_RESERVED_SMEM_END,
    SPECIAL_RESERVED_SMEM_CAP,
    SPECIAL_RESERVED_SMEM_0,
    SPECIAL_RESERVED_SMEM_1,
    SPECIAL_GLOBALTIMER,
    SPECIAL_COUNT,
    /* a special register that the simulator does not support; the decoder refuses it */
    SPECIAL_UNKNOWN = SPECIAL_COUNT
};
extern const char *const special_names[SPECIAL_COUNT]; /* the names without the % */

struct ptx_statement {
    int line;        /* the line in the PTX text, counted from 1 */
    int source_file; /* the number of a .file directive; 0: none */
    int source_line;
    int guard; /* the register of the guard predicate; -1: none */
    bool guard_negated;
    struct slice opcode; /* "ld.global.u32" */
    int first, count;    /* the statement's operands in ptx_module.operands */
};

struct ptx_label {
    struct slice name;
    int statement; /* the index of the statement that follows the label */
};

struct ptx_register {
    struct slice prefix; /* "%r" of %r<22>, or the whole name */
    /* the index of the first register, and the number of registers; count is -1 for a single
     * name */
    int first, count;
};

/* A branch target table, such as "name: .branchtargets a, b, c;". */
struct ptx_targets {
    struct slice name;
    /* where the names a, b, c are in ptx_module.operands, and how many there are */
    int first, count;
};

struct ptx_function {
    struct slice name;
    int line;
    bool entry, defined;
    int first_statement, statement_count;
    int first_label, label_count;
    int first_targets, targets_count;
    int first_class, register_count;      /* the register classes in ptx_module.classes */
    int first_parameter, parameter_count; /* the parameters in ptx_module.variables */
    int first_result, result_count;       /* the results in ptx_module.variables */
    uint64_t parameter_bytes;             /* size of an entry's parameters in bytes */
    /* size of the function's local variables and call parameters in bytes */
    uint64_t local_bytes;
    int max_threads; /* the limit from .maxntid or .reqntid; 0: none */
};

struct ptx_file {
    int number;
    struct slice path;
};

struct ptx_module {
    char *text; /* a NUL-terminated copy of the PTX */
    struct ptx_function *functions;
    int function_count;
    struct ptx_variable *variables;
    int variable_count;
    struct ptx_statement *statements;
    int statement_count;
    struct ptx_operand *operands;
    int operand_count;
    struct ptx_label *labels;
    int label_count;
    struct ptx_targets *targets;
    int targets_count;
    uint8_t *classes; /* the registers of all functions (enum register_class) */
    int class_count;
    struct ptx_file *files;
    int file_count;
    uint8_t *initial; /* the initial bytes of variables */
    int initial_count;
    /* static shared memory, in bytes, of the kernel passed to ptx_place_shared() */
    uint64_t shared_bytes;
    uint64_t global_bytes; /* size of the image of global and const variables, in bytes */
    int target;            /* 90 for sm_90 */
};

/*
 * Parses PTX text of `length` bytes. Fails with ERROR_CONFIG if the text is not valid PTX, and with
 * ERROR_UNSUPPORTED if it uses PTX that the simulator does not support. Free *out with ptx_free().
 */
bool ptx_parse(const char *text, size_t length, struct ptx_module **out, struct error *e);
void ptx_free(struct ptx_module *m);

/*
 * Assigns offsets to the shared variables that the kernel `entry` or any device function uses, in
 * the order of their declarations. Shared variables that only other kernels use get no offset.
 */
void ptx_place_shared(struct ptx_module *m, const struct ptx_function *entry);

/* Returns the index of a function, or -1 if there is none. */
int ptx_find_function(const struct ptx_module *m, struct slice name);

/* Returns the name of the source file with this number in a .file directive, without its folder.
 * Returns "" if the number is unknown. */
struct slice ptx_file_name(const struct ptx_module *m, int number);

#endif
