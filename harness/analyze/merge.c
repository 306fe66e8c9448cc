/*
 * Implements merge.h. Streams the shards' rows to results.csv, and then their samples to
 * samples.csv, in a folder that becomes the run's folder when it is complete (making.h).
 */
#include "analyze/merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "analyze/making.h"
#include "base/folder.h"
#include "base/program.h"
#include "base/sorted.h"
#include "record/anchors.h"
#include "record/json.h"
#include "record/replace.h"
#include "record/sample_lines.h"

/* ---- Checking that the shards belong together ------------------------------------------------ */

static bool same_columns(const struct manifest *a, const struct manifest *b)
{
    bool same = a->columns.count == b->columns.count;
    for (size_t i = 0; same && i < a->columns.count; i++)
        same = strcmp(a->columns.items[i].name, b->columns.items[i].name) == 0;
    return same;
}

static bool check_same(const struct shard_run *a, const struct shard_run *b, struct error *e)
{
    const struct provenance *p = &a->manifest.provenance, *q = &b->manifest.provenance;
    const struct {
        const char *what, *a, *b;
    } texts[] = {{"the config", p->config_text, q->config_text},
                 {"the hash of the kernels' sources", p->sources_hash, q->sources_hash},
                 {"redsweep", p->redsweep, q->redsweep},
                 {"the compiler", p->compiler, q->compiler},
                 {"the backend", p->device.backend, q->device.backend},
                 {"the device", p->device.name, q->device.name}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(texts[i].a, texts[i].b) == 0)
            continue;
        if (i == 0)
            return FAIL(e, ERROR_CONFIG,
                        "%s and %s were run with different configs, so they cannot be merged; run "
                        "one of them again with the other's config",
                        a->folder, b->folder);
        return FAIL(e, ERROR_CONFIG,
                    "%s and %s differ in %s (%s, %s), so their rows are not comparable; compare "
                    "them with redsweep diff, or run one of them again",
                    a->folder, b->folder, texts[i].what, texts[i].a, texts[i].b);
    }
    if (a->count != b->count)
        return FAIL(e, ERROR_CONFIG,
                    "%s is one of %" PRIu32 " shards, but %s is one of %" PRIu32
                    "; merge only the shards of one sweep",
                    a->folder, a->count, b->folder, b->count);
    return same_columns(&a->manifest, &b->manifest) ||
           FAIL(e, ERROR_CONFIG,
                "%s and %s have different columns; merge only the shards of one sweep", a->folder,
                b->folder);
}

static bool check_all(const struct merge *m, struct error *e)
{
    for (size_t i = 1; i < m->shards.items.count; i++) {
        const struct shard_run *s = &m->shards.items.items[i];
        if (!check_same(&m->shards.items.items[0], s, e))
            return false;
        if (s->index == s[-1].index)
            return FAIL(e, ERROR_CONFIG,
                        "the shard %" PRIu32 " is named twice, as %s and %s; leave one out",
                        s->index, s[-1].folder, s->folder);
    }
    return true;
}

/* ---- What is missing ------------------------------------------------------------------------- */

static void find_missing(struct merge *m)
{
    size_t at = 0;
    for (uint32_t k = 0; k < m->count; k++) {
        const struct shard_run *s = &m->shards.items.items[at];
        if (at == m->shards.items.count || s->index != k) {
            text_append(&m->missing, "shard %" PRIu32 " has not been started\n", k);
            continue;
        }
        at++;
        m->rows += s->rows;
        m->doubtful = m->doubtful || strcmp(s->manifest.status, "doubtful") == 0;
        if (!shard_complete(s))
            text_append_safely(
                &m->missing, "shard %" PRIu32 " has %" PRIu64 " of %" PRId64 " points (%s%s): %s\n",
                k, s->rows, s->manifest.provenance.points, s->manifest.status,
                s->torn ? ", its last line is truncated" : "", s->folder);
    }
}

bool merge_read(struct merge *m, const char *const *folders, int count, struct error *e)
{
    *m = (struct merge){0};
    if (!shard_runs_read(folders, count, &m->shards, e))
        return false;
    for (size_t i = 0; i < m->shards.items.count; i++)
        if (m->shards.items.items[i].busy)
            return FAIL(e, ERROR_BUSY,
                        "another run is still writing into %s; wait until it has ended",
                        m->shards.items.items[i].folder);
    m->count = m->shards.items.items[0].count;
    if (!check_all(m, e))
        return false;
    find_missing(m);
    return true;
}

