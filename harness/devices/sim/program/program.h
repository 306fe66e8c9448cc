/*
 * Declares a program: a kernel that is ready to run. The statements of the PTX are decoded into
 * instructions whose operands are slots (lanes.h).
 *
 * Each statement becomes one instruction, so instruction counts are those of the PTX. The
 * instructions of the functions that the kernel calls follow those of the kernel in the same array.
 * The simulator does not support recursion, because each function has only one set of registers and
 * one area of local memory.
 *
 * Registers that are never live at the same time share a slot (registers.h).
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_PROGRAM_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_PROGRAM_H

#include "devices/sim/program/lanes.h"
#include "devices/sim/ptx/ptx.h"

struct sass; /* sass.h */

enum instruction_kind {
    KIND_LANES,       /* computes lane by lane (lanes.h) */
    KIND_LANES_FLOAT, /* the same as KIND_LANES, with .rz .rm .rp .ftz or .sat (float_mode.c) */
    KIND_NOTHING,     /* instructions without any effect, such as prefetches */
    KIND_BRANCH,
    KIND_BRANCH_TABLE,
    KIND_CALL,
    KIND_RETURN,
    KIND_EXIT,
    KIND_TRAP,
    KIND_BARRIER,      /* bar.sync, bar.arrive, bar.red */
    KIND_WARP_BARRIER, /* bar.warp.sync */
    KIND_FENCE,
    KIND_PAUSE, /* nanosleep, which lets other warps run */
    KIND_LOAD,
    KIND_STORE,
    KIND_ATOMIC,
    KIND_SHUFFLE,
    KIND_VOTE,
    KIND_MATCH,
    KIND_REDUX,
    KIND_ACTIVE_MASK,
    KIND_ELECT,
    KIND_TO_GENERIC,      /* cvta */
    KIND_FROM_GENERIC,    /* cvta.to */
    KIND_IS_SPACE,        /* isspacep */
    KIND_MBARRIER,        /* mbarrier, a barrier in shared memory */
    KIND_BULK_COPY,       /* cp.async.bulk */
    KIND_CLUSTER_BARRIER, /* barrier.cluster */
    KIND_MAP_SHARED,      /* mapa */
    KIND_ASYNC_COPY,      /* cp.async */
    KIND_ASYNC_GROUP,     /* cp.async.commit_group and similar; only the race detector needs them */
    KIND_TIMER,           /* mov of %globaltimer */
    KIND_RUNTIME          /* a call to the device runtime (device_runtime.h) */
};

/*
 * What an instruction does, for those kinds that include several operations. Its kind determines to
 * which of these enums instruction.operation belongs.
 */
enum barrier_operation { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };
enum shuffle_mode { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BFLY, SHUFFLE_IDX };
enum vote_mode { VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };
enum mbarrier_operation {
    MBARRIER_INIT,
    MBARRIER_INVALIDATE,
    MBARRIER_EXPECT,
    MBARRIER_ARRIVE,
    MBARRIER_ARRIVE_COPIES, /* arrives once the thread's asynchronous copies are complete */
    MBARRIER_ARRIVE_EXPECT,
    MBARRIER_COMPLETE,
    /* reads the number of pending arrivals from a register instead of a barrier */
    MBARRIER_PENDING,
    MBARRIER_WAIT_PARITY,
    MBARRIER_WAIT_STATE
};
enum async_operation { ASYNC_COMMIT, ASYNC_WAIT_GROUP, ASYNC_WAIT_ALL, ASYNC_ATTACH };
enum cluster_operation { CLUSTER_ARRIVE, CLUSTER_WAIT };
enum match_mode { MATCH_ANY, MATCH_ALL };
enum runtime_operation {
    RUNTIME_BUFFER,
    RUNTIME_LAUNCH,
    RUNTIME_LAST_ERROR,
    RUNTIME_PRINTF,
    RUNTIME_ASSERT
};
enum atomic_operation {
    ATOMIC_ADD,
    ATOMIC_MIN,
    ATOMIC_MAX,
    ATOMIC_AND,
    ATOMIC_OR,
    ATOMIC_XOR,
    ATOMIC_EXCH,
    ATOMIC_CAS,
    ATOMIC_INC,
    ATOMIC_DEC
};

/* the size of the shared memory that CUDA reserves for itself and its libraries, behind the
 * kernel's own, and the offset of a part of it (%reserved_smem_offset_1) */
