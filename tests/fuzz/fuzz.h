/*
 * One parser and the bytes that somebody made up for it: it must not crash, leak, or take memory or
 * time out of proportion, and what it refuses it must explain.
 *
 * Each tests/fuzz/fuzz_<target>.c defines LLVMFuzzerTestOneInput(). `make fuzz` links it with
 * clang's libFuzzer; test_corpus_<target>, part of `make test`, with replay.c, which feeds it the
 * files of tests/fuzz/corpus/<target>/ alone. What ever made a parser crash goes there.
 */
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

/* A refusal says something, and not that it is a bug of ours. */
static inline void must_explain(const struct error *e)
{
    if (e->kind == ERROR_NONE || e->kind == ERROR_INTERNAL || !e->text[0]) {
        fprintf(stderr, "a refusal without a reason: kind %d, '%s'\n", (int)e->kind, e->text);
        abort();
    }
}

/* The bytes with a NUL behind them: free(). */
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

/* A file of this process with these bytes; it is removed when the process ends. */
static inline const char *write_file(const char *name, const uint8_t *bytes, size_t length)
{
    static char folder[64], path[192];
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/redsweep-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        if (!mkdtemp(folder))
            abort();
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
    return folder;
}

#endif
