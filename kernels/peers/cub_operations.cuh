/*
 * The element types and operations in the form that CUB expects. cub_any.cu and cub_rows_any.cu include this
 * header and call CUB. (cub.cu and cub_rows.cu keep their own switches for operations without a transformation,
 * because recorded runs contain their hashes.)
 *
 * An operation consists of a transformation of each element, a combination with its identity, and a
 * transformation of the total as it is written. Half types are summed in float and int8 in int; their extremes
 * are compared without conversion.
 */
#ifndef REDSWEEP_KERNELS_CUB_OPERATIONS_CUH
#define REDSWEEP_KERNELS_CUB_OPERATIONS_CUH

#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace cub_operations
{

/* Numbered as in harness/base/element.def. */
enum { INT32, UINT32, INT64, FLOAT32, FLOAT64, FLOAT16, BFLOAT16, INT8 };
enum { SUM, MAX, MIN, PROD, ARGMAX, ARGMIN, SUMSQ, NORM2, DOT, MEAN_VAR, LOGSUMEXP };

struct call {
    const void *input;
    void *output;
    uint64_t n, row_length; /* row_length: row-wise kernels only */
    void *temporary;
    size_t temporary_bytes;
    cudaStream_t stream;
};

template <typename element> struct value_of {
    using type = element;
};
template <> struct value_of<__half> {
    using type = float;
};
template <> struct value_of<__nv_bfloat16> {
    using type = float;
};
template <> struct value_of<int8_t> {
    using type = int;
};

/* ---- Transformations of elements ------------------------------------------------------------------ */

template <typename value> struct moments {
    value mean, m2;
    unsigned long long count;
};

template <typename value> struct exponents {
    value max, sum;
};

template <typename value> struct as_value {
    template <typename element> __host__ __device__ value operator()(element x) const
    {
        return static_cast<value>(x);
    }
};

template <typename value> struct as_square {
    template <typename element> __host__ __device__ value operator()(element x) const
    {
        return static_cast<value>(x) * static_cast<value>(x);
    }
};

template <typename value> struct as_product {
    template <typename pair> __host__ __device__ value operator()(const pair &p) const
    {
        return static_cast<value>(thrust::get<0>(p)) * static_cast<value>(thrust::get<1>(p));
    }
};

template <typename value> struct as_moments {
    template <typename element> __host__ __device__ moments<value> operator()(element x) const
    {
        return {static_cast<value>(x), 0, 1};
    }
};

template <typename value> struct as_exponents {
    template <typename element> __host__ __device__ exponents<value> operator()(element x) const
    {
        return {static_cast<value>(x), 1};
    }
};

/* ---- Combinations -------------------------------------------------------------------------------- */

struct join_moments { /* see Chan, Golub and LeVeque (1979) */
    template <typename value>
    __host__ __device__ moments<value> operator()(const moments<value> &a,
                                                  const moments<value> &b) const
    {
        if (a.count == 0 || b.count == 0)
            return a.count == 0 ? b : a;
        unsigned long long count = a.count + b.count;
        value delta = b.mean - a.mean;
        value share = static_cast<value>(b.count) / static_cast<value>(count);
        return {a.mean + delta * share,
                a.m2 + b.m2 + delta * delta * (static_cast<value>(a.count) * share), count};
    }
};

struct join_exponents {
    template <typename value>
    __host__ __device__ exponents<value> operator()(const exponents<value> &a,
                                                    const exponents<value> &b) const
    {
        value max = a.max > b.max ? a.max : b.max;
        return {max, a.sum * scaled(a.max, max) + b.sum * scaled(b.max, max)};
    }
    template <typename value> static __host__ __device__ value scaled(value x, value max)
    {
        return x == max ? value(1) : static_cast<value>(exp(x - max));
    }
};

/* ---- Transformations of totals -------------------------------------------------------------------- */

template <typename value> struct mean_and_variance {
    value mean, variance;
};

struct root {
    template <typename value> __host__ __device__ value operator()(value x) const
    {
        return static_cast<value>(sqrt(x));
    }
};

struct variance_of {
    template <typename value>
    __host__ __device__ mean_and_variance<value> operator()(const moments<value> &a) const
    {
        return {a.mean, a.m2 / (static_cast<value>(a.count) - 1)}; /* NaN for one element */
    }
};

struct logarithm_of {
    template <typename value> __host__ __device__ value operator()(const exponents<value> &a) const
    {
        return a.max + static_cast<value>(log(a.sum));
    }
};

/*
 * An output iterator that stores last(total) for each total assigned to it. Its value_type is that of totals,
 * which CUB needs to know and thrust's transform_output_iterator does not provide.
 */
template <typename total, typename finish, typename result> struct finishing {
    using iterator_category = std::random_access_iterator_tag;
    using value_type = total;
    using difference_type = ptrdiff_t;
    using pointer = total *;
    struct reference {
        result *at;
        finish last;
        __host__ __device__ const reference &operator=(const total &x) const
        {
            *at = last(x);
            return *this;
        }
    };

    result *out;
    finish last;
    __host__ __device__ reference operator*() const { return {out, last}; }
    __host__ __device__ reference operator[](ptrdiff_t i) const { return {out + i, last}; }
    __host__ __device__ finishing operator+(ptrdiff_t i) const { return {out + i, last}; }
    __host__ __device__ finishing &operator+=(ptrdiff_t i)
    {
        out += i;
        return *this;
    }
};

/* ---- The switch over types and operations --------------------------------------------------------- */

/* The second vector begins at the first multiple of 256 bytes at or after the end of the first vector (docs/kernels.md). */
template <typename element> const element *second_vector(const call &c)
{
    size_t bytes = (c.n * sizeof(element) + 255) / 256 * 256;
    return static_cast<const element *>(c.input) + bytes / sizeof(element);
}

/*
 * `how` has two functions that queue work into c.stream:
 *   reduce(call, in, each, both, first, out)   reduces the elements at `in`
 *   extreme<element, is_max>(call)             finds the index of the first extreme
 */
template <typename how, typename iterator, typename transform, typename combine, typename initial,
          typename finish, typename result>
cudaError_t reduce_by(const call &c, iterator in, transform each, combine both, initial first,
                      finish last, result *)
{
    finishing<initial, finish, result> out = {static_cast<result *>(c.output), last};
    return how::reduce(c, in, each, both, first, out);
}

template <typename how, typename element> cudaError_t reduce_reals(int op, const call &c)
{
    using value = typename value_of<element>::type;
    const element *in = static_cast<const element *>(c.input);
    value *number = nullptr;
    const value lowest = -cuda::std::numeric_limits<value>::infinity();
    switch (op) {
    case NORM2:
        return reduce_by<how>(c, in, as_square<value>{}, cuda::std::plus<>{}, value(0), root{},
                              number);
    case MEAN_VAR:
        return reduce_by<how>(c, in, as_moments<value>{}, join_moments{}, moments<value>{0, 0, 0},
                              variance_of{}, static_cast<mean_and_variance<value> *>(nullptr));
    case LOGSUMEXP:
        return reduce_by<how>(c, in, as_exponents<value>{}, join_exponents{},
                              exponents<value>{lowest, 0}, logarithm_of{}, number);
    default:
        return cudaErrorNotSupported;
    }
}

template <typename how, typename element> cudaError_t reduce_any(int op, const call &c)
{
    using value = typename value_of<element>::type;
    using limits = cuda::std::numeric_limits<element>;
    const element *in = static_cast<const element *>(c.input);
    value *number = nullptr;
    const as_value<value> same;
    switch (op) {
    case SUM:
        return reduce_by<how>(c, in, same, cuda::std::plus<>{}, value(0), same, number);
    case PROD:
        return reduce_by<how>(c, in, same, cuda::std::multiplies<>{}, value(1), same, number);
    case MAX:
        return reduce_by<how>(c, in, cuda::std::identity{}, cuda::maximum<>{}, limits::lowest(),
                              same, number);
    case MIN:
        return reduce_by<how>(c, in, cuda::std::identity{}, cuda::minimum<>{}, limits::max(), same,
                              number);
    case ARGMAX:
        return how::template extreme<element, true>(c);
    case ARGMIN:
        return how::template extreme<element, false>(c);
    case SUMSQ:
        return reduce_by<how>(c, in, as_square<value>{}, cuda::std::plus<>{}, value(0), same,
                              number);
    case DOT:
        return reduce_by<how>(c, thrust::make_zip_iterator(in, second_vector<element>(c)),
                              as_product<value>{}, cuda::std::plus<>{}, value(0), same, number);
    default:
        return cudaErrorNotSupported;
    }
}

template <typename how, typename element> cudaError_t reduce_float(int op, const call &c)
{
    return op == NORM2 || op == MEAN_VAR || op == LOGSUMEXP ? reduce_reals<how, element>(op, c)
                                                            : reduce_any<how, element>(op, c);
}

template <typename how> cudaError_t reduce_typed(int type, int op, const call &c)
{
    switch (type) {
    case INT32:
        return reduce_any<how, int32_t>(op, c);
    case FLOAT32:
        return reduce_float<how, float>(op, c);
    case FLOAT16:
        return reduce_float<how, __half>(op, c);
    case BFLOAT16:
        return reduce_float<how, __nv_bfloat16>(op, c);
    case INT8:
        return reduce_any<how, int8_t>(op, c);
    default:
        return cudaErrorNotSupported;
    }
}

} // namespace cub_operations

#endif
