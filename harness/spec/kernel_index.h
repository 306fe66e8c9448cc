/*
 * Reads the index of a kernel folder, FOLDER/index.txt. The index lists the sub-folders with
 * kernels, and orders the kernels so that each builds on earlier ones. The catalogue, the charts
 * (charts/ladder.h) and the course use the index. Without an index, sub-folders are not read.
 *
 *   # a comment
 *   folder book               The kernels below are in FOLDER/book, their headers in FOLDER/lib.
 *   family COLOR: NAME        The kernels below share an idea. The charts draw them in this color.
 *                             Unless COLOR is 0, they are steps of the ladder: kernels in an
 *                             order in which each changes one thing.
 *   neighbored                The name of a kernel.
 *   step from KERNEL          The kernel above changes one thing in KERNEL, which is listed
 *                             earlier.
 *   step from KERNEL: COUNT   A kernel can have several such lines. COUNT is the count that
 *                             changes: a metric, `grid`, or `instructions` (of all warps).
 *   value TUNABLE N: WORDS    What the value N of a tunable means, for all kernels in the index
 *                             that have this tunable.
 */
#ifndef REDSWEEP_SPEC_KERNEL_INDEX_H
#define REDSWEEP_SPEC_KERNEL_INDEX_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

struct kernel_place {
    const char *kernel, *family; /* `family` is "" before the first `family` line */
    int color; /* the family's color in charts, 1 to 8; 0 if it is not in the ladder */
};

struct kernel_step {
    const char *kernel, *from;
    const char *count; /* which count changes; NULL if none is named */
};

struct tunable_value {
    const char *tunable; /* the macro's name, such as POLICY */
    const char *number, *words;
};

struct kernel_index {
    char *text; /* the file's text; all names and words in the index point into it */
    VEC(const char *) folders;
    VEC(struct kernel_place) places;  /* in the order of the file */
    VEC(struct kernel_step) steps;    /* in the order of the file */
    VEC(struct tunable_value) values; /* in the order of the file */
};

/*
 * Reads a folder's index, which is empty if there is no such file. Errors (ERROR_CONFIG) name the
 * file and the line: a line in none of the forms above, a name that is not a plain name, a folder
 * or kernel that is named twice, or a step from a kernel that is not listed before it. The caller
 * frees the index with kernel_index_free().
 */
bool kernel_index_read(const char *folder, struct kernel_index *out, struct error *e);
void kernel_index_free(struct kernel_index *index);

/* Returns a kernel's position in `places`, or -1 if the index does not list the kernel. */
int kernel_index_find(const struct kernel_index *index, const char *kernel);

/*
 * Where the compiler looks for the files that a kernel includes. It looks first in the kernel's own
 * folder. If the parent of that folder has an index, lib/ in the parent and the parent itself
 * follow. Last come lib/ in `kernel_folder`, the folder of redsweep's own kernels, and
 * `kernel_folder` itself. These are at most five folders, and the compiler adds one.
 */
enum { INCLUDE_FOLDERS = 6 };
struct include_folders {
    int count;
    char *paths[INCLUDE_FOLDERS];
};
/* Finds the include folders for a kernel's file. The caller frees the paths with
 * include_folders_free(). */
void kernel_include_folders(const char *kernel_file, const char *kernel_folder,
                            struct include_folders *out);
void include_folders_free(struct include_folders *f);

#endif
