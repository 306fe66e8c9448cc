/*
 * Flags are facts about a row besides its status. They are stored in the column `flags` of
 * results.csv as words separated by blanks. The column `reason` expresses the same facts for
 * people, with more detail. Only flags_of_older() parses `reason`, for runs that are older than the
 * column.
 */
#ifndef REDSWEEP_RECORD_FLAGS_H
#define REDSWEEP_RECORD_FLAGS_H

#include "record/outcome.h"

enum row_flag {
    FLAG_UNRESOLVED = 1, /* the clock cannot resolve its time, so readers leave the time out */
    FLAG_RACED = 2,      /* it lost a race after few samples, so its median is only approximate */
    FLAG_UNPLACED = 4,   /* its queue slots were not verified, so its times may be too long */
    FLAG_RETIMED = 8,    /* it was timed again, because the device was slowed down at first */
    FLAG_RECALLED = 16,  /* its times were taken from another run, and nothing was measured */
    /* A resumed session measured it under other conditions than those of the first session. */
    FLAG_RESUMED = 32,
    FLAG_SAMPLED = 64,      /* only a sample of its blocks was executed (its status also says so) */
    FLAG_COUNTS_VARY = 128, /* its counts differ between launches (the fact `counts`) */
    /* The row was skipped, because its kernel had failed in this way at three points in a row.
     * --retry with that status also measures this row. */
    FLAG_GIVEN_UP_LAUNCH_ERROR = 256,
    FLAG_GIVEN_UP_TIMEOUT = 512,
    FLAG_GIVEN_UP_CRASHED = 1024,
    FLAGS_END = 2048
};

enum { FLAGS_TEXT = 160 };

/* Writes the names of flags separated by blanks, such as "unresolved raced", or "" if there are
 * none. Returns `text`. */
const char *flags_text(unsigned flags, char text[FLAGS_TEXT]);

/* Parses a cell of the column `flags`. Returns false if one of its words is not a flag. */
bool flags_parse(const char *cell, unsigned *out);

/* Finds the flags of a row in a run without the column `flags`. They follow from other cells of the
 * row. */
unsigned flags_of_older(const char *backend, const char *status, const char *reason,
                        const char *stopped_by);

/*
 * The first function returns the status for which the row's kernel was given up, or STATUS_COUNT if
 * it was not given up. The second one returns the flag for such a status, or 0 if there is no flag
 * for it.
 */
enum status flags_given_up(unsigned flags);
unsigned flag_of_given_up(enum status status);

#endif
