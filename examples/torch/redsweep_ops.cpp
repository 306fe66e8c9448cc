/*
 * Defines two reductions over any one dimension as PyTorch operators, with the library of `make
 * tuned`:
 *
 *   torch.ops.redsweep.sum(x, dim)         x.sum(dim, dtype=torch.float32)
 *   torch.ops.redsweep.logsumexp(x, dim)   x.float().logsumexp(dim)
 *
 * x must be contiguous, of type float32 or bfloat16, and on a GPU. The operators use the GPU's
 * current stream, which may be captured into a graph. The library must have been made from runs
 * that measured both operations for both types, along rows and over an axis; reductions of the last
 * dimension are along rows. build.py compiles this file.
 */
#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include <vector>

#include "redsweep_tuned.h"

namespace
{

/* A tensor as an array (outer, length, inner). Its dimension `length` is reduced. */
struct shape {
    size_t outer, length, inner;
};

shape shape_of(const at::Tensor &x, int64_t dim)
{
    shape s = {1, static_cast<size_t>(x.size(dim)), 1};
    for (int64_t i = 0; i < dim; i++)
        s.outer *= x.size(i);
    for (int64_t i = dim + 1; i < x.dim(); i++)
        s.inner *= x.size(i);
    return s;
}

int64_t checked_dim(const at::Tensor &x, int64_t dim)
{
    TORCH_CHECK(x.dim() > 0, "redsweep: a tensor without dimensions has none to reduce");
    TORCH_CHECK(dim >= -x.dim() && dim < x.dim(), "redsweep: dimension ", dim, " of a tensor of ", x.dim());
    return dim < 0 ? dim + x.dim() : dim;
}

at::Tensor empty_result(const at::Tensor &x, int64_t dim)
{
    std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end());
    sizes.erase(sizes.begin() + checked_dim(x, dim));
    return at::empty(sizes, x.options().dtype(at::kFloat));
}

void check(redsweep_status status)
{
    TORCH_CHECK(status == REDSWEEP_SUCCESS, "redsweep: ", redsweep_error_text(status),
                status == REDSWEEP_ERROR_CUDA ? ": " : "",
                status == REDSWEEP_ERROR_CUDA ? cudaGetErrorString(redsweep_cuda_error()) : "");
}

using axis_f32 = redsweep_status(const float *, size_t, size_t, size_t, float *, cudaStream_t);
using axis_bf16 = redsweep_status(const uint16_t *, size_t, size_t, size_t, float *, cudaStream_t);

at::Tensor reduce(const at::Tensor &x, int64_t dim, axis_f32 *single, axis_bf16 *half)
{
    const c10::cuda::CUDAGuard guard(x.device());
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    TORCH_CHECK(x.is_contiguous(), "redsweep: the tensor is not contiguous");
    at::Tensor out = empty_result(x, dim);
    const shape s = shape_of(x, checked_dim(x, dim));
    float *to = out.mutable_data_ptr<float>();
    if (x.scalar_type() == at::kFloat)
        check(single(x.const_data_ptr<float>(), s.outer, s.length, s.inner, to, stream));
    else if (x.scalar_type() == at::kBFloat16)
        check(half(static_cast<const uint16_t *>(x.const_data_ptr()), s.outer, s.length, s.inner, to, stream));
    else
        TORCH_CHECK(false, "redsweep: expected float32 or bfloat16, not ", x.scalar_type());
    return out;
}

at::Tensor sum(const at::Tensor &x, int64_t dim)
{
    return reduce(x, dim, redsweep_axis_sum_f32, redsweep_axis_sum_bf16);
}

at::Tensor logsumexp(const at::Tensor &x, int64_t dim)
{
    return reduce(x, dim, redsweep_axis_logsumexp_f32, redsweep_axis_logsumexp_bf16);
}

} // namespace

TORCH_LIBRARY(redsweep, m)
{
    m.def("sum(Tensor x, int dim) -> Tensor");
    m.def("logsumexp(Tensor x, int dim) -> Tensor");
}

TORCH_LIBRARY_IMPL(redsweep, CUDA, m)
{
    m.impl("sum", sum);
    m.impl("logsumexp", logsumexp);
}

/* These functions compute only the shape of the result, for torch.compile. */
TORCH_LIBRARY_IMPL(redsweep, Meta, m)
{
    m.impl("sum", empty_result);
    m.impl("logsumexp", empty_result);
}
