/* Reads run.json as `redsweep resume` does. */
#include "fuzz.h"

#include "run/earlier.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static struct config config;
    static const struct catalogue none;
    struct plan plan = {.config = &config, .catalogue = &none};
    struct manifest earlier, now;
    struct error e = {0};
    struct text differences = {0}, written = {0};
    manifest_clear(&now);
    const char *folder = write_file("run.json", bytes, length);
    if (!earlier_read(folder, &earlier, &e)) {
        must_explain(&e);
    } else {
        earlier_compare(&earlier.provenance, &now.provenance, &plan, &differences);
        manifest_append_json(&earlier, &written);
    }
    char path[256];
    snprintf(path, sizeof path, "%s/run.json", folder);
    (void)unlink(path);
    text_free(&differences);
    text_free(&written);
    manifest_free(&earlier);
    manifest_free(&now);
    return 0;
}
