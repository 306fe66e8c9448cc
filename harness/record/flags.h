/*
 * Flags are facts about a row in addition to its status. The column `flags` of results.csv stores
 * them as words separated by spaces. The column `reason` says the same in more detail, for people.
 * Only flags_of_older() parses `reason`, for runs from before the column `flags` existed.
 */
#ifndef REDSWEEP_RECORD_FLAGS_H
#define REDSWEEP_RECORD_FLAGS_H

#include "record/outcome.h"

enum row_flag {
    /* the clock cannot resolve the point's time, so readers leave the time out */
    FLAG_UNRESOLVED = 1,
    /* the point lost a race after few samples, so its median is only approximate */
    FLAG_RACED = 2,
    /* the queue slots of the point's launches are unverified, so its times may be too long */
    FLAG_UNPLACED = 4,
    /* the point was timed again, because something slowed the device down at first */
    FLAG_RETIMED = 8,
    /* the times come from another run, and nothing was measured */
    FLAG_RECALLED = 16,
    /* the point was measured in a resumed session, under other conditions than the first session */
    FLAG_RESUMED = 32,
    /* only a sample of the point's blocks was executed (the status says so too) */
    FLAG_SAMPLED = 64,
    FLAG_COUNTS_VARY = 128, /* the point's counts differ between launches (the fact `counts`) */
    /*
     * the point was skipped, because its kernel had failed in this way at three points in a row;
     * --retry with that status also measures this point
     */
    FLAG_GIVEN_UP_LAUNCH_ERROR = 256,
    FLAG_GIVEN_UP_TIMEOUT = 512,
    FLAG_GIVEN_UP_CRASHED = 1024,
    FLAGS_END = 2048
};

enum { FLAGS_TEXT = 160 };

/* Writes the flags' names separated by spaces, such as "unresolved raced", or "" if there are none.
 * Returns `text`. */
const char *flags_text(unsigned flags, char text[FLAGS_TEXT]);

/* Parses a cell of the column `flags`. Returns false if a word in it is not a flag. */
bool flags_parse(const char *cell, unsigned *out);

/* Derives a row's flags from its other cells, for runs without the column `flags`. */
unsigned flags_of_older(const char *backend, const char *status, const char *reason,
                        const char *stopped_by);

/*
 * flags_given_up() returns the status for which the run gave up on the row's kernel, or
 * STATUS_COUNT if it did not. flag_of_given_up() returns the flag for such a status, or 0 if it has
 * none.
 */
enum status flags_given_up(unsigned flags);
unsigned flag_of_given_up(enum status status);

#endif
