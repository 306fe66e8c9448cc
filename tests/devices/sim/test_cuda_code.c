/*
 * Runs CUDA C++ of the kind that users write. Each case is a kernel whose result is known for every
 * thread. It is compiled to PTX for two architectures. In the PTX for one of them, literals are in
 * registers; for the other, they are in operands.
 */
#include "cuda_text.h"
#include "../../texts/expected.h"

#include <math.h>

#define K "extern \"C\" __global__ void k(unsigned *out, const unsigned *in)\n"
#define CG                                                                                         \
    "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"                    \
    "namespace cg = cooperative_groups;\n"
#define T "unsigned t = threadIdx.x; "

struct cuda_case {
    const char *name, *source;
    uint32_t (*expected)(uint32_t thread);
};

static uint32_t sum(uint32_t first, uint32_t count)
{
    return count * first + count * (count - 1) / 2;
}

static uint32_t half_warp_sum(uint32_t t)
{
    return sum(t & ~15u, 16);
}

static uint32_t tile_8_sum(uint32_t t)
{
    return sum(t & ~7u, 8);
}

static uint32_t by_key(uint32_t t) /* the keys are t % 3 within a warp */
{
    uint32_t s = 0;
    for (uint32_t k = t & ~31u; k < (t & ~31u) + 32; k++)
        s += k % 32 % 3 == t % 32 % 3 ? k : 0;
    return s;
}

static uint32_t warp_sum(uint32_t t)
{
    return sum(t & ~31u, 32);
}

static uint32_t partner(uint32_t t)
{
    return t ^ 16;
}

static uint32_t odd_lanes_sum(uint32_t t)
{
    return t & 1 ? sum(t & ~31u, 32) / 2 + 8 : sum(t & ~31u, 32) / 2 - 8;
}

static const struct cuda_case masks[] = {
    {"shuffles by half-warp",
     K "{" T "unsigned m = t & 16 ? 0xffff0000u : 0xffffu, v = in[t];\n"
       "for (int d = 8; d; d /= 2) v += __shfl_xor_sync(m, v, d, 16); out[t] = v; }",
     half_warp_sum},
    {"match, then reduce",
     K "{" T "unsigned m = __match_any_sync(~0u, t % 32 % 3);"
       "out[t] = __reduce_add_sync(m, in[t]); }",
     by_key},
    {"ballot and syncwarp by half-warp",
     K "{" T "__shared__ unsigned s[128]; unsigned m = t & 16 ? 0xffff0000u : 0xffffu;\n"
       "s[t] = in[t]; __syncwarp(m); unsigned v = 0, b = __ballot_sync(m, 1);\n"
       "for (unsigned l = 0; l < 32; l++) if (b >> l & 1) v += s[(t & ~31u) + l];\n"
       "out[t] = v; }",
     half_warp_sum},
    {"tiled_partition<16>",
     CG K "{" T "auto tile = cg::tiled_partition<16>(cg::this_thread_block());\n"
          "out[t] = cg::reduce(tile, in[t], cg::plus<unsigned>()); }",
     half_warp_sum},
    {"tiled_partition<8> in half of the warps",
     CG K "{" T "auto tile = cg::tiled_partition<8>(cg::this_thread_block()); unsigned v = in[t];\n"
          "for (int d = 4; d; d /= 2) v += tile.shfl_xor(v, d); out[t] = v; }",
     tile_8_sum},
    {"labeled_partition",
     CG K "{" T "auto g = cg::labeled_partition(cg::coalesced_threads(), int(t % 32 % 3));\n"
          "out[t] = cg::reduce(g, in[t], cg::plus<unsigned>()); }",
     by_key},
    {"coalesced threads of both sides of a branch",
     CG K "{" T "unsigned v; if (t & 1) { auto g = cg::coalesced_threads();\n"
          "v = cg::reduce(g, in[t], cg::plus<unsigned>()); } else {\n"
          "auto g = cg::coalesced_threads(); v = cg::reduce(g, in[t], cg::plus<unsigned>()); }\n"
          "out[t] = v; }",
     odd_lanes_sum},
    {"one shuffle that two ways lead to",
     K "{" T "unsigned v = in[t]; if (t & 1) { v += in[0] + 1; __syncwarp(0xaaaaaaaau); v -= 1; }\n"
       "for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d); out[t] = v; }",
     warp_sum},
    {"the same exchange at two places",
     K
     "{" T "unsigned v = in[t], r; if (t & 16) { out[1000 + t] = v;\n"
     "asm volatile(\"shfl.sync.bfly.b32 %0, %1, 16, 31, -1;\" : \"=r\"(r) : \"r\"(v)); r += 1; }\n"
     "else { asm volatile(\"shfl.sync.bfly.b32 %0, %1, 16, 31, -1;\" : \"=r\"(r) : \"r\"(v));\n"
     "out[2000 + t] = r; r += 1; } out[t] = r - 1; }",
     partner},
};

