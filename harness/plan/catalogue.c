/*
 * Finding kernels: every *.cu file, and every *.c file (functions of the CPU), of some folders,
 * sorted by name.
 *
 * Hidden files (editors leave such) and sub-folders are passed over. A folder that is given twice,
 * by whatever path, is read once; two different files with one name are an error.
 */
#include "plan/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

static bool is_kernel_file(const char *name)
{
    size_t length = strlen(name);
    return name[0] != '.' && ((length > 3 && strcmp(name + length - 3, ".cu") == 0) ||
                              (length > 2 && strcmp(name + length - 2, ".c") == 0));
}

static bool append_kernel(struct catalogue *c, struct kernel *k)
{
    struct kernel **grown = realloc(c->kernels, ((size_t)c->count + 1) * sizeof *grown);
    if (!grown)
        return false;
    c->kernels = grown;
    grown[c->count++] = k;
    return true;
}

/* The whole file, NUL-terminated, in `out`; only regular files of a sane size are read. */
static bool read_file(const char *path, struct text *out, struct error *e)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return FAIL(e, ERROR_CONFIG, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return FAIL(e, ERROR_CONFIG, "%s: is not an ordinary file; a kernel is one text file",
                    path);
    if (about.st_size > KERNEL_MAX_BYTES)
        return FAIL(e, ERROR_CONFIG,
                    "%s: the file has %lld bytes; a kernel's file may have at most %d (1 MiB)",
                    path, (long long)about.st_size, KERNEL_MAX_BYTES);
    FILE *f = fopen(path, "rb");
    if (!f)
        return FAIL(e, ERROR_CONFIG, "%s: cannot be opened: %s", path, strerror(errno));
    char piece[16384];
    size_t got;
    while (out->length <= KERNEL_MAX_BYTES && (got = fread(piece, 1, sizeof piece, f)) > 0)
        text_append_bytes(out, piece, got);
    bool failed = ferror(f) != 0;
    fclose(f);
    if (failed)
        return FAIL(e, ERROR_CONFIG, "%s: cannot be read: %s", path, strerror(errno));
    text_append_bytes(out, "", 0); /* an empty file is an empty text */
    return !out->failed || FAIL(e, ERROR_MEMORY, "%s: no memory left to read the file", path);
}

static bool add_file(struct catalogue *c, const char *path, struct error *e)
{
    struct text code = {0};
    struct kernel *k = NULL;
    bool ok = read_file(path, &code, e) && kernel_parse(path, code.bytes, code.length, &k, e);
    text_free(&code);
    if (!ok)
        return false;
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->kernels[i]->name, k->name) == 0) {
            FAIL(e, ERROR_CONFIG, "two kernels are called %s: %s and %s; rename one of them",
                 k->name, c->kernels[i]->path, k->path);
            kernel_free(k);
            return false;
        }
    if (append_kernel(c, k))
        return true;
    kernel_free(k);
    return FAIL(e, ERROR_MEMORY, "%s: no memory left for the catalogue", path);
}

static int wanted(const struct dirent *entry)
{
    return is_kernel_file(entry->d_name);
}

static bool add_named(struct catalogue *c, const char *folder, const char *name, struct error *e)
{
    struct text path = {0};
    size_t length = strlen(folder);
    text_append(&path, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", name);
    bool ok = path.failed ? FAIL(e, ERROR_MEMORY, "%s: no memory left for the catalogue", folder)
                          : add_file(c, path.bytes, e);
    text_free(&path);
    return ok;
}

static bool add_folder(struct catalogue *c, const char *folder, struct error *e)
{
    struct dirent **entries;
    int count =
        scandir(folder, &entries, wanted, alphasort); /* sorted: the first error is stable */
    if (count < 0)
        return FAIL(e, ERROR_CONFIG, "the kernel folder %s cannot be read: %s", folder,
                    strerror(errno));
    bool ok =
        count > 0 ||
        FAIL(e, ERROR_CONFIG, "the kernel folder %s holds no kernel (no *.cu or *.c file)", folder);
    for (int i = 0; i < count; i++) {
        ok = ok && add_named(c, folder, entries[i]->d_name, e);
        free(entries[i]);
    }
    free(entries);
    return ok;
}

/* Whether folders[i] is a folder that stands earlier in the list. */
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
