/*
 * The table of lane operations (lanes.h). A row contains an operation's name, the types of its
 * result and operands, and the result as a C expression of a, b and c. The PTX instructions are in
 * families.c. Each form of an instruction usually has several rows here, one for each type.
 *
 *   UNARY(name, D, A, expression)           d = f(a)
 *   BINARY(name, D, A, B, expression)       d = f(a, b)
 *   TERNARY(name, D, A, B, C, expression)   d = f(a, b, c)
 *   COMPARE(name, A, expression)            predicate d = f(a, b)
 *   COMPARE2(name, A, condition)            predicate d = condition on x and y, the values of a and
 *                                           b
 *   COMPARE_HALVES(name, low, high)         predicates d = low(a, b), d2 = high(a, b) CARRY(name,
 *                                           T, IN, OUT, expression) d = f(a, b, c, carry), with a
 *                                           carry flag, see lanes_body.h
 *   SELECT(name, D)                         d = predicate c ? a : b
 *
 * Types are u8 … s64, f32 and f64. Integers wrap around. Sums of signed integers are computed with
 * unsigned types, because signed overflow is undefined in C. The functions in expressions are in
 * lane_functions.h.
 */
#define INTEGER_ROWS(T, S)                                                                         \
    BINARY(add_##T, T, T, T, (T)(a + b))                                                           \
    BINARY(sub_##T, T, T, T, (T)(a - b))                                                           \
    BINARY(mul_lo_##T, T, T, T, (T)((uint64_t)a * b))                                              \
    TERNARY(mad_lo_##T, T, T, T, T, (T)((uint64_t)a * b + c))                                      \
    BINARY(div_##T, T, T, T, b ? (T)(a / b) : (T) ~(T)0)                                           \
    BINARY(div_##S, S, S, S, divide_##S(a, b))                                                     \
    BINARY(rem_##T, T, T, T, b ? (T)(a % b) : a)                                                   \
    BINARY(rem_##S, S, S, S, remainder_##S(a, b))                                                  \
    BINARY(min_##T, T, T, T, a < b ? a : b)                                                        \
    BINARY(min_##S, S, S, S, a < b ? a : b)                                                        \
    BINARY(max_##T, T, T, T, a > b ? a : b)                                                        \
    BINARY(max_##S, S, S, S, a > b ? a : b)                                                        \
    UNARY(abs_##S, T, T, (T)((S)a < 0 ? 0 - a : a))                                                \
    UNARY(neg_##T, T, T, (T)(0 - a))                                                               \
    BINARY(and_##T, T, T, T, (T)(a & b))                                                           \
    BINARY(or_##T, T, T, T, (T)(a | b))                                                            \
    BINARY(xor_##T, T, T, T, (T)(a ^ b))                                                           \
    UNARY(not_##T, T, T, (T)~a)                                                                    \
    UNARY(cnot_##T, T, T, (T)(a == 0))                                                             \
    BINARY(shl_##T, T, T, u32, b < 8 * sizeof(T) ? (T)(a << (b & (8 * sizeof(T) - 1))) : 0)        \
    BINARY(shr_##T, T, T, u32, b < 8 * sizeof(T) ? (T)(a >> (b & (8 * sizeof(T) - 1))) : 0)        \
    BINARY(shr_##S, S, S, u32, (S)(a >> (b < 8 * sizeof(T) ? b : 8 * sizeof(T) - 1)))              \
    TERNARY(sad_##T, T, T, T, T, (T)(c + (a < b ? b - a : a - b)))                                 \
    TERNARY(sad_##S, T, S, S, T, (T)(c + (a < b ? (T)b - (T)a : (T)a - (T)b)))                     \
    COMPARE(setp_eq_##T, T, a == b)                                                                \
    COMPARE(setp_ne_##T, T, a != b)                                                                \
    COMPARE(setp_lt_##T, T, a < b)                                                                 \
    COMPARE(setp_le_##T, T, a <= b)                                                                \
    COMPARE(setp_gt_##T, T, a > b)                                                                 \
    COMPARE(setp_ge_##T, T, a >= b)                                                                \
    COMPARE(setp_lt_##S, S, a < b)                                                                 \
    COMPARE(setp_le_##S, S, a <= b)                                                                \
    COMPARE(setp_gt_##S, S, a > b)                                                                 \
    COMPARE(setp_ge_##S, S, a >= b)                                                                \
    SELECT(selp_##T, T)                                                                            \
    TERNARY(slct_##T##_s32, T, T, T, s32, c >= 0 ? a : b)                                          \
    TERNARY(slct_##T##_f32, T, T, T, f32, c >= 0 ? a : b)                                          \
    UNARY(mov_##T, T, T, a)

#define WIDE_ROWS(T, W)                                                                            \
    BINARY(mul_wide_##T, W, T, T, (W)((W)a * (W)b))                                                \
    TERNARY(mad_wide_##T, W, T, T, W, (W)((uint64_t)(W)((W)a * (W)b) + (uint64_t)c))               \
    BINARY(mul_hi_##T, T, T, T, (T)(((W)a * (W)b) >> 8 * sizeof(T)))                               \
    TERNARY(mad_hi_##T, T, T, T, T,                                                                \
            (T)((uint64_t)(T)(((W)a * (W)b) >> 8 * sizeof(T)) + (uint64_t)c))

#define BIT_ROWS(T, S)                                                                             \
    TERNARY(bfe_##T, T, T, u32, u32, extract_##T(a, b, c))                                         \
    TERNARY(bfe_##S, T, T, u32, u32, extract_##S(a, b, c))                                         \
    UNARY(bfind_##T, u32, T, highest_##T(a))                                                       \
    UNARY(bfind_##S, u32, T, highest_##T((S)a < 0 ? (T)~a : a))                                    \
    UNARY(bfind_shiftamt_##T, u32, T, shift_to_highest(highest_##T(a), 8 * sizeof(T)))             \
    UNARY(bfind_shiftamt_##S, u32, T,                                                              \
          shift_to_highest(highest_##T((S)a < 0 ? (T)~a : a), 8 * sizeof(T)))                      \
    UNARY(clz_##T, u32, T, 8 * (uint32_t)sizeof(T) - 1 - highest_##T(a))                           \
    UNARY(popc_##T, u32, T, (uint32_t)__builtin_popcountll(a))                                     \
    UNARY(brev_##T, T, T, reverse_##T(a))

#define FLOAT_ROWS(T, SUFFIX)                                                                      \
    BINARY(add_##T, T, T, T, a + b)                                                                \
    BINARY(sub_##T, T, T, T, a - b)                                                                \
    BINARY(mul_##T, T, T, T, a *b)                                                                 \
    BINARY(div_##T, T, T, T, a / b)                                                                \
    TERNARY(fma_##T, T, T, T, T, fma##SUFFIX(a, b, c))                                             \
    BINARY(min_##T, T, T, T, lesser_##T(a, b))                                                     \
    BINARY(max_##T, T, T, T, greater_##T(a, b))                                                    \
    BINARY(min_NaN_##T, T, T, T, a != a || b != b ? (T)NAN : lesser_##T(a, b))                     \
    BINARY(max_NaN_##T, T, T, T, a != a || b != b ? (T)NAN : greater_##T(a, b))                    \
    UNARY(abs_##T, T, T, fabs##SUFFIX(a))                                                          \
    UNARY(neg_##T, T, T, -a)                                                                       \
    UNARY(sqrt_##T, T, T, sqrt##SUFFIX(a))                                                         \
    UNARY(rsqrt_##T, T, T, 1 / sqrt##SUFFIX(a))                                                    \
    UNARY(rcp_##T, T, T, 1 / a)                                                                    \
    BINARY(copysign_##T, T, T, T, copysign##SUFFIX(b, a))                                          \
    COMPARE(testp_finite_##T, T, isfinite(a))                                                      \
    COMPARE(testp_infinite_##T, T, isinf(a) != 0)                                                  \
    COMPARE(testp_number_##T, T, a == a)                                                           \
    COMPARE(testp_notanumber_##T, T, a != a)                                                       \
    COMPARE(testp_normal_##T, T, isnormal(a))                                                      \
    COMPARE(testp_subnormal_##T, T, fpclassify(a) == FP_SUBNORMAL)                                 \
    FLOAT_COMPARISONS(FLOAT_SETP, T)
#define FLOAT_SETP(NAME, T, CONDITION) COMPARE2(setp_##NAME##_##T, T, CONDITION)

/* Conversions from integer type A to all types, for registers of exactly the widths of the
 * types. */
#define CONVERT_ROWS(A)                                                                            \
    UNARY(cvt_u8_##A, u8, A, (u8)a)                                                                \
    UNARY(cvt_s8_##A, s8, A, (s8)a)                                                                \
    UNARY(cvt_u16_##A, u16, A, (u16)a)                                                             \
    UNARY(cvt_s16_##A, s16, A, (s16)a)                                                             \
    UNARY(cvt_u32_##A, u32, A, (u32)a)                                                             \
    UNARY(cvt_s32_##A, s32, A, (s32)a)                                                             \
    UNARY(cvt_u64_##A, u64, A, (u64)a)                                                             \
    UNARY(cvt_s64_##A, s64, A, (s64)a)                                                             \
    UNARY(cvt_f32_##A, f32, A, (f32)a)                                                             \
    UNARY(cvt_f64_##A, f64, A, (f64)a)

/* Conversions between floats and integers, and between integers that must be clamped or are in
 * wider registers. The instruction's mode says which integer types they have. I is the type of the
 * register, u32 or u64. */
#define MODE_ROWS(I)                                                                               \
    UNARY(cvt_##I##_to_u32, u32, I, (u32)convert_integer(a, o->mode))                              \
    UNARY(cvt_##I##_to_u64, u64, I, convert_integer(a, o->mode))                                   \
    UNARY(cvt_##I##_to_f16, u16, I, f16_bits(integer_to_short(a, o->mode)))                        \
    UNARY(cvt_##I##_to_bf16, u16, I, bf16_bits(integer_to_short(a, o->mode)))                      \
    UNARY(cvt_##I##_to_f32, f32, I, integer_to_f32(a, o->mode))                                    \
    UNARY(cvt_##I##_to_f64, f64, I, integer_to_f64(a, o->mode))                                    \
    UNARY(cvt_f16_to_##I, I, u16, (I)float_to_integer(f16_value(a), o->mode, false))               \
    UNARY(cvt_bf16_to_##I, I, u16, (I)float_to_integer(bf16_value(a), o->mode, false))             \
    UNARY(cvt_f32_to_##I, I, f32, (I)float_to_integer(a, o->mode, false))                          \
    UNARY(cvt_f64_to_##I, I, f64, (I)float_to_integer(a, o->mode, true))

/*
 * Conversions between floating-point types, and from a type to itself, rounded to an integral value
 * as the mode says.
 */
#define FLOAT_CONVERT_ROWS                                                                         \
    UNARY(cvt_integral_f32, f32, f32, (f32)round_integral(a, o->mode >> MODE_ROUND & 3))           \
    UNARY(cvt_integral_f64, f64, f64, round_integral(a, o->mode >> MODE_ROUND & 3))                \
    UNARY(cvt_integral_f16, u16, u16,                                                              \
          f16_bits(round_integral(f16_value(a), o->mode >> MODE_ROUND & 3)))                       \
    UNARY(cvt_f64_f32, f64, f32, a)                                                                \
    UNARY(cvt_f32_f64, f32, f64, (f32)a)                                                           \
    UNARY(cvt_f32_f16, f32, u16, f16_value(a))                                                     \
    UNARY(cvt_f32_bf16, f32, u16, bf16_value(a))                                                   \
    UNARY(cvt_f64_f16, f64, u16, f16_value(a))                                                     \
    UNARY(cvt_f64_bf16, f64, u16, bf16_value(a))                                                   \
    UNARY(cvt_f16_f32, u16, f32, f16_bits(a))                                                      \
    UNARY(cvt_f16_f64, u16, f64, f16_bits(a))                                                      \
    UNARY(cvt_f16_bf16, u16, u16, f16_bits(bf16_value(a)))                                         \
    UNARY(cvt_bf16_f32, u16, f32, bf16_bits(a))                                                    \
    UNARY(cvt_bf16_f64, u16, f64, bf16_bits(a))                                                    \
    UNARY(cvt_bf16_f16, u16, u16, bf16_bits(f16_value(a)))                                         \
    BINARY(cvt_f16x2_f32, u32, f32, f32, (u32)f16_bits(a) << 16 | f16_bits(b))                     \
    BINARY(cvt_bf16x2_f32, u32, f32, f32, (u32)bf16_bits(a) << 16 | bf16_bits(b))

/* Operations on 16-bit floats, with one value or two values per register. */
#define PACKED_1(F, T) ((u32)F##_##T##_((u16)(a >> 16)) << 16 | F##_##T##_((u16)a))
#define PACKED_2(F, T)                                                                             \
    ((u32)F##_##T##_((u16)(a >> 16), (u16)(b >> 16)) << 16 | F##_##T##_((u16)a, (u16)b))
#define PACKED_3(F, T)                                                                             \
    ((u32)F##_##T##_((u16)(a >> 16), (u16)(b >> 16), (u16)(c >> 16)) << 16 |                       \
     F##_##T##_((u16)a, (u16)b, (u16)c))
#define SHORT_UNARY(F, T)                                                                          \
    UNARY(F##_##T, u16, u16, F##_##T##_(a))                                                        \
    UNARY(F##_##T##x2, u32, u32, PACKED_1(F, T))
#define SHORT_BINARY(F, T)                                                                         \
    BINARY(F##_##T, u16, u16, u16, F##_##T##_(a, b))                                               \
    BINARY(F##_##T##x2, u32, u32, u32, PACKED_2(F, T))
#define SHORT_SETP(NAME, T, CONDITION) COMPARE(setp_##NAME##_##T, u16, NAME##_##T##_(a, b))
#define SHORT_SETP_2(NAME, T, CONDITION)                                                           \
    COMPARE_HALVES(setp_##NAME##_##T##x2, NAME##_##T##_((u16)a, (u16)b),                           \
                   NAME##_##T##_((u16)(a >> 16), (u16)(b >> 16)))
#define SHORT_SET(NAME, T, CONDITION)                                                              \
    BINARY(set_##NAME##_##T, u16, u16, u16, NAME##_##T##_(a, b) ? o->mode ? 0xffff : T##_ONE : 0)  \
    BINARY(set_##NAME##_##T##x2, u32, u32, u32,                                                    \
           (NAME##_##T##_((u16)a, (u16)b) ? o->mode ? 0xffffu : T##_ONE : 0) |                     \
               (NAME##_##T##_((u16)(a >> 16), (u16)(b >> 16)) ? o->mode ? 0xffffu : T##_ONE : 0)   \
                   << 16)
#define f16_ONE 0x3c00u
#define bf16_ONE 0x3f80u
#define SHORT_ROWS(T)                                                                              \
    FLOAT_COMPARISONS(SHORT_SETP, T)                                                               \
    FLOAT_COMPARISONS(SHORT_SETP_2, T)                                                             \
    FLOAT_COMPARISONS(SHORT_SET, T)                                                                \
    SHORT_BINARY(add, T)                                                                           \
    SHORT_BINARY(sub, T)                                                                           \
    SHORT_BINARY(mul, T)                                                                           \
    SHORT_BINARY(min, T)                                                                           \
    SHORT_BINARY(max, T)                                                                           \
    SHORT_BINARY(min_NaN, T)                                                                       \
    SHORT_BINARY(max_NaN, T)                                                                       \
    TERNARY(fma_##T, u16, u16, u16, u16, fma_##T##_(a, b, c))                                      \
    TERNARY(fma_##T##x2, u32, u32, u32, u32, PACKED_3(fma, T))                                     \
    TERNARY(fma_relu_##T, u16, u16, u16, u16, fma_relu_##T##_(a, b, c))                            \
    TERNARY(fma_relu_##T##x2, u32, u32, u32, u32, PACKED_3(fma_relu, T))                           \
    SHORT_UNARY(abs, T)                                                                            \
    SHORT_UNARY(neg, T)                                                                            \
    SHORT_UNARY(ex2, T)                                                                            \
    SHORT_UNARY(tanh, T)

/* Funnel shifts, which shift the 64 bits of b and a, and return the upper half (left) or the lower
 * half (right). The shift count is limited to 32 (clamp) or taken modulo 32 (wrap). */
#define FUNNEL_ROWS                                                                                \
    TERNARY(shf_l_clamp_u32, u32, u32, u32, u32, funnel_left(a, b, c < 32 ? c : 32))               \
    TERNARY(shf_l_wrap_u32, u32, u32, u32, u32, funnel_left(a, b, c & 31))                         \
    TERNARY(shf_r_clamp_u32, u32, u32, u32, u32, funnel_right(a, b, c < 32 ? c : 32))              \
    TERNARY(shf_r_wrap_u32, u32, u32, u32, u32, funnel_right(a, b, c & 31))

/*
 * Approximate functions such as sin.approx. They are computed exactly and rounded to the nearest
 * float, which is at least as accurate as PTX requires.
 */
#define MATH_ROWS                                                                                  \
    UNARY(sin_f32, f32, f32, (f32)sin(a))                                                          \
    UNARY(cos_f32, f32, f32, (f32)cos(a))                                                          \
    UNARY(tanh_f32, f32, f32, (f32)tanh(a))                                                        \
    UNARY(ex2_f32, f32, f32, (f32)exp2(a))                                                         \
    UNARY(lg2_f32, f32, f32, (f32)log2(a))

/* Packs two halves into a register: mov.b64 %rd, {%r1, %r2}. The reverse is in lanes_body.h. */
#define PACK_ROWS                                                                                  \
    BINARY(pack_u64, u64, u32, u32, (u64)a | (u64)b << 32)                                         \
    BINARY(pack_u32, u32, u16, u16, (u32)a | (u32)b << 16)

/*
 * Operations with a carry flag are computed with type W, which is twice as wide as T. The bits
 * above T are the carry.
 */
#define CARRY_ROWS(T, W)                                                                           \
    CARRY(add_cc_##T, T, W, false, true, (W)a + b)                                                 \
    CARRY(addc_##T, T, W, true, false, (W)a + b + carry)                                           \
    CARRY(addc_cc_##T, T, W, true, true, (W)a + b + carry)                                         \
    CARRY(sub_cc_##T, T, W, false, true, (W)a - b)                                                 \
    CARRY(subc_##T, T, W, true, false, (W)a - b - carry)                                           \
    CARRY(subc_cc_##T, T, W, true, true, (W)a - b - carry)                                         \
    CARRY(mad_lo_cc_##T, T, W, false, true, (W)(T)((W)a * b) + c)                                  \
    CARRY(madc_lo_##T, T, W, true, false, (W)(T)((W)a * b) + c + carry)                            \
    CARRY(madc_lo_cc_##T, T, W, true, true, (W)(T)((W)a * b) + c + carry)                          \
    CARRY(mad_hi_cc_##T, T, W, false, true, ((W)a * b >> 8 * sizeof(T)) + c)                       \
    CARRY(madc_hi_##T, T, W, true, false, ((W)a * b >> 8 * sizeof(T)) + c + carry)                 \
    CARRY(madc_hi_cc_##T, T, W, true, true, ((W)a * b >> 8 * sizeof(T)) + c + carry)

#define DOT_ROWS(A, B)                                                                             \
    TERNARY(dp4a_##A##_##B, u32, u32, u32, u32, dot_4(a, b, c, *#A == 's', *#B == 's'))            \
    TERNARY(dp2a_lo_##A##_##B, u32, u32, u32, u32, dot_2(a, b, c, *#A == 's', *#B == 's'))         \
    TERNARY(dp2a_hi_##A##_##B, u32, u32, u32, u32, dot_2(a, b >> 16, c, *#A == 's', *#B == 's'))

#define LANE_OPERATIONS                                                                            \
    INTEGER_ROWS(u16, s16)                                                                         \
    INTEGER_ROWS(u32, s32)                                                                         \
    INTEGER_ROWS(u64, s64)                                                                         \
    BINARY(add_sat_s32, s32, s32, s32, (s32)clamp_s32((s64)a + b))                                 \
    BINARY(sub_sat_s32, s32, s32, s32, (s32)clamp_s32((s64)a - b))                                 \
    WIDE_ROWS(u16, u32)                                                                            \
    WIDE_ROWS(s16, s32)                                                                            \
    WIDE_ROWS(u32, u64)                                                                            \
    WIDE_ROWS(s32, s64)                                                                            \
    BINARY(mul_hi_u64, u64, u64, u64, high_u64(a, b))                                              \
    BINARY(mul_hi_s64, u64, u64, u64, high_s64(a, b))                                              \
    TERNARY(mad_hi_u64, u64, u64, u64, u64, high_u64(a, b) + c)                                    \
    TERNARY(mad_hi_s64, u64, u64, u64, u64, high_s64(a, b) + c)                                    \
    BINARY(mul24_lo_u32, u32, u32, u32, (u32)product_24_u32(a, b))                                 \
    BINARY(mul24_lo_s32, u32, s32, s32, (u32)product_24_s32(a, b))                                 \
    BINARY(mul24_hi_u32, u32, u32, u32, (u32)(product_24_u32(a, b) >> 16))                         \
    BINARY(mul24_hi_s32, u32, s32, s32, (u32)(product_24_s32(a, b) >> 16))                         \
    TERNARY(mad24_lo_u32, u32, u32, u32, u32, (u32)product_24_u32(a, b) + c)                       \
    TERNARY(mad24_lo_s32, u32, s32, s32, u32, (u32)product_24_s32(a, b) + c)                       \
    TERNARY(mad24_hi_u32, u32, u32, u32, u32, (u32)(product_24_u32(a, b) >> 16) + c)               \
    TERNARY(mad24_hi_s32, u32, s32, s32, u32, (u32)(product_24_s32(a, b) >> 16) + c)               \
    BINARY(bmsk_wrap_u32, u32, u32, u32, ones_from(a & 31, b & 31))                                \
    BINARY(bmsk_clamp_u32, u32, u32, u32, ones_from(a, b))                                         \
    BINARY(szext_wrap_u32, u32, u32, u32, low_bits_u32(a, b & 31))                                 \
    BINARY(szext_wrap_s32, u32, u32, u32, low_bits_s32(a, b & 31))                                 \
    BINARY(szext_clamp_u32, u32, u32, u32, low_bits_u32(a, b))                                     \
    BINARY(szext_clamp_s32, u32, u32, u32, low_bits_s32(a, b))                                     \
    BIT_ROWS(u32, s32)                                                                             \
    BIT_ROWS(u64, s64)                                                                             \
    FUNNEL_ROWS                                                                                    \
    CARRY_ROWS(u32, u64)                                                                           \
    CARRY_ROWS(u64, u128)                                                                          \
    DOT_ROWS(u32, u32)                                                                             \
    DOT_ROWS(u32, s32)                                                                             \
    DOT_ROWS(s32, u32)                                                                             \
    DOT_ROWS(s32, s32)                                                                             \
    TERNARY(fns_u32, u32, u32, u32, s32, find_nth_set(a, b, c))                                    \
    TERNARY(prmt_u32, u32, u32, u32, u32, permute_mode(a, b, c, o->mode))                          \
    TERNARY(lop3_u32, u32, u32, u32, u32, logic3(a, b, c, o->mode))                                \
    FLOAT_ROWS(f32, f)                                                                             \
    FLOAT_ROWS(f64, )                                                                              \
    SELECT(selp_f32, f32)                                                                          \
    SELECT(selp_f64, f64)                                                                          \
    MATH_ROWS                                                                                      \
    CONVERT_ROWS(u8)                                                                               \
    CONVERT_ROWS(s8)                                                                               \
    CONVERT_ROWS(u16)                                                                              \
    CONVERT_ROWS(s16)                                                                              \
    CONVERT_ROWS(u32)                                                                              \
    CONVERT_ROWS(s32)                                                                              \
    CONVERT_ROWS(u64)                                                                              \
    CONVERT_ROWS(s64)                                                                              \
    MODE_ROWS(u32)                                                                                 \
    MODE_ROWS(u64)                                                                                 \
    FLOAT_CONVERT_ROWS                                                                             \
    SHORT_ROWS(f16)                                                                                \
    SHORT_ROWS(bf16)                                                                               \
    PACK_ROWS