static uint32_t barrier_result(uint32_t t)
{
    return (t ^ 1) + t + 10;
}

static uint32_t columns_sum(uint32_t t)
{
    return sum(0, 8) * 128 + 8 * t;
}

static uint32_t tile_64_and_copies(uint32_t t)
{
    return sum(t & ~63u, 64) + (511 - t) + t;
}

static uint32_t clock_moves(uint32_t t)
{
    return t;
}

static uint32_t dot(uint32_t t)
{
    return 3 * (t & 255) + 2 * (t >> 8) + 1 - (t + 1);
}

static uint32_t twice_and_3(uint32_t t)
{
    return 2 * t + 3;
}

static uint32_t half_sum(uint32_t t) /* the sum of t % 32 / 2, which is exact in f16 */
{
    (void)t;
    return 248;
}

static uint32_t block_total(uint32_t t)
{
    (void)t;
    return sum(0, 128);
}

static const struct cuda_case features[] = {
    {"cuda::barrier with memcpy_async",
     "#include <cuda/barrier>\n" CG K "{" T
     "__shared__ cuda::barrier<cuda::thread_scope_block> b; __shared__ unsigned s[128];\n"
     "if (t == 0) init(&b, blockDim.x); __syncthreads(); s[t] = in[t];\n"
     "auto token = b.arrive(); b.wait(std::move(token)); out[t] = s[t ^ 1]; b.arrive_and_wait();\n"
     "cuda::memcpy_async(cg::this_thread_block(), s, in + 10, sizeof s, b); b.arrive_and_wait();\n"
     "out[t] += s[t]; }",
     barrier_result},
    {"cuda::pipeline of two stages",
     "#include <cuda/pipeline>\n" CG K "{" T
     "__shared__ unsigned s[2][128]; auto block = cg::this_thread_block();\n"
     "__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;\n"
     "auto p = cuda::make_pipeline(block, &state); unsigned v = 0;\n"
     "p.producer_acquire(); cuda::memcpy_async(block, s[0], in, sizeof s[0], p);\n"
     "p.producer_commit(); for (int i = 1; i < 8; i++) { p.producer_acquire();\n"
     "cuda::memcpy_async(block, s[i & 1], in + i * 128, sizeof s[0], p); p.producer_commit();\n"
     "p.consumer_wait(); v += s[(i - 1) & 1][t]; p.consumer_release(); }\n"
     "p.consumer_wait(); v += s[1][t]; p.consumer_release(); out[t] = v; }",
     columns_sum},
    {"threads that leave a cuda::barrier, cuda::barrier of a part of the block",
     "#include <cuda/barrier>\n" CG K "{" T "__shared__ cuda::barrier<cuda::thread_scope_block> b, "
     "c; __shared__ unsigned s[128], phases;\n"
     "if (t == 0) { init(&b, 128); init(&c, 32); phases = 0; } s[t] = in[t]; __syncthreads();\n"
     "if (t >= 64) { b.arrive_and_drop(); out[t] = t + (t ^ 1) + 10; return; }\n"
     "b.arrive_and_wait(); if (t == 0) phases++; b.arrive_and_wait(); if (t == 0) phases += 2;\n"
     "b.arrive_and_wait(); if (t < 32) c.arrive_and_wait();\n"
     "out[t] = s[t ^ 1] + t + (phases == 3 ? 10 : 0); }",
     barrier_result},
    {"tiled_partition<64>, __pipeline_memcpy_async, cg::memcpy_async",
     "#include <cuda_pipeline.h>\n#include <cooperative_groups/memcpy_async.h>\n" CG K "{" T
     "__shared__ __align__(16) unsigned s[512]; auto block = cg::this_thread_block();\n"
     "auto tile = cg::tiled_partition<64>(block);\n"
     "out[t] = cg::reduce(tile, in[t], cg::plus<unsigned>());\n"
     "__pipeline_memcpy_async(s + 4 * t, in + 4 * t, 16); __pipeline_commit();\n"
     "__pipeline_wait_prior(0); __syncthreads(); out[t] += s[511 - t]; __syncthreads();\n"
     "cg::memcpy_async(block, s, in, sizeof s); cg::wait(block); out[t] += s[t]; }",
     tile_64_and_copies},
    {"a copy that fills up with zeros",
     "#include <cuda_pipeline.h>\n" K "{" T
     "__shared__ __align__(16) unsigned s[512]; s[4 * t + 1] = 99;\n"
     "__pipeline_memcpy_async(s + 4 * t, in + 4 * t, 16, 12); __pipeline_commit();\n"
     "__pipeline_wait_prior(0); out[t] = s[4 * t] / 2 + s[4 * t + 1] + s[4 * t + 3] + 3; }",
     twice_and_3},
    {"three of four neighbours in shared memory: the compiler loads all four",
     K "{" T "__shared__ __align__(16) unsigned s[1024]; unsigned *v = s + 8 * t; v[0] = t;\n"
       "v[1] = 4; v[2] = 3; __syncthreads(); uint4 x;\n"
       "asm volatile(\"ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];\" : \"=r\"(x.x), \"=r\"(x.y), "
       "\"=r\"(x.z), \"=r\"(x.w) : \"r\"((unsigned)__cvta_generic_to_shared(v)));\n"
       "out[t] = x.x * 2 + x.y + x.z - 4; }",
     twice_and_3},
    {"%globaltimer",
     K "{" T "unsigned long long a, b; asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(a));\n"
       "asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(b)); out[t] = b > a ? t : 999; }",
     clock_moves},
    {"__dp4a, __dp2a_lo, __byte_perm, __ffs",
     K "{" T "out[t] = __dp4a(t, 0x00000203u, 1u) - __dp2a_lo(t << 16 | 1, 0x101u, 0u);\n"
       "out[t + 200] = __byte_perm(t, 7, 0x5410) + __ffs(t); }",
     dot},
    {"half precision: scalars, shuffles",
     "#include <cuda_fp16.h>\n" K "{" T "__half v = __float2half(in[t] % 32 * 0.5f);\n"
     "for (int d = 16; d; d /= 2) v = __hadd(v, __shfl_xor_sync(~0u, v, d));\n"
     "__half2 p = __half2half2(v); p = __hfma2(p, __float2half2_rn(0.5f), __float2half2_rn(0));\n"
     "out[t] = (unsigned)__half2float(__hadd(__low2half(p), __high2half(p))); }",
     half_sum},
    {"half precision: relu, comparisons of two",
     "#include <cuda_fp16.h>\n" K "{" T
     "__half2 p = __floats2half2_rn(t % 32 * 0.5f, -1.0f), one = __float2half2_rn(1);\n"
     "p = __hfma2_relu(p, one, __float2half2_rn(0)); __half r = __hfma_relu(__low2half(p), "
     "__float2half(-1), __float2half(-1));\n"
     "for (int d = 16; d; d /= 2) p = __hadd2(p, __shfl_xor_sync(~0u, p, d));\n"
     "bool good = __hbge2(p, __float2half2_rn(0)) && !__hbgt2(p, __float2half2_rn(0)) &&\n"
     "__hgt2_mask(p, __float2half2_rn(247)) == 0xffff && __half2float(r) == 0;\n"
     "out[t] = good ? (unsigned)__half2float(__low2half(p)) : 0; }",
     half_sum},
    {"half precision: CUDA's own functions",
     "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n" K "{" T
     "__half a = hexp(hlog(hsqrt(__float2half(t % 32 * 0.5f + 1))));\n"
     "__nv_bfloat162 b = h2exp(h2log(__float2bfloat162_rn(4)));\n"
     "float x = __half2float(a), y = __low2float(b), z = sqrtf(t % 32 * 0.5f + 1);\n"
     "out[t] = fabsf(x - z) < 0.01f * z && fabsf(y - 4) < 0.1f && "
     "__half2int_rn(hrcp(hrsqrt(__float2half(25)))) == 5 ? 248 : 0; }",
     half_sum},
    {"half precision: minimum and maximum of two, atomics of vectors",
     "#include <cuda_fp16.h>\n" K "{" T
     "__half2 v = __floats2half2_rn(t, 200.0f - t); unsigned *m = out + 1000;\n"
     "if (t == 0) m[0] = m[1] = 0, m[2] = m[3] = 0x7c007c00; __syncthreads();\n"
     "unsigned x = *(unsigned *)&v;\n"
     "asm volatile(\"red.global.v2.max.noftz.f16x2 [%0], {%1, %2};\" :: \"l\"(m), \"r\"(x), "
     "\"r\"(0) : \"memory\");\n"
     "asm volatile(\"red.global.v2.min.noftz.f16x2 [%0], {%1, %2};\" :: \"l\"(m + 2), \"r\"(x), "
     "\"r\"(0x3c003c00) : \"memory\");\n"
     "for (int d = 16; d; d /= 2) v = __hmax2(v, __shfl_xor_sync(~0u, v, d)); __syncthreads();\n"
     "__half2 top = *(__half2 *)m, low = *(__half2 *)(m + 2);\n"
     "bool good = __half2float(__low2half(top)) == 127 && __half2float(__high2half(top)) == 200 "
     "&&\n"
     "m[1] == 0 && __half2float(__low2half(low)) == 0 && __half2float(__high2half(low)) == 73 &&\n"
     "m[3] == 0x3c003c00 && __half2float(__low2half(v)) == (t | 31) &&\n"
     "__half2float(__high2half(v)) == 200 - (t & ~31u); out[t] = good ? 248 : 0; }",
     half_sum},
    {"bfloat16: packed, atomic",
     "#include <cuda_bf16.h>\n" K "{" T
     "__shared__ __nv_bfloat162 s; if (t == 0) s = __float2bfloat162_rn(0); __syncthreads();\n"
     "atomicAdd(&s, __floats2bfloat162_rn(1, t < 64 ? 1 : 0)); __syncthreads();\n"
     "float2 f = __bfloat1622float2(s); out[t] = f.x == 128 && f.y == 64 ? 248 : 0; }",
     half_sum},
    {"half atomics in global memory, 16-bit compare-and-swap",
     "#include <cuda_fp16.h>\n" K "{" T
     "__half *h = (__half *)(out + 1000); atomicAdd(h + 1, __float2half(0.5f));\n"
     "atomicAdd((__half2 *)(out + 1001), __float2half2_rn(1));\n"
     "unsigned short *c = (unsigned short *)(out + 1002) + 1, old = 0, seen;\n"
     "while ((seen = atomicCAS(c, old, (unsigned short)(old + 1))) != old) old = seen;\n"
     "__syncthreads(); out[t] = __half2float(h[1]) == 64 && __half2float(h[3]) == 128 && *c == 128 "
     "&& c[-1] == 0 ? 248 : 0; }",
     half_sum},
    {"vector atomics",
     K "{" T "float *f = (float *)(out + 1000); float4 one = {1, 2, 3, 4}, old;\n"
       "old = atomicAdd((float4 *)f, one); atomicAdd((float2 *)(f + 4), make_float2(1, 5));\n"
       "__syncthreads(); out[t] = f[0] == 128 && f[3] == 512 && f[5] == 640 && old.y == 2 * old.x "
       "? 8128 : 1; }",
     block_total},
};

