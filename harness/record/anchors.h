/*
 * Compares cards of one model: the same few points, the anchors, and the ceilings are measured on
 * each card of a run and of each shard, at its beginning and at its end.
 *
 * Ratios are reported and slow cards are named. Times are never corrected by them: after a
 * correction by four common points two H200s still differed in 6 % of their points.
 */
#ifndef REDSWEEP_RECORD_ANCHORS_H
#define REDSWEEP_RECORD_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

#define ANCHORS_FILE "anchors.csv"
#define ANCHORED_COLUMN "anchored" /* the last one of the file: one of anchor_times */

/* When an anchor was measured. */
enum anchor_time {
    ANCHOR_START,    /* the card alone, before the points */
    ANCHOR_TOGETHER, /* while all cards of the run measured theirs */
    ANCHOR_END,      /* alone, after the points */
    ANCHOR_TIMES
};
extern const char *const anchor_times[ANCHOR_TIMES]; /* "start" … */

enum { ANCHORS_MOST = 4 };

#define CARD_SLOW_PCT 3.0 /* healthy cards of one model differ by up to 2 % */

/* The measurements of a card alone. */
struct card_speed {
    char name[120];               /* its UUID, or another identification */
    VEC(double) read_gbs;         /* reading ceilings */
    VEC(double) us[ANCHORS_MOST]; /* medians of each anchor */
    /* By cards_compare(), as ratios to the median of all cards; NaN: fewer than two are known. */
    double reads; /* the median of its ceilings */
    double takes; /* the times of its anchors: the median of their ratios */
};

struct cards {
    VEC(struct card_speed) list;    /* in the order in which they were added */
    uint64_t anchors[ANCHORS_MOST]; /* ids of the points */
    int anchor_count;
};

/* The place of the card with this name, which is added if it is new. */
size_t cards_find(struct cards *c, const char *name);

/* Includes a ceiling, or the median of an anchor; NaN, and surplus anchors, are ignored. */
void cards_add_ceiling(struct cards *c, size_t card, double read_gbs);
void cards_add_anchor(struct cards *c, size_t card, uint64_t id, double us);

/*
 * Adds those rows of a folder's anchors.csv that are right and were measured alone. If a row has no
 * UUID, its card is `unnamed`. A missing file adds nothing.
 */
bool cards_read_anchors(struct cards *c, const char *folder, const char *unnamed, struct error *e);

void cards_compare(struct cards *c);
void cards_free(struct cards *c);

/* "it reads 4.0 % below the median of 3 cards", from CARD_SLOW_PCT on; "" if it is not slow. */
const char *card_slow(const struct cards *c, size_t card, char why[160]);

/* A line for each card, or one for all if there are many, with its ratios; nothing if no two can be
 * compared. */
void cards_describe(const struct cards *c, struct text *out);

#endif
