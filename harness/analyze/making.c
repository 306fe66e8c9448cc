/* Implements making.h. */
#include "analyze/making.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/memory.h"
#include "record/anchors.h"
#include "record/json.h"
#include "record/lock.h"
#include "record/manifest.h"

#define MARK ".merge"
#define LOCK ".lock"

/* The files that a maker writes. A file is called FILE.part until it is complete. */
static const char *const files[] = {"results.csv", "samples.csv", ANCHORS_FILE, JSON_FILE,
                                    MANIFEST_FILE};

static bool is_own(const char *name)
{
    bool own = strcmp(name, MARK) == 0 || strcmp(name, LOCK) == 0;
    for (size_t i = 0; i < sizeof files / sizeof *files && !own; i++) {
        size_t length = strlen(files[i]);
        own = strncmp(name, files[i], length) == 0 &&
              (!name[length] || strcmp(name + length, ".part") == 0);
    }
    return own;
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Opens a folder. Fails if `path` is a link. */
static bool open_folder(const char *path, int *fd, struct error *e)
{
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    return *fd >= 0 ||
           FAIL(e, ERROR_SYSTEM, "the folder %s cannot be opened: %s", path,
                errno == ELOOP || errno == ENOTDIR ? "it is a link, or it is not a folder"
                                                   : strerror(errno));
}

/*
 * Stores in `name` the name of the first entry of a folder that no maker wrote, or "" if there is
 * none. If the folder lacks the mark, every entry but the lock counts as foreign.
 */
static bool find_foreign(int fd, const char *path, char name[NAME_MAX + 1], struct error *e)
{
    int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again < 0 ? NULL : fdopendir(again);
    if (!folder)
        return FAIL(e, ERROR_SYSTEM, "the folder %s cannot be read: %s", path, strerror(errno));
    bool marked = faccessat(fd, MARK, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    name[0] = '\0';
    for (struct dirent *d; !name[0] && (d = readdir(folder));)
        if (!is_dots(d->d_name) && strcmp(d->d_name, LOCK) != 0 && !(marked && is_own(d->d_name)))
            snprintf(name, NAME_MAX + 1, "%s", d->d_name);
    closedir(folder);
    return true;
}

static bool remove_file(int fd, const char *path, const char *name, struct error *e)
{
    return unlinkat(fd, name, 0) == 0 || errno == ENOENT ||
           FAIL(e, ERROR_SYSTEM, "%s/%s cannot be removed: %s", path, name, strerror(errno));
}

/*
 * Removes a maker's files. The mark is removed last, so that the folder stays marked if the process
 * is killed before that.
 */
static bool remove_files(int fd, const char *path, struct error *e)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof files / sizeof *files && ok; i++) {
        char *part = xasprintf("%s.part", files[i]);
        ok = remove_file(fd, path, files[i], e) && remove_file(fd, path, part, e);
        free(part);
    }
    return ok && remove_file(fd, path, MARK, e);
}

/* Empties a folder that a killed maker left behind. */
static bool clear(int fd, const char *path, struct error *e)
{
    char foreign[NAME_MAX + 1];
    if (!find_foreign(fd, path, foreign, e))
        return false;
    if (foreign[0])
        return FAIL(e, ERROR_USAGE,
                    "the folder %s contains %s, which does not belong to an unfinished merge; "
                    "remove the folder, or name another one with --out",
                    path, foreign);
    return remove_files(fd, path, e);
}

/*
 * Makes sure that RUN does not exist or is empty. Empties it first if a maker was killed after
 * renaming but before removing the mark.
 */
static bool free_run(const char *run, struct error *e)
{
    char *mark = xasprintf("%s/" MARK, run);
    bool marked = access(mark, F_OK) == 0, ok = true;
    free(mark);
    int fd;
    if (marked) {
        ok = folder_is_idle(run, e) && open_folder(run, &fd, e);
        if (ok) {
            ok = clear(fd, run, e) && remove_file(fd, run, LOCK, e);
            close(fd);
        }
    }
    return ok && (access(run, F_OK) != 0 || folder_create_empty(run, e));
}

static bool set_mark(const struct making *m, struct error *e)
{
    int mark = openat(m->fd, MARK, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (mark < 0 || fsync(mark) != 0 || fsync(m->fd) != 0) {
        FAIL(e, ERROR_SYSTEM, "%s/" MARK " cannot be written: %s", m->part, strerror(errno));
        if (mark >= 0)
            close(mark);
        return false;
    }
    close(mark);
    return true;
}

static void making_free(struct making *m)
{
    free(m->run);
    free(m->part);
    if (m->fd >= 0)
        close(m->fd);
}

/*
 * Returns the path of RUN without trailing slashes. If RUN exists, links in the path are resolved.
 */
static char *plain_path(const char *run)
{
    char *real = realpath(run, NULL);
    size_t length = strlen(run);
    while (length > 1 && run[length - 1] == '/')
        length--;
    return real ? real : xstrndup(run, length);
}

static void remove_part(struct making *m)
{
    struct error ignored = {0}; /* The caller returns the earlier error. */
    (void)remove_files(m->fd, m->part, &ignored);
    folder_unlock(m->part, m->lock);
    (void)rmdir(m->part);
}

bool making_begin(struct making *out, const char *run, struct error *e)
{
    char *path = plain_path(run);
    *out = (struct making){.run = path, .part = xasprintf("%s.part", path), .fd = -1};
    bool locked = free_run(out->run, e) && folder_create(out->part, 0777, e) &&
                  open_folder(out->part, &out->fd, e) && folder_lock(out->part, &out->lock, e);
    bool cleared = locked && clear(out->fd, out->part, e);
    if (cleared && set_mark(out, e))
        return true;
    if (cleared)
        remove_part(out);
    else if (locked)
        folder_unlock(out->part, out->lock);
    making_free(out);
    return false;
}

/* Renames RUN.part and syncs its parent folder, so that the new name reaches the disk. */
static bool rename_part(const struct making *m, struct error *e)
{
    char *parent = xasprintf("%s/..", m->run);
    int fd = -1;
    bool ok =
        (rename(m->part, m->run) == 0 || FAIL(e, ERROR_SYSTEM, "%s cannot be renamed to %s: %s",
                                              m->part, m->run, strerror(errno))) &&
        folder_open(parent, &fd, e) &&
        (fsync(fd) == 0 ||
         FAIL(e, ERROR_SYSTEM, "the folder %s cannot be synced: %s", parent, strerror(errno)));
    if (fd >= 0)
        close(fd);
    free(parent);
    return ok;
}

bool making_end(struct making *m, bool ok, struct error *e)
{
    ok = ok && rename_part(m, e);
    if (ok) {
        ok = remove_file(m->fd, m->run, MARK, e);
        folder_unlock(m->run, m->lock);
    } else {
        remove_part(m);
    }
    making_free(m);
    return ok;
}
