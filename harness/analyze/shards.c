/* Implements shards.h. */
#include "analyze/shards.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "record/lock.h"

bool shard_rows(const struct shard_run *s, struct rows *out, struct error *e)
{
    int fd;
    *out = (struct rows){0};
    if (!folder_open(s->folder, &fd, e))
        return false;
    bool ok = rows_open(fd, s->folder, out, e);
    close(fd);
    return ok;
}

static void note_change(struct shard_run *s, const char *file)
{
    struct stat st;
    char *path = xasprintf("%s/%s", s->folder, file);
    if (stat(path, &st) == 0 && st.st_mtime > s->changed)
        s->changed = st.st_mtime;
    free(path);
}

static bool count_rows(struct shard_run *s, struct error *e)
{
    struct rows r;
    bool more = true, ok = shard_rows(s, &r, e);
    while (ok && (ok = rows_next(&r, &more, e)) && more) {
        s->rows++;
        s->bad += !status_is_good(r.status) && r.status != STATUS_SKIPPED;
    }
    s->torn = ok && r.torn;
    rows_close(&r);
    return ok;
}

static bool add_shard(struct shard_runs *runs, const char *folder, struct error *e)
{
    vec_push(&runs->items, (struct shard_run){.folder = xstrdup(folder)});
    struct shard_run *s = &runs->items.items[runs->items.count - 1];
    struct error busy = {0};
    s->busy = !folder_is_idle(folder, &busy);
    if (!manifest_read(folder, &s->manifest, NULL, e))
        return false;
    const char *shard = s->manifest.provenance.shard;
    if (sscanf(shard, "%" SCNu32 "/%" SCNu32, &s->index, &s->count) != 2 || s->index >= s->count)
        return FAIL(e, ERROR_CONFIG,
                    "%s is a whole run; name a shard, which redsweep run --shard K/N writes",
                    folder);
    note_change(s, MANIFEST_FILE);
    note_change(s, "results.csv");
    return count_rows(s, e);
}

static int is_shard_name(const struct dirent *d)
{
    return strncmp(d->d_name, "shard-", 6) == 0;
}

static bool has_manifest(const char *folder)
{
    char *file = xasprintf("%s/" MANIFEST_FILE, folder);
    bool there = access(file, F_OK) == 0;
    free(file);
    return there;
}

/* Adds the shards in a folder. Shards without run.json have not begun, so they are skipped. */
static bool add_folder_of_shards(struct shard_runs *runs, const char *folder, struct error *e)
{
    struct dirent **names;
    int count = scandir(folder, &names, is_shard_name, alphasort);
    if (count < 0)
        return FAIL(e, ERROR_SYSTEM, "the folder %s cannot be read: %s", folder, strerror(errno));
    bool ok = count > 0 || FAIL(e, ERROR_CONFIG,
                                "%s contains neither a run (run.json) nor shards (shard-000, …); "
                                "name the folder of a run or of its shards",
                                folder);
    for (int i = 0; i < count; i++) {
        char *path = xasprintf("%s/%s", folder, names[i]->d_name);
        ok = ok && (!has_manifest(path) || add_shard(runs, path, e));
        free(path);
        free(names[i]);
    }
    free(names);
    return ok;
}

static int by_index(const void *a, const void *b)
{
    const struct shard_run *x = a, *y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

bool shard_runs_read(const char *const *folders, int count, struct shard_runs *out, struct error *e)
{
    *out = (struct shard_runs){0};
    for (int i = 0; i < count; i++)
        if (!(has_manifest(folders[i]) ? add_shard(out, folders[i], e)
                                       : add_folder_of_shards(out, folders[i], e)))
            return false;
    if (out->items.count == 0)
        return FAIL(e, ERROR_CONFIG,
                    "no shard in %s has been started; start one with redsweep run --shard K/N",
                    folders[0]);
    qsort(out->items.items, out->items.count, sizeof *out->items.items, by_index);
    return true;
}

void shard_runs_free(struct shard_runs *runs)
{
    for (size_t i = 0; i < runs->items.count; i++) {
        free(runs->items.items[i].folder);
        manifest_free(&runs->items.items[i].manifest);
    }
    vec_free(&runs->items);
}

bool shard_complete(const struct shard_run *s)
{
    const char *status = s->manifest.status;
    return (strcmp(status, "complete") == 0 || strcmp(status, "doubtful") == 0) && !s->torn &&
           (int64_t)s->rows == s->manifest.provenance.points;
}
