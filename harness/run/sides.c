/*
 * Manages the folders to which a sweep writes: one for its run or, for a gate, two for its runs
 * OUT/baseline and OUT/candidate. One process measures both runs of a gate, so they have the same
 * sessions. Each row goes to the run to which the row's kernel belongs.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/element.h"
#include "base/folder.h"
#include "base/program.h"
#include "record/lock.h"
#include "run/folder.h"
#include "run/provenance.h"
#include "run/sides.h"

void sweep_begin_session(struct sweep *s)
{
    static const char *const names[2] = {"baseline", "candidate"};
    char now[32];
    s->side_count = s->options->gate ? 2 : 1;
    s->sides = xcalloc((size_t)s->side_count, sizeof *s->sides);
    for (int i = 0; i < s->side_count; i++) {
        manifest_clear(&s->sides[i].manifest);
        s->sides[i].lock = -1;
        s->sides[i].name = s->options->gate ? names[i] : "";
    }
    struct manifest *first = &s->sides[0].manifest, *earlier = s->options->earlier;
    if (earlier) {
        memcpy(&first->sessions, &earlier->sessions, sizeof first->sessions);
        memset(&earlier->sessions, 0, sizeof earlier->sessions);
    }
    clock_utc(time(NULL), now);
    size_t before = first->sessions.count;
    int64_t number = before ? first->sessions.items[before - 1].number : 0;
    if (number < 0) /* the run was made before sessions were numbered */
        number = (int64_t)before;
    for (int i = 0; i < s->lane_count; i++) {
        struct conditions *session = manifest_add_session(first, now);
        session->number = number + 1;
        provenance_site(&session->site);
        session->device_index = s->lane_count > 1 ? i : -1;
        s->lanes[i].session = before + (size_t)i;
    }
    for (int i = 0; i < s->lane_count; i++)
        s->lanes[i].conditions = &first->sessions.items[s->lanes[i].session];
    s->conditions = s->lanes[0].conditions;
    for (int i = 1; i < s->side_count; i++)
        memcpy(&s->sides[i].manifest.sessions, &first->sessions, sizeof first->sessions);
}

/*
 * Records the same globally unique number in both runs of a gate, which shows later that one
 * process measured both.
 */
static void name_process(struct sweep *s)
{
    struct timespec now;
    char text[96], name[17];
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(text, sizeof text, "%ld %lld %ld %.32s", (long)s->lanes[0].supervisor.worker,
             (long long)now.tv_sec, now.tv_nsec, s->lanes[0].supervisor.hello.info.uuid);
    snprintf(name, sizeof name, "%016" PRIx64, hash_text(HASH_START, text));
    for (int i = 0; i < s->side_count; i++)
        member_set(&s->sides[i].manifest.provenance.process, name);
}

static bool describe_side(struct sweep *s, struct sweep_side *side, struct error *e)
{
    const struct sweep_options *o = s->options;
    const struct hello *hello = &s->lanes[0].supervisor.hello;
    struct provenance *p = &side->manifest.provenance;
    provenance_fill(p, &hello->info, hello->compiler, o->setup.config, o->command);
    if (hello->cpu.backend[0])
        provenance_device(&hello->cpu, &p->cpu);
    /*
     * If the config is not a file, or if the file was removed, it has no real path, and its name is
     * recorded instead.
     */
    char *path = realpath(o->setup.config->path, NULL);
    member_set(&p->config_path, path ? path : o->setup.config->path);
    free(path);
    member_set(&p->device_option, o->device_option ? o->device_option : o->setup.device_name);
    if (s->lane_count > 1)
        p->device.uuid[0] = '\0'; /* each lane's session records it */
    member_set(&p->passed_over, hello->passed_over);
    shard_text(o->setup.shard, p->shard);
    member_set(&p->more_kernels, o->gate ? o->gate->kernels[side - s->sides] : o->more_kernels);
    return provenance_hash_sources(p, &o->setup, o->gate ? &side->plan : s->plan, e);
}

