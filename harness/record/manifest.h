/*
 * run.json: the origin of a run, its conditions, and the meaning of its columns; the rows are in
 * results.csv and samples.csv.
 *
 *   {"schema": 2, "status": …, "provenance": {…}, "sessions": […], "columns": […]}
 *
 * One struct with tables of its members (manifest.c, conditions.c) is written and read back by
 * them. A new member is a member of the struct and one row of its table; in older files it is
 * missing.
 *
 * Strings are owned and, once cleared or read, never NULL: an unknown one is "". Unknown numbers
 * are NaN, unknown counts −1.
 */
#ifndef REDSWEEP_RECORD_MANIFEST_H
#define REDSWEEP_RECORD_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "record/conditions.h"
#include "record/members.h"

enum { MANIFEST_SCHEMA = 2 };
#define MANIFEST_FILE "run.json"

/* What identifies a device in results. */
struct manifest_device {
    char backend[16]; /* "cuda", "sim", "cpu" */
    char name[64];
    char chip[16]; /* "GH100" */
    char uuid[48];
    char compute_capability[16]; /* "9.0" */
    int64_t multiprocessors, warp_size;
    int64_t memory_bytes, l2_bytes;
    int64_t memory_clock_khz, memory_bus_bits, sm_clock_khz;
    double peak_gbs;              /* by memory clock and bus width */
    char driver[16], runtime[16]; /* "13.0" */
    char counter_library[96];
    char counters_missing[512]; /* why there are no counters */
    char health_missing[256];   /* why clocks, power and throttling are unknown */
    bool can_time, can_count;
    bool exact_counts; /* counts are those of the PTX that was executed */
};

/* A kernel that the plan uses. */
struct manifest_kernel {
    char *name, *file;
    char source_hash[17]; /* hash of the source that was measured */
    char *workload;
    char *role;   /* never missing after reading: an older run gets role_of_older() */
    char *racy;   /* why it may give wrong results although it passed */
    char *counts; /* "vary": they differ from launch to launch */
};

struct provenance {
    char *run;                   /* the config's name */
    char started[32], ended[32]; /* ISO 8601, UTC */
    char *command;
    char *redsweep; /* version and git commit of the program */
    char *compiler;
    char *host; /* name, CPU and operating system */
    struct manifest_device device;
    struct manifest_device cpu; /* what ran the CPU's functions; backend "": `device`, or nothing */
    char shard[24]; /* "3/16": the part of the config's sweep in this run; "": all of it */
    int64_t points, excluded;
    int64_t left_out; /* combinations that cannot run and have no row, as in a search */
    VEC(struct manifest_kernel) kernels;
    char *config;           /* as JSON on one line */
    char *config_text;      /* as it was read, including the overrides */
    char *config_overrides; /* keys that the command line gave, as a JSON object */
    /* What resuming takes. */
    char *config_path;     /* absolute */
    char *device_option;   /* the argument of --device */
    char *passed_over;     /* why `auto` took this device and none before it in its list; "" */
    char *more_kernels;    /* the folder of --kernel-folder, absolute */
    char sources_hash[17]; /* hash of all kernels and of the files that they include */
    char *process; /* for a gate: the same in both runs if one process measured both; else "" */
    /* For tables published by others. */
    char *title, *tool, *source;
    VEC(char *) notes;
};

struct manifest_column {
    char *name;
    char type[8]; /* "text", "number", "count"; "" if unknown */
    char *unit, *meaning;
    char *missing; /* why the whole run lacks it */
};

struct manifest {
    int64_t schema;  /* of the file that was read */
    char status[16]; /* "running" (or killed), "complete", "doubtful" (a self-check failed),
                        "stopped", "failed", "published" */
    struct provenance provenance;
    VEC(struct conditions) sessions; /* in order of time; one per start and resume of the run */
    VEC(struct manifest_column) columns;
};

/* One row per member: see members.h. */
extern const struct member manifest_members[];

/* Everything missing. */
void manifest_clear(struct manifest *m);
void manifest_free(struct manifest *m);

/* Adds a session that begins at `since`, with all its seconds 0; returns it. */
struct conditions *manifest_add_session(struct manifest *m, const char *since);

/* Removes all kernels and columns; adds one with that name, whose other members are missing. */
void manifest_drop_lists(struct manifest *m);
struct manifest_column *manifest_add_column(struct manifest *m, const char *name);
struct manifest_kernel *manifest_add_kernel(struct manifest *m, const char *name);

/* The run's description of a column; NULL if it has none. */
const struct manifest_column *manifest_column(const struct manifest *m, const char *name);

/* Makes the columns those of `names`, in this order, with their known descriptions, or with a name
 * only. */
void manifest_order_columns(struct manifest *m, const char *const *names, size_t count);

/*
 * Reads FOLDER/run.json. ERROR_CONFIG with the file and the member if it is not a manifest, if its
 * schema is another one, or if it does not exist: *found is then false, unless there is a
 * results.json, which shows that it was lost. `found` may be NULL. Clears `out` first; free it with
 * manifest_free(), even if this fails.
 */
bool manifest_read(const char *folder, struct manifest *out, bool *found, struct error *e);

/* Replaces run.json in an open folder; `name` is the folder's name for messages. */
bool manifest_write(int folder, const char *name, const struct manifest *m, struct error *e);

/* The manifest as JSON of this schema, from '{' to its last member, without the '}' at its end. */
void manifest_append_json(const struct manifest *m, struct text *out);

/* All members that are known: see members_each(). */
void manifest_each(const struct manifest *m, member_visit *visit, void *context);

/* The value of the member with this dotted name; "" if it is missing. Returns `out`. */
const char *manifest_value(const struct manifest *m, const char *name, char *out, size_t size);

/* The kernel of this name; NULL if the run has none. */
const struct manifest_kernel *manifest_kernel(const struct manifest *m, const char *name);

#endif
