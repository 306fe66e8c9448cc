/*
 * Finds redsweep's files on this machine: the kernels, the configs, and the cache of compiled
 * kernels.
 */
#ifndef REDSWEEP_SPEC_FOLDERS_H
#define REDSWEEP_SPEC_FOLDERS_H

#include "spec/kernel.h"

/*
 * Finds the folder of kernels: $REDSWEEP_HOME/kernels if that variable is set. Otherwise the first
 * of these that exists: kernels/ next to the program, the folder that `make install` creates, and
 * kernels/ in the current folder.
 */
bool find_kernel_folder(char *path, size_t size, struct error *e);

/* Finds the folder with kernels/, plots/ and configs/. */
bool find_data_folder(char *path, size_t size, struct error *e);

/*
 * Finds a config's file. If the file `given` does not exist, but a shipped config has that name
 * ("configs/quick.json"), writes the path of the shipped config to `path` and returns it. Otherwise
 * returns `given`.
 */
const char *find_config(const char *given, char *path, size_t size);

/*
 * Suggests a shipped config for `given`, a path that does not exist. If `given` is the name of a
 * shipped config, with or without its folder and .json, writes, for example, "; did you mean
 * configs/quick.json?" to `out`. Otherwise writes "". Returns `out`.
 */
enum { CONFIG_HINT = 4300 };
const char *suggest_config(const char *given, char out[CONFIG_HINT]);

/* Finds the cache of compiled kernels: $REDSWEEP_CACHE, or redsweep/ in the user's cache folder. */
void find_cache_folder(char *path, size_t size);

/* Reads the kernels in `kernel_folder` and in additional folders into `kernels`, and the harness's
 * own kernels into `support`. The caller frees both with catalogue_free(). */
bool read_catalogues(const char *kernel_folder, const char *const *more, int more_count,
                     struct catalogue *kernels, struct catalogue *support, struct error *e);

/*
 * Reads two versions of the same kernels, one per folder, into one catalogue (see
 * catalogue_combine()), and the harness's own kernels into `support`. Leaves out kernels whose code
 * is compiled into the program or installed next to it (CPU functions, `library:`), because the
 * folders cannot contain different versions of them.
 */
bool read_two_sides(const char *kernel_folder, const char *const folders[2],
                    struct catalogue *kernels, struct catalogue *support, struct error *e);

#endif
