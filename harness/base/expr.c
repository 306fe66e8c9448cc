/*
 * Parses expressions by recursive descent into a flat array of nodes, which evaluation walks. See
 * expr.h for the language.
 *
 * Two limits keep hostile input harmless: MAX_DEPTH for the parser's recursion, and MAX_NODES for
 * the recursion of evaluation. (The tree of a chain a+b+c+… is as deep as the chain is long.)
 */
#include "base/expr.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/caret.h"
#include "base/expr_node.h"
#include "base/memory.h"
#include "base/notation.h"
#include "base/text.h"

enum {
    MAX_DEPTH = 64,
    MAX_NODES = 2000,
    FIRST_NODES = 16, /* enough for most expressions */
};

static const struct {
    const char *name;
    enum symbol symbol;
    int min, max; /* how many arguments; max is 0 if there is no limit */
} calls[] = {
    {"min", CALL_MIN, 1, 0},
    {"max", CALL_MAX, 1, 0},
    {"ceil_div", CALL_CEIL_DIV, 2, 2},
    {"log2", CALL_LOG2, 1, 1},
    {"power_of_two", CALL_POWER_OF_TWO, 1, 1},
    {"if", CALL_IF, 3, 3},
};
enum { CALL_COUNT = sizeof calls / sizeof calls[0] };

struct parser {
    struct expr *x;
    struct error *e;
    size_t at; /* offset of the text after the current token */
    enum symbol token;
    size_t token_at, token_length;
    double number;
    char *pool_end;
    int depth;
};

/* Fails with an error that points at the current token. */
#define fail_token(p, ...) fail_at(p, (p)->token_at, __VA_ARGS__)
#define fail_at(p, at, ...) FAIL_AT((p)->e, ERROR_CONFIG, (p)->x->source, at, __VA_ARGS__)

/* ---- Tokens ---------------------------------------------------------------------------------- */

static bool name_starts(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/*
 * Returns the length of the name at `s`. A dot belongs to the name if a character of a name follows
 * it, as in gpu__time_duration.sum.
 */
static size_t name_length(const char *s)
{
    size_t length = 0;
    while (name_starts(s[length]) || digit(s[length]) ||
           (s[length] == '.' && name_starts(s[length + 1])))
        length++;
    return length;
}

/* Fails because the `length` bytes at `s` begin like a number but are not one. */
static bool fail_number(struct parser *p, const char *s, size_t length)
{
    char *word = xstrndup(s, strspn(s, "0123456789_")), *digits = notation_digits(word);
    if (digits)
        fail_token(p, "'%s' is not a number; did you mean %s?", word, digits);
    else
        fail_token(p, "'%.*s' is not a number; put a word that begins with a digit in quotes",
                   (int)length, s);
    free(word);
    free(digits);
    return false;
}

static bool read_literal(struct parser *p, const char *s)
{
    size_t i = 0;
    while (digit(s[i]))
        i++;
    if (s[i] == '.') {
        i++;
        while (digit(s[i]))
            i++;
    }
    if (s[i] == 'e' || s[i] == 'E') {
        size_t sign = s[i + 1] == '+' || s[i + 1] == '-';
        if (digit(s[i + 1 + sign])) {
            i += 1 + sign;
            while (digit(s[i]))
                i++;
        }
    }
    p->token = NUMBER;
    p->token_length = i;
    if (name_starts(s[i]) || s[i] == '.')
        return fail_number(p, s, i + 1);
    char *end; /* strtod() would also accept 0x10, but the scan above ended before the x */
    p->number = strtod(s, &end);
    if (!isfinite(p->number))
        return fail_token(p, "this number is too large; the largest is about 1.8e308");
    return true;
}

static bool read_quoted(struct parser *p, const char *s)
{
    const char *end = strchr(s + 1, s[0]);
    if (!end)
        return fail_token(p, "the quote %c is never closed", s[0]);
    p->token = TEXT;
    p->token_length = (size_t)(end - s) + 1;
    return true;
}

static bool read_name(struct parser *p, const char *s)
{
    static const struct {
        const char *word;
        enum symbol symbol;
    } keywords[] = {{"and", AND}, {"or", OR}, {"not", NOT}};
    p->token = NAME;
    p->token_length = name_length(s);
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strlen(keywords[i].word) == p->token_length &&
            strncmp(keywords[i].word, s, p->token_length) == 0)
            p->token = keywords[i].symbol;
    return true;
}

