/*
 * Decides whether a sweep may begin, once its devices are open and its plan exists. Checks the
 * devices and the plan, then makes the sweep's folder. If a run is resumed, compares the current
 * state with that of the earlier session, and opens the run's folder.
 */
#include "run/begin.h"

#include <stdio.h>
#include <string.h>

#include "base/terminal.h"
#include "plan/shards.h"
#include "run/dry_run.h"
#include "run/earlier.h"
#include "run/energy_plan.h"
#include "run/give_up.h"
#include "run/processes.h"
#include "run/provenance.h"
#include "run/rows.h"
#include "run/sides.h"
#include "run/source_anchors.h"

static bool is_missing(const struct metric_choice *m)
{
    return m->formula < 0 && m->reason[0];
}

/*
 * Appends one line, such as "a, b are not available: reason", that names metric `i` and all later
 * metrics that are missing for the same reason.
 */
static void describe_missing(const struct metric_plan *p, int i, struct text *line)
{
    const char *reason = p->choices[i].reason;
    int names = 0;
    for (int j = i; j < p->count; j++)
        if (is_missing(&p->choices[j]) && strcmp(p->choices[j].reason, reason) == 0)
            text_append(line, "%s%s", names++ ? ", " : "", p->choices[j].name);
    text_append(line, " %s not available: %s\n", names > 1 ? "are" : "is", reason);
}

static void note_missing_metrics(struct sweep *s)
{
    const struct metric_plan *p = &s->metrics;
    struct text lines = {0};
    for (int i = 0; i < p->count; i++) {
        bool reported = false;
        for (int j = 0; j < i; j++)
            reported = reported || (is_missing(&p->choices[j]) &&
                                    strcmp(p->choices[j].reason, p->choices[i].reason) == 0);
        if (is_missing(&p->choices[i]) && !reported)
            describe_missing(p, i, &lines);
    }
    if (lines.length)
        snprintf(s->result->missing_metrics, sizeof s->result->missing_metrics, "%s", lines.bytes);
    text_free(&lines);
}

/*
 * Checks that the devices of two lanes are different cards of the same model. A run records only
 * one device name, so its cards must be alike.
 */
static bool check_same_model(const struct lane *first, const struct lane *l, struct error *e)
{
    const struct device_info *a = &first->supervisor.hello.info, *b = &l->supervisor.hello.info;
    if (a->uuid[0] && strcmp(a->uuid, b->uuid) == 0)
        return FAIL(e, ERROR_USAGE, "--device: %s and %s are the same device; name it only once",
                    first->setup.device_name, l->setup.device_name);
    const struct device_limits *x = &a->limits, *y = &b->limits;
    if (strcmp(a->name, b->name) == 0 && strcmp(a->chip, b->chip) == 0 && x->cc == y->cc &&
        x->sms == y->sms && a->memory_bytes == b->memory_bytes)
        return true;
    return FAIL(e, ERROR_USAGE,
                "%s and %s are different models (%s and %s), but a run may contain the times of "
                "only one model; measure each device with --each, or name devices of one model",
                l->setup.device_name, first->setup.device_name, b->name, a->name);
}

static bool check_devices(struct sweep *s, struct error *e)
{
    for (int i = 1; i < s->lane_count; i++)
        for (int j = 0; j < i; j++)
            if (!check_same_model(&s->lanes[j], &s->lanes[i], e))
                return false;
    for (int i = 0; s->lane_count > 1 && i < s->lane_count; i++)
        snprintf(s->lanes[i].conditions->uuid, sizeof s->lanes[i].conditions->uuid, "%s",
                 s->lanes[i].supervisor.hello.info.uuid);
    return true;
}

/* Checks that the device can measure times, if the source chooses points by their times. */
static bool check_search(const struct sweep *s, struct error *e)
{
    const struct config *c = s->options->setup.config;
    const struct device_info *info = &s->lanes[0].supervisor.hello.info;
    const struct source_kind *kind = source_kind_of(c);
    return !kind->by_times || (info->can_time && c->timing.max_samples > 0) ||
           FAIL(e, ERROR_CONFIG,
                "%s, search.strategy: %s needs times, but nothing is timed (%s); choose "
                "exhaustive, or measure times",
                c->path, kind->name, info->can_time ? "timing.max_samples is 0" : info->name);
}

