/*
 * Passes each file on the command line to a fuzz target, so that the corpus can be tested without a
 * fuzzer. If the target crashes, the last file named on stderr is the cause.
 */
#include "fuzz.h"

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        uint8_t *bytes = malloc(1 << 22);
        if (!file || !bytes) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
        size_t length = fread(bytes, 1, 1 << 22, file);
        fclose(file);
        bytes = realloc(bytes, length ? length : 1); /* so that ASan detects a read past the end */
        fprintf(stderr, "%s\n", argv[i]);
        LLVMFuzzerTestOneInput(bytes, length);
        free(bytes);
    }
    printf("%d inputs\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
