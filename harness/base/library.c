/* Searches for NVIDIA's libraries and the toolkit's files, in the order given in library.h. */
#include "base/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* The folder of the toolkit with which the program was built; the Makefile defines it. */
#ifndef REDSWEEP_TOOLKIT
#define REDSWEEP_TOOLKIT ""
#endif

/*
 * The ends of the libraries' file names. The major version of CUDA that the program was built with
 * comes first, then the other supported one. The last entry is for links without a version, which
 * development packages install.
 */
#ifndef REDSWEEP_CUDA_MAJOR
#define REDSWEEP_CUDA_MAJOR 13
#endif
#if REDSWEEP_CUDA_MAJOR == 12
static const char *const cuda_suffixes[] = {".12", ".13", ""};
#else
static const char *const cuda_suffixes[] = {".13", ".12", ""};
#endif
enum { CUDA_SUFFIXES = sizeof cuda_suffixes / sizeof cuda_suffixes[0] };

/*
 * The folders of a toolkit that contain libraries. NVIDIA's installers put CUPTI into a separate
 * folder.
 */
static const char *const library_folders[] = {"lib64", "lib", "extras/CUPTI/lib64", NULL};

/*
 * The folders into which NVIDIA's wheels unpack CUDA's components; all components of CUDA 13 share
 * one. If redsweep was installed from a wheel, it is in site-packages/redsweep/bin, and these
 * folders are in site-packages/nvidia.
 */
static const char *const wheel_folders[] = {"cu13",       "cuda_nvrtc", "cuda_runtime",
                                            "cuda_cupti", "nvjitlink",  "cuda_cccl"};
enum { WHEELS = sizeof wheel_folders / sizeof *wheel_folders, MAX_ROOTS = 5 + WHEELS };

struct roots {
    char program[PATH_MAX]; /* the program's own folder; "" if unknown */
    char beside[PATH_MAX + 16];
    char installed[PATH_MAX + 32];
    char wheels[WHEELS][PATH_MAX + 32];
    const char *toolkits[MAX_ROOTS];
    int count;
};

static bool exists(const char *path)
{
    return access(path, R_OK) == 0;
}

/* Collects the folders that are searched in steps 2 to 8 of library.h. */
static void find_roots(struct roots *r)
{
    memset(r, 0, sizeof *r);
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length > 0) {
        program[length] = '\0';
        char *slash = strrchr(program, '/');
        if (slash)
            *slash = '\0';
        memcpy(r->program, program, strlen(program) + 1);
        snprintf(r->beside, sizeof r->beside, "%s/toolkit", program);
        snprintf(r->installed, sizeof r->installed, "%s/../lib/redsweep/toolkit", program);
    }
    const char *home = getenv("CUDA_HOME");
    const char *candidates[MAX_ROOTS] = {home ? home : "", r->installed};
    int count = 2;
    for (int i = 0; length > 0 && i < WHEELS; i++) {
        snprintf(r->wheels[i], sizeof r->wheels[i], "%s/../../nvidia/%s", program,
                 wheel_folders[i]);
        if (exists(r->wheels[i]))
            candidates[count++] = r->wheels[i];
    }
    candidates[count++] = REDSWEEP_TOOLKIT;
    candidates[count++] = r->beside;
    candidates[count++] = "/usr/local/cuda";
    for (int i = 0; i < count; i++) {
        bool known = candidates[i][0] == '\0';
        for (int j = 0; j < r->count; j++)
            known = known || strcmp(r->toolkits[j], candidates[i]) == 0;
        if (!known)
            r->toolkits[r->count++] = candidates[i];
    }
}

/*
 * Opens the library at `path`. If the file exists but cannot be opened, appends the loader's reason
 * to `report`. A missing file is reported only if `report_always` is true, because most of the
 * searched folders do not contain the library.
 */
static void *try_open(const char *path, bool report_always, char *found, struct text *report)
{
    bool is_path = strchr(path, '/') != NULL;
    if (is_path && !report_always && !exists(path))
        return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) {
        if (found)
            snprintf(found, LIBRARY_PATH_SIZE, "%s", path);
        return library;
    }
    if (is_path) {
        const char *reason = dlerror();
        text_append(report, "\n  %s", reason ? reason : path); /* the reason begins with the path */
    }
    return NULL;
}

static void *search_everywhere(const struct roots *r, const char *name, char *found,
                               struct text *report)
{
    char path[LIBRARY_PATH_SIZE];
    void *library = NULL;
    if (r->program[0] && snprintf(path, sizeof path, "%s/%s", r->program, name) < (int)sizeof path)
        library = try_open(path, false, found, report);
    for (int i = 0; !library && i < r->count; i++)
        for (int j = 0; !library && library_folders[j]; j++)
            if (snprintf(path, sizeof path, "%s/%s/%s", r->toolkits[i], library_folders[j], name) <
                (int)sizeof path)
                library = try_open(path, false, found, report);
    return library ? library : try_open(name, false, found, report);
}

