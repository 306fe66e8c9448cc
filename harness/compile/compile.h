/*
 * From a kernel's source to an image that a device can load.
 *
 * A variant's macros, the kernel's source, the files that it includes, the compiler's version and
 * the architecture make up a key. Images are cached on disk under that key (cache.h), so the image
 * of a changed source is never outdated, and several runs may share the cache.
 *
 * Macros: TYPE_<NAME> and OP_<NAME> (see kernels/lib/common.cuh), UNROLL, BLOCK when the kernel's
 * facts say `constant: BLOCK`, every tunable, INDEX_BITS (32 or 64).
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

struct compiler; /* the cache's folder, the include path and the compiler's version */

/*
 * `cache_folder` is made if it is missing; NULL: no cache. `kernel_folder` is that of redsweep's kernels, whose headers
 * every kernel may include. It also succeeds without NVRTC: then each compilation reports why it fails. One compiler
 * may be used by several threads.
 */
bool compiler_open(const char *cache_folder, const char *kernel_folder, struct compiler **out,
                   struct error *e);
void compiler_close(struct compiler *c);

/* "NVRTC 13.0"; "" if the library is missing. */
const char *compiler_version(const struct compiler *c);

/*
 * The architectures that the compiler knows, ascending (75 for sm_75), at most `most` of them.
 * Returns their number; 0 if the library is missing.
 */
int compiler_architectures(const struct compiler *c, int *out, int most);

/*
 * Compiles a variant of a kernel, or takes it from the cache. ERROR_COMPILE has the compiler's log,
 * or says that NVRTC is missing; ERROR_UNSUPPORTED: the kernel's facts require more than the target
 * has. Kernels that launch kernels (k->device_runtime) are linked with libcudadevrt for a cubin,
 * and left with open references to it as PTX. A target of IMAGE_NONE (a device that loads no code)
 * and a kernel for the CPU (compiled by make) give an image without bytes. The bytes are the
 * caller's: image_free(); PTX ends in a NUL that `length` does not count.
 */
bool compile_variant(struct compiler *c, const struct kernel *k, const struct variant *v,
                     const struct compile_target *target, struct image *out, struct error *e);

/*
 * In the file names that PTX has for its lines, replaces each quote, escaped or (in the name of the
 * current folder) not, by apostrophes: those between a line's first quote and its last one.
 * compile_variant() does so itself.
 */
void compile_plain_file_names(char *ptx);

/*
 * Every compilation has a limit of time and memory (limited.h); these are the defaults. Exceeding
 * one is ERROR_COMPILE.
 */
enum { COMPILE_LIMIT_S = 120, COMPILE_MEMORY_MIB = 4096 };
void compiler_limit(struct compiler *c, double seconds, int mebibytes);

/* How many variants one process compiles, at most (limited.h). It does not change the images. */
enum { COMPILE_TURNS = 200 };
void compiler_turns(struct compiler *c, int turns);

/*
 * Starts a process for compilation for each of this many threads. Must be called before a device is
 * opened: forking afterwards takes longer, because the driver maps much memory.
 */
void compiler_start(struct compiler *c, int threads);

/* Rows in the table of options of a command that compiles without a config: `limits` is a struct
 * compile_limits in `type`. */
#define COMPILE_LIMIT_OPTIONS(type, limits)                                                        \
    {"--compile-limit-s", "120",                                                                   \
     field_double,        .offset = offsetof(type, limits.seconds),                                \
     RANGE(1, 86400),     HELP("S", "time limit of each compilation, in seconds")},                \
    {                                                                                              \
        "--compile-memory-mib", "4096", field_int,                                                 \
            .offset = offsetof(type, limits.mebibytes), RANGE(256, 1048576),                       \
            HELP("N", "memory limit of each compilation, in MiB")                                  \
    }

/* compile_variant(); `*exceeded` becomes whether it failed because of a limit or a crash. */
bool compile_variant_limited(struct compiler *c, const struct kernel *k, const struct variant *v,
                             const struct compile_target *target, struct image *out, bool *exceeded,
                             struct error *e);

/* The result of compile_many() for one variant. */
struct compiled {
    struct image image;  /* when ok */
    struct error *error; /* NULL if it succeeded; freed by compiled_free() */
    bool exceeded;       /* exceeded a limit: another attempt would take as long */
};

/*
 * Compiles `count` variants on `threads` threads, at most COMPILE_THREADS; 0: in the calling
 * thread, one after the other. `progress` (may be NULL) is called from the calling thread with the
 * number of finished variants, about ten times a second or after each. out[i] belongs to
 * variants[i]; each is the caller's: compiled_free().
 */
enum { COMPILE_THREADS = 64 };
void compile_many(struct compiler *c, const struct catalogue *catalogue,
                  const struct variant *variants, uint32_t count,
                  const struct compile_target *target, int threads,
                  void (*progress)(void *context, uint32_t done, uint32_t total), void *context,
                  struct compiled *out);
void compiled_free(struct compiled *c);

#endif
