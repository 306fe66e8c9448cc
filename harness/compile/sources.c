/* Implements sources.h. */
#include "compile/sources.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/code.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

enum {
    MAX_FILES = 256,                 /* how many different files a kernel may include */
    MAX_FILE_BYTES = 4 * 1024 * 1024 /* how large each of them may be */
};

struct scan {
    enum sources_reading reading;
    const char *const *folders;
    int folder_count;
    uint64_t hash;
    bool scannable;
    char *visited[MAX_FILES]; /* the absolute paths of the files that were hashed */
    int visited_count;
    struct error *e;
};

static bool scan_text(struct scan *s, const char *code, size_t length, const char *folder);

/* Hashes a file unless it has been hashed before. */
static bool visit(struct scan *s, const char *path)
{
    char *absolute = realpath(path, NULL);
    if (!absolute)
        return FAIL(s->e, ERROR_SYSTEM, "%s cannot be read: %s", path, strerror(errno));
    for (int i = 0; i < s->visited_count; i++)
        if (strcmp(s->visited[i], absolute) == 0) {
            free(absolute);
            return true;
        }
    if (s->visited_count == MAX_FILES) {
        free(absolute);
        return FAIL(s->e, ERROR_CONFIG, "%s: the kernel includes more than %d files; include fewer",
                    path, MAX_FILES);
    }
    s->visited[s->visited_count++] = absolute;

    char *bytes;
    size_t length = 0;
    if (!file_read(path, MAX_FILE_BYTES, &bytes, &length, s->e))
        return false;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    if (s->reading == SOURCES_EXACT)
        s->hash = hash_text(s->hash, path);
    bool ok = scan_text(s, bytes, length, slash ? folder : ".");
    free(bytes);
    return ok;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/*
 * Looks up the name of an include in the same folders as the compiler. Hashes all files with this
 * name, although the compiler uses only the first. So the hash also changes when a new file appears
 * in a folder that is searched before.
 */
static bool follow(struct scan *s, const char *name, const char *folder)
{
    char path[PATH_MAX];
    bool absolute = name[0] == '/', found = false;
    if (s->reading == SOURCES_EXACT)
        s->hash = hash_text(s->hash, name);
    for (int i = -1; i < (absolute ? 0 : s->folder_count); i++) {
        int length =
            absolute ? snprintf(path, sizeof path, "%s", name)
                     : snprintf(path, sizeof path, "%s/%s", i < 0 ? folder : s->folders[i], name);
        if (length >= (int)sizeof path || !is_file(path))
            continue;
        found = true;
        if (!visit(s, path))
            return false;
    }
    /*
     * Of files that were found, the text was hashed; of others, such as the toolkit's, only the
     * name is.
     */
    if (s->reading == SOURCES_FOLDED && !found)
        s->hash = hash_text(s->hash, name);
    return true;
}

/*
 * Returns whether the word at `word` may be that of a directive, because it is preceded by #, %: or
 * a comment.
 */
static bool follows_hash(const char *text, const char *word)
{
    while (word > text && (word[-1] == ' ' || word[-1] == '\t'))
        word--;
    if (word == text)
        return false;
    return word[-1] == '#' || word[-1] == ':' ||
           (word[-1] == '/' && word - text > 1 && word[-2] == '*');
}

static bool scan_includes(struct scan *s, const char *text, const char *folder)
{
    static const char keyword[] = "include";
    for (const char *word = strstr(text, keyword); word; word = strstr(word, keyword)) {
        const char *after = word + sizeof keyword - 1;
        const char *begin = after + strspn(after, " \t(");
        char close = *begin == '"' ? '"' : *begin == '<' ? '>' : '\0';
        const char *end = close ? strpbrk(begin + 1, close == '"' ? "\"\n" : ">\n") : NULL;
        if (end && *end == close && end - begin - 1 < PATH_MAX) {
            char name[PATH_MAX];
            snprintf(name, sizeof name, "%.*s", (int)(end - begin - 1), begin + 1);
            if (!follow(s, name, folder))
                return false;
        } else if (!isalnum((unsigned char)*after) && *after != '_' && follows_hash(text, word)) {
            /* #include MACRO, #include / * … * / "x" or the like */
            s->scannable = false;
        }
        word = after;
    }
    return true;
}

/* Hashes the folded text (base/code.h), and the files that its directives include. */
static bool scan_folded(struct scan *s, const char *code, size_t length, const char *folder)
{
    struct text text = {0};
    code_includes includes = {0};
    code_fold(code, length, &text, &includes);
    s->hash = hash_bytes(s->hash, &text.length, sizeof text.length);
    s->hash = hash_bytes(s->hash, text.bytes, text.length);
    bool ok = true;
    for (size_t i = 0; ok && i < includes.count; i++)
        ok = follow(s, includes.items[i], folder);
    code_includes_free(&includes);
    text_free(&text);
    return ok;
}

static bool scan_text(struct scan *s, const char *code, size_t length, const char *folder)
{
    if (s->reading == SOURCES_FOLDED)
        return scan_folded(s, code, length, folder);
    s->hash = hash_bytes(s->hash, &length, sizeof length);
    s->hash = hash_bytes(s->hash, code, length);
    /* The preprocessor joins lines that end with a backslash to the next one. */
    char *text = xmalloc(length + 1);
    size_t out = 0;
    for (size_t i = 0; i < length; i++) {
        size_t skip = code[i] != '\\'                                                ? 0
                      : i + 1 < length && code[i + 1] == '\n'                        ? 2
                      : i + 2 < length && code[i + 1] == '\r' && code[i + 2] == '\n' ? 3
                                                                                     : 0;
        if (skip)
            i += skip - 1;
        else
            text[out++] = code[i] ? code[i] : ' '; /* a NUL would end the scan */
    }
    text[out] = '\0';
    bool ok = scan_includes(s, text, folder);
    free(text);
    return ok;
}

bool sources_hash(enum sources_reading reading, const char *code, size_t length, const char *folder,
                  const char *const *include_folders, int folder_count, uint64_t *hash,
                  bool *scannable, struct error *e)
{
    struct scan s = {.reading = reading,
                     .folders = include_folders,
                     .folder_count = folder_count,
                     .hash = *hash,
                     .scannable = true,
                     .e = e};
    bool ok = scan_text(&s, code, length, folder);
    for (int i = 0; i < s.visited_count; i++)
        free(s.visited[i]);
    *hash = s.hash;
    *scannable = s.scannable;
    return ok;
}
