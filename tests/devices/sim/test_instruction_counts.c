/*
 * Checks how the simulator counts instructions and branches. Each PTX statement counts once per
 * warp in which at least one lane executes it. Diverged lanes reconverge after the branch or loop.
 * The programs are random but consist only of branches and loops, so their counts follow from this
 * structure and each lane's bits.
 */
#include "fixture.h"

#include "base/text.h"

enum { PROGRAMS = 3000, BLOCK = 80, MAX_DEPTH = 4, BUDGET = 14 };

struct program {
    struct text ptx;
    uint32_t random;
    int labels, statements; /* the numbers written so far */
    uint32_t bits[32];      /* the bits that decide the lanes' paths */
    uint32_t sum[32];       /* the sum that each lane computes */
    struct counts expected;
};

static uint32_t draw(struct program *p, uint32_t below)
{
    p->random = p->random * 1664525u + 1013904223u;
    return (p->random >> 8) % below;
}

/* Returns the bits that decide thread t's path, computed as in the PTX. */
static uint32_t thread_bits(uint32_t t)
{
    uint32_t x = t * 0x9e3779b1u;
    return x ^ x >> 15;
}

/*
 * Counts `count` instructions that the lanes in `lanes` execute. The guard of these instructions is
 * true in the lanes in `on`.
 */
static void execute(struct program *p, unsigned count, uint32_t lanes, uint32_t on)
{
    if (!lanes)
        return;
    p->expected.instructions += count;
    p->expected.thread_instructions += count * (unsigned)__builtin_popcount(lanes);
    p->expected.thread_on += count * (unsigned)__builtin_popcount(on);
}

/* Counts a branch that the lanes in `taken` take. */
static void branch(struct program *p, uint32_t lanes, uint32_t taken)
{
    execute(p, 1, lanes, taken);
    p->expected.branches += lanes != 0;
    p->expected.divergent_branches += taken && taken != lanes;
}

static uint32_t lanes_with(const struct program *p, uint32_t lanes, unsigned bit)
{
    uint32_t found = 0;
    for (int lane = 0; lane < 32; lane++)
        found |= (p->bits[lane] >> bit & 1) << lane;
    return found & lanes;
}

/* A node of the program. Nodes are stored in the order drawn. */
struct node {
    enum { NODE_ADD, NODE_GUARDED, NODE_IF, NODE_LOOP } kind;
    /*
     * `bit` is the number of the bit that selects a branch, or of the lowest bit of a loop's
     * iteration count.
     */
    unsigned bit, count; /* `count` is the number of additions */
    int first, others;   /* the first nodes of the two bodies, or -1 */
    int next;
};

struct tree {
    struct node nodes[64];
    int count;
};

/* Draws a sequence of statements. Returns its first node, or -1 if the sequence is empty. */
static int draw_sequence(struct program *p, struct tree *t, int depth)
{
    int first = -1, last = -1;
    for (uint32_t k = draw(p, depth ? 3 : 4) + (depth == 0); k > 0 && t->count < BUDGET; k--) {
        int at = t->count++;
        struct node n = {.bit = draw(p, 30), .count = 1 + draw(p, 3), .next = -1};
        uint32_t kind = draw(p, 8);
        n.kind = kind < 2 || depth == MAX_DEPTH ? NODE_ADD
                 : kind < 4                     ? NODE_GUARDED
                 : kind < 6                     ? NODE_IF
                                                : NODE_LOOP;
        n.first = n.others = -1;
        t->nodes[at] = n;
        if (n.kind >= NODE_IF)
            t->nodes[at].first = draw_sequence(p, t, depth + 1);
        if (n.kind == NODE_IF)
            t->nodes[at].others = draw_sequence(p, t, depth + 1);
        if (last >= 0)
            t->nodes[last].next = at;
        else
            first = at;
        last = at;
    }
    return first;
}

