// kernel: my_tall
// idea: none
// source: a test
// input: untouched
// uniform: yes
// workload: rows
// covers: BLOCK * ROW_LENGTH
// blocks: multiple of 32
extern "C" __global__ void my_tall(element *input, element *output)
{
}
