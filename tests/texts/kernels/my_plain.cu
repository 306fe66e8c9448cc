// kernel: my_plain
// idea: none
// source: a test
// input: untouched
// uniform: yes
// result: partial
// covers: BLOCK
// blocks: multiple of 32
extern "C" __global__ void my_plain(element *input, element *output)
{
}
