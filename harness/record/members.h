/*
 * Converts structs to JSON objects and back. A struct has a table with one row per member. Writing,
 * reading, clearing, freeing and listing all use this table, so a new member needs only one row.
 *
 *     static const struct member point_members[] = {
 *         TEXT_AS("name", struct point, name), NUMBER_AS("us", struct point, time_us), {0}};
 *
 * A missing member (see enum member_kind) is written as null. A member that is null or absent in
 * JSON is missing after reading.
 */
#ifndef REDSWEEP_RECORD_MEMBERS_H
#define REDSWEEP_RECORD_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"

struct cJSON;

enum member_kind {
    MEMBER_TEXT = 1, /* a char[], missing if it is ""; long texts are truncated */
    /* an owned char *, missing if it is "" or NULL; never NULL after reading */
    MEMBER_STRING,
    MEMBER_NUMBER, /* a double, missing if it is NaN or infinite, which JSON cannot express */
    MEMBER_COUNT,  /* an int64_t, missing if it is −1 */
    MEMBER_BOOL,   /* a bool, false if it is missing */
    MEMBER_JSON,   /* an owned char * with one JSON value as text, missing if it is "" */
    MEMBER_OBJECT, /* a struct with its own table */
    /* A struct with its own table. Missing if its first member, a string, is missing. */
    MEMBER_OPTIONAL,
    /* A VEC() of structs with their own table. For a VEC() of plain values, the table has one row
     * with the name "". */
    MEMBER_LIST,
};

struct member {
    const char *name; /* NULL: the table ends here; "": the list item itself (MEMBER_LIST) */
    enum member_kind kind;
    size_t offset;
    size_t size;             /* the size of the text, or of a list item */
    const struct member *of; /* the table of the object, or of a list item */
    const char *was;         /* the name in files of earlier versions; NULL if it never changed */
};

/* Each macro makes a row of a table from a name in JSON, a struct s and its member m. MEMBER_AT_()
 * checks at compile time that the member has the given type. */
#define MEMBER_AT_(s, m, type) (offsetof(s, m) + 0 * sizeof((type *)0 == &((s *)0)->m))
#define TEXT_AS(name, s, m)                                                                        \
    {                                                                                              \
        name, MEMBER_TEXT, offsetof(s, m), sizeof((s *)0)->m, NULL, NULL                           \
    }
#define STRING_AS(name, s, m)                                                                      \
    {                                                                                              \
        name, MEMBER_STRING, MEMBER_AT_(s, m, char *), 0, NULL, NULL                               \
    }
#define NUMBER_AS(name, s, m)                                                                      \
    {                                                                                              \
        name, MEMBER_NUMBER, MEMBER_AT_(s, m, double), 0, NULL, NULL                               \
    }
#define NUMBER_WAS(name, s, m, was)                                                                \
    {                                                                                              \
        name, MEMBER_NUMBER, MEMBER_AT_(s, m, double), 0, NULL, was                                \
    }
#define COUNT_AS(name, s, m)                                                                       \
    {                                                                                              \
        name, MEMBER_COUNT, MEMBER_AT_(s, m, int64_t), 0, NULL, NULL                               \
    }
#define BOOL_AS(name, s, m)                                                                        \
    {                                                                                              \
        name, MEMBER_BOOL, MEMBER_AT_(s, m, bool), 0, NULL, NULL                                   \
    }
#define JSON_AS(name, s, m)                                                                        \
    {                                                                                              \
        name, MEMBER_JSON, MEMBER_AT_(s, m, char *), 0, NULL, NULL                                 \
    }
#define OBJECT_AS(name, s, m, table)                                                               \
    {                                                                                              \
        name, MEMBER_OBJECT, offsetof(s, m), 0, table, NULL                                        \
    }
#define OPTIONAL_AS(name, s, m, table)                                                             \
    {                                                                                              \
        name, MEMBER_OPTIONAL, offsetof(s, m), 0, table, NULL                                      \
    }
#define LIST_AS(name, s, m, table)                                                                 \
    {                                                                                              \
        name, MEMBER_LIST, offsetof(s, m), sizeof *((s *)0)->m.items, table, NULL                  \
    }

/* Sets every member to missing without freeing earlier values. */
void members_clear(const struct member *table, void *object);

/* Frees all memory that the members own, and sets every member to missing. */
void members_free(const struct member *table, void *object);

/* Appends the object as JSON, with one line per member and per list item. `indent` is the
 * indentation of the object's first line. */
void members_write(const struct member *table, const void *object, int indent, struct text *out);

/*
 * Reads the members from JSON into a cleared object. Returns ERROR_CONFIG if a value is not of its
 * member's kind; the message gives the member's dotted name, which begins with `where`. Ignores
 * members that the table lacks. The caller frees the object even after an error.
 */
bool members_read(const struct member *table, void *object, const struct cJSON *json,
                  const char *where, struct error *e);

/*
 * Calls `visit` for each member that is not missing, with its dotted name
 * ("provenance.device.name", "sessions.0.since") and its value as text (yes or no for a bool).
 */
typedef void member_visit(void *context, const char *name, const char *value);
void members_each(const struct member *table, const void *object, member_visit *visit,
                  void *context);

/* Replaces an owned string with a copy of `value`. NULL is treated as "". */
void member_set(char **string, const char *value);

#endif
