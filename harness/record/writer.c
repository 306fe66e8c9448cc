/*
 * Writes a run's folder. writer.h describes the files.
 *
 * Only complete lines are appended, with one write(2) and one fdatasync(2) per group of lines. If a
 * write fails halfway, the file is truncated to its last complete row.
 */
#include "record/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "base/transfer.h"
#include "record/anchors.h"
#include "table/csv.h"
#include "record/json.h"
#include "table/lines.h"
#include "record/recorded.h"
#include "record/replace.h"
#include "record/row.h"
#include "record/sample_lines.h"

/* A file of the run to which lines are appended. */
struct log {
    const char *name;
    int file;     /* −1 if it is not open */
    off_t length; /* how many bytes are known to be on disk */
};

struct record {
    char *folder;    /* what messages call the folder */
    int folder_file; /* −1 if it is not open */
    struct log results, samples;
    struct log anchors; /* opened when the first anchor is recorded */
    struct columns columns;
    const struct plan *plan;
    struct manifest *manifest;
    struct text waiting_results, waiting_samples; /* lines that are not on disk yet */
    size_t added_at; /* where the last added row begins in waiting_results */
    struct row_times added;
    /* New rows belong to the manifest's sessions.items[session - 1]. 0: to its last session. */
    size_t session;
    /* The run was complete and every point has a row, so nothing is written. */
    bool untouched;
};

/* Checks that the file still exists, and that it is as long as it was after the last write.
 * Otherwise another process has changed it. */
static bool log_unchanged(const struct record *r, const struct log *log, struct error *e)
{
    struct stat st;
    if (fstat(log->file, &st) != 0)
        return FAIL(e, ERROR_SYSTEM, "%s/%s: %s", r->folder, log->name, strerror(errno));
    if (st.st_nlink == 0)
        return fail_deleted(r->folder, log->name, e);
    return st.st_size == log->length ||
           FAIL(e, ERROR_SYSTEM,
                "another program changed %s/%s while the run was writing it. The file has %jd "
                "bytes, but the run wrote %jd, so the rows cannot be trusted; start the run again",
                r->folder, log->name, (intmax_t)st.st_size, (intmax_t)log->length);
}

static bool has_rows(const struct record *r)
{
    struct text header = {0};
    columns_append_header(&r->columns, &header);
    bool more = r->results.length > (off_t)header.length;
    text_free(&header);
    return more;
}

/* Appends complete lines and waits until they are on disk. */
static bool append(const struct record *r, struct log *log, const struct text *lines,
                   struct error *e)
{
    if (!log_unchanged(r, log, e))
        return false;
    if (lines->length == 0)
        return true;
    if (write_exactly(log->file, lines->bytes, lines->length, NO_DEADLINE) &&
        fdatasync(log->file) == 0) {
        log->length += (off_t)lines->length;
        return true;
    }
    int why = errno;
    bool whole = ftruncate(log->file, log->length) == 0;
    return FAIL(e, ERROR_SYSTEM,
                "%s/%s cannot be written: %s. %s%s Free some space, or choose a folder on another "
                "disk with --out, and start again",
                r->folder, log->name, strerror(why),
                has_rows(r) ? "All rows before this one are safe on disk"
                            : "No row had been written before",
                whole ? "." : "; the last line is truncated.");
}