void merge_free(struct merge *m)
{
    shard_runs_free(&m->shards);
    text_free(&m->missing);
    text_free(&m->slow);
    text_free(&m->cards);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* The id of a row's point, and its number of samples. */
struct row_of_point {
    uint64_t id;
    uint32_t samples;
};

struct copying {
    const struct merge *merge;
    VEC(struct row_of_point) rows; /* all rows, in the order of the merged results.csv */
    size_t next;                   /* the row whose samples come next in samples.csv */
};

/* Appends a shard's rows. For the first shard, appends the header before them. */
static bool copy_rows(struct copying *c, size_t shard, FILE *to, struct error *e)
{
    struct rows r;
    bool more = true, ok = shard_rows(&c->merge->shards.items.items[shard], &r, e);
    if (ok && shard == 0)
        fwrite(r.lines.line, 1, r.lines.length, to);
    while (ok && (ok = rows_next(&r, &more, e)) && more) {
        vec_push(&c->rows, (struct row_of_point){r.id, r.samples});
        fwrite(r.lines.line, 1, r.lines.length, to);
    }
    if (ok && r.torn)
        ok = FAIL(e, ERROR_CONFIG, "the last line of %s is truncated; resume the shard",
                  r.lines.path);
    rows_close(&r);
    return ok;
}

static bool write_rows(void *context, FILE *to, struct error *e)
{
    struct copying *c = context;
    bool ok = true;
    for (size_t i = 0; ok && i < c->merge->shards.items.count; i++)
        ok = copy_rows(c, i, to, e);
    return ok;
}

/*
 * Returns the row to which the next sample belongs, and sets *left to the number of the row's
 * samples that have not been copied yet. Returns NULL if all samples of all rows have been copied.
 */
static const struct row_of_point *row_with_samples(struct copying *c, uint32_t *left)
{
    while (*left == 0 && c->next < c->rows.count)
        *left = c->rows.items[c->next++].samples;
    return *left ? &c->rows.items[c->next - 1] : NULL;
}

/*
 * Checks that the current sample belongs to the row that row_with_samples() returns, and decreases
 * *left.
 */
static bool count_sample(struct copying *c, const struct sample_lines *s, uint32_t *left,
                         struct error *e)
{
    char id[20] = "";
    const struct row_of_point *row = row_with_samples(c, left);
    if (row)
        snprintf(id, sizeof id, "%016" PRIx64, row->id);
    if (!row || strcasecmp(s->point, id) != 0)
        return FAIL(e, ERROR_CONFIG,
                    "%s:%zu: the sample does not belong to the next row of results.csv that has "
                    "samples, so results.csv and samples.csv do not match; restore the files",
                    s->lines.path, s->lines.number);
    (*left)--;
    return !isnan(s->time_us) ||
           FAIL(e, ERROR_CONFIG, "%s:%zu: the sample has no time; restore the file", s->lines.path,
                s->lines.number);
}

/* Checks that a shard's samples.csv has the columns that the merged samples.csv has. */
static bool check_header(const struct sample_lines *s, struct error *e)
{
    return (s->columns == 3 && s->id == 0 && s->sample == 1 && s->time == 2) ||
           FAIL(e, ERROR_CONFIG,
                "%s does not have the columns id, sample and time_us in this order; restore the "
                "file",
                s->lines.path);
}

/* Appends a shard's samples, which are in row order. */
static bool copy_samples(struct copying *c, size_t shard, FILE *to, struct error *e)
{
    const char *folder = c->merge->shards.items.items[shard].folder;
    struct sample_lines s;
    int fd;
    if (!folder_open(folder, &fd, e))
        return false;
    bool opened = sample_lines_open(fd, folder, &s, e);
    close(fd);
    if (!opened)
        return false;
    s.copy = to;
    uint32_t left = 0;
    bool more = true, ok = check_header(&s, e);
    if (ok && shard == 0)
        fputs(SAMPLES_HEADER, to);
    while (ok && (ok = sample_lines_next(&s, &more, e)) && more)
        ok = count_sample(c, &s, &left, e);
    if (ok && (s.torn || left))
        ok = FAIL(e, ERROR_CONFIG, "samples are missing at the end of %s; resume the shard",
                  s.lines.path);
    sample_lines_close(&s);
    return ok;
}

static bool write_samples(void *context, FILE *to, struct error *e)
{
    struct copying *c = context;
    bool ok = true;
    for (size_t i = 0; ok && i < c->merge->shards.items.count; i++)
        ok = copy_samples(c, i, to, e);
    uint32_t left = 0;
    const struct row_of_point *row = ok ? row_with_samples(c, &left) : NULL;
    return ok && (!row || FAIL(e, ERROR_CONFIG,
                               "the row of the point %016" PRIx64 " says that it has %" PRIu32
                               " samples, but samples.csv contains none of them; restore the file",
                               row->id, row->samples));
}

static bool check_unique(const struct copying *c, struct error *e)
{
    uint64_t *ids = xcalloc(c->rows.count + 1, sizeof *ids), twice;
    for (size_t i = 0; i < c->rows.count; i++)
        ids[i] = c->rows.items[i].id;
    sorted_make(ids, c->rows.count);
    bool ok =
        !sorted_duplicate(ids, c->rows.count, &twice) ||
        FAIL(e, ERROR_CONFIG, "the point %016" PRIx64 " has two rows; restore results.csv", twice);
    free(ids);
    return ok;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct manifest_kernel *)a)->name,
                  ((const struct manifest_kernel *)b)->name);
}

