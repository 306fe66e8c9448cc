/*
 * Two reductions along the last dimension as PyTorch operators, by the library of `make tuned`.
 *
 *   torch.ops.redsweep.sum_last(x)         x.sum(-1, dtype=torch.float32)
 *   torch.ops.redsweep.logsumexp_last(x)   x.float().logsumexp(-1)
 *
 * x: contiguous, float32 or bfloat16, on a GPU, in its current stream, which may be captured into a
 * graph. The library must have been made of a run with these four functions. build.py compiles this.
 */
#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include "redsweep_tuned.h"

namespace
{

at::Tensor empty_result(const at::Tensor &x)
{
    TORCH_CHECK(x.dim() > 0, "redsweep: a tensor without dimensions has no rows");
    return at::empty(x.sizes().slice(0, x.dim() - 1), x.options().dtype(at::kFloat));
}

void check(redsweep_status status)
{
    TORCH_CHECK(status == REDSWEEP_SUCCESS, "redsweep: ", redsweep_error_text(status),
                status == REDSWEEP_ERROR_CUDA ? ": " : "",
                status == REDSWEEP_ERROR_CUDA ? cudaGetErrorString(redsweep_cuda_error()) : "");
}

using rows_f32 = redsweep_status(const float *, size_t, size_t, float *, cudaStream_t);
using rows_bf16 = redsweep_status(const uint16_t *, size_t, size_t, float *, cudaStream_t);

at::Tensor reduce_last(const at::Tensor &x, rows_f32 *single, rows_bf16 *half)
{
    const c10::cuda::CUDAGuard guard(x.device());
    const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
    TORCH_CHECK(x.is_contiguous(), "redsweep: the tensor is not contiguous");
    at::Tensor out = empty_result(x);
    const size_t rows = out.numel(), length = x.size(-1);
    float *to = out.mutable_data_ptr<float>();
    if (x.scalar_type() == at::kFloat)
        check(single(x.const_data_ptr<float>(), rows, length, to, stream));
    else if (x.scalar_type() == at::kBFloat16)
        check(half(static_cast<const uint16_t *>(x.const_data_ptr()), rows, length, to, stream));
    else
        TORCH_CHECK(false, "redsweep: expected float32 or bfloat16, not ", x.scalar_type());
    return out;
}

at::Tensor sum_last(const at::Tensor &x)
{
    return reduce_last(x, redsweep_rows_sum_f32, redsweep_rows_sum_bf16);
}

at::Tensor logsumexp_last(const at::Tensor &x)
{
    return reduce_last(x, redsweep_rows_logsumexp_f32, redsweep_rows_logsumexp_bf16);
}

} // namespace

TORCH_LIBRARY(redsweep, m)
{
    m.def("sum_last(Tensor x) -> Tensor");
    m.def("logsumexp_last(Tensor x) -> Tensor");
}

TORCH_LIBRARY_IMPL(redsweep, CUDA, m)
{
    m.impl("sum_last", sum_last);
    m.impl("logsumexp_last", logsumexp_last);
}

/* Shapes alone, for torch.compile. */
TORCH_LIBRARY_IMPL(redsweep, Meta, m)
{
    m.impl("sum_last", empty_result);
    m.impl("logsumexp_last", empty_result);
}
