/*
 * Extracts the device part of a CUDA source file. device_part.h says what belongs to it.
 *
 * Reads one declaration at namespace scope at a time. A declaration ends at its semicolon, and a
 * function definition at the brace that closes its body. String literals, character literals and
 * comments are skipped as a whole, so braces inside them do not count.
 */
#include "spec/device_part.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/vec.h"

enum { MAX_DEPTH = 32 /* how deep included files may nest */ };

struct extraction {
    struct text *out;
    VEC(char *)
    macros;            /* macros in `files` whose definitions contain __device__ or __global__ */
    VEC(char *) files; /* the source file and the included files; each is inserted once */
    int depth;
    struct error *e;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the position after the comment, string or character literal at `p`, or `p` itself if
 * there is none. */
static const char *skip_literal(const char *p)
{
    if (p[0] == '/' && p[1] == '/')
        return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (p[0] == 'R' && p[1] == '"') {
        size_t length = strcspn(p + 2, "(");
        char close[32];
        snprintf(close, sizeof close, ")%.*s\"", (int)(length < 16 ? length : 16), p + 2);
        const char *end = strstr(p, close);
        return end ? end + strlen(close) : p + strlen(p);
    }
    if (p[0] == '"' || p[0] == '\'') {
        const char *q = p + 1;
        while (*q && *q != p[0] && *q != '\n')
            q += q[0] == '\\' && q[1] ? 2 : 1;
        return *q ? q + 1 : q;
    }
    return p;
}

/* Returns the position after the token at `p`. A quote inside a number (1'000'000) does not begin a
 * character literal. */
static const char *skip_token(const char *p)
{
    if (is_word(*p)) {
        if (p[0] == 'R' && p[1] == '"')
            return skip_literal(p);
        while (is_word(*p) || (*p == '\'' && is_word(p[1]) && isdigit((unsigned char)p[-1])))
            p++;
        return p;
    }
    const char *behind = skip_literal(p);
    return behind > p ? behind : p + 1;
}

static bool is_directive(const char *text, const char *p)
{
    if (*p != '#')
        return false;
    while (p > text && (p[-1] == ' ' || p[-1] == '\t'))
        p--;
    return p == text || p[-1] == '\n';
}

/* Returns the position of the newline that ends a directive and its continuation lines. */
static const char *directive_end(const char *p)
{
    for (; *p && *p != '\n'; p++) {
        if (p[0] == '/' && p[1] == '*')
            p = skip_literal(p) - 1;
        else if (p[0] == '\\' && (p[1] == '\n' || (p[1] == '\r' && p[2] == '\n')))
            p += p[1] == '\n' ? 1 : 2;
    }
    return p;
}

/* Returns whether `word` is a token in this text, outside comments and literals. */
static bool has_word(const char *begin, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = begin; p < end;) {
        const char *next = skip_token(p);
        if ((size_t)(next - p) == length && memcmp(p, word, length) == 0)
            return true;
        p = next;
    }
    return false;
}

static bool has_any(const char *begin, const char *end, const char *const *words)
{
    for (; *words; words++)
        if (has_word(begin, end, *words))
            return true;
    return false;
}

static const char *const spaces[] = {"__global__", "__device__", "__constant__", "__managed__",
                                     NULL};

static bool is_of_device(const struct extraction *x, const char *begin, const char *end)
{
    bool of_device = has_any(begin, end, spaces);
    for (size_t i = 0; !of_device && i < x->macros.count; i++)
        of_device = has_word(begin, end, x->macros.items[i]);
    return of_device;
}

/* Replaces omitted lines with empty lines, so that later lines keep their numbers. */
static void blank(struct extraction *x, const char *begin, const char *end)
{
    for (; begin < end; begin++)
        if (*begin == '\n')
            text_append_bytes(x->out, "\n", 1);
}

static void keep(struct extraction *x, const char *begin, const char *end)
{
    text_append_bytes(x->out, begin, (size_t)(end - begin));
}

