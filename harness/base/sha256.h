/*
 * SHA-256 digests (FIPS 180-4), with which an HTML page states the only script and the only style
 * that it allows.
 */
#ifndef REDSWEEP_BASE_SHA256_H
#define REDSWEEP_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

/* Computes the digest of `length` bytes. */
void sha256(const void *bytes, size_t length, uint8_t digest[SHA256_BYTES]);

#endif
