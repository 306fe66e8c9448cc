/* Implements cache.h. */
#include "compile/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"
#include "base/transfer.h"

enum {
    CACHE_VERSION = 2,
    LARGEST_RECIPE = 1 << 16,
    LARGEST_IMAGE = 1 << 28,
    /*
     * the age at which an unfinished file is removed: no compilation takes that long, so the
     * process that was writing it is gone
     */
    UNFINISHED_SECONDS = 3600
};

static const char magic[16] = "redsweep image\n";
static const char unfinished[] = ".unfinished-";

/* The members have fixed sizes, and there is no padding between them. */
struct header {
    char magic[16];
    uint32_t version;
    uint32_t recipe_length; /* the length of the recipe with its NUL */
    uint64_t key;
    uint64_t image_length;
    double compile_ms;
    uint64_t checksum; /* a hash of all members above, the recipe and the image */
};

static uint64_t checksum(const struct header *h, const char *recipe, const char *image)
{
    uint64_t sum = hash_bytes(HASH_START, h, offsetof(struct header, checksum));
    sum = hash_bytes(sum, recipe, h->recipe_length);
    return hash_bytes(sum, image, h->image_length);
}

static bool entry_path(char path[PATH_MAX], const char *folder, uint64_t key)
{
    return snprintf(path, PATH_MAX, "%s/%016" PRIx64 ".image", folder, key) < PATH_MAX;
}

static void remove_unfinished(const char *folder)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    time_t now = time(NULL);
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) {
        struct stat status;
        if (strncmp(entry->d_name, unfinished, sizeof unfinished - 1) == 0 &&
            fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(status.st_mode) && now - status.st_mtime > UNFINISHED_SECONDS)
            unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
}

static bool is_ours_alone(const struct stat *status)
{
    return status->st_uid == geteuid() && (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static bool check_folder(const char *folder, struct error *e)
{
    struct stat status;
    if (lstat(folder, &status) != 0)
        return FAIL(e, ERROR_SYSTEM, "the compile cache's folder %s cannot be examined: %s", folder,
                    strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return FAIL(e, ERROR_SYSTEM, "the compile cache's path %s is not a folder%s", folder,
                    S_ISLNK(status.st_mode) ? " but a symbolic link" : "");
    return is_ours_alone(&status) ||
           FAIL(e, ERROR_SYSTEM,
                "the compile cache's folder %s belongs to user %ld and has mode %03o, so other "
                "users could put code into it; set REDSWEEP_CACHE to a folder that belongs to you "
                "and that only you can write to",
                folder, (long)status.st_uid, (unsigned)status.st_mode & 07777);
}

bool cache_prepare(const char *folder, struct error *e)
{
    if (!folder[0])
        return FAIL(e, ERROR_SYSTEM,
                    "the folder of the compile cache is unknown; set REDSWEEP_CACHE or HOME");
    if (!folder_create(folder, 0700, e))
        return error_prefix(e, "compile cache");
    if (!check_folder(folder, e))
        return false;
    remove_unfinished(folder);
    return true;
}

/* Checks, before anything is allocated, that the file belongs to the user and is as long as its
 * header says. */
static bool header_fits(const struct header *h, uint64_t key, const char *recipe, int fd)
{
    struct stat status;
    return memcmp(h->magic, magic, sizeof magic) == 0 && h->version == CACHE_VERSION &&
           h->key == key && h->recipe_length == strlen(recipe) + 1 &&
           h->image_length <= LARGEST_IMAGE && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
           is_ours_alone(&status) &&
           (uint64_t)status.st_size == sizeof *h + h->recipe_length + h->image_length;
}

bool cache_read(const char *folder, uint64_t key, const char *recipe, char **bytes, size_t *length,
                double *compile_ms)
{
    char path[PATH_MAX];
    if (!entry_path(path, folder, key))
        return false;
    /* O_NONBLOCK, because opening would block if the entry were a FIFO. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0)
        return false;
    struct header h;
    char *body = NULL;
    bool ok = read_exactly(fd, &h, sizeof h, NO_DEADLINE) && header_fits(&h, key, recipe, fd) &&
              (body = malloc(h.recipe_length + h.image_length + 1)) != NULL &&
              read_exactly(fd, body, h.recipe_length + h.image_length, NO_DEADLINE) &&
              memcmp(body, recipe, h.recipe_length) == 0 &&
              checksum(&h, body, body + h.recipe_length) == h.checksum;
    close(fd);
    if (!ok) {
        free(body);
        return false;
    }
    memmove(body, body + h.recipe_length, h.image_length);
    body[h.image_length] = '\0'; /* a NUL, because PTX is text */
    *bytes = body;
    *length = h.image_length;
    if (compile_ms)
        *compile_ms = h.compile_ms;
    return true;
}

bool cache_write(const char *folder, uint64_t key, const char *recipe, const char *bytes,
                 size_t length, double compile_ms)
{
    size_t recipe_length = strlen(recipe) + 1;
    char path[PATH_MAX], temporary[PATH_MAX];
    if (recipe_length > LARGEST_RECIPE || length > LARGEST_IMAGE ||
        !entry_path(path, folder, key) ||
        snprintf(temporary, sizeof temporary, "%s/%sXXXXXX", folder, unfinished) >=
            (int)sizeof temporary)
        return false;
    struct header h = {.version = CACHE_VERSION,
                       .recipe_length = (uint32_t)recipe_length,
                       .key = key,
                       .image_length = length,
                       .compile_ms = compile_ms};
    memcpy(h.magic, magic, sizeof magic);
    h.checksum = checksum(&h, recipe, bytes);

    int fd = mkostemp(temporary, O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write_exactly(fd, &h, sizeof h, NO_DEADLINE) &&
              write_exactly(fd, recipe, recipe_length, NO_DEADLINE) &&
              write_exactly(fd, bytes, length, NO_DEADLINE) && fchmod(fd, 0600) == 0;
    ok = close(fd) == 0 && ok;
    ok = ok && rename(temporary, path) == 0;
    if (!ok)
        unlink(temporary);
    return ok;
}
