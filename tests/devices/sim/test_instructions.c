/*
 * Checks every form of every instruction. A case is a line of PTX, its operands, and the result
 * that the PTX ISA prescribes. Each case runs twice: with all 32 lanes, and with only the odd
 * lanes. In the second run, the even lanes must keep their values.
 *
 * The operands are in %d1 %d2 %d3 (64 bits) and, truncated, in %r1 … (32 bits) and %h1 … (16 bits).
 * The result is in %d0, %r0, %h0 or %p0, as `result` says.
 */
#include "fixture.h"

#include "devices/sim/program/decode.h"

struct check {
    const char *family; /* the name of its row in families.c */
    const char *body;
    char result; /* 'd', 'r', 'h' or 'p' */
    uint64_t a, b, c, expected;
};

#define F1 0x3f800000u /* 1.0f */
#define F2 0x40000000u
#define F3 0x40400000u
#define FHALF 0x3f000000u
#define FNAN 0x7fc00000u
#define FINF 0x7f800000u
#define D1 0x3ff0000000000000u
#define D2 0x4000000000000000u
#define D3 0x4008000000000000u
#define M1 0xffffffffu            /* -1 in 32 bits */
#define LEAST 0x8000000000000000u /* the least s64 */

static const struct check checks[] = {
    {"add", "add.s32 %r0, %r1, %r2;", 'r', 0x7fffffff, 1, 0, 0x80000000},
    {"add", "add.u16 %h0, %h1, %h2;", 'h', 0xffff, 2, 0, 1},
    {"add", "add.s64 %d0, %d1, %d2;", 'd', ~0ull, 5, 0, 4},
    {"add.sat", "add.sat.s32 %r0, %r1, %r2;", 'r', 0x7fffffff, 1, 0, 0x7fffffff},
    {"add.sat", "add.sat.s32 %r0, %r1, %r2;", 'r', 0x80000000, M1, 0, 0x80000000},
    {"add", "add.f32 %r0, %r1, %r2;", 'r', F1, F2, 0, F3},
    {"add", "add.rn.f64 %d0, %d1, %d2;", 'd', D1, D2, 0, D3},
    {"add", "add.f32 %r0, %r1, 0f3F800000;", 'r', F1, 0, 0, F2},
    /* The result 1 + 2^-24 lies midway between two floats. */
    {"add", "add.rn.f32 %r0, %r1, %r2;", 'r', F1, 0x33800000, 0, F1},
    {"add", "add.rp.f32 %r0, %r1, %r2;", 'r', F1, 0x33800000, 0, F1 + 1},
    {"add", "add.rm.f32 %r0, %r1, %r2;", 'r', F1, 0x33800001, 0, F1},
    {"add", "add.rz.f32 %r0, %r1, %r2;", 'r', 0xbf800000, 0xb3800001, 0, 0xbf800000},
    {"add", "add.ftz.f32 %r0, %r1, %r2;", 'r', 1, 0x00800000, 0, 0x00800000},
    {"add", "add.ftz.f32 %r0, %r1, %r2;", 'r', 0x80800001, 0x00800000, 0, 0x80000000},
    {"add", "add.sat.f32 %r0, %r1, %r2;", 'r', F1, F2, 0, F1},
    {"add", "add.rz.ftz.sat.f32 %r0, %r1, %r2;", 'r', 0xbf800000, 0x33800001, 0, 0},
    /* The sum 1 + 2^-11 lies midway between two halves. */
    {"add", "add.f16 %h0, %h1, %h2;", 'h', 0x3c00, 0x1000, 0, 0x3c00},
    {"add", "add.rn.f16 %h0, %h1, %h2;", 'h', 0x3c01, 0x1000, 0, 0x3c02},
    {"add", "add.sat.f16 %h0, %h1, %h2;", 'h', 0x4000, 0x3c00, 0, 0x3c00},
    {"add", "add.f16x2 %r0, %r1, %r2;", 'r', 0x3c004000, 0x3c00bc00, 0, 0x40003c00},
    {"add", "add.sat.f16x2 %r0, %r1, %r2;", 'r', 0x3c00bc00, 0x3c00bc00, 0, 0x3c000000},
    {"add", "add.bf16 %h0, %h1, %h2;", 'h', 0x3f80, 0x0001, 0, 0x3f80},
    {"add", "add.bf16x2 %r0, %r1, %r2;", 'r', 0x3f803f80, 0x3f80bf80, 0, 0x40000000},
    {"add.cc",
     "add.cc.u32 %r4, %r1, %r2; addc.u32 %r0, %r3, 0; sub.u32 %r5, %r0, %r3; add.cc.u32 "
     "%r0, %r1, %r2;",
     'r', M1, 2, 0, 1},
    {"addc", "add.cc.u32 %r4, %r1, %r2; addc.u32 %r0, %r3, 5;", 'r', M1, 1, 7, 13},
    {"addc", "add.cc.u32 %r4, %r1, %r2; addc.u32 %r0, %r3, 5;", 'r', 1, 1, 7, 12},
    {"addc.cc", "add.cc.s64 %d4, %d1, %d2; addc.cc.s64 %d5, %d1, 0; addc.cc.s64 %d0, %d3, 0;", 'd',
     ~0ull, 1, 5, 6},
    {"sub", "sub.s32 %r0, %r1, %r2;", 'r', 3, 5, 0, 0xfffffffe},
    {"sub", "sub.f64 %d0, %d1, %d2;", 'd', D3, D2, 0, D1},
    {"sub.sat", "sub.sat.s32 %r0, %r1, %r2;", 'r', 0x80000000, 1, 0, 0x80000000},
    {"sub", "sub.f16 %h0, %h1, %h2;", 'h', 0x3c00, 0x4000, 0, 0xbc00},
    {"sub", "sub.bf16 %h0, %h1, %h2;", 'h', 0x3f80, 0x4000, 0, 0xbf80},
    {"sub.cc", "sub.cc.u32 %r0, %r1, %r2;", 'r', 3, 5, 0, 0xfffffffe},
    {"subc", "sub.cc.u32 %r4, %r1, %r2; subc.u32 %r0, %r3, 1;", 'r', 3, 5, 9, 7},
    {"subc.cc", "sub.cc.u32 %r4, %r1, %r2; subc.cc.u32 %r5, 0, 0; subc.cc.u32 %r0, %r3, 0;", 'r', 3,
     5, 9, 8},
    {"mul.lo", "mul.lo.s32 %r0, %r1, %r2;", 'r', 0x10001, 0x10001, 0, 0x20001},
    {"mul.lo", "mul.lo.u64 %d0, %d1, %d2;", 'd', 1ull << 40, 1ull << 30, 0, 0},
    {"mul.hi", "mul.hi.u32 %r0, %r1, %r2;", 'r', M1, M1, 0, 0xfffffffe},
    {"mul.hi", "mul.hi.s32 %r0, %r1, %r2;", 'r', M1, 1, 0, M1},
    {"mul.hi", "mul.hi.u64 %d0, %d1, %d2;", 'd', ~0ull, ~0ull, 0, ~1ull},
    {"mul.hi", "mul.hi.s64 %d0, %d1, %d2;", 'd', ~0ull, ~0ull, 0, 0},
    {"mul.wide", "mul.wide.u32 %d0, %r1, %r2;", 'd', M1, M1, 0, 0xfffffffe00000001},
    {"mul.wide", "mul.wide.s32 %d0, %r1, %r2;", 'd', M1, 4, 0, ~3ull},
    {"mul.wide", "mul.wide.u16 %r0, %h1, %h2;", 'r', 0xffff, 0xffff, 0, 0xfffe0001},
    {"mul.wide", "mul.wide.s16 %r0, %h1, %h2;", 'r', 0xffff, 5, 0, 0xfffffffb},
    {"mul", "mul.f32 %r0, %r1, %r2;", 'r', F2, FHALF, 0, F1},
    {"mul", "mul.f64 %d0, %d1, %d2;", 'd', D2, D1, 0, D2},
    {"mad.lo", "mad.lo.s32 %r0, %r1, %r2, %r3;", 'r', 7, 6, 0xffffffd6, 0},
    {"mad.hi", "mad.hi.u32 %r0, %r1, %r2, %r3;", 'r', M1, M1, 2, 0},
    {"mad.wide", "mad.wide.s32 %d0, %r1, %r2, %d3;", 'd', M1, 2, 5, 3},
    {"mad.wide", "mad.wide.u32 %d0, %r1, %r2, %d3;", 'd', M1, 1, 1, 0x100000000},
    {"mad", "mad.rn.f32 %r0, %r1, %r2, %r3;", 'r', F1, F2, F1, F3},
    {"fma", "fma.rn.f32 %r0, %r1, %r2, %r3;", 'r', F1, F2, F1, F3},
    /* (1 + 2^-23)² - (1 + 2^-22) is 2^-46, which is lost unless the result is rounded only once. */
    {"fma", "fma.rn.f32 %r0, %r1, %r2, %r3;", 'r', F1 + 1, F1 + 1, 0xbf800002, 0x28800000},
    {"mad.lo.cc",
     "mad.lo.cc.u32 %r4, %r1, %r2, %r3; addc.u32 %r0, 0, 0; mul.lo.u32 %r5, %r0, 100; "
     "mad.lo.cc.u32 %r0, %r1, %r2, %r5;",
     'r', 3, 5, 0xfffffff5, 115},
    {"mad.hi.cc",
     "mad.hi.cc.u32 %r4, %r1, %r2, %r3; addc.u32 %r5, 0, 0; mad.hi.cc.u32 %r0, %r1, "
     "%r2, %r5;",
     'r', M1, M1, 2, 0xffffffff},
    {"madc.lo", "add.cc.u32 %r4, %r1, %r1; madc.lo.u32 %r0, %r2, %r3, 4;", 'r', M1, 5, 6, 35},
    {"madc.lo.cc", "add.cc.u32 %r4, %r1, %r1; madc.lo.cc.u64 %d0, %d2, %d3, 4;", 'd', M1, 5, 6, 35},
    {"madc.hi", "add.cc.u32 %r4, %r1, %r1; madc.hi.u64 %d0, %d2, %d3, 4;", 'd', M1, 1ull << 40,
     1ull << 40, 65541},
    {"madc.hi.cc", "add.cc.u32 %r4, %r1, %r1; madc.hi.cc.u32 %r0, %r2, %r3, 4;", 'r', M1, 1 << 20,
     1 << 20, 261},
    {"fma", "fma.rn.f16 %h0, %h1, %h2, %h3;", 'h', 0x3c01, 0x3c01, 0xbc02, 0x0010},
    {"fma", "fma.rn.f16x2 %r0, %r1, %r2, %r3;", 'r', 0x3c004000, 0x40004000, 0x3c003c00,
     0x42004500},
    /* The sum is just above the midpoint of two values. Rounding twice would give 0x3f80. */
    {"fma", "fma.rn.bf16 %h0, %h1, %h2, %h3;", 'h', 0x3f80, 0x3f80, 0x3b80, 0x3f80},
    {"fma", "fma.rn.bf16 %h0, %h1, %h2, %h3;", 'h', 0x3f81, 0x3f81, 0x0001, 0x3f82},
    {"fma", "fma.rn.ftz.f32 %r0, %r1, %r2, %r3;", 'r', 1, F1, 1, 0},
    {"fma.relu", "fma.rn.relu.f16 %h0, %h1, %h2, %h3;", 'h', 0x3c00, 0x3c00, 0xc000, 0},
    {"fma.relu", "fma.rn.relu.f16 %h0, %h1, %h2, %h3;", 'h', 0x3c00, 0x4000, 0xbc00, 0x3c00},
    {"fma.relu", "fma.rn.relu.bf16 %h0, %h1, %h2, %h3;", 'h', 0x7fc0, 0x3f80, 0, 0x7fff},
    {"fma.relu", "fma.rn.relu.f16x2 %r0, %r1, %r2, %r3;", 'r', 0x3c00bc00, 0x40004000, 0x3c003c00,
     0x42000000},
    {"fma.relu", "fma.rn.relu.bf16x2 %r0, %r1, %r2, %r3;", 'r', 0x3f80bf80, 0x3f803f80, 0,
     0x3f800000},
    {"mul", "mul.f16 %h0, %h1, %h2;", 'h', 0x7bff, 0x4000, 0, 0x7c00},
    {"mul", "mul.bf16x2 %r0, %r1, %r2;", 'r', 0x40003f80, 0x40004000, 0, 0x40804000},
    {"mul", "mul.ftz.f32 %r0, %r1, %r2;", 'r', 0x00800000, 0xbf000000, 0, 0x80000000},
    {"mul", "mul.sat.f32 %r0, %r1, %r2;", 'r', FNAN, F1, 0, 0},
    {"div", "div.approx.ftz.f32 %r0, %r1, %r2;", 'r', F1, 1, 0, FINF},
    {"abs", "abs.ftz.f32 %r0, %r1;", 'r', 0x80000001, 0, 0, 0},
    {"abs", "abs.f16x2 %r0, %r1;", 'r', 0xbc00bc00, 0, 0, 0x3c003c00},
    {"neg", "neg.bf16 %h0, %h1;", 'h', 0xbf80, 0, 0, 0x3f80},
    {"min", "min.f16 %h0, %h1, %h2;", 'h', 0x7e00, 0x3c00, 0, 0x3c00},
    {"max", "max.f16x2 %r0, %r1, %r2;", 'r', 0x3c00bc00, 0x40007e00, 0, 0x4000bc00},
    {"max", "max.bf16 %h0, %h1, %h2;", 'h', 0x3f80, 0x4000, 0, 0x4000},
    {"max.NaN", "max.NaN.f16 %h0, %h1, %h2;", 'h', 0x7e00, 0x3c00, 0, 0x7fff},
    {"rcp", "rcp.approx.ftz.f64 %d0, %d1;", 'd', 1, 0, 0, 0x7ff0000000000000},
    {"rsqrt", "rsqrt.approx.ftz.f32 %r0, %r1;", 'r', 0x80000001, 0, 0, 0xff800000},
    {"tanh", "tanh.approx.f16 %h0, %h1;", 'h', 0x7c00, 0, 0, 0x3c00},
    {"ex2", "ex2.approx.f16x2 %r0, %r1;", 'r', 0x3c000000, 0, 0, 0x40003c00},
    {"ex2", "ex2.approx.ftz.f32 %r0, %r1;", 'r', 0xc3000000, 0, 0, 0},
    {"fma", "fma.rn.f64 %d0, %d1, %d2, %d3;", 'd', D1, D2, D1, D3},
    {"mul24.lo", "mul24.lo.u32 %r0, %r1, %r2;", 'r', 0xff000003, 0x01000005, 0, 15},
    {"mul24.lo", "mul24.lo.s32 %r0, %r1, %r2;", 'r', 0x00ffffff, 5, 0, 0xfffffffb},
    {"mul24.hi", "mul24.hi.u32 %r0, %r1, %r2;", 'r', 0xff800000, 0xff000006, 0, 0x300},
    {"mul24.hi", "mul24.hi.s32 %r0, %r1, %r2;", 'r', 0xffffff, 5, 0, M1},
    {"mad24.lo", "mad24.lo.u32 %r0, %r1, %r2, %r3;", 'r', 0xff000003, 0x01000005, 7, 22},
    {"mad24.lo", "mad24.lo.s32 %r0, %r1, %r2, %r3;", 'r', 0xffffff, 5, 7, 2},
    {"mad24.hi", "mad24.hi.u32 %r0, %r1, %r2, %r3;", 'r', 0x800000, 6, 1, 0x301},
    {"mad24.hi", "mad24.hi.s32 %r0, %r1, %r2, %r3;", 'r', 0xffffff, 5, 7, 6},
    {"sad", "sad.u32 %r0, %r1, %r2, %r3;", 'r', 3, 10, 100, 107},
    {"sad", "sad.s32 %r0, %r1, %r2, %r3;", 'r', M1, 1, 100, 102},
    {"div", "div.u32 %r0, %r1, %r2;", 'r', M1, 2, 0, 0x7fffffff},
    {"div", "div.s32 %r0, %r1, %r2;", 'r', 0xfffffff9, 2, 0, 0xfffffffd},
    {"div", "div.s32 %r0, %r1, %r2;", 'r', 0x80000000, M1, 0, 0x80000000},
    {"div", "div.u32 %r0, %r1, %r2;", 'r', 5, 0, 0, M1},
    {"div", "div.s64 %d0, %d1, %d2;", 'd', LEAST, ~0ull, 0, LEAST},
    {"div", "div.u64 %d0, %d1, %d2;", 'd', 1ull << 40, 1ull << 20, 0, 1 << 20},
    {"div", "div.rn.f32 %r0, %r1, %r2;", 'r', F3, F2, 0, 0x3fc00000},
    {"div", "div.full.f32 %r0, %r1, %r2;", 'r', F1, F2, 0, FHALF},
    {"div", "div.rn.f64 %d0, %d1, %d2;", 'd', D2, D2, 0, D1},
    {"rem", "rem.u32 %r0, %r1, %r2;", 'r', 17, 5, 0, 2},
    {"rem", "rem.s32 %r0, %r1, %r2;", 'r', 0xffffffef, 5, 0, 0xfffffffe},
    {"rem", "rem.s64 %d0, %d1, %d2;", 'd', LEAST, ~0ull, 0, 0},
    {"abs", "abs.s32 %r0, %r1;", 'r', 0xfffffffb, 0, 0, 5},
    {"abs", "abs.s64 %d0, %d1;", 'd', ~0ull, 0, 0, 1},
    {"abs", "abs.f32 %r0, %r1;", 'r', 0xbf800000, 0, 0, F1},
    {"neg", "neg.s32 %r0, %r1;", 'r', 5, 0, 0, 0xfffffffb},
    {"neg", "neg.f64 %d0, %d1;", 'd', D1, 0, 0, D1 | LEAST},
    {"min", "min.u32 %r0, %r1, %r2;", 'r', M1, 1, 0, 1},
    {"min", "min.s32 %r0, %r1, %r2;", 'r', M1, 1, 0, M1},
    {"min", "min.s64 %d0, %d1, %d2;", 'd', LEAST, 1, 0, LEAST},
    {"min", "min.f32 %r0, %r1, %r2;", 'r', 0x80000000, 0, 0, 0x80000000},
    {"min", "min.f32 %r0, %r1, %r2;", 'r', FNAN, F1, 0, F1},
    {"min.NaN", "min.NaN.f32 %r0, %r1, %r2;", 'r', FNAN, F1, 0, FNAN},
    {"max", "max.u16 %h0, %h1, %h2;", 'h', 0xffff, 1, 0, 0xffff},
    {"max", "max.s16 %h0, %h1, %h2;", 'h', 0xffff, 1, 0, 1},
    {"max", "max.f64 %d0, %d1, %d2;", 'd', D1, D2, 0, D2},
    {"max", "max.f32 %r0, %r1, %r2;", 'r', 0x80000000, 0, 0, 0},
    {"max.NaN", "max.NaN.f64 %d0, %d1, %d2;", 'd', 0x7ff8000000000000, D1, 0, 0x7ff8000000000000},
    {"rcp", "rcp.rn.f32 %r0, %r1;", 'r', F2, 0, 0, FHALF},
    {"rcp", "rcp.rn.f64 %d0, %d1;", 'd', D1, 0, 0, D1},
    {"sqrt", "sqrt.rn.f32 %r0, %r1;", 'r', 0x40800000, 0, 0, F2},
    {"sqrt", "sqrt.rn.f64 %d0, %d1;", 'd', 0x4010000000000000, 0, 0, D2},
    {"rsqrt", "rsqrt.approx.f32 %r0, %r1;", 'r', 0x40800000, 0, 0, FHALF},
    {"sin", "sin.approx.f32 %r0, %r1;", 'r', 0, 0, 0, 0},
    {"cos", "cos.approx.f32 %r0, %r1;", 'r', 0, 0, 0, F1},
    {"tanh", "tanh.approx.f32 %r0, %r1;", 'r', FINF, 0, 0, F1},
    {"ex2", "ex2.approx.ftz.f32 %r0, %r1;", 'r', F1, 0, 0, F2},
    {"lg2", "lg2.approx.ftz.f32 %r0, %r1;", 'r', F2, 0, 0, F1},
    {"copysign", "copysign.f32 %r0, %r1, %r2;", 'r', 0x80000000, F1, 0, 0xbf800000},
    {"and", "and.b32 %r0, %r1, %r2;", 'r', 12, 10, 0, 8},
    {"and", "setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r2, 1; and.pred %p0, %p1, %p2;", 'p', 1, 1,
     0, 1},
    {"or", "or.b64 %d0, %d1, %d2;", 'd', 12, LEAST, 0, LEAST + 12},
    {"or", "setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r2, 1; or.pred %p0, %p1, %p2;", 'p', 1, 2, 0,
     1},
    {"xor", "xor.b16 %h0, %h1, %h2;", 'h', 0xff, 0x0f, 0, 0xf0},
    {"not", "not.b32 %r0, %r1;", 'r', 0, 0, 0, M1},
    {"not", "setp.eq.u32 %p1, %r1, 1; not.pred %p0, %p1;", 'p', 1, 0, 0, 0},
    {"cnot", "cnot.b32 %r0, %r1;", 'r', 0, 0, 0, 1},
    {"shl", "shl.b32 %r0, %r1, %r2;", 'r', 3, 31, 0, 0x80000000},
    {"shl", "shl.b32 %r0, %r1, %r2;", 'r', 3, 32, 0, 0},
    {"shl", "shl.b64 %d0, %d1, %r2;", 'd', 3, 63, 0, LEAST},
    {"shr", "shr.u32 %r0, %r1, %r2;", 'r', 0x80000000, 31, 0, 1},
    {"shr", "shr.s32 %r0, %r1, %r2;", 'r', 0x80000000, 40, 0, M1},
    {"shr", "shr.u64 %d0, %d1, %r2;", 'd', LEAST, 64, 0, 0},
    {"shr", "shr.s16 %h0, %h1, %r2;", 'h', 0x8000, 15, 0, 0xffff},
    {"shf.l.wrap", "shf.l.wrap.b32 %r0, %r1, %r2, %r3;", 'r', 0x80000000, 1, 33, 3},
    {"shf.r.wrap", "shf.r.wrap.b32 %r0, %r1, %r2, %r3;", 'r', 2, 1, 1, 0x80000001},
    {"shf.l.clamp", "shf.l.clamp.b32 %r0, %r1, %r2, %r3;", 'r', 77, 1, 40, 77},
    {"shf.r.clamp", "shf.r.clamp.b32 %r0, %r1, %r2, %r3;", 'r', 77, 9, 40, 9},
    {"bfe", "bfe.u32 %r0, %r1, %r2, %r3;", 'r', 0xabcd1234, 8, 8, 0x12},
    {"bfe", "bfe.s32 %r0, %r1, %r2, %r3;", 'r', 0xabcd1234, 24, 8, 0xffffffab},
    {"bfe", "bfe.s32 %r0, %r1, %r2, %r3;", 'r', 0x80000000, 28, 10, 0xfffffff8},
    {"bfe", "bfe.u64 %d0, %d1, %r2, %r3;", 'd', LEAST, 60, 10, 8},
    {"bfe", "bfe.s64 %d0, %d1, %r2, %r3;", 'd', LEAST, 60, 4, ~7ull},
    {"bfe", "bfe.u32 %r0, %r1, %r2, %r3;", 'r', M1, 4, 0, 0},
    {"bfi", "bfi.b32 %r0, %r1, %r2, 8, 4;", 'r', 0xff, 0x12345678, 0, 0x12345f78},
    {"bfi", "bfi.b64 %d0, %d1, %d2, 32, 32;", 'd', 5, 7, 0, 0x500000007},
    {"bfi", "bfi.b32 %r0, %r1, %r2, 40, 4;", 'r', 0xff, 9, 0, 9},
    {"bfind", "bfind.u32 %r0, %r1;", 'r', 0x00800000, 0, 0, 23},
    {"bfind", "bfind.s32 %r0, %r1;", 'r', 0xfffffffe, 0, 0, 0},
    {"bfind", "bfind.u32 %r0, %r1;", 'r', 0, 0, 0, M1},
    {"bfind.shiftamt", "bfind.shiftamt.u32 %r0, %r1;", 'r', 0x00800000, 0, 0, 8},
    {"bfind", "bfind.u64 %r0, %d1;", 'r', 1ull << 40, 0, 0, 40},
    {"clz", "clz.b32 %r0, %r1;", 'r', 1, 0, 0, 31},
    {"clz", "clz.b32 %r0, %r1;", 'r', 0, 0, 0, 32},
    {"clz", "clz.b64 %r0, %d1;", 'r', 0, 0, 0, 64},
    {"popc", "popc.b32 %r0, %r1;", 'r', 0xf0f0, 0, 0, 8},
    {"popc", "popc.b64 %r0, %d1;", 'r', ~0ull, 0, 0, 64},
    {"szext.wrap", "szext.wrap.s32 %r0, %r1, %r2;", 'r', 0x1c, 35, 0, 0xfffffffc},
    {"szext.wrap", "szext.wrap.u32 %r0, %r1, %r2;", 'r', 0xff, 32, 0, 0},
    {"szext.clamp", "szext.clamp.s32 %r0, %r1, %r2;", 'r', 0x8000000f, 40, 0, 0x8000000f},
    {"szext.clamp", "szext.clamp.u32 %r0, %r1, %r2;", 'r', 0xff, 4, 0, 15},
    {"bmsk.wrap", "bmsk.wrap.b32 %r0, %r1, %r2;", 'r', 36, 35, 0, 0x70},
    {"bmsk.clamp", "bmsk.clamp.b32 %r0, %r1, %r2;", 'r', 4, 60, 0, 0xfffffff0},
    {"bmsk.clamp", "bmsk.clamp.b32 %r0, %r1, %r2;", 'r', 32, 4, 0, 0},
    {"brev", "brev.b32 %r0, %r1;", 'r', 1, 0, 0, 0x80000000},
    {"brev", "brev.b64 %d0, %d1;", 'd', 2, 0, 0, 0x4000000000000000},
    {"prmt", "prmt.b32 %r0, %r1, %r2, %r3;", 'r', 0x33221100, 0x77665544, 0x7210, 0x77221100},
    {"prmt", "prmt.b32 %r0, %r1, %r2, %r3;", 'r', 0x000080ff, 0, 0x9898, 0xffffffff},
    {"prmt", "prmt.b32 %r0, %r1, %r2, 0x0123;", 'r', 0x33221100, 0, 0, 0x00112233},
    {"prmt", "prmt.b32.f4e %r0, %r1, %r2, %r3;", 'r', 0x33221100, 0x77665544, 1, 0x44332211},
    {"prmt", "prmt.b32.b4e %r0, %r1, %r2, %r3;", 'r', 0x33221100, 0x77665544, 1, 0x66770011},
    {"prmt", "prmt.b32.rc8 %r0, %r1, %r2, %r3;", 'r', 0x33221100, 0, 2, 0x22222222},
    {"prmt", "prmt.b32.ecl %r0, %r1, %r2, %r3;", 'r', 0x33221100, 0, 2, 0x33222222},
    {"prmt", "prmt.b32.ecr %r0, %r1, %r2, %r3;", 'r', 0x33221100, 0, 2, 0x22221100},
    {"prmt", "prmt.b32.rc16 %r0, %r1, %r2, %r3;", 'r', 0x33221100, 0, 1, 0x33223322},
    {"fns", "fns.b32 %r0, %r1, %r2, %r3;", 'r', 0x96, 0, 3, 4},
    {"fns", "fns.b32 %r0, %r1, %r2, %r3;", 'r', 0x96, 5, M1, 4},
    {"fns", "fns.b32 %r0, %r1, %r2, %r3;", 'r', 0x96, 3, 0, M1},
    {"dp4a.u32", "dp4a.u32.u32 %r0, %r1, %r2, %r3;", 'r', 0xff010203, 0x02010101, 10, 526},
    {"dp4a.u32", "dp4a.u32.s32 %r0, %r1, %r2, %r3;", 'r', 0x00000003, 0x000000ff, 10, 7},
    {"dp4a.s32", "dp4a.s32.s32 %r0, %r1, %r2, %r3;", 'r', 0xff0000ff, 0x020000ff, 10, 9},
    {"dp4a.s32", "dp4a.s32.u32 %r0, %r1, %r2, %r3;", 'r', 0x000000ff, 0x000000ff, 255, 0},
    {"dp2a.lo.u32", "dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;", 'r', 0x00030004, 0xffff0506, 1, 40},
    {"dp2a.lo.s32", "dp2a.lo.s32.s32 %r0, %r1, %r2, %r3;", 'r', 0xffff0004, 0x00000506, 1, 20},
    {"dp2a.hi.u32", "dp2a.hi.u32.u32 %r0, %r1, %r2, %r3;", 'r', 0x00030004, 0x0506ffff, 1, 40},
    {"dp2a.hi.s32", "dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;", 'r', 0xffff0004, 0x05060000, 1, 20},
    {"lop3", "lop3.b32 %r0, %r1, %r2, %r3, 0x80;", 'r', 0xf0, 0xcc, 0xaa, 0x80},
    {"lop3", "lop3.b32 %r0, %r1, %r2, %r3, 0x96;", 'r', 0xf0, 0xcc, 0xaa, 0x96},
    {"setp", "setp.lt.s32 %p0, %r1, %r2;", 'p', M1, 1, 0, 1},
    {"setp", "setp.lt.u32 %p0, %r1, %r2;", 'p', M1, 1, 0, 0},
    {"setp", "setp.lo.u32 %p0, %r1, %r2;", 'p', 1, 2, 0, 1},
    {"setp", "setp.ge.s64 %p0, %d1, %d2;", 'p', LEAST, 0, 0, 0},
    {"setp", "setp.gt.u64 %p0, %d1, %d2;", 'p', LEAST, 0, 0, 1},
    {"setp", "setp.eq.b16 %p0, %h1, %h2;", 'p', 0x10005, 5, 0, 1},
    {"setp", "setp.ne.s16 %p0, %h1, %h2;", 'p', 4, 5, 0, 1},
    {"setp", "setp.lt.f32 %p0, %r1, %r2;", 'p', FNAN, F1, 0, 0},
    {"setp", "setp.ltu.f32 %p0, %r1, %r2;", 'p', FNAN, F1, 0, 1},
    {"setp", "setp.ne.f32 %p0, %r1, %r2;", 'p', FNAN, FNAN, 0, 0},
    {"setp", "setp.neu.f32 %p0, %r1, %r2;", 'p', FNAN, FNAN, 0, 1},
    {"setp", "setp.nan.f64 %p0, %d1, %d2;", 'p', 0x7ff8000000000000, D1, 0, 1},
    {"setp", "setp.num.f32 %p0, %r1, %r2;", 'p', F1, F2, 0, 1},
    {"setp", "setp.ne.s32 %p1, %r3, 0; setp.lt.and.s32 %p0, %r1, %r2, %p1;", 'p', 1, 2, 0, 0},
    {"setp", "setp.ne.s32 %p1, %r3, 0; setp.lt.and.s32 %p0, %r1, %r2, !%p1;", 'p', 1, 2, 0, 1},
    {"setp", "setp.ne.s32 %p1, %r3, 0; setp.lt.or.s32 %p0, %r1, %r2, %p1;", 'p', 3, 2, 1, 1},
    {"setp", "setp.ne.s32 %p1, %r3, 0; setp.lt.xor.s32 %p0, %r1, %r2, %p1;", 'p', 1, 2, 1, 0},
    {"setp", "setp.lt.s32 %p1|%p0, %r1, %r2;", 'p', 1, 2, 0, 0},
    {"setp", "setp.lt.ftz.f32 %p0, %r1, %r2;", 'p', 0x80000001, 0, 0, 0},
    {"setp", "setp.gt.f16 %p0, %h1, %h2;", 'p', 0x3c00, 0xbc00, 0, 1},
    {"setp", "setp.leu.bf16 %p0, %h1, %h2;", 'p', 0x7fc0, 0xbf80, 0, 1},
    /* The first case has the result of the lower half, and the second that of the upper half. */
    {"setp", "setp.gt.f16x2 %p0|%p1, %r1, %r2;", 'p', 0x3c00bc00, 0, 0, 0},
    {"setp", "setp.gt.f16x2 %p1|%p0, %r1, %r2;", 'p', 0x3c00bc00, 0, 0, 1},
    {"setp", "setp.ne.s32 %p1, %r3, 0; setp.lt.and.bf16x2 %p1|%p0, %r1, %r2, %p1;", 'p', 0xbf803f80,
     0, 1, 1},
    {"setp", "setp.ne.s32 %p1, %r3, 0; setp.lt.and.bf16x2 %p0|%p1, %r1, %r2, !%p1;", 'p',
     0xbf80bf80, 0, 1, 0},
    {"set", "set.eq.f16.f16 %h0, %h1, %h2;", 'h', 0x0000, 0x8000, 0, 0x3c00},
    {"set", "set.lt.bf16x2.bf16x2 %r0, %r1, %r2;", 'r', 0x3f803f80, 0x40003f80, 0, 0x3f800000},
    {"set", "set.ne.u32.f16x2 %r0, %r1, %r2;", 'r', 0x3c007e00, 0x40007e00, 0, 0xffff0000},
    {"testp.finite", "testp.finite.f32 %p0, %r1;", 'p', FINF, 0, 0, 0},
    {"testp.infinite", "testp.infinite.f32 %p0, %r1;", 'p', FINF, 0, 0, 1},
    {"testp.notanumber", "testp.notanumber.f64 %p0, %d1;", 'p', 0x7ff8000000000000, 0, 0, 1},
    {"testp.subnormal", "testp.subnormal.f32 %p0, %r1;", 'p', 1, 0, 0, 1},
    {"testp.normal", "testp.normal.f32 %p0, %r1;", 'p', F1, 0, 0, 1},
    {"testp.number", "testp.number.f32 %p0, %r1;", 'p', FNAN, 0, 0, 0},
    {"selp", "setp.ne.s32 %p1, %r3, 0; selp.b32 %r0, %r1, %r2, %p1;", 'r', 5, 6, 1, 5},
    {"selp", "setp.ne.s32 %p1, %r3, 0; selp.f64 %d0, %d1, %d2, %p1;", 'd', D1, D2, 0, D2},
    {"selp", "setp.ne.s32 %p1, %r3, 0; selp.u16 %h0, 1, 0, %p1;", 'h', 0, 0, 1, 1},
    {"slct", "slct.s32.s32 %r0, %r1, %r2, %r3;", 'r', 5, 6, M1, 6},
    {"slct", "slct.b64.f32 %d0, %d1, %d2, %r3;", 'd', 5, 6, F1, 5},
    {"mov", "mov.b32 %r0, %r1;", 'r', 5, 0, 0, 5},
    {"mov", "mov.f32 %r0, 0f3F800000;", 'r', 0, 0, 0, F1},
    {"mov", "mov.f64 %d0, 0d3FF0000000000000;", 'd', 0, 0, 0, D1},
    {"mov", "mov.u32 %r0, WARP_SZ;", 'r', 0, 0, 0, 32},
    {"mov", "mov.u32 %r0, %ntid.x;", 'r', 0, 0, 0, 32},
    {"mov", "mov.u32 %r0, %nctaid.y;", 'r', 0, 0, 0, 1},
    {"mov", "setp.eq.u32 %p1, %r1, 1; mov.pred %p0, %p1;", 'p', 1, 0, 0, 1},
    {"mov", "mov.b64 %d0, {%r1, %r2};", 'd', 1, 2, 0, 0x200000001},
    {"mov", "mov.b64 {%r4, %r0}, %d1;", 'r', 0x500000003, 0, 0, 5},
    {"mov", "mov.b64 {%r0, %r4}, %d1;", 'r', 0x500000003, 0, 0, 3},
    {"mov", "mov.b64 {_, %r0}, %d1;", 'r', 0x500000003, 0, 0, 5},
    {"mov", "mov.b32 %r0, {%h1, %h2};", 'r', 1, 2, 0, 0x20001},
    {"mov", "mov.b32 {%h4, %h0}, %r1;", 'h', 0x50003, 0, 0, 5},
    {"cvt", "cvt.u64.u32 %d0, %r1;", 'd', M1, 0, 0, M1},
    {"cvt", "cvt.s64.s32 %d0, %r1;", 'd', M1, 0, 0, ~0ull},
    {"cvt", "cvt.u32.u64 %r0, %d1;", 'r', 0x500000003, 0, 0, 3},
    {"cvt", "cvt.u16.u32 %h0, %r1;", 'h', 0x12345, 0, 0, 0x2345},
    {"cvt", "cvt.s32.s16 %r0, %h1;", 'r', 0x8000, 0, 0, 0xffff8000},
    {"cvt", "cvt.u32.u8 %r0, %r1;", 'r', 0x1ff, 0, 0, 0xff},
    {"cvt", "cvt.s32.s8 %r0, %r1;", 'r', 0x80, 0, 0, 0xffffff80},
    {"cvt", "cvt.rn.f32.s32 %r0, %r1;", 'r', M1, 0, 0, 0xbf800000},
    {"cvt", "cvt.rn.f64.u64 %d0, %d1;", 'd', ~0ull, 0, 0, 0x43f0000000000000},
    {"cvt", "cvt.rz.f32.u32 %r0, %r1;", 'r', M1, 0, 0, 0x4f7fffff},
    {"cvt", "cvt.rn.f64.s32 %d0, %r1;", 'd', 2, 0, 0, D2},
    {"cvt", "cvt.f64.f32 %d0, %r1;", 'd', F3, 0, 0, D3},
    {"cvt", "cvt.rn.f32.f64 %r0, %d1;", 'r', D3, 0, 0, F3},
    {"cvt", "cvt.rzi.s32.f32 %r0, %r1;", 'r', 0xbfc00000, 0, 0, M1},
    {"cvt", "cvt.rmi.s32.f32 %r0, %r1;", 'r', 0xbfc00000, 0, 0, 0xfffffffe},
    {"cvt", "cvt.rpi.s32.f32 %r0, %r1;", 'r', 0x3fa00000, 0, 0, 2},
    {"cvt", "cvt.rni.s32.f32 %r0, %r1;", 'r', 0x40200000, 0, 0, 2},
    {"cvt", "cvt.rzi.u32.f32 %r0, %r1;", 'r', 0xbf800000, 0, 0, 0},
    {"cvt", "cvt.rzi.s32.f32 %r0, %r1;", 'r', 0x4f800000, 0, 0, 0x7fffffff},
    {"cvt", "cvt.rzi.s32.f32 %r0, %r1;", 'r', FNAN, 0, 0, 0},
    /* NaN becomes zero only if neither type has 64 bits. */
    {"cvt", "cvt.rzi.u64.f32 %d0, %r1;", 'd', FNAN, 0, 0, LEAST},
    {"cvt", "cvt.rzi.s64.f32 %d0, %r1;", 'd', FNAN, 0, 0, LEAST},
    {"cvt", "cvt.rzi.s32.f64 %r0, %d1;", 'r', 0x7ff8000000000000, 0, 0, 0x80000000},
    {"cvt", "cvt.rni.u32.f64 %r0, %d1;", 'r', 0x7ff8000000000000, 0, 0, 0x80000000},
    {"cvt", "cvt.rmi.u16.f64 %h0, %d1;", 'h', 0x7ff8000000000000, 0, 0, 0x8000},
    {"cvt", "cvt.rpi.s64.f64 %d0, %d1;", 'd', 0x7ff8000000000000, 0, 0, LEAST},
    {"cvt", "cvt.rzi.u16.f32 %h0, %r1;", 'h', FNAN, 0, 0, 0},
    {"cvt", "cvt.rzi.u32.f64 %r0, %d1;", 'r', 0xbff0000000000000, 0, 0, 0},
    {"cvt", "cvt.rzi.s64.f32 %d0, %r1;", 'd', 0x7f000000, 0, 0, LEAST - 1},
    {"cvt", "cvt.rzi.u64.f64 %d0, %d1;", 'd', 0x43f0000000000000, 0, 0, ~0ull},
    /*
     * Registers wider than the type: operands come from the low bits, and the result is
     * sign-extended.
     */
    {"cvt", "cvt.s32.s64 %d0, %d1;", 'd', 0x180000000, 0, 0, 0xffffffff80000000},
    {"cvt", "cvt.u32.s64 %d0, %d1;", 'd', 0x180000000, 0, 0, 0x80000000},
    {"cvt", "cvt.u32.s16 %d0, %h1;", 'd', 0x8000, 0, 0, 0xffff8000},
    {"cvt", "cvt.s16.u32 %d0, %r1;", 'd', 0x18000, 0, 0, 0xffffffffffff8000},
    {"cvt", "cvt.u8.u32 %d0, %r1;", 'd', 0x1ff, 0, 0, 0xff},
    {"cvt", "cvt.s64.s32 %d0, %d1;", 'd', 0x180000000, 0, 0, 0xffffffff80000000},
    {"cvt", "cvt.u64.u32 %d0, %d1;", 'd', 0x180000000, 0, 0, 0x80000000},
    {"cvt", "cvt.s64.s16 %d0, %d1;", 'd', 0x18000, 0, 0, 0xffffffffffff8000},
    {"cvt", "cvt.s64.s8 %d0, %d1;", 'd', 0x80, 0, 0, 0xffffffffffffff80},
    {"cvt", "cvt.u16.u8 %h0, %d1;", 'h', 0x1234, 0, 0, 0x34},
    {"cvt", "cvt.rn.f32.u32 %r0, %d1;", 'r', 0x100000003, 0, 0, F3},
    {"cvt", "cvt.rn.f64.s8 %d0, %d1;", 'd', 0xff, 0, 0, D1 | LEAST},
    {"cvt", "cvt.rzi.u32.f32 %d0, %r1;", 'd', 0x4f7fffff, 0, 0, 0xffffff00},
    {"cvt", "cvt.rzi.s32.f32 %d0, %r1;", 'd', 0xbf800000, 0, 0, ~0ull},
    {"cvt", "cvt.sat.u8.s32 %r0, %r1;", 'r', 300, 0, 0, 255},
    {"cvt", "cvt.sat.u8.s32 %r0, %r1;", 'r', M1, 0, 0, 0},
    {"cvt", "cvt.sat.s16.s32 %h0, %r1;", 'h', 0xffff0000, 0, 0, 0x8000},
    {"cvt", "cvt.sat.s32.u64 %r0, %d1;", 'r', LEAST, 0, 0, 0x7fffffff},
    {"cvt", "cvt.sat.u32.s64 %r0, %d1;", 'r', ~0ull, 0, 0, 0},
    {"cvt", "cvt.sat.f32.f32 %r0, %r1;", 'r', F3, 0, 0, F1},
    {"cvt", "cvt.sat.f32.f32 %r0, %r1;", 'r', 0xbf800000, 0, 0, 0},
    {"cvt", "cvt.sat.f32.f32 %r0, %r1;", 'r', FNAN, 0, 0, 0},
    {"cvt", "cvt.ftz.f64.f32 %d0, %r1;", 'd', 0x80000001, 0, 0, LEAST},
    {"cvt", "cvt.rn.ftz.f32.f64 %r0, %d1;", 'r', 0x3690000000000000, 0, 0, 0},
    {"cvt", "cvt.f32.f16 %r0, %h1;", 'r', 0x3c00, 0, 0, F1},
    {"cvt", "cvt.f32.f16 %r0, %h1;", 'r', 0x8001, 0, 0, 0xb3800000},
    {"cvt", "cvt.f64.f16 %d0, %h1;", 'd', 0xfc00, 0, 0, 0xfff0000000000000},
    {"cvt", "cvt.f32.bf16 %r0, %h1;", 'r', 0xbf80, 0, 0, 0xbf800000},
    {"cvt", "cvt.rn.f16.f32 %h0, %r1;", 'h', 0x477ff000, 0, 0, 0x7c00}, /* the operand is 65520 */
    {"cvt", "cvt.rz.f16.f32 %h0, %r1;", 'h', 0x477ff000, 0, 0, 0x7bff},
    {"cvt", "cvt.rn.f16.f32 %h0, %r1;", 'h', 0x3f801000, 0, 0, 0x3c00}, /* the operand is a tie */
    {"cvt", "cvt.rn.f16.f32 %h0, %r1;", 'h', 0x3f803000, 0, 0, 0x3c02},
    /* The operand is more than half of the least subnormal number. */
    {"cvt", "cvt.rn.f16.f32 %h0, %r1;", 'h', 0x33000001, 0, 0, 1},
    {"cvt", "cvt.rn.f16.f32 %h0, %r1;", 'h', 0x33000000, 0, 0, 0},
    /* The operand rounds to a normal number. */
    {"cvt", "cvt.rn.f16.f32 %h0, %r1;", 'h', 0x387fffff, 0, 0, 0x400},
    {"cvt", "cvt.rn.f16.f64 %h0, %d1;", 'h', 0x3ff0020000000001, 0, 0, 0x3c01},
    {"cvt", "cvt.rn.bf16.f32 %h0, %r1;", 'h', 0x3f808000, 0, 0, 0x3f80},
    {"cvt", "cvt.rn.bf16.f32 %h0, %r1;", 'h', 0xbf818000, 0, 0, 0xbf82},
    {"cvt", "cvt.rn.bf16.f32 %h0, %r1;", 'h', FNAN, 0, 0, 0x7fff},
    {"cvt", "cvt.rn.f16x2.f32 %r0, %r1, %r2;", 'r', F1, F2, 0, 0x3c004000},
    {"cvt", "cvt.rn.bf16x2.f32 %r0, %r1, %r2;", 'r', F1, F2, 0, 0x3f804000},
    {"cvt", "cvt.rn.f16.s32 %h0, %r1;", 'h', 0xfffffffe, 0, 0, 0xc000},
    {"cvt", "cvt.rn.f16.u64 %h0, %d1;", 'h', 2049, 0, 0, 0x6800},
    {"cvt", "cvt.rn.bf16.u64 %h0, %d1;", 'h', 0x8080000000000001, 0, 0, 0x5f01},
    {"cvt", "cvt.rni.s32.f16 %r0, %h1;", 'r', 0x4100, 0, 0, 2}, /* the operand is 2.5 */
    {"cvt", "cvt.rzi.u16.f16 %h0, %h1;", 'h', 0x7c00, 0, 0, 0xffff},
    {"cvt", "cvt.rni.f16.f16 %h0, %h1;", 'h', 0x4100, 0, 0, 0x4000},
    {"cvt", "cvt.rzi.u64.f64 %d0, %d1;", 'd', D3, 0, 0, 3},
    {"cvt", "cvt.rzi.s64.f64 %d0, %d1;", 'd', 0xfff0000000000000, 0, 0, LEAST},
    {"cvt", "cvt.rni.f32.f32 %r0, %r1;", 'r', 0x40200000, 0, 0, F2},
};

