/*
 * Judges whether a finished run can be trusted. A run is doubtful if a self-check fails, a card is
 * slow or unhealthy, or devices slow each other down. Bandwidth drift is only reported.
 */
#include "run/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/statistics.h"
#include "base/text.h"

#define SUFFERS_PCT 1.0
#define SUFFERS_STEPS 2

double sweep_suffers_pct(double start_us, double end_us, double together_us, double step_us)
{
    double alone_us = fmax(start_us, end_us), more = together_us - alone_us;
    double pct = more / alone_us * 100;
    return pct > SUFFERS_PCT && !(more <= SUFFERS_STEPS * step_us) ? pct : 0;
}

void judge_ceilings(struct sweep *s, const struct lane *l)
{
    const struct conditions *c = l->conditions;
    const struct ceilings *a = &c->start, *b = &c->end, *t = &c->together;
    /* in kilobytes, because kilobytes divided by GB/s are µs */
    double bytes = (double)a->bytes / 1e3;
    double step = c->launch.step_us;
    const struct {
        const char *what;
        double pct;
    } seen[] = {{"launching an empty kernel",
                 sweep_suffers_pct(a->empty_us, b->empty_us, t->empty_us, step)},
                {"reading", sweep_suffers_pct(bytes / a->read_gbs, bytes / b->read_gbs,
                                              bytes / t->read_gbs, step)},
                {"copying", sweep_suffers_pct(bytes / a->copy_gbs, bytes / b->copy_gbs,
                                              bytes / t->copy_gbs, step)},
                {"writing", sweep_suffers_pct(bytes / a->write_gbs, bytes / b->write_gbs,
                                              bytes / t->write_gbs, step)}};
    for (size_t i = 0; i < sizeof seen / sizeof *seen && !s->result->doubt[0]; i++)
        if (seen[i].pct > 0)
            snprintf(s->result->doubt, sizeof s->result->doubt,
                     "%s on %s takes %.1f %% longer while the other devices work than while they "
                     "are idle; measure with --lanes 1",
                     seen[i].what, l->setup.device_name, seen[i].pct);
}

/* Marks the run as doubtful if the state of a card is not normal. */
static void note_card(struct sweep *s, const struct lane *l, const struct card_state *card)
{
    char why[160];
    if (!s->result->doubt[0] && card_doubt(card, why)[0])
        snprintf(s->result->doubt, sizeof s->result->doubt, "the card %s is doubtful: %s",
                 l->supervisor.hello.info.uuid, why);
}

/*
 * Marks the run as doubtful if the lane's device is slower while other devices work, if the state
 * of its card is not normal, or if a self-check failed. Also computes how much the bandwidth has
 * drifted.
 */
static void note_conditions(struct sweep *s, const struct lane *l)
{
    struct conditions *c = l->conditions;
    struct sweep_result *r = s->result;
    judge_ceilings(s, l);
    note_card(s, l, &c->card);
    note_card(s, l, &c->card_end);
    c->drift_pct = conditions_drift_pct(c);
    if (!(fabs(c->drift_pct) <= fabs(r->drift_pct)))
        r->drift_pct = c->drift_pct;
    for (size_t i = 0; i < c->checks.count && !r->doubt[0]; i++) {
        const struct self_check *check = &c->checks.items[i];
        if (check->ok)
            continue;
        snprintf(r->doubt, sizeof r->doubt,
                 "the self-check %s failed: %s should be %.6g, but was %.6g", check->name,
                 check->meaning, check->expected, check->found);
    }
}

enum { NAMES_SHOWN = 200 }; /* the longest list of device names in a message, in bytes */

/*
 * Marks the run as doubtful because the card of the lane `slow` is slow. The message names the
 * other devices in the form that --device accepts ("cuda:0,1"), so that the user can measure again
 * without the slow card.
 */
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
                 "the card %.48s is slow: %.160s; to measure without it, use --device %.*s",
                 slow->conditions->uuid, why, NAMES_SHOWN,
                 others.length <= NAMES_SHOWN ? text_shown(&others)
                                              : "followed by the names of the other devices");
    text_free(&others);
}

/*
 * Marks the run as doubtful if more than half of the lane's anchors (points that every card
 * measures) take longer while other lanes work than while this lane works alone.
 */
static void judge_anchors(struct sweep *s, const struct lane *l)
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
                 "the anchors (points that every device measures) on %s take %.1f %% longer while "
                 "the other devices work than while they are idle; measure with --lanes 1",
                 l->setup.device_name, suffers);
}

static void judge_cards(struct sweep *s)
{
    struct cards cards = {0};
    struct text ratios = {0};
    char why[160];
    for (int i = 0; i < s->lane_count; i++) {
        struct lane *l = &s->lanes[i];
        const struct conditions *c = l->conditions;
        judge_anchors(s, l);
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

void judge_run(struct sweep *s)
{
    s->result->drift_pct = NAN;
    for (int i = 0; i < s->lane_count; i++)
        note_conditions(s, &s->lanes[i]);
    judge_cards(s);
}
