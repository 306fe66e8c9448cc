#include "answers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../base/toy_names.h"
#include "../base/toy_options.h"
#include "../plan/fixture.h"
#include "spec/config.h"
#include "spec/kernel.h"
#include "table/table.h"

/* ---- config.txt: the text of x.json ---------------------------------------------------------- */

static void config_answer(const char *input, size_t length, struct text *answer)
{
    (void)length;
    struct error e = {0};
    struct config *c = NULL;
    bool ok = config_parse("x.json", input, &c, &e);
    text_append(answer, "%s", ok ? "accepted" : e.text);
    assert_true(ok || e.kind == ERROR_CONFIG);
    config_free(c);
    assert_int_equal(config_parse("x.json", input, &c, NULL), ok); /* also without an error */
    config_free(ok ? c : NULL);
}

/* ---- facts.txt: lines of a kernel ------------------------------------------------------------ */

static const char *const right_facts[] = {
    "// kernel: demo",     "// idea: none",    "// source: a test",       "// result: partial",
    "// input: untouched", "// covers: BLOCK", "// blocks: power of two", "// uniform: yes",
};
enum { RIGHT_FACTS = sizeof right_facts / sizeof *right_facts };

static const char right_code[] =
    "extern \"C\" __global__ void demo(element *input, element *output, index_t n)\n{\n}\n";

/* If the input begins with this word, moves `input` past it and returns true. */
static bool begins(const char **input, size_t *length, const char *word)
{
    size_t skipped = strlen(word);
    if (strncmp(*input, word, skipped) != 0)
        return false;
    *input += skipped;
    *length -= skipped;
    return true;
}

/* Writes the kernel file that a case describes. After "file: ", the input is the whole file;
 * after "code: ", code that replaces the correct code; after "without: ", the key of a fact to
 * leave out; and after "instead: ", a fact that replaces the correct one. Any other input goes
 * below the eight lines of correct facts. */
static void make_kernel_file(const char *input, size_t length, struct text *file)
{
    if (begins(&input, &length, "file: ")) {
        text_append_bytes(file, input, length);
        return;
    }
    bool left_out = begins(&input, &length, "without: ");
    bool replaced = begins(&input, &length, "instead: "), other = begins(&input, &length, "code: ");
    size_t key = left_out ? length : strcspn(input, ":");
    for (int i = 0; i < RIGHT_FACTS; i++) {
        const char *fact = right_facts[i], *name = left_out ? fact + strlen("// ") : fact;
        if ((!left_out && !replaced) || strncmp(name, input, key) != 0 || name[key] != ':')
            text_append(file, "%s\n", fact);
        else if (replaced)
            text_append(file, "%s\n", input);
    }
    if (!left_out && !replaced) {
        text_append_bytes(file, input, length);
        text_append(file, "\n");
    }
    text_append(file, "%s", other ? "" : right_code);
}

static void facts_answer(const char *input, size_t length, struct text *answer)
{
    struct text file = {0};
    struct error e = {0};
    struct kernel *k = NULL;
    make_kernel_file(input, length, &file);
    bool ok = kernel_parse("demo.cu", text_shown(&file), file.length, &k, &e);
    text_append(answer, "%s", ok ? "accepted" : e.text);
    assert_true(ok || e.kind == ERROR_CONFIG);
    kernel_free(k);
    text_free(&file);
}

/* ---- expressions.txt ------------------------------------------------------------------------- */

static void expression_answer(const char *input, size_t length, struct text *answer)
{
    (void)length;
    struct error e = {0};
    struct expr *x = NULL;
    double value = 0;
    if (!expr_parse(input, &x, &e)) {
        /* The parser must also work without a struct for the error. */
        assert_false(expr_parse(input, &x, NULL));
        text_append(answer, "refused: %s", e.text);
    } else if (!expr_number(x, toy_name, NULL, &value, &e)) {
        text_append(answer, "no value: %s", e.text);
    } else if (isnan(value)) {
        text_append(answer, "missing");
    } else {
        text_append(answer, "%.17g", value);
    }
    expr_free(x);
}

/* ---- csv.txt: the text of t.csv -------------------------------------------------------------- */

static void csv_answer(const char *input, size_t length, struct text *answer)
{
    struct error e = {0};
    struct table t;
    char *bytes = malloc(length + 1); /* table_parse() takes ownership of the bytes. */
    assert_non_null(bytes);
    memcpy(bytes, input, length + 1);
    if (!table_parse("t.csv", bytes, length, NULL, NULL, &t, &e)) {
        text_append(answer, "%s", e.text);
        return;
    }
    text_append(answer, "accepted: %zu rows%s", t.row_count, t.torn ? ", the last one torn" : "");
    table_free(&t);
}

/* ---- options.txt: arguments for the table of tests/base/toy_options.h ------------------------ */

static void options_answer(const char *input, size_t length, struct text *answer)
{
    struct toy_arguments a = {0};
    struct error e = {0};
    struct operands none = {0};
    char *copy = strdup(input), *arguments[16];
    int count = 0;
    assert_non_null(copy);
    /* One argument per input line. */
    for (char *at = copy; at <= copy + length; at += strlen(at) + 1) {
        at[strcspn(at, "\n")] = '\0';
        assert_true(count < 16);
        arguments[count++] = at;
    }
    bool ok = options_read(toy_options, &a, count, arguments, &none, &e);
    text_append(answer, "%s", ok ? "accepted" : e.text);
    free(a.sizes);
    free(copy);
}

