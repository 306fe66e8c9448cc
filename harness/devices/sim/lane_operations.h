/*
 * The lane-by-lane operations, one row each: name, type of the result, types of the operands,
 * and the result as a C expression of a, b and c. What the PTX instructions mean stands in the
 * table of families (families.c); several rows belong to one family, one for each type.
 *
 *   UNARY(name, D, A, expression)           d = f(a)
 *   BINARY(name, D, A, B, expression)       d = f(a, b)
 *   TERNARY(name, D, A, B, C, expression)   d = f(a, b, c)
 *   COMPARE(name, A, expression)            predicate d = f(a, b)
 *   SELECT(name, D)                         d = predicate c ? a : b
 *
 * Types: u8 … s64, f32, f64. Integers wrap: signed sums are computed unsigned, because C leaves
 * signed overflow undefined. The helpers that expressions call are in lanes_body.h.
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
    BINARY(min_##T, T, T, T, least_##T(a, b))                                                      \
    BINARY(max_##T, T, T, T, greatest_##T(a, b))                                                   \
    BINARY(min_NaN_##T, T, T, T, a != a || b != b ? (T)NAN : least_##T(a, b))                      \
    BINARY(max_NaN_##T, T, T, T, a != a || b != b ? (T)NAN : greatest_##T(a, b))                   \
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
    COMPARE(setp_eq_##T, T, a == b)                                                                \
    COMPARE(setp_ne_##T, T, a<b || a> b)                                                           \
    COMPARE(setp_lt_##T, T, a < b)                                                                 \
    COMPARE(setp_le_##T, T, a <= b)                                                                \
    COMPARE(setp_gt_##T, T, a > b)                                                                 \
    COMPARE(setp_ge_##T, T, a >= b)                                                                \
    COMPARE(setp_equ_##T, T, !(a < b || a > b))                                                    \
    COMPARE(setp_neu_##T, T, a != b)                                                               \
    COMPARE(setp_ltu_##T, T, !(a >= b))                                                            \
    COMPARE(setp_leu_##T, T, !(a > b))                                                             \
    COMPARE(setp_gtu_##T, T, !(a <= b))                                                            \
    COMPARE(setp_geu_##T, T, !(a < b))                                                             \
    COMPARE(setp_num_##T, T, a == a && b == b)                                                     \
    COMPARE(setp_nan_##T, T, a != a || b != b)

/* From every type A to every integer type; to floats; from floats, rounded to integers. */
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

#define FROM_FLOAT_ROWS(ROUND, C, SUFFIX, A)                                                       \
    UNARY(cvt_##ROUND##_u8_##A, u8, A, (u8)to_unsigned(C##SUFFIX(a), 255))                         \
    UNARY(cvt_##ROUND##_s8_##A, s8, A, (s8)to_signed(C##SUFFIX(a), -128, 127))                     \
    UNARY(cvt_##ROUND##_u16_##A, u16, A, (u16)to_unsigned(C##SUFFIX(a), 65535))                    \
    UNARY(cvt_##ROUND##_s16_##A, s16, A, (s16)to_signed(C##SUFFIX(a), -32768, 32767))              \
    UNARY(cvt_##ROUND##_u32_##A, u32, A, (u32)to_unsigned(C##SUFFIX(a), UINT32_MAX))               \
    UNARY(cvt_##ROUND##_s32_##A, s32, A, (s32)to_signed(C##SUFFIX(a), INT32_MIN, INT32_MAX))       \
    UNARY(cvt_##ROUND##_u64_##A, u64, A, to_unsigned(C##SUFFIX(a), UINT64_MAX))                    \
    UNARY(cvt_##ROUND##_s64_##A, s64, A, to_signed(C##SUFFIX(a), INT64_MIN, INT64_MAX))            \
    UNARY(cvt_##ROUND##_##A##_##A, A, A, C##SUFFIX(a))

/* d = the upper (left) or lower (right) half of b:a shifted; clamp: at most 32; wrap: modulo 32. */
#define FUNNEL_ROWS                                                                                \
    TERNARY(shf_l_clamp_u32, u32, u32, u32, u32, funnel_left(a, b, c < 32 ? c : 32))               \
    TERNARY(shf_l_wrap_u32, u32, u32, u32, u32, funnel_left(a, b, c & 31))                         \
    TERNARY(shf_r_clamp_u32, u32, u32, u32, u32, funnel_right(a, b, c < 32 ? c : 32))              \
    TERNARY(shf_r_wrap_u32, u32, u32, u32, u32, funnel_right(a, b, c & 31))

/* The approximations are computed to the nearest float: at least as close as PTX promises. */
#define MATH_ROWS                                                                                  \
    UNARY(sin_f32, f32, f32, (f32)sin(a))                                                          \
    UNARY(cos_f32, f32, f32, (f32)cos(a))                                                          \
    UNARY(tanh_f32, f32, f32, (f32)tanh(a))                                                        \
    UNARY(ex2_f32, f32, f32, (f32)exp2(a))                                                         \
    UNARY(lg2_f32, f32, f32, (f32)log2(a))

/* mov between a register and its halves: mov.b64 %rd, {%r1, %r2}; the reverse is in lanes_body.h.
 */
#define PACK_ROWS                                                                                  \
    BINARY(pack_u64, u64, u32, u32, (u64)a | (u64)b << 32)                                         \
    BINARY(pack_u32, u32, u16, u16, (u32)a | (u32)b << 16)

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
    BINARY(mul24_lo_u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff))                           \
    BINARY(mul24_lo_s32, u32, u32, u32, (u32)((s32)(a << 8) >> 8) * (u32)((s32)(b << 8) >> 8))     \
    BIT_ROWS(u32, s32)                                                                             \
    BIT_ROWS(u64, s64)                                                                             \
    FUNNEL_ROWS                                                                                    \
    TERNARY(prmt_u32, u32, u32, u32, u32, permute(a, b, c))                                        \
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
    UNARY(cvt_f64_f32, f64, f32, a)                                                                \
    UNARY(cvt_f32_f64, f32, f64, (f32)a)                                                           \
    FROM_FLOAT_ROWS(rni, nearbyint, f, f32)                                                        \
    FROM_FLOAT_ROWS(rzi, trunc, f, f32)                                                            \
    FROM_FLOAT_ROWS(rmi, floor, f, f32)                                                            \
    FROM_FLOAT_ROWS(rpi, ceil, f, f32)                                                             \
    FROM_FLOAT_ROWS(rni, nearbyint, , f64)                                                         \
    FROM_FLOAT_ROWS(rzi, trunc, , f64)                                                             \
    FROM_FLOAT_ROWS(rmi, floor, , f64)                                                             \
    FROM_FLOAT_ROWS(rpi, ceil, , f64)                                                              \
    PACK_ROWS
