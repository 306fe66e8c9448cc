/*
 * Charts within the page: the SVG files of RUN/plots, as they are but for their ids, which get a
 * prefix each so that charts do not share their symbols by accident.
 */
#include "analyze/report.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* An SVG of more bytes is none of ours. */
enum { MAX_CHART = 64 << 20 };

/* The order in which a reader wants them, and what each shows. */
static const struct {
    const char *name, *caption;
} charts[] = {
    {"time",
     "Time against n. The line is each kernel's fastest setting at each size, with the 95 % "
     "interval of the median."},
    {"bandwidth", "Bandwidth against n: minimum bytes / median time."},
    {"winners", "How much slower than the fastest each kernel is, by n (percent)."},
    {"ladder", "The ladder: what each step gained, and the counter that changed most."},
    {"speedup", "How many times as fast as the kernel neighbored."},
    {"heatmap", "Time by two tunables of one kernel at one size."},
    {"shapes",
     "Speed by shape, the fastest kernel beside those of others: columns across, n upwards."},
    {"configs", "All configurations at one size, from the fastest to the slowest."},
    {"tunables", "What each value of each tunable costs, whatever the others are."},
    {"search", "The search: loss of the best so far against seconds, or what was found at each n."},
    {"metrics", "Counts of each kernel at one size."},
    {"sectors", "Time against sectors moved: points on a line are explained by their sectors."},
    {"cache", "What a cold cache costs."},
    {"roofline", "Roofline: operations per second against operations per byte."},
};

/* Where an id begins behind `at`: after id=" id=' href="# href='# or url(#; 0 when none does. */
static size_t id_begins(const char *at)
{
    static const char *const marks[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(at, marks[i], strlen(marks[i])) == 0)
            return strlen(marks[i]);
    return 0;
}

/* The end of gnuplot's own title that begins here ("'series.dat' index i …"), or NULL. */
static const char *behind_title(const char *at)
{
    const char *end = strncmp(at, "<title>", 7) == 0 ? strstr(at, "</title>") : NULL;
    return end ? end + strlen("</title>") : NULL;
}

/* A picture to a screen reader: its caption is its name. */
static void append_svg(struct text *page, const char *svg, const char *name, const char *caption)
{
    const char *at = strstr(svg, "<svg"); /* what comes before is for files only */
    double width = 0;
    const char *box = at ? strstr(at, "viewBox=\"0 0 ") : NULL;
    text_append(page, "<svg role=\"img\" aria-labelledby=\"%s-title\"", name);
    if (box && sscanf(box, "viewBox=\"0 0 %lf", &width) == 1 && width > 0)
        text_append(page, " style=\"width:%.0fpx\"", width); /* its real size, or less */
    at = at ? at + strlen("<svg") : "></svg>";
    size_t head = strcspn(at, ">");
    text_append_bytes(page, at, head);
    text_append(page, "><title id=\"%s-title\">", name);
    view_html_text(page, caption);
    text_append(page, "</title>");
    at += head + (at[head] == '>');
    while (*at) {
        size_t mark = id_begins(at);
        const char *behind = behind_title(at);
        if (mark) {
            text_append_bytes(page, at, mark);
            text_append(page, "%s-", name);
        }
        at = behind ? behind : at + mark;
        if (behind || mark)
            continue;
        size_t plain = 1 + strcspn(at + 1, " hu<");
        text_append_bytes(page, at, plain);
        at += plain;
    }
}

bool report_charts(const struct results *r, struct view *v, struct error *e)
{
    view_heading(v, "charts", "Charts");
    bool ok = true, any = false;
    for (size_t i = 0; ok && i < sizeof charts / sizeof *charts; i++) {
        char *path = xasprintf("%s/plots/%s.svg", r->folder, charts[i].name), *svg;
        if (access(path, F_OK) == 0 && (ok = file_read(path, MAX_CHART, &svg, NULL, e))) {
            struct text figure = {0};
            text_append(&figure,
                        "<figure>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" "
                        "aria-label=\"chart: %s\">",
                        charts[i].name);
            append_svg(&figure, svg, charts[i].name, charts[i].caption);
            text_append(&figure, "</div>\n<figcaption>");
            view_html_text(&figure, charts[i].caption);
            text_append(&figure, "</figcaption>\n</figure>\n");
            view_html(v, &figure);
            free(svg);
            any = true;
        }
        free(path);
    }
    struct text none = {0};
    text_append(&none, "<p>None were drawn; <code>make plots</code> draws those that the run has "
                       "data for.</p>\n");
    if (ok && !any)
        view_html(v, &none);
    text_free(&none);
    return ok;
}
