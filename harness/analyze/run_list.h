/* Lists the runs in a folder, for `redsweep log` and to resolve names such as `latest~1`. */
#ifndef REDSWEEP_ANALYZE_RUN_LIST_H
#define REDSWEEP_ANALYZE_RUN_LIST_H

#include "base/error.h"
#include "base/vec.h"
#include "record/manifest.h"
#include "table/view.h"

struct listed_run {
    char *folder;
    struct manifest manifest;
    bool busy; /* A process on this host, or on a host that shares locks, is writing the run. */
};

struct run_list {
    VEC(struct listed_run) items; /* newest first */
};

/*
 * Reads the manifests of the runs in a folder, ignoring subfolders that are not runs. Fails with
 * ERROR_SYSTEM if the folder cannot be read. The caller must call run_list_free() on the list, even
 * after an error.
 */
bool run_list_read(const char *folder, struct run_list *out, struct error *e);
/* Adds one run to the list. Fails with ERROR_CONFIG if the folder is not a run. */
bool run_list_add(const char *folder, struct run_list *list, struct error *e);
void run_list_free(struct run_list *list);

/*
 * Resolves DIR/latest~N to the folder of the Nth run before DIR/latest; latest~N is short for
 * results/latest~N. Stores NULL in *out if `path` has neither form; otherwise the caller frees
 * *out. Fails with ERROR_CONFIG if the folder has too few runs.
 */
bool run_list_resolve(const char *path, char **out, struct error *e);

/* Returns "running", "killed", or the status with which the run ended. */
const char *listed_state(const struct listed_run *run);

/*
 * Adds the table "runs" with the first `count` runs of the list. Reads the results of these runs.
 */
void run_list_view(const struct run_list *list, size_t count, struct view *v);

#endif
