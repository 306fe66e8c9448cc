/*
 * Finds the kernels in folders or single files, and sorts them by name. A kernel is a *.cu file, a
 * *.facts file (facts about code in another file, see kernel.h) or a *.c file (a CPU function). A
 * source file that a *.facts file names as its code is not a kernel of its own.
 *
 * Skips hidden files (some editors create them), and sub-folders that the folder's index does not
 * name (kernel_index.h). A folder that is given twice, even by different paths, is read once. It is
 * an error if two files define kernels with the same name.
 */
#include "spec/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/vec.h"
#include "spec/kernel_index.h"

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), of_end = strlen(end);
    return length > of_end && strcmp(name + length - of_end, end) == 0;
}

static bool is_kernel_file(const char *name)
{
    return name[0] != '.' &&
           (ends_in(name, ".cu") || ends_in(name, ".c") || ends_in(name, ".facts"));
}

static bool add_file(struct catalogue *c, const char *path, struct error *e)
{
    char *code;
    size_t length;
    struct kernel *k = NULL;
    if (!file_read(path, KERNEL_MAX_BYTES, &code, &length, e))
        return error_prefix(e, "cannot read the kernel");
    bool ok = kernel_parse(path, code, length, &k, e);
    free(code);
    for (int i = 0; ok && i < c->count; i++)
        if (strcmp(c->kernels[i]->name, k->name) == 0)
            ok = FAIL(e, ERROR_CONFIG,
                      "the kernel %s is defined in %s and again in %s; rename one of them", k->name,
                      c->kernels[i]->path, k->path);
    if (!ok) {
        kernel_free(k);
        return false;
    }
    array_push(c->kernels, c->count, k);
    return true;
}

static int wanted(const struct dirent *entry)
{
    return is_kernel_file(entry->d_name);
}

/* Returns whether a kernel in this folder names the file as its code. The folder's kernels begin at
 * index `first`. */
static bool is_code_of(const struct catalogue *c, int first, const char *name)
{
    for (int i = first; i < c->count; i++)
        if (c->kernels[i]->code_file && strcmp(c->kernels[i]->code_file, name) == 0)
            return true;
    return false;
}

/* Reads the kernels in one folder, without its sub-folders. */
static bool add_files(struct catalogue *c, const char *folder, struct error *e)
{
    struct dirent **entries;
    /* The entries are sorted, so that the first error is always the same one. */
    int count = scandir(folder, &entries, wanted, alphasort);
    if (count < 0)
        return FAIL(e, ERROR_CONFIG, "the kernel folder %s cannot be read: %s", folder,
                    strerror(errno));
    bool ok = true;
    int first = c->count;
    const char *slash = folder[0] && folder[strlen(folder) - 1] == '/' ? "" : "/";
    /* Reads *.facts files first, because they name the files that contain only code. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; ok && i < count; i++) {
            const char *name = entries[i]->d_name;
            if (ends_in(name, ".facts") != (pass == 0) || is_code_of(c, first, name))
                continue;
            char *path = xasprintf("%s%s%s", folder, slash, name);
            ok = add_file(c, path, e);
            free(path);
        }
    }
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return ok;
}

static bool add_folder(struct catalogue *c, const char *folder, struct error *e)
{
    struct kernel_index index;
    struct stat status;
    int before = c->count;
    /* `folder` may also be the file of a single kernel. */
    if (stat(folder, &status) == 0 && S_ISREG(status.st_mode)) {
        if (!add_file(c, folder, e))
            return false;
        c->kernels[before]->place = INT_MAX;
        c->kernels[before]->family = xstrdup("");
        return true;
    }
    if (!kernel_index_read(folder, &index, e))
        return false;
    bool ok = add_files(c, folder, e);
    for (size_t i = 0; ok && i < index.folders.count; i++) {
        char *path = xasprintf("%s/%s", folder, index.folders.items[i]);
        ok = add_files(c, path, e);
        free(path);
    }
    if (ok && c->count == before)
        ok = FAIL(
            e, ERROR_CONFIG,
            "the kernel folder %s contains no kernel; kernels are in files *.cu, *.facts or *.c",
            folder);
    for (int i = before; ok && i < c->count; i++) {
        int place = kernel_index_find(&index, c->kernels[i]->name);
        c->kernels[i]->place = place >= 0 ? place : INT_MAX;
        c->kernels[i]->family = xstrdup(place >= 0 ? index.places.items[place].family : "");
    }
    kernel_index_free(&index);
    return ok;
}

/* Returns whether an earlier entry in the list is the same folder as folders[i]. */
static bool is_repeated(const char *const *folders, int i)
{
    struct stat here, earlier;
    if (stat(folders[i], &here) != 0)
        return false;
    for (int j = 0; j < i; j++)
        if (stat(folders[j], &earlier) == 0 && earlier.st_dev == here.st_dev &&
            earlier.st_ino == here.st_ino)
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    const struct kernel *const *first = a, *const *second = b;
    return strcmp((*first)->name, (*second)->name);
}

bool catalogue_read(const char *const *folders, int folder_count, struct catalogue *out,
                    struct error *e)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < folder_count; i++)
        if (!is_repeated(folders, i) && !add_folder(out, folders[i], e)) {
            catalogue_free(out);
            return false;
        }
    if (out->count > 1)
        qsort(out->kernels, (size_t)out->count, sizeof *out->kernels, by_name);
    return true;
}

static int by_name_and_side(const void *a, const void *b)
{
    const struct kernel *const *first = a, *const *second = b;
    int order = by_name(a, b);
    return order ? order : (*first)->side - (*second)->side;
}

void catalogue_combine(struct catalogue sides[2], struct catalogue *out)
{
    out->count = 0;
    out->kernels = xcalloc((size_t)(sides[0].count + sides[1].count) + 1, sizeof *out->kernels);
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < sides[side].count; i++) {
            sides[side].kernels[i]->side = side;
            out->kernels[out->count++] = sides[side].kernels[i];
        }
        sides[side].count = 0;
        catalogue_free(&sides[side]);
    }
    qsort(out->kernels, (size_t)out->count, sizeof *out->kernels, by_name_and_side);
}

const struct kernel *catalogue_find(const struct catalogue *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->kernels[i]->name, name) == 0)
            return c->kernels[i];
    return NULL;
}

void catalogue_free(struct catalogue *c)
{
    for (int i = 0; i < c->count; i++)
        kernel_free(c->kernels[i]);
    free(c->kernels);
    memset(c, 0, sizeof *c);
}

const char *catalogue_suggestion(const struct catalogue *c, const char *name,
                                 char buffer[SUGGESTION_SIZE])
{
    VEC(const char *) names = {0};
    for (int i = 0; i < c->count; i++)
        vec_push(&names, c->kernels[i]->name);
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < c->kernels[i]->alias_count; k++)
            vec_push(&names, c->kernels[i]->aliases[k]);
    text_suggestion(name, names.items, names.count, buffer);
    vec_free(&names);
    return buffer;
}
