// kernel:   cpu_recursive
// idea:     adds interleaved pairs on a single CPU core: adds the second half to the first half
//           until one element is left; if the number is odd, the last element is carried over
// source:   Professional CUDA C Programming, ch. 3 (recursiveReduce)
// backend:  cpu
// result:   complete
// input:    in place
// covers:   N
// depth:    log2(N) + 1
// blocks:   1
// uniform:  no
#include "common.h"

static element halve(element *data, index_t n)
{
    if (n == 1)
        return data[0];
    index_t stride = n / 2;
    for (index_t i = 0; i < stride; i++)
        data[i] = combine(data[i], data[i + stride]);
    if (n % 2 != 0)
        data[stride] = data[n - 1];
    return halve(data, stride + n % 2);
}

void cpu_recursive(element *input, element *output, index_t n)
{
    output[0] = halve(input, n);
}
