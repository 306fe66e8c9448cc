/* Writes the library's header PREFIX_tuned.h, for C and C++. */
#include "tuned/writing.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

bool tuned_prefix_valid(const char *prefix)
{
    size_t length = strspn(prefix, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return islower((unsigned char)prefix[0]) && prefix[length] == '\0' &&
           length <= TUNED_PREFIX_MOST;
}

void append_prefixed(struct text *out, const char *prefix, const char *text)
{
    for (; *text; text++)
        if (*text == '@')
            text_append(out, "%s", prefix);
        else if (*text == '$')
            for (const char *p = prefix; *p; p++)
                text_append(out, "%c", toupper((unsigned char)*p));
        else
            text_append(out, "%c", *text);
}

static bool has_signature(const struct signature *list, size_t count, const struct signature *s)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].type == s->type && list[i].op == s->op && list[i].over == s->over &&
            list[i].exact == s->exact)
            return true;
    return false;
}

struct signature *tuned_signatures(const struct tuned *targets, size_t count, size_t *out)
{
    struct signature *list = NULL;
    *out = 0;
    for (enum tuned_over over = 0; over < OVERS; over++)
        for (size_t t = 0; t < count; t++)
            for (size_t i = 0; i < targets[t].function_count; i++) {
                const struct tuned_function *f = &targets[t].functions[i];
                const struct signature s = {f->type, f->op, over, f->exact};
                bool as_a_row = over == OVER_ARRAYS && f->over == OVER_ROWS;
                if ((f->over == over || as_a_row) && !has_signature(list, *out, &s))
                    array_push(list, *out, s);
            }
    return list;
}

const struct tuned_function *tuned_serves(const struct tuned *t, const struct signature *s)
{
    const struct tuned_function *as_a_row = NULL;
    for (size_t i = 0; i < t->function_count; i++) {
        const struct tuned_function *f = &t->functions[i];
        if (f->type != s->type || f->op != s->op || f->exact != s->exact)
            continue;
        if (f->over == s->over)
            return f;
        as_a_row = f->over == OVER_ROWS ? f : as_a_row;
    }
    return s->over == OVER_ARRAYS ? as_a_row : NULL;
}

void append_name(struct text *out, const struct signature *s)
{
    text_append(out, "%s%s_%s%s", tuned_over_name(s->over), operation_name(s->op),
                element_suffix(s->type), s->exact ? "_exact" : "");
}

/* Returns the C type of the values in an output element. */
static const char *result_c_type(const struct signature *s)
{
    return operation_accumulator(s->op) == ACCUMULATES_INDEXED
               ? "int64_t"
               : element_c_type(element_value_type(s->type));
}

void append_declaration(struct text *out, const char *prefix, const struct signature *s)
{
    static const char *const shape[OVERS] = {"size_t n", "size_t rows, size_t row_length",
                                             "size_t outer, size_t length, size_t inner"};
    const char *type = element_c_type(s->type);
    text_append(out, "%s_status %s_", prefix, prefix);
    append_name(out, s);
    text_append(out, "(const %s *input, ", type);
    if (operation_inputs(s->op) == 2)
        text_append(out, "const %s *second, ", type);
    text_append(out, "%s, %s *output,\n    cudaStream_t stream)", shape[s->over], result_c_type(s));
}

/* Appends a string from a run to a comment in the header, changed so that it stays on its line and
 * does not end the comment. */
static void append_in_comment(struct text *out, const char *text)
{
    struct text line = {0};
    text_append_line(&line, text, strlen(text));
    for (const char *at = text_shown(&line); *at; at++) {
        text_append_bytes(out, at, 1);
        if (at[0] == '*' && at[1] == '/')
            text_append_bytes(out, " ", 1);
    }
    text_free(&line);
}

void append_heading(struct text *out, const struct tuned *targets, size_t count, const char *what)
{
    text_append(out, "/*\n * %s\n *\n * Written by `redsweep tuned`; do not edit. Measured by\n",
                what);
    for (size_t i = 0; i < count; i++) {
        const struct tuned *t = &targets[i];
        const char *const words[] = {" * the run ", t->run, " of ", t->started, " on ", t->device};
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            append_in_comment(out, words[k]);
        text_append(out, " (compute capability %d.%d)\n", t->cc / 10, t->cc % 10);
    }
    text_append(out, " */\n");
}

