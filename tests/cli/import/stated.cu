// This file states a block size, and a number with a similar name that is not a block size.
#define MOST_BLOCKS 96
#define THREADS 64

__global__ void stated(const int *x, int *out, int n)
{
    __shared__ int s[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    s[threadIdx.x % THREADS] = i < n ? x[i] : 0;
    __syncthreads();
    for (int k = THREADS / 2; k > 0; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = s[0];
}
