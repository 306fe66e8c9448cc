/*
 * Executes printf and assert, which the compiler turns into calls to vprintf(format, arguments) and
 * __assertfail(…).
 *
 * Arguments are packed in the thread's local memory, aligned to their sizes: 8 bytes for long
 * integers, pointers and floating-point numbers, and 4 bytes for everything else (CUDA C++
 * Programming Guide, "Formatted output"). Of each launch, at most PRINT_LIMIT lines are printed
 * (launch_state.printer), each with its block and thread. Further lines, and all lines if there is
 * no printer, are counted but not formatted. Width and precision are limited to the length of the
 * longest text. This keeps kernels from using up the simulator's time or memory.
 */
#include "devices/sim/machine/machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PRINT_LIMIT = 1000, TEXT_SIZE = 1024 };
/* the charges for a lane that prints: per line (64 ns), for every two characters of the format (9
 * ns each), and per argument (125 ns) */
enum { PRINT_CHARGE = 4, CHARACTERS_OF_CHARGE = 2, ARGUMENT_CHARGE = 8 };

/* Translates a generic address that a lane uses to host memory. Returns NULL if it is outside of
 * all memory. */
static const uint8_t *generic_host(struct worker *w, const struct warp *warp, int lane,
                                   uint64_t address, uint64_t bytes)
{
    uint64_t all = w->launch->p->local_bytes, offset = address - LOCAL_WINDOW;
    if (offset < WINDOW_BYTES)
        return offset <= all && bytes <= all - offset ? warp->local + (size_t)lane * all + offset
                                                      : NULL;
    offset = address - SHARED_WINDOW;
    if (offset < WINDOW_BYTES)
        return offset <= warp->block->shared_bytes && bytes <= warp->block->shared_bytes - offset
                   ? warp->block->shared + offset
                   : NULL;
    return memory_host(w->launch->memory, address, bytes);
}

/*
 * Copies a string of the kernel to `out`, truncated to size - 1 characters. Writes "(invalid)" if
 * there is no string at the address.
 */
static void read_string(struct worker *w, const struct warp *warp, int lane, uint64_t address,
                        char *out, size_t size)
{
    size_t length = 0;
    const uint8_t *at = NULL;
    while (length + 1 < size && (at = generic_host(w, warp, lane, address + length, 1)) && *at)
        out[length++] = (char)*at;
    out[length] = '\0';
    if (!at)
        snprintf(out, size, "(invalid)");
}

struct print {
    struct worker *w;
    const struct warp *warp;
    int lane;
    uint64_t arguments; /* the address of the next argument */
    int count;
    char *text;
    size_t length;
    bool shown; /* false: only count arguments */
};

static uint64_t next_argument(struct print *p, unsigned bytes)
{
    uint64_t value = 0;
    p->arguments = (p->arguments + bytes - 1) / bytes * bytes;
    const uint8_t *at = generic_host(p->w, p->warp, p->lane, p->arguments, bytes);
    if (at)
        memcpy(&value, at, bytes);
    p->arguments += bytes;
    p->count++;
    return value;
}

__attribute__((format(printf, 2, 3))) static void add_text(struct print *p, const char *format, ...)
{
    va_list arguments;
    if (!p->shown || p->length >= TEXT_SIZE - 1)
        return;
    va_start(arguments, format);
    int length = vsnprintf(p->text + p->length, TEXT_SIZE - p->length, format, arguments);
    va_end(arguments);
    p->length += length < 0 ? 0 : (size_t)length;
    if (p->length > TEXT_SIZE - 1)
        p->length = TEXT_SIZE - 1;
}

/* Appends a width or precision to `options`, limited to the length of the longest text. Returns the
 * new length of `options`. */
static size_t add_number(char *options, size_t length, size_t size, long long number)
{
    long long most = TEXT_SIZE - 1;
    number = number > most ? most : number < -most ? -most : number;
    int added = snprintf(options + length, size - length, "%lld", number);
    length += added < 0 ? 0 : (size_t)added;
    return length < size - 1 ? length : size - 1;
}

/* Copies the flags, width and precision after a % to `options`, and replaces each `*` by the value
 * of an argument. Returns a pointer to what follows them. */
static const char *read_options(struct print *p, const char *at, char *options, size_t size)
{
    size_t length = 0;
    for (; *at && strchr("-+ #0123456789.*", *at); at++) {
        if (*at == '*') {
            length = add_number(options, length, size, (int)next_argument(p, 4));
        } else if (*at >= '1' && *at <= '9') {
            long long number = 0;
            for (; *at >= '0' && *at <= '9'; at++)
                number = number < TEXT_SIZE ? number * 10 + (*at - '0') : number;
            at--;
            length = add_number(options, length, size, number);
        } else if (length + 1 < size) {
            options[length++] = *at;
        }
    }
    options[length] = '\0';
    return at;
}

