/* PTX that the simulator runs: every kernel ends, and every error has a reason. */
#include "ptx_targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    fuzz_execute(bytes, length);
    return 0;
}
