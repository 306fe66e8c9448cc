/*
 * The points by which cards are compared, on each lane: see record/anchors.h.
 *
 * A few of the sweep's own points, small and launch-bound ones and larger ones that move memory,
 * with a fixed number of samples: a fraction of a second per card.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/element.h"
#include "base/statistics.h"
#include "run/party.h"
#include "run/sweep_state.h"

#define LARGER_BYTES_MOST (64.0 * 1024 * 1024) /* of the larger group's input */
enum { ANCHOR_SAMPLES = 20 };

static bool is_wanted(const struct sweep *s)
{
    const struct sweep_options *o = s->options;
    const struct device_info *info = &s->lanes[0].supervisor.hello.info;
    bool several =
        s->lane_count > 1 || o->setup.shard.count > 0 || (o->party && o->party->most > 1);
    return several && !o->gate && info->can_time && !info->recalls &&
           o->setup.config->timing.max_samples > 0;
}

static double bytes_of(const struct plan *plan, const struct group *g)
{
    const struct point *p = &plan->points[g->first];
    return (double)p->n * (double)element_size((enum element_type)p->type);
}

/* The group's first and last point that can run, as an anchor group. False:
 * the device runs none. */
static bool take_ends(const struct plan *plan, const struct group *g, struct anchor_group *out)
{
    const struct point *ends[ANCHORS_MOST / 2] = {NULL};
    *out = (struct anchor_group){.count = 0};
    if (plan_kernel(plan, &plan->points[g->first])->backend == BACKEND_CPU)
        return false;
    for (uint32_t i = g->first; i < g->first + g->count; i++)
        if (!plan->points[i].skip)
            ends[ends[0] != NULL] = &plan->points[i];
    for (uint32_t i = 0; i < ANCHORS_MOST / 2 && ends[i]; i++)
        out->points[out->count++] = (struct task_point){
            .index = i, .point = *ends[i], .variant = plan->variants[ends[i]->variant]};
    if (out->count)
        out->input = plan_input(plan, ends[0]);
    return out->count > 0;
}

void sweep_choose_anchors(struct sweep *s)
{
    const struct plan *plan = s->plan;
    double small = HUGE_VAL, larger = 0;
    struct anchor_group found;
    for (int i = 0; i < s->lane_count; i++)
        for (int when = 0; when < ANCHOR_TIMES; when++)
            for (int k = 0; k < ANCHORS_MOST; k++)
                s->lanes[i].anchor_us[when][k] = NAN;
    if (!is_wanted(s))
        return;
    for (uint32_t g = 0; g < plan->group_count; g++) {
        double bytes = bytes_of(plan, &plan->groups[g]);
        bool smaller = bytes<small, is_larger = bytes> larger && bytes <= LARGER_BYTES_MOST;
        if ((!smaller && !is_larger) || !take_ends(plan, &plan->groups[g], &found))
            continue;
        if (smaller) {
            small = bytes;
            s->anchors[0] = found;
        }
        if (is_larger) {
            larger = bytes;
            s->anchors[1] = found;
        }
    }
    s->anchor_groups = isinf(small) ? 0 : larger > small ? 2 : 1;
}

static void send_group(struct lane *l, const struct anchor_group *g)
{
    static const bool none_done[ANCHORS_MOST / 2];
    size_t length = sizeof(struct group_request) + g->count * sizeof g->points[0];
    struct group_request *r = xcalloc(1, length);
    r->input = g->input;
    r->count = g->count;
    r->compile = true; /* its variants may be no others' of this shard */
    r->sampling.samples = ANCHOR_SAMPLES;
    memcpy(r->points, g->points, g->count * sizeof g->points[0]);
    l->supervisor.asked = (struct asked){.count = g->count, .done = none_done};
    supervisor_request(&l->supervisor, MESSAGE_GROUP, r, length);
    free(r);
}

/* Which of the sweep's anchors it is. */
static int anchor_number(int group, uint32_t point)
{
    return group * (ANCHORS_MOST / 2) + (int)point;
}

static bool record_one(struct sweep *s, struct lane *l, int group, const struct report *r,
                       struct pending *p, enum anchor_time when, struct error *e)
{
    struct outcome o = *r->outcome;
    struct record *record = s->sides[0].record;
    o.samples = p->samples.items;
    o.sample_count = p->samples.count;
    record_from(record, l->session);
    if (!record_anchor(record, &s->anchors[group].points[r->point].point, &o, anchor_times[when],
                       e))
        return false;
    if (status_is_good(o.status))
        l->anchor_us[when][anchor_number(group, r->point)] =
            median_in_place(p->samples.items, p->samples.count);
    return true;
}

/* One message of a group; *ended with the last. A worker that has lost its device ends. */
static bool take_message(struct sweep *s, struct lane *l, int group, const struct message *m,
                         struct pending *pending, enum anchor_time when, bool *ended,
                         struct error *e)
{
    *ended = m->type == MESSAGE_GROUP_END || m->type == MESSAGE_REFUSED;
    if (*ended && ((const struct refusal *)m->payload)->device_lost)
        supervisor_kill(&l->supervisor, NULL);
    if (m->type != MESSAGE_REPORT)
        return true;
    struct report r = message_report(m);
    if (r.type == REPORT_DONE)
        return record_one(s, l, group, &r, &pending[r.point], when, e);
    if (r.type == REPORT_SAMPLES && r.count == 0)
        pending[r.point].samples.count = 0;
    for (uint32_t i = 0; r.type == REPORT_SAMPLES && i < r.count; i++)
        vec_push(&pending[r.point].samples, r.values[i]);
    return true;
}