static bool read_operator(struct parser *p, const char *s)
{
    static const struct {
        const char *spelling;
        enum symbol symbol;
    } operators[] = {
        /* Of operators that begin with the same character, the longer ones come first. */
        {"&&", AND},           {"||", OR},   {"==", EQUAL}, {"!=", UNEQUAL}, {"<=", LESS_EQUAL},
        {">=", GREATER_EQUAL}, {"=", EQUAL}, {"!", NOT},    {"<", LESS},     {">", GREATER},
        {"+", PLUS},           {"-", MINUS}, {"*", TIMES},  {"/", DIVIDE},   {"%", REMAINDER},
        {"^", POWER},          {"(", OPEN},  {")", CLOSE},  {",", COMMA},
    };
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t length = strlen(operators[i].spelling);
        if (strncmp(operators[i].spelling, s, length) == 0) {
            p->token = operators[i].symbol;
            p->token_length = length;
            return true;
        }
    }
    int length = 1;
    /* skips the other bytes of a UTF-8 character */
    while (((unsigned char)s[length] & 0xc0) == 0x80)
        length++;
    if (iscntrl((unsigned char)s[0]))
        return fail_token(p, "the byte 0x%02x is not allowed in an expression",
                          (unsigned char)s[0]);
    return fail_token(p, "the character '%.*s' is not allowed in an expression", length, s);
}

/* Reads the next token, which becomes the current one. */
static bool advance(struct parser *p)
{
    const char *source = p->x->source;
    while (source[p->at] == ' ' || (source[p->at] >= '\t' && source[p->at] <= '\r'))
        p->at++;
    const char *s = source + p->at;
    p->token_at = p->at;
    bool ok = true;
    if (*s == '\0') {
        p->token = END;
        p->token_length = 0;
    } else if (digit(*s) || (*s == '.' && digit(s[1]))) {
        ok = read_literal(p, s);
    } else if (*s == '"' || *s == '\'') {
        ok = read_quoted(p, s);
    } else if (name_starts(*s)) {
        ok = read_name(p, s);
    } else {
        ok = read_operator(p, s);
    }
    p->at += p->token_length;
    return ok;
}

/* ---- Parsing --------------------------------------------------------------------------------- */

/*
 * When a parse function returns, the current token is the one after what it has parsed. `out`
 * receives the index of the node that represents what was parsed.
 */
static bool parse_or(struct parser *p, int *out);
static bool parse_unary(struct parser *p, int *out);

static bool enter(struct parser *p)
{
    if (++p->depth > MAX_DEPTH)
        return fail_token(
            p, "the expression is nested more than %d levels deep; write it with fewer brackets",
            MAX_DEPTH);
    return true;
}

static bool add_node(struct parser *p, enum symbol symbol, size_t column, int *out)
{
    struct expr *x = p->x;
    if (x->count == MAX_NODES)
        return fail_at(p, column, "the expression has more than %d parts; shorten it", MAX_NODES);
    if (x->count == x->capacity) {
        int capacity = x->capacity ? 2 * x->capacity : FIRST_NODES;
        x->nodes = xrealloc(x->nodes, (size_t)capacity * sizeof *x->nodes);
        x->capacity = capacity;
    }
    x->nodes[x->count] = (struct node){.symbol = symbol, .column = column};
    *out = x->count++;
    return true;
}

static bool add_binary(struct parser *p, enum symbol symbol, size_t column, int left, int right,
                       int *out)
{
    if (!add_node(p, symbol, column, out))
        return false;
    p->x->nodes[*out].operands[0] = left;
    p->x->nodes[*out].operands[1] = right;
    return true;
}

/*
 * Adds a NAME or TEXT node, whose text is the `length` bytes at `at` in the source. They are copied
 * to the pool, which has room for every token and its NUL.
 */
static bool add_named(struct parser *p, enum symbol symbol, size_t at, size_t length, int *out)
{
    if (!add_node(p, symbol, p->token_at, out))
        return false;
    memcpy(p->pool_end, p->x->source + at, length);
    p->pool_end[length] = '\0';
    p->x->nodes[*out].name = p->pool_end;
    p->pool_end += length + 1;
    return true;
}

