/*
 * Finds the signatures of kernels. The text is a device part (device_part.h), in which all brackets
 * match. Ignores text that it does not recognize; `redsweep import` then reports that there is no
 * such kernel.
 */
#include "spec/signature.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the text with directives, comments and literals blanked out. Positions stay the same, and
 * all remaining brackets are code. */
static char *without_literals(const char *text)
{
    char *copy = xstrdup(text);
    bool begins = true; /* nothing but white space so far on this line */
    for (char *p = copy; *p; p++) {
        bool directive = begins && *p == '#';
        begins = *p == '\n' || (begins && (*p == ' ' || *p == '\t'));
        if (directive) {
            for (bool continued = false; *p && (*p != '\n' || continued); p++) {
                continued = *p == '\\' || (continued && *p == '\r');
                *p = *p == '\n' ? '\n' : ' ';
            }
            begins = true;
        } else if (p[0] == '/' && p[1] == '/') {
            while (*p && *p != '\n')
                *p++ = ' ';
            begins = true;
        } else if (p[0] == '/' && p[1] == '*') {
            char *end = strstr(p + 2, "*/");
            end = end ? end + 2 : p + strlen(p);
            for (; p < end; p++)
                *p = *p == '\n' ? '\n' : ' ';
            p--;
        } else if (*p == '"' || (*p == '\'' && (p == copy || !isdigit((unsigned char)p[-1])))) {
            char quote = *p;
            for (p++; *p && *p != quote && *p != '\n'; p++) {
                if (*p == '\\' && p[1])
                    *p++ = ' ';
                *p = ' ';
            }
        }
        if (!*p)
            break;
    }
    return copy;
}

/*
 * Returns the position after the bracket that matches the bracket at `p`. `open` and `close` are
 * the two brackets of this kind.
 */
static const char *behind(const char *p, char open, char close)
{
    int depth = 0;
    for (; *p; p++) {
        depth += (*p == open) - (*p == close);
        if (depth == 0)
            return p + 1;
    }
    return p;
}

static bool is_qualifier(const char *word, size_t length)
{
    static const char *const words[] = {"const",    "volatile", "__restrict__",     "__restrict",
                                        "restrict", "struct",   "__grid_constant__"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && strncmp(word, words[i], length) == 0)
            return true;
    return false;
}

/* Reads one parameter, which is the text between two commas. */
static struct signature_parameter read_parameter(const char *begin, const char *end)
{
    struct signature_parameter p = {0};
    VEC(char *) words = {0};
    bool pointer_seen = false;
    for (const char *q = begin; q < end;) {
        if (*q == '=') {
            p.has_default = true;
            break;
        }
        if (*q == '*' || *q == '[') {
            p.pointers++;
            pointer_seen = true;
        }
        size_t length = 0;
        while (q + length < end && (is_word(q[length]) || q[length] == ':'))
            length++;
        if (length == 5 && strncmp(q, "const", 5) == 0 && !pointer_seen)
            p.constant = true;
        if (length && !is_qualifier(q, length))
            vec_push(&words, xstrndup(q, length));
        q += length ? length : 1;
    }
    size_t named = words.count > 1 ? words.count - 1 : words.count;
    char *type = xstrdup("");
    for (size_t i = 0; i < named; i++) {
        char *longer = xasprintf("%s%s%s", type, *type ? " " : "", words.items[i]);
        free(type);
        type = longer;
    }
    p.type = type;
    p.name = xstrdup(words.count > 1 ? words.items[named] : "");
    for (size_t i = 0; i < words.count; i++)
        free(words.items[i]);
    vec_free(&words);
    return p;
}

/* Reads the parameters between two brackets. Commas at depth 0 separate them. */
static void read_parameters(const char *begin, const char *end, signature_parameters *out)
{
    int depth = 0;
    const char *from = begin;
    for (const char *p = begin; p <= end; p++) {
        bool last = p == end;
        if (!last)
            depth += (*p == '(' || *p == '<' || *p == '{') - (*p == ')' || *p == '>' || *p == '}');
        if (!last && (*p != ',' || depth != 0))
            continue;
        struct signature_parameter parameter = read_parameter(from, p);
        if (*parameter.type && (strcmp(parameter.type, "void") != 0 || parameter.pointers)) {
            vec_push(out, parameter);
        } else {
            free(parameter.type);
            free(parameter.name);
        }
        from = p + 1;
    }
}

/* Returns the beginning of the declaration that contains this position. */
static const char *declaration_begin(const char *text, const char *p)
{
    while (p > text && p[-1] != ';' && p[-1] != '}' && p[-1] != '{')
        p--;
    return p;
}

/* Finds the function's name after __global__. Returns the position of the bracket that opens the
 * parameters, or NULL if there is none. */
static const char *find_name(const char *p, const char **name, size_t *length)
{
    /* The name does not begin before this position, which is after all attributes in brackets. */
    const char *from = p;
    for (;;) {
        p += strcspn(p, "({;");
        if (*p != '(')
            return NULL;
        const char *end = p;
        while (end > from && strchr(" \t\r\n", end[-1]))
            end--;
        const char *begin = end;
        while (begin > from && is_word(begin[-1]))
            begin--;
        if (begin == end)
            return NULL;
        *name = begin;
        *length = (size_t)(end - begin);
        if (strncmp(begin, "__", 2) != 0)
            return p;
        from = p = behind(p, '(', ')'); /* skips an attribute such as __launch_bounds__(…) */
    }
}

void signatures_read(const char *text, signature_list *out)
{
    static const char keyword[] = "__global__";
    char *code = without_literals(text);
    memset(out, 0, sizeof *out);
    for (const char *p = strstr(code, keyword); p; p = strstr(p + 1, keyword)) {
        const char *name, *begin = declaration_begin(code, p);
        size_t length;
        const char *open = find_name(p + sizeof keyword - 1, &name, &length);
        if (!open)
            continue;
        const char *close = behind(open, '(', ')');
        const char *body = close + strspn(close, " \t\r\n");
        if (*body != '{')
            continue;
        struct kernel_signature s = {.name = xstrndup(name, length)};
        begin += strspn(begin, " \t\r\n");
        s.begin = (size_t)(begin - code);
        s.end = (size_t)(behind(body, '{', '}') - code);
        if (strncmp(begin, "template", 8) == 0) {
            const char *less = begin + strcspn(begin, "<");
            read_parameters(less + 1, behind(less, '<', '>') - 1, &s.template_parameters);
        }
        read_parameters(open + 1, close - 1, &s.parameters);
        vec_push(out, s);
    }
    free(code);
}

static void free_parameters(struct signature_parameter *p, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(p[i].type);
        free(p[i].name);
    }
}

void signatures_free(signature_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct kernel_signature *s = &list->items[i];
        free(s->name);
        free_parameters(s->template_parameters.items, s->template_parameters.count);
        free_parameters(s->parameters.items, s->parameters.count);
        vec_free(&s->template_parameters);
        vec_free(&s->parameters);
    }
    vec_free(list);
}
