/*
 * Declares the decoder, which translates PTX statements into instructions, and what its files
 * share.
 *
 * The first word of an opcode (ld, add, setp …) selects one or more rows of the table in
 * families.c. Each row is a form of the instruction, and contains the function that reads the other
 * words and the operands.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_DECODE_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_DECODE_H

#include "base/vec.h"
#include "devices/sim/program/graph.h"
#include "devices/sim/program/program.h"
#include "devices/sim/program/registers.h"

enum { DECODE_MAX_WORDS = 16, DECODE_MAX_CALLEES = 512 };

/* The decoder's state for one kernel. */
struct decoder {
    struct program *p;
    const struct ptx_module *m;
    const struct lane_operation **lanes; /* the lane operations, sorted by name */
    int lane_count;
    uint64_t global_base;
    const struct sass *sass; /* NULL: the machine code is unknown */
    struct error *e;
    /* the current function */
    const struct ptx_function *f;
    const struct graph *graph;
    const slot_reference *slots; /* the slots of the function's registers */
    const bool *read;            /* for each register of the function, whether it is ever read */
    int first_code;              /* the index of the function's first instruction */
    /* the offset of the function's local memory in that of the thread */
    uint32_t local_base;
    int position; /* the function's position in `queue` */
    bool entry;
    /* The functions to decode, as indices into m->functions. The kernel comes first. */
    int queue[DECODE_MAX_CALLEES], queue_count;
    int ranked; /* the number of instructions that have a rank in p->ranks */
    /* the index of the first instruction of each function in `queue` */
    int starts[DECODE_MAX_CALLEES];
    uint32_t local_bases[DECODE_MAX_CALLEES];
    /* the current statement */
    const struct ptx_statement *s;
    const struct ptx_operand *operands;
    struct slice words[DECODE_MAX_WORDS]; /* the opcode's words */
    int word_count;
    struct instruction *i;
};

/* One form of an instruction. All forms of an instruction have the same first word. */
struct opcode_family {
    /* the opcode's first word, and the other words that the opcode must contain, such as
     * "mul.hi" */
    const char *name;
    /*
     * Whether the instruction writes its first operand and reads the others, or reads all of them.
     */
    enum { WRITES_FIRST, READS_ALL } use;
    bool (*decode)(struct decoder *d);
    const char *meaning;
    int types_most; /* how many types an opcode may contain; 0: any number */
    /* The members below are for decode_computation(). They are NULL if `decode` is another
     * function. */

    /* the types of the operands, one letter for each: T is the opcode's type, W the type of twice
     * its width, u is u32, and P a predicate; C at the end means that the carry flag is used,
     * too */
    const char *operands;
    const char *types;     /* the types, one of which is the opcode's last word */
    const char *modifiers; /* other words that the opcode may contain */
    /* the name of the form's rows in lane_operations.h; T at the end stands for the type, and U for
     * the unsigned type of the same width */
    const char *lane;
};

/* Returns whether `f` is a form of the instruction `opcode`. */
bool family_is(const struct opcode_family *f, struct slice opcode);
/*
 * Returns the first form in the table for this opcode, or NULL if the instruction is unknown. Its
 * other forms follow later in the table.
 */
const struct opcode_family *family_find(struct slice opcode);
/* The table of all forms. In the last row, the name is NULL. */
extern const struct opcode_family families[];

/* Instructions that the simulator does not support, with the CUDA feature to which each belongs. In
 * the last row, the opcode is NULL. */
struct opcode_refusal {
    const char *opcode, *meaning;
};
extern const struct opcode_refusal refusals[];
/* Returns the CUDA feature to which a refused opcode belongs, or NULL if the opcode is not in the
 * table. */
const char *refusal_in_cuda(struct slice opcode);

/*
 * Fails with ERROR_UNSUPPORTED. The message contains the opcode, its location, and the reason
 * `why`, unless that is "".
 */
bool decode_unsupported(struct decoder *d, const char *why);

/* Returns whether one of the opcode's words, except the first one, is `word`. */
bool decode_has(const struct decoder *d, const char *word);
/* Returns whether the word is in a space-separated list. */
bool decode_listed(struct slice word, const char *list);
/* Fails like decode_unsupported(), because the opcode contains `word`. */
bool decode_unknown_part(struct decoder *d, struct slice word);
/* Fails if one of the opcode's words, except the first one, is not in the space-separated list. */
bool decode_only(struct decoder *d, const char *known);