/* Formats the conversion that begins with the % at `at`. Returns a pointer to what follows it. */
static const char *add_conversion(struct print *p, const char *at)
{
    char options[32], value[TEXT_SIZE];
    bool wide = false;
    at = read_options(p, at + 1, options, sizeof options);
    for (; *at && strchr("hlLqjzt", *at); at++)
        wide |= *at != 'h';
    char format[48], string[TEXT_SIZE];
    double number;
    uint64_t bits;
    if (*at && strchr("diuoxXc", *at)) {
        bits = next_argument(p, wide ? 8 : 4);
        bool is_signed = *at == 'd' || *at == 'i' || *at == 'c';
        snprintf(format, sizeof format, "%%%s%s%c", options, *at == 'c' ? "" : "ll", *at);
        long long integer = wide ? (long long)bits : is_signed ? (int32_t)bits : (long long)bits;
        if (!p->shown)
            value[0] = '\0';
        else if (*at == 'c')
            snprintf(value, sizeof value, format, (int)integer);
        else
            snprintf(value, sizeof value, format, integer);
        add_text(p, "%s", value);
    } else if (*at && strchr("fFeEgGaA", *at)) {
        bits = next_argument(p, 8);
        memcpy(&number, &bits, sizeof number);
        snprintf(format, sizeof format, "%%%s%c", options, *at);
        if (p->shown) {
            snprintf(string, sizeof string, format, number);
            add_text(p, "%s", string);
        }
    } else if (*at == 's') {
        bits = next_argument(p, 8);
        if (p->shown) {
            read_string(p->w, p->warp, p->lane, bits, string, sizeof string);
            add_text(p, "%s", string);
        }
    } else if (*at == 'p') {
        add_text(p, "0x%llx", (unsigned long long)next_argument(p, 8));
    } else if (*at) {
        add_text(p, "%c", *at);
    }
    return *at ? at + 1 : at;
}

static int print_lane(struct worker *w, struct warp *warp, int lane, uint64_t format,
                      uint64_t arguments)
{
    struct launch_state *l = w->launch;
    char text[TEXT_SIZE], pattern[TEXT_SIZE];
    uint64_t number = __atomic_fetch_add(&l->printed, 1, __ATOMIC_RELAXED);
    struct print p = {w, warp, lane, arguments,
                      0, text, 0,    l->printer.print && number < PRINT_LIMIT};
    unsigned thread = (unsigned)warp->index * LANES + (unsigned)lane;
    const struct block *b = warp->block;
    read_string(w, warp, lane, format, pattern, sizeof pattern);
    add_text(&p, "block (%u,%u,%u), thread (%u,%u,%u): ", b->index[0], b->index[1], b->index[2],
             thread % l->threads[0], thread / l->threads[0] % l->threads[1],
             thread / l->threads[0] / l->threads[1]);
    for (const char *at = pattern; *at;) {
        if (*at == '%')
            at = add_conversion(&p, at);
        else
            add_text(&p, "%c", *at++);
    }
    if (p.length && text[p.length - 1] == '\n')
        text[p.length - 1] = '\0';
    if (l->printer.print && number <= PRINT_LIMIT) {
        pthread_mutex_lock(&l->lock);
        l->printer.print(l->printer.context,
                         number < PRINT_LIMIT ? text : "the remaining lines are not printed");
        pthread_mutex_unlock(&l->lock);
    }
    charge(w, warp,
           PRINT_CHARGE + strlen(pattern) / CHARACTERS_OF_CHARGE +
               (uint64_t)p.count * ARGUMENT_CHARGE);
    return p.count;
}

static uint64_t argument(const struct launch_state *l, const uint8_t *local,
                         const struct instruction *i, int k)
{
    uint64_t value = 0;
    const struct call_copy *c = &l->p->copies[i->target + k];
    memcpy(&value, local + c->from, c->bytes);
    return value;
}

bool print_call(struct worker *w, struct warp *warp, const struct instruction *i, uint32_t exec)
{
    struct launch_state *l = w->launch;
    for (uint32_t rest = exec; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        uint8_t *local = warp->local + (size_t)lane * l->p->local_bytes;
        if (i->operation == RUNTIME_ASSERT) {
            char what[256], file[128], function[128];
            read_string(w, warp, lane, argument(l, local, i, 0), what, sizeof what);
            read_string(w, warp, lane, argument(l, local, i, 1), file, sizeof file);
            read_string(w, warp, lane, argument(l, local, i, 3), function, sizeof function);
            return fault_set(w, warp, lane, FAULT_LAUNCH, "assertion `%s' failed in %s, %s:%u",
                             what, function, file, (unsigned)argument(l, local, i, 2));
        }
        int count = print_lane(w, warp, lane, argument(l, local, i, 0), argument(l, local, i, 1));
        const struct call_copy *to = &l->p->copies[i->target + i->elements];
        memcpy(local + to->to, &count, sizeof count);
    }
    return true;
}
