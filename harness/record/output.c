/* Opens files that the user requested. */
#include "record/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/json.h"
#include "record/manifest.h"

static bool exists_in(const char *folder, const char *file)
{
    char *path = xasprintf("%s/%s", folder, file);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* Finds the file's folder and name after resolving links. The caller frees both. */
static void resolve_path(const char *path, char **folder, char **name)
{
    char *real = realpath(path, NULL);
    char *whole = real ? real : xstrdup(path);
    char *slash = strrchr(whole, '/');
    *name = xstrdup(slash ? slash + 1 : whole);
    *folder = slash ? xstrndup(whole, (size_t)(slash - whole) + (slash == whole)) : xstrdup(".");
    free(whole);
}

static bool is_of_run(const char *path)
{
    static const char *const names[] = {"results.csv", "samples.csv", MANIFEST_FILE, JSON_FILE,
                                        ".lock"};
    char *folder, *name;
    bool named = false;
    resolve_path(path, &folder, &name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        named = named || strcmp(name, names[i]) == 0;
    bool kept = named && (exists_in(folder, name) || exists_in(folder, MANIFEST_FILE) ||
                          exists_in(folder, "results.csv"));
    free(folder);
    free(name);
    return kept;
}

/*
 * Removes the file `path` if it exists, and creates a new one. Overwriting the old file could
 * change the target of a link, or a file that also has other names, and this may be somebody else's
 * file. Returns -1 and sets errno after an error.
 */
static int create_new(const char *path)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return -1;
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/*
 * Like create_new(), but opens devices and pipes directly. With O_NONBLOCK, opening a pipe that
 * nobody reads fails instead of blocking.
 */
static int create_named(const char *path)
{
    struct stat st;
    if (strncmp(path, "/dev/", 5) == 0) /* /dev/stdout is a link */
        return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (lstat(path, &st) != 0 || S_ISREG(st.st_mode) || S_ISLNK(st.st_mode))
        return create_new(path);
    int file = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file >= 0)
        (void)fcntl(file, F_SETFL, 0);
    return file;
}

static bool open_stream(int file, const char *path, FILE **out, struct error *e)
{
    *out = file < 0 ? NULL : fdopen(file, "w");
    return *out || FAIL(e, ERROR_SYSTEM, "cannot write to %s: %s", path, strerror(errno));
}

bool output_create(const char *path, FILE **out, struct error *e)
{
    return open_stream(create_new(path), path, out, e);
}

bool output_open(const char *path, FILE **out, struct error *e)
{
    *out = stdout;
    if (strcmp(path, "-") == 0)
        return true;
    if (is_of_run(path))
        return FAIL(
            e, ERROR_USAGE,
            "%s is a name that redsweep reserves for the files of a run; choose another name",
            path);
    return open_stream(create_named(path), path, out, e);
}

bool output_close(FILE *to, const char *path, struct error *e)
{
    errno = 0;
    bool ok = fflush(to) == 0 && !ferror(to);
    int why = errno;
    /* An earlier write failed. If the cause persists, another write gets its errno. */
    if (!ok && !why) {
        clearerr(to);
        why = fputc('\n', to) == EOF || fflush(to) != 0 ? errno : 0;
    }
    if (to != stdout && fclose(to) != 0 && ok) {
        ok = false;
        why = errno;
    }
    return ok || FAIL(e, ERROR_SYSTEM, "cannot write to %s: %s", path,
                      why ? strerror(why) : "an earlier write failed");
}