struct declaration {
    const char *begin, *end;
    const char *body;   /* the first brace of the declaration, or `end` */
    const char *equals; /* the first = of the declaration, or `end` */
    bool has_parens;    /* a parenthesis precedes the body and the = */
    bool macro;         /* the whole declaration is a macro call, NAME(…) */
};

/*
 * Returns the position after the bracket that closes the one at `p`, or NULL if it is never closed.
 */
static const char *matching(const char *text, const char *p)
{
    int depth = 0;
    while (*p) {
        if (is_directive(text, p)) {
            p = directive_end(p);
            continue;
        }
        depth += (*p == '(' || *p == '{' || *p == '[') - (*p == ')' || *p == '}' || *p == ']');
        p = skip_token(p);
        if (depth == 0)
            return p;
    }
    return NULL;
}

static const char *skip_space(const char *p)
{
    for (;;) {
        while (isspace((unsigned char)*p))
            p++;
        if (p[0] != '/' || (p[1] != '/' && p[1] != '*'))
            return p;
        p = skip_literal(p);
    }
}

/*
 * If a template begins at `p`, returns the position after its <…>. Inside <…>, = and braces have
 * other meanings than in the rest of a declaration. Otherwise returns `p`.
 */
static const char *skip_template(const char *p)
{
    while (strncmp(p, "template", 8) == 0 && !is_word(p[8])) {
        int depth = 0;
        for (p = skip_space(p + 8); *p; p = skip_token(p)) {
            depth += (*p == '<') - (*p == '>');
            if (depth == 0)
                break;
        }
        p = skip_space(*p ? p + 1 : p);
    }
    return p;
}

static const char *const types[] = {"struct", "class", "union", "enum", NULL};

/* Reads the declaration at d->begin. Returns false if a bracket is never closed. */
static bool read_declaration(const char *text, struct declaration *d)
{
    const char *p = skip_template(d->begin), *first = skip_token(d->begin);
    d->body = d->equals = NULL;
    while (*p && *p != ';' && *p != '}') {
        if (is_directive(text, p)) {
            p = directive_end(p);
            continue;
        }
        if (*p == '=' && !d->equals && !d->body)
            d->equals = p;
        if (*p != '(' && *p != '{' && *p != '[') {
            p = skip_token(p);
            continue;
        }
        bool brace = *p == '{';
        const char *close = matching(text, p);
        if (!close)
            return false;
        if (brace && !d->body)
            d->body = p;
        d->has_parens = d->has_parens || (*p == '(' && !d->body && !d->equals);
        const char *next = skip_space(close);
        if (*p == '(' && p == skip_space(first) && is_word(*d->begin) && *next != ';' &&
            *next != '{' && *next != ':') {
            d->macro = true;
            p = close;
            break;
        }
        p = close;
        bool type = has_any(d->begin, d->body ? d->body : p, types) && !d->has_parens;
        if (brace && !d->equals && !type)
            break; /* this brace closed the body of a function */
    }
    d->end = *p == ';' ? p + 1 : p;
    d->body = d->body ? d->body : d->end;
    d->equals = d->equals ? d->equals : d->end;
    return d->end > d->begin;
}

/* Types of host libraries. Code that mentions one of them cannot be device code. */
static const char *const of_host[] = {"cudaEvent_t",   "cudaStream_t", "vector",  "string", "map",
                                      "unordered_map", "chrono",       "ostream", "FILE",   NULL};

static bool is_kept(const struct extraction *x, const struct declaration *d)
{
    static const char *const always[] = {"constexpr", "static_assert", NULL};
    static const char *const names[] = {"typedef", "using", "template", "namespace", NULL};
    const char *head = d->body;
    if (is_of_device(x, d->begin, head))
        return true;
    if (d->macro || has_word(d->begin, head, "__host__"))
        return false;
    if (has_any(d->begin, head, always))
        return true;
    bool host = has_any(d->begin, d->end, of_host);
    if (has_any(d->begin, head, types) && !d->has_parens)
        return !host;
    if (d->has_parens && !has_any(d->begin, head, (const char *const[]){"typedef", "using", NULL}))
        return false; /* a host function */
    return !host && (has_any(d->begin, head, names) || has_word(d->begin, d->equals, "const"));
}

