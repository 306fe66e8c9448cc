/* Makes and names the folder of a run; see folder.h. */
#include "run/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"

enum { HEADER_MOST_BYTES = 1 << 20 };

bool run_folder_make(const char *wanted, const char *name, const char *slug, char *path,
                     size_t size, struct error *e)
{
    if (wanted) {
        if ((size_t)snprintf(path, size, "%s", wanted) >= size)
            return FAIL(e, ERROR_USAGE,
                        "the path given with --out is too long; choose a shorter one");
        return folder_create_empty(path, e);
    }
    time_t now = time(NULL);
    struct tm utc;
    char stamp[32];
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
    if (!folder_create("results", 0777, e))
        return false;
    for (int again = 1; again < 1000; again++) {
        char suffix[16] = "";
        if (again > 1) /* another run began in the same second */
            snprintf(suffix, sizeof suffix, "-%d", again);
        if ((size_t)snprintf(path, size, "results/%s-%s-%s%s", name, slug, stamp, suffix) >= size)
            return FAIL(e, ERROR_USAGE,
                        "the results folder's name is too long; choose a shorter one with --out");
        if (mkdir(path, 0777) == 0)
            return true;
        if (errno != EEXIST)
            return FAIL(e, ERROR_SYSTEM, "the folder %s cannot be created: %s", path,
                        strerror(errno));
    }
    return FAIL(e, ERROR_SYSTEM,
                "every name tried for the results folder is taken (the last one was %s); choose a "
                "folder with --out",
                path);
}

/*
 * Returns whether a CSV file has no rows: it does not exist, is empty, or has only a header or part
 * of one.
 */
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

bool run_folder_clear_unbegun(const char *path, struct error *e)
{
    static const char *const files[] = {"results.csv", "samples.csv", "run.json.part"};
    for (int i = 0; i < 3; i++) {
        char file[4200];
        snprintf(file, sizeof file, "%s/%s", path, files[i]);
        if (i < 2 && !has_no_rows(file))
            return FAIL(e, ERROR_CONFIG,
                        "%s contains rows, but no run.json, so the run cannot be continued; choose "
                        "another folder with --out, or remove this one",
                        path);
        if (unlink(file) != 0 && errno != ENOENT)
            return FAIL(e, ERROR_SYSTEM, "cannot remove %s: %s", file, strerror(errno));
    }
    return true;
}

bool run_folder_set_latest(const char *path, struct error *e)
{
    static const char prefix[] = "results/";
    if (strncmp(path, prefix, sizeof prefix - 1) != 0 || strchr(path + sizeof prefix - 1, '/'))
        return true;
    char next[64];
    snprintf(next, sizeof next, "results/.latest.%ld", (long)getpid());
    (void)unlink(next);
    if (symlink(path + sizeof prefix - 1, next) != 0 || rename(next, "results/latest") != 0)
        return FAIL(e, ERROR_SYSTEM, "the link results/latest cannot be changed to point to %s: %s",
                    path, strerror(errno));
    return true;
}
