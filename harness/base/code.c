/*
 * Folds code by the rules in code.h.
 *
 * Lines that end with a backslash are joined first, as in the preprocessor. `origin` holds the
 * original position of each remaining byte, because lines are not joined in a raw string, and line
 * numbers may matter. Where compilers disagree, or where the text is not valid code (an unclosed
 * quote, a lone carriage return), nothing is dropped that might matter.
 */
#include "base/code.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Which white space matters in a text: spaces between tokens, and line ends (see code.h). */
struct shown {
    bool spaces, lines;
};

struct folding {
    const char *code; /* the original text */
    size_t code_length;
    char *text; /* the text with its lines joined, followed by a NUL */
    size_t *origin;
    size_t length, at;
    struct shown keep; /* the white space to preserve */
    struct shown seen; /* the white space that the code was found to observe */
    struct text *out;
    code_includes *includes;
    size_t last_origin; /* where the last token in `code` ends */
    bool spaced;        /* white space or a comment precedes the next token */
    bool begins_line;   /* the next token is the first on its line */
    /* How much of a directive has been read on this line. */
    enum { NO_DIRECTIVE, HASH, KEYWORD } directive;
    bool defines;      /* the directive is #define … */
    int define_tokens; /* how many tokens were read after `define` */
    /* The next token may be a header's name. */
    bool header_next;
    /* The parenthesis of a __has_include comes next. */
    bool has_include;
};

static void join_lines(struct folding *f)
{
    f->text = xmalloc(f->code_length + 1);
    f->origin = xcalloc(f->code_length + 1, sizeof *f->origin);
    for (size_t i = 0; i < f->code_length;) {
        const char *c = f->code + i;
        size_t left = f->code_length - i;
        if (left >= 2 && c[0] == '\\' && c[1] == '\n') {
            i += 2;
        } else if (left >= 3 && c[0] == '\\' && c[1] == '\r' && c[2] == '\n') {
            i += 3;
        } else {
            f->origin[f->length] = i++;
            f->text[f->length++] = *c;
        }
    }
    f->text[f->length] = '\0';
    f->origin[f->length] = f->code_length;
}

/*
 * Returns whether the byte at `c` can be part of a name: letters, digits, _, $, the bytes of UTF-8
 * characters, and the \u of a universal name.
 */
static bool is_word(const char *c)
{
    unsigned char byte = (unsigned char)*c;
    return isalnum(byte) || byte == '_' || byte == '$' || byte >= 0x80 ||
           (byte == '\\' && (c[1] == 'u' || c[1] == 'U'));
}

/* ---- Where a token ends ---------------------------------------------------------------------- */

static size_t end_of_word(const struct folding *f, size_t at)
{
    while (at < f->length && is_word(f->text + at))
        at++;
    return at;
}

/* Returns the end of the preprocessing number at `at`: 1'000, 0x1p-3, 1e+5, .5f. */
static size_t end_of_number(const struct folding *f, size_t at)
{
    for (const char *t = f->text; at < f->length;) {
        bool exponent = strchr("eEpP", t[at]) && t[at] && (t[at + 1] == '+' || t[at + 1] == '-');
        bool separator = t[at] == '\'' && is_word(t + at + 1);
        if (!exponent && !separator && t[at] != '.' && !is_word(t + at))
            break;
        at += exponent || separator ? 2 : 1;
    }
    return at < f->length ? at : f->length;
}

/*
 * Returns the end of the literal whose opening quote is at `at`, including a suffix. An unclosed
 * literal extends to the end of the line.
 */
static size_t end_of_literal(const struct folding *f, size_t at)
{
    char quote = f->text[at++];
    for (; at < f->length && f->text[at] != '\n'; at++) {
        if (f->text[at] == quote)
            return end_of_word(f, at + 1);
        if (f->text[at] == '\\' && at + 1 < f->length && f->text[at + 1] != '\n')
            at++;
    }
    return at;
}

/*
 * Returns the end of the header's name at `at`, "…" or <…>, or `at` if there is none. A backslash
 * has no special meaning in such a name.
 */
static size_t end_of_header(const struct folding *f, size_t at)
{
    char close = f->text[at] == '"' ? '"' : f->text[at] == '<' ? '>' : '\0';
    size_t end = at + 1;
    while (close && end < f->length && f->text[end] != '\n' && f->text[end] != close)
        end++;
    return close && end < f->length && f->text[end] == close ? end + 1 : at;
}

/* The operators of more than one character. Each comes before those that it begins with. */
static const char *const operators[] = {
    "%:%:", "<<<", ">>>", "<<=", ">>=", "...", "->*", "##", "<:", ":>", "<%", "%>",
    "%:",   "::",  ".*",  "+=",  "-=",  "*=",  "/=",  "%=", "^=", "&=", "|=", "==",
    "!=",   "<=",  ">=",  "&&",  "||",  "<<",  ">>",  "++", "--", "->"};

