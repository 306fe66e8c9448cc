/*
 * Finds and reads the kernels of a run.
 */
#ifndef REDSWEEP_SPEC_MORE_KERNELS_H
#define REDSWEEP_SPEC_MORE_KERNELS_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"
#include "spec/kernel.h"

struct config;

/*
 * Finds the folder or the file with additional kernels. Writes an absolute path, so that `resume`
 * finds it from any folder. If `given` is not NULL, that is the path. Otherwise this function looks
 * for kernels that the config names but redsweep does not have. A file NAME.facts or NAME.cu in the
 * current folder may contain such a kernel. If there is one such file, the path is that file; if
 * there are several, it is the current folder. If there is none, the path is "".
 */
bool find_more_kernels(const char *given, const struct config *config, const char *kernel_folder,
                       char path[PATH_MAX], struct error *e);

/* Reads redsweep's own kernels from `kernel_folder`, those of the config's folders and those of
 * `more_kernels` ("" if there are none). The caller frees both catalogues with catalogue_free(). */
bool read_kernels(const struct config *config, const char *more_kernels, const char *kernel_folder,
                  struct catalogue *kernels, struct catalogue *support, struct error *e);

/*
 * Finds the folder of redsweep's own kernels, finds additional kernels with find_more_kernels(),
 * and then reads all of these as read_kernels() does.
 */
bool run_catalogues(const struct config *config, const char *more_kernels,
                    struct catalogue *kernels, struct catalogue *support, struct error *e);

#endif