static const char template[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .pred %%p<9>;\n.reg .b16 %%h<9>;\n.reg .b32 %%r<9>;\n.reg .b64 %%d<19>;\n"
    "ld.param.u64 %%d10, [in];\nld.param.u64 %%d11, [out];\n"
    "ld.global.u64 %%d1, [%%d10];\nld.global.u64 %%d2, [%%d10+8];\nld.global.u64 %%d3, "
    "[%%d10+16];\n"
    "cvt.u32.u64 %%r1, %%d1;\ncvt.u32.u64 %%r2, %%d2;\ncvt.u32.u64 %%r3, %%d3;\n"
    "cvt.u16.u64 %%h1, %%d1;\ncvt.u16.u64 %%h2, %%d2;\ncvt.u16.u64 %%h3, %%d3;\n"
    "mov.u64 %%d0, 0x5a5a;\nmov.u32 %%r0, 0x5a5a;\nmov.u16 %%h0, 0x5a5a;\n"
    "setp.ne.s32 %%p0, 0, 0;\n"
    "%s%s\n"
    "SKIP:\n%s\n"
    "mov.u32 %%r8, %%laneid;\nmad.wide.u32 %%d12, %%r8, 8, %%d11;\n"
    "st.global.u64 [%%d12], %%d0;\nret;\n}\n";

static const char odd_lanes[] =
    "mov.u32 %r8, %laneid;\nand.b32 %r8, %r8, 1;\nsetp.eq.u32 %p8, %r8, 0;\n@%p8 bra SKIP;\n";

static const char *widen(char result)
{
    return result == 'r'   ? "cvt.u64.u32 %d0, %r0;"
           : result == 'h' ? "cvt.u64.u16 %d0, %h0;"
           : result == 'p' ? "selp.u64 %d0, 1, 0, %p0;"
                           : "";
}

static void run_check(struct fixture *f, const struct check *c, bool odd)
{
    char text[4096];
    struct error e = {0};
    struct module *m;
    snprintf(text, sizeof text, template, odd ? odd_lanes : "", c->body, widen(c->result));
    if (!load_text(f, text, "k", &m, &e))
        fail_msg("%s: %s", c->body, e.text);
    struct buffer in = allocate(f, 24), out = allocate(f, 256);
    uint64_t operands[3] = {c->a, c->b, c->c}, results[32];
    must(sim_write(f->device, in, 0, operands, 24, &e), &e);
    struct launch l = make_launch(m, 1, 32);
    add_argument(&l, in.address, 8);
    add_argument(&l, out.address, 8);
    must(launch(f, &l, &e), &e);
    must(sim_driver.read(f->device, out, 0, results, 256, &e), &e);
    for (int lane = 0; lane < 32; lane++) {
        uint64_t kept = c->result == 'p' ? 0 : 0x5a5a;
        uint64_t expected = odd && lane % 2 == 0 ? kept : c->expected;
        if (results[lane] != expected)
            fail_msg("%s (a=%llx b=%llx c=%llx), lane %d of %s: %llx, but must be %llx", c->body,
                     (unsigned long long)c->a, (unsigned long long)c->b, (unsigned long long)c->c,
                     lane, odd ? "the odd ones" : "all", (unsigned long long)results[lane],
                     (unsigned long long)expected);
    }
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, in);
    sim_driver.free(f->device, out);
}

