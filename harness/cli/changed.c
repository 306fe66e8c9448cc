/* Finds the kernels that have changed since a run was measured; see changed.h. */
#include "cli/changed.h"

#include "spec/folders.h"
#include "tuned/tuned.h"

static void find_of(struct results *r, const struct catalogue *kernels)
{
    r->changed.count = 0;
    for (size_t i = 0; i < r->manifest.provenance.kernels.count; i++) {
        const char *name = r->manifest.provenance.kernels.items[i].name;
        const struct kernel *k = catalogue_find(kernels, name);
        if (k && !tuned_is_current(r, k))
            vec_push(&r->changed, name);
    }
}

void changed_find(struct results *runs, size_t count)
{
    char folder[4096];
    struct error none = {0};
    struct catalogue kernels = {0}, support = {0};
    if (!find_kernel_folder(folder, sizeof folder, &none) ||
        !read_catalogues(folder, NULL, 0, &kernels, &support, &none))
        return;
    for (size_t i = 0; i < count; i++)
        find_of(&runs[i], &kernels);
    catalogue_free(&kernels);
    catalogue_free(&support);
}
