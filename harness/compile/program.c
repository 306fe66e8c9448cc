/* Implements program.h. */
#include "compile/program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compile/request.h"

void compile_plain_file_names(char *ptx)
{
    for (char *line = strstr(ptx, "\t.file\t"); line; line = strstr(line + 1, "\t.file\t")) {
        char *first = line + strcspn(line, "\"\n"), *last = line + strcspn(line, "\n");
        while (last > first && *last != '"')
            last--;
        for (char *at = first + 1; at < last; at++)
            if (*at == '"' || (*at == '\\' && at[1] == '"'))
                *at = '\'';
    }
}

/* Returns a compilation's log, which the caller frees with free(), or NULL if there is none. */
static char *program_log(const struct nvrtc *nvrtc, nvrtcProgram program)
{
    size_t size = 0;
    if (nvrtc->nvrtcGetProgramLogSize(program, &size) != NVRTC_SUCCESS || size <= 1)
        return NULL;
    char *log = xcalloc(1, size + 1);
    if (nvrtc->nvrtcGetProgramLog(program, log) == NVRTC_SUCCESS)
        return log;
    free(log);
    return NULL;
}

/* Fetches the PTX or the cubin that NVRTC has made. The bytes are followed by a NUL. */
static bool fetch(const struct nvrtc *nvrtc, nvrtcProgram program, enum image_kind kind,
                  char **bytes, size_t *length, struct error *e)
{
    bool ptx = kind != IMAGE_CUBIN;
    nvrtcResult status =
        ptx ? nvrtc->nvrtcGetPTXSize(program, length) : nvrtc->nvrtcGetCUBINSize(program, length);
    if (status != NVRTC_SUCCESS || *length == 0)
        return FAIL(e, ERROR_COMPILE, "NVRTC did not produce a %s: %s", ptx ? "PTX" : "cubin",
                    nvrtc->nvrtcGetErrorString(status));
    *bytes = malloc(*length + 1);
    if (!*bytes)
        return FAIL(e, ERROR_MEMORY, "not enough memory for an image of %zu bytes", *length);
    status = ptx ? nvrtc->nvrtcGetPTX(program, *bytes) : nvrtc->nvrtcGetCUBIN(program, *bytes);
    if (status == NVRTC_SUCCESS) {
        (*bytes)[*length] = '\0';
        /* NVRTC's length of PTX includes the NUL at the end. */
        if (ptx) {
            *length = strlen(*bytes);
            compile_plain_file_names(*bytes);
        }
        return true;
    }
    free(*bytes);
    *bytes = NULL;
    return FAIL(e, ERROR_COMPILE, "NVRTC did not return the %s: %s", ptx ? "PTX" : "cubin",
                nvrtc->nvrtcGetErrorString(status));
}

/* Checks that the PTX of a compilation contains a kernel with the name `symbol`. */
static bool check_entry(const struct nvrtc *nvrtc, nvrtcProgram program, const struct kernel *k,
                        const char *symbol, struct error *e)
{
    char *ptx;
    size_t length;
    if (!fetch(nvrtc, program, IMAGE_PTX, &ptx, &length, e))
        return false;
    char wanted[600];
    snprintf(wanted, sizeof wanted, ".entry %s(", symbol);
    bool found = strstr(ptx, wanted) != NULL;
    free(ptx);
    if (found)
        return true;
    if (k->entry)
        return FAIL(e, ERROR_COMPILE,
                    "%s: the fact \"entry: %s\" does not name a __global__ function", k->path,
                    k->entry);
    return FAIL(e, ERROR_COMPILE,
                "%s does not define a kernel with the file's name; declare it as extern \"C\" "
                "__global__ void %s(…), in this order, or name the kernel in the fact \"entry:\"",
                k->path, k->name);
}

/*
 * Finds the name that the kernel has in the image. It differs from the kernel's name if the fact
 * `entry` names a C++ function, whose name is mangled. When an image is sent to another process or
 * is in the cache, such a name follows the image, and the last two bytes are its length.
 */
static bool find_symbol(const struct nvrtc *nvrtc, nvrtcProgram program, const struct kernel *k,
                        char symbol[512], struct error *e)
{
    const char *lowered = k->name;
    if (k->entry) {
        nvrtcResult status = nvrtc->nvrtcGetLoweredName(program, k->entry, &lowered);
        if (status != NVRTC_SUCCESS)
            return FAIL(e, ERROR_COMPILE, "%s: NVRTC cannot resolve the fact \"entry: %s\": %s",
                        k->path, k->entry, nvrtc->nvrtcGetErrorString(status));
    }
    if (snprintf(symbol, 512, "%s", lowered) >= 512)
        return FAIL(e, ERROR_COMPILE,
                    "%s: the fact \"entry: %s\" names a function whose mangled name has more than "
                    "511 characters",
                    k->path, k->entry);
    return true;
}