static uint32_t out[CUDA_WORDS];

static void run_cases(struct fixture *f, const struct cuda_case *cases, size_t count, int last_cc)
{
    for (size_t i = 0; i < count; i++) {
        for (int cc = 90; cc <= last_cc; cc += 10) {
            run_cuda(f, cases[i].source, cc, out);
            for (uint32_t t = 0; t < CUDA_THREADS; t++)
                if (out[t] != cases[i].expected(t))
                    fail_msg("%s, compute_%d, thread %u: %u (0x%x) instead of %u (0x%x)",
                             cases[i].name, cc, t, out[t], out[t], cases[i].expected(t),
                             cases[i].expected(t));
        }
    }
}

#define RUN(cases, last_cc) run_cases(*state, cases, sizeof cases / sizeof *cases, last_cc)

static void lanes_exchange_by_their_masks(void **state)
{
    RUN(masks, 100);
}

static void features_that_kernels_use(void **state)
{
    RUN(features, 90); /* CUDA's C++ library takes a second to compile */
}

/*
 * Code that several branches lead to executes once for all lanes that reach it. `stores` is how
 * many store requests an H200 counts per warp; 4 warps run here.
 */
static void code_behind_several_tests_runs_once(void **state)
{
    static const struct {
        const char *source;
        unsigned stores; /* stores per warp */
    } cases[] = {
        /*
         * Each path has one store and is taken by some lanes. Two different conditions lead to the
         * second path.
         */
        {K "{" T "if ((in[t] & 1) && (in[t + 1] & 2)) out[t] = in[t + 7] + 1;\n"
           "else out[t + 200] = in[t + 9] * 3; }",
         2},
        {K "{" T "if ((in[t] & 1) || (in[t + 1] & 2)) out[t] = in[t + 7] + 1;\n"
           "else out[t + 200] = in[t + 9] * 3; }",
         2},
        {K "{" T "unsigned a = in[t]; if (a & 1) goto x; out[t] = 1; if (a & 2) goto x;\n"
           "out[t + 200] = 2; return; x: out[t + 400] = in[a + 3]; }",
         3},
        {K "{" T
           "switch (in[t] % 4) { case 0: out[t] = in[t + 1]; case 1: out[t + 200] = in[t + 2];"
           "case 2: out[t + 400] = in[t + 3]; default: out[t + 600] = in[t + 4]; } }",
         4},
        {K "{" T "unsigned a = in[t]; if ((in[a + 1] & 1) && (in[a + 2] & 2) && (in[a + 3] & 4)) "
           "out[t] = 5;\n"
           "else { out[t + 200] = in[a + 2]; out[t + 400] = in[a + 3]; } }",
         3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct counts c = run_cuda(*state, cases[i].source, 90, out);
        if (c.global[ACCESS_STORE].requests != 4 * cases[i].stores)
            fail_msg("%u store requests of a warp instead of %u: %s",
                     (unsigned)(c.global[ACCESS_STORE].requests / 4), cases[i].stores,
                     cases[i].source);
    }
}

/*
 * Compares CUDA's mathematical functions with those of the host. The PTX of CUDA's functions
 * contains .ftz, .sat and carries without a flag.
 */
#define FLOAT_FUNCTIONS(X)                                                                         \
    X(expf(x), exp(x))                                                                             \
    X(powf(x, 1.7f), pow(x, 1.7f))                                                                 \
    X(fmodf(x, 0.3f), fmod(x, 0.3f))                                                               \
    X(tanhf(x), tanh(x))                                                                           \
    X(tanf(x), tan(x))                                                                             \
    X(atanf(x), atan(x))                                                                           \
    X(asinf(x / 8), asin(x / 8))                                                                   \
    X(sinhf(x), sinh(x))                                                                           \
    X(lgammaf(x), lgamma(x))                                                                       \
    X(tgammaf(x), tgamma(x))                                                                       \
    X(__saturatef(x - 2), x<2 ? 0 : x> 3 ? 1 : x - 2)                                              \
    X(sinf(x * 1e6f), sin(x * 1e6f))                                                               \
    X(cosf(x), cos(x))                                                                             \
    X(logf(x), log(x))                                                                             \
    X(log1pf(x), log1p(x))                                                                         \
    X(rsqrtf(x), 1 / sqrt(x))                                                                      \
    X(cbrtf(x), cbrt(x))                                                                           \
    X(erff(x), erf(x))                                                                             \
    X(exp2f(x), exp2(x))                                                                           \
    X(__fdividef(x, 3), x / 3)                                                                     \
    X(__expf(x), exp(x))
#define DOUBLE_FUNCTIONS(X)                                                                        \
    X(exp(x), exp(x))                                                                              \
    X(log(x), log(x))                                                                              \
    X(log2(x), log2(x))                                                                            \
    X(pow(x, 1.7), pow(x, 1.7))                                                                    \
    X(tan(x), tan(x))                                                                              \
    X(tanh(x), tanh(x))                                                                            \
    X(atan(x), atan(x))                                                                            \
    X(cbrt(x), cbrt(x))                                                                            \
    X(asin(x / 8), asin(x / 8))                                                                    \
    X(hypot(x, 2), hypot(x, 2))                                                                    \
    X(sin(x * 1e9), sin(x * 1e9))                                                                  \
    X(cos(x), cos(x))                                                                              \
    X(erf(x), erf(x))                                                                              \
    X(lgamma(x), lgamma(x))                                                                        \
    X(fmod(x, 0.3), fmod(x, 0.3))                                                                  \
    X(rsqrt(x), 1 / sqrt(x))                                                                       \
    X(x / 3, x / 3)                                                                                \
    X(exp10(x), pow(10, x))

#define DEVICE_TEXT(DEVICE, HOST) "o[i++ * 128 + t] = " #DEVICE ";\n"
#define NAME_TEXT(DEVICE, HOST) #DEVICE,
#define HOST_VALUE(DEVICE, HOST) HOST,

static void cuda_s_own_functions_are_known(void **state)
{
    static const char floats[] =
        K "{" T "float x = t / 16.0f + 0.01f, *o = (float *)out; int i = 0;" FLOAT_FUNCTIONS(
            DEVICE_TEXT) "}";
    static const char doubles[] =
        K "{" T "double x = t / 16.0f + 0.01f, *o = (double *)out; int i = 0;\n" DOUBLE_FUNCTIONS(
            DEVICE_TEXT) "}";
    static const char *const float_names[] = {FLOAT_FUNCTIONS(NAME_TEXT)};
    static const char *const double_names[] = {DOUBLE_FUNCTIONS(NAME_TEXT)};
    run_cuda(*state, floats, 90, out);
    for (unsigned t = 0; t < CUDA_THREADS; t++) {
        float x = (float)t / 16.0f + 0.01f;
        double expected[] = {FLOAT_FUNCTIONS(HOST_VALUE)};
        for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
            float found;
            memcpy(&found, &out[i * 128 + t], sizeof found);
            if (!(fabs(found - expected[i]) <= 4e-6 * (fabs(expected[i]) + 1)))
                fail_msg("%s at %g: %.9g instead of %.9g", float_names[i], x, found, expected[i]);
        }
    }
    run_cuda(*state, doubles, 90, out);
    for (unsigned t = 0; t < CUDA_THREADS; t++) {
        double x = (float)t / 16.0f + 0.01f;
        double expected[] = {DOUBLE_FUNCTIONS(HOST_VALUE)};
        for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
            double found;
            memcpy(&found, &out[2 * (i * 128 + t)], sizeof found);
            if (!(fabs(found - expected[i]) <= 2e-13 * (fabs(expected[i]) + 1)))
                fail_msg("%s at %g: %.17g instead of %.17g", double_names[i], x, found,
                         expected[i]);
        }
    }
}

