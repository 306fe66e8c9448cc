/*
 * The kernels of a run: redsweep's own, those of the config's folders, and those of --kernel-folder.
 */
#include "run/run_kernels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spec/config.h"
#include "spec/folders.h"

bool find_more_kernels(const char *given, char path[PATH_MAX], struct error *e)
{
    return !given || realpath(given, path) ||
           FAIL(e, ERROR_USAGE, "--kernel-folder %s: %s", given, strerror(errno));
}

bool read_kernels(const struct config *config, const char *more_kernels, const char *kernel_folder,
                  struct catalogue *kernels, struct catalogue *support, struct error *e)
{
    const char *more[65];
    int more_count = 0;
    for (; more_count < config->kernel_folders.count && more_count < 64; more_count++)
        more[more_count] = config->kernel_folders.names[more_count];
    if (more_kernels)
        more[more_count++] = more_kernels;
    return read_catalogues(kernel_folder, more, more_count, kernels, support, e);
}

bool run_catalogues(const struct config *config, const char *more_kernels,
                    struct catalogue *kernels, struct catalogue *support, struct error *e)
{
    char kernel_folder[4096], path[PATH_MAX];
    return find_kernel_folder(kernel_folder, sizeof kernel_folder, e) &&
           find_more_kernels(more_kernels, path, e) &&
           read_kernels(config, more_kernels ? path : NULL, kernel_folder, kernels, support, e);
}
