/*
 * Opens libraries when they are needed, so that the program can start without them.
 *
 * `redsweep --help` has to work on a machine that has none of NVIDIA's libraries, so NVRTC,
 * nvJitLink and CUPTI are opened with dlopen(). All of them, and the files of the toolkit that go with
 * them (headers, libcudadevrt.a), are searched for in this order:
 *
 *   1. the file that an environment variable names; when it is set, nothing else is tried
 *   2. the program's own folder (a copy that was staged with its libraries)
 *   3. $CUDA_HOME
 *   4. ../lib/redsweep/toolkit from the program's own folder (what `make install` brings along)
 *   5. ../../nvidia from the program's own folder: NVIDIA's wheels, if redsweep came in one as well
 *   6. the toolkit that the program was built with
 *   7. toolkit/ in the program's own folder (what setup/toolkit.sh fetches into build/toolkit)
 *   8. /usr/local/cuda
 *   9. for libraries only: wherever the system's loader looks
 *
 * A library of the toolkit has the major version of CUDA in its name. The version that the program
 * was built with is looked for everywhere before the other one. The libraries of one process, and
 * their headers, therefore fit together and fit the driver: if $CUDA_HOME has CUDA 13, a program
 * built for an older driver does not use its compiler, whose code that driver could not load.
 */
#ifndef REDSWEEP_BASE_LIBRARY_H
#define REDSWEEP_BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { LIBRARY_PATH_SIZE = 4096 };

/*
 * Opens the first library that is found under one of `names` (NULL-terminated, best first:
 * "libnvidia-ml.so.1", "libnvidia-ml.so"; each is looked for everywhere before the next).
 * `environment` is the variable of step 1, or NULL. `found` (LIBRARY_PATH_SIZE bytes, or NULL)
 * receives the path, or the bare name for step 9. Returns the handle for dlsym(), or NULL after
 * filling the error (ERROR_SYSTEM) with the folders that were searched and with the loader's message
 * about a file that exists but cannot be opened.
 */
void *library_open(const char *const *names, const char *environment, char *found, struct error *e);

/*
 * Opens a library of the CUDA Toolkit, whose file name ends in CUDA's major version:
 * "libnvrtc" opens libnvrtc.so.13 or libnvrtc.so.12, and tries the version of the build first.
 */
void *library_open_cuda(const char *name, const char *environment, char *found, struct error *e);

/*
 * Opens a library that the one at `path` will request from the system's loader by its bare name
 * (NVRTC its built-in functions, CUPTI its tables of counters). Outside the system's own folders
 * the loader only finds libraries that are already open, which this call ensures. Does nothing if
 * `name` is not in the folder of `path`.
 */
void library_open_beside(const char *path, const char *name);

/*
 * Whether a file of this name is in the program's own folder (what `make` puts there) or,
 * installed, in ../lib/redsweep. Writes its path to `path` (LIBRARY_PATH_SIZE bytes, or NULL).
 */
bool library_beside_program(const char *name, char *path);

/*
 * Finds one function of an open library. If the library is too old to have it, returns NULL after
 * filling the error (ERROR_SYSTEM) with the name and the library.
 */
void *library_function(void *library, const char *path, const char *name, struct error *e);

/*
 * Finds a file or folder of the toolkit: `relative` is "include/cuda.h", "lib64/libcudadevrt.a". In
 * the program's own folder (step 2) only its last component counts. `library` is the path of an
 * open library or NULL: its toolkit is searched after that folder. `environment` is as above. Writes
 * at most LIBRARY_PATH_SIZE bytes to `path`; false if there is none.
 */
bool library_toolkit_path(const char *relative, const char *library, const char *environment,
                          char *path);

#endif
