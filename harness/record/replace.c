/* Replaces a file: writes a temporary file, syncs it, renames it, and syncs the folder. */
#include "record/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

bool fail_deleted(const char *folder, const char *file, struct error *e)
{
    return FAIL(e, ERROR_SYSTEM,
                "%s/%s was deleted while it was being written; start again with --out and a folder "
                "from which no program deletes files",
                folder, file);
}

/* Reports why a step failed. If the file is missing although the folder is open, the file or the
 * folder has been deleted. */
static bool fail_to(const char *verb, const char *folder, const char *file, struct error *e)
{
    return errno == ENOENT ? fail_deleted(folder, file, e)
                           : FAIL(e, ERROR_SYSTEM, "%s/%s: redsweep cannot %s the file: %s", folder,
                                  file, verb, strerror(errno));
}

static FILE *create_part(int folder, const char *name, const char *part, struct error *e)
{
    /*
     * A killed writer may have left FILE.part behind. It could also be a link that somebody planted
     * so that its target gets overwritten.
     */
    if (unlinkat(folder, part, 0) != 0 && errno != ENOENT) {
        fail_to("create", name, part, e);
        return NULL;
    }
    int file = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *to = file < 0 ? NULL : fdopen(file, "w");
    if (to)
        return to;
    fail_to("create", name, part, e);
    if (file >= 0)
        close(file);
    return NULL;
}

/* Reports that writing failed, and which files exist now. */
static bool fail_to_write(int folder, const char *name, const char *file, struct error *e)
{
    struct text rest = {0};
    int why = errno;
    if (faccessat(folder, file, F_OK, 0) == 0) {
        text_append(&rest, "; %s is unchanged", file);
        if (strcmp(file, "results.csv") != 0 && faccessat(folder, "results.csv", F_OK, 0) == 0)
            text_append(&rest, ", and results.csv contains every row");
    } else if (why == ENOSPC || why == EDQUOT) {
        text_append(&rest, "; free some space, or choose another folder with --out");
    }
    FAIL(e, ERROR_SYSTEM, "%s/%s.part cannot be written: %s%s", name, file, strerror(why),
         text_shown(&rest));
    text_free(&rest);
    return false;
}

bool file_replace(int folder, const char *name, const char *file, replace_writer *write,
                  void *context, struct error *e)
{
    char part[64];
    snprintf(part, sizeof part, "%s.part", file);
    FILE *to = create_part(folder, name, part, e);
    if (!to)
        return false;
    bool ok = write(context, to, e);
    if (ok && (ferror(to) || fflush(to) != 0 || fsync(fileno(to)) != 0))
        ok = fail_to_write(folder, name, file, e);
    if (fclose(to) != 0 && ok)
        ok = FAIL(e, ERROR_SYSTEM, "%s/%s cannot be closed: %s", name, part, strerror(errno));
    if (ok && renameat(folder, part, folder, file) != 0)
        ok = fail_to("replace", name, file, e);
    if (!ok) {
        (void)unlinkat(folder, part, 0);
        return false;
    }
    return fsync(folder) == 0 ||
           FAIL(e, ERROR_SYSTEM, "the folder %s cannot be synced: %s", name, strerror(errno));
}