static size_t end_of_operator(const struct folding *f, size_t at)
{
    const char *t = f->text + at;
    /* [lex.pptoken]: <:: is < and :: unless : or > follows. */
    if (strncmp(t, "<::", 3) == 0 && t[3] != ':' && t[3] != '>')
        return at + 1;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(t, operators[i], strlen(operators[i])) == 0)
            return at + strlen(operators[i]);
    return at + 1;
}

static bool text_is(const struct folding *f, size_t begin, size_t end, const char *word)
{
    return strlen(word) == end - begin && memcmp(f->text + begin, word, end - begin) == 0;
}

static bool text_is_any(const struct folding *f, size_t begin, size_t end, const char *const *words)
{
    while (*words && !text_is(f, begin, end, *words))
        words++;
    return *words != NULL;
}

/*
 * Returns the end (in f->code) of the raw string whose first quote is at `quote` (in f->text), or 0
 * if there is none.
 */
static size_t end_of_raw(const struct folding *f, size_t quote)
{
    const char *code = f->code, *end = code + f->code_length;
    const char *begin = code + f->origin[quote] + 1, *open = begin;
    while (open < end && open - begin <= 16 && !strchr("() \\\t\v\f\r\n\"", *open))
        open++;
    if (open == end || *open != '(')
        return 0;
    size_t delimiter = (size_t)(open - begin);
    for (const char *c = open + 1; (size_t)(end - c) >= delimiter + 2; c++)
        if (*c == ')' && memcmp(c + 1, begin, delimiter) == 0 && c[delimiter + 1] == '"')
            return (size_t)(c - code) + delimiter + 2;
    return f->code_length;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Appends the white space between the previous token and the one at `begin`. */
static void separate(struct folding *f, size_t begin)
{
    struct text *out = f->out;
    if (f->keep.lines)
        for (; f->last_origin < f->origin[begin]; f->last_origin++)
            if (f->code[f->last_origin] == '\n')
                text_append(out, f->directive ? "\\\n" : "\n");
    if (out->length == 0 || out->bytes[out->length - 1] == '\n')
        return;
    bool touches = !f->spaced;
    bool parameters = f->defines && f->define_tokens == 1 && f->text[begin] == '(' && touches;
    if (!parameters && !(f->keep.spaces && touches))
        text_append(out, " ");
}

static void put(struct folding *f, size_t begin, size_t end)
{
    separate(f, begin);
    text_append_bytes(f->out, f->text + begin, end - begin);
    f->last_origin = f->origin[end - 1] + 1;
    f->define_tokens += f->defines;
    f->spaced = f->begins_line = false;
    f->at = end;
}

static void end_directive(struct folding *f)
{
    if (f->directive)
        text_append(f->out, "\n");
    f->directive = NO_DIRECTIVE;
    f->defines = f->header_next = f->has_include = false;
    f->define_tokens = 0;
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* Appends "folder/file" without the folder, and <file> unchanged. */
static void take_header(struct folding *f, size_t end)
{
    size_t begin = f->at;
    if (f->includes)
        vec_push(f->includes, xstrndup(f->text + begin + 1, end - begin - 2));
    put(f, begin, begin + 1);
    size_t name = f->at;
    for (size_t i = name; f->text[begin] == '"' && i + 1 < end; i++)
        if (f->text[i] == '/')
            name = i + 1;
    text_append_bytes(f->out, f->text + name, end - name);
    f->last_origin = f->origin[end - 1] + 1;
    f->at = end;
    f->header_next = f->has_include = false;
}

/* Appends a raw string with its prefix, and the bytes between its quotes unchanged. */
static void take_raw(struct folding *f, size_t begin, size_t quote, size_t raw_end)
{
    put(f, begin, quote);
    size_t from = f->origin[quote];
    text_append_bytes(f->out, f->code + from, raw_end - from);
    f->last_origin = raw_end;
    while (f->at < f->length && f->origin[f->at] < raw_end)
        f->at++;
    size_t suffix = end_of_word(f, f->at);
    text_append_bytes(f->out, f->text + f->at, suffix - f->at);
    f->at = suffix;
}

/*
 * Notes what the word between `begin` and `end` means for the rest: it may be the keyword of a
 * directive, or make line numbers observable.
 */
static void note_word(struct folding *f, size_t begin, size_t end)
{
    static const char *const including[] = {"include", "include_next", "import", NULL};
    static const char *const asking[] = {"__has_include", "__has_include_next", NULL};
    static const char *const showing_lines[] = {"__LINE__", "__builtin_LINE", "assert",
                                                "source_location", NULL};
    if (text_is_any(f, begin, end, showing_lines))
        f->seen.lines = true;
    f->has_include = f->directive && text_is_any(f, begin, end, asking);
    if (f->directive != HASH)
        return;
    f->directive = KEYWORD;
    f->header_next = text_is_any(f, begin, end, including);
    f->defines = text_is(f, begin, end, "define");
    f->define_tokens = 0;
}

static void take_word(struct folding *f)
{
    static const char *const raw[] = {"R", "LR", "uR", "UR", "u8R", NULL};
    static const char *const prefixes[] = {"L", "u", "U", "u8", NULL};
    size_t begin = f->at, end = end_of_word(f, begin);
    char next = f->text[end];
    size_t raw_end = next == '"' && text_is_any(f, begin, end, raw) ? end_of_raw(f, end) : 0;
    if (raw_end) {
        take_raw(f, begin, end, raw_end);
    } else if ((next == '"' || next == '\'') && text_is_any(f, begin, end, prefixes)) {
        put(f, begin, end_of_literal(f, end));
    } else {
        put(f, begin, end);
        note_word(f, begin, end);
    }
}

/*
 * Appends an operator. This includes the # at the beginning of a directive, and the # that turns a
 * macro's parameter into a string.
 */
static void take_operator(struct folding *f)
{
    size_t begin = f->at, end = end_of_operator(f, begin);
    bool hash = text_is(f, begin, end, "#") || text_is(f, begin, end, "%:");
    bool begins = hash && f->begins_line;
    if (begins && f->out->length > 0 && f->out->bytes[f->out->length - 1] != '\n')
        text_append(f->out, "\n");
    f->seen.spaces = f->seen.spaces || (hash && f->defines);
    bool asks = f->has_include && f->text[begin] == '(';
    put(f, begin, end);
    if (begins)
        f->directive = HASH;
    f->header_next = f->header_next || asks;
    f->has_include = false;
}

static void take_token(struct folding *f)
{
    const char *t = f->text + f->at;
    size_t header_end = f->header_next ? end_of_header(f, f->at) : f->at;
    if (header_end > f->at)
        take_header(f, header_end);
    else if (isdigit((unsigned char)*t) || (*t == '.' && isdigit((unsigned char)t[1])))
        put(f, f->at, end_of_number(f, f->at));
    else if (is_word(t))
        take_word(f);
    else if (*t == '"' || *t == '\'')
        put(f, f->at, end_of_literal(f, f->at));
    else
        take_operator(f);
}

static bool is_lone_return(const char *t)
{
    return *t == '\r' && t[1] != '\n';
}

/* Skips white space or a comment. Returns false if there is a token instead. */
static bool skip_space(struct folding *f)
{
    const char *t = f->text + f->at;
    if (*t == '\n') {
        end_directive(f);
        f->begins_line = true;
        f->at++;
    } else if (*t == ' ' || *t == '\t' || *t == '\v' || *t == '\f' ||
               (*t == '\r' && !is_lone_return(t))) {
        f->at++;
    } else if (t[0] == '/' && t[1] == '/') {
        while (f->at < f->length && f->text[f->at] != '\n' && !is_lone_return(f->text + f->at))
            f->at++;
    } else if (t[0] == '/' && t[1] == '*') {
        f->at += 2;
        while (f->at < f->length && !(f->text[f->at] == '*' && f->text[f->at + 1] == '/'))
            f->at++;
        f->at = f->at + 2 < f->length ? f->at + 2 : f->length;
    } else {
        return false;
    }
    f->spaced = true;
    return true;
}

static struct shown fold(const char *code, size_t length, struct shown keep, struct text *out,
                         code_includes *includes)
{
    struct folding f = {.code = code,
                        .code_length = length,
                        .keep = keep,
                        .out = out,
                        .includes = includes,
                        .spaced = true,
                        .begins_line = true};
    join_lines(&f);
    while (f.at < f.length)
        if (!skip_space(&f))
            take_token(&f);
    end_directive(&f);
    free(f.text);
    free(f.origin);
    return f.seen;
}

void code_fold(const char *code, size_t length, struct text *out, code_includes *includes)
{
    struct text folded = {0};
    struct shown shown = fold(code, length, (struct shown){0}, &folded, includes);
    if (shown.spaces || shown.lines) {
        text_free(&folded);
        (void)fold(code, length, shown, &folded, NULL);
    }
    text_append_bytes(out, folded.bytes, folded.length);
    text_free(&folded);
}

void code_includes_free(code_includes *includes)
{
    for (size_t i = 0; i < includes->count; i++)
        free(includes->items[i]);
    vec_free(includes);
}
