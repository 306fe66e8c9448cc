// kernel:     cub_rows_any
// idea:       the row-wise baseline for more types and operations:
//             cub::DeviceSegmentedReduce::Reduce of transformed elements, ArgMax and ArgMin;
//             mean_var and logsumexp reduce structures
// source:     CUDA Core Compute Libraries (CCCL), cub/device/device_segmented_reduce.cuh
// workload:   rows
// role:       peer
// library:    libredsweep_cub_rows_any.so
// covers:     ROW_LENGTH
// grid:       1
// workspace:  65536
// depth:      ceil_div(ROW_LENGTH, 256) + 64
// blocks:     multiple of 32
// types:      int32 float32 float16 bfloat16 int8
// ops:        all
// requires:   N < 2147483648
// parameters: input output size_t(N) workspace workspace_bytes size_t(ROW_LENGTH)
/*
 * CUB picks and launches its kernels on the host, so nvcc compiles this file (`make cub`). CUB also
 * picks the block size, so list just one in configs. Row offsets are computed rather than read from
 * memory.
 */
#include <cub/device/device_segmented_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "cub_operations.cuh"

namespace
{

using cub_operations::call;

struct row_begin {
    int length;
    __host__ __device__ int operator()(int row) const { return row * length; }
};

struct key_of {
    template <typename pair> __host__ __device__ int64_t operator()(const pair &p) const
    {
        return p.key;
    }
};

struct by_rows {
    static auto begins(const call &c)
    {
        return thrust::make_transform_iterator(thrust::counting_iterator<int>(0),
                                               row_begin{static_cast<int>(c.row_length)});
    }

    template <typename iterator, typename transform, typename combine, typename initial,
              typename results>
    static cudaError_t reduce(const call &c, iterator in, transform each, combine both,
                              initial first, results out)
    {
        size_t bytes = c.temporary_bytes;
        auto from = begins(c);
        return cub::DeviceSegmentedReduce::Reduce(
            c.temporary, bytes, thrust::make_transform_iterator(in, each), out,
            static_cast<int64_t>(c.n / c.row_length), from, from + 1, both, first, c.stream);
    }

    /* Stores the index of each row's extreme within the row. */
    template <typename element, bool is_max> static cudaError_t extreme(const call &c)
    {
        using cub::DeviceSegmentedReduce;
        const element *in = static_cast<const element *>(c.input);
        size_t bytes = c.temporary_bytes;
        cub_operations::finishing<cub::KeyValuePair<int, element>, key_of, int64_t> out = {
            static_cast<int64_t *>(c.output), key_of{}};
        auto from = begins(c);
        int64_t rows = static_cast<int64_t>(c.n / c.row_length);
        return is_max ? DeviceSegmentedReduce::ArgMax(c.temporary, bytes, in, out, rows, from,
                                                      from + 1, c.stream)
                      : DeviceSegmentedReduce::ArgMin(c.temporary, bytes, in, out, rows, from,
                                                      from + 1, c.stream);
    }
};

} // namespace

/*
 * Queues the reduction of n / row_length rows on `stream` and returns CUDA's status:
 * cudaErrorInvalidValue if CUB's temporary memory is too small. CUB launches one kernel.
 */
extern "C" int redsweep_cub_rows_any(int type, int op, const void *input, void *output, uint64_t n,
                                     void *temporary, size_t temporary_bytes, cudaStream_t stream,
                                     uint64_t row_length)
{
    call c = {input, output, n, row_length, temporary, temporary_bytes, stream};
    return cub_operations::reduce_typed<by_rows>(type, op, c);
}
