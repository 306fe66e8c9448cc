/*
 * A kernel that is ready to run: statements decoded into instructions whose operands are slots.
 *
 * Each statement becomes one instruction, so instruction counts are those of the PTX. Functions
 * called by the kernel follow it in the same array. Recursion is refused, because each function has
 * just one set of registers and one area of local memory.
 *
 * A warp's register memory (area 0) holds the predicates (4 bytes each), then the per-warp special
 * registers, then the other registers. Registers that are never live at the same time share a slot
 * (registers.c).
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_PROGRAM_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_PROGRAM_H

#include "devices/sim/program/lanes.h"
#include "devices/sim/ptx/ptx.h"

struct sass; /* sass.h */

enum instruction_kind {
    KIND_LANES,       /* computes lane by lane (lanes.h) */
    KIND_LANES_FLOAT, /* the same, with .rz .rm .rp .ftz or .sat (float_mode.c) */
    KIND_NOTHING,     /* fences without effect within one warp, hints, prefetches */
    KIND_BRANCH,
    KIND_BRANCH_TABLE,
    KIND_CALL,
    KIND_RETURN,
    KIND_EXIT,
    KIND_TRAP,
    KIND_BARRIER,      /* bar.sync, bar.arrive, bar.red */
    KIND_WARP_BARRIER, /* bar.warp.sync */
    KIND_FENCE,
    KIND_PAUSE, /* nanosleep: yields to other warps */
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
    KIND_MBARRIER,        /* barriers in shared memory */
    KIND_BULK_COPY,       /* cp.async.bulk */
    KIND_CLUSTER_BARRIER, /* barrier.cluster */
    KIND_MAP_SHARED,      /* mapa */
    KIND_ASYNC_COPY,      /* cp.async */
    KIND_ASYNC_GROUP,     /* cp.async groups; only the race detector uses them */
    KIND_TIMER,           /* mov of %globaltimer */
    KIND_RUNTIME          /* a call to the device runtime (device_runtime.h) */
};

/*
 * Sub-operations. instruction.kind decides which of these enums instruction.operation belongs to.
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
    MBARRIER_PENDING, /* reads the pending count from a state instead of a barrier */
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

/* shared memory that CUDA reserves for itself and its libraries, behind the kernel's own */
enum { RESERVED_SHARED_BYTES = 1024, RESERVED_SHARED_1 = 64 };

enum { CLAMP_PACKED = 1 }; /* the result is two halves */

/* How to interpret the bits of a value in memory or of an atomic's operand. */
enum half_type { HALF_NONE, HALF_F16, HALF_BF16 };
enum value_type { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_FLOAT };

struct instruction {
    struct lane_operands o; /* d, d2, a, b, c */
    lane_function *run;     /* KIND_LANES */
    slot_reference guard;   /* a predicate; all ones if there is none */
    uint32_t guard_flip;    /* 0xffffffff for @!p */
    uint64_t offset;        /* the offset of an address */
    /*
     * Branches: index of an instruction. Calls: index into `calls`. Branch tables: index into
     * `tables`. Device runtime calls: index of the arguments in `copies`, where the result follows
     * them.
     */
    int32_t target;
    int32_t reconverge; /* branches: the reconvergence point; -1: the function's end */
    int32_t vector;     /* vector loads and stores: index into references */
    uint8_t kind, operation;
    uint8_t space; /* enum space */
    uint8_t bytes; /* bytes per element, or of a shuffled or matched value */
    uint8_t elements;
    uint8_t type;     /* enum value_type */
    uint8_t half;     /* atomics: enum half_type */
    uint8_t rounding; /* KIND_LANES_FLOAT: 0 to nearest, 1 to zero, 2 down, 3 up */
    uint8_t flush;    /* .ftz: a bit for each of a, b, c that is a float */
    uint8_t clamp;    /* .sat: size of the result in bytes, or CLAMP_PACKED; 0: no .sat */
    uint8_t source_bytes;
    /*
     * Count as the aligned access of this many bytes that contains the instruction's own bytes; 0:
     * count as is (combine.h, follow.h).
     */
    uint8_t whole_bytes;
    bool counted_before; /* combine.h, follow.h: counted with another statement */
    bool unknown;        /* follow.h: its count is unknown */
    bool elected;        /* follow.h: one lane executes this atomic for all lanes */
    /*
     * If the warp diverges at this branch, the counts of these kinds of access become unknown
     * (follow.h). Bits: UNEVEN(space, store), UNEVEN_ATOMICS(space).
     */
    uint8_t uneven;
    uint8_t lost[2]; /* the same, but if any lane falls through ([0]) or takes the branch ([1]) */
    bool watched;    /* follow.h: counts depend on this branch */
    uint8_t latch;   /* follow.h: the number of the loop that this branch closes */
    uint8_t hoisted; /* count this load once per run of this loop; 0: no loop */
    bool flush_result;
    bool wide_d, wide_a;                  /* d and a are 64-bit slots */
    bool wide_address;                    /* the address register has 64 bits */
    bool has_address;                     /* there is an address register (in b) */
    bool has_d;                           /* there is a result */
    bool is_volatile, acquires, releases; /* modifiers of loads, stores and atomics */
    bool block_scope;                     /* .cta: guarantees nothing to threads of other blocks */
    bool strong; /* volatile, relaxed, acquire, release: visible to other threads */
    /* an atomic that returns nothing: a RED in the machine code, or nobody reads the result */
    bool reduction;
    bool drops;   /* mbarrier.arrive_drop: later phases wait for one fewer arrival */
    bool uniform; /* bra.uni */
};

