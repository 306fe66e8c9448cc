/*
 * The table of instructions that the simulator supports, with one row per form of an instruction.
 * For example, add and add.sat are two forms.
 *
 * If an instruction is a lane operation (lanes.h), it has a row here and rows in lane_operations.h,
 * which define its arithmetic. `meaning` says in one sentence what the instruction does, and
 * harness/devices/sim/instructions.md is generated from these sentences. In them, d is the result,
 * and a, b, c are the operands. Every instruction may have a guard (@p, @!p). An instruction that
 * has no row ends its kernel with a message. Source: PTX ISA 9.0, chapter 9 (Instruction set).
 */
#include "devices/sim/program/decode.h"

#include <string.h>

/* A row for a lane operation that decode_computation() decodes. struct opcode_family explains the
 * columns. */
#define COMPUTES(NAME, OPERANDS, TYPES, MODIFIERS, LANE, MEANING)                                  \
    {                                                                                              \
        NAME, WRITES_FIRST, decode_computation, MEANING, 0, OPERANDS, TYPES, MODIFIERS, LANE       \
    }
/* a row for an instruction that has a decoding function of its own, and at most one type in its
 * opcode */
#define DECODES(NAME, USE, DECODE, MEANING)                                                        \
    {                                                                                              \
        NAME, USE, DECODE, MEANING, 1, NULL, NULL, NULL, NULL                                      \
    }
