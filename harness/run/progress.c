/* Shows the progress of a sweep; see progress.h. */
#include "run/progress.h"
#include "base/clock.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/transfer.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define CLEAR_LINE "\r\033[K"

void progress_start(struct progress *p, const char *what, uint64_t total, bool quiet)
{
    *p =
        (struct progress){.what = what, .total = total, .started_s = clock_now_s(), .quiet = quiet};
    p->terminal = isatty(STDERR_FILENO) == 1;
    p->shown_s = p->started_s;
}

static void left_text(double seconds, char *out, size_t size)
{
    if (seconds < 100)
        snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 6000)
        snprintf(out, size, "%.0f min", seconds / 60);
    else
        snprintf(out, size, "%.1f h", seconds / 3600);
}

/*
 * Returns how many characters of the detail fit into the line after `used` other characters. The
 * line must not wrap: a wrapped line cannot be redrawn, so each update would print a new one.
 */
static size_t room_for_detail(size_t used)
{
    enum { MOST = 70 };
    size_t width = terminal_width(stderr);
    return !width || width > used + MOST ? MOST : width > used + 1 ? width - used - 1 : 0;
}

static void print_line(struct progress *p, const char *detail)
{
    double spent = clock_now_s() - p->started_s;
    double rate = spent > 0 ? (double)p->done / spent : 0;
    char left[32] = "?";
    double left_s = rate > 0 ? (double)(p->total - p->done) / rate : 0;
    if (p->left_s > 0)
        left_s = p->left_s;
    if (left_s > 0 || p->done == p->total)
        left_text(left_s, left, sizeof left);
    /*
     * Write directly to the descriptor, because the stream stderr would escape the control
     * characters.
     */
    struct text line = {0};
    size_t begin = p->terminal ? sizeof CLEAR_LINE - 1 : 0;
    text_append(&line, "%s%s %" PRIu64, p->terminal ? CLEAR_LINE : "", p->what, p->done);
    if (p->total > 0)
        text_append(&line, "/%" PRIu64 "  %.3g/s", p->total, rate);
    if (p->total > 0 || p->left_s > 0)
        text_append(&line, "  %s left", left);
    /* The elapsed time shows that the run is alive and, in a log, how good the estimates were. */
    if (p->total > 0 || p->left_s > 0)
        text_append(&line, " after %.0f s", spent);
    text_append(&line, "%s", *detail ? "  " : "");
    struct text shown = {0};
    text_append_line(&shown, detail, utf8_cut(detail, room_for_detail(line.length - begin)));
    text_append_printable(&line, shown.bytes, shown.length);
    text_free(&shown);
    text_append(&line, "%s", p->terminal ? "" : "\n");
    (void)write_exactly(STDERR_FILENO, line.bytes, line.length, NO_DEADLINE);
    text_free(&line);
    p->drawn = p->terminal;
}

bool progress_due(const struct progress *p)
{
    return !p->quiet && clock_now_s() - p->shown_s >= (p->terminal ? 0.1 : 2.0);
}

void progress_show(struct progress *p, uint64_t done, const char *detail)
{
    p->done = done;
    if (!progress_due(p))
        return;
    p->shown_s = clock_now_s();
    print_line(p, detail);
}

void progress_clear(struct progress *p)
{
    if (p->drawn)
        (void)write_exactly(STDERR_FILENO, CLEAR_LINE, sizeof CLEAR_LINE - 1, NO_DEADLINE);
    p->drawn = false;
}

void progress_phase(struct progress *p, const struct phase *phase, bool quiet)
{
    const char *what = phase_name(atomic_load(&phase->kind));
    uint64_t total = atomic_load(&phase->total), done = atomic_load(&phase->done);
    if (!*what) {
        if (p->what)
            progress_clear(p);
        p->what = NULL;
    } else if (p->what != what || p->total != total || done < p->done) {
        progress_start(p, what, total, quiet);
    } else if (clock_now_s() - p->started_s > 1) {
        progress_show(p, done < total ? done : total, "");
    }
}
