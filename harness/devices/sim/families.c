/*
 * The instructions that the simulator knows: one row a family.
 *
 * `meaning` is the family's specification in a sentence; docs/simulator-instructions.md is
 * made from it. d is the result, a, b, c the operands; every instruction may be guarded (@p, @!p).
 * Source: PTX ISA 9.0, chapter 9 (Instruction set). An instruction that has no row ends its
 * kernel with a message; none is skipped.
 */
#include "devices/sim/decode.h"

#include <string.h>

const struct family families[] = {
    {"add", WRITES_FIRST, decode_arithmetic,
     "d = a + b. u16 to s64 wrap, .sat.s32 clamps; f32, f64 round (.rn .rz .rm .rp)."},
    {"sub", WRITES_FIRST, decode_arithmetic, "d = a - b, as add."},
    {"mul", WRITES_FIRST, decode_multiply,
     "d = a * b: .lo the lower half, .hi the upper half, .wide all of it; floats round."},
    {"mad", WRITES_FIRST, decode_multiply,
     "d = a * b + c with .lo, .hi or .wide; for floats the same as fma."},
    {"fma", WRITES_FIRST, decode_arithmetic, "d = a * b + c, rounded once; f32, f64."},
    {"mul24", WRITES_FIRST, decode_arithmetic, "d = product of the lower 24 bits, .lo."},
    {"sad", WRITES_FIRST, decode_arithmetic, "d = c + |a - b|."},
    {"div", WRITES_FIRST, decode_arithmetic,
     "d = a / b. Integers round to zero, x/0 is all ones; floats round as IEEE 754 says, also "
     "for .approx and .full, which promise less."},
    {"rem", WRITES_FIRST, decode_arithmetic, "d = a mod b with the sign of a; x mod 0 is x."},
    {"abs", WRITES_FIRST, decode_arithmetic, "d = |a|."},
    {"neg", WRITES_FIRST, decode_arithmetic, "d = -a."},
    {"min", WRITES_FIRST, decode_arithmetic,
     "d = the lesser; -0 < +0; a NaN loses against a number unless .NaN."},
    {"max", WRITES_FIRST, decode_arithmetic, "d = the greater; as min."},
    {"rcp", WRITES_FIRST, decode_arithmetic, "d = 1 / a, rounded to nearest also for .approx."},
    {"sqrt", WRITES_FIRST, decode_arithmetic, "d = √a, rounded to nearest also for .approx."},
    {"rsqrt", WRITES_FIRST, decode_arithmetic, "d = 1 / √a, rounded after each of the two steps."},
    {"sin", WRITES_FIRST, decode_arithmetic, "d = sin a (.approx.f32), rounded to nearest."},
    {"cos", WRITES_FIRST, decode_arithmetic, "d = cos a (.approx.f32), rounded to nearest."},
    {"tanh", WRITES_FIRST, decode_arithmetic, "d = tanh a (.approx.f32), rounded to nearest."},
    {"ex2", WRITES_FIRST, decode_arithmetic, "d = 2^a (.approx.f32), rounded to nearest."},
    {"lg2", WRITES_FIRST, decode_arithmetic, "d = log2 a (.approx.f32), rounded to nearest."},
    {"copysign", WRITES_FIRST, decode_arithmetic, "d = b with the sign of a; f32, f64."},
    {"and", WRITES_FIRST, decode_logic, "d = a & b; b16, b32, b64, pred."},
    {"or", WRITES_FIRST, decode_logic, "d = a | b."},
    {"xor", WRITES_FIRST, decode_logic, "d = a ^ b."},
    {"not", WRITES_FIRST, decode_logic, "d = ~a."},
    {"cnot", WRITES_FIRST, decode_logic, "d = (a == 0)."},
    {"shl", WRITES_FIRST, decode_shift, "d = a << b; 0 when b is the width or more."},
    {"shr", WRITES_FIRST, decode_shift, "d = a >> b; signs fill in for signed types."},
    {"shf", WRITES_FIRST, decode_funnel,
     "d = the upper (.l) or lower (.r) 32 bits of b:a shifted by c; .wrap or .clamp at 32."},
    {"bfe", WRITES_FIRST, decode_bits, "d = c bits of a from bit b; signed types extend them."},
    {"bfi", WRITES_FIRST, decode_bits, "f = b with its bits c … c+d-1 replaced by those of a."},
    {"bfind", WRITES_FIRST, decode_bits,
     "d = number of the highest set bit (signed: that differs from the sign), -1 for none; "
     ".shiftamt: the shift that brings it to the top."},
    {"clz", WRITES_FIRST, decode_bits, "d = number of leading zero bits."},
    {"popc", WRITES_FIRST, decode_bits, "d = number of set bits."},
    {"brev", WRITES_FIRST, decode_bits, "d = a with its bits in reverse order."},
    {"prmt", WRITES_FIRST, decode_permute, "d = four of the bytes of b:a, chosen by c."},
    {"lop3", WRITES_FIRST, decode_logic3, "d = any bitwise function of a, b, c by its table."},
    {"setp", WRITES_FIRST, decode_compare,
     "p = a compared with b; p|q sets q to the opposite; .and .or .xor combine with predicate c."},
    {"testp", WRITES_FIRST, decode_test,
     "p = a is .finite, .infinite, .number, .notanumber, .normal or .subnormal."},
    {"selp", WRITES_FIRST, decode_select, "d = predicate c ? a : b."},
    {"slct", WRITES_FIRST, decode_select, "d = c >= 0 ? a : b."},
    {"mov", WRITES_FIRST, decode_move,
     "d = a: register, literal, special register, a variable's address; {a, b} packs and unpacks."},
    {"cvt", WRITES_FIRST, decode_convert,
     "d = a as another type. Floats to integers need .rni .rzi .rmi .rpi, saturate, NaN gives 0."},
    {"cvta", WRITES_FIRST, decode_generic, "d = generic address of a; .to: the reverse."},
    {"isspacep", WRITES_FIRST, decode_is_space, "p = the generic address a lies in a space."},
    {"ld", WRITES_FIRST, decode_load,
     "d = memory at [a], up to 8 elements; .global .shared .local .param .const "
     "or generic; "
     ".volatile .relaxed .acquire; .nc and cache hints change nothing here."},
    {"ldu", WRITES_FIRST, decode_load, "as ld.global."},
    {"st", READS_ALL, decode_store, "memory at [a] = b, as ld."},
    {"atom", WRITES_FIRST, decode_atomic,
     "d = memory at [a], which becomes d op b, in one step: add, min, max, and, or, xor, exch, "
     "cas, inc, dec. Counted as a reduction when nobody reads d, as the assembler makes it one."},
    {"red", READS_ALL, decode_atomic, "atom without a result."},
    {"membar", READS_ALL, decode_fence, "orders this thread's accesses for others."},
    {"fence", READS_ALL, decode_fence, "as membar."},
    {"griddepcontrol", READS_ALL, decode_griddepcontrol, "grids run one after another here."},
    {"prefetch", READS_ALL, decode_prefetch, "a hint; the simulator has no caches."},
    {"prefetchu", READS_ALL, decode_prefetch, "a hint; the simulator has no caches."},
    {"mbarrier", WRITES_FIRST, decode_mbarrier,
     "barriers in shared memory: .init, .inval, .arrive, .expect_tx, .test_wait, .try_wait."},
    {"cp", READS_ALL, decode_copy,
     "cp.async.bulk from global to shared memory, which reports its bytes to an mbarrier; done at "
     "once, and counted as an instruction only."},
    {"createpolicy", WRITES_FIRST, decode_policy, "d = a cache policy; there are no caches."},
    {"bra", READS_ALL, decode_branch, "goes on at a label; lanes may part ways."},
    {"brx", READS_ALL, decode_branch_table, "brx.idx: goes on at label number a of a table."},
    {"call", READS_ALL, decode_call,
     "runs a function of the same module, without recursion, or one of the device runtime that "
     "launches a kernel."},
    {"ret", READS_ALL, decode_return, "goes back to the caller; ends the thread in a kernel."},
    {"exit", READS_ALL, decode_exit, "ends the thread."},
    {"trap", READS_ALL, decode_trap, "ends the launch with an error."},
    {"brkpt", READS_ALL, decode_trap, "as trap: there is no debugger."},
    {"nanosleep", READS_ALL, decode_pause, "lets other warps run."},
    {"bar", READS_ALL, decode_barrier,
     "barriers: .sync waits for the block, .arrive does not wait, .red counts or combines a "
     "predicate, .warp.sync waits for lanes of the warp."},
    {"barrier", READS_ALL, decode_barrier,
     "as bar (.cta); .cluster.arrive and .cluster.wait are the barrier of a cluster of blocks."},
    {"mapa", WRITES_FIRST, decode_map_shared,
     "d = where the shared variable at a lies in block b of the cluster."},
    {"shfl", WRITES_FIRST, decode_shuffle,
     "d = a of another lane: .up .down .bfly .idx; d|p tells whether it was in range."},
    {"vote", WRITES_FIRST, decode_vote, ".all .any .uni of a predicate, or its .ballot."},
    {"match", WRITES_FIRST, decode_match, "d = lanes that hold the same value; .any or .all."},
    {"redux", WRITES_FIRST, decode_redux, "d = add, min, max, and, or, xor over lanes."},
    {"activemask", WRITES_FIRST, decode_active_mask, "d = the lanes that execute this."},
    {"elect", WRITES_FIRST, decode_elect, "d|p: the lowest lane of a mask, p true in it alone."},
    {0},
};

const struct family *family_find(struct slice opcode)
{
    struct slice first = opcode;
    for (int i = 0; i < opcode.length; i++) {
        if (opcode.at[i] == '.') {
            first.length = i;
            break;
        }
    }
    for (const struct family *f = families; f->name; f++)
        if (slice_is(first, f->name))
            return f;
    return NULL;
}
