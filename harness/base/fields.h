/*
 * A table describes what can be set: a config's keys, a kernel's facts, or a command's options.
 *
 * Each key, fact or option is a row with its name, its default, the member that it sets, the
 * allowed values, and its reader: the function that reads its value. The parser, the messages, the
 * help, and the tests that compare the manuals with the tables all use this row. Three functions
 * call readers:
 *
 *   a config's JSON   fields_read_object()
 *   a fact's text     field_read_text(), with lists separated by spaces
 *   an option's text  options_read() in options.h, with lists separated by commas
 *
 * A reader always gets a JSON value: the value of a fact or an option becomes a string, or, if it
 * is a list, an array of strings. Therefore a reader of numbers also accepts strings that contain a
 * number: "4096", "1e3", "2^20", "64Mi". Where several numbers are allowed, ranges are allowed,
 * too: "2^20..2^24" (each number twice the previous one) and "1000..2000:100" (in steps of 100).
 */
#ifndef REDSWEEP_BASE_FIELDS_H
#define REDSWEEP_BASE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/vec.h"

/*
 * The place of a value in a JSON document, which messages print as, for example, sizes.log2[1]. A
 * NULL path stands for the outermost value.
 */
struct field_path {
    const struct field_path *parent;
    const char *key; /* NULL for an array entry */
    int index;
};

/* What all rows of a table need while values are read into one object. */
struct reading {
    void *object; /* what the rows' offsets refer to */
    /* The beginning of each message, such as "x.json", "a.cu:9: blocks: 64 7" or "--head". */
    const char *prefix;
    enum error_kind kind; /* the kind of all errors */
    void *context;        /* for readers that are defined next to the table */
    struct error *e;
};

struct field;

/*
 * Reads `value` into the member that the row `f` names. Fills the error and returns false if the
 * value is not allowed. `at` is NULL for values of facts and options.
 */
typedef bool field_reader(const struct reading *r, const struct field *f,
                          const struct field_path *at, const cJSON *value);

/* A row of a table. The last row of a table has no name. */
struct field {
    const char *name;
    const char
        *fallback; /* the default, as a user would write it; NULL leaves the member unchanged */
    field_reader *read;
    size_t offset; /* the member that receives the value */
    /* For arrays: the member with the number of elements. */
    size_t count_offset;
    double min, max;          /* limits of a number, or of each number in a list */
    const char *const *words; /* the allowed words */
    int word_count;           /* how many words are allowed */
    /* A former name. It is rejected with a message that gives the new name. */
    const char *was;
    /* For options: the value's placeholder in --help, and the help line. */
    const char *value, *help;
    unsigned flags;
};

enum field_flags {
    FIELD_LIST = 1, /* split the text into items */
    FIELD_OWN = 2   /* this bit and higher ones are free for each table's own use */
};

#define RANGE(lo, hi) .min = (lo), .max = (hi)
#define WORDS(list, count) .words = (list), .word_count = (count)

/* ---- Readers, named after the member's type -------------------------------------------------- */

field_reader field_int;      /* an int: an integer in [min, max] */
field_reader field_uint64;   /* a uint64_t or size_t */
field_reader field_double;   /* a double: a number in [min, max] */
field_reader field_share;    /* a double: percent in [min, max] with or without %, divided by 100 */
field_reader field_text;     /* a char *, which the object owns: a string that is not empty */
field_reader field_argument; /* a const char *: a string that outlives the object, like argv */
field_reader field_switch;   /* a bool: JSON's true, or an option without a value */
/* a bool: true for the last of the row's words, false for the others */
field_reader field_flag;
field_reader field_choice;  /* an enum: the word's position */
field_reader field_choices; /* bool[word_count]: one word, an array of words, or "all" */
field_reader field_ints;    /* an int * with its count: sorted and without duplicates */
field_reader field_uint64s; /* a uint64_t * with its count: like field_ints */

static inline void *field_member(const struct reading *r, size_t offset)
{
    return (char *)r->object + offset;
}

typedef VEC(uint64_t) field_number_list;

/* Reads an integer in [min, max]. */
bool field_integer(const struct reading *r, const struct field_path *at, const cJSON *value,
                   double min, double max, double *out);

/*
 * Reads integers in [min, max]: one integer, an array of integers, or a range such as {"log2": [14,
 * 22], "step": 4}, {"range": [1, 9]}, "1..8" or "1..9:2". Keeps the order in which the integers
 * were written. Fails if there are none. The caller owns the list, even after an error.
 */
bool field_numbers(const struct reading *r, const struct field_path *at, const cJSON *value,
                   double min, double max, field_number_list *out);

/* ---- Front ends ------------------------------------------------------------------------------ */

/* Returns the row with this name, or NULL if there is none. */
const struct field *field_find(const struct field *rows, const char *name);

/* Reads all keys of an object. Absent keys get their defaults; unknown keys are rejected. */
bool fields_read_object(const struct reading *r, const struct field *rows,
                        const struct field_path *at, const cJSON *object);

/* Reads one value from text. Any of `separators` separates list items. */
bool field_read_text(const struct reading *r, const struct field *f, const char *text,
                     const char *separators);

/*
 * Rejects an unknown key: `unknown key "blokcs"; did you mean 'blocks'? Expected one of …`. If
 * `name` is the former name of a row (`was`), the message gives the new name. Returns false.
 */
bool field_unknown(const struct reading *r, const struct field *rows, const struct field_path *at,
                   const char *what, const char *name);

/* ---- Messages -------------------------------------------------------------------------------- */

/* Fills the error with "prefix: path: …" and returns false. */
#define REFUSE(r, at, ...) field_refuse((r), __FILE__, __LINE__, (at), __VA_ARGS__)
bool field_refuse(const struct reading *r, const char *file, int line, const struct field_path *at,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Like REFUSE(), with the text of the error `why`, which may have several lines, as the message. */
bool field_refuse_error(const struct reading *r, const struct field_path *at,
                        const struct error *why);

/* Rejects a value of the wrong type: `"x" is a string; expected …`. */
#define REFUSE_TYPE(r, at, value, expected)                                                        \
    field_refuse_type((r), __FILE__, __LINE__, (at), (value), (expected))
bool field_refuse_type(const struct reading *r, const char *file, int line,
                       const struct field_path *at, const cJSON *value, const char *expected);

/* Writes a minimum or maximum as messages show it: 96, 0.001, 2^40. Returns `buffer`. */
const char *field_limit(double limit, char buffer[32]);

#endif
