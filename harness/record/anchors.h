/*
 * Compares cards of one model. At the beginning and at the end of a run or shard, each of its cards
 * measures its own ceilings and a few common points, the anchors.
 *
 * The ratios of the cards' speeds are reported, and slow cards are named. Times are never corrected
 * with these ratios, because such a correction is not reliable: after a correction with four common
 * points, the times of two H200s still differed for 6 % of their points.
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
#define ANCHORED_COLUMN "anchored" /* the last column of the file; its values are anchor_times */

/* The times at which an anchor is measured. */
enum anchor_time {
    ANCHOR_START,    /* before the points, while only this card was measuring */
    ANCHOR_TOGETHER, /* while all cards of the run measured their anchors */
    ANCHOR_END,      /* after the points, while only this card was measuring */
    ANCHOR_TIMES
};
extern const char *const anchor_times[ANCHOR_TIMES]; /* the names, such as "start" */

enum { ANCHORS_MOST = 4 };

#define CARD_SLOW_PCT 3.0 /* the limit in percent; healthy cards of one model differ by up to 2 % */

/* Contains the measurements of a card that were made while no other card was measuring. */
struct card_speed {
    char name[120];               /* the UUID of the card, or another name */
    VEC(double) read_gbs;         /* the read ceilings */
    VEC(double) us[ANCHORS_MOST]; /* the medians of each anchor */
    /* cards_compare() computes these two ratios of the card's value to the median of all cards. A
     * ratio is NaN if fewer than two cards have a value. */
    double reads; /* the ratio for the median of the card's read ceilings */
    double takes; /* the median of the ratios for the times of the anchors */
};

struct cards {
    VEC(struct card_speed) list;    /* the cards in the order in which they were added */
    uint64_t anchors[ANCHORS_MOST]; /* the ids of the anchors' points */
    int anchor_count;
};

/* Returns the index of the card with this name. Adds the card if it is new. */
size_t cards_find(struct cards *c, const char *name);

/* These functions add a read ceiling, or the median time of an anchor. They ignore NaN, and any
 * anchors after the first ANCHORS_MOST. */
void cards_add_ceiling(struct cards *c, size_t card, double read_gbs);
void cards_add_anchor(struct cards *c, size_t card, uint64_t id, double us);

/*
 * Adds the rows of a folder's anchors.csv that have a right result and were not measured together
 * with other cards. A row without a UUID belongs to the card `unnamed`. If the file does not exist,
 * nothing is added.
 */
bool cards_read_anchors(struct cards *c, const char *folder, const char *unnamed, struct error *e);

void cards_compare(struct cards *c);
void cards_free(struct cards *c);

/*
 * Writes why a card is slow, for example "it reads 4.0 % below the median of all 3 cards". Writes
 * "" if the card is at most CARD_SLOW_PCT slower than the median. Returns `why`.
 */
const char *card_slow(const struct cards *c, size_t card, char why[160]);

/*
 * Appends a line with the ratios of each card, or one line for all cards if there are many. Appends
 * nothing if there are fewer than two cards to compare.
 */
void cards_describe(const struct cards *c, struct text *out);

#endif
