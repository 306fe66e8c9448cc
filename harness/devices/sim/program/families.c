/*
 * The instructions that the simulator supports: one row per form of an instruction.
 *
 * An instruction that works lane by lane is a row here and a row in lane_operations.h, which defines
 * its arithmetic. `meaning` specifies a row in one sentence; harness/devices/sim/instructions.md is made
 * from these sentences. d is the result, and a, b, c are the operands; every instruction may be guarded
 * (@p, @!p). Source: PTX ISA 9.0, chapter 9 (Instruction set). An instruction that has no row ends its
 * kernel with a message; none is skipped.
 */
#include "devices/sim/program/decode.h"

#include <string.h>

/* An instruction that works lane by lane: its operands, and its rows of lane_operations.h. See
 * struct opcode_family for the columns. */
#define COMPUTES(NAME, OPERANDS, TYPES, MODIFIERS, LANE, MEANING)                                  \
    {                                                                                              \
        NAME, WRITES_FIRST, decode_computation, MEANING, 0, OPERANDS, TYPES, MODIFIERS, LANE       \
    }
/* Any other instruction: a function decodes it. */
#define DECODES(NAME, USE, DECODE, MEANING)                                                        \
    {                                                                                              \
        NAME, USE, DECODE, MEANING, 1, NULL, NULL, NULL, NULL                                      \
    }
/* An instruction with one type for its result and one for its source. */
#define CONVERTS(NAME, DECODE, MEANING)                                                            \
    {                                                                                              \
        NAME, WRITES_FIRST, DECODE, MEANING, 2, NULL, NULL, NULL, NULL                             \
    }

#define INTEGERS "u16 s16 u32 s32 u64 s64"
#define NARROW_INTEGERS "u16 s16 u32 s32"
#define SIGNED_INTEGERS "s16 s32 s64"
#define FLOATS "f32 f64"
#define BITS "b16 b32 b64"
#define ROUNDING "rn rz rm rp"
#define HALVES "f16 f16x2 bf16 bf16x2"