/* A type named in an opcode, such as u32. */
struct type {
    enum value_type value;
    int bytes;         /* 0: predicate */
    bool bits;         /* a type of bits without an interpretation, such as b32 */
    bool half, packed; /* half: f16, bf16, f16x2 or bf16x2; packed: f16x2 or bf16x2 */
    const char *name;
};
bool decode_type_word(struct slice word, struct type *t);
/* Reads the opcode's last word as a type. */
bool decode_type(struct decoder *d, struct type *t);

/*
 * Finds the slot of operand number `at`, which the instruction reads. `bytes` is the size of its
 * value, 1 to 8, or 0 for a predicate. Values of 1 and 2 bytes are in slots of 4 bytes per lane.
 */
bool decode_read(struct decoder *d, int at, int bytes, bool is_float, slot_reference *out);
bool decode_read_operand(struct decoder *d, const struct ptx_operand *o, int bytes, bool is_float,
                         slot_reference *out);
/* Finds the slot of an operand that the instruction writes. A sink (_) gets a slot that nothing
 * reads. */
bool decode_write_operand(struct decoder *d, const struct ptx_operand *o, int bytes,
                          slot_reference *out);
bool decode_write(struct decoder *d, int at, int bytes, slot_reference *out);
/*
 * Returns the width of the register `o` in bytes (4, 8, or 0 for a predicate), or -1 if `o` is not
 * a register.
 */
int decode_width(const struct decoder *d, const struct ptx_operand *o);
/* Reads operand number `at`, an address. Stores its register in i->o.b, and its offset in
 * i->offset. */
bool decode_address(struct decoder *d, int at);
/* Fails if the statement does not have `min` to `max` operands. */
bool decode_count(struct decoder *d, int min, int max);

/* Returns the size of a slot for values of 4 or 8 bytes, or for a predicate if `bytes` is 0. */
uint32_t decode_slot_bytes(int bytes);
/* Returns a slot of the launch area with `bits` in every lane. */
slot_reference decode_constant(struct decoder *d, int bytes, uint64_t bits);
/* Returns a new slot in the launch area (area 1), in which each launch will store a value. */
slot_reference decode_launch_slot(struct decoder *d, int bytes);
/*
 * Returns the name of a type in the names of lane operations (lane_operations.h). There, types of
 * bits such as b32 are unsigned.
 */
const char *decode_row_type(const struct type *t);
/*
 * Reads the words that modify floating-point arithmetic: .rz, .rm and .rp change the rounding mode,
 * .ftz flushes subnormal sources and results, and .sat clamps the result. `sources` has a bit for
 * each of a, b, c that is a floating-point source. A NULL `result` means that the result is a
 * predicate.
 */
void decode_float_mode(struct decoder *d, const struct type *result, const struct type *source,
                       unsigned sources);
/* Makes the instruction a KIND_LANES that executes the lane operation with this name. Fails with
 * ERROR_UNSUPPORTED if there is none. */
bool decode_lane(struct decoder *d, const char *name);

/* Sets *out to the address of the variable `o` in its state space, as the kernel sees it. */
bool decode_variable(struct decoder *d, const struct ptx_operand *o, uint64_t *out);

/* The decoders, grouped by file. */
bool decode_computation(struct decoder *d); /* decode_lanes.c */
bool decode_logic3(struct decoder *d);
bool decode_compare(struct decoder *d);
bool decode_set(struct decoder *d);
bool decode_permute(struct decoder *d);
bool decode_select_by_sign(struct decoder *d);
bool decode_move(struct decoder *d);
bool decode_convert(struct decoder *d); /* decode_convert.c */
bool decode_load(struct decoder *d);    /* decode_memory.c */
bool decode_store(struct decoder *d);
bool decode_atomic(struct decoder *d);
bool decode_fence(struct decoder *d);
bool decode_griddepcontrol(struct decoder *d);
bool decode_prefetch(struct decoder *d);
bool decode_generic(struct decoder *d);
bool decode_is_space(struct decoder *d);
bool decode_mbarrier(struct decoder *d); /* decode_async.c */
bool decode_copy(struct decoder *d);
bool decode_cluster_barrier(struct decoder *d);
bool decode_map_shared(struct decoder *d);
bool decode_policy(struct decoder *d);
bool decode_branch(struct decoder *d); /* decode_control.c */
bool decode_branch_table(struct decoder *d);
bool decode_call(struct decoder *d);
bool decode_return(struct decoder *d);
bool decode_exit(struct decoder *d);
bool decode_trap(struct decoder *d);
bool decode_pause(struct decoder *d);
bool decode_barrier(struct decoder *d);
bool decode_shuffle(struct decoder *d);
bool decode_vote(struct decoder *d);
bool decode_match(struct decoder *d);
bool decode_redux(struct decoder *d);
bool decode_active_mask(struct decoder *d);
bool decode_elect(struct decoder *d);

#endif
