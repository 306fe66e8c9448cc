/*
 * A compiled kernel, as a device loads it.
 */
#ifndef REDSWEEP_BASE_IMAGE_H
#define REDSWEEP_BASE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The last kind is only for a target: it asks for PTX together with the cubin that the assembler
 * makes of it. */
enum image_kind { IMAGE_NONE, IMAGE_CUBIN, IMAGE_PTX, IMAGE_PTX_AND_CUBIN };

/* What a device's load() needs. */
struct compile_target {
    enum image_kind kind;
    int cc; /* 90 for sm_90 (cubin) or compute_90 (PTX) */
};

struct image {
    enum image_kind kind;
    char entry[512];  /* the kernel's name in the image */
    char library[64]; /* if not "": a file of host code instead of bytes (device.h) */
    char *bytes;
    size_t length;
    const char *cubin; /* the machine code, after the PTX in the same bytes; NULL: none */
    size_t cubin_length;
    uint8_t type, op; /* of the variant: enum element_type, enum operation */
    bool from_cache;
    double compile_ms;   /* time that it took to make the bytes; 0: no bytes */
    bool device_runtime; /* the kernel launches kernels: the device must be prepared */
    uint64_t key;
};

/* Frees the bytes of an image that the compiler made. */
void image_free(struct image *image);

#endif