const struct opcode_family families[] = {
    COMPUTES("add", "TTT", INTEGERS, "", "add_U", "d = a + b; wraps."),
    COMPUTES("add.sat", "TTT", "s32", "", "add_sat_T", "d = a + b, clamped to the type."),
    COMPUTES("add", "TTT", HALVES, "rn sat", "add_T", "the same for half precision, one or two."),
    COMPUTES("add", "TTT", FLOATS, ROUNDING " ftz sat", "add_T", "d = a + b, rounded."),
    COMPUTES("add.cc", "TTTC", "u32 s32 u64 s64", "", "add_cc_U",
             "d = a + b, sets the carry flag."),
    COMPUTES("addc", "TTTC", "u32 s32 u64 s64", "", "addc_U", "d = a + b + carry."),
    COMPUTES("addc.cc", "TTTC", "u32 s32 u64 s64", "", "addc_cc_U",
             "d = a + b + carry, sets the carry flag."),
    COMPUTES("sub", "TTT", INTEGERS, "", "sub_U", "d = a - b; wraps."),
    COMPUTES("sub.sat", "TTT", "s32", "", "sub_sat_T", "d = a - b, clamped to the type."),
    COMPUTES("sub", "TTT", HALVES, "rn sat", "sub_T", "the same for half precision, one or two."),
    COMPUTES("sub", "TTT", FLOATS, ROUNDING " ftz sat", "sub_T", "d = a - b, rounded."),
    COMPUTES("sub.cc", "TTTC", "u32 s32 u64 s64", "", "sub_cc_U", "d = a - b, sets the borrow."),
    COMPUTES("subc", "TTTC", "u32 s32 u64 s64", "", "subc_U", "d = a - b - borrow."),
    COMPUTES("subc.cc", "TTTC", "u32 s32 u64 s64", "", "subc_cc_U",
             "d = a - b - borrow, sets the borrow."),
    COMPUTES("mul.lo", "TTT", INTEGERS, "", "mul_lo_U", "d = the lower half of a * b."),
    COMPUTES("mul.hi", "TTT", INTEGERS, "", "mul_hi_T", "d = the upper half of a * b."),
    COMPUTES("mul.wide", "WTT", NARROW_INTEGERS, "", "mul_wide_T", "d = a * b, twice as wide."),
    COMPUTES("mul", "TTT", HALVES, "rn sat", "mul_T", "the same for half precision, one or two."),
    COMPUTES("mul", "TTT", FLOATS, ROUNDING " ftz sat", "mul_T", "d = a * b, rounded."),
    COMPUTES("mad.lo", "TTTT", INTEGERS, "", "mad_lo_U", "d = the lower half of a * b, plus c."),
    COMPUTES("mad.hi", "TTTT", INTEGERS, "", "mad_hi_T", "d = the upper half of a * b, plus c."),
    COMPUTES("mad.wide", "WTTW", NARROW_INTEGERS, "", "mad_wide_T",
             "d = a * b + c; d and c are twice as wide."),
    COMPUTES("mad.lo.cc", "TTTTC", "u32 s32 u64 s64", "", "mad_lo_cc_U",
             "as mad.lo, sets the carry flag."),
    COMPUTES("mad.hi.cc", "TTTTC", "u32 u64", "", "mad_hi_cc_U", "as mad.hi, sets the carry flag."),
    COMPUTES("madc.lo", "TTTTC", "u32 s32 u64 s64", "", "madc_lo_U", "as mad.lo, plus carry."),
    COMPUTES("madc.lo.cc", "TTTTC", "u32 s32 u64 s64", "", "madc_lo_cc_U",
             "as mad.lo, plus carry, sets the carry flag."),
    COMPUTES("madc.hi", "TTTTC", "u32 u64", "", "madc_hi_U", "as mad.hi, plus carry."),
    COMPUTES("madc.hi.cc", "TTTTC", "u32 u64", "", "madc_hi_cc_U",
             "as mad.hi, plus carry, sets the carry flag."),
    COMPUTES("mad", "TTTT", FLOATS, ROUNDING " ftz sat", "fma_T", "as fma."),
    COMPUTES("fma", "TTTT", HALVES, "rn sat", "fma_T", "the same for half precision, one or two."),
    COMPUTES("fma.relu", "TTTT", HALVES, "rn", "fma_relu_T",
             "as fma, but a negative result becomes 0."),
    COMPUTES("fma", "TTTT", FLOATS, ROUNDING " ftz sat", "fma_T", "d = a * b + c, rounded once."),
    COMPUTES("mul24.lo", "TTT", "u32 s32", "", "mul24_lo_T",
             "d = the lower 32 bits of the product of the lower 24 bits."),
    COMPUTES("mul24.hi", "TTT", "u32 s32", "", "mul24_hi_T",
             "d = the upper 32 bits of the 48 of the product of the lower 24 bits."),
    COMPUTES("mad24.lo", "TTTT", "u32 s32", "", "mad24_lo_T", "d = as mul24.lo, plus c."),
    COMPUTES("mad24.hi", "TTTT", "u32 s32", "", "mad24_hi_T", "d = as mul24.hi, plus c."),
    COMPUTES("sad", "TTTT", INTEGERS, "", "sad_T", "d = c + |a - b|."),
    COMPUTES("div", "TTT", INTEGERS, "", "div_T", "d = a / b, rounded to zero; x/0 is all ones."),
    COMPUTES(
        "div", "TTT", FLOATS, ROUNDING " full approx ftz", "div_T",
        "d = a / b, rounded as IEEE 754 says, also for .approx and .full, which promise less."),
    COMPUTES("rem", "TTT", INTEGERS, "", "rem_T", "d = a mod b with the sign of a; x mod 0 is x."),
    COMPUTES("abs", "TT", HALVES, "", "abs_T", "the same for half precision, one or two."),
    COMPUTES("abs", "TT", SIGNED_INTEGERS " " FLOATS, "ftz", "abs_T", "d = |a|."),
    COMPUTES("neg", "TT", HALVES, "", "neg_T", "the same for half precision, one or two."),
    COMPUTES("neg", "TT", SIGNED_INTEGERS " " FLOATS, "ftz", "neg_U", "d = -a."),
    COMPUTES("min", "TTT", INTEGERS, "", "min_T", "d = the lesser."),
    COMPUTES("min", "TTT", FLOATS " " HALVES, "ftz", "min_T",
             "d = the lesser; -0 < +0; a number beats a NaN."),
    COMPUTES("min.NaN", "TTT", FLOATS " " HALVES, "ftz", "min_NaN_T",
             "d = the lesser, or NaN if one is."),
    COMPUTES("max", "TTT", INTEGERS, "", "max_T", "d = the greater."),
    COMPUTES("max", "TTT", FLOATS " " HALVES, "ftz", "max_T", "d = the greater; as min."),
    COMPUTES("max.NaN", "TTT", FLOATS " " HALVES, "ftz", "max_NaN_T",
             "d = the greater, or NaN if one is."),
    COMPUTES("rcp", "TT", FLOATS, ROUNDING " approx ftz", "rcp_T",
             "d = 1 / a, rounded to nearest also for .approx."),
    COMPUTES("sqrt", "TT", FLOATS, ROUNDING " approx ftz", "sqrt_T",
             "d = √a, rounded to nearest also for .approx."),
    COMPUTES("rsqrt", "TT", FLOATS, "approx ftz", "rsqrt_T",
             "d = 1 / √a, rounded after each of the two steps."),
    COMPUTES("sin", "TT", "f32", "approx ftz", "sin_T", "d = sin a, rounded to nearest."),
    COMPUTES("cos", "TT", "f32", "approx ftz", "cos_T", "d = cos a, rounded to nearest."),
    COMPUTES("tanh", "TT", "f32 " HALVES, "approx", "tanh_T", "d = tanh a, rounded to nearest."),
    COMPUTES("ex2", "TT", "f32 " HALVES, "approx ftz", "ex2_T", "d = 2^a, rounded to nearest."),
    COMPUTES("lg2", "TT", "f32", "approx ftz", "lg2_T", "d = log2 a, rounded to nearest."),
    COMPUTES("copysign", "TTT", FLOATS, "", "copysign_T", "d = b with the sign of a."),
    COMPUTES("and", "TTT", "pred " BITS, "", "and_U", "d = a & b."),
    COMPUTES("or", "TTT", "pred " BITS, "", "or_U", "d = a | b."),
    COMPUTES("xor", "TTT", "pred " BITS, "", "xor_U", "d = a ^ b."),
    COMPUTES("not", "TT", "pred " BITS, "", "not_U", "d = ~a."),
    COMPUTES("cnot", "TT", BITS, "", "cnot_U", "d = (a == 0)."),
    COMPUTES("shl", "TTu", BITS, "", "shl_U", "d = a << b; 0 when b is the width or more."),
    COMPUTES("shr", "TTu", BITS " " INTEGERS, "", "shr_T",
             "d = a >> b; copies of the sign bit are shifted in for signed types."),
    COMPUTES("shf.l.wrap", "TTTT", "b32", "", "shf_l_wrap_U",
             "d = the upper 32 bits of b:a shifted left by c modulo 32."),
    COMPUTES("shf.l.clamp", "TTTT", "b32", "", "shf_l_clamp_U",
             "d = the upper 32 bits of b:a shifted left by c, at most 32."),
    COMPUTES("shf.r.wrap", "TTTT", "b32", "", "shf_r_wrap_U",
             "d = the lower 32 bits of b:a shifted right by c modulo 32."),
    COMPUTES("shf.r.clamp", "TTTT", "b32", "", "shf_r_clamp_U",
             "d = the lower 32 bits of b:a shifted right by c, at most 32."),
    COMPUTES("bfe", "TTuu", "u32 s32 u64 s64", "", "bfe_T",
             "d = c bits of a from bit b; signed types extend them."),
    COMPUTES("bfi", "TTTuu", "b32 b64", "", "bfi_U",
             "f = b with its bits c … c+d-1 replaced by those of a."),
    COMPUTES(
        "bfind", "uT", "u32 s32 u64 s64", "", "bfind_T",
        "d = number of the highest set bit (signed: that differs from the sign), -1 for none."),
    COMPUTES("bfind.shiftamt", "uT", "u32 s32 u64 s64", "", "bfind_shiftamt_T",
             "d = the shift that brings the bit that bfind finds to the top, -1 for none."),
    COMPUTES("clz", "uT", "b32 b64", "", "clz_U", "d = number of leading zero bits."),
    COMPUTES("popc", "uT", "b32 b64", "", "popc_U", "d = number of set bits."),
    COMPUTES("szext.wrap", "TTu", "u32 s32", "", "szext_wrap_T",
             "d = the lowest b modulo 32 bits of a, extended by zeros or their sign."),
    COMPUTES("szext.clamp", "TTu", "u32 s32", "", "szext_clamp_T",
             "d = the lowest b bits of a, at most 32, extended by zeros or their sign."),
    COMPUTES("bmsk.wrap", "TTu", "b32", "", "bmsk_wrap_U",
             "d = b modulo 32 one bits from bit a modulo 32 on."),
    COMPUTES("bmsk.clamp", "TTu", "b32", "", "bmsk_clamp_U",
             "d = b one bits from bit a on, both at most 32."),
    COMPUTES("brev", "TT", "b32 b64", "", "brev_U", "d = a with its bits in reverse order."),
    DECODES(
        "prmt", WRITES_FIRST, decode_permute,
        "d = four of the bytes of b:a, chosen by c, or by c and .f4e .b4e .rc8 .ecl .ecr .rc16."),
    COMPUTES("fns", "TTuu", "b32", "", "fns_U",
             "d = place of the c-th set bit of a from bit b on; c < 0: down; -1 for none."),
    COMPUTES("dp4a.u32", "TTTT", "u32 s32", "", "dp4a_u32_T",
             "d = c + the four products of the bytes of a and b, a without signs."),
    COMPUTES("dp4a.s32", "TTTT", "u32 s32", "", "dp4a_s32_T",
             "d = c + the four products of the bytes of a and b, a with signs."),
    COMPUTES("dp2a.lo.u32", "TTTT", "u32 s32", "", "dp2a_lo_u32_T",
             "d = c + the products of the halves of a and the lower two bytes of b."),
    COMPUTES("dp2a.lo.s32", "TTTT", "u32 s32", "", "dp2a_lo_s32_T", "as dp2a.lo, a with signs."),
    COMPUTES("dp2a.hi.u32", "TTTT", "u32 s32", "", "dp2a_hi_u32_T",
             "as dp2a.lo, with the upper two bytes of b."),
    COMPUTES("dp2a.hi.s32", "TTTT", "u32 s32", "", "dp2a_hi_s32_T", "as dp2a.hi, a with signs."),
    COMPUTES("testp.finite", "PT", FLOATS, "", "testp_finite_T", "p = a is finite."),
    COMPUTES("testp.infinite", "PT", FLOATS, "", "testp_infinite_T", "p = a is infinite."),
    COMPUTES("testp.number", "PT", FLOATS, "", "testp_number_T", "p = a is not a NaN."),
    COMPUTES("testp.notanumber", "PT", FLOATS, "", "testp_notanumber_T", "p = a is a NaN."),
    COMPUTES("testp.normal", "PT", FLOATS, "", "testp_normal_T", "p = a is a normal number."),
    COMPUTES("testp.subnormal", "PT", FLOATS, "", "testp_subnormal_T",
             "p = a is a subnormal number."),
    COMPUTES("selp", "TTTP", BITS " " INTEGERS " " FLOATS, "", "selp_U",
             "d = predicate c ? a : b."),
    DECODES("lop3", WRITES_FIRST, decode_logic3,
            "d = any bitwise function of a, b, c by its table."),
    DECODES("setp", WRITES_FIRST, decode_compare,
            "p = a compared with b; p|q also sets q, to the opposite; for f16x2 and bf16x2 the "
            "lower halves set p and the upper halves q; .and .or .xor combine with predicate c."),
    CONVERTS(
        "set", decode_set,
        "d = one (floats) or all bits (.u16 .u32) where a compares with b, for half precision."),
    CONVERTS("slct", decode_select_by_sign, "d = c >= 0 ? a : b."),
    DECODES("mov", WRITES_FIRST, decode_move,
            "d = a: register, literal, special register, a variable's address; {a, b} packs and "
            "unpacks."),
    CONVERTS(
        "cvt", decode_convert,
        "d = a as another type, from and to registers as wide or wider. Floats to integers need "
        ".rni .rzi .rmi .rpi and saturate; NaN gives 0, or only the highest bit when the source "
        "is f64 or the result has 64 bits. .rn .rz .rm .rp .ftz .sat; f16 and bf16, f16x2 and "
        "bf16x2 of two f32."),
    DECODES("cvta", WRITES_FIRST, decode_generic, "d = generic address of a; .to: the reverse."),
    DECODES("isspacep", WRITES_FIRST, decode_is_space,
            "p = whether the generic address a is in a state space."),
    DECODES("ld", WRITES_FIRST, decode_load,
            "d = memory at [a], up to 8 elements; .global .shared .local .param .const "
            "or generic; "
            ".volatile .relaxed .acquire; .nc and cache hints change nothing here."),
    DECODES("ldu", WRITES_FIRST, decode_load, "as ld.global."),
    DECODES("st", READS_ALL, decode_store, "memory at [a] = b, as ld."),
    DECODES(
        "atom", WRITES_FIRST, decode_atomic,
        "d = memory at [a], which becomes d op b, in one step: add, min, max, and, or, xor, exch, "
        "cas, inc, dec; add also of f32, f64, f16, bf16, of two halves and of vectors, min and max "
        "also of vectors of halves, cas and exch also of 16 bits. Counted as a reduction when d is "
        "not read, as the assembler makes it "
        "one."),
    DECODES("red", READS_ALL, decode_atomic, "atom without a result."),
    DECODES("membar", READS_ALL, decode_fence,
            "orders this thread's accesses as other threads see them."),
    DECODES("fence", READS_ALL, decode_fence, "as membar."),
    DECODES("griddepcontrol", READS_ALL, decode_griddepcontrol,
            "grids run one after another here."),
    DECODES("prefetch", READS_ALL, decode_prefetch, "a hint; the simulator has no caches."),
    DECODES("prefetchu", READS_ALL, decode_prefetch, "a hint; the simulator has no caches."),
    DECODES("mbarrier", WRITES_FIRST, decode_mbarrier,
            "barriers in shared memory: .init, .inval, .arrive, .arrive_drop, .expect_tx, "
            ".complete_tx, "
            ".test_wait, .try_wait, .pending_count."),
    DECODES(
        "cp", READS_ALL, decode_copy,
        "cp.async from global to shared memory with its groups and arrivals, cp.async.bulk, which "
        "reports its bytes to an mbarrier; done at once. cp.async counts as a load of global "
        "memory."),
    DECODES("createpolicy", WRITES_FIRST, decode_policy,
            "d = a cache policy, without an effect: there are no caches."),
    DECODES("bra", READS_ALL, decode_branch, "jumps to a label; lanes may diverge."),
    DECODES("brx", READS_ALL, decode_branch_table, "brx.idx: jumps to label number a of a table."),
    DECODES(
        "call", READS_ALL, decode_call,
        "runs a function of the same module, without recursion, or one of the device runtime that "
        "launches a kernel, prints (printf) or fails (assert)."),
    DECODES("ret", READS_ALL, decode_return, "returns to the caller; ends the thread in a kernel."),
    DECODES("exit", READS_ALL, decode_exit, "ends the thread."),
    DECODES("trap", READS_ALL, decode_trap, "ends the launch with an error."),
    DECODES("brkpt", READS_ALL, decode_trap, "as trap: there is no debugger."),
    DECODES("nanosleep", READS_ALL, decode_pause, "lets other warps run."),
    DECODES("bar", READS_ALL, decode_barrier,
            "barriers: .sync waits for the block, .arrive does not wait, .red counts or combines a "
            "predicate, .warp.sync waits for lanes of the warp."),
    DECODES(
        "barrier", READS_ALL, decode_barrier,
        "as bar (.cta); .cluster.arrive and .cluster.wait are the barrier of a cluster of blocks."),
    DECODES("mapa", WRITES_FIRST, decode_map_shared,
            "d = address of the shared variable at a in block b of the cluster."),
    DECODES("shfl", WRITES_FIRST, decode_shuffle,
            "d = a of another lane: .up .down .bfly .idx; d|p tells whether it was in range."),
    DECODES("vote", WRITES_FIRST, decode_vote, ".all .any .uni of a predicate, or its .ballot."),
    DECODES("match", WRITES_FIRST, decode_match,
            "d = lanes that hold the same value; .any or .all."),
    DECODES("redux", WRITES_FIRST, decode_redux, "d = add, min, max, and, or, xor over lanes."),
    DECODES("activemask", WRITES_FIRST, decode_active_mask, "d = the lanes that execute this."),
    DECODES("elect", WRITES_FIRST, decode_elect,
            "d|p: the lowest lane of a mask, p true in it alone."),
    {0},
};

bool family_is(const struct opcode_family *f, struct slice opcode)
{
    int length = (int)strcspn(f->name, ".");
    return opcode.length >= length && memcmp(opcode.at, f->name, (size_t)length) == 0 &&
           (opcode.length == length || opcode.at[length] == '.');
}

const struct opcode_family *family_find(struct slice opcode)
{
    for (const struct opcode_family *f = families; f->name; f++)
        if (family_is(f, opcode))
            return f;
    return NULL;
}
