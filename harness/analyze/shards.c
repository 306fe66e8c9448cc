/*
 * Reading the shards of a sweep: see shards.h.
 */
#include "analyze/shards.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "record/lines.h"
#include "record/lock.h"
#include "record/outcome.h"

bool shard_open(const struct shard_run *s, const char *file, struct lines *out, struct error *e)
{
    int fd = open(s->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return FAIL(e, ERROR_SYSTEM, "%s: cannot open the folder: %s", s->folder, strerror(errno));
    bool ok = lines_open(fd, s->folder, file, out, e);
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

static size_t find_cell(const struct csv_row *row, const char *text)
{
    size_t i = 0;
    while (i < row->count && strcmp(row->cells[i], text) != 0)
        i++;
    return i;
}

static bool count_rows(struct shard_run *s, struct error *e)
{
    struct lines l;
    struct csv_row row = {0};
    if (!shard_open(s, "results.csv", &l, e))
        return false;
    enum csv_found found;
    size_t column = 0;
    bool ok = true;
    while (ok && (found = lines_row(&l, &row, e)) == CSV_ROW) {
        enum status status;
        if (l.number == 1) {
            column = find_cell(&row, "status");
            continue;
        }
        ok = (column < row.count && status_find(row.cells[column], &status)) ||
             FAIL(e, ERROR_CONFIG, "%s: line %zu is not a row that a run has written", l.path,
                  l.number);
        s->rows++;
        s->bad += ok && !status_is_good(status) && status != STATUS_SKIPPED;
    }
    s->torn = ok && found == CSV_TORN;
    csv_row_free(&row);
    lines_close(&l);
    return ok && found != CSV_BAD;
}

static bool add_shard(struct shard_runs *runs, const char *folder, struct error *e)
{
    vec_push(&runs->items, (struct shard_run){.folder = xstrdup(folder)});
    struct shard_run *s = &runs->items.items[runs->items.count - 1];
    struct error busy = {0};
    manifest_clear(&s->manifest);
    s->busy = !folder_is_idle(folder, &busy);
    if (!manifest_read(folder, &s->manifest, NULL, e))
        return false;
    const char *shard = s->manifest.provenance.shard;
    if (sscanf(shard, "%" SCNu32 "/%" SCNu32, &s->index, &s->count) != 2 || s->index >= s->count)
        return FAIL(e, ERROR_CONFIG, "%s is a whole run, not a shard (redsweep run --shard K/N)",
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

/* The shards in a folder. One without run.json has begun nothing yet. */
static bool add_folder_of_shards(struct shard_runs *runs, const char *folder, struct error *e)
{
    struct dirent **names;
    int count = scandir(folder, &names, is_shard_name, alphasort);
    if (count < 0)
        return FAIL(e, ERROR_SYSTEM, "%s: cannot read the folder: %s", folder, strerror(errno));
    bool ok =
        count > 0 || FAIL(e, ERROR_CONFIG,
                          "%s holds neither a run (run.json) nor shards (shard-000, …)", folder);
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
        return FAIL(e, ERROR_CONFIG, "%s: no shard has been begun", folders[0]);
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