/*
 * Copies the card's UUID into each session of a shard, because a shard that used one card states
 * the UUID only once.
 */
static void name_sessions(struct manifest *shard)
{
    for (size_t i = 0; i < shard->sessions.count; i++) {
        struct conditions *session = &shard->sessions.items[i];
        if (!*session->uuid)
            snprintf(session->uuid, sizeof session->uuid, "%s", shard->provenance.device.uuid);
    }
}

/*
 * Adds the points, times, kernels and sessions of `from`, another shard's manifest, to `into`, the
 * first shard's manifest.
 */
static void take_in(struct manifest *into, struct manifest *from)
{
    struct provenance *p = &into->provenance, *q = &from->provenance;
    p->points += q->points;
    if (strcmp(q->started, p->started) < 0)
        memcpy(p->started, q->started, sizeof p->started);
    if (strcmp(q->ended, p->ended) > 0)
        memcpy(p->ended, q->ended, sizeof p->ended);
    if (strcmp(p->device.uuid, q->device.uuid) != 0)
        p->device.uuid[0] = '\0'; /* name_sessions() has copied it into each session. */
    if (strcmp(p->host, q->host) != 0)
        member_set(&p->host, "several hosts");
    for (size_t i = 0; i < q->kernels.count; i++) {
        struct manifest_kernel *k = &q->kernels.items[i];
        if (manifest_kernel(into, k->name))
            continue;
        vec_push(&p->kernels, *k);
        memset(k, 0, sizeof *k); /* moved */
    }
    for (size_t i = 0; i < from->sessions.count; i++)
        vec_push(&into->sessions, from->sessions.items[i]);
    vec_free(&from->sessions); /* moved */
}

static struct manifest *merge_manifests(struct merge *m)
{
    struct manifest *all = &m->shards.items.items[0].manifest;
    for (size_t i = 0; i < m->shards.items.count; i++)
        name_sessions(&m->shards.items.items[i].manifest);
    for (size_t i = 1; i < m->shards.items.count; i++)
        take_in(all, &m->shards.items.items[i].manifest);
    struct provenance *p = &all->provenance;
    qsort(p->kernels.items, p->kernels.count, sizeof *p->kernels.items, compare_names);
    char command[80];
    snprintf(command, sizeof command, "redsweep merge (%" PRIu32 " shards)", m->count);
    member_set(&p->command, command);
    p->shard[0] = '\0';
    snprintf(all->status, sizeof all->status, "%s", m->doubtful ? "doubtful" : "complete");
    return all;
}

/* Stores a name for a session's card: its UUID or, if the UUID is unknown, the shard's number. */
static void name_card(const struct shard_run *s, const struct conditions *session, char name[120])
{
    const char *uuid = *session->uuid ? session->uuid : s->manifest.provenance.device.uuid;
    if (*uuid)
        snprintf(name, 120, "%s", uuid);
    else
        snprintf(name, 120, "of shard %" PRIu32, s->index);
}

/* Collects what the sessions of all shards recorded about their cards. */
static bool read_cards(const struct merge *m, struct cards *cards, struct error *e)
{
    for (size_t i = 0; i < m->shards.items.count; i++) {
        const struct shard_run *s = &m->shards.items.items[i];
        char name[120];
        for (size_t k = 0; k < s->manifest.sessions.count; k++) {
            const struct conditions *session = &s->manifest.sessions.items[k];
            name_card(s, session, name);
            size_t card = cards_find(cards, name);
            cards_add_ceiling(cards, card, session->start.read_gbs);
            cards_add_ceiling(cards, card, session->end.read_gbs);
        }
        snprintf(name, sizeof name, "of shard %" PRIu32, s->index);
        if (!cards_read_anchors(cards, s->folder, name, e))
            return false;
    }
    return true;
}

/*
 * Stores in `why` the reason why a session's card is doubtful, or "" if the card is not doubtful.
 */
static const char *doubt_card(const struct shard_run *s, const struct conditions *session,
                              struct cards *cards, char why[160])
{
    char name[120];
    name_card(s, session, name);
    if (!card_slow(cards, cards_find(cards, name), why)[0] && !card_doubt(&session->card, why)[0])
        return card_doubt(&session->card_end, why);
    return why;
}

