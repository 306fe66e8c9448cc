/*
 * Implements compile.h: chooses the compiler's options for a variant, has it compiled, and caches
 * the image.
 *
 * The options:
 *   -std=c++17      The default of NVRTC 13. It is set so that another default in a later NVRTC
 *                   cannot change results. The headers that <cooperative_groups.h> includes need
 *                   it.
 *   -lineinfo       Profilers and the simulator need it to name source lines. It does not change
 *                   the machine code (compared byte for byte: smem_unroll, sm_90), and makes the
 *                   image 8 kB longer. It is not set for libraries, or if the name of a folder
 *                   contains a quote, because ptxas fails at quotes.
 *   sm_90           For a cubin, and for PTX if its cubin is needed, too. If only PTX is needed, it
 *                   is compiled for compute_90.
 *   -rdc=true       Only for kernels that launch kernels.
 *   -I              The kernel's own folder, the support folder and the folder of the toolkit's
 *                   headers.
 */
#include "compile/compile.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/text.h"
#include "compile/cache.h"
#include "compile/limited.h"
#include "compile/link.h"
#include "compile/nvrtc_library.h"
#include "compile/program.h"
#include "compile/request.h"
#include "compile/sources.h"
#include "spec/kernel_index.h"

enum { OPTION_SIZE = PATH_MAX + 32, MAX_ARCHITECTURES = 64 };

struct compiler {
    char *cache_folder; /* NULL if there is no cache */
    char *kernel_folder;
    /* "" if the toolkit's headers are missing. */
    char toolkit_include[LIBRARY_PATH_SIZE];
    char cccl_include[LIBRARY_PATH_SIZE];
    char device_runtime[LIBRARY_PATH_SIZE]; /* the path of libcudadevrt.a; "" if it is missing */
    bool has_nvrtc, has_linker;
    struct nvrtc nvrtc;
    struct nvjitlink linker;
    struct error nvrtc_missing, linker_missing;
    struct compile_limits limits;
    struct compile_processes *processes;
    char version[32];
    int architectures[MAX_ARCHITECTURES];
    int architecture_count;
};

