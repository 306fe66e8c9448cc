/* Compares the speeds of cards and finds slow cards. */
#include "record/anchors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/statistics.h"
#include "record/columns.h"
#include "record/outcome.h"
#include "table/table.h"

enum { CARDS_LISTED = 16 };

const char *const anchor_times[ANCHOR_TIMES] = {"start", "together", "end"};

size_t cards_find(struct cards *c, const char *name)
{
    for (size_t i = 0; i < c->list.count; i++)
        if (strcmp(c->list.items[i].name, name) == 0)
            return i;
    struct card_speed card = {.reads = NAN, .takes = NAN};
    snprintf(card.name, sizeof card.name, "%s", name);
    vec_push(&c->list, card);
    return c->list.count - 1;
}

void cards_add_ceiling(struct cards *c, size_t card, double read_gbs)
{
    if (!isnan(read_gbs))
        vec_push(&c->list.items[card].read_gbs, read_gbs);
}

void cards_add_anchor(struct cards *c, size_t card, uint64_t id, double us)
{
    int i = 0;
    while (i < c->anchor_count && c->anchors[i] != id)
        i++;
    if (isnan(us) || i == ANCHORS_MOST)
        return;
    c->anchors[i] = id;
    c->anchor_count += i == c->anchor_count;
    vec_push(&c->list.items[card].us[i], us);
}

bool cards_read_anchors(struct cards *c, const char *folder, const char *unnamed, struct error *e)
{
    struct table t = {0};
    struct known_columns known;
    char *path = xasprintf("%s/" ANCHORS_FILE, folder);
    bool there = access(path, F_OK) == 0,
         ok = !there || table_read_as(path, columns_describe_table, NULL, &t, e);
    const struct column *when = ok ? table_find(&t, ANCHORED_COLUMN) : NULL;
    known_columns_find(&t, &known);
    for (size_t row = 0; there && ok && row < t.row_count; row++) {
        enum status status;
        const char *uuid = column_text(known.device_uuid, row);
        if (strcmp(column_text(when, row), anchor_times[ANCHOR_TOGETHER]) != 0 &&
            status_find(column_text(known.status, row), &status) && status_is_good(status))
            cards_add_anchor(c, cards_find(c, *uuid ? uuid : unnamed),
                             strtoull(column_text(known.id, row), NULL, 16),
                             column_number(known.time_us_median, row));
    }
    if (there && ok)
        table_free(&t);
    free(path);
    return ok;
}

/* Divides each of `count` medians, one per card, by their median. A card without a value has NaN.
 * If fewer than two cards have a value, all results are NaN. */
static void find_ratios(double *medians, size_t count)
{
    double *known = xcalloc(count + 1, sizeof *known);
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(medians[i]))
            known[found++] = medians[i];
    double median = found > 1 ? median_in_place(known, found) : NAN;
    for (size_t i = 0; i < count; i++)
        medians[i] /= median;
    free(known);
}

void cards_compare(struct cards *c)
{
    size_t count = c->list.count;
    double *ratios = xcalloc((ANCHORS_MOST + 1) * (count + 1), sizeof *ratios);
    for (int what = 0; what <= c->anchor_count; what++) {
        double *row = ratios + (size_t)what * count;
        for (size_t i = 0; i < count; i++) {
            struct card_speed *card = &c->list.items[i];
            row[i] = what == 0
                         ? median_in_place(card->read_gbs.items, card->read_gbs.count)
                         : median_in_place(card->us[what - 1].items, card->us[what - 1].count);
        }
        find_ratios(row, count);
    }
    for (size_t i = 0; i < count; i++) {
        double anchors[ANCHORS_MOST];
        size_t found = 0;
        for (int k = 1; k <= c->anchor_count; k++)
            if (!isnan(ratios[(size_t)k * count + i]))
                anchors[found++] = ratios[(size_t)k * count + i];
        c->list.items[i].reads = ratios[i];
        c->list.items[i].takes = median_in_place(anchors, found);
    }
    free(ratios);
}

void cards_free(struct cards *c)
{
    for (size_t i = 0; i < c->list.count; i++) {
        vec_free(&c->list.items[i].read_gbs);
        for (int k = 0; k < ANCHORS_MOST; k++)
            vec_free(&c->list.items[i].us[k]);
    }
    vec_free(&c->list);
}

const char *card_slow(const struct cards *c, size_t card, char why[160])
{
    const struct card_speed *s = &c->list.items[card];
    double below = (1 - s->reads) * 100, longer = (s->takes - 1) * 100;
    why[0] = '\0';
    if (below > CARD_SLOW_PCT) /* false if `below` is NaN */
        snprintf(why, 160, "it reads %.1f %% more slowly than the median of all %zu cards", below,
                 c->list.count);
    else if (longer > CARD_SLOW_PCT)
        snprintf(why, 160, "its anchors take %.1f %% longer than the median of all %zu cards",
                 longer, c->list.count);
    return why;
}

static void append_ratios(struct text *out, double reads, double takes)
{
    if (!isnan(reads))
        text_append(out, " reads at %.3f of the median speed", reads);
    if (!isnan(takes))
        text_append(out, "%s anchors take %.3f of the median time", isnan(reads) ? "" : ",", takes);
    text_append(out, "\n");
}

void cards_describe(const struct cards *c, struct text *out)
{
    const double most = HUGE_VAL;
    double reads[2] = {most, 0}, takes[2] = {most, 0};
    size_t known = 0;
    for (size_t i = 0; i < c->list.count; i++) {
        const struct card_speed *s = &c->list.items[i];
        known += !isnan(s->reads) || !isnan(s->takes);
        reads[0] = fmin(reads[0], s->reads); /* fmin() and fmax() ignore NaN */
        reads[1] = fmax(reads[1], s->reads);
        takes[0] = fmin(takes[0], s->takes);
        takes[1] = fmax(takes[1], s->takes);
    }
    for (size_t i = 0; known && known <= CARDS_LISTED && i < c->list.count; i++) {
        text_append_safely(out, "card %s:", c->list.items[i].name);
        append_ratios(out, c->list.items[i].reads, c->list.items[i].takes);
    }
    if (known > CARDS_LISTED) {
        text_append(out, "%zu cards:", known);
        if (reads[1] > 0)
            text_append(out, " they read at %.3f to %.3f of the median speed", reads[0], reads[1]);
        if (takes[1] > 0)
            text_append(out, "%s their anchors take %.3f to %.3f of the median time",
                        reads[1] > 0 ? "," : "", takes[0], takes[1]);
        text_append(out, "\n");
    }
}
