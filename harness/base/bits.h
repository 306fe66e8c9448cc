/* Hashes a result's bits, to compare launches, configurations, devices and runs. */
#ifndef REDSWEEP_BASE_BITS_H
#define REDSWEEP_BASE_BITS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Returns the hash, which is never 0, because 0 stands for "not known". Equal results have equal
 * hashes on every device. Two different results have the same hash with a probability of 2^-64,
 * unless someone constructed a collision. Results that differ only in the bits of a NaN or in the
 * sign of a zero are different. kernels/support/result_bits.cu computes the same hash on a GPU.
 */
uint64_t result_bits(const void *result, size_t bytes);

#endif
