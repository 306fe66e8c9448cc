// kernel: my_wide
// idea: none
// source: a test
// input: untouched
// uniform: yes
// workload: axis
// covers: BLOCK * ROW_LENGTH
// requires: INNER < 16
// blocks: multiple of 32
extern "C" __global__ void my_wide(element *input, element *output)
{
}
