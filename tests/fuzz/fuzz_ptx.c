/* Parses PTX for the simulator and decodes its kernels into programs. */
#include "fuzz.h"

#include "devices/sim/program/lanes.h"
#include "devices/sim/program/program.h"
#include "devices/sim/ptx/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct ptx_module *m;
    struct program *p;
    struct error e = {0};
    char *text = copy_text(bytes, length);
    if (!ptx_parse(text, length, &m, &e))
        must_explain(&e);
    else if (program_build(m, "k", 1 << 20, lanes_best(), NULL, &p, &e))
        program_free(p);
    else
        must_explain(&e);
    free(text);
    return 0;
}