static bool await_group(struct sweep *s, struct lane *l, int group, enum anchor_time when,
                        struct error *e)
{
    struct pending pending[ANCHORS_MOST / 2] = {0};
    bool ok = true, ended = l->supervisor.worker == 0;
    while (ok && !ended) {
        struct message m;
        enum received received = supervisor_await(&l->supervisor, SWEEP_CEILINGS_LIMIT_MS, &m);
        if (received != RECEIVED_MESSAGE) {
            supervisor_kill(&l->supervisor, NULL);
            break;
        }
        ok = take_message(s, l, group, &m, pending, when, &ended, e);
        message_free(&m);
    }
    for (int i = 0; i < ANCHORS_MOST / 2; i++)
        pending_clear(&pending[i]);
    return ok;
}

bool sweep_measure_anchors(struct sweep *s, struct lane *lanes, int count, enum anchor_time when,
                           struct error *e)
{
    double since = clock_now_s();
    bool ok = true;
    for (int g = 0; ok && g < s->anchor_groups && !sweep_stop_signal; g++) {
        for (int i = 0; i < count; i++)
            if (lanes[i].supervisor.worker)
                send_group(&lanes[i], &s->anchors[g]);
        for (int i = 0; ok && i < count; i++)
            ok = await_group(s, &lanes[i], g, when, e);
    }
    for (int i = 0; i < count; i++)
        lanes[i].conditions->phases.ceilings_s += clock_now_s() - since;
    return ok;
}

enum { NAMES_SHOWN = 200 }; /* bytes of the devices' names that a message has room for */

/* With the devices to measure again on: the others, as --device takes them ("cuda:0,1"). */
static void say_doubt(struct sweep *s, const struct lane *slow, const char *why)
{
    struct text others = {0};
    for (int i = 0; i < s->lane_count; i++) {
        const char *name = s->lanes[i].setup.device_name, *colon = strchr(name, ':');
        if (&s->lanes[i] != slow)
            text_append(&others, "%s%s", others.length ? "," : "",
                        others.length && colon ? colon + 1 : name);
    }
    if (!s->result->doubt[0])
        snprintf(s->result->doubt, sizeof s->result->doubt,
                 "the card %.48s is slow: %.160s; to measure again without it: --device %.*s",
                 slow->conditions->uuid, why, NAMES_SHOWN,
                 others.length <= NAMES_SHOWN ? text_shown(&others)
                                              : "and the names of the others");
    text_free(&others);
}

/* A lane whose anchors, more than half of them, take longer while the others work. */
static void judge_together(struct sweep *s, const struct lane *l)
{
    double pct[ANCHORS_MOST];
    size_t count = 0;
    for (int k = 0; k < ANCHORS_MOST; k++)
        if (!isnan(l->anchor_us[ANCHOR_TOGETHER][k]))
            pct[count++] =
                sweep_suffers_pct(l->anchor_us[ANCHOR_START][k], l->anchor_us[ANCHOR_END][k],
                                  l->anchor_us[ANCHOR_TOGETHER][k], l->conditions->launch.step_us);
    if (count == 0 || s->result->doubt[0])
        return;
    sort_numbers(pct, count);
    double suffers = pct[(count - 1) / 2];
    if (suffers > 0)
        snprintf(s->result->doubt, sizeof s->result->doubt,
                 "the anchors on %s take %.1f %% longer while the other devices work: measure with "
                 "--lanes 1",
                 l->setup.device_name, suffers);
}

void sweep_judge_cards(struct sweep *s)
{
    struct cards cards = {0};
    struct text ratios = {0};
    char why[160];
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        const struct conditions *c = l->conditions;
        judge_together(s, l);
        size_t card = cards_find(&cards, c->uuid[0] ? c->uuid : l->setup.device_name);
        cards_add_ceiling(&cards, card, c->start.read_gbs);
        cards_add_ceiling(&cards, card, c->end.read_gbs);
        for (int k = 0; k < ANCHORS_MOST; k++) {
            cards_add_anchor(&cards, card, (uint64_t)k, l->anchor_us[ANCHOR_START][k]);
            cards_add_anchor(&cards, card, (uint64_t)k, l->anchor_us[ANCHOR_END][k]);
        }
    }
    cards_compare(&cards);
    for (int i = 0; i < s->lane_count && (size_t)i < cards.list.count; i++)
        if (card_slow(&cards, (size_t)i, why)[0])
            say_doubt(s, &s->lanes[i], why);
    cards_describe(&cards, &ratios);
    if (!s->options->quiet)
        fprintf(stderr, "%s", text_shown(&ratios));
    text_free(&ratios);
    cards_free(&cards);
}