static void test_all_lanes(void **state)
{
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        run_check(*state, &checks[i], false);
}

static void test_odd_lanes(void **state)
{
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        run_check(*state, &checks[i], true);
}

/* Families that need more than one line of PTX, with the files that test them. */
static const char *const elsewhere[] = {
    /* test_memory.c */ "ld",
    "ldu",
    "st",
    "atom",
    "red",
    "cvta",
    "isspacep",
    "membar",
    "fence",
    "prefetch",
    "prefetchu",
    "createpolicy",
    "mbarrier",
    "cp",
    /* test_warps.c */ "bra",
    "brx",
    "call",
    "ret",
    "exit",
    "bar",
    "barrier",
    "shfl",
    "vote",
    "match",
    "redux",
    "activemask",
    "elect",
    "griddepcontrol",
    "nanosleep",
    /* test_clusters.c */ "mapa",
    /* tests/texts/simulator.txt */ "trap",
    "brkpt"};

/*
 * Returns whether the form accepts the type of the body's last statement.
 */
static bool is_of_form(const char *body, const struct opcode_family *f)
{
    const char *last = body, *type;
    char word[8] = "";
    for (const char *at = body; (at = strstr(at, "; ")); at += 2)
        last = at + 2;
    size_t length = strcspn(last, " ");
    for (type = last + length; type > last && type[-1] != '.'; type--)
        ;
    snprintf(word, sizeof word, "%.*s", (int)(last + length - type), type);
    return !f->types || strstr(f->types, word) != NULL;
}

static void test_every_form_has_a_case(void **state)
{
    (void)state;
    for (const struct opcode_family *f = families; f->name; f++) {
        bool found = false;
        for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
            found |= strcmp(checks[i].family, f->name) == 0 && is_of_form(checks[i].body, f);
        for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
            found |= strcmp(elsewhere[i], f->name) == 0;
        if (!found)
            fail_msg("the form %s (%s) has no case", f->name, f->types ? f->types : "any type");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_lanes, open_device, close_all),
        cmocka_unit_test_setup_teardown(test_odd_lanes, open_device, close_all),
        cmocka_unit_test(test_every_form_has_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
