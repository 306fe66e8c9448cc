/* Finds and reads a run's kernels. */
#ifndef REDSWEEP_SPEC_MORE_KERNELS_H
#define REDSWEEP_SPEC_MORE_KERNELS_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "spec/kernel.h"

struct config;
struct name_list;

/*
 * Finds additional kernels, and writes the absolute path of their folder or file to `path`, so that
 * `resume` finds them from any folder. If `given` is not NULL, it is that folder or file. Otherwise
 * looks in the current folder for files NAME.facts or NAME.cu of kernels that are named in `wanted` but
 * that redsweep lacks. If there is one such file, `path` is this file; if there are several, the current
 * folder; if there is none, "".
 */
bool find_more_kernels(const char *given, const struct name_list *wanted, const char *kernel_folder,
                       char path[PATH_MAX], struct error *e);

/* Reads redsweep's own kernels from `kernel_folder`, those in the config's folders, and those in
 * `more_kernels` ("" if there are none). The caller frees both catalogues with catalogue_free(). */
bool read_kernels(const struct config *config, const char *more_kernels, const char *kernel_folder,
                  struct catalogue *kernels, struct catalogue *support, struct error *e);

/*
 * Finds the folder of redsweep's own kernels, finds additional ones with find_more_kernels(), and
 * reads them all with read_kernels().
 */
bool run_catalogues(const struct config *config, const char *more_kernels,
                    struct catalogue *kernels, struct catalogue *support, struct error *e);

#endif
