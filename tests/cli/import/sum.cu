// This is the algorithm of Mark Harris' reduce6 (Optimizing Parallel Reduction in CUDA, 2007), with
// the headers and host code that such a file usually contains.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status = call;                                                                 \
        if (status != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

template <class T, unsigned int block_size, bool is_power_of_two>
__global__ void reduce6(T *g_idata, T *g_odata, unsigned int n)
{
    extern __shared__ __align__(sizeof(double)) unsigned char memory[];
    T *sdata = reinterpret_cast<T *>(memory);
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * block_size * 2 + threadIdx.x;
    T mine = 0;
    while (i < n) {
        mine += g_idata[i];
        if (is_power_of_two || i + block_size < n)
            mine += g_idata[i + block_size];
        i += block_size * 2 * gridDim.x;
    }
    sdata[tid] = mine;
    __syncthreads();
    for (unsigned int s = block_size / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}

// This kernel does not check the size, so it is right only for whole blocks. It works in place.
__global__ void in_place(float *data, float *result)
{
    float *mine = data + blockIdx.x * blockDim.x;
    for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            mine[threadIdx.x] += mine[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        result[blockIdx.x] = mine[0];
}

__global__ void atomics(const int *x, int *sum, int n, int scale)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(sum, scale * x[i]);
}

// The size of this kernel's input is a constant.
const int count = 4096;
__global__ void fixed(const float *x, float *sum)
{
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        mine += x[i];
    atomicAdd(sum, mine);
}

// This kernel does not compute the sum of its elements.
__global__ void wrong(const int *x, int *out, int n)
{
    if (blockIdx.x * blockDim.x + threadIdx.x < n)
        out[blockIdx.x] = x[0];
}

static float host_sum(const std::vector<float> &values)
{
    float sum = 0;
    for (float value : values)
        sum += value;
    return sum;
}

int main(int argc, char **argv)
{
    const unsigned n = 1 << 20, threads = 256, blocks = 64;
    std::vector<float> values(n, 1.0f), partial(blocks);
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, blocks * sizeof(float)));
    CHECK(cudaMemcpy(in, values.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    reduce6<float, threads, true><<<blocks, threads, threads * sizeof(float)>>>(in, out, n);
    CHECK(cudaMemcpy(partial.data(), out, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%f %f\n", host_sum(values), host_sum(partial));
    return 0;
}