/* ---- commands.txt: a line for a shell -------------------------------------------------------- */

static char work[] = "/tmp/redsweep-texts-XXXXXX";

static void command_answer(const char *input, size_t length, struct text *answer)
{
    (void)length;
    struct text command = {0}, said = {0};
    char piece[4096];
    size_t got;
    assert_non_null(mkdtemp(work));
    text_append(&command, "exec 2>&1 </dev/null; work=%s; . tests/texts/commands.sh\n%s", work,
                input);
    FILE *output = popen(text_shown(&command), "r");
    assert_non_null(output);
    while ((got = fread(piece, 1, sizeof piece, output)) > 0)
        text_append_bytes(&said, piece, got);
    int status = pclose(output);
    char root[4096];
    struct text renamed = {0};
    assert_non_null(getcwd(root, sizeof root));
    text_append_renamed(&renamed, text_shown(&said), work, "$work");
    text_append_renamed(answer, text_shown(&renamed), root, "$root");
    text_free(&renamed);
    text_append(answer, "%sexit %d", said.length && said.bytes[said.length - 1] != '\n' ? "\n" : "",
                WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    char remove[64];
    snprintf(remove, sizeof remove, "rm -rf %s", work);
    assert_int_equal(system(remove), 0);
    memset(work + strlen(work) - 6, 'X', 6);
    text_free(&command);
    text_free(&said);
}

/* ---- skips.txt: facts of a kernel, and special values of the device or the point ---------- */

/* Reads a line that changes a limit of the device or a value of the point. The limits are named
 * as in struct device_limits. */
static bool set_limit(const char *line, struct device_limits *d, struct config *c)
{
    static uint64_t block[1], n[1];
    unsigned long long value;
    if (sscanf(line, "block %llu", &value) == 1)
        *block = value, c->axis_values[AXIS_block] = (struct config_values){block, 1};
    else if (sscanf(line, "n %llu", &value) == 1)
        *n = value, c->axis_values[AXIS_n] = (struct config_values){n, 1};
    else if (sscanf(line, "max_block %llu", &value) == 1)
        d->max_block = (int)value;
    else if (sscanf(line, "max_dynamic_smem %llu", &value) == 1)
        d->max_dynamic_smem = (int)value;
    else if (sscanf(line, "max_grid_x %llu", &value) == 1)
        d->max_grid_x = (int)value;
    else if (sscanf(line, "memory_mib %llu", &value) == 1)
        d->memory_bytes = value << 20;
    else if (sscanf(line, "sms %llu", &value) == 1)
        d->sms = (int)value;
    else
        return strcmp(line, "plain device") == 0 &&
               !(d->cooperative = d->cluster = d->device_runtime = false);
    return true;
}

static void skip_answer(const char *input, size_t length, struct text *answer)
{
    struct device_limits limits = h200;
    struct config config = small_config();
    struct text facts = {0};
    bool in_place = false;
    char *copy = strdup(input);
    assert_non_null(copy);
    for (char *at = copy; at < copy + length; at += strlen(at) + 1) {
        at[strcspn(at, "\n")] = '\0';
        if (strncmp(at, "//", 2) == 0)
            text_append(&facts, "%s\n", at);
        else if (strcmp(at, "in place") == 0)
            in_place = true;
        else if (!set_limit(at, &limits, &config))
            fail_msg("skips.txt: '%s' is no limit", at);
    }
    text_append(&facts, "%s", strstr(input, "// covers:") ? "" : ONE);
    struct catalogue c = make_catalogue(1, make_kernel("one", text_shown(&facts)));
    c.kernels[0]->in_place = in_place;
    struct plan *p = build(&config, &c, &limits);
    assert_int_equal(p->point_count, 1);
    assert_int_equal(p->points[0].variant == UINT32_MAX, p->points[0].skip != 0);
    text_append(answer, "%s", p->points[0].skip ? p->reasons[p->points[0].skip] : "is measured");
    plan_free(p);
    catalogue_free(&c);
    text_free(&facts);
    free(copy);
}

const struct answers answers[] = {
    {"config", config_answer, ANSWERS_OF_MISTAKES},
    {"facts", facts_answer, ANSWERS_OF_MISTAKES},
    {"expressions", expression_answer, ANSWERS_OF_MISTAKES},
    {"csv", csv_answer, ANSWERS_OF_MISTAKES},
    {"options", options_answer, ANSWERS_OF_MISTAKES},
    {"commands", command_answer, ANSWERS_OF_MISTAKES},
    {"plan", command_answer, ANSWERS_OF_MISTAKES},
    {"catalogue", command_answer, ANSWERS_OF_MISTAKES},
    {"devices", command_answer, ANSWERS_OF_MISTAKES},
    {"setup", command_answer, ANSWERS_OF_MISTAKES},
    {"runs", command_answer, ANSWERS_OF_MISTAKES},
    {"cli", command_answer, ANSWERS_OF_MISTAKES},
    {"charts", command_answer, ANSWERS_OF_CHARTS},
    {"drawn", command_answer, ANSWERS_OF_CHARTS},
    {"outputs", command_answer, ANSWERS_OF_RUNS},
    {"skips", skip_answer, ANSWERS_OF_MISTAKES},
    {0},
};