static bool create_file(const struct record *r, struct log *log, struct error *e)
{
    log->file =
        openat(r->folder_file, log->name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (log->file >= 0)
        return true;
    if (errno == EEXIST)
        return FAIL(e, ERROR_CONFIG,
                    "%s already contains results (%s); choose another folder with --out, or remove "
                    "this one",
                    r->folder, log->name);
    return FAIL(e, ERROR_SYSTEM, "%s/%s cannot be created: %s", r->folder, log->name,
                strerror(errno));
}

static bool write_headers(struct record *r, struct error *e)
{
    struct text header = {0};
    columns_append_header(&r->columns, &header);
    bool ok = append(r, &r->results, &header, e);
    text_free(&header);
    text_append(&header, SAMPLES_HEADER);
    ok = ok && append(r, &r->samples, &header, e);
    text_free(&header);
    return ok;
}

static void close_files(struct record *r)
{
    const int files[] = {r->results.file, r->samples.file, r->anchors.file, r->folder_file};
    for (int i = 0; i < 4; i++)
        if (files[i] >= 0)
            close(files[i]);
    columns_free(&r->columns);
    text_free(&r->waiting_results);
    text_free(&r->waiting_samples);
    free(r->folder);
    free(r);
}

static bool is_free(const struct record *r, const char *file, struct error *e)
{
    return faccessat(r->folder_file, file, F_OK, 0) != 0 ||
           FAIL(e, ERROR_CONFIG,
                "%s already contains results (%s); choose another folder with --out, or remove "
                "this one",
                r->folder, file);
}

/* Creates all files in an existing folder. After an error, removes those that were created. */
static bool create_files(struct record *r, struct error *e)
{
    if (!folder_open(r->folder, &r->folder_file, e) || !is_free(r, MANIFEST_FILE, e) ||
        !is_free(r, JSON_FILE, e) || !is_free(r, ANCHORS_FILE, e) ||
        !create_file(r, &r->results, e))
        return false;
    bool ok = create_file(r, &r->samples, e);
    ok = ok && write_headers(r, e) && record_update(r, e);
    if (!ok) {
        unlinkat(r->folder_file, r->results.name, 0);
        if (r->samples.file >= 0)
            unlinkat(r->folder_file, r->samples.name, 0);
    }
    return ok;
}

/* Describes the plan in the manifest: how many points it has, and its kernels with the hashes of
 * their sources. */
static void describe_plan(const struct plan *plan, struct manifest *m)
{
    m->provenance.points = plan->point_count;
    m->provenance.excluded = (int64_t)plan->excluded;
    m->provenance.left_out = (int64_t)plan->left_out;
    bool *used = plan_used_kernels(plan);
    for (int i = 0; i < plan->catalogue->count; i++) {
        if (!used[i])
            continue;
        const struct kernel *from = plan->catalogue->kernels[i];
        struct manifest_kernel *to = manifest_add_kernel(m, from->name);
        member_set(&to->file, from->path);
        member_set(&to->workload, from->workload->name);
        member_set(&to->role, from->role);
        member_set(&to->racy, from->racy);
        member_set(&to->counts, from->counts_vary ? "vary" : NULL);
        snprintf(to->source_hash, sizeof to->source_hash, "%016" PRIx64, from->code_hash);
    }
    free(used);
}

/* Makes a record with its columns, but without files. */
static bool make_record(const char *folder, const struct plan *plan,
                        const struct metric_plan *metrics, struct manifest *manifest,
                        struct record **out, struct error *e)
{
    struct record *r = xcalloc(1, sizeof *r);
    r->folder = xstrdup(folder);
    r->results = (struct log){.name = "results.csv", .file = -1};
    r->samples = (struct log){.name = "samples.csv", .file = -1};
    r->anchors = (struct log){.name = ANCHORS_FILE, .file = -1};
    r->folder_file = -1;
    r->plan = plan;
    r->manifest = manifest;
    *out = r;
    if (!columns_make(plan, metrics, &r->columns, e)) {
        close_files(r);
        return false;
    }
    manifest_drop_lists(manifest);
    describe_plan(plan, manifest);
    columns_describe(&r->columns, manifest);
    return true;
}

bool record_create(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                   struct manifest *manifest, struct record **out, struct error *e)
{
    struct record *r;
    *out = NULL;
    if (!make_record(folder, plan, metrics, manifest, &r, e))
        return false;
    if (!folder_create(folder, 0777, e) || !create_files(r, e)) {
        close_files(r);
        return false;
    }
    *out = r;
    return true;
}

static bool open_file(const struct record *r, struct log *log, off_t length, struct error *e)
{
    log->file = openat(r->folder_file, log->name,
                       O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (log->file >= 0 && (fstat(log->file, &st) != 0 || !S_ISREG(st.st_mode)))
        return FAIL(e, ERROR_SYSTEM, "%s/%s is not a regular file", r->folder, log->name);
    if (log->file < 0 && errno == ELOOP)
        return FAIL(e, ERROR_SYSTEM,
                    "%s/%s is a symbolic link, but rows are only appended to a regular file; "
                    "remove the link",
                    r->folder, log->name);
    if (log->file < 0)
        return FAIL(e, ERROR_SYSTEM, "%s/%s cannot be opened for writing: %s", r->folder, log->name,
                    strerror(errno));
    log->length = length;
    if (ftruncate(log->file, length) != 0 || fdatasync(log->file) != 0)
        return FAIL(e, ERROR_SYSTEM, "the incomplete last line of %s/%s cannot be removed: %s",
                    r->folder, log->name, strerror(errno));
    return true;
}

/* Removes results.json, because it would lack the rows that are appended from now on. */
static bool drop_json(const struct record *r, struct error *e)
{
    return unlinkat(r->folder_file, JSON_FILE, 0) == 0 || errno == ENOENT ||
           FAIL(e, ERROR_SYSTEM, "%s/" JSON_FILE " cannot be removed: %s", r->folder,
                strerror(errno));
}

static bool open_files(struct record *r, struct recorded *found, struct error *e)
{
    struct recorded_lengths whole;
    if (!folder_open(r->folder, &r->folder_file, e) ||
        !recorded_read(r->folder_file, r->folder, &r->columns, found, &whole, e) ||
        !open_file(r, &r->results, whole.results, e) ||
        !open_file(r, &r->samples, whole.samples, e))
        return false;
    /* A complete run stays unchanged, because writing results.json with 10^6 rows takes many
     * seconds. */
    r->untouched = found->ids.count == r->plan->point_count &&
                   strcmp(r->manifest->status, "complete") == 0 &&
                   faccessat(r->folder_file, JSON_FILE, F_OK, 0) == 0;
    return r->untouched || (record_update(r, e) && drop_json(r, e));
}

bool record_open(const char *folder, const struct plan *plan, const struct metric_plan *metrics,
                 struct manifest *manifest, struct record **out, struct recorded *found,
                 struct error *e)
{
    struct record *r;
    *out = NULL;
    memset(found, 0, sizeof *found);
    if (!make_record(folder, plan, metrics, manifest, &r, e))
        return false;
    if (!open_files(r, found, e)) {
        recorded_free(found);
        close_files(r);
        return false;
    }
    *out = r;
    return true;
}

static void append_samples(const struct row *row, struct text *lines)
{
    for (size_t i = 0; i < row->outcome->sample_count; i++) {
        text_append(lines, "%s,%zu,", row->id, i);
        text_number(lines, row->outcome->samples[i]);
        text_append(lines, "\n");
    }
}

/* Writes the waiting rows. If this fails, removes samples whose rows were not written. */
static bool flush_rows(struct record *r, struct error *e)
{
    off_t samples_before = r->samples.length;
    /* Samples are written first, because a row on disk promises that its samples are on disk. */
    if (!append(r, &r->samples, &r->waiting_samples, e))
        return false;
    if (append(r, &r->results, &r->waiting_results, e))
        return true;
    if (ftruncate(r->samples.file, samples_before) == 0)
        r->samples.length = samples_before;
    return false;
}

bool record_flush(struct record *r, struct error *e)
{
    bool ok = flush_rows(r, e);
    text_free(&r->waiting_samples);
    text_free(&r->waiting_results);
    return ok;
}

/* Sets which session and device measured the row, and that device's read ceiling. */
static void name_session(const struct record *r, bool host, struct row *row)
{
    const struct manifest *m = r->manifest;
    if (m->sessions.count == 0)
        return;
    const struct conditions *session =
        &m->sessions.items[(r->session ? r->session : m->sessions.count) - 1];
    row->session = session->number;
    if (host)
        return;
    row->device_index = session->device_index;
    row->ceiling = session->start.read_gbs;
    if (session->uuid[0])
        row->uuid = session->uuid;
}

/* Sets where the row comes from, so that a table can contain rows of several runs. */
static void name_origin(const struct provenance *p, struct row *row)
{
    clock_utc(time(NULL), row->measured_at);
    snprintf(row->run, sizeof row->run, "%.110s%s%s", p->run, *p->started ? " " : "", p->started);
    snprintf(row->host, sizeof row->host, "%.*s", (int)strcspn(p->host, ","), p->host);
    row->shard = p->shard;
}

void record_from(struct record *r, size_t session)
{
    r->session = session + 1;
}

static bool make_row(const struct record *r, const struct point *point,
                     const struct outcome *outcome, struct row *row, struct error *e)
{
    const struct provenance *p = &r->manifest->provenance;
    bool host = p->cpu.backend[0] && plan_kernel(r->plan, point)->backend == BACKEND_CPU;
    if (!row_make(r->plan, host ? &p->cpu : &p->device, point, outcome, row))
        return FAIL(e, ERROR_MEMORY, "%s: not enough memory for %zu samples", r->folder,
                    outcome->sample_count);
    name_session(r, host, row);
    name_origin(p, row);
    return true;
}

/* Finds the end of the last complete line of a file. */
static bool find_whole(const struct record *r, const char *name, off_t *length, struct error *e)
{
    struct lines l;
    enum csv_found found = CSV_BAD;
    *length = 0;
    if (!lines_open(r->folder_file, r->folder, name, &l, e))
        return false;
    while ((found = lines_next(&l, e)) == CSV_ROW)
        *length = l.end;
    lines_close(&l);
    return found != CSV_BAD;
}

static bool open_anchors(struct record *r, struct error *e)
{
    off_t length;
    if (faccessat(r->folder_file, r->anchors.name, F_OK, 0) == 0)
        return find_whole(r, r->anchors.name, &length, e) && open_file(r, &r->anchors, length, e);
    return create_file(r, &r->anchors, e);
}

bool record_anchor(struct record *r, const struct point *point, const struct outcome *outcome,
                   const char *when, struct error *e)
{
    struct text line = {0};
    struct row row;
    if (r->anchors.file < 0 && !open_anchors(r, e))
        return false;
    if (!make_row(r, point, outcome, &row, e))
        return false;
    if (r->anchors.length == 0) {
        columns_append_header(&r->columns, &line);
        line.length--; /* removes the line break */
        text_append(&line, "," ANCHORED_COLUMN "\n");
    }
    columns_append_row(&r->columns, &row, &line);
    line.length--;
    text_append(&line, ",%s\n", when);
    bool ok = append(r, &r->anchors, &line, e);
    text_free(&line);
    return ok;
}

bool record_add(struct record *r, const struct point *point, const struct outcome *outcome,
                struct error *e)
{
    struct row row;
    if (!make_row(r, point, outcome, &row, e))
        return false;
    append_samples(&row, &r->waiting_samples);
    r->added_at = r->waiting_results.length;
    r->added = (struct row_times){row.times.median, row.times.stdev,
                                  (uint32_t)outcome->sample_count, outcome->status};
    columns_append_row(&r->columns, &row, &r->waiting_results);
    return true;
}

struct row_added record_added(const struct record *r)
{
    return (struct row_added){r->waiting_results.bytes + r->added_at,
                              r->waiting_results.length - r->added_at, r->added};
}

void record_append_header(const struct record *r, struct text *out)
{
    columns_append_header(&r->columns, out);
}

bool record_row(struct record *r, const struct point *point, const struct outcome *outcome,
                struct error *e)
{
    return record_add(r, point, outcome, e) && record_flush(r, e);
}

/* Opens a log's file again, after it was replaced by a new file. */
static bool reopen_file(const struct record *r, struct log *log, struct error *e)
{
    struct stat st;
    if (fstatat(r->folder_file, log->name, &st, 0) != 0)
        return FAIL(e, ERROR_SYSTEM, "%s/%s: %s", r->folder, log->name, strerror(errno));
    close(log->file);
    log->file = -1;
    return open_file(r, log, st.st_size, e);
}

bool record_drop(struct record *r, const struct recorded *points, struct error *e)
{
    return points->ids.count == 0 ||
           (record_flush(r, e) && record_take_out_points(r->folder, points, e) &&
            reopen_file(r, &r->samples, e) && reopen_file(r, &r->results, e));
}

bool record_update(struct record *r, struct error *e)
{
    snprintf(r->manifest->status, sizeof r->manifest->status, "running");
    r->manifest->provenance.ended[0] = '\0';
    return manifest_write(r->folder_file, r->folder, r->manifest, e);
}

bool record_close(struct record *r, const char *status, const char *ended, struct error *e)
{
    struct manifest *m = r->manifest;
    if (r->untouched) {
        close_files(r);
        return true;
    }
    bool ok = record_flush(r, e);
    snprintf(m->status, sizeof m->status, "%s", status);
    snprintf(m->provenance.ended, sizeof m->provenance.ended, "%s", ended);
    /*
     * run.json is written even if rows could not be written, because it describes the other rows.
     */
    ok = manifest_write(r->folder_file, r->folder, m, ok ? e : NULL) && ok;
    ok = json_write(r->folder_file, r->folder, m, ok ? e : NULL) && ok;
    close_files(r);
    return ok;
}
