/* What kernels take from the driver's header: the type of a tensor map. Its functions are the host's. */
#ifndef REDSWEEP_HOST_CUDA_H
#define REDSWEEP_HOST_CUDA_H
typedef struct alignas(64) CUtensorMap_st {
    unsigned long long opaque[16];
} CUtensorMap;
#endif
