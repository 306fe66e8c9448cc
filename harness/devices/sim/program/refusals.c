/*
 * The table of instructions that the simulator does not support, with the CUDA features to which
 * they belong (also listed in harness/devices/sim/instructions.md). The error message names the
 * feature and the instruction.
 */
#include "devices/sim/program/decode.h"

#include <string.h>

const struct opcode_refusal refusals[] = {
    {"tex", "textures: tex1D(), tex2D(), cudaTextureObject_t"},
    {"tld4", "textures: tex2Dgather()"},
    {"suld", "surfaces: surf1Dread(), cudaSurfaceObject_t"},
    {"sust", "surfaces: surf1Dwrite(), cudaSurfaceObject_t"},
    {"wmma", "tensor cores: nvcuda::wmma"},
    {"mma", "tensor cores: mma.sync"},
    {"wgmma", "tensor cores: wgmma"},
    {"tcgen05", "tensor cores: tcgen05"},
    {"ldmatrix", "matrix loads for tensor cores"},
    {"stmatrix", "matrix stores for tensor cores"},
    {"vabsdiff4", "SIMD intrinsics on bytes: __vabsdiffu4(), __vsadu4()"},
    {"vabsdiff2", "SIMD intrinsics on 16-bit parts: __vabsdiffu2()"},
    {"vadd", "video instructions in inline PTX"},
    {"add.u16x2", "SIMD intrinsics on 16-bit parts: __vadd2()"},
    {"max.s16x2", "SIMD intrinsics on 16-bit parts: __vmaxs2()"},
    {"alloca", "alloca() and arrays of variable length"},
    {"stacksave", "alloca() and arrays of variable length"},
    {"multimem", "multicast memory of several GPUs"},
    {"cp.async.bulk.tensor", "tensor copies: cuda::ptx::cp_async_bulk_tensor()"},
    {"cp.reduce", "bulk copies that reduce: cuda::ptx::cp_reduce_async_bulk()"},
    {"setmaxnreg", "register reallocation between warps"},
    {"clusterlaunchcontrol", "cluster launch control"},
    {"pmevent", "profiler events: __prof_trigger()"},
    {NULL, NULL},
};

const char *refusal_in_cuda(struct slice opcode)
{
    for (const struct opcode_refusal *r = refusals; r->opcode; r++) {
        int length = (int)strlen(r->opcode);
        if (opcode.length >= length && memcmp(opcode.at, r->opcode, (size_t)length) == 0 &&
            (opcode.length == length || opcode.at[length] == '.'))
            return r->meaning;
    }
    return NULL;
}
