/*
 * PTX that the simulator does not take: instructions in forms that it does not know, and texts that
 * are no module. Each is refused when it is loaded, with a message that names what is wrong.
 */
#include "fixture.h"

#define MODULE ".version 8.0\n.target sm_90\n.address_size 64\n"

/* One module, or one instruction among these declarations. */
static const char before[] =
    MODULE ".func (.param .b32 out) callee(.param .b32 in)\n{\n.reg .b32 %r<3>;\n"
           "ld.param.b32 %r1, [in];\nst.param.b32 [out], %r1;\nret;\n}\n"
           ".global .align 4 .u32 g[4];\n"
           ".visible .entry k(.param .u64 data, .param .u32 n)\n{\n"
           ".reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<19>;\n.reg .f32 %f<9>;\n"
           ".reg .b64 %d<19>;\n.shared .align 8 .b8 s[64];\n"
           "{\n.param .b32 a;\n.param .b32 b;\n.param .b16 short;\n";
static const char after[] = "\n}\nret;\n}\n";

/* The module must be refused, with an error of this kind that holds these words. */
static void refused(struct fixture *f, const char *text, enum error_kind kind, const char *words)
{
    struct module *m;
    struct error e = {0};
    if (load_text(f, text, "k", &m, &e)) {
        sim_driver.unload(f->device, m);
        fail_msg("accepted: %s", text);
    }
    if (e.kind != kind || !strstr(e.text, words))
        fail_msg("%s error: %s\ninstead of '%s' for: %s", error_kind_name(e.kind), e.text, words,
                 text);
}

static void the_surroundings_are_fine(void **state)
{
    char text[4096];
    struct module *m;
    struct error e = {0};
    snprintf(text, sizeof text, "%s%s%s", before, "call.uni (b), callee, (a);", after);
    must(load_text(*state, text, "k", &m, &e), &e);
    sim_driver.unload(((struct fixture *)*state)->device, m);
}