enum { RESERVED_SHARED_BYTES = 1024, RESERVED_SHARED_1 = 64 };

enum { CLAMP_PACKED = 1 }; /* the result consists of two 16-bit floats */

/* How to interpret the bits of a value in memory or of an atomic's operand. */
enum half_type { HALF_NONE, HALF_F16, HALF_BF16 };
enum value_type { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_FLOAT };

struct instruction {
    struct lane_operands o; /* d, d2, a, b, c */
    lane_function *run;     /* KIND_LANES */
    slot_reference guard;   /* the guard predicate; all ones if there is none */
    uint32_t guard_flip;    /* 0xffffffff for @!p */
    uint64_t offset;        /* the offset of an address */
    /*
     * Branches: the index of the target instruction. Calls, branch tables, and calls to the device
     * runtime: an index into `calls`, `tables` or `copies`. The copies of a runtime call are its
     * arguments, followed by its result.
     */
    int32_t target;
    int32_t reconverge; /* branches: the reconvergence point; -1: the function's end */
    int32_t vector;     /* vector loads and stores: index of the first element in `references` */
    uint8_t kind, operation;
    uint8_t space; /* enum space */
    /* bytes per element of an access, or of the value that a shuffle or match reads */
    uint8_t bytes;
    uint8_t elements;
    uint8_t type;     /* enum value_type */
    uint8_t half;     /* atomics: enum half_type */
    uint8_t rounding; /* KIND_LANES_FLOAT: 0 to nearest, 1 to zero, 2 down, 3 up */
    /* .ftz: bits 0, 1 and 2 for a, b and c, set for those operands that are floats */
    uint8_t flush;
    uint8_t clamp; /* .sat: size of the result in bytes, or CLAMP_PACKED; 0: no .sat */
    uint8_t source_bytes;
    /*
     * If not 0, count an access of this many bytes, aligned to its size, that contains the bytes of
     * this instruction (combine.h, follow.h).
     */
    uint8_t whole_bytes;
    /* do not count this access, because another statement's count includes it (combine.h,
     * follow.h) */
    bool counted_before;
    bool unknown; /* the count of this access is unknown (follow.h) */
    /* in the machine code, one lane executes this atomic for all lanes (follow.h) */
    bool elected;
    /*
     * The kinds of access whose counts become unknown if the warp diverges at this branch
     * (follow.h), as bits UNEVEN(space, store) and UNEVEN_ATOMICS(space).
     */
    uint8_t uneven;
    /* the kinds of access whose counts become unknown if any lane falls through (lost[0]) or takes
     * the branch (lost[1]), as the same bits */
    uint8_t lost[2];
    bool watched; /* true for a branch if `uneven`, `lost` or `latch` is not 0 */
    /* the number, from 1, of the loop that this branch closes; 0: none (follow.h) */
    uint8_t latch;
    /* the number of a loop: count this load once each time the loop is entered; 0: no loop */
    uint8_t hoisted;
    bool flush_result;
    bool wide_d, wide_a;                  /* d and a are 64-bit slots */
    bool wide_address;                    /* the address register has 64 bits */
    bool has_address;                     /* the address has a register, which is in b */
    bool has_d;                           /* there is a result */
    bool is_volatile, acquires, releases; /* modifiers of a load, store or atomic */
    /* .cta, which guarantees nothing to threads of other blocks */
    bool block_scope;
    bool strong; /* volatile, relaxed, acquire or release, so that other threads see the access */
    /* true for an atomic that is a RED in the machine code or whose result is never read */
    bool reduction;
    bool drops;   /* mbarrier.arrive_drop: later phases wait for one fewer arrival */
    bool uniform; /* bra.uni */
};

/* the place in the PTX and in the source from which an instruction comes, for messages */
struct origin {
    int line; /* the line in the PTX */
    int source_file, source_line;
    struct slice opcode;
};

/* Copies a parameter or the result of a call from one function's local memory to that of the
 * other. */
struct call_copy {
    uint32_t from, to, bytes;
};
struct call {
    /* the calling and the called function, as positions in decoder.queue; after decoding, `target`
     * is the index of an instruction */
    int32_t caller, target;
    int32_t first_in, in_count;   /* the copies to make before the call, in `copies` */
    int32_t first_out, out_count; /* the copies to make when the function returns */
    struct slice name;
};

/*
 * A parameter that the kernel reads at a fixed offset. Each launch stores the parameter's value in
 * a slot of the launch area (area 1).
 */
