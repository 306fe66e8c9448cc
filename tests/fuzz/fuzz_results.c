/* A run's results.json, read in order to go on with the run. */
#include "fuzz.h"

#include "run/earlier.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct config config;
    static const struct catalogue none;
    struct plan plan = {.config = &config, .catalogue = &none};
    struct provenance now = {0};
    struct earlier earlier;
    struct error e = {0};
    struct text differences = {0};
    if (!earlier_read(write_file("results.json", bytes, length), &earlier, &e))
        must_explain(&e);
    else
        earlier_compare(&earlier, &now, &plan, &differences);
    text_free(&differences);
    earlier_free(&earlier);
    return 0;
}
