/* An image is a compiled kernel in the form that a device loads. */
#ifndef REDSWEEP_BASE_IMAGE_H
#define REDSWEEP_BASE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The form of an image. IMAGE_PTX_AND_CUBIN is used only in struct compile_target: it asks for PTX
 * and for the cubin that the assembler makes from it.
 */
enum image_kind { IMAGE_NONE, IMAGE_CUBIN, IMAGE_PTX, IMAGE_PTX_AND_CUBIN };

/* Which kind of image a device's load() needs. */
struct compile_target {
    enum image_kind kind;
    int cc; /* 90 for sm_90 (cubin) or compute_90 (PTX) */
};

struct image {
    enum image_kind kind;
    char entry[512]; /* the kernel's name in the image */
    /*
     * If not "", the image has no bytes, and this is the file name of a library whose host code
     * launches kernels of its own, such as CUB's (see host_code in devices/device.h).
     */
    char library[64];
    char *bytes;
    size_t length;
    /* The machine code, which follows the PTX in `bytes`. NULL if there is none. */
    const char *cubin;
    size_t cubin_length;
    uint8_t type, op; /* the variant's enum element_type and enum operation */
    bool from_cache;
    double compile_ms; /* how long making the bytes took; 0 if there are none */
    /* true if the kernel itself launches kernels, for which the device must be prepared */
    bool device_runtime;
    uint64_t key;
};

/* Frees the bytes of an image that the compiler made. */
void image_free(struct image *image);

#endif