struct parameter_slot {
    slot_reference slot;
    uint32_t offset, bytes;
    bool is_signed, wide;
};

struct parameter {
    uint32_t offset, bytes;
};

struct program {
    char name[64];
    struct instruction *code;
    struct origin *origins;
    int count;
    /* the rank of each instruction's basic block (graph_order()); NULL: blocks run in the order of
     * the text */
    int32_t *ranks;
    slot_reference *references; /* the slots of the elements of all vectors */
    int reference_count;
    struct call *calls;
    int call_count;
    struct call_copy *copies;
    int copy_count;
    int32_t *tables; /* all branch tables; each is a count, followed by as many targets */
    int table_count;
    /* the initial contents of area 1: literals have their values, and each launch fills in
     * parameters and special registers */
    uint8_t *launch_area;
    uint32_t launch_bytes, launch_capacity;
    uint32_t register_bytes; /* size of a warp's registers */
    /* the slot of each special register; SLOT_NONE if it is not used */
    slot_reference specials[SPECIAL_COUNT];
    /* the slot of the carry flag CC, a predicate; SLOT_NONE if it is not used */
    slot_reference carry;
    uint64_t specials_used; /* one bit per enum special in use */
    struct parameter_slot *parameter_slots;
    int parameter_slot_count;
    struct parameter *parameters;
    int parameter_count;
    uint32_t parameter_bytes;
    uint32_t shared_bytes; /* size of static shared memory */
    uint32_t local_bytes;  /* size of a thread's local memory */
    int max_threads;       /* 0: no limit */
    int registers;         /* how many registers the kernel declares */
    int latches;           /* number of loops with a latch (follow.h) */
    /* whether the assembler has added loads ([0]) or stores ([1]) to each space */
    bool added[SPACE_COUNT][2];
    char departures[240]; /* why some counts are unknown, or "" if all are known */
    bool uses_dynamic;
    bool uses_reserved; /* %reserved_smem_offset_… */
    /* owned by the program, because names in `origins` point into its text */
    struct ptx_module *module;
};

/* The bit in instruction.uneven for loads from (store = 0) or stores to (1) global, shared or local
 * memory. */
#define UNEVEN(space, store)                                                                       \
    (1u << (((space) == SPACE_GLOBAL ? 0 : (space) == SPACE_SHARED ? 2 : 4) + (store)))
/* the bit for atomics on global or shared memory */
#define UNEVEN_ATOMICS(space) (1u << ((space) == SPACE_GLOBAL ? 6 : 7))

enum { MAX_LATCHES = 16 };

/*
 * Returns whether ptxas makes a loop of a load and a compare-and-swap from the atomic i. For sm_90,
 * it does so for all 16-bit atomics. In shared memory, it also does so for all other atomics except
 * exchange, compare-and-swap and those on 32-bit integers.
 */
static inline bool atomic_loops(const struct instruction *i)
{
    bool swaps = i->operation == ATOMIC_EXCH || i->operation == ATOMIC_CAS,
         integer = i->bytes == 4 && !i->half && i->type != VALUE_FLOAT;
    return i->bytes == 2 || (i->space == SPACE_SHARED && !swaps && !integer);
}

#define SLOT_NONE 0xffffffffu

/* a predicate that is always true, for instructions without a guard */
#define GUARD_NONE (64u | AREA_LAUNCH)

/* A kernel that takes the address of function k of its module gets this number plus k. Such
 * addresses are below those of all allocations. */
#define FUNCTION_ADDRESSES 0x100000000ull

/*
 * Builds a program from a module's kernel `entry`. `global_base` is the device address of the
 * module's variables. The function takes ownership of the module, even if it fails. If the kernel
 * contains an unknown instruction, fails with ERROR_UNSUPPORTED and reports the instruction's name,
 * PTX line and source line. `sass` is the kernel's machine code. If it is NULL, accesses are
 * counted as in the PTX, apart from those that combine.h combines. Free *out with program_free().
 */
bool program_build(struct ptx_module *m, const char *entry, uint64_t global_base,
                   const struct lane_operation *lanes, const struct sass *sass,
                   struct program **out, struct error *e);
void program_free(struct program *p);

/*
 * Formats an instruction's location for a message, such as "kernel.cu:20, PTX line 53
 * (ld.global.u32)". Returns `buffer`.
 */
const char *program_place(const struct program *p, int instruction, char *buffer, size_t size);

#endif
