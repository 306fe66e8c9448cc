/* Parses a config and plans it for a small catalogue. */
#include "fuzz.h"

#include "spec/config.h"
#include "plan/plan.h"
#include "spec/kernel.h"

enum { MOST_POINTS = 20000 }; /* Larger sweeps are valid, but planning them here takes too long. */

static double axis_product(const struct config *c)
{
    double points = 1;
    for (int i = 0; i < AXIS_COUNT; i++)
        points *= c->axis_values[i].count ? c->axis_values[i].count : 1;
    return points;
}

static const struct catalogue *kernels(void)
{
    static struct catalogue c;
    static struct kernel *list[1];
    static const char code[] =
        "// kernel: alpha\n// idea: none\n// source: a test\n// uniform: yes\n"
        "// result: partial\n// input: untouched\n// covers: BLOCK * UNROLL * LOADS\n"
        "// blocks: multiple of 32\n// unroll: 1 2 4\n// tunable: LOADS 1 2 4\n"
        "// requires: BLOCK * LOADS <= 1024\n"
        "extern \"C\" __global__ void alpha(element *input, element *output)\n{\n}\n";
    struct error e = {0};
    if (!c.count) {
        c.kernels = list;
        if (!kernel_parse("kernels/alpha.cu", code, sizeof code - 1, &list[c.count++], &e))
            abort();
    }
    return &c;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct config *config;
    struct plan *plan;
    struct error e = {0};
    char *text = copy_text(bytes, length);
    if (!config_parse("fuzz.json", text, &config, &e)) {
        must_explain(&e);
    } else {
        if (axis_product(config) <= MOST_POINTS) {
            if (plan_build(config, kernels(), NULL, &plan, &e))
                plan_free(plan);
            else
                must_explain(&e);
        }
        config_free(config);
    }
    free(text);
    return 0;
}
