/* Implements request.h. */
#include "compile/request.h"

#include <string.h>

/*
 * The beginning of a request. It is followed by strings, each with its NUL: the kernel's name,
 * path, entry ("" if it has none) and code, and then the options.
 */
struct request {
    struct compile_target target;
    int option_count;
    bool device_runtime;
};

void request_write(const struct kernel *k, const struct compile_target *target,
                   const struct options *o, struct text *out)
{
    struct request r;
    memset(&r, 0, sizeof r);
    r.target = *target;
    r.option_count = o->count;
    r.device_runtime = k->device_runtime;
    text_append_bytes(out, &r, sizeof r);
    const char *of_kernel[] = {k->name, k->path, k->entry ? k->entry : "", k->code};
    for (size_t i = 0; i < sizeof of_kernel / sizeof of_kernel[0]; i++)
        text_append_bytes(out, of_kernel[i], strlen(of_kernel[i]) + 1);
    for (int i = 0; i < o->count; i++)
        text_append_bytes(out, o->list[i], strlen(o->list[i]) + 1);
}

/* Returns the string at *at, and moves *at to the next one. */
static char *next_text(char **at)
{
    char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

void request_read(char *request, struct kernel *k, struct compile_target *target, struct options *o)
{
    struct request r;
    memcpy(&r, request, sizeof r);
    char *at = request + sizeof r;
    *target = r.target;
    *k = (struct kernel){.name = next_text(&at), .device_runtime = r.device_runtime};
    k->path = next_text(&at);
    k->entry = next_text(&at);
    if (!k->entry[0])
        k->entry = NULL;
    k->code = next_text(&at);
    *o = (struct options){.count = r.option_count};
    for (int i = 0; i < r.option_count; i++)
        o->list[i] = next_text(&at);
}
