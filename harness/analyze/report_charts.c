/*
 * Adds charts to the page: those that the page's script draws, and the SVG files in RUN/plots as
 * images. The SVG files are untrusted. A file that shows a chart that the script also draws is
 * visible only with scripts disabled.
 */
#include "analyze/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"

/* redsweep draws no SVG larger than this. */
enum { MAX_CHART = 64 << 20, MAX_WIDTH = 100000 };

/*
 * The charts that the CHART() rows in harness/charts declare. Charts of several runs are never in a
 * run's folder, so the page does not look for them.
 */
static const struct {
    const char *name, *caption;
    bool several;
} charts[] = {
#define ONE false
#define SEVERAL true
#define CHART(place, name, of, takes, needs, make, sentence) {#name, sentence, of},
#include "charts.def"
#undef CHART
};

/*
 * Returns whether `picture` is a regular file in the run's folder. A link could put a private file
 * into a page that the user then shares.
 */
static bool is_own_file(const char *folder, const char *picture)
{
    char *home = realpath(folder, NULL), *real = realpath(picture, NULL);
    size_t length = home ? strlen(home) : 0;
    struct stat st;
    bool own = home && real && strncmp(real, home, length) == 0 &&
               (real[length] == '/' || strcmp(home, "/") == 0) && stat(real, &st) == 0 &&
               S_ISREG(st.st_mode);
    free(home);
    free(real);
    return own;
}

/*
 * Appends an SVG as an image, because images run no scripts and load no files. Screen readers read
 * the caption.
 */
static void append_image(struct text *page, const char *svg, size_t length, const char *caption)
{
    double width = 0;
    const char *box = strstr(svg, "viewBox=\"0 0 ");
    text_append(page, "<img");
    if (box && sscanf(box, "viewBox=\"0 0 %lf", &width) == 1 && width > 0 && width < MAX_WIDTH)
        text_append(page, " width=\"%.0f\"", width); /* The image is shown no wider than this. */
    text_append(page, " alt=\"");
    view_html_text(page, caption);
    text_append(page, "\" src=\"data:image/svg+xml;base64,");
    text_append_base64(page, svg, length);
    text_append(page, "\">");
}

/*
 * Returns whether the page's script draws a chart with this name. It is enough to search for the
 * member's text, because `drawn` is JSON, in which quotes within strings are escaped.
 */
static bool is_drawn(const char *drawn, const char *name)
{
    char *member = xasprintf("\"chart\": {\"name\": \"%s\",", name);
    bool found = drawn && strstr(drawn, member);
    free(member);
    return found;
}

static bool append_figure(struct text *page, const char *path, size_t chart, bool still,
                          struct error *e)
{
    char *svg;
    size_t length;
    if (!file_read(path, MAX_CHART, &svg, &length, e))
        return false;
    text_append(page,
                "<figure%s>\n<div class=\"wide\" role=\"region\" tabindex=\"0\" "
                "aria-label=\"chart: %s\">",
                still ? " class=\"still\"" : "", charts[chart].name);
    append_image(page, svg, length, charts[chart].caption);
    text_append(page, "</div>\n<figcaption>");
    view_html_text(page, charts[chart].caption);
    text_append(page, "</figcaption>\n</figure>\n");
    free(svg);
    return true;
}

bool report_charts(const struct results *r, const char *drawn, struct view *v, struct error *e)
{
    view_html_heading(v, "charts", "Charts");
    struct text live = {0};
    if (drawn) {
        view_html_charts(&live, drawn);
        view_html(v, &live);
    }
    text_free(&live);
    bool ok = true, any = false;
    for (size_t i = 0; ok && i < sizeof charts / sizeof *charts; i++) {
        if (charts[i].several)
            continue;
        char *path = xasprintf("%s/plots/%s.svg", r->folder, charts[i].name);
        struct text page = {0};
        struct stat st;
        if (lstat(path, &st) == 0) {
            if (is_own_file(r->folder, path))
                ok = append_figure(&page, path, i, is_drawn(drawn, charts[i].name), e);
            else
                text_append(&page,
                            "<p>plots/%s.svg is left out, because it is not a regular file in the "
                            "run's folder.</p>\n",
                            charts[i].name);
            any = true;
        }
        if (page.length)
            view_html(v, &page);
        text_free(&page);
        free(path);
    }
    struct text none = {0};
    text_append(&none, "<p>No charts were drawn. <code>redsweep plots</code> draws all charts for "
                       "which the run has data.</p>\n");
    if (ok && !any && !drawn)
        view_html(v, &none);
    text_free(&none);
    return ok;
}