/* Checks that each device of the run can measure energy, if the config requests energy. */
static bool check_energy(const struct sweep *s, struct error *e)
{
    for (int i = 0; i < s->lane_count; i++)
        if (!energy_plan_check(s->plan, &s->lanes[i].supervisor.hello.info, e))
            return false;
    return true;
}

/* Prints the devices of a run, the devices that --device auto rejected, and the plan's notes. */
static void say_beginning(const struct sweep *s)
{
    if (s->options->quiet)
        return;
    for (int i = 0; i < s->lane_count; i++) {
        const struct hello *hello = &s->lanes[i].supervisor.hello;
        const char *uuid = hello->info.uuid;
        struct text words = {0};
        text_append_safely(&words, "%s%s%s%s%s", hello->info.name, *uuid ? ", " : "", uuid,
                           *hello->passed_over ? "; not " : "", hello->passed_over);
        fputs("device: ", stderr);
        terminal_print_words(stderr, words.bytes, 8);
        text_free(&words);
    }
    text_print_notes(s->plan->notes, stderr);
}

enum { MORE_CHANGES_SIZE = 40 /* the size of the longest text "; and N more changes" */ };

/*
 * Writes to `mark` the text that precedes the reason in each new row of a resumed run. It consists
 * of as many of the `lines` (one per change) as fit, followed by the number of changes that did not
 * fit.
 */
static void mark_changes(const char *lines, char mark[static MARK_SIZE])
{
    struct text kept = {0};
    size_t more = 0;
    text_append(&kept, "the run was resumed after a change:");
    for (const char *line = lines; *line;) {
        const size_t length = strcspn(line, "\n");
        if (more > 0 || (line > lines && kept.length + length + MORE_CHANGES_SIZE > MARK_SIZE))
            more++;
        else
            text_append(&kept, "%s%.*s", line > lines ? ";" : "", (int)length - 1, line + 1);
        line += length + (line[length] == '\n');
    }
    if (more > 0)
        text_append(&kept, "; and %zu more change%s", more, more == 1 ? "" : "s");
    snprintf(mark, MARK_SIZE, "%s", kept.bytes);
    text_free(&kept);
}

/*
 * Compares the sweep with its earlier session. If something has changed, the function fails. With
 * --anyway, it succeeds, and every new row records the changes.
 */
static bool check_changes(struct sweep *s, struct error *e)
{
    const struct sweep_options *o = s->options;
    struct conditions *session = s->conditions;
    struct text changes = {0};
    earlier_compare(&o->earlier->provenance, &s->sides[0].manifest.provenance, s->plan, &changes);
    bool ok = true;
    if (changes.length && !o->anyway) {
        FAIL_LINES(
            e, ERROR_CONFIG,
            "the run was started under different conditions:\n%sOld and new rows would not be "
            "comparable. Start a new run, or resume with --anyway, which records the change "
            "in the reason of each new row",
            changes.bytes);
        ok = error_prefix(e, "%s", o->out);
    } else if (changes.length) {
        mark_changes(changes.bytes, session->changes);
    }
    s->mark = session->changes;
    text_free(&changes);
    return ok;
}

/*
 * Marks the points that already have a row in `found`. Fails if a row belongs to no point of the
 * plan, which happens if the plan has changed.
 */
static bool find_recorded(struct sweep *s, const struct recorded *found, struct error *e)
{
    rows_take_earlier(s, found);
    for (size_t i = 0; i < found->given_up.count; i++)
        give_up_again(s, found->given_up.items[i].kernel, found->given_up.items[i].status);
    s->result->rows = s->result->earlier_rows = s->recorded_count;
    memcpy(s->result->by_status, found->by_status, sizeof found->by_status);
    return s->recorded_count == found->ids.count ||
           FAIL(e, ERROR_CONFIG,
                "%s/results.csv has %zu rows, but only %llu of them are points of the run's "
                "config; start a new run",
                s->result->folder, found->ids.count, (unsigned long long)s->recorded_count);
}