static bool insert_file(struct extraction *x, const char *path, const char *shown);

/* NVRTC finds headers with these prefixes in a toolkit, but cannot compile them. */
static const char *const host_headers[] = {
    "thrust/", "cublas",         "curand",        "cufft",        "cusparse", "cusolver",
    "cudnn",   "nccl",           "npp",           "nvml",         "nvrtc",    "nvToolsExt",
    "cuda_gl", "cuda_occupancy", "cuda_profiler", "driver_types", NULL};

static bool take_include(struct extraction *x, const char *folder, const char *shown, int line,
                         const char *begin, const char *end)
{
    const char *name = begin + strcspn(begin, "<\"\n");
    if (name >= end)
        return keep(x, begin, end), true;
    const char *close = name + 1 + strcspn(name + 1, *name == '<' ? ">\n" : "\"\n");
    char header[PATH_MAX], path[2 * PATH_MAX];
    snprintf(header, sizeof header, "%.*s", (int)(close - name - 1), name + 1);
    snprintf(path, sizeof path, "%s/%s", folder, header);
    bool ok = true;
    struct stat status;
    if (*name == '"' && stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        ok = insert_file(x, path, header);
    } else {
        for (const char *const *h = host_headers; *h; h++)
            if (strncmp(header, *h, strlen(*h)) == 0)
                return blank(x, begin, end), true;
        text_append(x->out, "#if __has_include(<%s>)\n#include <%s>\n#endif\n", header, header);
    }
    text_append(x->out, "#line %d \"%s\"", line, shown);
    return ok;
}

static void note_macro(struct extraction *x, const char *begin, const char *end)
{
    const char *p = begin + 1 + strspn(begin + 1, " \t");
    if (strncmp(p, "define", 6) != 0 || !is_of_device(x, p, end))
        return;
    p += 6 + strspn(p + 6, " \t");
    const char *name_end = p;
    while (is_word(*name_end))
        name_end++;
    vec_push(&x->macros, xstrndup(p, (size_t)(name_end - p)));
}

static bool take_directive(struct extraction *x, const char *folder, const char *shown, int line,
                           const char *begin, const char *end)
{
    const char *word = begin + 1 + strspn(begin + 1, " \t");
    if (strncmp(word, "include", 7) == 0)
        return take_include(x, folder, shown, line, begin, end);
    note_macro(x, begin, end);
    if (strncmp(word, "pragma once", 11) == 0) /* NVRTC warns about this pragma in a main file */
        return blank(x, begin, end), true;
    return keep(x, begin, end), true;
}

/* Returns the position after the opening brace of the namespace or extern "C" { … } at `p`, or NULL
 * if there is neither. */
static const char *transparent(const char *p)
{
    bool external = strncmp(p, "extern", 6) == 0 && !is_word(p[6]) && *skip_space(p + 6) == '"';
    bool space = strncmp(p, "namespace", 9) == 0 && !is_word(p[9]);
    if (strncmp(p, "inline", 6) == 0 && strncmp(skip_space(p + 6), "namespace", 9) == 0)
        space = true;
    if (!external && !space)
        return NULL;
    if (external)
        p = skip_literal(skip_space(p + 6));
    else
        p += strcspn(p, "{;=\n(");
    p = skip_space(p);
    return *p == '{' ? p + 1 : NULL;
}

static int count_lines(const char *begin, const char *end)
{
    int lines = 0;
    for (; begin < end; begin++)
        lines += *begin == '\n';
    return lines;
}

