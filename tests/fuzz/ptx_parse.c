/*
 * A fuzzer's way into the PTX parser: see ptx_targets.h.
 */
#include "ptx_targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parse(data, size);
    return 0;
}