/* Writes a sequence's text. A loop at depth d counts its iterations in %n<d>. */
static void write_sequence(struct program *p, const struct tree *t, int at, int depth)
{
    struct text *o = &p->ptx;
    for (; at >= 0; at = t->nodes[at].next) {
        const struct node *n = &t->nodes[at];
        int label = p->labels++;
        p->statements++;
        if (n->kind == NODE_LOOP)
            text_append(o, "shr.u32 %%n%d, %%x, %u;\nand.b32 %%n%d, %%n%d, 3;\n", depth, n->bit,
                        depth, depth);
        else if (n->kind != NODE_ADD)
            text_append(o, "and.b32 %%t, %%x, %u;\nsetp.ne.u32 %%p, %%t, 0;\n", 1u << n->bit);
        if (n->kind == NODE_ADD)
            for (unsigned k = 0; k < n->count; k++)
                text_append(o, "add.u32 %%s, %%s, 1;\n");
        if (n->kind == NODE_GUARDED)
            text_append(o, "@%%p add.u32 %%s, %%s, %u;\n", n->count);
        if (n->kind == NODE_IF) {
            text_append(o, "@!%%p bra E%d;\n", label);
            write_sequence(p, t, n->first, depth + 1);
            text_append(o, "bra.uni F%d;\nE%d:\n", label, label);
            write_sequence(p, t, n->others, depth + 1);
            text_append(o, "F%d:\n", label);
        }
        if (n->kind == NODE_LOOP) {
            text_append(o, "L%d:\nsetp.eq.u32 %%p, %%n%d, 0;\n@%%p bra F%d;\n", label, depth,
                        label);
            write_sequence(p, t, n->first, depth + 1);
            text_append(o, "sub.u32 %%n%d, %%n%d, 1;\nbra.uni L%d;\nF%d:\n", depth, depth, label,
                        label);
        }
    }
}

static void add_to(struct program *p, uint32_t lanes, uint32_t value)
{
    for (int lane = 0; lane < 32; lane++)
        p->sum[lane] += lanes >> lane & 1 ? value : 0;
}

/* Adds the counts that are expected if `lanes` execute the sequence. */
static void count_sequence(struct program *p, const struct tree *t, int at, uint32_t lanes)
{
    for (; at >= 0 && lanes; at = t->nodes[at].next) {
        const struct node *n = &t->nodes[at];
        uint32_t yes = lanes_with(p, lanes, n->bit);
        execute(p, n->kind == NODE_ADD ? n->count : 2, lanes, lanes);
        if (n->kind == NODE_ADD) {
            add_to(p, lanes, n->count);
        } else if (n->kind == NODE_GUARDED) {
            execute(p, 1, lanes, yes);
            add_to(p, yes, n->count);
        } else if (n->kind == NODE_IF) {
            branch(p, lanes, lanes & ~yes);
            count_sequence(p, t, n->first, yes);
            branch(p, yes, yes);
            count_sequence(p, t, n->others, lanes & ~yes);
        } else {
            uint32_t in = lanes;
            for (unsigned turn = 0; in; turn++) {
                uint32_t stay = 0;
                for (uint32_t lane = 0; lane < 32; lane++)
                    stay |= (uint32_t)((p->bits[lane] >> n->bit & 3) > turn) << lane;
                execute(p, 1, in, in); /* the setp */
                branch(p, in, in & ~stay);
                in &= stay;
                count_sequence(p, t, n->first, in);
                execute(p, 1, in, in); /* the sub */
                branch(p, in, in);
            }
        }
    }
}

static void compare_field(const struct program *p, const char *what, uint64_t found,
                          uint64_t expected)
{
    if (found != expected)
        fail_msg("%s: %llu instead of %llu\n%s", what, (unsigned long long)found,
                 (unsigned long long)expected, p->ptx.bytes);
}

/*
 * Runs a program in BLOCK threads (two and a half warps) and compares its counts with the expected
 * ones.
 */
