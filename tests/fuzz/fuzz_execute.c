/*
 * Runs PTX on the simulator. Every kernel must end, and every error must have a reason.
 */
#include "ptx_targets.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    fuzz_execute(bytes, length);
    return 0;
}
