/* Implements info.h. */
#include "analyze/info.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/terminal.h"
#include "record/manifest.h"

static void print_member(void *context, const char *name, const char *value)
{
    FILE *out = context;
    if (terminal_width(out)) { /* The output goes to a person. */
        int indent = fprintf(out, "%s  ", name);
        if (indent > 36)
            indent = fprintf(out, "\n    ") - 1;
        terminal_print_words(out, value, (size_t)indent);
        return;
    }
    fprintf(out, "%s\t", name);
    for (; *value; value++)
        if (*value == '\t')
            fputs("\\t", out);
        else if (*value == '\n')
            fputs("\\n", out);
        else if (*value == '\\')
            fputs("\\\\", out);
        else
            fputc(*value, out);
    fputc('\n', out);
}

bool info_print(const char *path, FILE *out, struct error *e)
{
    struct stat st;
    const char *slash = strrchr(path, '/');
    bool file = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    char *folder = !file   ? xstrdup(path)
                   : slash ? xstrndup(path, (size_t)(slash - path) + 1)
                           : xstrdup(".");
    struct manifest m;
    bool ok = manifest_read(folder, &m, NULL, e);
    if (ok)
        manifest_each(&m, print_member, out);
    manifest_free(&m);
    free(folder);
    return ok;
}
