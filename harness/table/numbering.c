/* Numbers distinct strings; see numbering.h. */
#include "table/numbering.h"

#include "base/text.h"

struct wanted {
    const struct numbering *n;
    const char *text;
};

static bool is_wanted(const void *context, uint32_t position)
{
    const struct wanted *w = context;
    return strcmp(w->n->texts.items[position], w->text) == 0;
}

size_t numbering_find(const struct numbering *n, const char *text)
{
    uint32_t found =
        map_find(&n->map, hash_text(HASH_START, text), is_wanted, &(struct wanted){n, text});
    return found == MAP_NONE ? NUMBERING_NONE : found;
}

size_t numbering_add(struct numbering *n, const char *text)
{
    /* after numbering_close() */
    for (uint32_t i = n->map.count; i < n->texts.count; i++)
        map_add(&n->map, hash_text(HASH_START, n->texts.items[i]), i);
    size_t found = numbering_find(n, text);
    if (found != NUMBERING_NONE)
        return found;
    map_add(&n->map, hash_text(HASH_START, text), (uint32_t)n->texts.count);
    vec_push(&n->texts, xstrdup(text));
    return n->texts.count - 1;
}

void numbering_close(struct numbering *n)
{
    map_free(&n->map);
}

void numbering_free(struct numbering *n)
{
    for (size_t i = 0; i < n->texts.count; i++)
        free(n->texts.items[i]);
    vec_free(&n->texts);
    map_free(&n->map);
}