/*
 * Appends the cubin of the same compilation, and the cubin's length, after the NUL at the end of
 * the PTX.
 */
static bool append_cubin(const struct nvrtc *nvrtc, nvrtcProgram program, char **bytes,
                         size_t *length, struct error *e)
{
    char *cubin;
    size_t size;
    if (!fetch(nvrtc, program, IMAGE_CUBIN, &cubin, &size, e))
        return false;
    *bytes = xrealloc(*bytes, *length + 1 + size + sizeof size);
    memcpy(*bytes + *length + 1, cubin, size);
    memcpy(*bytes + *length + 1 + size, &size, sizeof size);
    *length += 1 + size + sizeof size;
    free(cubin);
    return true;
}

bool program_take_cubin(struct image *image, struct error *e)
{
    size_t size = 0, least = 1 + sizeof size;
    if (image->length >= least)
        memcpy(&size, image->bytes + image->length - sizeof size, sizeof size);
    if (size == 0 || image->length < least || size > image->length - least ||
        image->bytes[image->length - least - size] != '\0')
        return FAIL(e, ERROR_COMPILE, "the image contains no machine code");
    image->length -= least + size;
    image->cubin = image->bytes + image->length + 1;
    image->cubin_length = size;
    return true;
}

static void append_symbol(const char *symbol, char **bytes, size_t *length)
{
    uint16_t size = (uint16_t)strlen(symbol);
    *bytes = xrealloc(*bytes, *length + size + sizeof size);
    memcpy(*bytes + *length, symbol, size);
    memcpy(*bytes + *length + size, &size, sizeof size);
    *length += size + sizeof size;
}

bool program_take_symbol(struct image *image, struct error *e)
{
    uint16_t size = 0;
    if (image->length >= sizeof size)
        memcpy(&size, image->bytes + image->length - sizeof size, sizeof size);
    if (size == 0 || size >= sizeof image->entry || image->length < size + sizeof size)
        return FAIL(e, ERROR_COMPILE, "the image does not contain the name of its kernel");
    image->length -= size + sizeof size;
    memcpy(image->entry, image->bytes + image->length, size);
    image->entry[size] = '\0';
    image->bytes[image->length] = '\0';
    return true;
}

/*
 * Returns an explanation if the log shows that the kernel's name is ambiguous, and otherwise "".
 * NVRTC looks up a kernel by its name alone, and CUDA may have functions with the same name.
 */
static const char *say_clash(const char *log)
{
    return log && strstr(log, "__nv_name_map") && strstr(log, "instance of overloaded function")
               ? "CUDA already has a function with the kernel's name; rename the kernel: "
               : "";
}

bool program_compile(const struct nvrtc *nvrtc, const struct nvjitlink *linker,
                     const char *device_runtime, char *request, char **bytes, size_t *length,
                     struct error *e)
{
    struct kernel kernel, *k = &kernel;
    struct compile_target read, *target = &read;
    struct options options, *o = &options;
    request_read(request, k, target, o);
    nvrtcProgram program = NULL;
    nvrtcResult status = nvrtc->nvrtcCreateProgram(&program, k->code, k->path, 0, NULL, NULL);
    if (status != NVRTC_SUCCESS)
        return FAIL(e, ERROR_COMPILE, "NVRTC rejected the source: %s",
                    nvrtc->nvrtcGetErrorString(status));
    if (k->entry)
        status = nvrtc->nvrtcAddNameExpression(program, k->entry);
    if (status == NVRTC_SUCCESS)
        status = nvrtc->nvrtcCompileProgram(program, o->count, o->list);
    bool ok = status == NVRTC_SUCCESS;
    char symbol[512];
    if (!ok) {
        char *log = program_log(nvrtc, program);
        bool starved = status == NVRTC_ERROR_OUT_OF_MEMORY ||
                       (log && strstr(log, "catastrophic error: out of memory"));
        FAIL_LINES(e, starved ? ERROR_MEMORY : ERROR_COMPILE,
                   "%sthe code does not compile (%s):\n%s", say_clash(log),
                   nvrtc->nvrtcGetErrorString(status), log ? log : "NVRTC wrote no log");
        free(log);
    }
    ok = ok && find_symbol(nvrtc, program, k, symbol, e) &&
         check_entry(nvrtc, program, k, symbol, e) &&
         fetch(nvrtc, program, target->kind, bytes, length, e) &&
         (target->kind != IMAGE_PTX_AND_CUBIN || append_cubin(nvrtc, program, bytes, length, e));
    nvrtc->nvrtcDestroyProgram(&program);
    if (ok && k->device_runtime && target->kind == IMAGE_CUBIN) {
        char *object = *bytes;
        ok = link_device_runtime(linker, device_runtime, target->cc, object, *length, bytes, length,
                                 e);
        free(object);
    }
    if (ok && k->entry)
        append_symbol(symbol, bytes, length);
    return ok;
}