static bool unexpected(struct parser *p, const char *wanted)
{
    const char *source = p->x->source;
    if (p->token == END)
        return fail_token(p, "the expression ends too early; continue it with %s", wanted);
    int length = p->token_length > 60 ? 60 : (int)p->token_length;
    return fail_token(p, "'%.*s' is not allowed here; write %s instead", length,
                      source + p->token_at, wanted);
}

static bool expect(struct parser *p, enum symbol token, const char *wanted)
{
    return p->token == token ? advance(p) : unexpected(p, wanted);
}

static bool unknown_function(struct parser *p, size_t at, const char *name)
{
    const char *names[CALL_COUNT];
    for (int i = 0; i < CALL_COUNT; i++)
        names[i] = calls[i].name;
    char suggestion[SUGGESTION_SIZE];
    return fail_at(p, at,
                   "unknown function '%.60s'; use min, max, ceil_div, log2, power_of_two or if%s",
                   name, text_suggestion(name, names, CALL_COUNT, suggestion));
}

/*
 * Parses a call. Its name has already been parsed as the node `name`, and the current token is "(".
 * If min or max has more than two arguments, the call becomes a chain of calls with two arguments.
 */
static bool parse_call(struct parser *p, int name, int *out)
{
    size_t at = p->x->nodes[name].column;
    int which = 0;
    while (which < CALL_COUNT && strcmp(calls[which].name, p->x->nodes[name].name) != 0)
        which++;
    if (which == CALL_COUNT)
        return unknown_function(p, at, p->x->nodes[name].name);
    /* The node of the name is not needed any more. As an END, it is never looked up. */
    p->x->nodes[name].symbol = END;
    enum symbol symbol = calls[which].symbol;
    bool folds = calls[which].max == 0;
    int arguments[3] = {0}, count = 0;
    do {
        int argument;
        if (!advance(p) || !parse_or(p, &argument))
            return false;
        if (folds && count > 0) {
            if (!add_binary(p, symbol, at, arguments[0], argument, &arguments[0]))
                return false;
        } else if (count < 3) {
            arguments[count] = argument;
        }
        count++;
    } while (p->token == COMMA);
    if (count < calls[which].min || (!folds && count > calls[which].max))
        return fail_at(p, at, "%s() takes %d argument%s, not %d", calls[which].name,
                       calls[which].min, calls[which].min == 1 ? "" : "s", count);
    if (!expect(p, CLOSE, "')' or ','"))
        return false;
    if (folds) {
        *out = arguments[0];
        return true;
    }
    if (!add_node(p, symbol, at, out))
        return false;
    memcpy(p->x->nodes[*out].operands, arguments, sizeof arguments);
    return true;
}

static bool parse_atom(struct parser *p, int *out)
{
    switch (p->token) {
    case NUMBER:
        if (!add_node(p, NUMBER, p->token_at, out))
            return false;
        p->x->nodes[*out].number = p->number;
        return advance(p);
    case NAME:
        if (!add_named(p, NAME, p->token_at, p->token_length, out) || !advance(p))
            return false;
        if (p->token != OPEN)
            return true;
        return parse_call(p, *out, out);
    case OPEN:
        return advance(p) && parse_or(p, out) && expect(p, CLOSE, "')'");
    case TEXT:
        return fail_token(p, "quoted text is allowed only on the right-hand side of a comparison, "
                             "such as kernel = \"smem_*\"");
    default:
        return unexpected(p, "a number, a name or '('");
    }
}

static bool parse_power(struct parser *p, int *out)
{
    if (!parse_atom(p, out))
        return false;
    if (p->token != POWER)
        return true;
    size_t at = p->token_at;
    int left = *out, right;
    bool ok = enter(p) && advance(p) && parse_unary(p, &right) &&
              add_binary(p, POWER, at, left, right, out);
    p->depth--;
    return ok;
}

