/*
 * SHA-256 digests (FIPS 180-4). The content security policy of an HTML report uses them to allow
 * only the report's own script and style.
 */
#ifndef REDSWEEP_BASE_SHA256_H
#define REDSWEEP_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

/* Computes the digest of `length` bytes. */
void sha256(const void *bytes, size_t length, uint8_t digest[SHA256_BYTES]);

#endif
