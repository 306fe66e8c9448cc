/*
 * `redsweep tuned --wheel` runs the script tuned/wheel.py, because the tools that make Python
 * packages are written in Python. The script gets the paths of the toolkit's headers and runtime.
 * If the toolkit has a static runtime, the library in the package is linked with it, as redsweep
 * is.
 */
#include "cli/tuned_wheel.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/library.h"
#include "base/memory.h"
#include "run/provenance.h"
#include "spec/folders.h"

/* Runs Python with the given arguments. Its output goes to the terminal, like that of redsweep. */
static bool run_python(const char *const *arguments, struct error *e)
{
    const char *python = getenv("PYTHON");
    int status = 0;
    python = python && *python ? python : "python3";
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execvp(python, (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    if (child < 0)
        return FAIL(e, ERROR_SYSTEM, "--wheel: cannot start %s: %s", python, strerror(errno));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return FAIL(e, ERROR_SYSTEM, "--wheel: cannot wait for %s: %s", python,
                        strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return FAIL(
            e, ERROR_SYSTEM,
            "--wheel needs Python 3, but %s cannot be found; name another interpreter in $PYTHON",
            python);
    return (WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
           FAIL(e, ERROR_SYSTEM,
                "--wheel: the library is complete, but its Python package could not be built; the "
                "lines above say why");
}

/*
 * Finds the headers and the runtime of a CUDA Toolkit. In NVIDIA's Python packages, the runtime is
 * in lib/.
 */
static bool find_toolkit(char include[LIBRARY_PATH_SIZE], char runtime[LIBRARY_PATH_SIZE + 32],
                         struct error *e)
{
    static const char *const names[] = {"lib64/libcudart_static.a", "lib/libcudart_static.a",
                                        "lib64/libcudart.so",       "lib64/libcudart.so.13",
                                        "lib64/libcudart.so.12",    "lib/libcudart.so.13",
                                        "lib/libcudart.so.12"};
    if (!library_toolkit_path("include/cuda_runtime_api.h", NULL, NULL, include))
        return FAIL(e, ERROR_SYSTEM,
                    "--wheel needs cuda_runtime_api.h of a CUDA Toolkit, which was not found; set "
                    "CUDA_HOME to the toolkit's folder");
    *strrchr(include, '/') = '\0';
    const int root = (int)(strrchr(include, '/') - include);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(runtime, LIBRARY_PATH_SIZE + 32, "%.*s/%s", root, include, names[i]);
        if (access(runtime, R_OK) == 0)
            return true;
    }
    return FAIL(e, ERROR_SYSTEM,
                "--wheel needs CUDA's runtime (libcudart), which %.*s does not contain; set "
                "CUDA_HOME to a toolkit's folder",
                root, include);
}

bool tuned_wheel(const char *folder, const char *prefix, struct error *e)
{
    char data[4096], include[LIBRARY_PATH_SIZE], runtime[LIBRARY_PATH_SIZE + 32], version[64];
    if (!find_data_folder(data, sizeof data, e) || !find_toolkit(include, runtime, e))
        return false;
    snprintf(version, sizeof version, "%s", redsweep_version());
    version[strcspn(version, " ")] = '\0';
    char *script = xasprintf("%s/tuned/wheel.py", data);
    const char *const arguments[] = {"python3", script,  folder,  prefix,
                                     version,   include, runtime, NULL};
    bool ok = run_python(arguments, e);
    free(script);
    return ok;
}