/*
 * Removes the rows of groups that must be measured again from the start, because the source cannot
 * continue from their rows. If the card has changed, removes the rows of all incomplete groups: the
 * points of a group are ranked against each other, so one card must measure all of them.
 */
static bool drop_groups(struct sweep *s, const struct source_kind *kind, struct error *e)
{
    const struct provenance *was = &s->options->earlier->provenance;
    const char *uuid = s->sides[0].manifest.provenance.device.uuid;
    bool other_card = s->lane_count > 1 || strcmp(was->device.uuid, uuid) != 0;
    if (!other_card && !kind->begins_again)
        return true;
    struct recorded found, dropped = {0};
    bool ok = recorded_find(s->result->folder, &found, e);
    for (uint32_t g = 0; ok && g < s->plan->group_count; g++) {
        const struct group *group = &s->plan->groups[g];
        size_t before = dropped.ids.count;
        for (uint32_t i = group->first; i < group->first + group->count; i++)
            if (recorded_has(&found, s->plan->points[i].id))
                vec_push(&dropped.ids, s->plan->points[i].id);
        bool again = kind->begins_again && kind->begins_again(s, g, dropped.ids.count - before);
        if (!again && !(other_card && dropped.ids.count - before < group->count))
            dropped.ids.count = before;
    }
    recorded_sort(&dropped);
    ok = ok && (dropped.ids.count == 0 || record_take_out_points(s->result->folder, &dropped, e));
    recorded_free(&dropped);
    recorded_free(&found);
    return ok;
}

static bool reopen_record(struct sweep *s, struct error *e)
{
    const struct provenance *was = &s->options->earlier->provenance;
    struct provenance *p = &s->sides[0].manifest.provenance;
    if (!check_changes(s, e))
        return false;
    member_set(&p->command, was->command);
    member_set(&p->config_overrides, was->config_overrides);
    snprintf(p->started, sizeof p->started, "%s", was->started);
    struct manifest *manifest = &s->sides[0].manifest;
    snprintf(manifest->status, sizeof manifest->status, "%s", s->options->earlier->status);
    struct recorded found;
    size_t taken;
    const struct source_kind *kind = source_kind_of(s->options->setup.config);
    if (!record_take_out(s->result->folder, s->options->retry, &taken, e) ||
        !drop_groups(s, kind, e) ||
        !record_open(s->result->folder, s->plan, &s->metrics, &s->sides[0].manifest,
                     &s->sides[0].record, &found, e))
        return false;
    bool ok = find_recorded(s, &found, e);
    s->refused = !ok;
    recorded_free(&found);
    return ok;
}

bool sweep_begin(struct sweep *s, struct error *e)
{
    const struct sweep_options *o = s->options;
    if (s->result->stopped || sweep_stop_signal)
        return FAIL(e, ERROR_SYSTEM,
                    "the run was stopped before the first point, so nothing was measured");
    if (o->gate && o->gate->only)
        plan_keep(s->plan, o->gate->only, o->gate->only_count);
    if (o->dry_run) {
        s->over = true;
        return dry_run(s, e);
    }
    if (!check_devices(s, e))
        return false;
    say_beginning(s);
    if (!check_search(s, e) || !check_energy(s, e) || !sweep_describe(s, e))
        return false;
    anchors_make(s);
    /* From here on, the plan has only the points of this shard. */
    plan_keep_shard(s->plan, o->setup.shard);
    give_up_begin(s);
    rows_begin(s);
    if (!(o->earlier ? reopen_record(s, e) : sweep_create(s, e)))
        return false;
    sweep_on_disk(s, s->sides[s->side_count - 1].folder);
    note_missing_metrics(s);
    s->over = s->recorded_count == s->plan->point_count;
    if (!s->over)
        s->source = source_kind_of(o->setup.config)->make(s);
    return true;
}
