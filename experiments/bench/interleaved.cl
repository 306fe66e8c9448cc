/* experiments/bench/bench.sh runs this OpenCL version of kernels/book/interleaved.cu (int32 sums) on Oclgrind. */
__kernel void interleaved(__global int *input, __global int *output, uint n)
{
    uint tid = get_local_id(0), size = get_local_size(0);
    uint first = get_group_id(0) * size;
    uint here = n - first < size ? n - first : size;
    __global int *data = input + first;

    for (uint stride = 1u << (31 - clz(size - 1)); stride > 0; stride /= 2) {
        if (tid < stride && tid + stride < here)
            data[tid] += data[tid + stride];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (tid == 0)
        output[get_group_id(0)] = data[0];
}