/* the same for an instruction whose opcode contains the types of its result and of its operand */
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
    COMPUTES("add", "TTT", HALVES, "rn sat", "add_T",
             "d = a + b in half precision, for one value or a packed pair."),
    COMPUTES("add", "TTT", FLOATS, ROUNDING " ftz sat", "add_T", "d = a + b, rounded."),
    COMPUTES("add.cc", "TTTC", "u32 s32 u64 s64", "", "add_cc_U",
             "d = a + b; sets the carry flag."),
    COMPUTES("addc", "TTTC", "u32 s32 u64 s64", "", "addc_U", "d = a + b + carry."),
    COMPUTES("addc.cc", "TTTC", "u32 s32 u64 s64", "", "addc_cc_U",
             "d = a + b + carry; sets the carry flag."),
    COMPUTES("sub", "TTT", INTEGERS, "", "sub_U", "d = a - b; wraps."),
    COMPUTES("sub.sat", "TTT", "s32", "", "sub_sat_T", "d = a - b, clamped to the type."),
    COMPUTES("sub", "TTT", HALVES, "rn sat", "sub_T",
             "d = a - b in half precision, for one value or a packed pair."),
    COMPUTES("sub", "TTT", FLOATS, ROUNDING " ftz sat", "sub_T", "d = a - b, rounded."),
    COMPUTES("sub.cc", "TTTC", "u32 s32 u64 s64", "", "sub_cc_U",
             "d = a - b; sets the borrow flag."),
    COMPUTES("subc", "TTTC", "u32 s32 u64 s64", "", "subc_U", "d = a - b - borrow."),
    COMPUTES("subc.cc", "TTTC", "u32 s32 u64 s64", "", "subc_cc_U",
             "d = a - b - borrow; sets the borrow flag."),
    COMPUTES("mul.lo", "TTT", INTEGERS, "", "mul_lo_U", "d = the lower half of a * b."),
    COMPUTES("mul.hi", "TTT", INTEGERS, "", "mul_hi_T", "d = the upper half of a * b."),
    COMPUTES("mul.wide", "WTT", NARROW_INTEGERS, "", "mul_wide_T",
             "d = a * b; d is twice as wide as a and b."),
    COMPUTES("mul", "TTT", HALVES, "rn sat", "mul_T",
             "d = a * b in half precision, for one value or a packed pair."),
    COMPUTES("mul", "TTT", FLOATS, ROUNDING " ftz sat", "mul_T", "d = a * b, rounded."),
    COMPUTES("mad.lo", "TTTT", INTEGERS, "", "mad_lo_U", "d = the lower half of a * b, plus c."),
    COMPUTES("mad.hi", "TTTT", INTEGERS, "", "mad_hi_T", "d = the upper half of a * b, plus c."),
    COMPUTES("mad.wide", "WTTW", NARROW_INTEGERS, "", "mad_wide_T",
             "d = a * b + c; d and c are twice as wide as a and b."),
    COMPUTES("mad.lo.cc", "TTTTC", "u32 s32 u64 s64", "", "mad_lo_cc_U",
             "same as mad.lo, but also sets the carry flag."),
    COMPUTES("mad.hi.cc", "TTTTC", "u32 u64", "", "mad_hi_cc_U",
             "same as mad.hi, but also sets the carry flag."),
    COMPUTES("madc.lo", "TTTTC", "u32 s32 u64 s64", "", "madc_lo_U",
             "same as mad.lo, but also adds the carry flag."),
    COMPUTES("madc.lo.cc", "TTTTC", "u32 s32 u64 s64", "", "madc_lo_cc_U",
             "same as mad.lo, but also adds the carry flag and sets it."),
    COMPUTES("madc.hi", "TTTTC", "u32 u64", "", "madc_hi_U",
             "same as mad.hi, but also adds the carry flag."),
    COMPUTES("madc.hi.cc", "TTTTC", "u32 u64", "", "madc_hi_cc_U",
             "same as mad.hi, but also adds the carry flag and sets it."),
    COMPUTES("mad", "TTTT", FLOATS, ROUNDING " ftz sat", "fma_T", "same as fma."),
    COMPUTES("fma", "TTTT", HALVES, "rn sat", "fma_T",
             "d = a * b + c in half precision, for one value or a packed pair."),
    COMPUTES("fma.relu", "TTTT", HALVES, "rn", "fma_relu_T",
             "same as fma, but a negative result becomes 0."),
    COMPUTES("fma", "TTTT", FLOATS, ROUNDING " ftz sat", "fma_T", "d = a * b + c, rounded once."),
    COMPUTES("mul24.lo", "TTT", "u32 s32", "", "mul24_lo_T",
             "d = the lower 32 bits of the 48-bit product of the lower 24 bits of a and b."),
    COMPUTES("mul24.hi", "TTT", "u32 s32", "", "mul24_hi_T",
             "d = the upper 32 bits of the 48-bit product of the lower 24 bits of a and b."),
    COMPUTES("mad24.lo", "TTTT", "u32 s32", "", "mad24_lo_T",
             "d = the result of mul24.lo, plus c."),
    COMPUTES("mad24.hi", "TTTT", "u32 s32", "", "mad24_hi_T",
             "d = the result of mul24.hi, plus c."),
    COMPUTES("sad", "TTTT", INTEGERS, "", "sad_T", "d = c + |a - b|."),
    COMPUTES("div", "TTT", INTEGERS, "", "div_T",
             "d = a / b, rounded toward zero; if b = 0, all bits of d are 1."),
    COMPUTES("div", "TTT", FLOATS, ROUNDING " full approx ftz", "div_T",
             "d = a / b, rounded according to IEEE 754, even for .approx and .full, which promise "
             "less accuracy."),
    COMPUTES("rem", "TTT", INTEGERS, "", "rem_T",
             "d = a mod b, with the sign of a; if b = 0, d = a."),
    COMPUTES("abs", "TT", HALVES, "", "abs_T",
             "d = |a| in half precision, for one value or a packed pair."),
    COMPUTES("abs", "TT", SIGNED_INTEGERS " " FLOATS, "ftz", "abs_T", "d = |a|."),
    COMPUTES("neg", "TT", HALVES, "", "neg_T",
             "d = -a in half precision, for one value or a packed pair."),
    COMPUTES("neg", "TT", SIGNED_INTEGERS " " FLOATS, "ftz", "neg_U", "d = -a."),
    COMPUTES("min", "TTT", INTEGERS, "", "min_T", "d = the smaller operand."),
    COMPUTES("min", "TTT", FLOATS " " HALVES, "ftz", "min_T",
             "d = the smaller operand; -0 is smaller than +0, and a number is preferred to a NaN."),
    COMPUTES("min.NaN", "TTT", FLOATS " " HALVES, "ftz", "min_NaN_T",
             "d = the smaller operand, or NaN if an operand is NaN."),
    COMPUTES("max", "TTT", INTEGERS, "", "max_T", "d = the larger operand."),
    COMPUTES("max", "TTT", FLOATS " " HALVES, "ftz", "max_T",
             "d = the larger operand; -0 is smaller than +0, and a number is preferred to a NaN."),
    COMPUTES("max.NaN", "TTT", FLOATS " " HALVES, "ftz", "max_NaN_T",
             "d = the larger operand, or NaN if an operand is NaN."),
    COMPUTES("rcp", "TT", FLOATS, ROUNDING " approx ftz", "rcp_T",
             "d = 1 / a, rounded; .approx rounds to nearest."),
    COMPUTES("sqrt", "TT", FLOATS, ROUNDING " approx ftz", "sqrt_T",
             "d = √a, rounded; .approx rounds to nearest."),
    COMPUTES("rsqrt", "TT", FLOATS, "approx ftz", "rsqrt_T",
             "d = 1 / √a; the square root and the quotient are both rounded."),
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
    COMPUTES("shl", "TTu", BITS, "", "shl_U",
             "d = a << b, or 0 if b is at least the width of the type."),
    COMPUTES("shr", "TTu", BITS " " INTEGERS, "", "shr_T",
             "d = a >> b; for signed types, copies of the sign bit are shifted in."),
    COMPUTES("shf.l.wrap", "TTTT", "b32", "", "shf_l_wrap_U",
             "d = the upper 32 bits of b:a shifted left by c modulo 32."),
    COMPUTES("shf.l.clamp", "TTTT", "b32", "", "shf_l_clamp_U",
             "d = the upper 32 bits of b:a shifted left by min(c, 32)."),
    COMPUTES("shf.r.wrap", "TTTT", "b32", "", "shf_r_wrap_U",
             "d = the lower 32 bits of b:a shifted right by c modulo 32."),
    COMPUTES("shf.r.clamp", "TTTT", "b32", "", "shf_r_clamp_U",
             "d = the lower 32 bits of b:a shifted right by min(c, 32)."),
    COMPUTES("bfe", "TTuu", "u32 s32 u64 s64", "", "bfe_T",
             "d = the c bits of a that begin at bit b, sign-extended for signed types."),
    COMPUTES("bfi", "TTTuu", "b32 b64", "", "bfi_U",
             "f = b with bits c to c + d - 1 replaced by the lowest d bits of a. Here, f is the "
             "result, and d is an operand."),
    COMPUTES("bfind", "uT", "u32 s32 u64 s64", "", "bfind_T",
             "d = the index of the highest set bit (for signed types, of the highest bit that "
             "differs from the sign bit), or -1 if there is none."),
    COMPUTES(
        "bfind.shiftamt", "uT", "u32 s32 u64 s64", "", "bfind_shiftamt_T",
        "d = how far to shift a left so that the bit found by bfind becomes the highest bit, or "
        "-1 if bfind finds none."),
    COMPUTES("clz", "uT", "b32 b64", "", "clz_U", "d = the number of leading zero bits."),
    COMPUTES("popc", "uT", "b32 b64", "", "popc_U", "d = the number of set bits."),
    COMPUTES("szext.wrap", "TTu", "u32 s32", "", "szext_wrap_T",
             "d = the lowest (b modulo 32) bits of a, zero-extended (u32) or sign-extended (s32)."),
    COMPUTES("szext.clamp", "TTu", "u32 s32", "", "szext_clamp_T",
             "d = the lowest min(b, 32) bits of a, zero-extended (u32) or sign-extended (s32)."),
    COMPUTES("bmsk.wrap", "TTu", "b32", "", "bmsk_wrap_U",
             "d = a mask of (b modulo 32) ones that begins at bit (a modulo 32)."),
    COMPUTES("bmsk.clamp", "TTu", "b32", "", "bmsk_clamp_U",
             "d = a mask of min(b, 32) ones that begins at bit min(a, 32)."),
    COMPUTES("brev", "TT", "b32 b64", "", "brev_U", "d = a with its bits in reverse order."),
    DECODES(
        "prmt", WRITES_FIRST, decode_permute,
        "d = four bytes of the 64-bit value b:a. They are chosen by c, together with the mode if "
        "there is one (.f4e .b4e .rc8 .ecl .ecr .rc16)."),
    COMPUTES(
        "fns", "TTuu", "b32", "", "fns_U",
        "d = the index of the c-th set bit of a, counted upwards from bit b, or -1 if there is "
        "none. If c < 0, |c| set bits are counted downwards; if c = 0, only bit b is tested."),
    COMPUTES("dp4a.u32", "TTTT", "u32 s32", "", "dp4a_u32_T",
             "d = c + the sum of the four products of the bytes of a and b; a is unsigned."),
    COMPUTES("dp4a.s32", "TTTT", "u32 s32", "", "dp4a_s32_T",
             "d = c + the sum of the four products of the bytes of a and b; a is signed."),
    COMPUTES("dp2a.lo.u32", "TTTT", "u32 s32", "", "dp2a_lo_u32_T",
             "d = c + the sum of the two products of the halves of a and the lower two bytes of b; "
             "a is unsigned."),
    COMPUTES("dp2a.lo.s32", "TTTT", "u32 s32", "", "dp2a_lo_s32_T",
             "same as dp2a.lo.u32, but a is signed."),
    COMPUTES("dp2a.hi.u32", "TTTT", "u32 s32", "", "dp2a_hi_u32_T",
             "same as dp2a.lo.u32, but with the upper two bytes of b."),
    COMPUTES("dp2a.hi.s32", "TTTT", "u32 s32", "", "dp2a_hi_s32_T",
             "same as dp2a.hi.u32, but a is signed."),
    COMPUTES("testp.finite", "PT", FLOATS, "", "testp_finite_T", "p is true if a is finite."),
    COMPUTES("testp.infinite", "PT", FLOATS, "", "testp_infinite_T", "p is true if a is infinite."),
    COMPUTES("testp.number", "PT", FLOATS, "", "testp_number_T", "p is true if a is not a NaN."),
    COMPUTES("testp.notanumber", "PT", FLOATS, "", "testp_notanumber_T",
             "p is true if a is a NaN."),
    COMPUTES("testp.normal", "PT", FLOATS, "", "testp_normal_T",
             "p is true if a is a normal number."),
    COMPUTES("testp.subnormal", "PT", FLOATS, "", "testp_subnormal_T",
             "p is true if a is a subnormal number."),
    COMPUTES("selp", "TTTP", BITS " " INTEGERS " " FLOATS, "", "selp_U",
             "d = a if the predicate c is true, or b if it is false."),
    DECODES("lop3", WRITES_FIRST, decode_logic3,
            "d = any bitwise function of a, b and c, given as a truth table."),
    DECODES("setp", WRITES_FIRST, decode_compare,
            "p = the result of comparing a with b; in p|q, q is the opposite. For f16x2 and "
            "bf16x2, the lower halves set p and the upper halves set q. .and, .or and .xor combine "
            "the result with the predicate c."),
    CONVERTS(
        "set", decode_set,
        "compares a with b, which must be f16, bf16 or packed pairs of these. If the comparison "
        "is true, d = 1.0 (if d is a float) or all ones (.u16 .u32); if it is false, d = 0."),
    CONVERTS("slct", decode_select_by_sign, "d = c >= 0 ? a : b."),
    DECODES("mov", WRITES_FIRST, decode_move,
            "d = a, which is a register, a literal, a special register or a variable's address; "
            "operands in braces, as in {a, b}, are packed or unpacked."),
    CONVERTS(
        "cvt", decode_convert,
        "d = a, converted to another type. Registers may be wider than the types in the opcode. "
        "Conversions from floats to integers need .rni, .rzi, .rmi or .rpi, and saturate. "
        "They convert NaN to 0, or, if the source is f64 or the result has 64 bits, to a value "
        "of which only the highest bit is set. The suffixes .rn, .rz, .rm, .rp, .ftz and .sat "
        "and the types f16 and bf16 are allowed. A result of type f16x2 or bf16x2 is made from "
        "two f32 operands."),
    DECODES("cvta", WRITES_FIRST, decode_generic,
            "d = the generic address of a; with .to, the reverse conversion."),
    DECODES("isspacep", WRITES_FIRST, decode_is_space,
            "p is true if the generic address a is in the state space that the opcode names."),
    DECODES("ld", WRITES_FIRST, decode_load,
            "d = up to 8 elements from the memory at [a]. The address is .global, .shared, .local, "
            ".param, .const or generic; .volatile, .relaxed and .acquire are allowed. .nc and "
            "cache hints have no effect here."),
    DECODES("ldu", WRITES_FIRST, decode_load, "same as ld.global."),
    DECODES("st", READS_ALL, decode_store,
            "stores b in the memory at [a]; the address has the same forms as in ld."),
    DECODES(
        "atom", WRITES_FIRST, decode_atomic,
        "d = the value at [a]; in the same atomic step, this value becomes d op b. The operations "
        "are .add, .min, .max, .and, .or, .xor, .exch, .cas, .inc and .dec. .add also supports "
        "f32, f64, f16, bf16, pairs of halves and vectors; .min and .max also support vectors "
        "of halves; .cas and .exch also support 16 bits. If d is not read, the instruction "
        "counts as a reduction, because ptxas turns it into one."),
    DECODES("red", READS_ALL, decode_atomic, "same as atom, but without a result."),
    DECODES("membar", READS_ALL, decode_fence,
            "makes other threads see this thread's accesses in order."),
    DECODES("fence", READS_ALL, decode_fence, "same as membar."),
    DECODES("griddepcontrol", READS_ALL, decode_griddepcontrol,
            "has no effect, because grids run one after another here."),
    DECODES("prefetch", READS_ALL, decode_prefetch,
            "has no effect, because the simulator has no caches."),
    DECODES("prefetchu", READS_ALL, decode_prefetch,
            "has no effect, because the simulator has no caches."),
    DECODES("mbarrier", WRITES_FIRST, decode_mbarrier,
            "operates on a barrier in shared memory: .init, .inval, .arrive, .arrive_drop, "
            ".expect_tx, .complete_tx, .test_wait, .try_wait, .pending_count."),
    DECODES("cp", READS_ALL, decode_copy,
            "copies from global to shared memory; the copy is complete at once. The forms are "
            "cp.async, with its groups and arrivals, and cp.async.bulk, which reports its bytes to "
            "an mbarrier. cp.async counts as a load of global memory."),
    DECODES("createpolicy", WRITES_FIRST, decode_policy,
            "d = a cache policy, which has no effect, because the simulator has no caches."),
    DECODES("bra", READS_ALL, decode_branch, "jumps to a label; lanes may diverge."),
    DECODES("brx", READS_ALL, decode_branch_table,
            "brx.idx jumps to the label with index a in a table."),
    DECODES("call", READS_ALL, decode_call,
            "calls a function of the same module, without recursion, or a function of the device "
            "runtime that launches a kernel, prints (printf) or fails (assert)."),
    DECODES("ret", READS_ALL, decode_return,
            "returns to the caller; in a kernel, it ends the thread."),
    DECODES("exit", READS_ALL, decode_exit, "ends the thread."),
    DECODES("trap", READS_ALL, decode_trap, "ends the launch with an error."),
    DECODES("brkpt", READS_ALL, decode_trap, "the same as trap, because no debugger is attached."),
    DECODES("nanosleep", READS_ALL, decode_pause, "lets other warps run."),
    DECODES("bar", READS_ALL, decode_barrier,
            "is a barrier: .sync waits for the block, .arrive does not wait, .red counts or "
            "combines a predicate, and .warp.sync waits for lanes of the warp."),
    DECODES("barrier", READS_ALL, decode_barrier,
            "same as bar (.cta); .cluster.arrive and .cluster.wait are the barrier of a cluster of "
            "blocks."),
    DECODES("mapa", WRITES_FIRST, decode_map_shared,
            "d = the address that the shared variable at a has in block b of the cluster."),
    DECODES("shfl", WRITES_FIRST, decode_shuffle,
            "d = the value of a in another lane, which .up, .down, .bfly or .idx chooses; in d|p, "
            "p is true if that lane is in range."),
    DECODES("vote", WRITES_FIRST, decode_vote,
            "d = whether a predicate is true in all lanes (.all) or in any lane (.any), or whether "
            "it is equal in all lanes (.uni); for .ballot, d = the lanes in which it is true."),
    DECODES(
        "match", WRITES_FIRST, decode_match,
        "for .any, d = the lanes whose value equals this lane's value; for .all, d = all lanes if "
        "their values are equal, or 0."),
    DECODES(
        "redux", WRITES_FIRST, decode_redux,
        "combines the values of all lanes: d = their sum (.add), minimum (.min), maximum (.max) or "
        "bitwise combination (.and, .or, .xor)."),
    DECODES("activemask", WRITES_FIRST, decode_active_mask,
            "d = the lanes that execute this instruction."),
    DECODES("elect", WRITES_FIRST, decode_elect,
            "d = the lowest lane of a mask; in d|p, p is true in that lane only."),
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
