/*
 * Kernels need only the type of a tensor map from the driver's header. The header's functions are
 * for the host.
 */
#ifndef REDSWEEP_HOST_CUDA_H
#define REDSWEEP_HOST_CUDA_H
typedef struct alignas(64) CUtensorMap_st {
    unsigned long long opaque[16];
} CUtensorMap;
#endif