static void instructions_in_unknown_forms(void **state)
{
    static const struct {
        const char *instruction, *words;
    } cases[] = {
        /* calls */
        {"call.uni (b), callee;", "another number of arguments than its function has"},
        {"call.uni callee, (a);", "another number of arguments than its function has"},
        {"call.uni (b), callee, (a, a);", "another number of arguments than its function has"},
        {"call.uni (b), callee, (g);", "arguments that are not .param variables"},
        {"call.uni (b), callee, (short);", "an argument that is too short"},
        {"call.uni (b), %d1, (a);", "through a pointer"},
        {"call.uni (b);", "through a pointer"},
        {"call.uni (b), callee, (a), callee;", "in this form"},
        {"call.uni (b), __cudaCDP2GetLastError, (a);", "another number of arguments"},
        {"call.uni __cudaCDP2GetLastError;", "another number of arguments"},
        {"call.uni (g), __cudaCDP2GetLastError;", "arguments of another form"},
        {"call.uni (short), __cudaCDP2GetLastError;", "arguments of another form"},
        {"call.near (b), callee, (a);", "call.near"},
        /* exchanges without .sync, which warps of this age do not have */
        {"shfl.down.b32 %r1, %r2, 1, 31;", "shfl"},
        {"shfl.down.b32 %r1, %r2, 1, 31, -1;", "without .sync"},
        {"vote.all.pred %p1, %p2, -1;", "without .sync"},
        {"vote.sync.some.pred %p1, %p2, -1;", "vote"},
        {"match.any.sync.b16 %r1, %h1, -1;", "match"},
        {"redux.sync.mul.u32 %r1, %r2, -1;", "redux"},
        {"activemask.b64 %d1;", "activemask"},
        {"elect.async %r1|%p1, -1;", "elect"},
        {"bar.sync;", "bar"},
        {"bar.wait 0;", "bar"},
        {"barrier.cluster.arrive.wait;", "in this form"},
        {"barrier.cluster;", "in this form"},
        {"trap 1;", "trap"},
        {"nanosleep.u64 1;", "nanosleep"},
        /* loads and stores */
        {"ld.global.v2.u32 %r1, [%d1];", "a vector of another length"},
        {"ld.global.v2.u32 {%r1, %r2, %r3, %r4}, [%d1];", "a vector of another length"},
        {"ld.global.v2.u32 {%r1, %d2}, [%d1];", "a vector of different registers"},
        {"ld.global.u32 {%r1, %r2}, [%d1];", "a vector without .v2 or .v4"},
        {"ld.global.u64 %r1, [%d1];", "a register of another width"},
        {"ld.global.u32 %p1, [%d1];", "a register of another width"},
        {"ld.param.u32 %r1, [n+4];", "beyond the parameters"},
        {"ld.param.u64 %d1, [n];", "beyond the parameters"},
        {"atom.global.mul.u32 %r1, [%d1], 2;", "atom"},
        {"atom.global.max.f32 %f1, [%d1], %f2;", "this operation on floats"},
        {"atom.global.cas.b32 %r1, [%d1], 2;", "atom"},
        {"atom.global.add.u32 %r1, %d1, 2;", "atom"},
        {"membar.soon;", "membar"},
        {"prefetch.global.L3 [%d1];", "prefetch"},
        {"cvta.param.u64 %d1, %d2;", "addresses of parameters"},
        {"cvta.register.u64 %d1, %d2;", "in this form"},
        {"cvta.global.u32 %r1, %r2;", "in this form"},
        {"isspacep.nowhere %p1, %d1;", "in this form"},
        {"griddepcontrol.maybe;", "griddepcontrol"},
        /* arithmetic, lane by lane */
        {"add.sat.u32 %r1, %r2, %r3;", "in this combination"},
        {"mul.lo.f32 %f1, %f2, %f3;", "in this combination"},
        {"mul.odd.f32 %f1, %f2, %f3;", "its part '.odd'"},
        {"mad.lo.u32 %r1, %r2, %r3;", "mad.lo.u32"},
        {"and.b8 %r1, %r2, %r3;", "and.b8"},
        {"shf.l.sometimes.b32 %r1, %r2, %r3, 4;", "shf"},
        {"lop3.b32 %r1, %r2, %r3, %r4, %r5;", "a truth table that is not a literal"},
        {"lop3.b32 %r1, %r2, %r3, 7;", "lop3"},
        {"setp.lt.and.u32 %p1, %r1, %r2;", "in this form"},
        {"setp.u32 %p1, %r1, %r2;", "in this form"},
        {"testp.odd.f32 %p1, %f1;", "testp"},
        {"selp.b8 %r1, %r2, %r3, %p1;", "its part '.b8'"},
        {"selp.b32 %r1, %r2, %r3;", "with this number of operands"},
        {"selp.b32 %r1, !%r2, %r3, %p1;", "k"},
        {"mov.b64 %d1, {%r1, %r2, %r3, %r4};", "with these elements"},
        {"cvt.u32 %r1, %r2;", "in this form"},
        {"cvt.u32.u64 %r1;", "with this number of operands"},
        {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2;", "in this form"},
        {"cvt.rni.f32.f64 %f1, %d1;", "between floats"},
        {"set.eq.u32.f32 %r1, %f1, %f2;", "in this form"},
        {"cvt.u32.f32 %r1, %f1;", "without a rounding"},
        /* barriers in memory, bulk copies, policies, clusters */
        {"mbarrier.init.shared::cluster.b64 [s], 1;", "in this form"},
        {"mbarrier.init.global.b64 [%d1], 1;", "in this form"},
        {"mbarrier.arrive.shared::cta.b64 %d1;", "mbarrier"},
        {"cp.async.ca.shared.global [%r1], [%d1], 12;", "with this size"},
        {"cp.async.ca.shared.global [%r1], [s], 16;", "with this address"},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1+8], 16, "
         "[%r2];",
         "with this address"},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%r3], 16, "
         "[%r2];",
         "with this address"},
        {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 16;",
         "cp.async"},
        {"createpolicy.range.b64 %d1, %d2, 4, 4;", "createpolicy"},
        {"mapa.shared::cluster.u16 %h1, %h2, 1;", "mapa"},
        {"wgmma.fence.sync.aligned;", "wgmma"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%s%s%s", before, cases[i].instruction, after);
        refused(*state, text, ERROR_UNSUPPORTED, cases[i].words);
    }
}

