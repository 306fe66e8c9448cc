// kernel:   cpu_loop
// idea:     one pass over the input on a single CPU core
// source:   Professional CUDA C Programming, ch. 3
// backend:  cpu
// result:   complete
// input:    untouched
// covers:   N
// depth:    N
// blocks:   1
// uniform:  no
#include "common.h"

void cpu_loop(element *input, element *output, index_t n)
{
    element sum = input[0];
    for (index_t i = 1; i < n; i++)
        sum = combine(sum, input[i]);
    output[0] = sum;
}
