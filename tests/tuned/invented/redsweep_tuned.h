/*
 * The header of a made-up library for test_calls.c, in the form that harness/tuned/write_header.c
 * writes.
 */
#ifndef REDSWEEP_TUNED_H
#define REDSWEEP_TUNED_H

#include <stddef.h>
#include <stdint.h>

#include <cuda_runtime_api.h>

typedef enum redsweep_status {
    REDSWEEP_SUCCESS = 0,
    REDSWEEP_ERROR_POINTER = 1,
    REDSWEEP_ERROR_ALIGNMENT = 2,
    REDSWEEP_ERROR_SIZE = 3,
    REDSWEEP_ERROR_DEVICE = 4,
    REDSWEEP_ERROR_SHAPE = 5,
    REDSWEEP_ERROR_MEMORY = 6,
    REDSWEEP_ERROR_BUSY = 7,
    REDSWEEP_ERROR_CUDA = 8
} redsweep_status;

const char *redsweep_error_text(redsweep_status status);
cudaError_t redsweep_cuda_error(void);
redsweep_status redsweep_release(void);

redsweep_status redsweep_sum_i8(const int8_t *input, size_t n, int32_t *output,
                                cudaStream_t stream);
redsweep_status redsweep_mean_var_f64(const double *input, size_t n, double *output,
                                      cudaStream_t stream);
redsweep_status redsweep_dot_f32(const float *input, const float *second, size_t n, float *output,
                                 cudaStream_t stream);
redsweep_status redsweep_rows_mean_var_f64(const double *input, size_t rows, size_t row_length,
                                           double *output, cudaStream_t stream);
redsweep_status redsweep_rows_argmax_bf16(const uint16_t *input, size_t rows, size_t row_length,
                                          int64_t *output, cudaStream_t stream);
redsweep_status redsweep_rows_max_u64(const uint64_t *input, size_t rows, size_t row_length,
                                      uint64_t *output, cudaStream_t stream);
redsweep_status redsweep_rows_dot_i32(const int32_t *input, const int32_t *second, size_t rows,
                                      size_t row_length, int32_t *output, cudaStream_t stream);
redsweep_status redsweep_axis_max_u64(const uint64_t *input, size_t outer, size_t length,
                                      size_t inner, uint64_t *output, cudaStream_t stream);
redsweep_status redsweep_axis_dot_i32(const int32_t *input, const int32_t *second, size_t outer,
                                      size_t length, size_t inner, int32_t *output,
                                      cudaStream_t stream);

#define REDSWEEP_TUNED_ARRAYS(X)                                                                   \
    X(sum_i8, redsweep_sum_i8, int8, sum, int8_t, int32_t)                                         \
    X(mean_var_f64, redsweep_mean_var_f64, float64, mean_var, double, double)
#define REDSWEEP_TUNED_PAIRS(X) X(dot_f32, redsweep_dot_f32, float32, dot, float, float)
#define REDSWEEP_TUNED_ROWS(X)                                                                     \
    X(rows_mean_var_f64, redsweep_rows_mean_var_f64, float64, mean_var, double, double)            \
    X(rows_argmax_bf16, redsweep_rows_argmax_bf16, bfloat16, argmax, uint16_t, int64_t)            \
    X(rows_max_u64, redsweep_rows_max_u64, uint64, max, uint64_t, uint64_t)
#define REDSWEEP_TUNED_ROW_PAIRS(X)                                                                \
    X(rows_dot_i32, redsweep_rows_dot_i32, int32, dot, int32_t, int32_t)
#define REDSWEEP_TUNED_AXES(X)                                                                     \
    X(axis_max_u64, redsweep_axis_max_u64, uint64, max, uint64_t, uint64_t)
#define REDSWEEP_TUNED_AXIS_PAIRS(X)                                                               \
    X(axis_dot_i32, redsweep_axis_dot_i32, int32, dot, int32_t, int32_t)

#endif
