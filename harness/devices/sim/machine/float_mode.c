/*
 * Executes lane operations with .rz, .rm, .rp, .ftz or .sat.
 *
 * .ftz flushes subnormal f32 and f64 sources and results to zeros of the same sign. .sat clamps a
 * result to [0, 1] and turns NaN into zero (PTX ISA 9.0, 9.7.3). The lane function is called as
 * usual, but with flushed copies of its operands, and while the CPU is in the required rounding
 * mode.
 */
#include "devices/sim/machine/machine.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* Replaces subnormal values of `bytes` bytes in the lanes of `exec` by zeros of the same sign. */
static void flush_lanes(void *values, unsigned bytes, uint32_t exec)
{
    uint32_t *narrow = values;
    uint64_t *wide = values;
    for (int lane = 0; lane < LANES; lane++) {
        if (!(exec >> lane & 1))
            continue;
        if (bytes == 4 && !(narrow[lane] & 0x7f800000))
            narrow[lane] &= 0x80000000;
        if (bytes == 8 && !(wide[lane] & 0x7ff0000000000000))
            wide[lane] &= 0x8000000000000000;
    }
}

static uint32_t clamp_half(uint32_t h)
{
    bool nan = (h & 0x7fff) > 0x7c00;
    return nan || h & 0x8000 ? 0 : h > 0x3c00 ? 0x3c00 : h;
}

static void clamp_lanes(void *values, unsigned kind, uint32_t exec)
{
    uint32_t *narrow = values;
    float *floats = values;
    double *doubles = values;
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (kind == CLAMP_PACKED)
            narrow[lane] = clamp_half(narrow[lane] & 0xffff) | clamp_half(narrow[lane] >> 16) << 16;
        else if (kind == 2)
            narrow[lane] = clamp_half(narrow[lane] & 0xffff);
        else if (kind == 4)
            floats[lane] = !(floats[lane] > 0) ? 0 : floats[lane] > 1 ? 1 : floats[lane];
        else
            doubles[lane] = !(doubles[lane] > 0) ? 0 : doubles[lane] > 1 ? 1 : doubles[lane];
    }
}

void run_float(struct warp *warp, const struct instruction *i, uint32_t exec)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    enum { SLOT = LANES * 8 };
    _Alignas(64) uint8_t scratch[3 * SLOT];
    struct lane_operands o = i->o;
    slot_reference *sources[] = {&o.a, &o.b, &o.c};
    unsigned bytes = i->source_bytes;
    for (unsigned k = 0; k < 3; k++) {
        if (!(i->flush >> k & 1))
            continue;
        memcpy(scratch + k * SLOT, slot_at(warp->base, *sources[k]), (size_t)LANES * bytes);
        flush_lanes(scratch + k * SLOT, bytes, 0xffffffffu);
        *sources[k] = k * SLOT | AREA_SCRATCH;
    }
    warp->base[AREA_SCRATCH] = scratch;
    if (i->rounding) {
        int before = fegetround();
        fesetround(modes[i->rounding]);
        i->run(warp->base, &o, exec);
        fesetround(before);
    } else {
        i->run(warp->base, &o, exec);
    }
    if (i->flush_result)
        flush_lanes(slot_at(warp->base, i->o.d), i->bytes, exec);
    if (i->clamp)
        clamp_lanes(slot_at(warp->base, i->o.d), i->clamp, exec);
}