static const char opening[] =
    "#ifndef $_TUNED_H\n#define $_TUNED_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
    "#include <cuda_runtime_api.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    "typedef enum @_status {\n"
    "    $_SUCCESS = 0,\n"
    "    $_ERROR_POINTER = 1,   /* a required pointer is NULL */\n"
    "    $_ERROR_ALIGNMENT = 2, /* a pointer is not a multiple of its element's size */\n"
    "    $_ERROR_SIZE = 3,      /* more than 2^%d elements, or more than 2^31 - 1 results */\n"
    "    $_ERROR_DEVICE = 4,    /* the library was made for newer compute capabilities */\n"
    "    $_ERROR_SHAPE = 5,     /* no configuration runs at this shape and alignment */\n"
    "    $_ERROR_MEMORY = 6,    /* out of host memory */\n"
    "    $_ERROR_BUSY = 7,      /* @_release(): a graph still contains calls to this library */\n"
    "    $_ERROR_CUDA = 8       /* a CUDA call failed; @_cuda_error() returns its error */\n"
    "} @_status;\n\n"
    "/* Returns a text that explains the status. Never returns NULL. */\n"
    "const char *@_error_text(@_status status);\n\n"
    "/* Returns the CUDA error of this thread's last call that returned $_ERROR_CUDA. */\n"
    "cudaError_t @_cuda_error(void);\n\n"
    "/*\n"
    " * Waits for all queued calls, then frees the library's memory and code. Frees nothing and\n"
    " * returns $_ERROR_BUSY if a call was captured into a graph, and this graph or an executable\n"
    " * graph made from it still exists.\n"
    " */\n"
    "@_status @_release(void);\n\n"
    "/*\n"
    " * Each call queues a reduction and returns at once. It reduces n elements at `input` to\n"
    " * one result at `output`, or each of `rows` rows of `row_length` elements to one result\n"
    " * per row, or an array (outer, length, inner) along its middle dimension to outer * inner\n"
    " * results. Arrays are row-major and have no gaps. All pointers are to memory that the\n"
    " * device can access. The input may begin at any element.\n"
    " *\n"
    " * Type of the results: f16 and bf16 (whose bits are passed as uint16_t) give float, i8\n"
    " * gives int32_t, and u8 gives uint32_t. Other types give their own type; integers wrap on\n"
    " * overflow. argmax and argmin give the index of the first extreme, counted from the first\n"
    " * element of the array or row. mean_var gives two values: the mean and the sample variance\n"
    " * (which divides by n - 1). NaN propagates; argmax and argmin give the index of the first\n"
    " * NaN.\n"
    " *\n"
    " * Without elements, sum, sumsq, norm2 and dot give 0, prod gives 1, max gives the lowest\n"
    " * value of the type and min the highest (for floats, an infinity), argmax and argmin give\n"
    " * -1, logsumexp gives -infinity, and mean_var gives NaN twice (for one element, only its\n"
    " * variance is NaN). Without rows, nothing is done.\n"
    " *\n"
    " * Functions whose names end in _exact return the exact sum, rounded once (to nearest, ties\n"
    " * to even). Its bits are the same for any order of the elements, launch shape and GPU. If\n"
    " * the elements contain NaN or infinities of both signs, the result is NaN; if they contain\n"
    " * infinities of one sign, it is this infinity. A sum of 0 is +0, unless all elements are\n"
    " * -0.\n"
    " *\n"
    " * Several threads may make calls at the same time, on any streams. The first call in a\n"
    " * stream may allocate a little memory, which later calls in the stream reuse.\n"
    " *\n"
    " * A stream may be under capture into a graph. Each captured call gets its own memory,\n"
    " * which is allocated and zeroed during the capture and kept until the graph and all\n"
    " * executable graphs made from it are destroyed. The graph has one kernel node per call.\n"
    " * CUDA runs the launches of one executable graph one after another, so they can share this\n"
    " * memory. Two executable graphs made from one captured graph share it, too: never launch\n"
    " * one while the other is in flight; capture the calls twice instead.\n"
    " *\n";

static void append_capabilities(struct text *out, const struct tuned *targets, size_t count)
{
    text_append(out, " * Measured on compute capability");
    for (size_t i = 0; i < count; i++)
        text_append(out, "%s %d.%d", i ? "," : "", targets[i].cc / 10, targets[i].cc % 10);
    text_append(
        out, ". A GPU uses what was measured on the newest of these\n"
             " * capabilities that is not newer than its own. If their major versions differ, the\n"
             " * code is loaded as PTX.\n"
             " */\n");
}

/* Appends lists of all functions, for programs that use them all, such as tests and benchmarks. */
static void append_list(struct text *out, const char *prefix, const struct signature *list,
                        size_t count)
{
    append_prefixed(out, prefix,
                    "\n/*\n * X(name, function, name of type, name of operation, type of input, "
                    "type of output) for each\n * function, in one list for each form of "
                    "parameters.\n */\n");
    static const char *const names[2 * OVERS] = {"ARRAYS",    "PAIRS", "ROWS",
                                                 "ROW_PAIRS", "AXES",  "AXIS_PAIRS"};
    for (int form = 0; form < 2 * OVERS; form++) {
        append_prefixed(out, prefix, "#define $_TUNED_");
        text_append(out, "%s(X)", names[form]);
        for (size_t i = 0; i < count; i++) {
            const struct signature *s = &list[i];
            if (form != 2 * (int)s->over + (operation_inputs(s->op) == 2))
                continue;
            text_append(out, " \\\n    X(");
            append_name(out, s);
            text_append(out, ", %s_", prefix);
            append_name(out, s);
            text_append(out, ", %s, %s, %s, %s)", element_type_name(s->type), operation_name(s->op),
                        element_c_type(s->type), result_c_type(s));
        }
        text_append(out, "\n");
    }
}

void append_header(struct text *out, const struct tuned *targets, size_t count, const char *prefix)
{
    size_t functions;
    struct signature *list = tuned_signatures(targets, count, &functions);
    append_heading(out, targets, count, "The fastest reductions that were measured.");
    struct text formatted = {0};
    text_append(&formatted, opening, TUNED_MOST_LOG2);
    append_prefixed(out, prefix, formatted.bytes);
    text_free(&formatted);
    append_capabilities(out, targets, count);
    for (size_t i = 0; i < functions; i++) {
        append_declaration(out, prefix, &list[i]);
        text_append(out, ";\n");
    }
    append_list(out, prefix, list, functions);
    text_append(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    free(list);
}