/* The power is evaluated before the minus: -2^2 is -4, as in mathematics. */
static bool parse_unary(struct parser *p, int *out)
{
    if (p->token != MINUS)
        return parse_power(p, out);
    size_t at = p->token_at;
    int operand;
    bool ok = enter(p) && advance(p) && parse_unary(p, &operand) &&
              add_binary(p, NEGATE, at, operand, operand, out);
    p->depth--;
    return ok;
}

/*
 * Parses a chain of operators (`first` to `last`), which have equal precedence, from left to right.
 */
static bool parse_chain(struct parser *p, enum symbol first, enum symbol last,
                        bool (*operand)(struct parser *, int *), int *out)
{
    if (!operand(p, out))
        return false;
    while (p->token >= first && p->token <= last) {
        enum symbol symbol = p->token;
        size_t at = p->token_at;
        int left = *out, right;
        if (!advance(p) || !operand(p, &right) || !add_binary(p, symbol, at, left, right, out))
            return false;
    }
    return true;
}

static bool parse_product(struct parser *p, int *out)
{
    return parse_chain(p, TIMES, REMAINDER, parse_unary, out);
}

static bool parse_sum(struct parser *p, int *out)
{
    return parse_chain(p, PLUS, MINUS, parse_product, out);
}

static bool is_comparison(enum symbol token)
{
    return token >= EQUAL && token <= GREATER_EQUAL;
}

static bool parse_comparison(struct parser *p, int *out)
{
    if (!parse_sum(p, out))
        return false;
    if (!is_comparison(p->token))
        return true;
    enum symbol symbol = p->token;
    size_t at = p->token_at;
    int left = *out, right;
    bool left_name = p->x->nodes[left].symbol == NAME;
    if (!advance(p))
        return false;
    if (p->token == TEXT) {
        if (!left_name)
            return fail_token(p, "only a name can be compared with quoted text; write the name on "
                                 "the left-hand side");
        if (!add_named(p, TEXT, p->token_at + 1, p->token_length - 2, &right) || !advance(p))
            return false;
    } else if (!parse_sum(p, &right)) {
        return false;
    }
    struct node *r = &p->x->nodes[right];
    r->word = r->symbol == NAME && left_name && (symbol == EQUAL || symbol == UNEQUAL);
    if (is_comparison(p->token))
        return fail_token(p, "comparisons cannot be chained; write a < b and b < c");
    return add_binary(p, symbol, at, left, right, out);
}

static bool parse_not(struct parser *p, int *out)
{
    if (p->token != NOT)
        return parse_comparison(p, out);
    size_t at = p->token_at;
    int operand;
    bool ok = enter(p) && advance(p) && parse_not(p, &operand) &&
              add_binary(p, NOT, at, operand, operand, out);
    p->depth--;
    return ok;
}

static bool parse_and(struct parser *p, int *out)
{
    return parse_chain(p, AND, AND, parse_not, out);
}

static bool parse_or(struct parser *p, int *out)
{
    if (!enter(p))
        return false;
    bool ok = parse_chain(p, OR, OR, parse_and, out);
    p->depth--;
    return ok;
}

bool expr_parse(const char *source, struct expr **out, struct error *e)
{
    size_t length = strlen(source);
    struct expr *x = xcalloc(1, sizeof *x);
    x->source = xstrdup(source);
    x->pool = xmalloc(2 * length + 2);
    struct parser p = {.x = x, .e = e, .pool_end = x->pool};
    bool ok = advance(&p) && parse_or(&p, &x->root) &&
              (p.token == END || unexpected(&p, "an operator or the end"));
    if (!ok) {
        expr_free(x);
        return false;
    }
    *out = x;
    return true;
}

void expr_free(struct expr *x)
{
    if (!x)
        return;
    free(x->source);
    free(x->pool);
    free(x->nodes);
    free(x);
}

const char *expr_source(const struct expr *x)
{
    return x->source;
}

void expr_names(const struct expr *x, void (*visit)(void *context, const char *name), void *context)
{
    for (int i = 0; i < x->count; i++) {
        const struct node *n = &x->nodes[i];
        bool visited = n->symbol != NAME || n->word;
        for (int j = 0; j < i && !visited; j++)
            visited = x->nodes[j].symbol == NAME && !x->nodes[j].word &&
                      strcmp(x->nodes[j].name, n->name) == 0;
        if (!visited)
            visit(context, n->name);
    }
}
