/*
 * Structs as JSON objects. A struct has one table with one row per member; writing, reading,
 * clearing, freeing and listing all use that table, so a new member is one row and cannot be
 * forgotten in one of them.
 *
 *     static const struct member point_members[] = {
 *         TEXT_AS("name", struct point, name), NUMBER_AS("us", struct point, time_us), {0}};
 *
 * A missing member (see the kinds) is null in JSON; a null or absent member is read as missing.
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
    MEMBER_TEXT = 1, /* char[]; missing: ""; a longer text is cut */
    MEMBER_STRING,   /* char *, owned; missing: "" (NULL is written as missing, never read) */
    MEMBER_NUMBER,   /* double; missing: NaN, and infinities, which JSON lacks */
    MEMBER_COUNT,    /* int64_t; missing: −1 */
    MEMBER_BOOL,     /* bool; missing: false */
    MEMBER_JSON,     /* char *, owned: one JSON value as text; missing: "" */
    MEMBER_OBJECT,   /* a struct with its own table */
    MEMBER_OPTIONAL, /* the same; missing: its first member, which is a text, is missing */
    MEMBER_LIST, /* VEC() of such structs; or of one thing, whose table has one row without name */
};

struct member {
    const char *name; /* NULL ends a table; "" is the whole value */
    enum member_kind kind;
    size_t offset;
    size_t size;             /* of the text, or of one item of a list */
    const struct member *of; /* table of the object, or of an item */
    const char *was;         /* its name in files of earlier versions; NULL: the same */
};

/* Rows: the member's name in JSON, the struct, the member (checked to be of the kind's type). */
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

/* Makes every member missing; what the object held before is not freed. */
void members_clear(const struct member *table, void *object);

/* Frees what the members own and makes them missing. */
void members_free(const struct member *table, void *object);

/* Appends the object; items of a list are one line each, and so are other members, indented by
 * `indent`. */
void members_write(const struct member *table, const void *object, int indent, struct text *out);

/*
 * Reads into an object that is cleared. ERROR_CONFIG with the member's dotted name, which begins
 * with `where`, when a value is not of its member's kind. Members that the table does not have are
 * ignored. The object has to be freed also when this fails.
 */
bool members_read(const struct member *table, void *object, const struct cJSON *json,
                  const char *where, struct error *e);

/*
 * Calls `visit` for each member that is not missing, with its dotted name
 * ("provenance.device.name", "sessions.0.since") and its value as text (a bool is yes or no).
 */
typedef void member_visit(void *context, const char *name, const char *value);
void members_each(const struct member *table, const void *object, member_visit *visit,
                  void *context);

/* Replaces an owned string by a copy; NULL counts as "". */
void member_set(char **string, const char *value);

#endif
