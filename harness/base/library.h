/*
 * Opens libraries when they are needed, so that the program can start without them.
 *
 * `redsweep --help` has to work without NVIDIA's libraries, so NVRTC, nvJitLink and CUPTI are
 * opened with dlopen(). These libraries, and the toolkit files that belong to them (headers,
 * libcudadevrt.a), are searched for in this order:
 *
 *   1. the file that an environment variable names; if the variable is set, nothing else is tried
 *   2. the program's own folder (for a copy that was staged with its libraries)
 *   3. $CUDA_HOME
 *   4. ../lib/redsweep/toolkit from the program's own folder, which `make install` fills
 *   5. ../../nvidia from the program's own folder, which contains NVIDIA's wheels if redsweep was
 *      itself installed from a wheel
 *   6. the toolkit that the program was built with
 *   7. toolkit/ in the program's own folder; setup/toolkit.sh downloads it, to build/toolkit
 *   8. /usr/local/cuda
 *   9. for libraries only: the places where the system's loader looks
 *
 * The name of a toolkit library contains CUDA's major version. The version that the program was
 * built with is searched for in all places before any other version, so that all libraries of a
 * process have the same version, which the driver supports. For example, if the program was built
 * with CUDA 12 for an older driver, and $CUDA_HOME contains CUDA 13, the compiler of CUDA 13 is not
 * used, because the driver could not load its code.
 */
#ifndef REDSWEEP_BASE_LIBRARY_H
#define REDSWEEP_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { LIBRARY_PATH_SIZE = 4096 };

/*
 * Opens the first library found under one of `names` (NULL-terminated, best first:
 * "libnvidia-ml.so.1", "libnvidia-ml.so"). Searches for each name in all places before the next
 * name. `environment` is the variable for step 1, or NULL. `found` (LIBRARY_PATH_SIZE bytes, or
 * NULL) receives the path, or the bare name for step 9. Returns the handle for dlsym(). If there is
 * none, returns NULL and fills the error (ERROR_SYSTEM) with the folders that were searched, and
 * with what the loader said about a file that exists but cannot be opened.
 */
void *library_open(const char *const *names, const char *environment, char *found, struct error *e);

/*
 * Opens one of the CUDA Toolkit's libraries, whose file names end with CUDA's major version. For
 * example, "libnvrtc" opens libnvrtc.so.13 or libnvrtc.so.12, and tries the version of the build
 * first.
 */
void *library_open_cuda(const char *name, const char *environment, char *found, struct error *e);

/*
 * Opens a library that the library at `path` will request from the system's loader by its bare
 * name: NVRTC needs its built-in functions, and CUPTI its tables of counters. The loader searches
 * only the system's own folders and finds libraries elsewhere only if they are already open, so
 * this function opens the library in advance. Does nothing if `name` is not in the folder of
 * `path`.
 */
void library_open_beside(const char *path, const char *name);

/*
 * Returns whether a file with this name is in the program's own folder, where `make` puts it, or in
 * ../lib/redsweep, where it is installed. Writes its path to `path` (LIBRARY_PATH_SIZE bytes, or
 * NULL).
 */
bool library_beside_program(const char *name, char *path);

/*
 * Finds a function in an open library. If the library is too old to have it, returns NULL and fills
 * the error (ERROR_SYSTEM) with the name and the library.
 */
void *library_function(void *library, const char *path, const char *name, struct error *e);

/*
 * Finds a file or folder of the toolkit. `relative` is, for example, "include/cuda.h" or
 * "lib64/libcudadevrt.a"; in the program's own folder (step 2), only its last component counts.
 * `library` is NULL, or the path of an open library; the toolkit that contains it is then searched
 * after the program's own folder. `environment` is the variable for step 1. Writes at most
 * LIBRARY_PATH_SIZE bytes to `path`. Returns false if there is no such file.
 */
bool library_toolkit_path(const char *relative, const char *library, const char *environment,
                          char *path);

#endif
