/*
 * Sums of whole arrays with CUB's three levels of determinism (CCCL 3.5), for providers.py:
 * nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -I CCCL -o libcub_levels.so cub_levels.cu
 *
 * Each call to CUB allocates its temporary memory from the device's pool. begin() makes the pool keep it.
 */
#include <cub/device/device_reduce.cuh>
#include <cuda/std/execution>
#include <cuda/stream_ref>

namespace levels = cuda::execution::determinism;

extern "C" int begin(void)
{
    cudaMemPool_t pool;
    unsigned long long all = ~0ull;
    cudaError_t status = cudaDeviceGetDefaultMemPool(&pool, 0);
    return status != cudaSuccess ? status : cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all);
}

template <class LEVEL, class T>
static int sum(LEVEL level, const T *input, int64_t n, T *output, cudaStream_t stream)
{
    auto how = cuda::std::execution::env{cuda::stream_ref{stream}, cuda::execution::require(level)};
    return cub::DeviceReduce::Sum(input, output, n, how);
}

#define LEVEL(name, suffix, type)                                                                  \
    extern "C" int name##_sum_##suffix(const type *input, int64_t n, type *output, cudaStream_t stream) \
    {                                                                                              \
        return sum(levels::name, input, n, output, stream);                                        \
    }
LEVEL(not_guaranteed, f32, float)
LEVEL(run_to_run, f32, float)
LEVEL(gpu_to_gpu, f32, float)
LEVEL(not_guaranteed, f64, double)
LEVEL(run_to_run, f64, double)
LEVEL(gpu_to_gpu, f64, double)
