/* The input is an entry of the compile cache. Whatever the bytes of the entry are, the cache must
 * return either the image that was written or none. */
#include "fuzz.h"

#include "compile/cache.h"

static const char recipe[] = "kernel unroll\nfile unroll.cu\n";

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *image;
    size_t image_length;
    const char *folder = write_file("0000000000000007.image", bytes, length);
    if (cache_read(folder, 7, recipe, &image, &image_length, NULL)) {
        if (image_length > length)
            abort();
        free(image);
    }
    return 0;
}