bool sweep_describe(struct sweep *s, struct error *e)
{
    bool ok = true;
    for (int i = 0; ok && i < s->side_count; i++) {
        if (s->options->gate)
            plan_side(s->plan, i, &s->sides[i].plan);
        ok = describe_side(s, &s->sides[i], e);
    }
    if (s->options->gate)
        name_process(s);
    return ok;
}

/* Makes the folder of a side: that of the run or, for a gate, a folder within it. */
static bool make_side_folder(const struct sweep *s, struct sweep_side *side, struct error *e)
{
    if (!s->options->gate)
        return snprintf(side->folder, sizeof side->folder, "%s", s->result->folder) > 0;
    char wanted[sizeof side->folder];
    snprintf(wanted, sizeof wanted, "%s/%s", s->result->folder, side->name);
    return run_folder_make(wanted, NULL, NULL, side->folder, sizeof side->folder, e);
}

static bool create_side(struct sweep *s, struct sweep_side *side, struct error *e)
{
    const struct plan *plan = s->options->gate ? &side->plan : s->plan;
    if (!make_side_folder(s, side, e) ||
        (!s->options->locked && !folder_lock(side->folder, &side->lock, e)))
        return false;
    if (record_create(side->folder, plan, &s->metrics, &side->manifest, &side->record, e))
        return true;
    if (side->lock >= 0)
        folder_unlock(side->folder, side->lock);
    side->lock = -1;
    /* rmdir() removes only an empty folder, so files from other processes are safe. */
    (void)rmdir(side->folder);
    return false;
}

bool sweep_create(struct sweep *s, struct error *e)
{
    const struct sweep_options *o = s->options;
    struct sweep_result *r = s->result;
    if (o->locked)
        snprintf(r->folder, sizeof r->folder, "%.4000s", o->out);
    else if (o->each) {
        const char *uuid = s->lanes[0].supervisor.hello.info.uuid;
        int used = snprintf(r->folder, sizeof r->folder, "%.3900s/", o->each);
        if (*uuid)
            snprintf(r->folder + used, sizeof r->folder - (size_t)used, "%s", uuid);
        else
            snprintf(r->folder + used, sizeof r->folder - (size_t)used, "device-%d", o->each_index);
        if (!folder_create_empty(r->folder, e))
            return false;
    } else if (!run_folder_make(o->out, o->setup.config->name,
                                s->lanes[0].supervisor.hello.info.slug, r->folder, sizeof r->folder,
                                e))
        return false;
    for (int i = 0; i < s->side_count; i++)
        if (!create_side(s, &s->sides[i], e))
            return false;
    return o->gate || run_folder_set_latest(r->folder, e);
}

static bool close_side(struct sweep *s, struct sweep_side *side, bool ok, struct error *e)
{
    char ended[32];
    const char *status = !ok                   ? "failed"
                         : s->result->stopped  ? "stopped"
                         : s->result->doubt[0] ? "doubtful"
                                               : "complete";
    struct error ignored;
    return record_close(side->record, status, clock_utc(time(NULL), ended), ok ? e : &ignored) &&
           ok;
}

bool sweep_close(struct sweep *s, bool ok, struct error *e)
{
    for (int i = 0; i < s->side_count; i++)
        if (s->sides[i].record)
            ok = close_side(s, &s->sides[i], ok, e);
    for (int i = s->side_count - 1; i >= 0; i--) {
        struct sweep_side *side = &s->sides[i];
        if (side->lock >= 0)
            folder_unlock(side->folder, side->lock);
        if (i > 0)
            memset(&side->manifest.sessions, 0, sizeof side->manifest.sessions);
        manifest_free(&side->manifest);
        free(side->plan.points);
    }
    free(s->sides);
    return ok;
}

void sweep_on_disk(struct sweep *s, const char *folder)
{
    s->resume_word.length = 0;
    shell_quote(&s->resume_word, folder);
    s->on_disk = folder;
}
