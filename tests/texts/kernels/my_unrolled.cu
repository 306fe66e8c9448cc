// kernel: my_unrolled
// idea: none
// source: a test
// input: untouched
// uniform: yes
// result: partial
// covers: BLOCK * UNROLL
// blocks: power of two
// unroll: 2 4 8
extern "C" __global__ void my_unrolled(element *input, element *output)
{
}
