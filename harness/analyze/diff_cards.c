/*
 * Finds whether two runs were timed on one card, on several cards that agree, or on different
 * cards.
 *
 * Two runs that used the same set of cards (lanes, merged shards) may have measured a point on
 * different cards of the set. If the anchors of these cards agree within the minimum effect, the
 * runs are judged as if they came from one card. If the anchors do not agree or the sets differ,
 * the runs count as runs on two devices.
 */
#include "analyze/diff_cards.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "record/anchors.h"

struct names {
    VEC(const char *) list; /* borrowed from the run */
};

static bool has_name(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->list.count; i++)
        if (strcmp(names->list.items[i], name) == 0)
            return true;
    return false;
}

/* Lists the UUIDs of a run's cards, or nothing if they are unknown. */
static void find_cards(const struct results *r, struct names *out)
{
    const struct manifest *m = &r->manifest;
    *out = (struct names){0};
    for (size_t i = 0; i < m->sessions.count; i++)
        if (*m->sessions.items[i].uuid && !has_name(out, m->sessions.items[i].uuid))
            vec_push(&out->list, m->sessions.items[i].uuid);
    if (out->list.count == 0 && *m->provenance.device.uuid)
        vec_push(&out->list, m->provenance.device.uuid);
}

static bool same_cards(const struct names *a, const struct names *b)
{
    bool same = a->list.count == b->list.count;
    for (size_t i = 0; same && i < a->list.count; i++)
        same = has_name(b, a->list.items[i]);
    return same;
}

/*
 * Raises *spread to the share by which the anchors of a run's cards differ. Does nothing if fewer
 * than two cards have anchors.
 */
static bool find_spread(const struct results *r, double *spread, struct error *e)
{
    struct cards cards = {0};
    double least = HUGE_VAL, most = 0;
    bool ok = cards_read_anchors(&cards, r->folder, "", e);
    cards_compare(&cards);
    for (size_t i = 0; i < cards.list.count; i++) {
        least = fmin(least, cards.list.items[i].takes); /* fmin() ignores NaN */
        most = fmax(most, cards.list.items[i].takes);
    }
    if (most > 0)
        *spread = fmax(*spread, most / least - 1);
    cards_free(&cards);
    return ok;
}

bool diff_cards(const struct results *a, const struct results *b, double minimum_effect,
                struct diff_cards *out, struct error *e)
{
    struct names x, y;
    find_cards(a, &x);
    find_cards(b, &y);
    bool ok = true, same = same_cards(&x, &y);
    out->several = x.list.count > 1 || y.list.count > 1;
    out->anchors_apart = NAN;
    if (x.list.count == 0 || y.list.count == 0)
        out->several = false;
    else if (!same || out->several)
        ok = find_spread(a, &out->anchors_apart, e) && find_spread(b, &out->anchors_apart, e);
    out->other = x.list.count > 0 && y.list.count > 0 &&
                 !(same && (!out->several || out->anchors_apart <= minimum_effect));
    vec_free(&x.list);
    vec_free(&y.list);
    return ok;
}
