/*
 * kernel_index_read() reads the index of a folder of kernels, FOLDER/index.txt. The index lists the
 * sub-folders that contain kernels, and it puts the kernels in the order in which their ideas build
 * on each other. The catalogue, the charts (charts/ladder.h) and the course use the index. If a
 * folder has no index, its sub-folders are not read.
 *
 *   # a comment
 *   folder book               The kernels below are in FOLDER/book. The headers are in FOLDER/lib.
 *   family COLOR: NAME        The kernels below share an idea. The charts draw them in this color.
 *                             They are steps of the ladder unless COLOR is 0.
 *   neighbored                This is the name of a kernel.
 *   step from KERNEL          The kernel above changes one thing in KERNEL, which precedes it. There
 *   step from KERNEL: COUNT   can be several such lines for one kernel. COUNT is the count that the
 *                             change affects: a metric, `grid`, or `instructions` (of all warps).
 *   value TUNABLE N: WORDS    The words say what the value N of a tunable means. They apply to all
 *                             kernels of the index that have this tunable.
 */
#ifndef REDSWEEP_SPEC_KERNEL_INDEX_H
#define REDSWEEP_SPEC_KERNEL_INDEX_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

struct kernel_place {
    const char *kernel, *family; /* the family is "" for kernels before the first line `family` */
    int color; /* the color of the family in charts, 1 to 8; 0 if it is not in the ladder */
};

struct kernel_step {
    const char *kernel, *from;
    const char *count; /* the count that changes; NULL if none is named */
};

struct tunable_value {
    const char *tunable; /* the name of the macro, such as POLICY */
    const char *number, *words;
};

struct kernel_index {
    char *text; /* the text of the file; all names and words in this index point into it */
    VEC(const char *) folders;
    VEC(struct kernel_place) places;  /* in the order of the file */
    VEC(struct kernel_step) steps;    /* in the order of the file */
    VEC(struct tunable_value) values; /* in the order of the file */
};

/*
 * Reads the index of a folder. The index is empty if the folder has none. Errors (ERROR_CONFIG)
 * name the file and the line. It is an error if a line has none of the forms above, or if a name is
 * not a plain name. It is also an error if a folder or a kernel is named twice, or if a step names
 * a kernel that is not listed before it. The caller frees the index with kernel_index_free().
 */
bool kernel_index_read(const char *folder, struct kernel_index *out, struct error *e);
void kernel_index_free(struct kernel_index *index);

/* Returns the position of a kernel in `places`, or -1. */
int kernel_index_find(const struct kernel_index *index, const char *kernel);

/*
 * In these folders, the compiler looks for the files that a kernel includes. The kernel's own
 * folder comes first. If the parent of that folder has an index, the parent's lib/ and the parent
 * itself follow. The last two are lib/ of redsweep's own kernels (`kernel_folder`), and
 * `kernel_folder` itself.
 */
/* At most five folders are found. The compiler adds one more. */
enum { INCLUDE_FOLDERS = 6 };
struct include_folders {
    int count;
    char *paths[INCLUDE_FOLDERS];
};
/* Finds the include folders of a kernel's file. The caller frees the paths with
 * include_folders_free(). */
void kernel_include_folders(const char *kernel_file, const char *kernel_folder,
                            struct include_folders *out);
void include_folders_free(struct include_folders *f);

#endif
