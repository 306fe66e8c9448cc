/*
 * Compiles a kernel's source to an image that a device can load. A kernel is compiled once for each
 * variant: each combination of the macros below.
 *
 * An image's key is computed from the variant's macros, the kernel's source, the files that it
 * includes, the compiler's version, and the architecture. Images are cached on disk under this key
 * (cache.h), so an image is never used for a source that has changed since, and several runs can
 * share the cache.
 *
 * The macros are TYPE_<NAME> and OP_<NAME> (see kernels/lib/common.cuh), UNROLL, BLOCK if the
 * kernel's facts contain `constant: BLOCK`, every tunable, INDEX_BITS (32 or 64), and ANY_OFFSET
 * for kernels in a library (see `any_offset` in plan/plan.h).
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
 * Makes `cache_folder` if it is missing. If `cache_folder` is NULL, nothing is cached.
 * `kernel_folder` is the folder of redsweep's kernels, whose headers every kernel may include.
 * Succeeds even if NVRTC is missing; each compilation then fails with an error that says so.
 * Several threads may use the same compiler.
 */
bool compiler_open(const char *cache_folder, const char *kernel_folder, struct compiler **out,
                   struct error *e);
void compiler_close(struct compiler *c);

/* Returns a string such as "NVRTC 13.0", or "" if the library is missing. */
const char *compiler_version(const struct compiler *c);

/*
 * Stores up to `most` architectures that the compiler supports, in ascending order (75 for sm_75).
 * Returns how many were stored, which is 0 if the library is missing.
 */
int compiler_architectures(const struct compiler *c, int *out, int most);

/*
 * Compiles a kernel's variant, or takes it from the cache.
 *
 * Fails with ERROR_COMPILE if the compiler fails or NVRTC is missing; the error contains the
 * compiler's log, or says that NVRTC is missing. Fails with ERROR_UNSUPPORTED if the kernel's facts
 * require a newer architecture than the target's, or if the compiler does not support the target's
 * architecture.
 *
 * Kernels that launch kernels (k->device_runtime) are linked with libcudadevrt if the image is a
 * cubin. If it is PTX, their references to libcudadevrt remain unresolved. The image has no bytes
 * if the target is IMAGE_NONE (a device that loads no code), or if the kernel is host code (a CPU
 * function, or a call of a library such as CUB), which make has already compiled. The caller must
 * call image_free(). PTX ends with a NUL that `length` does not count.
 */
bool compile_variant(struct compiler *c, const struct kernel *k, const struct variant *v,
                     const struct compile_target *target, struct image *out, struct error *e);

/*
 * Replaces quotes in the file names that the line information of PTX contains: each quote between
 * the first and the last one on a line becomes an apostrophe. compile_variant() calls this itself.
 */
void compile_plain_file_names(char *ptx);

/*
 * Sets the time and memory limits of every compilation (limited.h). The constants below are the
 * defaults. A compilation that exceeds a limit fails with ERROR_COMPILE.
 */
enum { COMPILE_LIMIT_S = 120, COMPILE_MEMORY_MIB = 4096 };
void compiler_limit(struct compiler *c, double seconds, int mebibytes);

/*
 * Sets how many variants one process compiles at most (limited.h). The number has no effect on the
 * images.
 */
enum { COMPILE_TURNS = 200 };
void compiler_turns(struct compiler *c, int turns);

/*
 * Starts one compiling process (limited.h) for each of `threads` threads. Call this before a device
 * is opened: afterwards, forking takes longer, because the driver maps a lot of memory.
 */
void compiler_start(struct compiler *c, int threads);

/*
 * The rows for --compile-limit-s and --compile-memory-mib in the option table of a command that
 * compiles without a config. The options are read into a struct of type `type`, whose member
 * `limits` is a struct compile_limits.
 */
#define COMPILE_LIMIT_OPTIONS(type, limits)                                                        \
    {"--compile-limit-s", "120",                                                                   \
     field_double,        .offset = offsetof(type, limits.seconds),                                \
     RANGE(1, 86400),     HELP("S", "the time limit of each compilation, in seconds")},            \
    {                                                                                              \
        "--compile-memory-mib", "4096", field_int,                                                 \
            .offset = offsetof(type, limits.mebibytes), RANGE(256, 1048576),                       \
            HELP("N", "the memory limit of each compilation, in MiB")                              \
    }

/*
 * Like compile_variant(), but also sets `*exceeded` to whether the compilation failed because it
 * exceeded a limit or crashed.
 */
bool compile_variant_limited(struct compiler *c, const struct kernel *k, const struct variant *v,
                             const struct compile_target *target, struct image *out, bool *exceeded,
                             struct error *e);

/* The result of compile_many() for one variant. */
struct compiled {
    struct image image;  /* valid if the compilation succeeded */
    struct error *error; /* NULL if the compilation succeeded; compiled_free() frees it */
    /*
     * True if the compilation exceeded a limit or crashed. Another attempt would take just as long.
     */
    bool exceeded;
};

/*
 * Compiles `count` variants in `threads` threads, of which there may be up to COMPILE_THREADS. If
 * `threads` is 0, the calling thread compiles the variants one after another. The calling thread
 * calls `progress`, unless it is NULL, with the number of finished variants: about ten times a
 * second or, if `threads` is 0, after each variant. out[i] is the result for variants[i]; the
 * caller must call compiled_free() on each.
 */
enum { COMPILE_THREADS = 64 };
void compile_many(struct compiler *c, const struct catalogue *catalogue,
                  const struct variant *variants, uint32_t count,
                  const struct compile_target *target, int threads,
                  void (*progress)(void *context, uint32_t done, uint32_t total), void *context,
                  struct compiled *out);
void compiled_free(struct compiled *c);

#endif
