/*
 * Finds and reads a run's kernels: redsweep's own, those in the config's folders, and those in
 * --kernel-folder or in the current folder.
 */
#include "spec/more_kernels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "spec/config.h"
#include "spec/folders.h"

/* Returns whether the current folder contains the file of a kernel with this name, and writes the
 * file's path. */
static bool is_here(const char *name, char path[PATH_MAX])
{
    static const char *const ends[] = {"facts", "cu"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if ((size_t)snprintf(path, PATH_MAX, "%s.%s", name, ends[i]) < PATH_MAX &&
            access(path, R_OK) == 0)
            return true;
    return false;
}

/*
 * Looks for kernels named in `wanted` in the current folder. Reads redsweep's own kernels only if the
 * current folder has a file named after one of them.
 */
static bool find_here(const struct name_list *wanted, const char *kernel_folder,
                      char path[PATH_MAX], struct error *e)
{
    char file[PATH_MAX], found[PATH_MAX] = "";
    struct catalogue own = {0};
    int count = 0;
    for (int i = 0; i < wanted->count; i++) {
        const char *name = wanted->names[i];
        if (strchr(name, '/') || !is_here(name, file))
            continue;
        if (!own.count && !catalogue_read(&kernel_folder, 1, &own, e))
            return false;
        if (!catalogue_find(&own, name) && count++ == 0)
            memcpy(found, file, sizeof found);
    }
    catalogue_free(&own);
    path[0] = '\0';
    return count == 0 || realpath(count == 1 ? found : ".", path) ||
           FAIL(e, ERROR_SYSTEM, "%s: %s", found, strerror(errno));
}

bool find_more_kernels(const char *given, const struct name_list *wanted, const char *kernel_folder,
                       char path[PATH_MAX], struct error *e)
{
    if (!given)
        return find_here(wanted, kernel_folder, path, e);
    return realpath(given, path) ||
           FAIL(e, ERROR_USAGE, "--kernel-folder %s: %s", given, strerror(errno));
}

bool read_kernels(const struct config *config, const char *more_kernels, const char *kernel_folder,
                  struct catalogue *kernels, struct catalogue *support, struct error *e)
{
    const struct name_list *folders = &config->kernel_folders;
    const char **more = xcalloc((size_t)folders->count + 1, sizeof *more);
    int more_count = 0;
    for (; more_count < folders->count; more_count++)
        more[more_count] = folders->names[more_count];
    if (*more_kernels)
        more[more_count++] = more_kernels;
    bool ok = read_catalogues(kernel_folder, more, more_count, kernels, support, e);
    free(more);
    return ok;
}

bool run_catalogues(const struct config *config, const char *more_kernels,
                    struct catalogue *kernels, struct catalogue *support, struct error *e)
{
    char kernel_folder[4096], path[PATH_MAX];
    return find_kernel_folder(kernel_folder, sizeof kernel_folder, e) &&
           find_more_kernels(more_kernels, &config->kernels, kernel_folder, path, e) &&
           read_kernels(config, path, kernel_folder, kernels, support, e);
}
