/*
 * The index of a folder of kernels, FOLDER/index.txt: its sub-folders with kernels, and the order in
 * which one idea follows another. The catalogue, the charts (charts/ladder.h) and the course share
 * it. A folder without one has no sub-folders of kernels.
 *
 *   # a comment
 *   folder book               the kernels below are in FOLDER/book; the headers are in FOLDER/lib
 *   family COLOR: NAME        the kernels below share an idea; a color of the charts, or 0: no steps of the ladder
 *   neighbored                a kernel
 *   step from KERNEL          what the kernel above changes, of one that stands before it; several
 *   step from KERNEL: COUNT   lines where it changes one thing of each of several kernels. COUNT is a
 *                             metric, `grid`, or `instructions` (of all warps): what changes with it
 *   value TUNABLE N: WORDS    what a number of a tunable means, for all kernels of the index that have it
 */
#ifndef REDSWEEP_SPEC_KERNEL_INDEX_H
#define REDSWEEP_SPEC_KERNEL_INDEX_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

struct kernel_place {
    const char *kernel, *family; /* "" before the first family */
    int color;                   /* of the family in charts, 1 to 8; 0: no step of the ladder */
};

struct kernel_step {
    const char *kernel, *from;
    const char *count; /* NULL: none */
};

struct tunable_value {
    const char *tunable; /* the macro: POLICY */
    const char *number, *words;
};

struct kernel_index {
    char *text; /* the file's; the names below point into it */
    VEC(const char *) folders;
    VEC(struct kernel_place) places;  /* in the file's order */
    VEC(struct kernel_step) steps;    /* the same */
    VEC(struct tunable_value) values; /* the same */
};

/*
 * Reads the index of a folder; an empty one if the folder has none. ERROR_CONFIG with file and line for a line that is
 * none of the above, for a folder that is named twice or is not a plain name, for a kernel that is named twice, and for
 * a step from a kernel that does not come before it. The caller frees it with kernel_index_free().
 */
bool kernel_index_read(const char *folder, struct kernel_index *out, struct error *e);
void kernel_index_free(struct kernel_index *index);

/* The position of a kernel among the places, or -1. */
int kernel_index_find(const struct kernel_index *index, const char *kernel);

/*
 * The folders in which the includes of a kernel's file are searched, in this order: its own; if an
 * indexed folder contains its own, lib/ of that folder, and that folder; lib/ of redsweep's own
 * kernels (`kernel_folder`), and that folder.
 */
enum { INCLUDE_FOLDERS = 6 }; /* one more than are found, for the compiler's */
struct include_folders {
    int count;
    char *paths[INCLUDE_FOLDERS];
};
/* The paths are the caller's: include_folders_free(). */
void kernel_include_folders(const char *kernel_file, const char *kernel_folder,
                            struct include_folders *out);
void include_folders_free(struct include_folders *f);

#endif
