/* Feeds a fuzzer's bytes to the parser, and texts that it accepts to the decoder and the
 * interpreter. None of them may crash, loop forever, or allocate more memory than the text
 * justifies.
 *
 * `make fuzz` has a target for each function (fuzz_ptx.c, fuzz_execute.c).
 * tests/devices/sim/test_garbage.c runs the same two functions on a limited number of damaged
 * texts. */
#ifndef REDSWEEP_TESTS_FUZZ_PTX_TARGETS_H
#define REDSWEEP_TESTS_FUZZ_PTX_TARGETS_H

#include <stdio.h>
#include <string.h>

#include "devices/sim/ptx/ptx.h"
#include "devices/sim/sim.h"

/* Parses a text. Returns whether the parser accepted it. */
static inline bool fuzz_parse(const uint8_t *data, size_t size)
{
    struct ptx_module *m;
    struct error e = {0};
    if (!ptx_parse((const char *)data, size, &m, &e)) {
        if (e.kind == ERROR_NONE || !e.text[0])
            __builtin_trap(); /* every error must have a text */
        return false;
    }
    ptx_free(m);
    return true;
}

/* Finds the name of the first kernel in a text. Returns false if there is none. */
static inline bool first_entry(const uint8_t *data, size_t size, char entry[64])
{
    struct ptx_module *m;
    bool found = false;
    if (!ptx_parse((const char *)data, size, &m, NULL))
        return false;
    for (int i = 0; i < m->function_count && !found; i++) {
        found = m->functions[i].entry && m->functions[i].defined;
        if (found)
            snprintf(entry, 64, "%.*s", SLICE(m->functions[i].name));
    }
    ptx_free(m);
    return found;
}

/* Loads the first kernel and runs two blocks of 48 threads. Returns whether the launch
 * succeeded. */
static inline bool fuzz_execute(const uint8_t *data, size_t size)
{
    struct error e = {0};
    struct device *d;
    struct module *m;
    struct module_info info;
    struct buffer b;
    struct image image = {.kind = IMAGE_PTX, .bytes = (char *)data, .length = size};
    if (!first_entry(data, size, image.entry) || !sim_driver.open("", NULL, &d, &e))
        return false;
    sim_set_threads(d, 1);
    sim_set_budget(d, 5000);
    bool ok = sim_driver.load(d, &image, &m, &info, &e);
    if (ok) {
        struct launch l = {.module = m, .grid = {2, 1, 1}, .block = {48, 1, 1}};
        ok = sim_driver.alloc(d, 4096, &b, &e);
        for (int i = 0; ok && i < 4; i++) {
            l.arguments[i].bits = i == 2 ? 100 : b.address;
            l.arguments[i].size = i == 2 ? 4 : 8;
        }
        l.argument_count = 4;
        struct trial t = {.launches = &l, .launch_count = 1};
        ok = ok && sim_driver.run(d, &t, &e);
        sim_driver.unload(d, m);
    }
    if (!ok && (e.kind == ERROR_NONE || e.kind == ERROR_INTERNAL || !e.text[0]))
        __builtin_trap();
    sim_driver.close(d);
    return ok;
}

#endif
