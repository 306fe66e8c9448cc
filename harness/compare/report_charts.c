/*
 * Charts within the page: the SVG files of RUN/plots, as they are but for their ids, which get a
 * prefix each so that charts do not share their symbols by accident.
 */
#include "compare/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order in which a reader wants them, and what each shows. */
static const struct {
    const char *name, *caption;
} charts[] = {
    {"time",
     "Time against n. The line is each kernel's fastest setting at each size, with the 95 % "
     "interval of the median."},
    {"bandwidth", "Bandwidth against n: the least bytes that must be moved, by the median time."},
    {"speedup", "The ladder: how many times as fast as the kernel neighbored."},
    {"heatmap", "Time by block and unroll of one kernel at one size."},
    {"metrics", "Counts of each kernel at one size."},
    {"sectors", "Time against what was moved: what lies on a line is explained by its sectors."},
    {"cache", "What a cold cache costs."},
    {"roofline", "Operations a second against operations per byte."},
};

static bool read_chart(const char *path, struct text *t, bool *there, struct error *e)
{
    FILE *f = fopen(path, "r");
    *there = f != NULL;
    if (!f)
        return errno == ENOENT ||
               FAIL(e, ERROR_SYSTEM, "%s: cannot open: %s", path, strerror(errno));
    char part[8192];
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;)
        text_append_bytes(t, part, got);
    bool ok = !ferror(f) && !t->failed;
    fclose(f);
    return ok || FAIL(e, ERROR_SYSTEM, "%s: cannot read", path);
}

/* Where an id stands behind `at`: after id=" id=' href="# href='# or url(#; 0 when none does. */
static size_t id_begins(const char *at)
{
    static const char *const marks[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(at, marks[i], strlen(marks[i])) == 0)
            return strlen(marks[i]);
    return 0;
}

static void append_svg(struct text *page, const char *svg, const char *name)
{
    const char *at = strstr(svg, "<svg"); /* what stands before is for files only */
    double width = 0;
    const char *box = at ? strstr(at, "viewBox=\"0 0 ") : NULL;
    if (box && sscanf(box, "viewBox=\"0 0 %lf", &width) == 1 && width > 0) {
        text_append(page, "<svg style=\"width:%.0fpx\"", width); /* its real size, or less */
        at += strlen("<svg");
    }
    while (at && *at) {
        size_t mark = id_begins(at);
        if (mark) {
            text_append_bytes(page, at, mark);
            text_append(page, "%s-", name);
            at += mark;
            continue;
        }
        size_t plain = 1 + strcspn(at + 1, " hu");
        text_append_bytes(page, at, plain);
        at += plain;
    }
}

bool report_charts(const struct results *r, struct text *page, struct error *e)
{
    text_append(page, "<h2 id=\"charts\">Charts</h2>\n");
    size_t drawn = 0;
    for (size_t i = 0; i < sizeof charts / sizeof *charts; i++) {
        char *path = NULL;
        struct text svg = {0};
        bool there = false;
        bool ok = asprintf(&path, "%s/plots/%s.svg", r->folder, charts[i].name) >= 0
                      ? read_chart(path, &svg, &there, e)
                      : FAIL(e, ERROR_MEMORY, "out of memory for a chart");
        if (ok && there && svg.bytes) {
            text_append(page, "<figure>\n");
            append_svg(page, svg.bytes, charts[i].name);
            text_append(page, "<figcaption>");
            report_text(page, charts[i].caption);
            text_append(page, "</figcaption>\n</figure>\n");
            drawn++;
        }
        free(path);
        text_free(&svg);
        if (!ok)
            return false;
    }
    if (!drawn)
        text_append(page, "<p>None were drawn; <code>make plots</code> draws those that the run "
                          "has data for.</p>\n");
    return true;
}
