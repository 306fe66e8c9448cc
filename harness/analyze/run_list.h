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
    bool busy; /* a process writes it, here or on a host that shares locks */
};

struct run_list {
    VEC(struct listed_run) items; /* the run that began last comes first */
};

/* Reads the manifests of the runs in a folder; other folders are ignored. ERROR_SYSTEM if the folder
 * cannot be read. The caller frees the list with run_list_free(), also after an error. */
bool run_list_read(const char *folder, struct run_list *out, struct error *e);
/* Adds one run to the list. ERROR_CONFIG if the folder is not a run. */
bool run_list_add(const char *folder, struct run_list *list, struct error *e);
void run_list_free(struct run_list *list);

/*
 * Resolves DIR/latest~N, or latest~N for results/latest~N, to the folder of the Nth run before DIR/latest.
 * *out is NULL if `path` is not such a name; else the caller frees it. ERROR_CONFIG if there are fewer runs.
 */
bool run_list_resolve(const char *path, char **out, struct error *e);

/* Returns "running", "killed", or how the run ended. */
const char *listed_state(const struct listed_run *run);

/* Adds the table "runs" of the first `count` runs, whose results it reads. */
void run_list_view(const struct run_list *list, size_t count, struct view *v);

#endif
