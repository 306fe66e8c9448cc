/*
 * Reading a config: the table of its keys, and what reads the kinds of values.
 *
 * A key is one row of a table of `struct option` (config.c). The row feeds the parser, the message
 * about unknown keys, the default (JSON that goes through the same reader as the user's) and the
 * test that holds configs/README.md against the table.
 */
#ifndef REDSWEEP_CONFIG_READING_H
#define REDSWEEP_CONFIG_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "config/config.h"

struct reading {
    struct config *config; /* its path is used in messages */
    struct error *e;
};

/* Where in the JSON a value stands; prints as sizes.log2[1]. The outermost place is NULL. */
struct place {
    const struct place *parent;
    const char *key; /* NULL: an entry of a list */
    int index;
};

struct option {
    const char *key;
    const char *fallback; /* JSON for when the key is absent; NULL: the reader is not called */
    bool (*read)(struct reading *r, const struct option *o, const struct place *at,
                 const cJSON *value);
    size_t offset;              /* of the member of struct config that the value goes to */
    size_t count_offset;        /* for arrays: of the member that counts them */
    double least, most;         /* of a number, or of each number of a list */
    const char *(*word)(int i); /* for words: the words that exist … */
    int words;                  /* … and how many they are */
};

const struct option *config_options(int *count);
const struct option *timing_options(int *count);

/*
 * Reads an object by a table of options: unknown keys are refused, absent ones get their default.
 * `at` is the object's place.
 */
bool read_object(struct reading *r, const struct option *options, int count, const struct place *at,
                 const cJSON *object);

/* ERROR_CONFIG "file: place: …"; returns false. */
#define REFUSE(r, at, ...) refuse((r), __FILE__, __LINE__, (at), __VA_ARGS__)
bool refuse(const struct reading *r, const char *file, int line, const struct place *at,
            const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A value as it stands in the file, cut after about 60 bytes; returns `buffer`. */
const char *value_text(const cJSON *value, char buffer[80]);

/* "\"x\" is text", "[1] is a list", …: `value` is of the wrong type. `wanted` says of which. */
#define REFUSE_TYPE(r, at, value, wanted)                                                          \
    refuse_type((r), __FILE__, __LINE__, (at), (value), (wanted))
bool refuse_type(const struct reading *r, const char *file, int line, const struct place *at,
                 const cJSON *value, const char *wanted);

/* A whole number as people read it: 96, 1099511627776 (2^40). Returns `buffer`. */
const char *number_text(double number, char buffer[48]);

bool read_whole(struct reading *r, const struct place *at, const cJSON *value, double least,
                double most, double *out);

/*
 * A number, a range object or a list that mixes both: ascending, without doubles, never empty.
 * The array is the caller's.
 */
bool read_whole_list(struct reading *r, const struct place *at, const cJSON *value, double least,
                     double most, uint64_t **out, int *count);

/* Readers for rows of the table. */
bool read_comment(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value);
bool read_name(struct reading *r, const struct option *o, const struct place *at,
               const cJSON *value);
bool read_kernels(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value);
bool read_metrics(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value);
bool read_folders(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value);
bool read_words(struct reading *r, const struct option *o, const struct place *at,
                const cJSON *value);
bool read_sizes(struct reading *r, const struct option *o, const struct place *at,
                const cJSON *value);
bool read_ints(struct reading *r, const struct option *o, const struct place *at,
               const cJSON *value);
bool read_unrolls(struct reading *r, const struct option *o, const struct place *at,
                  const cJSON *value);
bool read_int(struct reading *r, const struct option *o, const struct place *at,
              const cJSON *value);
bool read_uint64(struct reading *r, const struct option *o, const struct place *at,
                 const cJSON *value);
bool read_double(struct reading *r, const struct option *o, const struct place *at,
                 const cJSON *value);
bool read_tunables(struct reading *r, const struct option *o, const struct place *at,
                   const cJSON *value);
bool read_excludes(struct reading *r, const struct option *o, const struct place *at,
                   const cJSON *value);
bool read_timing(struct reading *r, const struct option *o, const struct place *at,
                 const cJSON *value);

/* [A-Za-z_][A-Za-z0-9_]*: the name of a macro or a column. */
bool is_identifier(const char *s);

#endif
