/* Compresses a library's code. */
#include "tuned/pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/library.h"
#include "base/memory.h"
#include "base/program.h"

bool pack_find(char *program)
{
    if (library_toolkit_path("bin/fatbinary", NULL, "REDSWEEP_FATBINARY", program))
        return true;
    program[0] = '\0'; /* $REDSWEEP_FATBINARY might not name a program */
    return false;
}

static bool write_file(const char *path, const char *bytes, size_t length, struct error *e)
{
    FILE *f = fopen(path, "wbx");
    bool ok = f && fwrite(bytes, 1, length, f) == length;
    if (f && fclose(f) != 0)
        ok = false;
    return ok || FAIL(e, ERROR_SYSTEM, "%s cannot be written: %s", path, strerror(errno));
}

static bool pack_in(const char *folder, const char *program, const struct image *image, int cc,
                    struct text *packed, struct error *e)
{
    char *from = xasprintf("%s/image", folder), *to = xasprintf("%s/packed", folder);
    char *create = xasprintf("--create=%s", to);
    char *spec = xasprintf("--image3=kind=%s,sm=%d,file=%s",
                           image->kind == IMAGE_CUBIN ? "elf" : "ptx", cc, from);
    const char *arguments[] = {program, "-64", "--compress-all", create, spec, NULL};
    struct text said = {0};
    char *bytes;
    size_t length;
    bool ok = write_file(from, image->bytes, image->length, e) &&
              program_run(arguments, &said, e) &&
              file_read(to, PACKED_MOST_BYTES, &bytes, &length, e);
    if (ok) {
        text_append_bytes(packed, bytes, length);
        free(bytes);
    }
    (void)unlink(from);
    (void)unlink(to);
    text_free(&said);
    free(from);
    free(to);
    free(create);
    free(spec);
    return ok;
}

bool pack_image(const char *program, const struct image *image, int cc, struct text *packed,
                struct error *e)
{
    const char *temporary = getenv("TMPDIR");
    char *folder =
        xasprintf("%s/redsweep-pack-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    bool ok = mkdtemp(folder) != NULL;
    if (!ok)
        FAIL(e, ERROR_SYSTEM, "the folder %s cannot be created: %s", folder, strerror(errno));
    else {
        ok = pack_in(folder, program, image, cc, packed, e);
        (void)rmdir(folder);
    }
    free(folder);
    return ok;
}
