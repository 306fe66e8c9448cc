/*
 * Making, locking and naming a run's folder: see folder.h.
 */
#include "run/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

enum { HEADER_MOST_BYTES = 1 << 20 };

static bool make_parents(const char *path, struct error *e)
{
    char part[4096];
    if (strlen(path) >= sizeof part)
        return FAIL(e, ERROR_USAGE, "the path of the results is longer than %zu bytes",
                    sizeof part - 1);
    strcpy(part, path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return FAIL(e, ERROR_SYSTEM, "cannot make the folder %s: %s", part, strerror(errno));
        *slash = '/';
    }
    return true;
}

static bool is_empty(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    int entries = 0;
    while (readdir(dir))
        entries++;
    closedir(dir);
    return entries <= 2; /* . and .. */
}

static bool make_wanted(const char *path, struct error *e)
{
    if (!make_parents(path, e))
        return false;
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno != EEXIST)
        return FAIL(e, ERROR_SYSTEM, "cannot make the folder %s: %s", path, strerror(errno));
    if (!is_empty(path))
        return FAIL(e, ERROR_USAGE,
                    "--out %s: is not an empty folder; name a new one, or remove it first", path);
    return true;
}

bool folder_make(const char *wanted, const char *name, const char *slug, char *path, size_t size,
                 struct error *e)
{
    if (wanted) {
        if ((size_t)snprintf(path, size, "%s", wanted) >= size)
            return FAIL(e, ERROR_USAGE, "--out: the path is too long");
        return make_wanted(path, e);
    }
    time_t now = time(NULL);
    struct tm utc;
    char stamp[32];
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    for (int again = 1; again < 1000; again++) {
        char suffix[16] = "";
        if (again > 1) /* another run began in the same second */
            snprintf(suffix, sizeof suffix, "-%d", again);
        if ((size_t)snprintf(path, size, "results/%s-%s-%s%s", name, slug, stamp, suffix) >= size)
            return FAIL(e, ERROR_USAGE, "the result folder's name is too long");
        if (!make_parents(path, e))
            return false;
        if (mkdir(path, 0777) == 0)
            return true;
        if (errno != EEXIST)
            return FAIL(e, ERROR_SYSTEM, "cannot make the folder %s: %s", path, strerror(errno));
    }
    return FAIL(e, ERROR_SYSTEM, "no unused folder name for the results: %s exists", path);
}

bool folder_make_missing(const char *path, struct error *e)
{
    if (!make_parents(path, e))
        return false;
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           FAIL(e, ERROR_SYSTEM, "cannot make the folder %s: %s", path, strerror(errno));
}

/* Whether a CSV file holds no row: nothing, a header, or a part of one. */
static bool has_no_rows(const char *file)
{
    char *text;
    size_t length;
    if (!file_read(file, HEADER_MOST_BYTES, &text, &length, NULL))
        return access(file, F_OK) != 0;
    const char *end = strchr(text, '\n');
    bool none = !end || end[1] == '\0';
    free(text);
    return none;
}

bool folder_clear_unbegun(const char *path, struct error *e)
{
    static const char *const files[] = {"results.csv", "samples.csv", "run.json.part"};
    for (int i = 0; i < 3; i++) {
        char file[4200];
        snprintf(file, sizeof file, "%s/%s", path, files[i]);
        if (i < 2 && !has_no_rows(file))
            return FAIL(e, ERROR_CONFIG,
                        "%s holds rows, but no run.json: they belong to no run that can be "
                        "continued; choose another folder with --out, or remove it",
                        path);
        if (unlink(file) != 0 && errno != ENOENT)
            return FAIL(e, ERROR_SYSTEM, "cannot remove %s: %s", file, strerror(errno));
    }
    return true;
}

bool folder_set_latest(const char *path, struct error *e)
{
    static const char prefix[] = "results/";
    if (strncmp(path, prefix, sizeof prefix - 1) != 0 || strchr(path + sizeof prefix - 1, '/'))
        return true;
    char next[64];
    snprintf(next, sizeof next, "results/.latest.%ld", (long)getpid());
    (void)unlink(next);
    if (symlink(path + sizeof prefix - 1, next) != 0 || rename(next, "results/latest") != 0)
        return FAIL(e, ERROR_SYSTEM, "cannot point results/latest at %s: %s", path,
                    strerror(errno));
    return true;
}