static bool take_text(struct extraction *x, const char *text, const char *folder, const char *shown)
{
    for (const char *p = text; *p;) {
        const char *next = skip_space(p);
        if (is_directive(text, next)) {
            keep(x, p, next);
            p = directive_end(next);
            if (!take_directive(x, folder, shown, 1 + count_lines(text, p), next, p))
                return false;
            continue;
        }
        keep(x, p, next);
        p = next;
        if (!*p)
            break;
        if ((next = transparent(p)) != NULL || *p == '}' || *p == ';') {
            next = next ? next : p + 1;
            keep(x, p, next);
            p = next;
            continue;
        }
        struct declaration d = {.begin = p};
        if (!read_declaration(text, &d))
            return FAIL(x->e, ERROR_CONFIG, "%s:%d: the bracket that opens here is never closed",
                        shown, 1 + count_lines(text, p));
        if (is_kept(x, &d))
            keep(x, d.begin, d.end);
        else
            blank(x, d.begin, d.end);
        p = d.end;
    }
    return true;
}

static bool insert_file(struct extraction *x, const char *path, const char *shown)
{
    char *text, *absolute = realpath(path, NULL);
    if (!absolute)
        return FAIL(x->e, ERROR_SYSTEM, "%s cannot be read", path);
    for (size_t i = 0; i < x->files.count; i++)
        if (strcmp(x->files.items[i], absolute) == 0) {
            free(absolute);
            return true;
        }
    vec_push(&x->files, absolute);
    if (x->depth == MAX_DEPTH)
        return FAIL(x->e, ERROR_CONFIG,
                    "%s: includes are nested more than %d levels deep; reduce the nesting", path,
                    MAX_DEPTH);
    if (!file_read(path, DEVICE_PART_MAX_BYTES, &text, NULL, x->e))
        return false;
    char *folder = xstrdup(path), *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    text_append(x->out, "#line 1 \"%s\"\n", shown);
    x->depth++;
    bool ok = take_text(x, text, slash ? folder : ".", shown);
    x->depth--;
    text_append(x->out, "\n");
    free(folder);
    free(text);
    return ok;
}

bool device_part(const char *path, const char *shown, struct text *out, struct error *e)
{
    struct extraction x = {.out = out, .e = e};
    /*
     * Declares names from the omitted host headers. Without these names, `using` directives and
     * short type names would not compile.
     */
    text_append(out,
                "namespace std {}\ntypedef unsigned char uchar;\ntypedef unsigned short ushort;\n"
                "typedef unsigned int uint;\ntypedef unsigned long ulong;\n"
                /* The shuffles and votes that CUDA had before sm_70. They apply to the active
                 * lanes. */
                "template <class T> __device__ T __shfl(T v, int by, int width = 32)\n"
                "{ return __shfl_sync(__activemask(), v, by, width); }\n"
                "template <class T> __device__ T __shfl_up(T v, unsigned by, int width = 32)\n"
                "{ return __shfl_up_sync(__activemask(), v, by, width); }\n"
                "template <class T> __device__ T __shfl_down(T v, unsigned by, int width = 32)\n"
                "{ return __shfl_down_sync(__activemask(), v, by, width); }\n"
                "template <class T> __device__ T __shfl_xor(T v, int by, int width = 32)\n"
                "{ return __shfl_xor_sync(__activemask(), v, by, width); }\n"
                "inline __device__ int __any(int x) { return __any_sync(__activemask(), x); }\n"
                "inline __device__ int __all(int x) { return __all_sync(__activemask(), x); }\n"
                "inline __device__ unsigned __ballot(int x) { return __ballot_sync(__activemask(), "
                "x); }\n");
    bool ok = insert_file(&x, path, shown);
    for (size_t i = 0; i < x.macros.count; i++)
        free(x.macros.items[i]);
    for (size_t i = 0; i < x.files.count; i++)
        free(x.files.items[i]);
    vec_free(&x.macros);
    vec_free(&x.files);
    return ok;
}
