// kernel:     cub_rows
// idea:       the row-wise baseline: cub::DeviceSegmentedReduce as shipped with the toolkit
// source:     CUDA Core Compute Libraries (CCCL), cub/device/device_segmented_reduce.cuh
// workload:   rows
// role:       peer
// library:    libredsweep_cub_rows.so
// covers:     ROW_LENGTH
// grid:       1
// workspace:  65536
// depth:      ceil_div(ROW_LENGTH, 256) + 64
// blocks:     multiple of 32
// ops:        sum max min
// parameters: input output size_t(N) workspace workspace_bytes size_t(ROW_LENGTH)
/*
 * CUB picks and launches its kernels on the host, so nvcc compiles this file (`make cub`). CUB also
 * picks the block size, so list just one in configs. Row offsets are computed rather than read from
 * memory. For fewer than 2^31 elements, they are `int`, which is CUB's fastest path.
 */
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cstddef>
#include <cstdint>

namespace
{

/* Numbered as in harness/base/element.h. */
enum { INT32, UINT32, INT64, FLOAT32, FLOAT64 };
enum { SUM, MAX, MIN };

struct call {
    const void *input;
    void *output;
    uint64_t n, row_length;
    void *temporary;
    size_t temporary_bytes;
    cudaStream_t stream;
};

template <typename count> struct row_begin {
    count length;
    __host__ __device__ count operator()(count row) const { return row * length; }
};

template <typename element, typename count> cudaError_t reduce(int op, const call &c)
{
    const element *in = static_cast<const element *>(c.input);
    element *out = static_cast<element *>(c.output);
    size_t bytes = c.temporary_bytes;
    auto begins = thrust::make_transform_iterator(
        thrust::counting_iterator<count>(0), row_begin<count>{static_cast<count>(c.row_length)});
    auto ends = begins + 1;
    int64_t rows = static_cast<int64_t>(c.n / c.row_length);
    using cub::DeviceSegmentedReduce;
    switch (op) {
    case SUM:
        return DeviceSegmentedReduce::Sum(c.temporary, bytes, in, out, rows, begins, ends,
                                          c.stream);
    case MAX:
        return DeviceSegmentedReduce::Max(c.temporary, bytes, in, out, rows, begins, ends,
                                          c.stream);
    case MIN:
        return DeviceSegmentedReduce::Min(c.temporary, bytes, in, out, rows, begins, ends,
                                          c.stream);
    default:
        return cudaErrorNotSupported;
    }
}

template <typename element> cudaError_t reduce_any(int op, const call &c)
{
    return c.n <= 0x7fffffffu ? reduce<element, int>(op, c) : reduce<element, int64_t>(op, c);
}

} // namespace

/*
 * Queues the reduction of n / row_length rows on `stream` and returns CUDA's status:
 * cudaErrorInvalidValue if CUB's temporary memory is too small. CUB launches one kernel.
 */
extern "C" int redsweep_cub_rows(int type, int op, const void *input, void *output, uint64_t n,
                                 void *temporary, size_t temporary_bytes, cudaStream_t stream,
                                 uint64_t row_length)
{
    call c = {input, output, n, row_length, temporary, temporary_bytes, stream};
    switch (type) {
    case INT32:
        return reduce_any<int32_t>(op, c);
    case UINT32:
        return reduce_any<uint32_t>(op, c);
    case INT64:
        return reduce_any<int64_t>(op, c);
    case FLOAT32:
        return reduce_any<float>(op, c);
    case FLOAT64:
        return reduce_any<double>(op, c);
    default:
        return cudaErrorNotSupported;
    }
}
