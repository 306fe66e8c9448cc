/* Implements folder.h. */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static bool create(const char *path, mode_t mode, struct error *e)
{
    return mkdir(path, mode) == 0 || errno == EEXIST ||
           FAIL(e, ERROR_SYSTEM, "the folder %s cannot be created: %s", path, strerror(errno));
}

bool folder_create(const char *path, mode_t mode, struct error *e)
{
    char *part = xstrdup(path);
    bool ok = true;
    for (char *s = *part ? strchr(part + 1, '/') : NULL; ok && s; s = strchr(s + 1, '/')) {
        *s = '\0';
        ok = create(part, 0777, e);
        *s = '/';
    }
    free(part);
    return ok && create(path, mode, e);
}

bool folder_place(const char *path, struct error *e)
{
    struct stat st;
    if (lstat(path, &st) == 0 && !S_ISDIR(st.st_mode) && unlink(path) != 0)
        return FAIL(e, ERROR_SYSTEM, "%s cannot be removed: %s", path, strerror(errno));
    return create(path, 0777, e);
}

bool folder_create_empty(const char *path, struct error *e)
{
    if (!folder_create(path, 0777, e))
        return false;
    DIR *folder = opendir(path);
    if (!folder)
        return FAIL(e, ERROR_SYSTEM, "the folder %s cannot be opened: %s", path, strerror(errno));
    int entries = 0;
    while (readdir(folder))
        entries++;
    closedir(folder);
    return entries <= 2 || /* every folder has . and .. */
           FAIL(e, ERROR_USAGE,
                "--out %s: the folder is not empty; name a new one, or remove this one first",
                path);
}

bool folder_open(const char *path, int *fd, struct error *e)
{
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *fd >= 0 ||
           FAIL(e, ERROR_SYSTEM, "the folder %s cannot be opened: %s", path, strerror(errno));
}

bool folder_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
