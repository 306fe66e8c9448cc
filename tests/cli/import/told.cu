// This file has host types that stay in the extracted text, a size of type std::size_t, and an
// output with an unclear name before an input with a clear one. It also has a template argument
// that only the launch shows, and a kernel that runs only with small blocks.
#include <cstddef>
#include <ctime>
#include <sys/time.h>

struct stopwatch {
    struct timespec begin;
    struct timeval end;
};

template <int BlockSize, int Each> __global__ void told(int *most, int *input, std::size_t n)
{
    __shared__ int s[BlockSize];
    std::size_t first = (std::size_t)blockIdx.x * BlockSize * Each + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < Each; k++)
        sum += first + k * BlockSize < n ? input[first + k * BlockSize] : 0;
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int k = BlockSize / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        most[blockIdx.x] = s[0];
}

template <int BlockSize> __global__ void narrow(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int i = blockIdx.x * BlockSize + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 1; k < BlockSize; k++)
            s[0] += s[k];
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}

int main()
{
    int *out = nullptr, *in = nullptr;
    narrow<64><<<1, 64>>>(in, out, 64);
    told<256, 12><<<1, 256>>>(out, in, 3072);
    return 0;
}
