/*
 * The places of files on this machine: the kernels, and the cache of compiled ones.
 */
#ifndef REDSWEEP_SPEC_FOLDERS_H
#define REDSWEEP_SPEC_FOLDERS_H

#include "spec/kernel.h"

/* The folder of the kernels: $REDSWEEP_HOME/kernels, beside the program, where `make install` puts
 * them, or here. */
bool find_kernel_folder(char *path, size_t size, struct error *e);

/* The folder that contains the kernels' folder, plots and configs. */
bool find_data_folder(char *path, size_t size, struct error *e);

/*
 * A config as it was given; if there is no such file here, the shipped one of that name
 * ("configs/quick.json"), written to `path`.
 */
const char *find_config(const char *given, char *path, size_t size);

/* If a config does not exist: "; did you mean configs/quick.json?" for a shipped one of that name with or without
 * its folder and .json, or "". Returns `out`. */
enum { CONFIG_HINT = 4300 };
const char *suggest_config(const char *given, char out[CONFIG_HINT]);

/* The folder of compiled kernels: $REDSWEEP_CACHE, or redsweep/ in the user's cache folder. */
void find_cache_folder(char *path, size_t size);

/* Reads the shipped kernels, further folders and the harness's own; free with catalogue_free(). */
bool read_catalogues(const char *kernel_folder, const char *const *more, int more_count,
                     struct catalogue *kernels, struct catalogue *support, struct error *e);

/*
 * Reads two versions of the same kernels, each from its own folder, as one catalogue (see
 * catalogue_combine), and the harness's own. Kernels whose code is compiled into the program or
 * beside it (functions of the CPU, `library:`) are left out, because folders have no versions of
 * them.
 */
bool read_two_sides(const char *kernel_folder, const char *const folders[2],
                    struct catalogue *kernels, struct catalogue *support, struct error *e);

#endif