void *library_open(const char *const *names, const char *environment, char *found, struct error *e)
{
    struct text report = {0};
    const char *given = environment ? getenv(environment) : NULL;
    void *library = NULL;
    if (given && given[0]) {
        library = try_open(given, true, found, &report);
        if (!library)
            FAIL_LINES(e, ERROR_SYSTEM, "%s=%s cannot be opened as a library%s", environment, given,
                       text_shown(&report));
        text_free(&report);
        return library;
    }
    struct roots r;
    find_roots(&r);
    for (int i = 0; !library && names[i]; i++)
        library = search_everywhere(&r, names[i], found, &report);
    if (!library && report.length) {
        FAIL_LINES(e, ERROR_SYSTEM, "%s exists, but cannot be opened as a library:%s", names[0],
                   report.bytes);
    } else if (!library) {
        for (int i = 0; i < r.count; i++)
            text_append(&report, ", %s/lib64", r.toolkits[i]);
        FAIL(e, ERROR_SYSTEM,
             "%s was not found in %s%s or in the paths of the system's loader. Run `make`, which "
             "fetches NVIDIA's libraries into build/toolkit%s%s%s",
             names[0], r.program[0] ? r.program : "the program's folder (which is unknown)",
             text_shown(&report), environment ? ", or set " : "", environment ? environment : "",
             environment ? " to the library's path" : "");
    }
    text_free(&report);
    return library;
}

void *library_open_cuda(const char *name, const char *environment, char *found, struct error *e)
{
    char files[CUDA_SUFFIXES][64];
    const char *names[CUDA_SUFFIXES + 1] = {NULL};
    for (int i = 0; i < CUDA_SUFFIXES; i++) {
        snprintf(files[i], sizeof files[i], "%s.so%s", name, cuda_suffixes[i]);
        names[i] = files[i];
    }
    return library_open(names, environment, found, e);
}

void library_open_beside(const char *path, const char *name)
{
    char beside[LIBRARY_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    if (slash && snprintf(beside, sizeof beside, "%.*s/%s", (int)(slash - path), path, name) <
                     (int)sizeof beside)
        dlopen(beside, RTLD_NOW | RTLD_LOCAL); /* stays open, so that the loader finds it later */
}

bool library_beside_program(const char *name, char *path)
{
    static const char *const folders[] = {"", "/../lib/redsweep"};
    struct roots r;
    char candidate[LIBRARY_PATH_SIZE];
    find_roots(&r);
    for (size_t i = 0; r.program[0] && i < sizeof folders / sizeof *folders; i++) {
        if (snprintf(candidate, sizeof candidate, "%s%s/%s", r.program, folders[i], name) >=
                (int)sizeof candidate ||
            !exists(candidate))
            continue;
        if (path)
            memcpy(path, candidate, strlen(candidate) + 1);
        return true;
    }
    return false;
}

void *library_function(void *library, const char *path, const char *name, struct error *e)
{
    void *function = dlsym(library, name);
    if (!function)
        FAIL(e, ERROR_SYSTEM, "%s has no function %s; install CUDA 12.4 or newer", path, name);
    return function;
}

bool library_toolkit_path(const char *relative, const char *library, const char *environment,
                          char *path)
{
    const char *given = environment ? getenv(environment) : NULL;
    if (given && given[0]) {
        snprintf(path, LIBRARY_PATH_SIZE, "%s", given);
        return exists(path);
    }
    struct roots r;
    find_roots(&r);
    const char *slash = strrchr(relative, '/');
    if (r.program[0] &&
        snprintf(path, LIBRARY_PATH_SIZE, "%s/%s", r.program, slash ? slash + 1 : relative) <
            LIBRARY_PATH_SIZE &&
        exists(path))
        return true;
    const char *folder_end = library ? strrchr(library, '/') : NULL;
    if (folder_end &&
        snprintf(path, LIBRARY_PATH_SIZE, "%.*s/../%s", (int)(folder_end - library), library,
                 relative) < LIBRARY_PATH_SIZE &&
        exists(path))
        return true;
    for (int i = 0; i < r.count; i++)
        if (snprintf(path, LIBRARY_PATH_SIZE, "%s/%s", r.toolkits[i], relative) <
                LIBRARY_PATH_SIZE &&
            exists(path))
            return true;
    path[0] = '\0';
    return false;
}
