/*
 * Makes random access patterns from a seed, for device and host. A pattern says which lanes of a
 * warp access memory, and which element each of them accesses.
 */
#ifndef REDSWEEP_TESTS_KERNELS_ORACLE_PATTERN_H
#define REDSWEEP_TESTS_KERNELS_ORACLE_PATTERN_H

#ifdef __CUDACC__
#define PATTERN static __device__ __forceinline__
#else
#define PATTERN static inline
#endif

/* A warp makes PATTERN_STEPS accesses to elements 0 … PATTERN_SPAN - 1. */
enum { PATTERN_SPAN = 1024, PATTERN_STEPS = 8 };

/* the kinds of access in oracle_access.cu */
enum {
    ACCESS_OF_LOAD,
    ACCESS_OF_STORE,
    ACCESS_OF_REDUCTION,
    ACCESS_OF_ATOMIC,
    ACCESS_OF_SHARED_LOAD,
    ACCESS_OF_SHARED_STORE,
    ACCESS_OF_LOCAL,
    ACCESS_OF_COPY,
    ACCESS_OF_COPY_PAST_L1,
    ACCESS_OF_ANY_SHARED_LOAD, /* loads by any lanes from any addresses */
    ACCESS_OF_ANY_SHARED_STORE
};

/* How a lane determines its element. */
enum {
    SHAPE_LINEAR,   /* the element is first + lane · stride */
    SHAPE_PERMUTED, /* like SHAPE_LINEAR, with the lane number XORed with a constant */
    SHAPE_REVERSED, /* like SHAPE_LINEAR, in descending order */
    SHAPE_GROUPED,  /* lanes of a group of 2, 4, 8 or 16 share an element */
    SHAPE_RANDOM,
    SHAPES
};

struct pattern {
    unsigned shape, first, stride, change; /* `change`: an XOR mask, group size, or seed */
    unsigned lanes;                        /* the lanes that access an element */
};

PATTERN unsigned pattern_mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Returns pattern `step` of warp `warp` in a launch with n threads. If `apart`, the elements of
 * different lanes, of `bytes` bytes each, are at least 32 bytes apart. If `regular`, no element
 * is random, and every lane accesses one. */
PATTERN struct pattern pattern_make(unsigned n, unsigned warp, unsigned step, int apart,
                                    int regular, unsigned bytes)
{
    unsigned x = pattern_mix(n * 0x9e3779b9u + warp * 0x85ebca6bu + step), y = pattern_mix(x);
    struct pattern p;
    p.shape = x % (regular ? SHAPE_RANDOM : SHAPES);
    p.stride = (x >> 8) % 30;
    p.first = (x >> 16) % 64;
    if (apart) {
        p.shape = x % SHAPE_GROUPED;
        p.stride = 32 / bytes + (x >> 8) % 20;
    }
    p.change = p.shape == SHAPE_GROUPED ? 2u << (y & 3) : p.shape == SHAPE_RANDOM ? y : y & 31;
    switch (regular ? 0 : y >> 8 & 7) {
    case 0:
    case 1:
    case 2:
        p.lanes = 0xffffffffu;
        break;
    case 3:
        p.lanes = 0xffffffffu >> (y >> 16 & 31); /* the first lanes */
        break;
    case 4:
        p.lanes = 0x55555555u << (y >> 16 & 1); /* every second lane */
        break;
    case 5:
        p.lanes = 1u << (y >> 16 & 31); /* one lane */
        break;
    case 6:
        p.lanes = pattern_mix(y);
        break;
    default:
        p.lanes = y >> 16 & 1 ? 0xffff0000u : 0; /* half of the lanes, or no lane */
    }
    return p;
}

PATTERN unsigned pattern_element(struct pattern p, unsigned lane)
{
    switch (p.shape) {
    case SHAPE_LINEAR:
        return p.first + lane * p.stride;
    case SHAPE_PERMUTED:
        return p.first + (lane ^ p.change) * p.stride;
    case SHAPE_REVERSED:
        return p.first + (31 - lane) * p.stride;
    case SHAPE_GROUPED:
        return p.first + lane / p.change * p.stride;
    default:
        return pattern_mix(p.change + lane) % PATTERN_SPAN;
    }
}

/* Returns the bits that determine thread t's path in oracle_paths.cu. */
PATTERN unsigned pattern_bits(unsigned n, unsigned t)
{
    return pattern_mix(n * 0xc2b2ae35u + t);
}

#endif
