// kernel: my_ticket
// idea: none
// source: a test
// input: untouched
// uniform: yes
// result: complete
// covers: BLOCK * LOADS
// blocks: multiple of 32
// constant: BLOCK
// tunable: LOADS 4 1 2
// tunable: POLICY 0 1
// requires: BLOCK * LOADS <= 1024
// workspace: 8 * GRID
// shared: BLOCK * SIZEOF
// depth: log2(BLOCK) + LOADS + GRID
extern "C" __global__ void my_ticket(element *input, element *output)
{
}