static void add_option(struct options *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_option(struct options *o, const char *format, ...)
{
    if (o->count == MAX_OPTIONS) {
        o->overflow = true;
        return;
    }
    char *option = o->bytes + (size_t)o->count * OPTION_SIZE;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(option, OPTION_SIZE, format, arguments);
    va_end(arguments);
    o->overflow = o->overflow || length < 0 || length >= OPTION_SIZE;
    o->list[o->count++] = option;
}

/* Adds an option that defines a macro, such as TYPE_INT32 for the name "int32". */
static void add_choice(struct options *o, const char *prefix, const char *name)
{
    char upper[32];
    size_t i = 0;
    for (; name[i] && i + 1 < sizeof upper; i++)
        upper[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    upper[i] = '\0';
    add_option(o, "-D%s_%s", prefix, upper);
}

static void folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(folder, PATH_MAX, ".");
    else
        snprintf(folder, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

static bool has_quote(const char *path)
{
    char here[PATH_MAX];
    return strchr(path, '"') || (path[0] != '/' && getcwd(here, sizeof here) && strchr(here, '"'));
}

/*
 * Returns whether line tables can be made for a kernel. They contain the paths of the kernel's
 * files. If a path contains a quote, NVRTC escapes it, and the ptxas in NVRTC cannot read the
 * result. For PTX alone this does not matter, because compile_plain_file_names() replaces the
 * quotes.
 */
static bool lines_can_be_named(const struct compiler *c, const struct kernel *k)
{
    return !has_quote(k->path) && !has_quote(c->kernel_folder) && !strchr(c->toolkit_include, '"');
}

/*
 * Finds the folders in which a kernel's includes are looked up. The last one contains C and C++
 * headers that NVRTC lacks.
 */
static void find_includes(const struct compiler *c, const struct kernel *k,
                          struct include_folders *in)
{
    kernel_include_folders(k->path, c->kernel_folder, in);
    in->paths[in->count++] = xasprintf("%s/lib/host", c->kernel_folder);
}

static void set_options(const struct compiler *c, const struct kernel *k, const struct variant *v,
                        const struct compile_target *target, struct options *o)
{
    struct include_folders in;
    find_includes(c, k, &in);
    bool assembled = target->kind != IMAGE_PTX;
    add_option(o, "--gpu-architecture=%s_%d", assembled ? "sm" : "compute", target->cc);
    add_option(o, "-std=c++17");
    if (!v->without_lines && (!assembled || lines_can_be_named(c, k)))
        add_option(o, "-lineinfo");
    if (k->device_runtime)
        add_option(o, "-rdc=true");
    for (int i = 0; i < in.count; i++)
        add_option(o, "-I%s", in.paths[i]);
    include_folders_free(&in);
    if (c->toolkit_include[0])
        add_option(o, "-I%s", c->toolkit_include);
    if (c->cccl_include[0])
        add_option(o, "-I%s", c->cccl_include);
    add_choice(o, "TYPE", element_type_name((enum element_type)v->type));
    add_choice(o, "OP", operation_name((enum operation)v->op));
    add_option(o, "-DINDEX_BITS=%d", v->wide ? 64 : 32);
    add_option(o, "-DUNROLL=%d", v->unroll);
    if (v->any_offset)
        add_option(o, "-DANY_OFFSET");
    if (k->block_constant)
        add_option(o, "-DBLOCK=%d", v->block);
    for (int i = 0; i < k->tunable_count; i++)
        add_option(o, "-D%s=%d", k->tunables[i].name, (int)v->tunables[i]);
}

/*
 * Appends the beginning of all messages about a variant, such as "kernel unroll (int32 sum, unroll
 * 8, sm_90)".
 */
static void describe(const struct kernel *k, const struct variant *v,
                     const struct compile_target *target, struct text *out)
{
    text_append(out, "kernel %s (%s %s", k->name, element_type_name((enum element_type)v->type),
                operation_name((enum operation)v->op));
    if (k->unrolls.count)
        text_append(out, ", unroll %d", v->unroll);
    if (k->block_constant)
        text_append(out, ", block %d", v->block);
    for (int i = 0; i < k->tunable_count; i++)
        text_append(out, ", %s %d", k->tunables[i].name, (int)v->tunables[i]);
    text_append(out, "%s, %s_%d)", v->wide ? ", 64-bit index" : "",
                target->kind == IMAGE_CUBIN ? "sm" : "compute", target->cc);
}

/*
 * Returns the size of a file, or −1 if it is missing. In recipes, NVIDIA's own files are identified
 * by their size instead of their contents.
 */
static long long file_bytes(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? (long long)status.st_size : -1;
}

/*
 * Writes the recipe (cache.h): everything on which the image depends, as text. The hash of this
 * text is the image's key. It contains the kernel's absolute path, because line tables contain
 * that. Sets `*cacheable` to false if it cannot be determined which files the kernel includes.
 */
static bool write_recipe(const struct compiler *c, const struct kernel *k,
                         const struct compile_target *target, const struct options *o,
                         struct text *out, bool *cacheable, struct error *e)
{
    struct include_folders in;
    find_includes(c, k, &in);
    uint64_t sources = HASH_START;
    bool ok = sources_hash(SOURCES_EXACT, k->code, k->code_length, in.paths[0],
                           (const char *const *)in.paths, in.count, &sources, cacheable, e);
    include_folders_free(&in);
    if (!ok)
        return false;
    char *absolute = realpath(k->path, NULL);
    text_append(out, "kernel %s\nfile %s\nsources %016" PRIx64 "\n", k->name,
                absolute ? absolute : k->path, sources);
    free(absolute);
    text_append(out, "compiler %s, %s, %lld bytes\n", c->version, c->nvrtc.path,
                file_bytes(c->nvrtc.path));
    if (target->kind == IMAGE_PTX_AND_CUBIN)
        text_append(out, "PTX and cubin\n");
    if (k->device_runtime && target->kind == IMAGE_CUBIN)
        text_append(out, "linked by %s, %lld bytes, with %s, %lld bytes\n", c->linker.path,
                    file_bytes(c->linker.path), c->device_runtime, file_bytes(c->device_runtime));
    if (k->entry)
        text_append(out, "entry %s\n", k->entry);
    for (int i = 0; i < o->count; i++)
        text_append(out, "%s\n", o->list[i]);
    return true;
}

/*
 * The function that compiling processes call (compile_step in limited.h). Does not use the cache.
 */
static bool compile_source(const void *context, char *request, size_t request_length, char **bytes,
                           size_t *length, struct error *e)
{
    (void)request_length;
    const struct compiler *c = context;
    return program_compile(&c->nvrtc, &c->linker, c->device_runtime, request, bytes, length, e);
}

/*
 * Checks whether NVRTC supports an architecture. Each version of CUDA supports different ones, so
 * NVRTC is asked for its list.
 */
static bool check_architecture(const struct compiler *c, int cc, struct error *e)
{
    for (int i = 0; i < c->architecture_count; i++)
        if (c->architectures[i] == cc)
            return true;
    if (c->architecture_count == 0)
        return FAIL(e, ERROR_COMPILE, "%s does not say which architectures it compiles for",
                    c->version);
    int oldest = c->architectures[0], newest = c->architectures[c->architecture_count - 1];
    return FAIL(e, ERROR_UNSUPPORTED,
                "%s compiles for compute capability %d.%d to %d.%d, not for %d.%d%s", c->version,
                oldest / 10, oldest % 10, newest / 10, newest % 10, cc / 10, cc % 10,
                cc < oldest   ? "; build redsweep with CUDA 12 (make TOOLKIT=12)"
                : cc > newest ? "; build redsweep with a newer CUDA Toolkit"
                              : "");
}

/* Rejects variants that cannot be compiled for reasons that are known in advance. */
static bool check_request(const struct compiler *c, const struct kernel *k, const struct variant *v,
                          const struct compile_target *target, struct error *e)
{
    if (!c->has_nvrtc)
        return FAIL_LINES(e, ERROR_COMPILE, "%s", c->nvrtc_missing.text);
    if (v->type >= TYPE_COUNT || v->op >= OP_COUNT)
        return FAIL(e, ERROR_INTERNAL, "invalid type %d or operation %d in a variant", v->type,
                    v->op);
    if (target->cc < k->min_cc)
        return FAIL(e, ERROR_UNSUPPORTED, "the kernel's facts require sm_%d or newer", k->min_cc);
    if (!check_architecture(c, target->cc, e))
        return false;
    if (k->device_runtime && target->kind == IMAGE_CUBIN) {
        if (!c->has_linker)
            return FAIL_LINES(e, ERROR_COMPILE, "%s", c->linker_missing.text);
        if (!c->device_runtime[0])
            return FAIL(
                e, ERROR_COMPILE,
                "the kernel launches kernels, so it needs libcudadevrt.a, which was found neither "
                "beside redsweep nor in a CUDA Toolkit; set REDSWEEP_CUDADEVRT to the file's path");
    }
    return true;
}

/* Takes the image from the cache, or compiles it and writes it to the cache. */
static bool make_image(const struct compiler *c, const struct kernel *k,
                       const struct compile_target *target, const struct options *o,
                       struct image *out, bool *exceeded, struct error *e)
{
    struct text recipe = {0}, again = {0}, request = {0};
    bool cacheable = false;
    if (!write_recipe(c, k, target, o, &recipe, &cacheable, e)) {
        text_free(&recipe);
        return false;
    }
    out->key = hash_text(HASH_START, recipe.bytes);
    cacheable = cacheable && c->cache_folder;
    out->from_cache = cacheable && cache_read(c->cache_folder, out->key, recipe.bytes, &out->bytes,
                                              &out->length, &out->compile_ms);
    double since = clock_now_s();
    bool ok = out->from_cache;
    if (!ok) {
        request_write(k, target, o, &request);
        ok = compile_limited(c->processes, request.bytes, request.length, &out->bytes, &out->length,
                             exceeded, e);
    }
    if (!out->from_cache)
        out->compile_ms = (clock_now_s() - since) * 1e3;
    /*
     * If a file was edited during the compilation, the image must not be cached under the key of
     * the old text. Therefore the recipe is written a second time and compared with the first one.
     */
    if (ok && cacheable && !out->from_cache &&
        write_recipe(c, k, target, o, &again, &cacheable, NULL) && cacheable &&
        strcmp(recipe.bytes, again.bytes) == 0)
        cache_write(c->cache_folder, out->key, recipe.bytes, out->bytes, out->length,
                    out->compile_ms);
    text_free(&recipe);
    text_free(&again);
    text_free(&request);
    return ok;
}

bool compile_variant_limited(struct compiler *c, const struct kernel *k, const struct variant *v,
                             const struct compile_target *target, struct image *out, bool *exceeded,
                             struct error *e)
{
    memset(out, 0, sizeof *out);
    *exceeded = false;
    bool no_code = target->kind == IMAGE_NONE || k->backend == BACKEND_CPU || k->library;
    out->kind = no_code                               ? IMAGE_NONE
                : target->kind == IMAGE_PTX_AND_CUBIN ? IMAGE_PTX
                                                      : target->kind;
    out->type = v->type;
    out->op = v->op;
    out->device_runtime = k->device_runtime;
    if (snprintf(out->entry, sizeof out->entry, "%s", k->name) >= (int)sizeof out->entry)
        return FAIL(e, ERROR_COMPILE, "the kernel name %s is too long; the limit is %zu characters",
                    k->name, sizeof out->entry - 1);
    if (k->library)
        snprintf(out->library, sizeof out->library, "%s", k->library);
    if (no_code)
        return true;

    bool ok = check_request(c, k, v, target, e);
    if (ok) {
        struct options o = {.bytes = xmalloc((size_t)MAX_OPTIONS * OPTION_SIZE)};
        struct compile_target wanted = *target;
        if (wanted.kind == IMAGE_PTX_AND_CUBIN && (v->without_lines || !lines_can_be_named(c, k)))
            wanted.kind = IMAGE_PTX; /* without line tables, PTX and cubin cannot be compared */
        set_options(c, k, v, &wanted, &o);
        ok = (!o.overflow ||
              FAIL(e, ERROR_COMPILE, "the compiler options are too many or too long")) &&
             make_image(c, k, &wanted, &o, out, exceeded, e) &&
             (!k->entry || program_take_symbol(out, e)) &&
             (wanted.kind != IMAGE_PTX_AND_CUBIN || program_take_cubin(out, e));
        free(o.bytes);
    }
    if (!ok) {
        struct text label = {0};
        describe(k, v, target, &label);
        /*
         * An include that cannot be read or is too large is a problem of this kernel, and not of
         * the system or the config.
         */
        if (e && (e->kind == ERROR_SYSTEM || e->kind == ERROR_CONFIG))
            e->kind = ERROR_COMPILE;
        error_prefix(e, "%s", label.bytes);
        text_free(&label);
        image_free(out);
    }
    return ok;
}

bool compile_variant(struct compiler *c, const struct kernel *k, const struct variant *v,
                     const struct compile_target *target, struct image *out, struct error *e)
{
    bool exceeded;
    return compile_variant_limited(c, k, v, target, out, &exceeded, e);
}

void compiler_limit(struct compiler *c, double seconds, int mebibytes)
{
    c->limits.seconds = seconds;
    c->limits.mebibytes = mebibytes;
    compile_processes_limit(c->processes, &c->limits);
}

void compiler_turns(struct compiler *c, int turns)
{
    c->limits.turns = turns;
    compile_processes_limit(c->processes, &c->limits);
}

void compiler_start(struct compiler *c, int threads)
{
    if (c->has_nvrtc)
        compile_processes_start(c->processes, threads > 1 ? threads : 1);
}

void image_free(struct image *image)
{
    free(image->bytes);
    memset(image, 0, sizeof *image);
}

/*
 * Finds the toolkit's headers and libcudadevrt.a. Searches the toolkit that contains NVRTC first.
 * If one of them is missing, its path remains "".
 */
static void find_toolkit(struct compiler *c)
{
    char path[LIBRARY_PATH_SIZE];
    const char *nvrtc = c->nvrtc.path;
    if (library_toolkit_path("include/cooperative_groups.h", nvrtc, NULL, path)) {
        folder_of(path, c->toolkit_include);
        if (snprintf(path, sizeof path, "%s/cccl", c->toolkit_include) < (int)sizeof path &&
            file_bytes(path) >= 0)
            snprintf(c->cccl_include, sizeof c->cccl_include, "%s", path);
    }
    if (!library_toolkit_path("lib64/libcudadevrt.a", nvrtc, "REDSWEEP_CUDADEVRT",
                              c->device_runtime) &&
        !library_toolkit_path("lib/libcudadevrt.a", nvrtc, "REDSWEEP_CUDADEVRT", c->device_runtime))
        c->device_runtime[0] = '\0';
}

static void find_architectures(struct compiler *c)
{
    int count = 0;
    if (c->nvrtc.nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count < 1 ||
        count > MAX_ARCHITECTURES ||
        c->nvrtc.nvrtcGetSupportedArchs(c->architectures) != NVRTC_SUCCESS)
        count = 0;
    c->architecture_count = count;
}

bool compiler_open(const char *cache_folder, const char *kernel_folder, struct compiler **out,
                   struct error *e)
{
    *out = NULL;
    if (cache_folder && !cache_prepare(cache_folder, e))
        return false;
    struct compiler *c = xcalloc(1, sizeof *c);
    c->cache_folder = cache_folder ? xstrdup(cache_folder) : NULL;
    c->kernel_folder = xstrdup(kernel_folder);
    c->processes = compile_processes_new(compile_source, c);
    c->limits.turns = COMPILE_TURNS;
    compiler_limit(c, COMPILE_LIMIT_S, COMPILE_MEMORY_MIB);
    c->has_nvrtc = nvrtc_load(&c->nvrtc, &c->nvrtc_missing);
    if (c->has_nvrtc) {
        snprintf(c->version, sizeof c->version, "NVRTC %d.%d", c->nvrtc.major, c->nvrtc.minor);
        find_architectures(c);
    }
    find_toolkit(c);
    c->has_linker = nvjitlink_load(&c->linker, &c->linker_missing);
    *out = c;
    return true;
}

void compiler_close(struct compiler *c)
{
    if (!c)
        return;
    compile_processes_free(c->processes);
    free(c->cache_folder);
    free(c->kernel_folder);
    free(c);
}

const char *compiler_version(const struct compiler *c)
{
    return c->version;
}

int compiler_architectures(const struct compiler *c, int *out, int most)
{
    int count = c->architecture_count < most ? c->architecture_count : most;
    memcpy(out, c->architectures, (size_t)count * sizeof *out);
    return count;
}
