/* A fuzz target feeds random bytes to a parser. The parser must not crash, leak memory, or use more
 * memory or time than the input justifies. It must give a reason for every refusal.
 *
 * Each tests/fuzz/fuzz_<target>.c defines LLVMFuzzerTestOneInput(). `make fuzz` links it with
 * clang's libFuzzer. test_corpus_<target>, which is part of `make test`, is linked with replay.c
 * instead, which feeds it only the files of tests/fuzz/corpus/<target>/. These files include inputs
 * that once crashed a parser. */
#ifndef REDSWEEP_TESTS_FUZZ_FUZZ_H
#define REDSWEEP_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Aborts if a refusal has no message, or if its message blames a bug in redsweep. */
static inline void must_explain(const struct error *e)
{
    if (e->kind == ERROR_NONE || e->kind == ERROR_INTERNAL || !e->text[0]) {
        fprintf(stderr, "a refusal without a reason: kind %d, '%s'\n", (int)e->kind, e->text);
        abort();
    }
}

/* Returns a copy of the bytes, followed by a NUL. The caller frees it. */
static inline char *copy_text(const uint8_t *bytes, size_t length)
{
    char *text = malloc(length + 1);
    if (!text)
        abort();
    if (length)
        memcpy(text, bytes, length);
    text[length] = '\0';
    return text;
}

static char own_folder[64]; /* this process's folder; "" until it is created */

static inline void remove_folder(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", own_folder);
    if (system(command) != 0)
        fprintf(stderr, "%s cannot be removed\n", own_folder);
}

/* Writes a file with these bytes into this process's folder. Returns the folder, which is
 * removed when the process exits normally. */
static inline const char *write_file(const char *name, const uint8_t *bytes, size_t length)
{
    static char path[192];
    if (!own_folder[0]) {
        atexit(remove_folder);
        snprintf(own_folder, sizeof own_folder, "%s/redsweep-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        if (!mkdtemp(own_folder))
            abort();
    }
    snprintf(path, sizeof path, "%s/%s", own_folder, name);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
    return own_folder;
}

#endif
