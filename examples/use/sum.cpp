// Sums an array of 1000 numbers on the GPU with a library of winners (docs/use-the-winner.md).
#include <cuda_runtime.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "redsweep_tuned.h"

struct gpu_free {
    void operator()(void *memory) const { cudaFree(memory); }
};

static void check(cudaError_t code)
{
    if (code != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(code));
}

static std::unique_ptr<std::int32_t, gpu_free> gpu_array(std::size_t count)
{
    void *memory;
    check(cudaMalloc(&memory, count * sizeof(std::int32_t)));
    return std::unique_ptr<std::int32_t, gpu_free>(static_cast<std::int32_t *>(memory));
}

int main()
try {
    const std::vector<std::int32_t> numbers(1000, 42);
    auto input = gpu_array(numbers.size()), sum = gpu_array(1);
    check(cudaMemcpy(input.get(), numbers.data(), numbers.size() * sizeof numbers[0], cudaMemcpyHostToDevice));
    redsweep_status status = redsweep_sum_i32(input.get(), numbers.size(), sum.get(), nullptr);
    if (status != REDSWEEP_SUCCESS)
        throw std::runtime_error(redsweep_error_text(status));
    std::int32_t result;
    check(cudaMemcpy(&result, sum.get(), sizeof result, cudaMemcpyDeviceToHost));
    std::cout << result << '\n'; // 42000
} catch (const std::exception &problem) {
    std::cerr << problem.what() << '\n';
    return 1;
}
