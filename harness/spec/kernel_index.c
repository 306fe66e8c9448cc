/* Reads the index of a kernel folder. kernel_index.h describes its form. */
#include "spec/kernel_index.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

enum { INDEX_MAX_BYTES = 1 << 20 };

/*
 * Returns whether the name of a kernel or folder consists of letters, digits and _, and thus cannot
 * lead to another folder.
 */
static bool is_plain_name(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_')
            return false;
    return length > 0;
}

static bool take_folder(struct kernel_index *index, const char *name, struct error *e)
{
    for (size_t i = 0; i < index->folders.count; i++)
        if (strcmp(index->folders.items[i], name) == 0)
            return FAIL(e, ERROR_CONFIG, "the folder %s is named twice; remove one of the lines",
                        name);
    if (!is_plain_name(name))
        return FAIL(e, ERROR_CONFIG,
                    "the name of the folder '%s' is not valid; use only letters, digits and _",
                    name);
    vec_push(&index->folders, name);
    return true;
}

/* Reads what follows "step from " on a line. */
static bool take_step(struct kernel_index *index, char *line, struct error *e)
{
    char *colon = strstr(line, ": ");
    struct kernel_step step = {.from = line, .count = colon ? colon + 2 : NULL};
    if (colon)
        *colon = '\0';
    if (!index->places.count)
        return FAIL(e, ERROR_CONFIG,
                    "the line \"step from %s\" follows no kernel; move it below the kernel that "
                    "the step leads to",
                    line);
    step.kernel = index->places.items[index->places.count - 1].kernel;
    int from = kernel_index_find(index, step.from);
    if (from < 0 || (size_t)from + 1 == index->places.count)
        return FAIL(e, ERROR_CONFIG,
                    "the line \"step from %s\" names no kernel that precedes %s; name one of the "
                    "kernels above it",
                    step.from, step.kernel);
    if (step.count && !is_plain_name(step.count))
        return FAIL(
            e, ERROR_CONFIG,
            "the line \"step from %s: %s\" names no count; write the name of one after the colon",
            step.from, step.count);
    vec_push(&index->steps, step);
    return true;
}

/* Reads what follows "value " on a line. */
static bool take_value(struct kernel_index *index, char *line, struct error *e)
{
    char *blank = strchr(line, ' '), *colon = strstr(line, ": ");
    if (!blank || !colon || colon < blank || !colon[2])
        return FAIL(e, ERROR_CONFIG,
                    "the line \"value %s\" is incomplete; write \"value TUNABLE NUMBER: WORDS\"",
                    line);
    *blank = *colon = '\0';
    if (!is_plain_name(line) || !blank[1] || strspn(blank + 1, "0123456789") != strlen(blank + 1))
        return FAIL(e, ERROR_CONFIG,
                    "the line \"value %s %s\" does not begin with a tunable and a number; write "
                    "\"value TUNABLE NUMBER: WORDS\"",
                    line, blank + 1);
    vec_push(&index->values, (struct tunable_value){line, blank + 1, colon + 2});
    return true;
}

static bool take_line(struct kernel_index *index, char *line, const char **family, struct error *e)
{
    if (line[0] == '\0' || line[0] == '#')
        return true;
    if (strncmp(line, "folder ", 7) == 0)
        return take_folder(index, line + 7, e);
    if (strncmp(line, "family ", 7) == 0) {
        if (line[7] < '0' || line[7] > '8' || strncmp(line + 8, ": ", 2) != 0 || !line[10])
            return FAIL(e, ERROR_CONFIG,
                        "the line \"%s\" does not name a family; write \"family COLOR: NAME\" with "
                        "a COLOR from 0 to 8",
                        line);
        *family = line + 10;
        return true;
    }
    if (strncmp(line, "step from ", 10) == 0)
        return take_step(index, line + 10, e);
    if (strncmp(line, "value ", 6) == 0)
        return take_value(index, line + 6, e);
    if (!is_plain_name(line))
        return FAIL(
            e, ERROR_CONFIG,
            "the line \"%s\" cannot be understood; write \"folder NAME\", \"family COLOR: NAME\", "
            "\"step from KERNEL\", \"value TUNABLE NUMBER: WORDS\" or a kernel's name",
            line);
    if (kernel_index_find(index, line) >= 0)
        return FAIL(e, ERROR_CONFIG, "the kernel %s is named twice; remove one of the lines", line);
    vec_push(&index->places,
             (struct kernel_place){line, *family, **family ? (*family)[-3] - '0' : 0});
    return true;
}

bool kernel_index_read(const char *folder, struct kernel_index *out, struct error *e)
{
    char path[PATH_MAX];
    memset(out, 0, sizeof *out);
    snprintf(path, sizeof path, "%s/index.txt", folder);
    if (access(path, F_OK) != 0)
        return true;
    if (!file_read(path, INDEX_MAX_BYTES, &out->text, NULL, e))
        return false;
    const char *family = "";
    int number = 1;
    for (char *line = out->text; line; number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        if (!take_line(out, line, &family, e)) {
            kernel_index_free(out);
            return error_prefix(e, "%s:%d", path, number);
        }
        line = end ? end + 1 : NULL;
    }
    return true;
}

void kernel_index_free(struct kernel_index *index)
{
    vec_free(&index->folders);
    vec_free(&index->places);
    vec_free(&index->steps);
    vec_free(&index->values);
    free(index->text);
    memset(index, 0, sizeof *index);
}

int kernel_index_find(const struct kernel_index *index, const char *kernel)
{
    for (size_t i = 0; i < index->places.count; i++)
        if (strcmp(index->places.items[i].kernel, kernel) == 0)
            return (int)i;
    return -1;
}

void kernel_include_folders(const char *kernel_file, const char *kernel_folder,
                            struct include_folders *out)
{
    const char *slash = strrchr(kernel_file, '/');
    char *own = !slash                 ? xstrdup(".")
                : slash == kernel_file ? xstrdup("/")
                                       : xstrndup(kernel_file, (size_t)(slash - kernel_file));
    char *index = xasprintf("%s/../index.txt", own);
    out->count = 0;
    out->paths[out->count++] = own;
    if (access(index, F_OK) == 0) {
        out->paths[out->count++] = xasprintf("%s/../lib", own);
        out->paths[out->count++] = xasprintf("%s/..", own);
    }
    out->paths[out->count++] = xasprintf("%s/lib", kernel_folder);
    out->paths[out->count++] = xstrdup(kernel_folder);
    free(index);
}

void include_folders_free(struct include_folders *f)
{
    for (int i = 0; i < f->count; i++)
        free(f->paths[i]);
    f->count = 0;
}
