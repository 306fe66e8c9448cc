/*
 * The runs of a folder, as they are on disk: `redsweep log` lists them, and `latest~1` is found
 * here.
 */
#ifndef REDSWEEP_ANALYZE_RUN_LIST_H
#define REDSWEEP_ANALYZE_RUN_LIST_H

#include "base/error.h"
#include "base/vec.h"
#include "record/manifest.h"
#include "table/view.h"

struct listed_run {
    char *folder;
    struct manifest manifest;
    bool busy; /* a process on this host, or one whose locks are seen here, writes it */
};

struct run_list {
    VEC(struct listed_run) items; /* ordered by their beginning, the last first */
};

/* Reads the manifests of the runs in a folder; other folders are ignored. ERROR_SYSTEM when the folder
 * cannot be read. Freed by run_list_free(), also after an error. */
bool run_list_read(const char *folder, struct run_list *out, struct error *e);
/* The same of one run. ERROR_CONFIG if it is none. */
bool run_list_add(const char *folder, struct run_list *list, struct error *e);
void run_list_free(struct run_list *list);

/*
 * DIR/latest~N, or latest~N for results/latest~N: the folder of the Nth run that began before DIR/latest.
 * *out is NULL if `path` is not such a name, else the caller's. ERROR_CONFIG if there are fewer runs.
 */
bool run_list_resolve(const char *path, char **out, struct error *e);

/* "running", "killed", or how it ended. */
const char *listed_state(const struct listed_run *run);

/* Adds the table "runs" of the first `count` of them; reads their results. */
void run_list_view(const struct run_list *list, size_t count, struct view *v);

#endif
