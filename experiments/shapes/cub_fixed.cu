/*
 * CUB's segmented reductions with fixed-size segments (CCCL 3.1 and later), for bar.py:
 * nvcc -O3 -std=c++17 -arch=sm_90 -shared -Xcompiler -fPIC -I CCCL -o libcub_fixed.so cub_fixed.cu
 */
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda/execution.determinism.h>
#include <cuda/execution.require.h>
#include <cuda/stream_ref>
#include <cuda_bf16.h>
#include <thrust/iterator/transform_iterator.h>

struct moments {
    float mean, m2, count;
};
struct as_moments {
    __host__ __device__ moments operator()(__nv_bfloat16 x) const { return {__bfloat162float(x), 0, 1}; }
};
struct join {
    __host__ __device__ moments operator()(moments a, moments b) const
    {
        float count = a.count + b.count, delta = b.mean - a.mean, share = count > 0 ? b.count / count : 0;
        return {a.mean + delta * share, a.m2 + b.m2 + delta * delta * a.count * share, count};
    }
};
struct as_float {
    __host__ __device__ float operator()(__nv_bfloat16 x) const { return __bfloat162float(x); }
};

extern "C" int cub_rows_sum_f32(void *temporary, size_t *bytes, const float *input, float *output, int64_t rows,
                                int length, cudaStream_t stream)
{
    return cub::DeviceSegmentedReduce::Sum(temporary, *bytes, input, output, rows, length, stream);
}

extern "C" int cub_rows_sum_bf16(void *temporary, size_t *bytes, const __nv_bfloat16 *input, float *output,
                                 int64_t rows, int length, cudaStream_t stream)
{
    return cub::DeviceSegmentedReduce::Sum(temporary, *bytes, thrust::make_transform_iterator(input, as_float()),
                                           output, rows, length, stream);
}

/*
 * A result is an index and its value, in 8 bytes. The library and PyTorch write just an index, also
 * in 8 bytes.
 */
extern "C" int cub_rows_argmax_f32(void *temporary, size_t *bytes, const float *input,
                                   cuda::std::pair<int, float> *output, int64_t rows, int length, cudaStream_t stream)
{
    return cub::DeviceSegmentedReduce::ArgMax(temporary, *bytes, input, output, rows, length, stream);
}

/* A result is a row's three moments, in 12 bytes. The library and PyTorch write 8 bytes per row. */
extern "C" int cub_rows_mean_var_bf16(void *temporary, size_t *bytes, const __nv_bfloat16 *input, moments *output,
                                      int64_t rows, int length, cudaStream_t stream)
{
    return cub::DeviceSegmentedReduce::Reduce(temporary, *bytes, thrust::make_transform_iterator(input, as_moments()),
                                              output, rows, length, join(), moments{0, 0, 0}, stream);
}

/*
 * Sums a whole array. `promise` is what CUB guarantees about the bits: 0, the same on one GPU
 * (CUB's default); 1, nothing; 2, the same on every GPU. Each call allocates CUB's temporary memory
 * from the stream's pool.
 */
extern "C" int cub_array_sum_f32(int promise, const float *input, float *output, int64_t n, cudaStream_t stream)
{
    namespace ce = cuda::execution;
    cuda::stream_ref where{stream};
    auto call = [&](auto determinism) {
        return cub::DeviceReduce::Sum(input, output, n, cuda::std::execution::env{where, ce::require(determinism)});
    };
    return promise == 0   ? call(ce::determinism::run_to_run)
           : promise == 1 ? call(ce::determinism::not_guaranteed)
                          : call(ce::determinism::gpu_to_gpu);
}
