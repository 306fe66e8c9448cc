/*
 * These functions find redsweep's files on this machine: the kernels, the configs, and the cache of
 * compiled kernels.
 */
#ifndef REDSWEEP_SPEC_FOLDERS_H
#define REDSWEEP_SPEC_FOLDERS_H

#include "spec/kernel.h"

/*
 * Finds the folder of the kernels. It is $REDSWEEP_HOME/kernels if that variable is set. Otherwise
 * it is the first of these folders that exists: kernels/ beside the program, the folder that `make
 * install` creates, and kernels/ in the current folder.
 */
bool find_kernel_folder(char *path, size_t size, struct error *e);

/* Finds the folder that contains kernels/, plots/ and configs/. */
bool find_data_folder(char *path, size_t size, struct error *e);

/*
 * Finds the file of a config. If `given` does not exist and there is a shipped config of that name
 * ("configs/quick.json"), writes the path of that config to `path` and returns it. Otherwise
 * returns `given`.
 */
const char *find_config(const char *given, char *path, size_t size);

/*
 * Suggests a shipped config for a path that does not exist. If a shipped config has that name, with
 * or without its folder and .json, writes a suggestion such as "; did you mean configs/quick.json?"
 * to `out`. Otherwise writes "". Returns `out`.
 */
enum { CONFIG_HINT = 4300 };
const char *suggest_config(const char *given, char out[CONFIG_HINT]);

/* Finds the cache of compiled kernels: $REDSWEEP_CACHE, or redsweep/ in the user's cache folder. */
void find_cache_folder(char *path, size_t size);

/* Reads the kernels of `kernel_folder` and of additional folders into `kernels`, and the harness's
 * own into `support`. The caller frees both with catalogue_free(). */
bool read_catalogues(const char *kernel_folder, const char *const *more, int more_count,
                     struct catalogue *kernels, struct catalogue *support, struct error *e);

/*
 * Reads two versions of the same kernels, one per folder, into one catalogue (see
 * catalogue_combine()). Reads the harness's own kernels into `support`. Kernels whose code is
 * compiled into the program or installed beside it (functions of the CPU, `library:`) are left out,
 * because the folders cannot contain different versions of them.
 */
bool read_two_sides(const char *kernel_folder, const char *const folders[2],
                    struct catalogue *kernels, struct catalogue *support, struct error *e);

#endif
