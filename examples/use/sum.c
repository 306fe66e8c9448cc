/* Sums an array of 2^24 numbers on the GPU with a library of winners (docs/use-the-winner.md). */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "redsweep_tuned.h"

static void check(cudaError_t code, const char *what)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
        exit(1);
    }
}

int main(void)
{
    enum { N = 1 << 24 };
    int32_t *numbers, *sum, result;
    check(cudaMalloc((void **)&numbers, N * sizeof *numbers), "numbers");
    check(cudaMalloc((void **)&sum, sizeof *sum), "sum");
    check(cudaMemset(numbers, 1, N * sizeof *numbers), "fill"); /* each is 0x01010101 */

    redsweep_status status = redsweep_sum_i32(numbers, N, sum, NULL);
    if (status != REDSWEEP_SUCCESS) {
        fprintf(stderr, "redsweep_sum_i32: %s\n", redsweep_error_text(status));
        return 1;
    }
    check(cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost), "result");
    printf("%u\n", (unsigned)result); /* 2^24 times 0x01010101, modulo 2^32: 16777216 */
    cudaFree(sum);
    cudaFree(numbers);
    return 0;
}