static void run_program(struct fixture *f, struct program *p, const struct tree *t, int first)
{
    static uint32_t found[BLOCK];
    uint32_t expected[BLOCK];
    for (uint32_t from = 0; from < BLOCK; from += 32) {
        uint32_t lanes = BLOCK - from < 32 ? (1u << (BLOCK - from)) - 1 : ~0u;
        for (uint32_t lane = 0; lane < 32; lane++)
            p->bits[lane] = thread_bits(from + lane);
        memset(p->sum, 0, sizeof p->sum);
        execute(p, 6, lanes, lanes); /* the instructions before the sequence */
        count_sequence(p, t, first, lanes);
        execute(p, 4, lanes, lanes); /* the instructions after the sequence */
        memcpy(expected + from, p->sum, sizeof *expected * (BLOCK - from < 32 ? BLOCK - from : 32));
    }
    struct error e = {0};
    struct module *m;
    if (!load_text(f, p->ptx.bytes, "k", &m, &e))
        fail_msg("%s\n%s", e.text, p->ptx.bytes);
    struct buffer data = allocate(f, sizeof found);
    struct launch l = make_launch(m, 1, BLOCK);
    add_argument(&l, data.address, 8);
    struct counts c = count_launch(f, &l);
    must(sim_driver.read(f->device, data, 0, found, sizeof found, &e), &e);
    compare_field(p, "warp instructions", c.instructions, p->expected.instructions);
    compare_field(p, "thread instructions", c.thread_instructions, p->expected.thread_instructions);
    compare_field(p, "of true guards", c.thread_on, p->expected.thread_on);
    compare_field(p, "branches", c.branches, p->expected.branches);
    compare_field(p, "divergent branches", c.divergent_branches, p->expected.divergent_branches);
    for (int t_ = 0; t_ < BLOCK; t_++)
        compare_field(p, "result", found[t_], expected[t_]);
    double per_warp = counts_value(&c, "smsp__average_inst_executed_per_warp.ratio");
    assert_true(per_warp == (double)p->expected.instructions / 3);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
}

static void each_statement_counts_once_for_all_lanes_that_are_there(void **state)
{
    static struct tree t;
    uint64_t statements = 0, divergent = 0;
    for (uint32_t seed = 0; seed < PROGRAMS; seed++) {
        struct program p = {.random = seed};
        t.count = 0;
        int first = draw_sequence(&p, &t, 0);
        text_append(&p.ptx,
                    ".version 8.0\n.target sm_90\n.address_size 64\n"
                    ".visible .entry k(.param .u64 data)\n{\n.reg .pred %%p;\n"
                    ".reg .b32 %%x, %%s, %%t, %%i, %%n<%d>;\n.reg .b64 %%d, %%o;\n"
                    "ld.param.u64 %%d, [data];\nmov.u32 %%i, %%tid.x;\n"
                    "mul.lo.u32 %%x, %%i, 0x9e3779b1;\nshr.u32 %%t, %%x, 15;\n"
                    "xor.b32 %%x, %%x, %%t;\nmov.u32 %%s, 0;\n",
                    MAX_DEPTH + 2);
        write_sequence(&p, &t, first, 0);
        text_append(&p.ptx, "mul.wide.u32 %%o, %%i, 4;\nadd.u64 %%d, %%d, %%o;\n"
                            "st.global.u32 [%%d], %%s;\nret;\n}\n");
        run_program(*state, &p, &t, first);
        statements += (uint64_t)p.statements;
        divergent += p.expected.divergent_branches;
        text_free(&p.ptx);
    }
    printf("%d programs, %llu statements, %llu divergent branches\n", PROGRAMS,
           (unsigned long long)statements, (unsigned long long)divergent);
    assert_true(statements > 5 * PROGRAMS && divergent > 20 * PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_statement_counts_once_for_all_lanes_that_are_there,
                                        open_device, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