static void texts_that_are_no_module(void **state)
{
    static const struct {
        const char *text;
        enum error_kind kind;
        const char *words;
    } cases[] = {
        {"", ERROR_CONFIG, "k"},
        {MODULE ".visible .entry k()\n{\nret;\n}\n.visible .entry k()\n{\nret;\n}\n", ERROR_CONFIG,
         "function k is defined twice"},
        {".version 8.0\n.target sm_90\n.address_size 32\n", ERROR_UNSUPPORTED,
         "only 64-bit addresses"},
        {MODULE ".address_size x\n", ERROR_CONFIG, "expected an integer"},
        {MODULE ".func (.reg .b32 %r) f()\n{\nret;\n}\n", ERROR_UNSUPPORTED,
         "parameters in registers"},
        {MODULE ".visible .entry 7()\n", ERROR_CONFIG, "expected a function's name"},
        {MODULE ".visible .entry k(.param u64 data)\n{\nret;\n}\n", ERROR_CONFIG,
         "expected a type"},
        {MODULE ".visible .entry k(.param .u64 7)\n{\nret;\n}\n", ERROR_CONFIG,
         "expected a variable's name"},
        {MODULE ".visible .entry k(.const .u64 data)\n", ERROR_CONFIG, "expected '.param'"},
        {MODULE ".global .u32;\n", ERROR_CONFIG, "expected a variable's name"},
        {MODULE ".global .u32 g[x];\n", ERROR_CONFIG, "expected an integer"},
        {MODULE ".global .u32 g[4;\n", ERROR_CONFIG, "expected ']'"},
        {MODULE ".global .u32 g[2] = {1, 2, 3};\n", ERROR_CONFIG,
         "more initial values than elements"},
        {MODULE ".global .u32 g[2] = {1, 2;\n", ERROR_CONFIG, "expected '}'"},
        {MODULE ".global .u64 g = generic(h);\n", ERROR_UNSUPPORTED,
         "reads only numbers as initial values"},
        {MODULE ".global .align 3 .u32 g;\n", ERROR_CONFIG, "power of two up to 4096"},
        {MODULE ".global .align x .u32 g;\n", ERROR_CONFIG, "expected an integer"},
        {MODULE ".global .surprise .u32 g;\n", ERROR_CONFIG, "unknown word in a declaration"},
        {MODULE ".local .u32 g;\n", ERROR_CONFIG, "local memory outside of a function"},
        {MODULE ".shared .b8 s[1000000];\n", ERROR_UNSUPPORTED, "s is too large"},
        {MODULE ".file x \"a.cu\"\n", ERROR_CONFIG, "expected an integer"},
        {MODULE ".file 1 a.cu\n", ERROR_CONFIG, "expected a file's name"},
        {MODULE ".file 1 \"a.cu\", x\n", ERROR_CONFIG, "expected an integer"},
        {MODULE ".file 1 \"a.cu\n", ERROR_CONFIG, "expected a file's name"},
        {MODULE ".visible .entry k()\n{\n.loc 1 2\nret;\n}\n", ERROR_CONFIG, "expected an integer"},
        {MODULE ".visible .entry k()\n{\n.loc 1 2 3, elsewhere\nret;\n}\n", ERROR_CONFIG,
         "unknown part of a .loc"},
        {MODULE ".visible .entry k()\n{\nmov.f32 %f1, 0f12;\n}\n", ERROR_CONFIG, "PTX line 6"},
        {MODULE ".visible .entry k()\n{\nbra 99999999999999999999;\n}\n", ERROR_CONFIG, "PTX line"},
        {MODULE ".section .debug_info\n", ERROR_CONFIG, "expected '{'"},
        {MODULE ".maxnreg 5\n", ERROR_UNSUPPORTED, "does not know '.maxnreg' here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused(*state, cases[i].text, cases[i].kind, cases[i].words);
}

/* What is rare and right: comments over lines, binary numbers, attributes, vectors in memory. */
static void rare_forms_are_read(void **state)
{
    static const char text[] =
        MODULE "/* two\nlines */\n.global .attribute(.managed) .align 8 .v2 .u32 pair;\n"
               ".global .f32 four[4] = {1.0, -2, 0f40400000, 0b101U};\n"
               ".visible .entry k(.param .u64 data)\n.maxntid 64, 2, 1\n{\n.reg .b64 %d<3>;\n"
               ".reg .b32 %r<3>;\n.loc 1 2 3, function_name $L__info+4, inlined_at 1 9 9\n"
               "ld.param.u64 %d1, [data];\nmov.u32 %r1, 0b101;\nst.global.u32 [%d1], %r1;\n"
               "ret;\n}\n.file 1 \"a.cu\", 5, 6\n/* without an end";
    struct fixture *f = *state;
    struct module *m;
    struct error e = {0};
    struct buffer data = allocate(f, 256);
    uint32_t word = 0;
    must(load_text(f, text, "k", &m, &e), &e);
    struct launch l = make_launch(m, 1, 32);
    add_argument(&l, data.address, 8);
    if (!launch(f, &l, &e) || !sim_driver.read(f->device, data, 0, &word, sizeof word, &e))
        fail_msg("%s", e.text);
    assert_int_equal(word, 5);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, data);
}

/* What is asked of the simulator with wrong arguments. */
static void wrong_requests(void **state)
{
    struct fixture *f = *state;
    struct error e = {0};
    struct buffer data = allocate(f, 256);
    char bytes[16];
    assert_false(sim_driver.read(f->device, data, 250, bytes, 16, &e));
    assert_non_null(strstr(e.text, "16 bytes at offset 250 are outside of a buffer of 256 bytes"));
    sim_driver.free(f->device, data);
    struct module *m;
    struct module_info info;
    struct image cubin = {.kind = IMAGE_CUBIN, .bytes = bytes, .length = sizeof bytes};
    error_clear(&e);
    assert_false(sim_driver.load(f->device, &cubin, &m, &info, &e));
    assert_non_null(strstr(e.text, "loads PTX, not an image of another kind"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_surroundings_are_fine),
        cmocka_unit_test(instructions_in_unknown_forms),
        cmocka_unit_test(texts_that_are_no_module),
        cmocka_unit_test(rare_forms_are_read),
        cmocka_unit_test(wrong_requests),
    };
    return cmocka_run_group_tests(tests, open_device, close_all);
}
