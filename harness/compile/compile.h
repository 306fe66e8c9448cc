/*
 * Turns a kernel's source into an image that a device can load.
 *
 * An image's key is computed from the variant's macros, the kernel's source, the files that it
 * includes, the compiler's version, and the architecture. Images are cached on disk under this key
 * (cache.h), so an old image is never used for a changed source, and several runs can share the
 * cache.
 *
 * The macros are TYPE_<NAME> and OP_<NAME> (see kernels/lib/common.cuh), UNROLL, BLOCK if the
 * kernel's facts contain `constant: BLOCK`, every tunable, and INDEX_BITS (32 or 64).
 */
#ifndef REDSWEEP_COMPILE_COMPILE_H
#define REDSWEEP_COMPILE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compile/limited.h"
#include "base/image.h"
#include "plan/plan.h"

/* The cache folder, the include paths and the compiler's version. */
struct compiler;

/*
 * Makes `cache_folder` if it is missing; NULL: no cache. `kernel_folder` is the folder of
 * redsweep's kernels, whose headers every kernel may include. Succeeds even without NVRTC; then
 * each compilation reports why it fails. Several threads may use the same compiler.
 */
bool compiler_open(const char *cache_folder, const char *kernel_folder, struct compiler **out,
                   struct error *e);
void compiler_close(struct compiler *c);

/* Returns a string such as "NVRTC 13.0", or "" if the library is missing. */
const char *compiler_version(const struct compiler *c);

/*
 * Stores up to `most` architectures that the compiler supports, in ascending order (75 for sm_75).
 * Returns how many, 0 if the library is missing.
 */
int compiler_architectures(const struct compiler *c, int *out, int most);

/*
 * Compiles a kernel's variant, or takes it from the cache.
 *
 * Fails with ERROR_COMPILE if the compiler fails or NVRTC is missing; the error contains the
 * compiler's log, or says that NVRTC is missing. Fails with ERROR_UNSUPPORTED if the kernel's facts
 * require more than the target has.
 *
 * In a cubin, kernels that launch kernels (k->device_runtime) are linked with libcudadevrt. In PTX,
 * their references to libcudadevrt stay unresolved. The image has no bytes if the target is
 * IMAGE_NONE (a device that loads no code), or if the kernel runs on the CPU and was therefore
 * compiled by make. The caller must call image_free(). PTX ends with a NUL that `length` does not
 * count.
 */
bool compile_variant(struct compiler *c, const struct kernel *k, const struct variant *v,
                     const struct compile_target *target, struct image *out, struct error *e);

/*
 * Replaces quotes in the file names of PTX line information: each quote between the first and the
 * last one on a line becomes an apostrophe. NVRTC escapes these quotes, except in the name of the
 * current folder. compile_variant() calls this itself.
 */
void compile_plain_file_names(char *ptx);

/*
 * Sets the time and memory limits of every compilation (limited.h). The constants are the defaults.
 * A compilation that exceeds a limit fails with ERROR_COMPILE.
 */
enum { COMPILE_LIMIT_S = 120, COMPILE_MEMORY_MIB = 4096 };
void compiler_limit(struct compiler *c, double seconds, int mebibytes);

/* Sets how many variants one process compiles at most (limited.h). Does not change the images. */
enum { COMPILE_TURNS = 200 };
void compiler_turns(struct compiler *c, int turns);

/*
 * Starts one compiling process per thread. Call this before a device is opened: forking takes
 * longer afterwards, because the driver maps a lot of memory.
 */
void compiler_start(struct compiler *c, int threads);

/* These are rows of the option table of a command that compiles without a config. `limits` is the
 * member of `type` that is a struct compile_limits. */
#define COMPILE_LIMIT_OPTIONS(type, limits)                                                        \
    {"--compile-limit-s", "120",                                                                   \
     field_double,        .offset = offsetof(type, limits.seconds),                                \
     RANGE(1, 86400),     HELP("S", "the time limit of each compilation, in seconds")},            \
    {                                                                                              \
        "--compile-memory-mib", "4096", field_int,                                                 \
            .offset = offsetof(type, limits.mebibytes), RANGE(256, 1048576),                       \
            HELP("N", "the memory limit of each compilation, in MiB")                              \
    }

/* Like compile_variant(). Also sets `*exceeded` to whether the compilation failed because of a
 * limit or a crash. */
bool compile_variant_limited(struct compiler *c, const struct kernel *k, const struct variant *v,
                             const struct compile_target *target, struct image *out, bool *exceeded,
                             struct error *e);

/* What compile_many() returns for one variant. */
struct compiled {
    struct image image;  /* valid if the compilation succeeded */
    struct error *error; /* NULL if the compilation succeeded; compiled_free() frees it */
    /* The compilation exceeded a limit. Another attempt would take just as long. */
    bool exceeded;
};

/*
 * Compiles `count` variants on `threads` threads, at most COMPILE_THREADS. With 0 threads, the
 * calling thread compiles them one after another. `progress` may be NULL. The calling thread calls
 * it with the number of finished variants, about ten times a second or, without threads, after each
 * variant. out[i] is the result for variants[i]; the caller must call compiled_free() on each.
 */
enum { COMPILE_THREADS = 64 };
void compile_many(struct compiler *c, const struct catalogue *catalogue,
                  const struct variant *variants, uint32_t count,
                  const struct compile_target *target, int threads,
                  void (*progress)(void *context, uint32_t done, uint32_t total), void *context,
                  struct compiled *out);
void compiled_free(struct compiled *c);

#endif