static char printed[4096];

static void keep_line(void *context, const char *line)
{
    ++*(int *)context;
    snprintf(printed + strlen(printed), sizeof printed - strlen(printed), "%s\n", line);
}

static void kernels_print_and_assert(void **state)
{
    struct fixture *f = *state;
    int lines = 0;
    sim_set_printer(f->device, keep_line, &lines);
    printed[0] = '\0';
    run_cuda(f,
             K "{" T "if (t % 64 == 1) out[t] = printf(\"%d %5.2f %s %c %llu %-4x| 100%%\\n\", "
               "(int)t - 5, t * 0.5, \"text\", 'z', 1ull << 40, t); }",
             90, out);
    assert_string_equal(printed,
                        "block (0,0,0), thread (1,0,0): -4  0.50 text z 1099511627776 1   | "
                        "100%\n"
                        "block (0,0,0), thread (65,0,0): 60 32.50 text z 1099511627776 41  "
                        "| 100%\n");
    assert_int_equal(out[1], 6);
    run_cuda(f, K "{" T "for (int i = 0; i < 100; i++) printf(\"%d\", i); }", 90, out);
    assert_int_equal(lines, 2 + 1001); /* the last line says that there were more lines */
    struct error e = {0};
    assert_false(try_cuda(f,
                          "extern \"C\" __device__ void __assertfail(const char *, const char *, "
                          "unsigned, const char *, size_t);\n" K "{" T
                          "if (in[t] == 70) __assertfail(\"in[t] < 70\", \"sum.cu\", 12, "
                          "\"k\", 1); out[t] = 1; }",
                          90, out, NULL, &e));
    assert_int_equal(e.kind, ERROR_LAUNCH);
    texts_expect("an assertion that fails", without_ptx_line(&e));
}