static void say_doubt(struct merge *m, const struct shard_run *s, const struct conditions *session,
                      const char *why)
{
    const struct provenance *p = &s->manifest.provenance;
    const char *host = *session->site.host ? session->site.host : "its host";
    const char *slash = strrchr(s->folder, '/');
    char *parent = slash ? xasprintf("%.*s", (int)(slash - s->folder), s->folder) : xstrdup(".");
    char name[120];
    name_card(s, session, name);
    m->doubtful = true;
    struct text again = {0};
    char *merged = xasprintf("%s/merged", parent), *script = xasprintf("%s/submit.sh", parent);
    shell_append(&again, "to measure it again elsewhere: rm -rf @ @; redsweep submit @",
                 (const char *const[]){s->folder, merged, p->config_path});
    text_append(&again, " --tasks %" PRIu32 " --only %" PRIu32, m->count, s->index);
    const char *node = *session->site.slurm_node ? session->site.slurm_node : host;
    shell_append(&again, " --exclude-nodes @ --out @", (const char *const[]){node, parent});
    text_append_safely(&m->slow,
                       "shard %" PRIu32 " was measured on the doubtful card %s of %s: %s\n  %s\n",
                       s->index, name, host, why, again.bytes);
    if (access(script, R_OK) == 0)
        text_append_safely(&m->slow,
                           "  (add --partition, --gres, --time and similar options as in '%s')\n",
                           script);
    text_free(&again);
    free(merged);
    free(script);
    free(parent);
}

bool merge_doubt_cards(struct merge *m, struct error *e)
{
    struct cards cards = {0};
    char why[160];
    bool ok = read_cards(m, &cards, e);
    if (ok)
        cards_compare(&cards);
    for (size_t i = 0; ok && i < m->shards.items.count; i++) {
        const struct shard_run *s = &m->shards.items.items[i];
        bool said = false; /* Each shard gets at most one line. */
        for (size_t k = 0; k < s->manifest.sessions.count && !said; k++) {
            const struct conditions *session = &s->manifest.sessions.items[k];
            said = doubt_card(s, session, &cards, why)[0] != '\0';
            if (said)
                say_doubt(m, s, session, why);
        }
    }
    if (ok)
        cards_describe(&cards, &m->cards);
    cards_free(&cards);
    return ok;
}

static bool has_anchors(const char *folder)
{
    char *file = xasprintf("%s/" ANCHORS_FILE, folder);
    bool there = access(file, F_OK) == 0;
    free(file);
    return there;
}

/* Writes the shards' anchors one after another. */
static bool write_anchors(void *context, FILE *to, struct error *e)
{
    const struct merge *m = context;
    bool first = true, ok = true;
    for (size_t i = 0; ok && i < m->shards.items.count; i++) {
        const char *folder = m->shards.items.items[i].folder;
        struct lines l;
        int fd;
        if (!has_anchors(folder))
            continue;
        if (!folder_open(folder, &fd, e))
            return false;
        ok = lines_open(fd, folder, ANCHORS_FILE, &l, e);
        close(fd);
        if (!ok)
            return false;
        enum csv_found found;
        while ((found = lines_next(&l, e)) == CSV_ROW) {
            if (l.number > 1 || first)
                fwrite(l.line, 1, l.length, to);
            first = false;
        }
        ok = found != CSV_BAD; /* A torn line is a row that was not finished, and is left out. */
        lines_close(&l);
    }
    return ok;
}

static bool replace_anchors(struct merge *m, int fd, const char *out, struct error *e)
{
    bool any = false;
    for (size_t i = 0; i < m->shards.items.count; i++)
        any = any || has_anchors(m->shards.items.items[i].folder);
    return !any || file_replace(fd, out, ANCHORS_FILE, write_anchors, m, e);
}

static bool write_files(struct merge *m, int fd, const char *out, struct error *e)
{
    struct copying c = {.merge = m};
    bool ok = file_replace(fd, out, "results.csv", write_rows, &c, e) && check_unique(&c, e) &&
              file_replace(fd, out, "samples.csv", write_samples, &c, e) &&
              replace_anchors(m, fd, out, e);
    vec_free(&c.rows);
    const struct manifest *all = ok ? merge_manifests(m) : NULL;
    return ok && json_write(fd, out, all, e) && manifest_write(fd, out, all, e);
}

bool merge_write(struct merge *m, const char *out, struct error *e)
{
    struct making run;
    if (!making_begin(&run, out, e))
        return false;
    bool ok = write_files(m, run.fd, run.part, e);
    return making_end(&run, ok, e);
}
