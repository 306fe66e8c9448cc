/*
 * The manifest, run.json: where a run comes from, its conditions, and what its columns mean. The
 * rows are in results.csv and samples.csv.
 *
 *   {"schema": 2, "status": …, "provenance": {…}, "sessions": […], "columns": […]}
 *
 * Tables of members (manifest.c, conditions.c) describe the structs for both writing and reading.
 * To add a member, add it to its struct and to the table of that struct. When an older file is
 * read, the new member is missing.
 *
 * Strings are owned. After manifest_clear() or manifest_read(), no string is NULL: an unknown
 * string is "". An unknown number is NaN, and an unknown count is −1.
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

/* Identifies a device in results. */
struct manifest_device {
    char backend[16]; /* the driver: "cuda", "sim" or "cpu" */
    char name[64];
    char chip[16]; /* the chip's name, such as "GH100" */
    char uuid[48];
    char compute_capability[16]; /* a version such as "9.0" */
    int64_t multiprocessors, warp_size;
    int64_t memory_bytes, l2_bytes;
    int64_t memory_clock_khz, memory_bus_bits, sm_clock_khz;
    double peak_gbs;              /* the peak bandwidth, from memory clock and bus width */
    char driver[16], runtime[16]; /* the CUDA versions, such as "13.0" */
    char counter_library[96];
    char counters_missing[512]; /* why there are no counters */
    char health_missing[256];   /* why clocks, power and throttling are unknown */
    bool can_time, can_count;
    bool exact_counts; /* counts come from the executed PTX */
};

/* A kernel in the plan. */
struct manifest_kernel {
    char *name, *file;
    char source_hash[17]; /* the hash of the measured source */
    char *workload;
    char *role;   /* never missing after reading; role_of_older() sets it for older runs */
    char *racy;   /* why the kernel may give wrong results although it passed the check */
    char *counts; /* "vary" if the kernel's counts differ between launches */
};

struct provenance {
    char *run;                   /* the config's name */
    char started[32], ended[32]; /* in ISO 8601 and UTC */
    char *command;
    char *redsweep; /* the program's version and git commit */
    char *compiler;
    char *host; /* the host's name, CPU and operating system */
    struct manifest_device device;
    /*
     * The device that ran the kernels that are CPU functions. Its backend is "" if `device` ran
     * these kernels, or if there were none.
     */
    struct manifest_device cpu;
    /*
     * The part of the sweep that the run contains, such as "3/16". "" if it contains the whole
     * sweep.
     */
    char shard[24];
    int64_t points, excluded;
    /* How many combinations a search left out because they cannot run. They have no row. */
    int64_t left_out;
    VEC(struct manifest_kernel) kernels;
    char *config;           /* the config as JSON on one line */
    char *config_text;      /* the config's text with the overrides */
    char *config_overrides; /* the keys given on the command line, as a JSON object */
    /* The following members are needed to resume the run. */
    char *config_path;   /* the absolute path of the config, or its name if there is no such file */
    char *device_option; /* the argument of --device */
    char *passed_over;   /* why --device auto did not choose a device it prefers, or "" */
    char *more_kernels;  /* the absolute path that --kernel-folder names */
    char sources_hash[17]; /* the hash of all kernels and the files that they include */
    /* The two runs of a gate share this name if one process measured them; otherwise "". */
    char *process;
    /* For a table that was transcribed from a publication. */
    char *title, *tool, *source;
    VEC(char *) notes;
};

struct manifest_column {
    char *name;
    char type[8]; /* the kind "text", "number" or "count"; "" if it is unknown */
    char *unit, *meaning;
    char *missing; /* why no row of the run has a value */
};

struct manifest {
    int64_t schema; /* the schema of the file that was read */
    /* "running" (also if the run was killed), "complete", "doubtful" (a self-check failed),
     * "stopped", "failed" or "published". */
    char status[16];
    struct provenance provenance;
    /* In chronological order. Each start or resume of the run adds one session per device. */
    VEC(struct conditions) sessions;
    VEC(struct manifest_column) columns;
};

/* One row per member (members.h). */
extern const struct member manifest_members[];

/* Sets all members to missing. */
void manifest_clear(struct manifest *m);
void manifest_free(struct manifest *m);

/* Adds a session that begins at `since`, with all durations 0. Returns the session. */
struct conditions *manifest_add_session(struct manifest *m, const char *since);

/*
 * manifest_drop_lists() removes all kernels and columns. The other two functions add a column or a
 * kernel with this name. All its other members are missing.
 */
void manifest_drop_lists(struct manifest *m);
struct manifest_column *manifest_add_column(struct manifest *m, const char *name);
struct manifest_kernel *manifest_add_kernel(struct manifest *m, const char *name);

/* Returns a column's description, or NULL if the run has none. */
const struct manifest_column *manifest_column(const struct manifest *m, const char *name);

/*
 * Replaces the columns with those that `names` lists, in this order. A column that the manifest
 * already describes keeps its description. Of other columns, only the name is set.
 */
void manifest_order_columns(struct manifest *m, const char *const *names, size_t count);

/*
 * Reads FOLDER/run.json. Returns ERROR_CONFIG, with the file and the member in the message, if the
 * file is not a manifest, has a different schema, or does not exist. If it does not exist, *found
 * becomes false, unless the folder has a results.json, which shows that run.json was lost. `found`
 * may be NULL. Clears `out` first. The caller frees `out` with manifest_free(), even after an
 * error.
 */
bool manifest_read(const char *folder, struct manifest *out, bool *found, struct error *e);

/* Replaces run.json in an open folder. Messages call the folder `name`. */
bool manifest_write(int folder, const char *name, const struct manifest *m, struct error *e);

/* Appends the manifest as JSON, from '{' to its last member, without the '}' at the end. */
void manifest_append_json(const struct manifest *m, struct text *out);

/* Visits all members that are not missing, like members_each(). */
void manifest_each(const struct manifest *m, member_visit *visit, void *context);

/* Writes the value of the member with this dotted name, or "" if it is missing. Returns `out`. */
const char *manifest_value(const struct manifest *m, const char *name, char *out, size_t size);

/* Returns the kernel with this name, or NULL if the run has none. */
const struct manifest_kernel *manifest_kernel(const struct manifest *m, const char *name);

#endif