/*
 * If lanes of an atomic access the same sector, no rule is known for the number of sectors, so this
 * count stays empty.
 */
static void colliding_atomics_have_requests_only(void **state)
{
    static const char sectors[] = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum";
    static const char lines[] = "l1tex__t_set_accesses_pipe_lsu_mem_global_op_red.sum";
    static const char requests[] = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum";
    struct counts c = run_cuda(*state, K "{" T "atomicMax(out + t % 2, in[t]); }", 90, out);
    assert_true(isnan(counts_value(&c, sectors)) && isnan(counts_value(&c, lines)));
    assert_true(counts_value(&c, requests) == 4);
    c = run_cuda(*state, K "{" T "atomicMax(out + 8 * t, in[t]); }", 90, out);
    assert_true(counts_value(&c, sectors) == 128 && counts_value(&c, requests) == 4);
    assert_true(counts_value(&c, lines) == 32);
}

/*
 * PTX does not show how often the machine code repeats some accesses. The counts of these accesses
 * stay empty. The counts of all others do not.
 */
static void counts_that_the_assembler_decides_are_empty(void **state)
{
    static const char shared_loads[] =
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    static const char shared_stores[] =
        "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
    static const char loads[] = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    static const char atoms[] = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum";
    static const char shared_atoms[] = "smsp__inst_executed_op_shared_atom.sum";
#define TILE "__shared__ float tile[128]; tile[t] = 0; __syncthreads();"
    /*
     * Adding a float in shared memory takes a compare-and-swap, which a lane repeats if another
     * lane has changed the value.
     */
    struct counts c = run_cuda(
        *state,
        K "{" T TILE "atomicAdd(tile, 1.0f); __syncthreads(); out[t] = (unsigned)tile[0]; }", 90,
        out);
    assert_int_equal(out[5], 128);
    assert_true(isnan(counts_value(&c, shared_loads)) && isnan(counts_value(&c, shared_atoms)));
    assert_true(counts_value(&c, shared_stores) == 4);
    /* Adding an integer takes no loop. */
    c = run_cuda(*state,
                 K "{" T "__shared__ int sum; sum = 0; __syncthreads(); atomicAdd(&sum, 1);"
                   "__syncthreads(); out[t] = sum; }",
                 90, out);
    assert_int_equal(out[5], 128);
    assert_true(counts_value(&c, shared_loads) == 4 && counts_value(&c, shared_atoms) == 4);
    /* A 16-bit compare-and-swap is a loop over a compare-and-swap of the surrounding 32 bits. */
    c = run_cuda(*state, K "{" T "atomicCAS((unsigned short *)out, (unsigned short)t, 7); }", 90,
                 out);
    assert_true(isnan(counts_value(&c, loads)) && isnan(counts_value(&c, atoms)));
    /*
     * The halves of a warp reduce one after the other, so the stores after that may be one request
     * or two.
     */
#define HALVES(SYNC, MASK)                                                                         \
    K "{" T "__shared__ unsigned tile[128]; unsigned x = in[t], mask = " MASK ";"                  \
      "x = __reduce_add_sync(mask, x);" SYNC                                                       \
      "tile[t] = x; __syncthreads(); out[t] = tile[t ^ 1]; }"
    c = run_cuda(*state, HALVES("", "0xffffu << (t & 16)"), 90, out);
    assert_true(isnan(counts_value(&c, shared_stores)));
    assert_true(counts_value(&c, shared_loads) == 4 && counts_value(&c, loads) == 4);
    c = run_cuda(*state, HALVES("__syncwarp();", "0xffffu << (t & 16)"), 90, out);
    assert_true(counts_value(&c, shared_stores) == 4);
    c = run_cuda(*state, HALVES("", "0xffffffffu"), 90, out);
    assert_true(counts_value(&c, shared_stores) == 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lanes_exchange_by_their_masks, open_device, close_all),
        cmocka_unit_test_setup_teardown(features_that_kernels_use, open_device, close_all),
        cmocka_unit_test_setup_teardown(kernels_print_and_assert, open_device, close_all),
        cmocka_unit_test_setup_teardown(colliding_atomics_have_requests_only, open_device,
                                        close_all),
        cmocka_unit_test_setup_teardown(counts_that_the_assembler_decides_are_empty, open_device,
                                        close_all),
        cmocka_unit_test_setup_teardown(cuda_s_own_functions_are_known, open_device, close_all),
        cmocka_unit_test_setup_teardown(code_behind_several_tests_runs_once, open_device,
                                        close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
