/*
 * Declares the parts of DLPack 1.3 (https://dmlc.github.io/dlpack) that the Python module uses: a
 * tensor, a capsule's content, and the C functions that a tensor library can offer besides its
 * Python methods.
 */
#ifndef REDSWEEP_TUNED_DLPACK_H
#define REDSWEEP_TUNED_DLPACK_H

#include <stdint.h>

enum { DL_CUDA = 2, DL_CUDA_MANAGED = 13 };                  /* device kinds */
enum { DL_INT, DL_UINT, DL_FLOAT, DL_BFLOAT = 4, DL_CODES }; /* type kinds */
enum { DL_MAJOR = 1 };

struct dl_device {
    int32_t type, id;
};

struct dl_type {
    uint8_t code, bits;
    uint16_t lanes;
};

struct dl_tensor {
    void *data;
    struct dl_device device;
    int32_t ndim;
    struct dl_type type;
    int64_t *shape, *strides; /* strides in elements; NULL if compact */
    uint64_t byte_offset;
};

/* The content of a capsule named "dltensor". */
struct dl_managed {
    struct dl_tensor tensor;
    void *context;
    void (*deleter)(struct dl_managed *self);
};

/* A managed tensor with a version, as returned by the functions below. */
struct dl_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct dl_versioned *self);
    uint64_t flags;
    struct dl_tensor tensor;
};

/*
 * The content of a capsule named "dlpack_exchange_api", a type's __dlpack_c_exchange_api__. Its
 * functions do not wait for a stream.
 */
struct dl_exchange {
    uint32_t major, minor;
    struct dl_exchange *older;
    int (*allocate)(struct dl_tensor *like, struct dl_versioned **out, void *context,
                    void (*fail)(void *context, const char *kind, const char *message));
    int (*export)(void *object, struct dl_versioned **out);
    int (*import)(struct dl_versioned *tensor, void **object);
    int (*view)(void *object, struct dl_tensor *out); /* may be NULL */
    int (*current_stream)(int device_type, int32_t device, void **stream);
};

#endif
