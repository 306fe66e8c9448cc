/* Parses the facts of a kernel. */
#include "fuzz.h"

#include "spec/kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct kernel *k;
    struct error e = {0};
    char *text = copy_text(bytes, length);
    if (kernel_parse("kernels/unroll.cu", text, length, &k, &e))
        kernel_free(k);
    else
        must_explain(&e);
    free(text);
    return 0;
}
