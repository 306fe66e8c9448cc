/*
 * Finds redsweep's files on this machine: the kernels, the configs, and the cache of compiled
 * kernels.
 *
 * The program looks for its kernels relative to its own location, so a copied source tree works
 * anywhere. So does an installation, because bin/redsweep finds ../share/redsweep/kernels.
 */
#include "spec/folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/memory.h"

static bool beside_program(char *path, size_t size)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    static const char *const places[] = {"/kernels", "/../kernels", "/../share/redsweep/kernels"};
    char *slash = strrchr(self, '/');
    if (!slash)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char place[4200], *whole;
        snprintf(place, sizeof place, "%s%s", self, places[i]);
        if (!folder_exists(place) || !(whole = realpath(place, NULL)))
            continue;
        bool fits = (size_t)snprintf(path, size, "%s", whole) < size;
        free(whole);
        if (fits)
            return true;
    }
    return false;
}

bool find_kernel_folder(char *path, size_t size, struct error *e)
{
    const char *home = getenv("REDSWEEP_HOME");
    if (home) {
        snprintf(path, size, "%s/kernels", home);
        return folder_exists(path) ||
               FAIL(e, ERROR_SYSTEM,
                    "REDSWEEP_HOME is %s, but the folder %s does not exist; set REDSWEEP_HOME to "
                    "the folder that contains redsweep's folder kernels",
                    home, path);
    }
    if (beside_program(path, size))
        return true;
    snprintf(path, size, "kernels");
    return folder_exists(path) ||
           FAIL(e, ERROR_SYSTEM,
                "redsweep's folder 'kernels' is neither beside the program nor in the current "
                "folder; set REDSWEEP_HOME to the folder that contains it");
}

bool find_data_folder(char *path, size_t size, struct error *e)
{
    if (!find_kernel_folder(path, size, e))
        return false;
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    else
        snprintf(path, size, ".");
    return true;
}

const char *find_config(const char *given, char *path, size_t size)
{
    char data[4096];
    if (!given || given[0] == '/' || access(given, F_OK) == 0 ||
        !find_data_folder(data, sizeof data, NULL) ||
        (size_t)snprintf(path, size, "%s/%s", data, given) >= size || access(path, R_OK) != 0)
        return given;
    return path;
}

const char *suggest_config(const char *given, char out[CONFIG_HINT])
{
    const char *slash = strrchr(given, '/'), *name = slash ? slash + 1 : given;
    const char *dot = strrchr(name, '.');
    int length = (int)(dot && strcmp(dot, ".json") == 0 ? dot - name : (long)strlen(name));
    char shipped[300], path[4200];
    out[0] = '\0';
    if (length == 0 || (size_t)snprintf(shipped, sizeof shipped, "configs/%.*s.json", length,
                                        name) >= sizeof shipped)
        return out;
    const char *found = find_config(shipped, path, sizeof path);
    if (access(found, R_OK) == 0)
        snprintf(out, CONFIG_HINT, "; did you mean %s?", shipped);
    return out;
}

void find_cache_folder(char *path, size_t size)
{
    const char *given = getenv("REDSWEEP_CACHE");
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (given && *given)
        snprintf(path, size, "%s", given);
    else if (cache && *cache)
        snprintf(path, size, "%s/redsweep", cache);
    else if (home && *home)
        snprintf(path, size, "%s/.cache/redsweep", home);
    else
        snprintf(path, size, "/tmp/redsweep-cache-%ld", (long)getuid());
}

/* Reads the harness's own kernels. */
static bool read_support(const char *kernel_folder, struct catalogue *support, struct error *e)
{
    char own[4200];
    snprintf(own, sizeof own, "%s/support", kernel_folder);
    const char *own_folder = own;
    return catalogue_read(&own_folder, 1, support, e);
}

/*
 * Removes kernels whose code is in the program or in a library next to it. Both sides of a gate
 * would run the same code for such a kernel, so there is nothing to compare.
 */
static void drop_host_code(struct catalogue *c)
{
    int kept = 0;
    for (int i = 0; i < c->count; i++) {
        if (c->kernels[i]->backend == BACKEND_CPU || c->kernels[i]->library)
            kernel_free(c->kernels[i]);
        else
            c->kernels[kept++] = c->kernels[i];
    }
    c->count = kept;
}

bool read_catalogues(const char *kernel_folder, const char *const *more, int more_count,
                     struct catalogue *kernels, struct catalogue *support, struct error *e)
{
    const char **folders = xcalloc((size_t)more_count + 1, sizeof *folders);
    int count = 0;
    folders[count++] = kernel_folder;
    for (int i = 0; i < more_count; i++)
        folders[count++] = more[i];
    bool ok = catalogue_read(folders, count, kernels, e);
    free(folders);
    if (!ok)
        return false;
    if (read_support(kernel_folder, support, e))
        return true;
    catalogue_free(kernels);
    return false;
}

bool read_two_sides(const char *kernel_folder, const char *const folders[2],
                    struct catalogue *kernels, struct catalogue *support, struct error *e)
{
    struct catalogue sides[2] = {0};
    bool ok = catalogue_read(&folders[0], 1, &sides[0], e) &&
              catalogue_read(&folders[1], 1, &sides[1], e) &&
              read_support(kernel_folder, support, e);
    for (int i = 0; i < 2; i++) {
        if (ok)
            drop_host_code(&sides[i]);
        else
            catalogue_free(&sides[i]);
    }
    if (ok)
        catalogue_combine(sides, kernels);
    return ok;
}
