/*
 * Checks that no word of an opcode may be repeated. Takes a valid opcode for every form of every
 * instruction and repeats a word in it, either in addition to or in place of another. The decoder
 * must refuse all of these, as ptxas does. Accepting a repeated word in place of another would
 * decode a different instruction.
 */
#include "fixture.h"

#include "base/vec.h"
#include "devices/sim/program/decode.h"

enum { WORDS_MOST = 16 };

static const char before[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".func callee()\n{\nret;\n}\n"
    ".visible .entry k(.param .u64 data, .param .u32 n)\n{\n"
    ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<19>;\n.reg .b64 %d<19>;\n"
    ".shared .align 16 .b8 s[64];\nL: .branchtargets L0, L1;\n";
static const char after[] = "\nL0:\nL1:\nret;\n}\n";

/*
 * Operands for opcodes that a function decodes. The operands of arithmetic instructions follow from
 * the table of instruction families.
 */
static const struct {
    const char *opcode, *operands;
} examples[] = {
    {"prmt.b32.f4e", "%r0, %r1, %r2, %r3"},
    {"lop3.b32", "%r0, %r1, %r2, %r3, 5"},
    {"setp.lt.and.ftz.f32", "%p0, %r1, %r2, %p1"},
    {"set.lt.u16.f16", "%h0, %h1, %h2"},
    {"set.eq.f16x2.f16x2", "%r0, %r1, %r2"},
    {"slct.u32.s32", "%r0, %r1, %r2, %r3"},
    {"slct.b64.f32", "%d0, %d1, %d2, %r3"},
    {"mov.u32", "%r0, %r1"},
    {"cvt.rn.ftz.sat.f32.f64", "%r0, %d1"},
    {"cvt.rzi.s32.f32", "%r0, %r1"},
    {"cvt.rn.f16x2.f32", "%r0, %r1, %r2"},
    {"cvt.sat.u8.s32", "%r0, %r1"},
    {"cvta.to.global.u64", "%d0, %d1"},
    {"cvta.shared.u64", "%d0, %d1"},
    {"isspacep.global", "%p0, %d1"},
    {"ld.volatile.global.v2.u32", "{%r0, %r1}, [%d1]"},
    {"ld.global.nc.L1::no_allocate.b64", "%d0, [%d1]"},
    {"ld.acquire.gpu.global.s8", "%r0, [%d1]"},
    {"ldu.global.u32", "%r0, [%d1]"},
    {"st.release.sys.global.u32", "[%d1], %r1"},
    {"st.shared.v4.b32", "[s], {%r0, %r1, %r2, %r3}"},
    {"atom.relaxed.gpu.global.add.noftz.f16x2", "%r0, [%d1], %r1"},
    {"atom.shared.cas.b64", "%d0, [s], %d1, %d2"},
    {"red.global.max.s32", "[%d1], %r1"},
    {"membar.gl", ""},
    {"fence.acq_rel.cluster", ""},
    {"griddepcontrol.wait", ""},
    {"prefetch.global.L2", "[%d1]"},
    {"prefetchu.L1", "[%d1]"},
    {"mbarrier.init.shared::cta.b64", "[s], %r1"},
    {"mbarrier.arrive.expect_tx.release.cta.shared::cta.b64", "%d0, [s], %r1"},
    {"mbarrier.try_wait.parity.acquire.cta.shared::cta.b64", "%p0, [s], %r1"},
    {"cp.async.cg.shared.global.L2::128B", "[s], [%d1], 16"},
    {"cp.async.mbarrier.arrive.noinc.shared.b64", "[s]"},
    {"createpolicy.fractional.L2::evict_first.b64", "%d0, 0f3F800000"},
    {"bra.uni", "L0"},
    {"brx.idx.uni", "%r1, L"},
    {"call.uni", "callee"},
    {"ret.uni", ""},
    {"exit", ""},
    {"trap", ""},
    {"brkpt", ""},
    {"nanosleep.u32", "1"},
    {"bar.sync", "0"},
    {"bar.red.popc.u32", "%r0, 0, %p1"},
    {"bar.warp.sync", "-1"},
    {"barrier.cta.sync.aligned", "0"},
    {"barrier.cluster.arrive.release.aligned", ""},
    {"mapa.shared::cluster.u32", "%r0, %r1, %r2"},
    {"shfl.sync.down.b32", "%r0|%p0, %r1, 1, 31, -1"},
    {"vote.sync.any.pred", "%p0, %p1, -1"},
    {"match.any.sync.b32", "%r0, %r1, -1"},
    {"redux.sync.add.u32", "%r0, %r1, -1"},
    {"activemask.b32", "%r0"},
    {"elect.sync", "%r0|%p0, -1"},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

struct words {
    int count;
    char at[WORDS_MOST][40];
};

static struct words cut(const char *opcode)
{
    struct words w = {0};
    for (const char *at = opcode; *at && w.count < WORDS_MOST; w.count++) {
        int length = (int)strcspn(at, ".");
        snprintf(w.at[w.count], sizeof w.at[0], "%.*s", length, at);
        at += length + (at[length] == '.');
    }
    return w;
}

static void join(const struct words *w, char out[256])
{
    size_t length = 0;
    for (int i = 0; i < w->count; i++)
        length += (size_t)snprintf(out + length, 256 - length, "%s%s", i ? "." : "", w->at[i]);
}

static bool accepts(struct fixture *f, const char *opcode, const char *operands, struct error *e)
{
    char text[2048];
    struct module *m;
    snprintf(text, sizeof text, "%s%s %s;%s", before, opcode, operands, after);
    bool ok = load_text(f, text, "k", &m, e);
    if (ok)
        sim_driver.unload(f->device, m);
    return ok;
}

static void refuse(struct fixture *f, const struct words *w, const char *operands)
{
    char opcode[256];
    struct error e = {0};
    join(w, opcode);
    if (accepts(f, opcode, operands, &e))
        fail_msg("accepted: %s %s", opcode, operands);
    if (e.kind != ERROR_UNSUPPORTED)
        fail_msg("%s %s: %s", opcode, operands, e.text);
}

static bool is_type(const char *word)
{
    struct type type;
    return decode_type_word((struct slice){word, (int)strlen(word)}, &type);
}

/* Checks that an opcode is accepted and that its variants with a repeated word are refused. */
static void try_opcode(struct fixture *f, const char *opcode, const char *operands)
{
    struct error e = {0};
    const struct words w = cut(opcode);
    if (!accepts(f, opcode, operands, &e))
        fail_msg("%s %s: %s", opcode, operands, e.text);
    for (int from = 1; from < w.count; from++)
        for (int to = 1; to <= w.count; to++) {
            struct words more = w, other = w;
            memmove(more.at[to + 1], more.at[to], (size_t)(w.count - to) * sizeof w.at[0]);
            strcpy(more.at[to], w.at[from]);
            more.count++;
            refuse(f, &more, operands);
            if (to == from || to == w.count)
                continue;
            strcpy(other.at[to], w.at[from]);
            /* A type may appear twice, as in slct.s32.s32. */
            if (!is_type(w.at[from]) || !is_type(w.at[to]))
                refuse(f, &other, operands);
        }
}

/* Writes the operands of an arithmetic instruction, each as a register of its width. */
static void write_operands(const struct opcode_family *f, const struct type *t, char out[64])
{
    size_t length = 0;
    for (int k = 0; f->operands[k] && f->operands[k] != 'C'; k++) {
        char letter = f->operands[k];
        int bytes = letter == 'T' ? t->bytes : letter == 'W' ? 2 * t->bytes : letter == 'P' ? 0 : 4;
        char kind = bytes == 0 ? 'p' : bytes == 2 ? 'h' : bytes == 4 ? 'r' : 'd';
        length += (size_t)snprintf(out + length, 64 - length, "%s%%%c%d", k ? ", " : "", kind, k);
    }
}

/* Returns the words of a space-separated list, preceded by an empty word. */
static struct words list_words(const char *list)
{
    struct words w = {.count = 1};
    for (const char *at = list; *at && w.count < WORDS_MOST; at += strspn(at, " ")) {
        int length = (int)strcspn(at, " ");
        snprintf(w.at[w.count++], sizeof w.at[0], "%.*s", length, at);
        at += length;
    }
    return w;
}

static void rows_that_compute_have_no_word_twice(void **state)
{
    for (const struct opcode_family *f = families; f->name; f++) {
        if (!f->operands)
            continue;
        struct words types = list_words(f->types), modifiers = list_words(f->modifiers);
        for (int t = 1; t < types.count; t++)
            for (int m = 0; m < modifiers.count; m++) {
                struct type type;
                char opcode[128], operands[64];
                assert_true(
                    decode_type_word((struct slice){types.at[t], (int)strlen(types.at[t])}, &type));
                write_operands(f, &type, operands);
                snprintf(opcode, sizeof opcode, "%s%s%s.%s", f->name, m ? "." : "", modifiers.at[m],
                         types.at[t]);
                try_opcode(*state, opcode, operands);
            }
    }
}

static void other_instructions_have_no_word_twice(void **state)
{
    for (int i = 0; i < EXAMPLES; i++)
        try_opcode(*state, examples[i].opcode, examples[i].operands);
}

static void every_other_instruction_has_an_example(void **state)
{
    (void)state;
    for (const struct opcode_family *f = families; f->name; f++) {
        bool found = f->operands != NULL;
        for (int i = 0; i < EXAMPLES && !found; i++)
            found =
                family_is(f, (struct slice){examples[i].opcode, (int)strlen(examples[i].opcode)});
        if (!found)
            fail_msg("%s has no example", f->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_that_compute_have_no_word_twice, open_device,
                                        close_all),
        cmocka_unit_test_setup_teardown(other_instructions_have_no_word_twice, open_device,
                                        close_all),
        cmocka_unit_test(every_other_instruction_has_an_example),
    };
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
