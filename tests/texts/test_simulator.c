/*
 * Checks the simulator's messages about PTX that it refuses and about PTX that fails during
 * execution. The cases are in simulator.txt (see texts.c).
 */
#include "../devices/sim/fixture.h"
#include "answers.h"

#include "devices/sim/races/races.h"

#define VERSION ".version 8.0\n.target sm_90\n.address_size 64\n"

/* PTX that goes before and after a case's instructions. */
static const char before[] =
    VERSION ".func (.param .b32 out) callee(.param .b32 in)\n{\n.reg .b32 %r<3>;\n"
            "ld.param.b32 %r1, [in];\nst.param.b32 [out], %r1;\nret;\n}\n"
            ".global .align 4 .u32 g[4];\n"
            ".visible .entry k(.param .u64 data)\n{\n"
            ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<20>;\n.reg .f32 %f<9>;\n"
            ".reg .b64 %d<20>;\n.shared .align 8 .b8 s[64];\n"
            ".param .b32 a;\n.param .b32 b;\n.param .b16 short;\n.loc 1 42 5\n"
            "ld.param.u64 %d1, [data];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n"
            "add.s64 %d3, %d1, %d2;\n";
static const char after[] = "\nret;\n}\n.file 1 \"/somewhere/wrong.cu\"\n";

/* A launch. Lines above a case's instructions may change its values. */
struct wish {
    unsigned grid, block, cluster, shared, argument;
    unsigned long long budget, limit;
    bool cooperative, races, whole, module;
};

static bool read_wish(const char *line, struct wish *w)
{
    if (strcmp(line, "cooperative") == 0)
        return w->cooperative = true;
    if (strcmp(line, "races") == 0)
        return w->races = true;
    if (strcmp(line, "whole text") == 0)
        return w->whole = true;
    if (strcmp(line, "module") == 0)
        return w->module = true;
    return sscanf(line, "grid %u", &w->grid) == 1 || sscanf(line, "block %u", &w->block) == 1 ||
           sscanf(line, "cluster %u", &w->cluster) == 1 ||
           sscanf(line, "dynamic %u", &w->shared) == 1 ||
           sscanf(line, "argument %u", &w->argument) == 1 ||
           sscanf(line, "budget %llu", &w->budget) == 1 ||
           sscanf(line, "limit %llu", &w->limit) == 1;
}

/* Reads the input's first lines, which describe the launch, and builds the PTX from the rest. */
static struct wish read_case(const char *input, struct text *text)
{
    struct wish w = {.grid = 2, .block = 64, .argument = 8};
    while (*input) {
        char line[32] = "";
        size_t length = strcspn(input, "\n");
        if (length < sizeof line)
            memcpy(line, input, length);
        if (!read_wish(line, &w))
            break;
        input += length + (input[length] == '\n');
    }
    bool inside = !w.whole && !w.module;
    text_append(text, "%s%s%s",
                inside     ? before
                : w.module ? VERSION
                           : "",
                input, inside ? after : "");
    return w;
}

static struct launch make_wished(const struct wish *w, struct module *m, struct buffer data)
{
    struct launch l = make_launch(m, w->grid, w->block);
    l.dynamic_smem = w->shared;
    l.cluster = w->cluster;
    l.kind = w->cluster ? LAUNCH_CLUSTER : w->cooperative ? LAUNCH_COOPERATIVE : LAUNCH_PLAIN;
    if (w->argument > 0)
        add_argument(&l, data.address, w->argument);
    return l;
}

static void append_outcome(struct text *answer, const char *verb, const struct error *e)
{
    if (e->kind == ERROR_NONE)
        text_append(answer, "runs\n");
    else
        text_append(answer, "%s, %s error: %s\n", verb, error_kind_name(e->kind), e->text);
}

/* Launches the kernel on 256 bytes of data, and appends the outcome to the answer. */
static void launch_answer(struct fixture *f, const struct wish *w, struct module *m,
                          struct text *answer)
{
    static struct race_report report;
    struct error e = {0};
    struct buffer data = allocate(f, 256);
    struct launch l = make_wished(w, m, data);
    if (w->budget > 0)
        sim_set_budget(f->device, w->budget);
    if (w->limit > 0)
        sim_set_instruction_limit(f->device, w->limit);
    bool ran = launch(f, &l, &e);
    assert_int_equal(ran, e.kind == ERROR_NONE);
    append_outcome(answer, "fails", &e);
    if (w->races) {
        struct trial t = {.launches = &l, .launch_count = 1};
        error_clear(&e);
        (void)sim_check_races(f->device, &t, &report, &e);
        text_append(answer, "races looked for: ");
        append_outcome(answer, "fails", &e);
    }
    sim_driver.free(f->device, data);
    error_clear(&e);
}

static void simulator_answer(const char *input, size_t length, struct text *answer)
{
    (void)length;
    void *state;
    struct text text = {0};
    struct wish w = read_case(input, &text);
    struct module *m;
    struct error e = {0};
    /* Opens a device for each case, so that the addresses in messages do not depend on earlier
     * cases. */
    assert_int_equal(open_device(&state), 0);
    struct fixture *f = state;
    if (load_text(f, text_shown(&text), "k", &m, &e)) {
        launch_answer(f, &w, m, answer);
        sim_driver.unload(f->device, m);
    } else {
        append_outcome(answer, "is not loaded", &e);
    }
    error_clear(&e);
    text_free(&text);
    close_all(&state);
}

const struct answers answers[] = {{"simulator", simulator_answer, ANSWERS_OF_PTX}, {0}};

int main(void)
{
    return texts_compare("test_simulator", ANSWERS_OF_PTX);
}