/* Where an instruction comes from, for messages. */
struct origin {
    int line; /* the line in the PTX */
    int source_file, source_line;
    struct slice opcode;
};

/* Copies a call's parameter or result between two functions' local memory. */
struct call_copy {
    uint32_t from, to, bytes;
};
struct call {
    /* While decoding: positions in the queue. Afterwards, `target` is an instruction index. */
    int32_t caller, target;
    int32_t first_in, in_count;   /* copies before the call */
    int32_t first_out, out_count; /* copies on return */
    struct slice name;
};

/*
 * A parameter that the kernel reads at a fixed offset. Its slot in the launch area is filled at
 * launch.
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
    /* rank of each instruction's basic block (graph_order()); NULL: text order */
    int32_t *ranks;
    slot_reference *references; /* vector elements */
    int reference_count;
    struct call *calls;
    int call_count;
    struct call_copy *copies;
    int copy_count;
    int32_t *tables; /* branch tables, each a count followed by its targets */
    int table_count;
    /* holds the literals; parameters and special registers are filled in at launch */
    uint8_t *launch_area;
    uint32_t launch_bytes, launch_capacity;
    uint32_t register_bytes; /* size of a warp's registers */
    /* slot of each special register; SLOT_NONE: unused */
    slot_reference specials[SPECIAL_COUNT];
    slot_reference carry;   /* CC, a predicate; SLOT_NONE: unused */
    uint64_t specials_used; /* one bit per enum special in use */
    struct parameter_slot *parameter_slots;
    int parameter_slot_count;
    struct parameter *parameters;
    int parameter_count;
    uint32_t parameter_bytes;
    uint32_t shared_bytes;      /* size of static shared memory */
    uint32_t local_bytes;       /* size of a thread's local memory */
    int max_threads;            /* 0: no limit */
    int registers;              /* as declared by the kernel, for module_info */
    int latches;                /* number of loops with a latch (follow.h) */
    bool added[SPACE_COUNT][2]; /* whether the assembler added loads or stores, by space */
    char departures[240];       /* why some counts are unknown; "": all are known */
    bool uses_dynamic;
    bool uses_reserved; /* %reserved_smem_offset_… */
    /* owned by the program; names in `origins` point into its text */
    struct ptx_module *module;
};

/* Returns the bit for loads from or stores to global, shared or local memory. */
#define UNEVEN(space, store)                                                                       \
    (1u << (((space) == SPACE_GLOBAL ? 0 : (space) == SPACE_SHARED ? 2 : 4) + (store)))
/* Returns the bit for atomics on global or shared memory. */
#define UNEVEN_ATOMICS(space) (1u << ((space) == SPACE_GLOBAL ? 6 : 7))

enum { MAX_LATCHES = 16 };

/*
 * Returns whether ptxas turns an atomic into a load and compare-and-swap loop. For sm_90, it does
 * so with all 16-bit atomics and, in shared memory, with everything but exchange, compare-and-swap
 * and 32-bit integer atomics.
 */
static inline bool atomic_loops(const struct instruction *i)
{
    bool swaps = i->operation == ATOMIC_EXCH || i->operation == ATOMIC_CAS,
         integer = i->bytes == 4 && !i->half && i->type != VALUE_FLOAT;
    return i->bytes == 2 || (i->space == SPACE_SHARED && !swaps && !integer);
}

#define SLOT_NONE 0xffffffffu

/* The always-true guard of instructions that have none in the PTX. */
#define GUARD_NONE (64u | AREA_LAUNCH)

/* To a kernel, function k of its module is at this address plus k, below all allocations. */
#define FUNCTION_ADDRESSES 0x100000000ull

/*
 * Builds a program from a module's kernel `entry`. `global_base` will be the device address of the
 * module's variables. Takes ownership of the module, even on failure. Fails with ERROR_UNSUPPORTED
 * for an unknown instruction and reports its name, PTX line and source line. If `sass` is NULL,
 * accesses are counted as in the PTX, apart from those that combine.h combines. Free *out with
 * program_free().
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
