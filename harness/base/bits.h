/*
 * A hash of a result's bits, by which launches, configurations, devices and runs are compared.
 */
#ifndef REDSWEEP_BASE_BITS_H
#define REDSWEEP_BASE_BITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Never 0, which stands for "not known". Equal results have equal hashes on every device; two
 * different ones have the same with a probability of 2^-64, not counting results that somebody made
 * to collide. A NaN counts by its bits, and so do zeros by their sign. kernels/support/result_bits.cu
 * computes the same on a GPU.
 */
uint64_t result_bits(const void *result, size_t bytes);

#endif
